"""A mechanism is private only by all of its lemmas, in order, about its formulas as they stand; or by enumeration."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.privacy import is_yes, ln_of
from refdp.mechanisms.discrete_laplace import DISCRETE_LAPLACE
from refdp.mechanisms.randomised_response import RANDOMISED_RESPONSE
from refdp.spec import obligations
from refdp.spec.distances import hockey_stick
from refdp.spec.formulas import Real, formula, indicator
from refdp.terms.reading import read
from refdp.terms.term import exp, ln, number
from tests.kinds import believed, instead, lemmas, mechanism, noise, registered, response

NOISES = [("discrete_laplace", "pure"), ("laplace", "pure"), ("discrete_gaussian", "concentrated"),
          ("gaussian", "concentrated")]  # fmt: skip
OTHERS = [("randomised_response", "finite_law"), ("k_ary_randomised_response", "finite_law"),
          ("truncated_geometric", "clamped_noise"), ("exponential", "weighted_selection"),
          ("permute_and_flip", "flip_selection")]  # fmt: skip


@pytest.mark.parametrize(("stem", "measure"), NOISES)
def test_additive_noise_is_private_for_numbers_and_for_vectors(stem, measure):
    one, many = noise(stem, measure).claim, noise(stem, measure, "yes").claim
    assert (one.metric, one.measure, len(one.d_out)) == ("absolute", measure, 1)
    assert many.metric == {"pure": "l1", "concentrated": "l2"}[measure]
    assert str(many.domain) == f"vector({one.domain}, dimension)"
    assert read("integer(dimension)") in many.given
    assert read("1 <= dimension") in many.given
    assert read("0 <= d_in") in one.given


def test_additive_noise_with_a_lemma_missing_added_twice_or_in_another_order_is_refused():
    needed = lemmas("discrete_gaussian", obligations.privacy("discrete_gaussian", "concentrated", True))
    said = {"stem": "discrete_gaussian", "measure": "concentrated", "vector": "yes"}
    assert rules.additive_noise(*needed, **said).claim == noise("discrete_gaussian", "concentrated", "yes").claim
    for i, one in enumerate(needed):
        for others in ([*needed[:i], *needed[i + 1 :]], [*needed, one], [one, *needed[:i], *needed[i + 1 :]]):
            if others != needed:
                with pytest.raises(KernelError, match="the premises must be the lemmas"):
                    rules.additive_noise(*others, **said)


def test_additive_noise_by_the_lemmas_of_another_is_refused():
    for stem, other in (("discrete_laplace", "laplace"), ("laplace", "discrete_laplace")):
        with pytest.raises(KernelError, match=f"must be the lemmas .* of {stem}"):
            rules.additive_noise(*noise(other).premises, stem=stem, measure="pure")


def test_additive_noise_by_what_is_no_lemma_is_refused():
    with pytest.raises(KernelError, match="the premises must be the lemmas"):
        rules.additive_noise(noise(), response(), stem="discrete_laplace", measure="pure")


@pytest.mark.parametrize("measure", ["concentrated", "approximate", "renyi", "mine", ""])
def test_additive_noise_under_a_measure_it_has_no_map_for_is_refused(measure):
    with pytest.raises(KernelError, match=r"no privacy map for|under pure or concentrated DP"):
        rules.additive_noise(*noise().premises, stem="discrete_laplace", measure=measure)


@pytest.mark.parametrize("stem", ["randomised_response", "count", "composition", "nothing", ""])
def test_additive_noise_of_what_is_none_is_refused(stem):
    with pytest.raises(KernelError, match="is not a registered AdditiveNoise"):
        rules.additive_noise(*noise().premises, stem=stem, measure="pure")


@pytest.mark.parametrize("vector", ["maybe", "Yes", "true", ""])
def test_additive_noise_for_neither_numbers_nor_vectors_is_refused(vector):
    with pytest.raises(KernelError, match="expected yes or no"):
        rules.additive_noise(*noise().premises, stem="discrete_laplace", measure="pure", vector=vector)
    assert (is_yes("yes"), is_yes("no")) == (True, False)


def test_additive_noise_for_vectors_without_the_lemma_that_losses_add_up_is_refused():
    with pytest.raises(KernelError, match=r"losses_accumulate\.pure"):
        rules.additive_noise(*noise().premises, stem="discrete_laplace", measure="pure", vector="yes")


@formula
def half_the_map(d_in: Real, scale: Real) -> Real:
    return d_in / (2 * scale)


def test_additive_noise_with_another_map_by_the_lemmas_of_the_first_is_refused():
    """Half the loss in the map, the lemmas those of the right map: their digests are of other formulas."""
    right = noise().premises
    with instead(replace(DISCRETE_LAPLACE, privacy_maps={"pure": half_the_map})):
        with pytest.raises(KernelError, match="the premises must be the lemmas"):
            rules.additive_noise(*right, stem="discrete_laplace", measure="pure")
        assert str(noise().claim.d_out[0]) == "d_in / (2 * scale)"  # whoever vouches for it has vouched for this


@pytest.mark.parametrize(("stem", "rule"), OTHERS)
def test_mechanism_is_private_by_its_own_rule(stem, rule):
    theorem = mechanism(stem)
    assert (theorem.rule, theorem.claim.measure) == (rule, "pure")
    assert theorem.claim.subject.operator == stem


@pytest.mark.parametrize(("stem", "rule"), OTHERS)
def test_mechanism_with_a_lemma_missing_or_in_another_order_is_refused(stem, rule):
    needed = mechanism(stem).premises
    for i in range(len(needed)):
        with pytest.raises(KernelError, match="the premises must be the lemmas"):
            getattr(rules, rule)(*needed[:i], *needed[i + 1 :], stem=stem)
    if len(needed) > 1:
        with pytest.raises(KernelError, match="the premises must be the lemmas"):
            getattr(rules, rule)(*reversed(needed), stem=stem)
    with pytest.raises(KernelError, match="the premises must be the lemmas"):
        getattr(rules, rule)(*needed, believed("composition.weaken"), stem=stem)


@pytest.mark.parametrize(("stem", "rule"), OTHERS)
def test_mechanism_by_the_rule_of_another_kind_is_refused(stem, rule):
    needed = mechanism(stem).premises
    for other in {r for _, r in OTHERS} - {rule}:
        with pytest.raises(KernelError, match="is not a registered"):
            getattr(rules, other)(*needed, stem=stem)


def test_enumerated_mechanism_has_the_least_loss_that_holds():
    """k-ary randomised response: the greatest ratio is truth (k - 1) / (1 - truth)."""
    for k, truth in ((2, Fraction(3, 4)), (3, Fraction(1, 2)), (5, Fraction(2, 3))):
        theorem = rules.finite_mechanism(
            subject=f"k_ary_randomised_response({k}, {truth})", domain=f"finite({k})", metric="discrete", d_in="1"
        )
        assert theorem.claim.d_out == (ln(number(truth * (k - 1) / (1 - truth))),)
        assert theorem.trusts == frozenset()


def test_enumerated_mechanism_has_the_least_delta_that_holds():
    """Against the greatest excess over every event."""
    laws = [{0: Fraction(3, 4), 1: Fraction(1, 4)}, {0: Fraction(1, 4), 1: Fraction(3, 4)}]
    for factor in (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3), Fraction(7)):
        claim = response("approximate", str(factor)).claim
        events = [(), (0,), (1,), (0, 1)]
        excess = max(sum(p[y] - factor * q[y] for y in e) for e in events for p, q in product(laws, repeat=2))
        assert claim.d_out == (ln_of(factor), number(excess))
        assert excess == max(hockey_stick(p, q, factor) for p, q in product(laws, repeat=2))


def test_enumerated_mechanism_of_which_no_input_differs_has_loss_0():
    one = rules.finite_mechanism(subject="randomised_response(3/4)", domain="finite(2)", metric="discrete", d_in="0")
    assert one.claim.d_out == (number(0),)


def test_enumerated_mechanism_speaks_of_the_distance_alone():
    """Of an absolute distance of 1, but of all of {0, 1, 2}."""
    theorem = rules.finite_mechanism(
        subject="k_ary_randomised_response(3, 1/2)", domain="bounded(1, 0, 2)", metric="absolute", d_in="1"
    )
    assert str(theorem.claim.term) == (
        "private(k_ary_randomised_response(3, 1/2), bounded(1, 0, 2), absolute(1), pure(ln(2)))"
    )


ENUMERATED = {"subject": "randomised_response(3/4)", "domain": "finite(2)", "metric": "discrete", "d_in": "1"}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"subject": "randomised_response(truth)"}, "subject must be closed"),
        ({"subject": "randomised_response(1/3)"}, "breaks"),
        ({"subject": "randomised_response(1)"}, "breaks"),
        ({"subject": "randomised_response()"}, "is not randomised_response"),
        ({"subject": "discrete_laplace(1, 1)"}, "has no finite law"),
        ({"subject": "count(records())"}, "has no finite law"),
        ({"subject": "nothing(1)"}, "is not registered"),
        ({"subject": "truncated_geometric(1, 1, 0, 1)", "domain": "bounded(1, 0, 1)"}, "is not a rational number"),
        ({"factor": "1/2", "measure": "approximate"}, "factor >= 1"),
        ({"factor": "0", "measure": "approximate"}, "factor >= 1"),
        ({"factor": "2"}, "a factor belongs to approximate, loss_tail, ratio"),
        ({"measure": "concentrated"}, "measure must be pure or one of"),
        ({"measure": "mine"}, "measure must be pure or one of"),
        ({"metric": "mine"}, "metric must be one of"),
        ({"metric": "symmetric"}, "finite_mechanism: "),
        ({"metric": "l1"}, "finite_mechanism: "),
        ({"d_in": "-1"}, "no two members of finite.2. are within -1"),
        ({"d_in": "x"}, "d_in must be"),
        ({"d_in": "1.5f"}, "d_in must be"),
        ({"factor": "ln(3)", "measure": "approximate"}, "factor must be"),
        ({"domain": "finite(0)"}, "no two members"),
        ({"domain": "finite(-3)"}, "no two members"),
        ({"domain": "bounded(1, 1, 0)"}, "no two members"),
        ({"domain": "bounded(0, 0, 1)"}, "must be > 0"),
        ({"domain": "bounded(-1, 0, 1)"}, "must be > 0"),
        ({"domain": "grid(1)"}, "has no finite list of members"),
        ({"domain": "table(finite(2))"}, "has no finite list of members"),
        ({"domain": "finite(n)"}, "has no value"),
        ({"domain": "finite(3)"}, "not in the domain of"),
        ({"domain": "bounded(1/2, 0, 1)"}, "not in the domain of"),
        ({"domain": "bounded(1, -1, 0)"}, "not in the domain of"),
    ],
)
def test_enumerated_mechanism_against_a_side_condition_is_refused(change, sentence):
    with pytest.raises(KernelError, match=sentence):
        rules.finite_mechanism(**ENUMERATED | change)


@pytest.mark.parametrize(
    ("subject", "domain"),
    [
        ("randomised_response(3/4)", "finite(3/2)"),
        ("k_ary_randomised_response(3, 1/2)", "finite(5/2)"),
        ("randomised_response(3/4)", "bounded(1, 0, 3/2)"),
        ("randomised_response(3/4)", "bounded(1, -1/2, 1)"),
    ],
)
def test_enumerated_mechanism_reads_every_member_of_its_domain(subject, domain):
    """finite(3/2) holds 0 and 1, so there are two neighbours; to list only 0 would give loss 0."""
    theorem = rules.finite_mechanism(subject=subject, domain=domain, metric="discrete", d_in="1")
    claim = f"private({subject}, {domain}, discrete(1), {theorem.claim.measure}({theorem.claim.d_out[0]}))"
    assert exp(theorem.claim.d_out[0]) != exp(number(0))
    with pytest.raises(KernelError, match="does not break"):
        rules.unlikely_elsewhere(claim=claim, a="0", b="1", event="tuple_of(0)")


@pytest.mark.parametrize(
    ("subject", "domain"),
    [
        ("randomised_response(3/4)", "finite(1000000000000)"),
        ("k_ary_randomised_response(1000000000000, 1/2)", "finite(2)"),
        ("k_ary_randomised_response(1000, 1/2)", "finite(1000)"),
        (f"compose({', '.join(['randomised_response(3/4)'] * 40)})", "finite(2)"),
    ],
)
def test_enumerated_mechanism_that_is_too_large_is_refused(subject, domain):
    with pytest.raises(KernelError, match=r"more than 100000|is too large to enumerate|not in the domain"):
        rules.finite_mechanism(subject=subject, domain=domain, metric="discrete", d_in="1")


@formula
def mass_of_two(output: Real, input: Real, truth: Real) -> Real:  # noqa: A002
    return indicator(output == input) * truth + (1 - indicator(output == input)) * truth


@formula
def mass_below_0(output: Real, input: Real, truth: Real) -> Real:  # noqa: A002
    return indicator(output == input) * (1 + truth) - (1 - indicator(output == input)) * truth


@formula
def mass_at_the_input(output: Real, input: Real) -> Real:  # noqa: A002
    return indicator(output == input)


@pytest.mark.parametrize("pmf", [mass_of_two, mass_below_0])
def test_enumerated_masses_that_are_no_law_are_refused(pmf):
    with (
        registered(replace(RANDOMISED_RESPONSE, stem="wrong_response", pmf=pmf)),
        pytest.raises(KernelError, match="are not a law"),
    ):
        rules.finite_mechanism(**ENUMERATED | {"subject": "wrong_response(3/4)"})


def test_enumerated_mechanism_that_tells_its_input_is_refused():
    """Under pure DP; under approximate DP it has delta = 1."""
    telling = replace(RANDOMISED_RESPONSE, stem="telling", pmf=mass_at_the_input)
    with registered(telling):
        said = ENUMERATED | {"subject": "telling(3/4)"}
        with pytest.raises(KernelError, match="possible under only one of two neighbours"):
            rules.finite_mechanism(**said)
        loose = rules.finite_mechanism(**said, measure="approximate", factor="1000")
        assert loose.claim.d_out[1] == number(1)


def test_enumerated_mechanism_with_a_premise_is_refused():
    with pytest.raises(KernelError):
        rules.finite_mechanism(response(), **ENUMERATED)
