"""Adaptive composition: a second mechanism that is private for every first outcome, and no other."""

from fractions import Fraction as F

import pytest

import refdp.transformations  # noqa: F401
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError, Private
from refdp.kernel.reading import relation
from refdp.spec.rows import RowSum
from refdp.spec.semantics import draws_numbers, law
from refdp.terms.reading import read
from refdp.terms.term import TermError, names, number, substitute
from tests.exactness.entering import given
from tests.kinds import gaussian_at_1, mechanism, noise, noisy_count, response, rowwise, summed


def threshold(at, scale="1", **values):
    """A noisy count of the rows at most `at`: symmetric(1) |-> pure(1 / scale)."""
    counted = rules.instantiate(summed("threshold_count"), values={"threshold": at, "granularity": "1", "d_in": "1"})
    return rules.chain(counted, rules.instantiate(noise(), values={"scale": scale, "granularity": "1", "d_in": "1"}))


def claimed(text):
    """The claim as a theorem that is taken as given."""
    return given(relation(read(text)))


def test_adaptive_composition_adds_up_and_binds_the_first_outcome():
    found = rules.adaptive(threshold("3", "2"), threshold("previous", "scale"))
    assert str(found.claim.d_out[0]) == "1/2 + 1 / scale"
    assert names(found.claim.term) == {"scale"}
    assert [str(c) for c in found.claim.given] == ["0 < scale"]
    assert found.trusts == {"a test"}
    with pytest.raises(KernelError, match="previous does not occur"):
        rules.instantiate(found, values={"previous": "5"})
    at_2 = rules.instantiate(found, values={"scale": "2"})
    assert "threshold_count(previous, 1)" in str(at_2.claim.subject)
    assert [str(t) for t in at_2.claim.d_out] == ["1"]


def test_adaptive_composition_that_would_capture_a_name_is_refused():
    found = rules.adaptive(threshold("3"), threshold("previous + other"))
    with pytest.raises(KernelError, match="captures"):
        rules.instantiate(found, values={"other": "2 * previous"})
    assert "3 * previous" not in str(rules.instantiate(found, values={"other": "7"}).claim.subject)


def test_adaptive_composition_goes_on_for_more_rounds():
    """The first part of an adaptive second mechanism reads the first outcome, its second part the one before it."""
    later = rules.adaptive(threshold("previous"), threshold("previous + 1"))
    assert names(later.claim.term) == {"previous"}
    found = rules.adaptive(threshold("0"), later)
    assert (names(found.claim.term), str(found.claim.d_out[0])) == (frozenset(), "3")
    put = rules.instantiate(later, values={"previous": "4"}).claim.subject
    assert str(put).count("threshold_count(4, 1)") == str(put).count("threshold_count(previous + 1, 1)") == 1


def test_adaptive_composition_takes_approximate_concentrated_and_renyi_claims():
    both = [rules.pure_to_approximate(t) for t in (threshold("3"), threshold("previous"))]
    assert [str(t) for t in rules.adaptive(*both).claim.d_out] == ["2", "0"]
    both = [rules.pure_to_concentrated(t) for t in (threshold("3"), threshold("previous"))]
    assert [str(t) for t in rules.adaptive(*both).claim.d_out] == ["1"]
    orders = [[rules.concentrated_to_renyi(t, order=order) for t in both] for order in ("3", "4")]
    assert [str(t) for t in rules.adaptive(*orders[0]).claim.d_out] == ["3", "3"]
    with pytest.raises(KernelError, match="orders"):
        rules.adaptive(orders[0][0], orders[1][1])


def test_adaptive_composition_of_what_is_no_private_claim_is_refused():
    counted = rules.instantiate(summed("count"), values={"rows": "records()", "d_in": "1"})
    for pair in ((counted, threshold("3")), (threshold("3"), counted)):
        with pytest.raises(KernelError, match="adaptive takes two private claims"):
            rules.adaptive(*pair)


def test_adaptive_composition_of_different_claims_is_refused():
    for other in (noisy_count(), rules.pure_to_approximate(threshold("previous")), response()):
        with pytest.raises(KernelError, match="cannot compose"):
            rules.adaptive(threshold("3"), other)


def test_adaptive_composition_of_ratios_is_refused():
    found = rules.finite_mechanism(
        subject="randomised_response(3/4)", domain="finite(2)", metric="discrete", d_in="1", measure="ratio"
    )
    for rule in (rules.adaptive, rules.compose):
        with pytest.raises(KernelError, match="do not add up"):
            rule(found, found)
    with pytest.raises(KernelError, match="do not add up"):
        rules.compose_many(found, k="2")


@pytest.mark.parametrize(
    "first",
    [
        "compose(chain(count(records()), discrete_laplace(1, 1)))",
        "chain(count(records()), laplace(1))",
        "post_process(clamp_output(0, 1), chain(count(records()), discrete_laplace(1, 1)))",
        "adaptive(discrete_laplace(1, 1), discrete_laplace(1, 1))",
        "count(records())",
    ],
)
def test_adaptive_composition_of_a_first_outcome_that_is_no_number_is_refused(first):
    second = claimed("private(chain(threshold_count(previous, 1), m()), table(grid(1)), symmetric(1), pure(1))")
    with pytest.raises(KernelError, match="not known to be countably many numbers"):
        rules.adaptive(claimed(f"private({first}, table(grid(1)), symmetric(1), pure(1))"), second)


@pytest.mark.parametrize(
    "second",
    [
        "private(m(previous), table(grid(previous)), symmetric(1), pure(1))",
        "private(m(previous), table(grid(1)), symmetric(previous), pure(1))",
        "private(m(previous), table(grid(1)), symmetric(1), pure(1 + previous))",
        "private(m(previous), table(grid(1)), symmetric(1), pure(1), 0 < previous)",
    ],
)
def test_adaptive_composition_that_depends_on_the_outcome_outside_the_subject_is_refused(second):
    m = relation(read(second))
    first = Private(read("discrete_laplace(1, 1)"), m.domain, "symmetric", m.d_in, "pure", (number(1),))
    with pytest.raises(KernelError, match="speaks of previous outside its subject"):
        rules.adaptive(given(first), given(m))


@pytest.mark.parametrize("at", ["1 / previous", "ln(previous)", "sqrt(previous)", "2 + 1 / (previous + 1)"])
def test_adaptive_composition_where_a_parameter_may_have_no_value_is_refused(at):
    """There the second claim says nothing, and the second mechanism has no law."""
    with pytest.raises(KernelError, match="may have no value"):
        rules.adaptive(threshold("3"), threshold(at))
    assert rules.adaptive(threshold("3"), threshold("min(abs(previous) * exp(2), 7)"))


@pytest.mark.parametrize(
    ("subject", "why"),
    [
        ("chain(category_of(previous, list_of('A'), 1), m())", "category_of is no formula of previous"),
        ("chain(count(previous), m())", "no formula of count reads rows"),
    ],
)
def test_adaptive_composition_where_no_formula_reads_the_outcome_is_refused(subject, why):
    second = claimed(f"private({subject}, table(grid(1)), symmetric(1), pure(1))")
    with pytest.raises(KernelError, match=why):
        rules.adaptive(threshold("3"), second)


def test_adaptive_law_is_that_of_the_second_at_the_first_outcome():
    subject = read("adaptive(listed(tuple_of(tuple_of(1/3, 2/3))), listed(tuple_of(tuple_of(previous, 1 - previous))))")
    assert law(subject, F(0)) == {(0, 0): 0, (0, 1): F(1, 3), (1, 0): F(2, 3), (1, 1): 0}
    assert names(subject) == frozenset()
    assert substitute(subject, {"previous": number(3)}) == subject
    with pytest.raises(TermError, match="captures"):
        substitute(read("adaptive(m(), n(x, previous))"), {"x": read("previous")})
    assert str(substitute(read("adaptive(m(x), n(previous))"), {"x": read("previous")})) == (
        "adaptive(m(previous), n(previous))"
    )
    for wrong in ("adaptive(m())", "adaptive(m(), n(), o())"):
        with pytest.raises(TermError, match="takes 2 argument"):
            read(wrong)


def test_numbers_are_drawn_by_noise_on_a_grid_and_by_finite_mechanisms():
    drawn = {
        "discrete_laplace(1, 1)": True,
        "laplace(1)": False,
        "chain(count(records()), discrete_gaussian(1, 1))": True,
        "chain(count(records()), gaussian(1))": False,
        "poisson_sampled(1/2, chain(count(records()), discrete_laplace(1, 1)))": True,
        "randomised_response(3/4)": True,
        "exponential(1)": True,
        "permute_and_flip(1)": True,
        "truncated_geometric(1, 1, 0, 2)": True,
        "listed(tuple_of(tuple_of(1)))": True,
        "repeated(discrete_laplace(1, 1), 2)": False,
        "coordinatewise(discrete_laplace(1, 1), 2)": False,
        "unheard_of()": False,
    }
    assert {s: draws_numbers(read(s)) for s in drawn} == drawn


def test_repetition_costs_k_times_the_loss():
    family = rules.compose_many(noise())
    assert str(family.claim.d_out[0]) == "k * (d_in / scale)"
    assert [str(c) for c in family.claim.given[-2:]] == ["integer(k)", "1 <= k"]
    assert [str(t) for t in rules.compose_many(response(), k="3").claim.d_out] == ["ln(27)"]
    assert [str(t) for t in rules.compose_many(response("approximate", "2"), k="2").claim.d_out] == ["ln(4)", "1/2"]
    renyi = rules.concentrated_to_renyi(gaussian_at_1(), order="4")
    assert [str(t) for t in rules.compose_many(renyi, k="5").claim.d_out] == ["4", "5/2"]
    renamed = rules.compose_many(rules.compose_many(noise()), k="m")
    assert names(renamed.claim.subject) == {"scale", "granularity", "k", "m"}
    assert rules.compose_many(mechanism("exponential"), k="2").trusts == {"a test"}


@pytest.mark.parametrize("k", ["0", "-1", "3/2", "ln(2)", "'a'"])
def test_repetition_of_no_whole_number_is_refused(k):
    with pytest.raises(KernelError):
        rules.compose_many(response(), k=k)
    with pytest.raises(TermError):
        law(read(f"repeated(randomised_response(3/4), {k})"), F(0))


def test_repetition_of_what_is_no_private_claim_is_refused():
    for theorem in (summed("count"), rowwise("drop_missing")):
        with pytest.raises(KernelError, match="compose_many takes a private claim"):
            rules.compose_many(theorem, k="2")


def test_repetition_law_is_that_of_independent_draws():
    assert law(read("repeated(randomised_response(3/4), 2)"), F(0)) == {
        (0, 0): F(9, 16), (0, 1): F(3, 16), (1, 0): F(3, 16), (1, 1): F(1, 16)
    }  # fmt: skip
    with pytest.raises(TermError, match="more than"):
        law(read("repeated(randomised_response(3/4), 20)"), F(0))


def test_thresholds_are_counted_by_a_formula():
    from refdp.spec import registry

    kind = registry.lookup("threshold_count", RowSum)
    assert any("threshold" in f.parameters for f, _ in kind.readings)
