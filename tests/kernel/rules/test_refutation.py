"""A claim is refuted only by inputs of its domain, near enough, and an event or tables that break it exactly."""

from dataclasses import replace

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.code import ROW_CODE
from refdp.mechanisms.randomised_response import RANDOMISED_RESPONSE
from refdp.mechanisms.truncated_geometric import TRUNCATED_GEOMETRIC
from refdp.spec import obligations
from refdp.spec.formulas import Real, formula, indicator
from tests.kinds import believed, lemmas, noisy_count, registered, response

RESPONSE = "private(randomised_response(3/4), finite(2), discrete(1), {})"
NOISE = "private(discrete_laplace(1, 1), grid(1), absolute(1), {})"
COUNT = "chain(count(grid(1)), discrete_laplace(1, 1))"
COUNTS = f"private(compose({COUNT}, {COUNT}), table(grid(1)), symmetric(1), {{}})"
SUM = "stable(clamped_sum(0, 5, 1), table(grid(1)), symmetric(1), grid(1), absolute({}))"


def refute(claim, a="0", b="1", event="tuple_of(0)"):
    return rules.unlikely_elsewhere(claim=claim, a=a, b=b, event=event)


@pytest.mark.parametrize(
    ("claim", "witness"),
    [
        (RESPONSE.format("pure(1)"), {}),
        (RESPONSE.format("pure(ln(299/100))"), {}),
        (RESPONSE.format("approximate(0, 49/100)"), {}),
        (RESPONSE.format("approximate(ln(2), 6/25)"), {}),
        (NOISE.format("pure(999/1000)"), {}),
        (NOISE.format("approximate(1/2, 0)"), {}),
        (COUNTS.format("pure(3/2)"), {"a": "tuple_of()", "b": "tuple_of(7)", "event": "tuple_of(tuple_of(0, 0))"}),
        (
            "private(renormalised_geometric(1, 2), finite(3), absolute(1), pure(1))",
            {"a": "0", "b": "1", "event": "tuple_of(0)"},
        ),
        (
            "private(exponential(1), vector(reals(), 2), linf(1), pure(99/100))",
            {"a": "tuple_of(1, 0)", "b": "tuple_of(0, 1)", "event": "tuple_of(0)"},
        ),
        (
            "private(truncated_geometric(1, 1, 0, 3), bounded(1, 0, 3), absolute(2), pure(1))",
            {"a": "0", "b": "2", "event": "tuple_of(0)"},
        ),
        (
            "private(post_process(multiply_output(2), randomised_response(3/4)), finite(2), discrete(1), pure(1))",
            {"event": "tuple_of(0)"},
        ),
    ],
)
def test_claim_is_refuted_by_an_event_that_breaks_it(claim, witness):
    theorem = refute(claim, **witness)
    assert str(theorem.claim.term) == f"refuted({claim})"
    assert theorem.trusts == ({ROW_CODE} if "multiply_output" in claim else frozenset())


@pytest.mark.parametrize(
    ("claim", "witness"),
    [
        (RESPONSE.format("pure(ln(3))"), {}),
        (RESPONSE.format("pure(ln(3))"), {"event": "tuple_of(0, 1)"}),
        (RESPONSE.format("approximate(0, 1/2)"), {}),
        (RESPONSE.format("approximate(ln(2), 1/4)"), {}),
        (RESPONSE.format("pure(1)"), {"event": "tuple_of(1)"}),
        (RESPONSE.format("pure(1)"), {"event": "tuple_of(2)"}),
        (NOISE.format("pure(1)"), {}),
        (NOISE.format("pure(1/2)"), {"event": "tuple_of(1)"}),
        (COUNTS.format("pure(2)"), {"a": "tuple_of()", "b": "tuple_of(7)", "event": "tuple_of(tuple_of(0, 0))"}),
        (
            "private(exponential(1), vector(reals(), 2), linf(1), pure(2))",
            {"a": "tuple_of(1, 0)", "b": "tuple_of(0, 1)", "event": "tuple_of(0)"},
        ),
        (
            "private(truncated_geometric(1, 1, 0, 3), bounded(1, 0, 3), absolute(2), pure(2))",
            {"a": "0", "b": "2", "event": "tuple_of(0)"},
        ),
    ],
)
def test_claim_that_the_event_does_not_break_is_refused(claim, witness):
    """Ties included: a bound that is just reached is not broken."""
    with pytest.raises(KernelError, match=r"does not break|could not be told apart"):
        refute(claim, **witness)


@pytest.mark.parametrize(
    ("a", "b"), [("2", "0"), ("0", "2"), ("-1", "0"), ("1/2", "0"), ("tuple_of(0)", "0"), ("'0'", "0")]
)
def test_refutation_by_an_input_outside_the_domain_is_refused(a, b):
    with pytest.raises(KernelError, match="must be members of"):
        refute(RESPONSE.format("pure(0)"), a=a, b=b)


def test_refutation_by_an_input_that_the_mechanism_does_not_read_is_refused():
    """The claim says finite(5), but randomised response reads a bit: its masses at 4 are no law."""
    for domain in ("finite(5)", "grid(1)", "reals()"):
        claim = f"private(randomised_response(3/4), {domain}, discrete(1), approximate(0, 1/8))"
        with pytest.raises(KernelError, match="not in the domain of"):
            refute(claim, b="4")


@pytest.mark.parametrize("domain", ["grid(1)", "reals()"])
def test_refutation_by_an_outcome_that_cannot_be_is_refused(domain):
    claim = NOISE.format("pure(1/2)").replace("grid(1)", domain)
    with pytest.raises(KernelError, match="is not an outcome of"):
        refute(claim, event="tuple_of(1/2)")


def test_refutation_by_inputs_too_far_apart_is_refused():
    with pytest.raises(KernelError, match="more than 1 apart under absolute"):
        refute(NOISE.format("pure(3/2)"), b="2")
    with pytest.raises(KernelError, match="more than 0 apart under discrete"):
        refute(RESPONSE.format("pure(0)").replace("discrete(1)", "discrete(0)"))
    with pytest.raises(KernelError, match="more than 1 apart under symmetric"):
        refute(COUNTS.format("pure(2)"), "tuple_of()", "tuple_of(7, 7)", "tuple_of(tuple_of(0, 0))")


@pytest.mark.parametrize(
    "event", ["tuple_of()", "tuple_of(0, 0)", "tuple_of(0, 0, 1)", "tuple_of(1/2, 2/4)", "0", "'0'"]
)
def test_refutation_by_what_is_no_event_is_refused(event):
    """Counted twice, an outcome would break true claims."""
    with pytest.raises(KernelError, match="must be tuple_of"):
        refute(RESPONSE.format("pure(ln(3))"), event=event)


@pytest.mark.parametrize("event", ["x", "list_of(0)", "tuple_of(x)", "tuple_of(sqrt(2))", "0.5", "tuple_of(0)[0]"])
def test_refutation_by_what_is_no_datum_is_refused(event):
    with pytest.raises(KernelError):
        refute(RESPONSE.format("pure(0)"), event=event)


@pytest.mark.parametrize(
    ("claim", "event"),
    [
        (RESPONSE.format("loss_tail(ln(2), 74/100)"), "tuple_of(0)"),
        (RESPONSE.format("loss_tail(ln(299/100), 0)"), "tuple_of(0)"),
        (RESPONSE.format("ratio(ln(2), 99/100)"), "tuple_of(0)"),
        (NOISE.format("loss_tail(999/1000, 0)"), "tuple_of(0)"),
        (NOISE.format("ratio(1/2, 1)"), "tuple_of(-3)"),
        (NOISE.format("ratio(ln(2), 7/10)"), "tuple_of(0)"),
        (
            "private(truncated_geometric(1, 1, 0, 3), bounded(1, 0, 3), absolute(1), loss_tail(9/10, 1/2))",
            "tuple_of(0)",
        ),
        ("private(truncated_geometric(1, 1, 0, 3), bounded(1, 0, 3), absolute(1), ratio(1/2, 1))", "tuple_of(0)"),
    ],
)
def test_refutation_of_a_tail_or_a_ratio_is_found(claim, event):
    assert refute(claim, event=event).trusts == frozenset()


@pytest.mark.parametrize(
    ("claim", "event"),
    [
        (RESPONSE.format("loss_tail(ln(2), 3/4)"), "tuple_of(0)"),
        (RESPONSE.format("loss_tail(ln(2), 74/100)"), "tuple_of(0, 1)"),
        (RESPONSE.format("loss_tail(ln(2), 74/100)"), "tuple_of(1)"),
        (RESPONSE.format("loss_tail(ln(3), 0)"), "tuple_of(0)"),
        (RESPONSE.format("ratio(ln(2), 1)"), "tuple_of(0)"),
        (NOISE.format("loss_tail(1, 0)"), "tuple_of(0)"),
        (NOISE.format("ratio(ln(2), 3/4)"), "tuple_of(0)"),
        (
            "private(truncated_geometric(1, 1, 0, 3), bounded(1, 0, 3), absolute(1), loss_tail(1001/1000, 0))",
            "tuple_of(0)",
        ),
    ],
)
def test_refutation_of_a_true_tail_or_ratio_is_refused(claim, event):
    """An event that holds one outcome of a smaller loss is no part of the tail, however likely it is."""
    with pytest.raises(KernelError, match="does not break"):
        refute(claim, event=event)


def test_refutation_of_a_tail_of_additive_noise_needs_delta_0():
    with pytest.raises(KernelError, match="with delta = 0"):
        refute(NOISE.format("loss_tail(1/2, 1/100)"))


@pytest.mark.parametrize("measure", ["concentrated(0)", "renyi(2, 0)"])
def test_refutation_by_an_event_of_another_measure_is_refused(measure):
    with pytest.raises(KernelError, match="expected a claim under pure, approximate, loss_tail, ratio"):
        refute(RESPONSE.format(measure))


def test_refutation_by_an_event_of_a_stable_claim_is_refused():
    with pytest.raises(KernelError, match="expected a claim under pure, approximate, loss_tail, ratio"):
        refute(SUM.format(1))


@pytest.mark.parametrize(
    "claim",
    [
        RESPONSE.format("pure(epsilon)"),
        RESPONSE.format("pure(0), 0 < epsilon"),
        RESPONSE.format("pure(0), 1 < 2"),
        RESPONSE.format("pure(0), 2 < 1"),
        RESPONSE.replace("3/4", "truth").format("pure(0)"),
    ],
)
def test_refutation_of_an_open_or_conditional_claim_is_refused(claim):
    with pytest.raises(KernelError, match="a counterexample is of a closed claim"):
        refute(claim)


@pytest.mark.parametrize("event", ["tuple_of(0, 1)", "tuple_of(0, 1, 2)"])
def test_refutation_of_additive_noise_by_several_outcomes_is_refused(event):
    with pytest.raises(KernelError, match="refuted by one outcome and with delta = 0"):
        refute(NOISE.format("pure(1/2)"), event=event)
    with pytest.raises(KernelError, match="refuted by one outcome and with delta = 0"):
        refute(NOISE.format("approximate(1/2, 1/100)"))


@pytest.mark.parametrize(
    "subject", ["laplace(1)", "count(records())", "coordinatewise(discrete_laplace(1, 1), 1)", "nothing()",
                "compose(discrete_laplace(1, 1), randomised_response(3/4))",
                "post_process(user_function('f'), randomised_response(3/4))"],
)  # fmt: skip
def test_refutation_of_what_has_no_finite_law_is_refused(subject):
    with pytest.raises(KernelError):
        refute(f"private({subject}, finite(2), discrete(1), pure(0))")


def test_refutation_of_a_tie_that_no_precision_decides_is_refused():
    """The law is irrational and the bound is reached: e^(1/2) times the mass at 1 is the mass at 0."""
    claim = "private(truncated_geometric(2, 1, 0, 3), bounded(1, 0, 3), absolute(1), pure(1/2))"
    with pytest.raises(KernelError, match="could not be told apart"):
        refute(claim)


def test_refutation_needs_the_precision_that_it_takes():
    """2 - 2^-100 is below the loss at distance 2 by less than 64 bits show."""
    bound = f"{2**101 - 1}/{2**100}"
    claim = f"private(truncated_geometric(1, 1, 0, 3), bounded(1, 0, 3), absolute(2), pure({bound}))"
    assert refute(claim, b="2").claim.term.operator == "refuted"


@formula
def double_mass(output: Real, input: Real, truth: Real) -> Real:  # noqa: A002
    return indicator(output == input) * truth + (2 - indicator(output == input)) * (1 - truth)


@formula
def signed_mass(output: Real, input: Real, truth: Real) -> Real:  # noqa: A002
    return indicator(output == input) * (1 + truth) - (1 - indicator(output == input)) * truth


@formula
def heavy_edge(weight: Real, ratio: Real) -> Real:
    return weight * (1 + ratio)


def test_refutation_of_masses_that_are_no_law_is_refused():
    """The claim is about a law; masses that sum to more, or are below 0, are none, and say nothing about one."""
    for pmf in (double_mass, signed_mass):
        wrong = replace(RANDOMISED_RESPONSE, stem="wrong_response", pmf=pmf)
        with registered(wrong), pytest.raises(KernelError, match="has no law there"):
            refute(RESPONSE.replace("randomised", "wrong").format("pure(0)"))
    with registered(replace(TRUNCATED_GEOMETRIC, stem="wrong_geometric", edge=heavy_edge)):
        claim = "private(wrong_geometric(1, 1, 0, 3), bounded(1, 0, 3), absolute(2), pure(1))"
        with pytest.raises(KernelError, match="has no law there"):
            refute(claim, b="2")


def test_stable_claim_is_refuted_by_tables_that_move_too_far():
    theorem = rules.unstable_pair(claim=SUM.format("49/10"), a="tuple_of(1)", b="tuple_of(1, 5)")
    assert str(theorem.claim.term) == f"refuted({SUM.format('49/10')})"
    squared = "stable(histogram(2), table(category(2)), change_one(1), vector(grid(1), 2), l2(7/5))"
    assert rules.unstable_pair(claim=squared, a="tuple_of(0)", b="tuple_of(1)").trusts == frozenset()


@pytest.mark.parametrize(
    ("claim", "a", "b", "sentence"),
    [
        (SUM.format("5"), "tuple_of(1)", "tuple_of(1, 5)", "within 5 of each other"),
        (SUM.format("1"), "tuple_of(1)", "tuple_of(1)", "within 1 of each other"),
        (SUM.format("1"), "tuple_of(1)", "tuple_of(1, 5, 5)", "more than 1 apart under symmetric"),
        (SUM.format("1"), "tuple_of(1)", "tuple_of(1, 9/2)", "must be members of"),
        (SUM.format("1"), "1", "tuple_of(1)", "must be members of"),
        (SUM.format("1"), "tuple_of()", "tuple_of('x')", "must be members of"),
        (SUM.format("d_out"), "tuple_of()", "tuple_of(5)", "of a closed claim"),
        (SUM.format("1").replace("absolute(1)", "absolute(1), 1 < 2"), "tuple_of()", "tuple_of(5)", "closed claim"),
        (SUM.format("sqrt(2)"), "tuple_of()", "tuple_of(5)", "not a rational number"),
        (SUM.format("1").replace("clamped_sum(0, 5, 1)", "discrete_laplace(1, 1)"), "tuple_of()", "tuple_of(5)",
         "is not a transformation"),
        (SUM.format("1").replace("absolute(1)", "symmetric(1)"), "tuple_of()", "tuple_of(5)", "unstable_pair"),
        (SUM.format("1").replace("symmetric", "mine"), "tuple_of()", "tuple_of(5)", "metric must be one of"),
        (RESPONSE.format("pure(0)"), "0", "1", "expected a stable claim"),
        ("normalised(count(records()))", "0", "1", "not a private or stable claim"),
    ],
)  # fmt: skip
def test_stable_claim_against_a_side_condition_is_refused(claim, a, b, sentence):
    with pytest.raises(KernelError, match=sentence):
        rules.unstable_pair(claim=claim, a=a, b=b)


def test_stable_claim_by_tables_of_another_size_is_refused():
    claim = "stable(mean(0, 4, 2, 1), sized_table(grid(1), 2), change_one(1), grid(1/2), absolute(1))"
    assert rules.unstable_pair(claim=claim, a="tuple_of(0, 0)", b="tuple_of(0, 4)")
    for a in ("tuple_of(0)", "tuple_of(0, 0, 0)"):
        with pytest.raises(KernelError, match="must be members of"):
            rules.unstable_pair(claim=claim, a=a, b="tuple_of(0, 4)")
    wider = claim.replace("sized_table(grid(1), 2)", "table(grid(1))")
    with pytest.raises(KernelError, match="reads tables of 2 rows"):
        rules.unstable_pair(claim=wider, a="tuple_of(0)", b="tuple_of(4)")


GENERAL = "private(discrete_laplace(scale, 1), grid(1), absolute(d_in), pure(d_in / (2 * scale)), 0 < scale, 0 <= d_in)"
AT_1 = {"scale": "1", "d_in": "1"}


def instance():
    return refute(NOISE.format("pure(1/2)"))


def test_false_instance_refutes_the_claim_for_all_values():
    theorem = rules.false_instance(instance(), claim=GENERAL, values=AT_1)
    assert str(theorem.claim.term) == f"refuted({GENERAL})"


def test_false_instance_may_claim_less_than_what_was_refuted():
    """pure(1/2) is false, so pure(1/3), which says more, is false too."""
    stronger = GENERAL.replace("2 * scale", "3 * scale")
    assert rules.false_instance(instance(), claim=stronger, values=AT_1).claim.term.operator == "refuted"


def test_false_instance_that_claims_more_loss_than_was_refuted_is_refused():
    weaker = GENERAL.replace("d_in / (2 * scale)", "d_in / scale")
    with pytest.raises(KernelError, match="is no instance of"):
        rules.false_instance(instance(), claim=weaker, values=AT_1)


@pytest.mark.parametrize(
    ("claim", "values", "sentence"),
    [
        (GENERAL, {"scale": "2", "d_in": "1"}, "is no instance of"),
        (GENERAL, {"scale": "1", "d_in": "2"}, "is no instance of"),
        (GENERAL.replace("grid(1)", "reals()"), AT_1, "is no instance of"),
        (GENERAL.replace("absolute(d_in)", "discrete(d_in)"), AT_1, "is no instance of"),
        (GENERAL.replace("pure(d_in / (2 * scale))", "approximate(0, 0)"), AT_1, "is no instance of"),
        (GENERAL.replace("discrete_laplace", "discrete_gaussian"), AT_1, "is no instance of"),
        (GENERAL, {"scale": "1"}, "leave a name"),
        (GENERAL, {}, "leave a name"),
        (GENERAL, {**AT_1, "smt_lib": "1"}, "does not occur"),
        (GENERAL.replace("0 <= d_in", "2 <= d_in"), AT_1, "does not hold"),
        (GENERAL.replace("0 <= d_in", "integer(d_in / 2)"), AT_1, "does not hold"),
        (GENERAL.replace("0 <= d_in", "mine(d_in)"), AT_1, "is not a statement"),
        (GENERAL.replace("0 <= d_in", "integer()"), AT_1, "false_instance"),
        (GENERAL.replace("0 <= d_in", "multiple(d_in)"), AT_1, "false_instance"),
        (GENERAL.replace("0 <= d_in", "has_length(d_in)"), AT_1, "false_instance"),
        (GENERAL.replace("absolute", "mine"), AT_1, "metric must be one of"),
        (SUM.format("1"), {}, "is no instance of"),
        ("normalised(discrete_laplace(scale, 1))", AT_1, "not a private or stable claim"),
    ],
)
def test_false_instance_against_a_side_condition_is_refused(claim, values, sentence):
    with pytest.raises(KernelError, match=sentence):
        rules.false_instance(instance(), claim=claim, values=values)


def test_false_instance_of_a_stable_claim_keeps_both_domains_and_metrics():
    false = rules.unstable_pair(claim=SUM.format("4"), a="tuple_of()", b="tuple_of(5)")
    general = "stable(clamped_sum(0, u, 1), table(grid(1)), symmetric(1), grid(1), absolute(u - 1), 0 <= u)"
    assert rules.false_instance(false, claim=general, values={"u": "5"}).claim.term.operator == "refuted"
    for other in (general.replace("symmetric(1), grid(1)", "symmetric(1), reals()"),
                  general.replace("absolute(u - 1)", "discrete(u - 1)")):  # fmt: skip
        with pytest.raises(KernelError, match="is no instance of"):
            rules.false_instance(false, claim=other, values={"u": "5"})


def test_false_instance_by_a_theorem_that_refutes_nothing_is_refused():
    for other in (noisy_count(), response(), believed("composition.weaken")):
        with pytest.raises(KernelError, match="expected a refuted instance"):
            rules.false_instance(other, claim=GENERAL, values=AT_1)


def test_false_instance_by_a_refuted_law_is_refused():
    unbounded = rules.row_exceeds_every_bound(
        *lemmas("unclamped_sum", obligations.unbounded("unclamped_sum")), stem="unclamped_sum"
    )
    with pytest.raises(KernelError, match="expected a refuted instance"):
        rules.false_instance(unbounded, claim=GENERAL, values=AT_1)


def test_refuted_claim_is_no_premise_of_any_rule_that_proves():
    for rule in (rules.compose, rules.pure_to_approximate, rules.pure_to_concentrated):
        with pytest.raises(KernelError):
            rule(instance())
    with pytest.raises(KernelError):
        rules.weaken(instance(), d_out=["9"])
    with pytest.raises(KernelError):
        rules.instantiate(instance(), values={})
    with pytest.raises(KernelError):
        rules.group(instance(), k="1")
    with pytest.raises(KernelError):
        rules.post_process(instance(), function="clamp_output(0, 1)")
