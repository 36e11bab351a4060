"""Level noise, losses without bound, and refutations by one output: each side condition is needed."""

from dataclasses import replace

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.mechanisms import LAPLACE
from refdp.mechanisms.laplace import LAPLACE_WITHOUT_HALF
from refdp.spec import obligations
from refdp.terms.reading import read
from tests.exactness.entering import written
from tests.kinds import believed, lemmas, mechanism, registered

LAPLACE_CLAIM = "private(laplace(1), reals(), absolute(1), {})"
STAIRCASE = "private(staircase(1, 1, 1/2), reals(), absolute({}), pure({}))"
VECTOR = "private(coordinatewise(laplace(1), 2), vector(reals(), 2), {}, pure({}))"
COUNT = "private(chain(count(grid(1)), laplace(1)), table(grid(1)), symmetric(1), pure({}))"
WINNER = "private(with_its_value({}(1)), vector(reals(), {}), linf(1), pure({}))"


def refute(claim, a="0", b="1", output="0"):
    return rules.denser_elsewhere(claim=claim, a=a, b=b, output=output)


def test_level_noise_is_private_one_width_apart():
    claim = mechanism("staircase").claim
    assert (claim.metric, str(claim.d_in), claim.measure) == ("absolute", "sensitivity", "pure")


@pytest.mark.parametrize("stem", ["laplace", "exponential", "laplace_noisy_max", "nothing"])
def test_level_noise_of_another_kind_is_refused(stem):
    with pytest.raises(KernelError, match="is not a registered LevelNoise"):
        rules.level_noise(stem=stem)


def test_level_noise_with_a_lemma_missing_is_refused():
    found = lemmas("staircase", obligations.privacy("staircase"))
    for i in range(len(found)):
        with pytest.raises(KernelError, match="the premises must be the lemmas"):
            rules.level_noise(*found[:i], *found[i + 1 :], stem="staircase")


@pytest.mark.parametrize(("stem", "more"), [("gaussian", ""), ("discrete_gaussian", "multiple(d_in, granularity)")])
def test_unbounded_loss_speaks_of_all_parameters_and_distances(stem, more):
    claim = rules.unbounded_loss(*lemmas(stem, obligations.unbounded_loss(stem)), stem=stem).claim
    assert (claim.kind, claim.subject.operator, [str(t) for t in claim.said]) == (
        "unbounded_loss",
        stem,
        ["absolute(d_in)"],
    )
    assert "0 < d_in" in map(str, claim.given)
    assert (more in map(str, claim.given)) is bool(more)


def test_unbounded_loss_at_numbers():
    theorem = rules.unbounded_loss(*lemmas("gaussian", obligations.unbounded_loss("gaussian")), stem="gaussian")
    closed = rules.instantiate(theorem, values={"sigma": "2", "d_in": "1/3"})
    assert str(closed.claim.term) == "unbounded_loss(gaussian(2), absolute(1/3))"
    with pytest.raises(KernelError, match="the condition 0 < 0 does not hold"):
        rules.instantiate(theorem, values={"d_in": "0"})


@pytest.mark.parametrize("stem", ["laplace", "discrete_laplace"])
def test_unbounded_loss_of_noise_with_a_bound_is_refused(stem):
    with pytest.raises(KernelError, match="has no far_output"):
        rules.unbounded_loss(stem=stem)


def test_unbounded_loss_of_what_is_no_noise_is_refused():
    with pytest.raises(KernelError, match="is not a registered AdditiveNoise"):
        rules.unbounded_loss(stem="exponential")


def test_unbounded_loss_with_a_lemma_missing_is_refused():
    found = lemmas("gaussian", obligations.unbounded_loss("gaussian"))
    for i in range(len(found)):
        with pytest.raises(KernelError, match="the premises must be the lemmas"):
            rules.unbounded_loss(*found[:i], *found[i + 1 :], stem="gaussian")


@pytest.mark.parametrize(
    ("claim", "witness"),
    [
        (LAPLACE_CLAIM.format("pure(999/1000)"), {}),
        (LAPLACE_CLAIM.format("approximate(1/2, 0)"), {}),
        (LAPLACE_CLAIM.format("pure(ln(2))"), {}),
        (STAIRCASE.format(2, 1), {"b": "2", "output": "1/4"}),
        (STAIRCASE.format(1, "999/1000"), {"output": "1/4"}),
        (VECTOR.format("l2(5)", 6), {"a": "tuple_of(0, 0)", "b": "tuple_of(3, 4)", "output": "tuple_of(-1, 0)"}),
        (COUNT.format("9/10"), {"a": "tuple_of()", "b": "tuple_of(7)"}),
        (WINNER.format("laplace_noisy_max", 3, 2),
         {"a": "tuple_of(0, 0, 0)", "b": "tuple_of(1, 1, 1)", "output": "tuple_of(2, -1)"}),
        (WINNER.format("exponential_noisy_max", 1, 1000), {"a": "tuple_of(0)", "b": "tuple_of(1)",
                                                           "output": "tuple_of(0, 1/2)"}),
    ],
)  # fmt: skip
def test_claim_is_refuted_by_an_output_around_which_it_breaks(claim, witness):
    theorem = refute(claim, **witness)
    assert str(theorem.claim.term) == f"refuted({read(claim)})"
    assert theorem.trusts == frozenset()


@pytest.mark.parametrize(
    ("claim", "witness"),
    [
        (LAPLACE_CLAIM.format("pure(1)"), {}),
        (LAPLACE_CLAIM.format("pure(1/2)"), {"output": "1"}),
        (LAPLACE_CLAIM.format("pure(1/2)"), {"output": "1/2"}),
        (STAIRCASE.format(1, 1), {"output": "1/4"}),
        (VECTOR.format("l1(7)", 7), {"a": "tuple_of(0, 0)", "b": "tuple_of(3, 4)", "output": "tuple_of(0, 0)"}),
        (COUNT.format(1), {"a": "tuple_of()", "b": "tuple_of(7)"}),
        (WINNER.format("laplace_noisy_max", 3, 3),
         {"a": "tuple_of(0, 0, 0)", "b": "tuple_of(1, 1, 1)", "output": "tuple_of(2, -1)"}),
    ],
)  # fmt: skip
def test_claim_that_no_output_breaks_is_not_refuted(claim, witness):
    """Ties included: a bound that is just reached is not broken."""
    with pytest.raises(KernelError, match="does not break"):
        refute(claim, **witness)


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        (LAPLACE_CLAIM.format("approximate(1/2, 1/1000)"), "expected a claim under pure DP"),
        (LAPLACE_CLAIM.format("concentrated(0)"), "expected a claim under pure DP"),
        (LAPLACE_CLAIM.format("renyi(2, 0)"), "expected a claim under pure DP"),
        (
            "stable(clamp(0, 1, 1), table(grid(1)), symmetric(1), table(grid(1)), symmetric(0))",
            "expected a claim under",
        ),
        ("private(laplace(scale), reals(), absolute(1), pure(0))", "a counterexample is of a closed claim"),
        ("private(laplace(1), reals(), absolute(1), pure(0), 1 < 2)", "a counterexample is of a closed claim"),
    ],
)
def test_refutation_of_another_claim_by_an_output_is_refused(claim, why):
    with pytest.raises(KernelError, match=why):
        refute(claim)


@pytest.mark.parametrize(
    ("claim", "witness", "why"),
    [
        (LAPLACE_CLAIM.format("pure(1/2)"), {"b": "2"}, "more than 1 apart"),
        (LAPLACE_CLAIM.format("pure(1/2)").replace("reals()", "grid(1)"), {"b": "1/2"}, "must be members of"),
        (LAPLACE_CLAIM.format("pure(1/2)"), {"output": "'0'"}, "is not a member of"),
        (LAPLACE_CLAIM.format("pure(1/2)"), {"output": "tuple_of(0)"}, "is not a member of"),
        (LAPLACE_CLAIM.format("pure(1/2)").replace("laplace(1)", "discrete_laplace(1, 1)"),
         {}, "has no exact ratio"),
        (LAPLACE_CLAIM.format("pure(1/2)").replace("laplace(1)", "exponential(1)"), {}, "is not noise"),
        (LAPLACE_CLAIM.format("pure(1/2)").replace("laplace(1)", "laplace(0)"), {}, "breaks 0 < scale"),
        (LAPLACE_CLAIM.format("pure(1/2)").replace("laplace(1)", "compose(laplace(1))"), {}, "is not registered"),
        (STAIRCASE.format(1, "1/2"), {"output": "0"}, "has no exact ratio"),
        (STAIRCASE.format(1, "1/2"), {"output": "1/2"}, "has no exact ratio"),
        (STAIRCASE.format(1, "1/2"), {"output": "-1/2"}, "has no exact ratio"),
        (VECTOR.format("l2(5)", 6), {"a": "tuple_of(0, 0)", "b": "tuple_of(3, 4)", "output": "tuple_of(0)"},
         "is not a member of"),
        (VECTOR.format("l2(5)", 6).replace("laplace(1), 2", "laplace(1), 3"),
         {"a": "tuple_of(0, 0)", "b": "tuple_of(3, 4)", "output": "tuple_of(0, 0)"}, "is not a member of"),
    ],
)  # fmt: skip
def test_refutation_by_an_output_is_refused(claim, witness, why):
    with pytest.raises(KernelError, match=why):
        refute(claim, **witness)


PAIR = {"a": "tuple_of(0, 0)", "b": "tuple_of(1, 1)"}


@pytest.mark.parametrize(
    ("stem", "witness", "why"),
    [
        ("laplace_noisy_max", {**PAIR, "output": "tuple_of(0, 0)"}, "has no exact ratio"),
        ("laplace_noisy_max", {**PAIR, "output": "tuple_of(0, 1/2)"}, "has no exact ratio"),
        ("laplace_noisy_max", {**PAIR, "output": "tuple_of(2, -1)"}, "is not an outcome of"),
        ("laplace_noisy_max", {**PAIR, "output": "tuple_of(1/2, -1)"}, "is not an outcome of"),
        ("laplace_noisy_max", {**PAIR, "output": "tuple_of(-1, -1)"}, "is not an outcome of"),
        ("laplace_noisy_max", {**PAIR, "output": "tuple_of('a', -1)"}, "is not an outcome of"),
        ("laplace_noisy_max", {**PAIR, "output": "-1"}, "an outcome must be"),
        ("laplace_noisy_max", {**PAIR, "output": "tuple_of(0, -1, -1)"}, "an outcome must be"),
        ("exponential_noisy_max", {**PAIR, "output": "tuple_of(0, 0)"}, "has no exact ratio"),
        ("exponential_noisy_max", {**PAIR, "output": "tuple_of(0, 1)"}, "has no exact ratio"),
        ("exponential_noisy_max", {**PAIR, "output": "tuple_of(0, 2)"}, "has no exact ratio"),
        ("exponential_noisy_max", {"a": PAIR["b"], "b": PAIR["a"], "output": "tuple_of(0, 1/2)"}, "has no exact ratio"),
        ("gumbel_noisy_max", {**PAIR, "output": "tuple_of(0, -1)"}, "has no exact ratio"),
        ("exponential", {**PAIR, "output": "tuple_of(0, -1)"}, "is not a registered NoisyMax"),
    ],
)
def test_refutation_by_a_winner_with_its_value_is_refused(stem, witness, why):
    """At a kink or where no factor is a power of e alone the ratio is not known exactly."""
    with pytest.raises(KernelError, match=why):
        refute(WINNER.format(stem, 2, 0), **witness)


@pytest.mark.parametrize(
    "body",
    [
        "-abs(z) / scale - indicator(0 <= z)",
        "-abs(z) / (scale + abs(z))",
        "-sqrt(z ** 2) / scale",
        "-exp(abs(z)) / scale",
    ],
)
def test_refutation_by_a_density_that_might_jump_is_refused(body):
    """At one point it says nothing about an event."""
    jumping = replace(LAPLACE, stem="jumping", log_weight=written("log_weight", "z scale", body))
    with registered(jumping), pytest.raises(KernelError, match="is not continuous in z by its shape"):
        refute(LAPLACE_CLAIM.format("pure(0)").replace("laplace", "jumping"))


def test_a_denominator_of_parameters_leaves_a_density_continuous():
    """The Gaussian divides by 2 sigma^2."""
    claim = "private(gaussian(1), reals(), absolute(1), pure({}))"
    assert refute(claim.format(10), output="-10").claim.claim.measure == "pure"
    with pytest.raises(KernelError, match="does not break"):
        refute(claim.format("21/2"), output="-10")


def test_coordinatewise_noise_on_a_grid_is_refuted_by_one_outcome():
    claim = "private(coordinatewise(discrete_laplace(1, 1), 2), vector(grid(1), 2), l2(5), pure({}))"
    witness = {"a": "tuple_of(0, 0)", "b": "tuple_of(3, 4)"}
    event = "tuple_of(tuple_of(0, 0))"
    assert rules.unlikely_elsewhere(claim=claim.format(6), event=event, **witness).trusts == frozenset()
    for wrong, why in (
        (claim.format(7), "does not break"),
        (claim.format(6).replace(", 2), v", ", 3), v"), "is not an outcome"),
    ):
        with pytest.raises(KernelError, match=why):
            rules.unlikely_elsewhere(claim=wrong, event=event, **witness)


KEY = "laplace.integral_is_the_normaliser"


def not_a_density(stem="laplace_without_half", of="laplace", key=KEY, **values):
    return rules.wrong_normaliser(believed(key), stem=stem, of=of, values=values or {"scale": "1"})


def test_wrong_normaliser_refutes_that_a_stated_density_integrates_to_1():
    theorem = not_a_density()
    assert str(theorem.claim.term) == "refuted(normalised(laplace_without_half(scale), 0 < scale))"
    assert theorem.trusts == {"a test"}


def test_right_normaliser_is_not_refuted():
    """2 scale, however it is written; and scale + 1, at the one scale at which it is right."""
    for body, scale in (("scale + scale", "7/3"), ("scale + 1", "1")):
        right = replace(LAPLACE_WITHOUT_HALF, stem="right", normaliser=written("n", "scale", body))
        with registered(right), pytest.raises(KernelError, match="right integrates to 1"):
            not_a_density("right", scale=scale)
    wrong = replace(LAPLACE_WITHOUT_HALF, stem="right", normaliser=written("n", "scale", "scale + 1"))
    with registered(wrong):
        assert not_a_density("right", scale="2").claim.claim.subject.operator == "right"


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"key": "laplace.loss_is_bounded"}, "the premises must be the lemmas"),
        ({"of": "gaussian"}, "the premises must be the lemmas"),
        ({"of": "gaussian", "key": "gaussian.integral_is_the_normaliser"}, "must have the log weight of"),
        ({"scale": "0"}, "the condition 0 < scale does not hold"),
        ({"scale": "s"}, "name|closed|value|decide"),
        ({"scale": "1", "more": "1"}, "must have the log weight of"),
        ({"stem": "laplace"}, "is not a registered StatedDensity"),
        ({"of": "staircase"}, "is not a registered AdditiveNoise"),
    ],
)
def test_wrong_normaliser_is_refused(wrong, why):
    with pytest.raises(KernelError, match=why):
        not_a_density(**wrong)


@pytest.mark.parametrize("of", ["discrete_laplace", "discrete_gaussian"])
def test_wrong_normaliser_of_noise_without_an_integral_in_closed_form_is_refused(of):
    """Its law has two lemmas; the rule takes one."""
    found = lemmas(of, obligations.law(of))
    with pytest.raises(KernelError, match="positional argument"):
        rules.wrong_normaliser(*found, stem="laplace_without_half", of=of, values={"scale": "1"})
    with pytest.raises(KernelError, match="the premises must be the lemmas"):
        rules.wrong_normaliser(found[0], stem="laplace_without_half", of=of, values={"scale": "1"})
