"""A plan draws from the mechanism's law: what it makes of K has the masses of the definition, on every input."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction as F
from itertools import accumulate

import pytest

from refdp import (
    discrete_gaussian,
    discrete_laplace,
    exponential,
    k_ary_randomised_response,
    permute_and_flip,
    randomised_response,
    truncated_geometric,
)
from refdp.mechanisms.exponential import EXPONENTIAL
from refdp.numerics.masses import masses
from refdp.sampling.plans import (
    LARGEST_FINITE,
    Choice,
    Chosen,
    Clamped,
    Noise,
    Shifted,
    _shifted,
    choice_of,
    plan_of,
    selection_of,
)
from refdp.spec.samplers import SCHEMES
from refdp.spec.semantics import law
from refdp.terms.reading import read
from refdp.terms.term import TermError
from tests.exactness.entering import entered, written

NOISES = [
    discrete_laplace("22/7"),
    discrete_laplace(5, "1/3"),
    discrete_gaussian("7/2"),
    discrete_gaussian("1/5", "1/7"),
]


@pytest.mark.parametrize("m", NOISES, ids=str)
def test_plans_of_noise_have_the_weights_of_the_mechanism(m):
    """w(k) / w(0) is the ratio of masses of unit k and 0, which enclosures of the definition hold."""
    plan = plan_of(m.subject)
    assert isinstance(plan, Noise)
    for k in (-9, -2, -1, 0, 1, 3, 8):
        ratio = m.pmf(plan.unit * k, 0, 200) / m.pmf(0, 0, 200)
        weight = plan.law.weight(k)(64)
        assert weight.lower <= ratio.upper
        assert ratio.lower <= weight.upper
        assert sum(plan.split(4, k)) == 4 + k


@pytest.mark.parametrize("m", [randomised_response("2/3"), *(k_ary_randomised_response(k, "3/5") for k in (2, 3, 7))])
def test_plans_of_finite_laws_have_the_masses_of_the_mechanism(m):
    plan = plan_of(m.subject)
    assert isinstance(plan, Shifted)
    for x in range(plan.law.size):
        drawn = Counter()
        for k, p in enumerate(plan.law.masses):
            drawn[F(sum(plan.split(x, k)))] += p
        assert drawn == law(m.subject, F(x))


@pytest.mark.parametrize("x", [0, 3, 10])
def test_plan_of_clamped_noise_has_the_masses_of_the_mechanism(x):
    """The noise's masses, pushed through the plan, lie in the enclosures of the definition, but for 1e-9 beyond."""
    m, noise = truncated_geometric("5/2", 0, 10, "1/2"), discrete_laplace("5/2", "1/2")
    plan = plan_of(m.subject)
    assert isinstance(plan, Clamped)
    expected, rest = masses(m.subject, F(x), 200), F(1, 10**9)
    drawn = Counter()
    for k in range(-130, 131):
        mass = noise.pmf(F(k, 2), 0, 200)
        drawn[plan.unit * sum(plan.split(int(x / plan.unit), k))] += mass.lower
    assert set(drawn) == set(expected)
    assert all(drawn[y] <= p.upper and p.lower <= drawn[y] + rest for y, p in expected.items())


def test_plan_of_a_selection_has_the_masses_of_the_mechanism():
    m, scores = exponential("3/2"), (F(1), F(-2), F(5, 2), F(1))
    plan = choice_of(m.subject, scores)
    assert isinstance(plan, Chosen)
    ends = list(plan.law.cdf(80))
    expected = list(accumulate(masses(m.subject, scores, 200).values(), lambda a, b: a + b))[:-1]
    assert len(ends) == len(expected)
    assert all(a.lower <= b.upper and b.lower <= a.upper for a, b in zip(ends, expected, strict=True))
    assert all(f.upper - f.lower < F(1, 2**60) for f in ends)
    assert plan.split(0, 2) == (0, 2)


def test_plans_stay_away_from_what_has_none():
    assert plan_of(permute_and_flip(2).subject) is None
    assert plan_of(exponential(2).subject) is None
    assert choice_of(permute_and_flip(2).subject, (F(1), F(2))) is None
    assert choice_of(exponential(2).subject, (F(1),) * (LARGEST_FINITE + 1)) is None
    assert plan_of(k_ary_randomised_response(LARGEST_FINITE + 1, "1/2").subject) is None
    assert plan_of(k_ary_randomised_response(LARGEST_FINITE, "1/2").subject) is not None


def test_plan_of_a_response_that_is_always_true_is_not_made_of_shifts():
    """The others would have no mass, and a law by masses has no such value."""
    for truth in (F(0), F(1), F(3, 2)):
        assert _shifted(truth, F(4)) is None
    made = _shifted(F(1, 2), F(4))
    assert made is not None
    assert made.law.masses == (F(1, 2), F(1, 6), F(1, 6), F(1, 6))


@pytest.mark.parametrize(("log_weight", "rate"), [("score / scale", F(1, 3)), ("2", None), ("-score / scale", None)])
def test_rate_of_a_selection_is_positive_or_there_is_none(log_weight, rate):
    """Where the score plays no part, or a smaller one is better, nothing is drawn by a rate."""
    kind = replace(EXPONENTIAL, stem="another_selection", log_weight=written("log_weight", "score scale", log_weight))
    with entered(kind, schemes={"another_selection": SCHEMES["exponential"]}):
        found = selection_of.__wrapped__(read("another_selection(3)"))
    assert found == (None if rate is None else Choice(rate, by_flips=False))


@pytest.mark.parametrize("subject", ["laplace(2)", "gaussian(2)", "count()"])
def test_plans_are_of_what_has_a_sampler(subject):
    with pytest.raises(TermError, match="has no sampler"):
        plan_of(read(subject))
