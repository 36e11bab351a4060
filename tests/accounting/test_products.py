"""The products engine against every sequence of outcomes, in fractions and in decimals, and against other engines."""

from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, prod
from random import Random

import pytest
from flint import arb

from refdp.accounting.accounts import Account, Limits, Question
from refdp.accounting.contour.engine import Contours
from refdp.accounting.curves import Effort, OutOfReach
from refdp.accounting.events import DiscreteGaussian as DiscreteGaussianEvent
from refdp.accounting.events import Event, Poisson
from refdp.accounting.lattice.engine import Lattice
from refdp.accounting.losses import (
    DiscreteGaussian,
    DiscreteLaplace,
    Finite,
    FixedSize,
    Laplace,
    Normal,
    Profile,
    Response,
    Sampled,
    composition,
    response,
)
from refdp.accounting.products import curve as curves
from refdp.accounting.products import engine, splitting
from refdp.accounting.products.factors import Factor, Units, factor
from refdp.accounting.products.groups import Sums, cumulated, group, ordered, power
from refdp.accounting.products.splitting import best_split, length
from refdp.numerics.elementary import exp_bounds, ln_bounds
from refdp.numerics.enclosures import precision
from tests.accounting import enumeration
from tests.accounting.test_enumerated import enumerated, sampled
from tests.examples import few

PRODUCTS = engine.ENGINE
BITS = 240
RATES = [Fraction(1, 100), Fraction(1, 3), Fraction(9, 10)]
NARROW = Fraction(1, 10**9)
SMALL = Fraction(1, 10**12)


def curve(parts, **effort):
    return next(PRODUCTS.curves(composition(parts), Effort(**effort)))


def law(random, size, zeros):
    """Probabilities, some of them 0, some of them equal."""
    weights = [0 if random.random() < zeros else random.choice([1, 2, 2, 3, 5, 8, 1000]) for _ in range(size)]
    weights[random.randrange(size)] += 1
    return [Fraction(w, sum(weights)) for w in weights]


def random_finite(random):
    """(pair, its outcomes), sampled or not."""
    size, zeros = random.randrange(1, 5), random.choice([0, 0, 0.2])
    cells = list(zip(law(random, size, zeros), law(random, size, zeros), strict=True))
    base = Finite(tuple(cells))
    side = random.choice([None, None, "remove", "add"])
    if side is None:
        return base, cells
    rate = random.choice(RATES)
    return Sampled(base, rate, side), sampled(cells, rate, side)


def near_atom(random, factors):
    """A rational number within 2^-70 of the loss of some sequence of outcomes, or that very loss rounded; or None."""
    p = q = Fraction(1)
    for pairs in factors:
        a, b = random.choice(pairs)
        p, q = p * a, q * b
    if p * q == 0:
        return None
    low, high = ln_bounds(p / q, random.choice([30, 60, 70, 120, 300]))
    return random.choice([low, high])


@pytest.mark.parametrize("seed", range(few(40)))
def test_finite_laws_are_enclosed_as_every_sequence_of_outcomes_says(seed):
    """1,200 instances in 40 lots: up to four pairs, their sums of losses full of ties, epsilon beside atoms."""
    random = Random(seed)
    for _ in range(few(30)):
        parts, factors = [], []
        for _ in range(random.randrange(1, 4)):
            loss, cells = random_finite(random)
            count = random.randrange(1, 3) if len(factors) < 3 else 1
            parts.append((loss, count))
            factors += [cells] * count
        found = curve(parts)
        for epsilon in (Fraction(0), Fraction(random.randrange(-30, 60), 10), near_atom(random, factors)):
            if epsilon is None:
                continue
            low, high = (enumerated(factors, x) for x in reversed(exp_bounds(epsilon, BITS)))
            one = found.delta(epsilon)
            assert one.lower <= high
            assert low <= one.upper
            assert one.upper - one.lower <= NARROW * max(low, SMALL)


@pytest.mark.parametrize("seed", range(few(25)))
def test_coarse_units_are_paid_for(seed):
    """1,000 instances in 25 lots, in units in which every error term is far from negligible."""
    random = Random(500 + seed)
    for _ in range(few(40)):
        parts, factors = [], []
        for _ in range(random.randrange(1, 4)):
            loss, cells = random_finite(random)
            parts.append((loss, count := random.randrange(1, 3)))
            factors += [cells] * count
        units = Units(random.choice([3, 12, 40]), random.choice([6, 12, 40]), Fraction(1, 2 ** random.choice([4, 20])))
        whole = composition(parts)
        with precision(128):
            made = [(factor(loss, units), count) for loss, count in whole.parts]
            found = engine.listed(whole, made, units, Effort())
        for epsilon in (Fraction(0), Fraction(random.randrange(-20, 40), 10), near_atom(random, factors)):
            if epsilon is not None:
                low, high = (enumerated(factors, x) for x in reversed(exp_bounds(epsilon, BITS)))
                one = found.delta(epsilon)
                assert one.lower <= high
                assert low <= one.upper


@pytest.mark.parametrize("seed", range(few(20)))
def test_products_of_all_kinds_are_enclosed_as_the_definition_says(seed):
    random = Random(1000 + seed)
    for _ in range(few(5)):
        bases = [
            response(random.choice(["1/2", "ln(3)", "2"]), random.choice([Fraction(0), Fraction(1, 50)])),
            DiscreteLaplace(random.choice([Fraction(1, 2), Fraction(1)]), random.randrange(1, 4)),
            DiscreteGaussian(random.choice([Fraction(1, 2), Fraction(2)]), random.randrange(1, 3)),
        ]
        parts = []
        for base in random.sample(bases, 2):
            side = random.choice([None, "remove", "add"])
            parts.append((base if side is None else Sampled(base, random.choice(RATES), side), 1))
        found = curve(parts)
        for epsilon in (Fraction(0), Fraction(1, 2), Fraction(random.randrange(-20, 40), 10)):
            truth, one = enumeration.delta(parts, epsilon), found.delta(epsilon)
            assert one.lower - enumeration.ERROR <= truth <= one.upper + enumeration.ERROR
            assert one.upper - one.lower <= NARROW * max(truth, SMALL)


@pytest.mark.parametrize("count", [1, 2, 4, 5, 7])
@pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(1, 2), Fraction(1), Fraction(7, 2)])
def test_epsilon_at_an_atom_is_decided_by_no_order(count, epsilon):
    """Responses of 1/2: each sum of losses is a multiple of 1/2, and epsilon is one of them."""
    parts = [(response("1/2", Fraction(1, 9)), count)]
    truth, one = enumeration.delta(parts, epsilon), curve(parts).delta(epsilon)
    assert one.lower - enumeration.ERROR <= truth <= one.upper + enumeration.ERROR
    assert one.upper - one.lower <= NARROW * truth


def gaussian(k):
    return -Fraction(k * k, 6)


@pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(1, 10), Fraction(1), Fraction(3)])
@pytest.mark.parametrize("base", [DiscreteLaplace(Fraction(1, 3), 2), DiscreteGaussian(Fraction(3), 2)])
def test_replacement_is_that_of_two_mixtures(base, epsilon):
    rate = Fraction(1, 4)
    pair = Sampled(base, rate, "replace")
    reach, weight = (300, lambda k: -Fraction(abs(k), 3)) if isinstance(base, DiscreteLaplace) else (30, gaussian)
    weights = {k: exp_bounds(weight(k), 300)[0] for k in range(-reach - 2, reach + 3)}
    total = sum(weights.values())
    rows = []
    for k in range(-reach, reach + 1):
        right, here, left = (weights[k + move] / total for move in (-2, 0, 2))
        rows.append((rate * right + (1 - rate) * here, rate * left + (1 - rate) * here))
    x = exp_bounds(epsilon, 300)[0]
    truth = sum(max(p - x * q, 0) for p, q in rows)
    one = curve([(pair, 1)]).delta(epsilon)
    slack = Fraction(1, 10**40)
    assert one.lower - slack <= truth <= one.upper + slack
    assert one.upper - one.lower <= NARROW * max(truth, SMALL)


@pytest.mark.parametrize("delta", ["1e-6", "1e-15"])
def test_lattice_and_products_agree_where_both_reach(delta):
    for parts in ([(DiscreteGaussian(Fraction(16), 3), 3)], [(DiscreteLaplace(Fraction(1, 5), 4), 5)]):
        other = next(Lattice().curves(composition(parts), Effort(delta=Fraction(delta))))
        found = curve(parts, delta=Fraction(delta))
        for epsilon in (Fraction(-1), Fraction(0), Fraction(1), Fraction(2)):
            one, two = found.delta(epsilon), other.delta(epsilon)
            assert one.lower <= two.upper
            assert two.lower <= one.upper


def test_contour_and_products_agree_on_five_sampled_discrete_gaussians_and_a_gaussian_that_hardly_counts():
    """A Gaussian of mu^2 = 10^-12 more costs a little, never less."""
    pair = Sampled(DiscreteGaussian(Fraction(9), 3), Fraction(1, 5), "remove")
    other = composition([(pair, 5), (Normal(Fraction(1, 100)), 1)])
    one = curve([(pair, 5)]).delta(Fraction(1))
    two = next(Contours().curves(other, Effort())).delta(Fraction(1))
    assert one.lower <= two.upper
    assert two.lower < one.upper * Fraction(11, 10)


def test_shifts_give_what_two_halves_give(monkeypatch):
    parts = [(Sampled(DiscreteGaussian(Fraction(v), 2), Fraction(1, 5), "add"), 1) for v in (3, 4, 5)]
    cut = curve(parts)
    assert len(cut.shifts) > 1
    monkeypatch.setattr(splitting, "LOOKED", 10**6)
    whole = curve(parts)
    assert len(whole.shifts) == 1
    for epsilon in (Fraction(-1), Fraction(0), Fraction(1, 3), Fraction(1)):
        one, two = whole.delta(epsilon), cut.delta(epsilon)
        assert one.lower <= two.upper
        assert two.lower <= one.upper


@pytest.mark.parametrize("seed", range(few(50)))
def test_masses_read_block_by_block_are_those_of_all_sums_that_are_great_enough(seed, monkeypatch):
    """1,000 random questions to lists with equal sums, in blocks of many lengths, against every pair of sums."""
    random = Random(seed)
    for _ in range(20):
        monkeypatch.setattr(curves, "BLOCK", random.choice([1, 2, 3, 7, 128]))
        widest = random.choice([3, 20, 10**6])
        many, few, shifts = (
            ordered(Sums(*zip(*[(random.randint(-widest, widest), random.randrange(9), random.randrange(9))
                                for _ in range(random.randint(1, most))], strict=True)))
            for most in (40, 30, 3)
        )  # fmt: skip
        found = curves.ProductCurve(
            "", cumulated(many), few, cumulated(few), shifts, 1, 0, 0, 0, arb(0), arb(0), arb(0), 64, 64
        )
        least = random.randint(-3 * widest, 3 * widest)
        great = [
            (p * a * s, q * b * t)
            for x, p, q in zip(many.losses, many.p, many.q, strict=True)
            for y, a, b in zip(few.losses, few.p, few.q, strict=True)
            for z, s, t in zip(shifts.losses, shifts.p, shifts.q, strict=True)
            if x + y + z >= least
        ]
        assert found.masses(least) == (sum(p for p, _ in great), sum(q for _, q in great))


def test_lengths_of_lists_are_what_is_listed_and_orders_of_multisets_are_counted():
    one = Factor([0, 1, 10], [1, 1, 1], [1, 2, 3], 0, None)
    for count in range(6):
        found = power(one, count)
        assert len(found) == length([(3, count)], [count]) == comb(3 + count - 1, count)
        assert sum(found.p) == 3**count
        assert sum(found.q) == 6**count
        ways = sorted(map(sum, combinations_with_replacement(one.losses, count)))
        assert sorted(found.losses) == ways


def test_sums_of_tiny_mass_are_left_out_and_counted_as_missing():
    one = Factor([0, 1], [1, 99], [50, 50], 0, None)
    assert group([(one, 2)], 100) == Sums([1, 2], [198, 9801], [5000, 2500])


def test_rounded_losses_and_masses_of_a_factor_are_on_their_sides():
    units = Units(40, 60, Fraction(0))
    loss = Sampled(
        Finite(((Fraction(1, 3), Fraction(1, 7)), (Fraction(2, 3), Fraction(6, 7)))), Fraction(1, 3), "remove"
    )
    with precision(units.precision):
        found = factor(loss, units)
    rows = [(p / 3 + 2 * q / 3, q) for p, q in loss.base.outcomes]
    for (p, q), low, p_units, q_units in zip(rows, found.losses, found.p, found.q, strict=True):
        ends = ln_bounds(p / q, 200)
        assert low <= ends[0] * 2**40
        assert ends[1] * 2**40 <= low + 2
        assert p * 2**60 - 1 < p_units <= p * 2**60
        assert q * 2**found.bits <= q_units < q * 2**found.bits + 1
    added = sum(p / q * q_units / Fraction(2) ** found.bits - p for (p, q), q_units in zip(rows, found.q, strict=True))
    assert found.excess >= 0
    assert added <= Fraction(str(float(found.excess.upper()))) * Fraction(11, 10) + Fraction(1, 2**100)


def test_what_has_no_list_of_atoms_is_refused_with_the_reason():
    half = Fraction(1, 2)
    for loss in (Normal(half), Laplace(half), Sampled(Normal(half), half, "add"), FixedSize(response("1"), half),
                 Profile("stated", lambda _: half)):  # fmt: skip
        assert "cannot be listed" in PRODUCTS.why_not(composition([(response("1"), 1), (loss, 1)]))
        with pytest.raises(OutOfReach, match="cannot be listed"):
            curve([(loss, 1)])


def test_products_that_are_too_long_are_refused_with_the_limit():
    pair = Sampled(response("1"), Fraction(1, 2), "remove")
    assert PRODUCTS.why_not(composition([(pair, 8)])) is None
    assert PRODUCTS.why_not(composition([(pair, 9)])) == "sums of losses are listed for at most 8 events, got 9"
    wide = [(DiscreteGaussian(Fraction(10**4 + i), 1), 1) for i in range(4)]
    assert "too many sums of losses" in PRODUCTS.why_not(composition(wide))
    assert PRODUCTS.why_not(composition(wide[:2])) is None


def test_memory_is_kept():
    with pytest.raises(OutOfReach, match="for the memory allowed"):
        curve([(DiscreteGaussian(Fraction(100), 1), 2)], memory=10**4)


@pytest.mark.parametrize("sizes", [[(150, 5)], [(150, 1)] * 5, [(1500, 2)], [(4, 8)], [(150, 3), (20, 2)]])
def test_every_pair_is_in_one_list(sizes):
    split = best_split(sizes)
    assert all(sum(counts) == count for counts, (_, count) in zip(zip(*split, strict=True), sizes, strict=True))
    assert prod(length(sizes, counts) for counts in split) >= prod(comb(n + c - 1, c) for n, c in sizes)


def test_the_infinite_loss_of_a_product_is_that_of_any_of_its_pairs():
    parts = [(response("1", Fraction(1, 3)), 2), (Sampled(response("1", Fraction(1, 4)), Fraction(1, 5), "remove"), 1)]
    truth = 1 - Fraction(2, 3) ** 2 * Fraction(19, 20)
    one = curve(parts).delta(Fraction(50))
    assert one.lower <= truth <= one.upper
    assert one.upper - one.lower < Fraction(1, 10**15)
    assert curve([(Response(response("1").epsilon, Fraction(1)), 2)]).delta(Fraction(3)).lower == 1


@pytest.mark.parametrize("question", [Question(epsilon=1), Question(delta="1e-6"), Question(epsilon=4)])
def test_accounts_of_few_sampled_discrete_gaussians_are_as_narrow_as_asked_for(question):
    """Also where delta is 10^-30 or so: digits follow what is asked about."""
    events = tuple(
        Event(DiscreteGaussianEvent(sigma, sensitivity=2), 1, Poisson(rate))
        for sigma, rate in product(("4", "9/2"), ("1/10", "1/7"))
    )
    (answer,) = Account("add_remove", events).answers([question], Limits())
    assert answer.reason is None
    assert answer.engine == "products"
