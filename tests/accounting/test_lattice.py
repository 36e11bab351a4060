"""The lattice engine against enumeration, the decimal engine, closed forms and the anchors."""

from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import comb, inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refdp import work
from refdp.accounting.closed_forms.engine import ClosedForms
from refdp.accounting.curves import Effort, OutOfReach
from refdp.accounting.lattice.engine import Lattice
from refdp.accounting.lattice.spacings import common_step, multiple, ratio
from refdp.accounting.losses import (
    DiscreteGaussian,
    DiscreteLaplace,
    Finite,
    Laplace,
    Normal,
    Response,
    Sampled,
    composition,
    response,
)
from refdp.numerics.exact import ExactReal, Ln, exact_real
from tests.accounting import decimal_engine as second
from tests.accounting import enumeration
from tests.examples import few

HALF = Fraction(1, 2)
LATTICE = Lattice()
rates = st.sampled_from([Fraction(1, 100), Fraction(1, 3), Fraction(9, 10)])
small = st.sampled_from([Fraction(1, 10), Fraction(1, 4), Fraction(1), Fraction(3)])
deltas = st.sampled_from([Fraction(0), Fraction(0), Fraction(1, 10**9), Fraction(1, 7), Fraction(1)])
widths = st.sampled_from([Fraction(1, 10**3), Fraction(1, 10**9), Fraction(1, 10**15)])


def curve(parts, delta=Fraction(1, 10**12), width=Fraction(1, 10**9)):
    return next(LATTICE.curves(composition(parts), Effort(delta=delta, width=width)))


def least_epsilon(found, delta, above=Fraction(100)):
    """(greatest lower, least upper) bound of epsilon at delta, to 2^-50."""
    bounds = []
    for upper in (False, True):
        low, high = Fraction(0), above
        while high - low > Fraction(1, 2**50):
            middle = (low + high) / 2
            value = found.delta(middle)
            if (value.upper if upper else value.lower) > delta:
                low = middle
            else:
                high = middle
        bounds.append(high if upper else low)
    return bounds


@st.composite
def finite_on_a_lattice(draw, base):
    """Probabilities whose ratios are one number times powers of the base."""
    weights = draw(st.lists(st.integers(1, 9), min_size=1, max_size=4))
    powers = [draw(st.integers(-3, 3)) for _ in weights]
    tilted = [w * base**n for w, n in zip(weights, powers, strict=True)]
    lost, spared = draw(st.sampled_from([(Fraction(0), Fraction(0)), (Fraction(1, 5), Fraction(1, 9))]))
    pairs = [
        ((1 - lost) * Fraction(t) / sum(tilted), (1 - spared) * Fraction(w, sum(weights)))
        for t, w in zip(tilted, weights, strict=True)
    ]
    return Finite((*pairs, (lost, Fraction(0)), (Fraction(0), spared)))


@st.composite
def small_products(draw):
    """One or two factors with few outcomes, each on a lattice of a rational step, or of ln 2, ln 3 or ln(9/4)."""
    step = draw(small)
    rational = st.builds(lambda n, d: Response(exact_real(n * step), d), st.integers(0, 4), deltas)
    base = draw(st.sampled_from([Fraction(2), Fraction(3), Fraction(9, 4)]))
    logarithmic = st.builds(lambda n, d: Response(n * Ln(base), d), st.integers(0, 3), deltas)
    one = draw(st.sampled_from([rational, logarithmic | finite_on_a_lattice(base), rational | logarithmic]))
    return draw(st.lists(st.tuples(one, st.integers(1, 2)), min_size=1, max_size=2))


def check(parts, epsilon, width=Fraction(1, 10**9)):
    """The interval holds the enumerated delta and is as narrow as promised."""
    found = curve(parts, Fraction(1, 10**9), width).delta(epsilon)
    truth = enumeration.delta(parts, epsilon)
    assert found.lower - enumeration.ERROR <= truth <= found.upper + enumeration.ERROR
    assert 0 <= found.lower <= found.upper <= 1
    assert found.upper - found.lower <= width * max(Fraction(1, 10**9), truth)


@settings(max_examples=few(600))
@given(parts=small_products(), epsilon=st.fractions(-3, 6, max_denominator=20), width=widths)
def test_products_of_finite_laws_enclose_the_enumerated_delta(parts, epsilon, width):
    check(parts, epsilon, width)


@settings(max_examples=few(100))
@given(parts=small_products(), data=st.data())
def test_at_the_losses_themselves_where_signs_change_the_enumerated_delta_is_enclosed(parts, data):
    steps = [loss.epsilon.rational for loss, _ in parts if isinstance(loss, Response)]
    check(parts, data.draw(st.integers(-2, 2)) * (steps[0] if steps else 1))


@settings(max_examples=few(40))
@given(epsilon=small, shift=st.integers(1, 5), at=st.fractions(-3, 6, max_denominator=20))
def test_discrete_laplace_noise_encloses_the_enumerated_delta(epsilon, shift, at):
    check([(DiscreteLaplace(epsilon, shift), 2 if epsilon >= 3 else 1)], at)


@settings(max_examples=few(40))
@given(variance=small, shift=st.integers(1, 3), count=st.integers(1, 2), at=st.fractions(-3, 6, max_denominator=20))
def test_discrete_gaussian_noise_encloses_the_enumerated_delta(variance, shift, count, at):
    check([(DiscreteGaussian(variance, shift), count)], at)


@settings(max_examples=few(200))
@given(
    base=st.one_of(st.builds(lambda e: Response(exact_real(e)), small), finite_on_a_lattice(Fraction(2))),
    rate=rates,
    direction=st.sampled_from(["remove", "add"]),
    count=st.integers(1, 3),
    at=st.fractions(-2, 2, max_denominator=20),
)
def test_sampled_pairs_enclose_the_enumerated_delta_or_are_refused(base, rate, direction, count, at):
    parts = [(Sampled(base, rate, direction), count)]
    if isinstance(base, Response) or LATTICE.why_not(composition(parts)) is None:
        check(parts, at)


@settings(max_examples=few(60))
@given(
    step=small,
    indices=st.lists(st.tuples(st.integers(1, 5), st.integers(1, 40)), min_size=1, max_size=3),
    shift=st.integers(1, 4),
    lost=st.sampled_from([Fraction(0), Fraction(1, 10**7)]),
    at=st.fractions(-2, 20, max_denominator=7),
)
def test_the_decimal_engine_agrees(step, indices, shift, lost, at):
    parts = [(Response(exact_real(n * step), lost), count) for n, count in indices]
    parts.append((DiscreteLaplace(2 * step, shift), 3))
    bounds = []
    for up in (False, True):
        factors = [
            second.power(second.vector(
                [(i, second.Bounds.of(1 - lost) * p) for i, p in second.response_atoms(second.Bounds.of(n * step), n)],
                45, up, lost), count)
            for n, count in indices
        ]  # fmt: skip
        noise = second.discrete_laplace_atoms(second.Bounds.of(2 * step), shift, 2)
        found = second.power(second.vector(noise, 45, up), 3)
        for factor in factors:
            found = second.product(found, factor)
        bounds.append(Fraction(second.delta(found, second.Bounds.of(step), at)))
    agree(bounds, curve(parts, Fraction(1, 10**20)).delta(at))


def agree(bounds, found):
    """Both narrow, and with a number in common."""
    lower, upper = bounds
    assert lower <= found.upper
    assert found.lower <= upper
    assert upper - lower <= Fraction(1, 10**30)
    assert found.upper - found.lower <= Fraction(1, 10**29)


@cache
def a_hundred():
    """A hundred discrete Gaussians, from below and from above."""
    return [second.power(second.discrete_gaussian_vector(Fraction(100), 1, 50, up, 160), 100) for up in (False, True)]


@pytest.mark.parametrize("at", [Fraction(0), Fraction(3), Fraction("9.510892016662346663610306")])
def test_the_decimal_engine_agrees_on_a_hundred_discrete_gaussians(at):
    bounds = [Fraction(second.delta(one, second.Bounds.of(Fraction(1, 200)), at)) for one in a_hundred()]
    agree(bounds, curve([(DiscreteGaussian(Fraction(100)), 100)], Fraction(1, 10**20)).delta(at))


def test_the_decimal_engine_agrees_on_a_delta_of_1e_300():
    at, bounds = Fraction(41), []
    for up in (False, True):
        one = second.discrete_gaussian_vector(Fraction(10), 1, 330, up, 126)
        bounds.append(Fraction(second.delta(second.power(one, 12), second.Bounds.of(Fraction(1, 20), 345), at)))
    found = curve([(DiscreteGaussian(Fraction(10)), 12)], Fraction(1, 10**302)).delta(at)
    assert Fraction(1, 10**302) < bounds[0] <= found.upper
    assert found.lower <= bounds[1] < Fraction(1, 10**296)
    assert found.upper - found.lower <= found.upper / 10**9
    assert bounds[1] - bounds[0] <= bounds[1] / 10**9


ANCHORS = {
    response("1/10"): ["4.774567588107986153285948", "6.891377199770608309400063", "8.664980361991343867874626"],
    DiscreteGaussian(Fraction(100)): [
        "4.886570745861785729333334", "7.238480416489105635645167", "9.510892016662346663610306",
    ],
}  # fmt: skip


@pytest.mark.parametrize("loss", ANCHORS)
def test_a_hundred_copies_have_the_anchored_epsilon_within_1e_14(loss):
    error = Fraction(1, 10**24) if isinstance(loss, Response) else Fraction(1, 10**14)  # of the anchors themselves
    found = curve([(loss, 100)], Fraction(1, 10**20))
    for exponent, truth in zip((6, 12, 20), ANCHORS[loss], strict=True):
        low, high = least_epsilon(found, Fraction(1, 10**exponent))
        assert low - error <= Fraction(truth) <= high + error
        assert high - low < Fraction(1, 10**14)


@pytest.mark.parametrize("exponent", [1, 6, 20, 100, 300])
@pytest.mark.parametrize(("epsilon", "count"), [("1/100", 100_000), ("ln(3)", 1000), ("1/1000", 30)])
def test_both_engines_agree_on_copies_of_a_response_to_its_least_delta(epsilon, count, exponent):
    parts, wanted = [(response(epsilon, Fraction(1, 10**310)), count)], Fraction(1, 10**exponent)
    closed = next(ClosedForms().curves(composition(parts), Effort()))
    lattice = curve(parts, wanted)
    at, _ = least_epsilon(closed, wanted, Fraction(2000))
    a, b = closed.delta(at), lattice.delta(at)
    assert a.lower <= b.upper
    assert b.lower <= a.upper
    assert b.upper - b.lower <= Fraction(1, 10**9) * b.upper
    assert a.upper - a.lower <= Fraction(1, 10**15) * a.upper


@pytest.mark.parametrize("at", [Fraction(0), Fraction(3), Fraction(10)])
def test_losses_on_two_lattices_enclose_the_mean_over_those_on_one(at):
    """Responses at ln 2 are true with probability 2/3; delta is the mean, over their losses, of that of the noise."""
    noise, count = (DiscreteGaussian(Fraction(10)), 10), 9
    first, ln2 = curve([noise], Fraction(1, 10**40)), second.Bounds.of(2).ln()
    lower = upper = Fraction(0)
    for j in range(count + 1):
        mass = comb(count, j) * Fraction(2**j, 3**count)
        ends = [at - (2 * j - count) * Fraction(end) for end in (ln2.low, ln2.high)]
        lower += mass * first.delta(max(ends)).lower
        upper += mass * first.delta(min(ends)).upper
    both = curve([noise, (response("ln(2)"), count)], Fraction(1, 10**40))
    assert len(both.points) == count + 1
    agree((lower, upper), both.delta(at))


def test_each_curve_is_narrower_than_the_last():
    parts = composition([(response("1/10"), 100), (DiscreteGaussian(Fraction(10)), 10), (response("ln(3)"), 2)])
    found = [c.delta(Fraction(3)) for c in LATTICE.curves(parts, Effort())]
    assert len(found) > 2
    for a, b in pairwise(found):
        assert a.lower <= b.lower <= b.upper <= a.upper
        assert b.upper - b.lower < (a.upper - a.lower) / 2


@pytest.mark.parametrize("at", [Fraction(1, 10), Fraction(10**6), Fraction(-1), Fraction(-(10**6))])
def test_far_from_all_losses_delta_is_narrow(at):
    found = curve([(response("1e-100"), 1000)]).delta(at)
    truth = curve([(response("0"), 1)]).delta(at)
    assert found.upper - found.lower < Fraction(1, 10**30)
    assert found.lower <= truth.upper
    assert truth.lower <= found.upper


def test_ratios_are_decided_exactly():
    assert ratio(Ln(8), Ln(4)) == Fraction(3, 2)
    assert ratio(Ln(2) + 2, Ln(4) + 4) == HALF
    assert ratio(Ln(2) + 2, Ln(4) + 3) is None
    assert ratio(Ln(3), Ln(2)) is None
    assert ratio(Ln(Fraction(3**100 + 1, 3**100)), Ln(Fraction(9**100 + 1, 9**100))) is None
    assert ratio(exact_real(1), Ln(3)) is None
    assert ratio(Ln(3), exact_real(1)) is None
    assert ratio(exact_real("10"), exact_real("4")) == Fraction(5, 2)
    step = common_step([ExactReal(Fraction(1, 6)), ExactReal(Fraction(1, 10))])
    assert step == Fraction(1, 30)
    assert multiple(ExactReal(Fraction(1, 6)), step) == 5
    with pytest.raises(ValueError, match="must be a whole multiple"):
        multiple(ExactReal(Fraction(1, 6)), ExactReal(Fraction(1, 10)))


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ([(Normal(Fraction(1)), 1)], "the losses of Normal"),
        ([(Laplace(Fraction(1)), 1), (response("1"), 1)], "the losses of Laplace"),
        ([(response("1"), 1000), (response("ln(3)"), 1000)], "common lattice"),
        ([(Sampled(response("1"), HALF, "add"), 1000), (response("1"), 1000)], "common lattice"),
        ([(Sampled(DiscreteLaplace(Fraction(1)), HALF, "add"), 1)], "the losses of Sampled"),
        ([(Sampled(DiscreteLaplace(Fraction(1)), HALF, "replace"), 1)], "the losses of Sampled"),
        ([(response("1"), 1), (response("1/10000019"), 1)], "too fine"),
    ],
)
def test_what_is_on_no_lattice_is_refused_with_a_sentence(parts, reason):
    assert reason in LATTICE.why_not(composition(parts))
    with pytest.raises(OutOfReach, match=reason):
        next(LATTICE.curves(composition(parts), Effort()))


def test_time_and_memory_are_bounded():
    large = composition([(DiscreteGaussian(Fraction(10**8)), 10**9)])
    with pytest.raises(OutOfReach, match="memory"):
        next(LATTICE.curves(large, Effort(memory=10**7)))
    started = work.spent()
    with pytest.raises(OutOfReach, match="more work than is left"):
        next(
            LATTICE.curves(
                composition([(DiscreteLaplace(Fraction(1, 1000), 10**5), 10**6)]), Effort(memory=inf, end=started + 0.2)
            )
        )
    with pytest.raises(OutOfReach, match="atoms"):
        next(LATTICE.curves(composition([(DiscreteGaussian(Fraction(10**13)), 1)]), Effort()))
