"""Compositions of laws on few outcomes, against all their outcomes."""

from fractions import Fraction as F
from itertools import pairwise
from itertools import product as pairs

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from mpmath import log, mpf

from refdp.accounting.curves import Effort
from refdp.accounting.grids import Grids
from refdp.accounting.losses import Composition, Finite, FixedSize, Laplace, Sampled, response
from refdp.numerics.elementary import exp_bounds
from tests.accounting.grid_examples import grid_curve
from tests.accounting.profiles_by_hand import delta_at, real

pytestmark = pytest.mark.usefixtures("forty_digits")

WEIGHTS = st.lists(st.integers(0, 6), min_size=2, max_size=4)


@st.composite
def finite(draw):
    """Two laws on two to four outcomes, impossible ones among them."""
    p, q = draw(WEIGHTS), draw(WEIGHTS)
    size = min(len(p), len(q))
    p, q = p[:size], q[:size]
    assume(sum(p) and sum(q))
    return Finite(tuple((F(a, sum(p)), F(b, sum(q))) for a, b in zip(p, q, strict=True)))


def outcomes(loss):
    """Exact masses of the two laws that are compared."""
    if isinstance(loss, Finite):
        return loss.outcomes
    q, found = loss.rate, []
    for a, b in loss.base.outcomes:
        mixed = q * a + (1 - q) * b
        found.append((mixed, b) if loss.direction == "remove" else (b, mixed))
    return found


def enumerated(parts, epsilon):
    """Bounds of delta(epsilon) of a product, by the sum over all its outcomes."""
    low, high = exp_bounds(epsilon, 200)
    laws = [(F(1), F(1))]
    for loss, count in parts:
        for _ in range(count):
            merged = {}
            for (p, q), (a, b) in pairs(laws, outcomes(loss)):
                if p * a or q * b:
                    ratio = (p * a / (q * b)) if q * b else None
                    x, y = merged.get(ratio, (F(0), F(0)))
                    merged[ratio] = x + p * a, y + q * b
            laws = list(merged.values())
    return sum(max(F(0), p - high * q) for p, q in laws), sum(max(F(0), p - low * q) for p, q in laws)


LAWS = st.one_of(
    finite(), st.builds(Sampled, finite(), st.sampled_from([F(1, 3), F(1, 50)]), st.sampled_from(["remove", "add"]))
)
PARTS = st.lists(st.tuples(LAWS, st.integers(1, 3)), min_size=1, max_size=2, unique_by=lambda part: part[0])
TWO = Finite(((F(1, 2), F(1, 3)), (F(1, 2), F(2, 3))))
BAD = Finite(((F(1, 3), F(0)), (F(1, 3), F(1, 2)), (F(0), F(1, 2)), (F(1, 3), F(0))))


@given(
    PARTS, st.sampled_from([1.0, 0.11, 0.02]), st.lists(st.fractions(-3, 6, max_denominator=40), min_size=3, max_size=3)
)
@example([(TWO, 3), (BAD, 2)], 0.3, [F(0), F(1), F(-1)])
@example([(Sampled(TWO, F(1, 50), "remove"), 3)], 1.0, [F(0), F(1, 100), F(-1, 50)])
def test_products_of_finite_laws_are_enclosed(parts, step, epsilons):
    """Hundreds of products of laws on few outcomes, against all their outcomes."""
    curve = grid_curve(parts, step)
    for epsilon in epsilons:
        least, most = enumerated(parts, epsilon)
        found = curve.delta(epsilon)
        assert found.lower <= most
        assert least <= found.upper


@given(PARTS, st.lists(st.fractions(-3, 6, max_denominator=40), min_size=3, max_size=3))
@example([(TWO, 3), (BAD, 2)], [F(0), F(1), F(-1)])
@example([(BAD, 3)], [F(50), F(0), F(-1)])
def test_losses_with_few_values_are_composed_to_all_digits(parts, epsilons):
    """As shifts of what is on the grid, or of nothing, atoms need no grid."""
    curve = next(Grids().curves(Composition(tuple(parts)), Effort(delta=F(1, 10**12))))
    for epsilon in epsilons:
        least, most = enumerated(parts, epsilon)
        found = curve.delta(epsilon)
        assert found.lower <= most
        assert least <= found.upper
        assert found.upper - found.lower < F(1, 10**18)


def test_few_values_shift_a_smooth_loss():
    """A response whose atoms are on no grid of the Laplace pair: against the two values of the sum, one by one."""
    one = response("ln(3)", F(1, 50))
    curve = list(Grids().curves(Composition(((Laplace(F(1)), 1), (one, 1))), Effort(width=F(1, 10**5))))[-1]
    for epsilon in (F(-1), F(0), F(1, 2), F(3, 2)):
        e, d, at = log(mpf(3)), mpf(1) / 50, real(epsilon)
        truth = d + (1 - d) * (delta_at(Laplace(F(1)), at - e) * 3 + delta_at(Laplace(F(1)), at + e)) / 4
        found = curve.delta(epsilon)
        assert real(found.lower) <= truth <= real(found.upper)
        assert real(found.upper - found.lower) < 1e-6


def test_shifts_are_not_made_of_too_many_values():
    """Then the atoms are on the grid, as others are."""
    many = Finite(tuple((F(k, 55), F(11 - k, 55)) for k in range(1, 11)))
    curve = next(Grids().curves(Composition(((many, 40),)), Effort()))
    least, most = enumerated([(many, 2)], F(1))
    assert type(curve).__name__ == "GridCurve"
    assert curve.delta(F(1)).upper >= least
    few = next(Grids().curves(Composition(((many, 2),)), Effort()))
    assert type(few).__name__ == "ShiftedCurve"
    assert few.delta(F(1)).lower <= most


def test_the_enclosure_of_a_product_is_narrow():
    """Laws with atoms on the grid are enclosed by rounding alone, others by about count times step."""
    for epsilon in (F(0), F(1, 3), F(1), F(2)):
        least, most = enumerated([(TWO, 3)], epsilon)
        found = grid_curve([(TWO, 3)], 0.003).delta(epsilon)
        assert found.upper - most < F(1, 10**20)
        assert least - found.lower < F(1, 10**20)
        many = grid_curve([(Sampled(TWO, F(1, 3), "remove"), 3), (BAD, 1)], 0.003).delta(epsilon)
        least, most = enumerated([(Sampled(TWO, F(1, 3), "remove"), 3), (BAD, 1)], epsilon)
        assert many.upper - most < F(1, 200)
        assert least - many.lower < F(1, 50)


def atoms_of_a_fixed_size_sample(loss):
    """The law whose profile that is: its kinks, in exact arithmetic."""
    q, base = loss.rate, loss.base.outcomes

    def f(x):
        first = sum((max(F(0), q * a + (1 - q) * b - x * b) for a, b in base), F(0))
        return first if x >= 1 else sum((max(F(0), a - x * (q * b + (1 - q) * a)) for a, b in base), F(0))

    kinks = {F(1)}
    for a, b in base:
        r = a / b
        kinks.add(1 - q + q * r if r >= 1 else r / (q + (1 - q) * r))
    xs = [F(0), *sorted(kinks), max(kinks) + 1]
    slopes = [(f(y) - f(x)) / (y - x) for x, y in pairwise(xs)]
    masses = [x * (right - left) for x, left, right in zip(xs[1:], slopes, slopes[1:], strict=False)]
    assert sum(masses) == 1
    return [(m, m / x) for m, x in zip(masses, xs[1:], strict=False)]


@given(
    finite(), st.sampled_from([F(1, 3), F(1, 20)]), st.sampled_from([0.3, 0.03]), st.fractions(-2, 3, max_denominator=9)
)
def test_samples_of_fixed_size_compose(base, rate, step, epsilon):
    """Two of them, against the law that has the same profile."""
    assume(all(a and b for a, b in base.outcomes))
    loss = FixedSize(base, rate)
    atoms = atoms_of_a_fixed_size_sample(loss)
    low, high = exp_bounds(epsilon, 200)
    both = [(p * a, q * b) for (p, q), (a, b) in pairs(atoms, atoms)]
    found = grid_curve([(loss, 2)], step).delta(epsilon)
    assert found.lower <= sum(max(F(0), p - low * q) for p, q in both)
    assert sum(max(F(0), p - high * q) for p, q in both) <= found.upper
