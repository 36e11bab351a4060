"""Where a proof has a condition that is easily forgotten: instances at its edge, each against the definition."""

from fractions import Fraction as F
from itertools import chain, combinations
from random import Random

import pytest
from mpmath import mp, mpf

from refdp.accounting.curves import Effort
from refdp.accounting.grids.engine import Grids
from refdp.accounting.lattice.engine import Lattice
from refdp.accounting.losses import Finite, Normal, Sampled, composition
from refdp.accounting.theorems.composition import advanced, group, sequential
from refdp.accounting.theorems.guarantees import HypothesisError, guarantee
from refdp.accounting.theorems.odometers import odometer
from refdp.accounting.theorems.optimal import optimal_delta, optimal_epsilon
from refdp.accounting.theorems.trade_off import Gaussian
from tests.accounting.profiles_by_hand import real


def known(measure, *loss):
    return guarantee(measure, *loss, neighbours="add_remove")


def test_a_delta_above_1_says_no_more_than_1():
    """Groups of mechanisms have such; (1 - delta)^2 grows again beyond 1."""
    for base in (known("approximate", "1/2", 2), group(known("approximate", "ln(3)", "1/2"), 3)):
        assert base.delta > 1
        for k in (1, 2, 3):
            found = optimal_delta([base] * k, 10)
            assert found.lower == found.upper == 1
        with pytest.raises(HypothesisError, match="delta must be from 1"):
            optimal_epsilon([base, base], "1/2")


@pytest.mark.parametrize("reading", [
    odometer("pure", "add_remove").spend(known("pure", 1)).reading,
    odometer("concentrated", "add_remove", "1e-6").spend(known("concentrated", 1)).reading,
])  # fmt: skip
def test_what_an_odometer_reads_is_no_loss_that_composes(reading):
    """It bounds the transcript at hand: another one may have spent more."""
    for compose in (sequential, lambda parts: advanced(parts, "1e-6"), lambda parts: optimal_delta(parts, 1)):
        with pytest.raises(HypothesisError, match="fixed beforehand"):
            compose([reading])


def tail(x):
    """P[N(0, 1) > x]."""
    return mp.erfc(x / mp.sqrt(2)) / 2


@pytest.mark.parametrize("digits", [3, 30, 60, 300])
@pytest.mark.parametrize("mu", [F(1, 2), F(3)])
def test_a_normal_trade_off_is_enclosed_near_both_ends(digits, mu):
    """f(a) = 1 - Q(z - mu) at Q(z) = a; at 1 - a, -z."""
    small = F(1, 10**digits)
    with mp.workdps(400):
        level, moved = mpf(10) ** -digits, mpf(mu.numerator) / mu.denominator
        z = mp.findroot(lambda z: mp.log(tail(z)) - mp.log(level), mp.sqrt(4.6 * digits))
        for a, truth in ((small, tail(moved - z)), (1 - small, tail(moved + z))):
            found = Gaussian(mu**2).at(a)
            assert real(found.lower) <= truth <= real(found.upper)
            assert found.upper - found.lower <= found.upper / 10**9


def laws(random, size):
    """A pair of laws on so many outcomes."""
    masses = [[random.randint(0, 6) for _ in range(size)] for _ in range(2)]
    return [[F(m, sum(law)) for m in law] for law in masses] if all(map(sum, masses)) else laws(random, size)


def events(size):
    return chain.from_iterable(combinations(range(size), n) for n in range(size + 1))


def test_lines_of_a_sample_of_a_fixed_size_are_below_its_profile_on_both_sides_of_1():
    """Lemma 4.4, for every event: also one that is less likely under P, and attains nothing."""
    random = Random(5)
    for _ in range(40):
        (p, q), rate = laws(random, 3), F(random.randint(1, 9), 10)
        above, below = [], []
        for event in events(3):
            u, v = sum(p[i] for i in event), sum(q[i] for i in event)
            above.append((rate * u + (1 - rate) * v, v))
            below.append((u, rate * v + (1 - rate) * u))
        for x in (F(0), F(1, 5), F(4, 5), F(1), F(6, 5), F(3)):
            profile = max(a - x * b for a, b in (above if x >= 1 else below))
            assert max(a - x * b for a, b in above + below) == profile


def test_a_grid_for_the_least_delta_is_no_longer_than_floats_are():
    """A bend at ln(1 - rate) makes the hull necessary, of heights that are too long to be floats."""
    part = Sampled(Normal(F(1)), F(1, 4), "remove")
    found = next(iter(Grids().curves(composition([(part, 2)]), Effort(F(1, 1000), F(1, 10**295)))))
    assert 0 < found.delta(F(3)).lower <= found.delta(F(3)).upper < F(1, 10**4)


def test_ratios_too_long_for_a_lattice_are_left_to_other_engines():
    random = Random(2)
    p, r, q, s = (F(random.getrandbits(3900) | 1, 2**3902 + 2 * i + 1) for i in range(4))
    part = Finite(((p, q), (r, s), (1 - p - r, 1 - q - s)))
    assert Lattice().why_not(composition([(part, 2)])) is not None
    assert Grids().why_not(composition([(part, 2)])) is None
