"""Mixtures of pairs, of which the outcome tells the part: every engine against enumeration, and against each other."""

from fractions import Fraction
from random import Random

import pytest

from refdp.accounting import engines, losses
from refdp.accounting.closed_forms.single import profile_of
from refdp.accounting.curves import Effort, OutOfReach
from refdp.accounting.loose import ENGINE as LOOSE
from refdp.accounting.losses import (
    Composition,
    DiscreteLaplace,
    Finite,
    FixedSize,
    Laplace,
    LossError,
    Mixture,
    Normal,
    Sampled,
    mixture,
    response,
)
from refdp.accounting.masses import one_mass
from tests.accounting.enumeration import delta
from tests.examples import few

EPSILONS = [Fraction(n, 4) for n in (-3, 0, 1, 3, 8)]
EFFORT = Effort(Fraction(1, 1000), Fraction(1, 10**9))


def law(random, size=3):
    weights = [random.randrange(1, 9) for _ in range(size)]
    return [Fraction(w, sum(weights)) for w in weights]


def part(random):
    """A pair of finitely many outcomes, or nearly so."""
    kind, rate = random.randrange(5), Fraction(random.randrange(1, 10), 10)
    finite = Finite(tuple(zip(law(random), law(random), strict=True)))
    match kind:
        case 0:
            return finite
        case 1:
            return response(Fraction(random.randrange(1, 9), 4), Fraction(random.randrange(3), 100))
        case 2:
            return DiscreteLaplace(Fraction(random.randrange(2, 6), 2), random.randrange(1, 3))
        case _:
            return Sampled(finite, rate, "remove" if kind == 3 else "add")


def mixed(random):
    return mixture(zip(law(random), [part(random) for _ in range(3)], strict=True))


@pytest.mark.parametrize("shard", range(few(4)))
def test_every_engine_encloses_the_enumerated_profile_of_a_mixture(shard):
    """1,000 mixtures; engines that search long are asked about every fortieth."""
    from refdp.accounting.closed_forms.engine import ENGINE as CLOSED

    for seed in range(250 * shard, 250 * shard + 250):
        loss = mixed(Random(seed))
        one = Composition(((loss, 1),))
        truths = {epsilon: delta([(loss, 1)], epsilon) for epsilon in EPSILONS}
        asked = [CLOSED, LOOSE] if seed % 40 else list(engines.engines())
        for engine in asked:
            if engine.why_not(one) is not None:
                continue
            try:
                curve = next(iter(engine.curves(one, EFFORT)))
            except OutOfReach:
                continue
            for epsilon in EPSILONS[1:] if engine is LOOSE else EPSILONS:
                found, truth = curve.delta(epsilon), truths[epsilon]
                assert found.lower <= truth + Fraction(1, 10**40)
                assert found.upper >= truth - Fraction(1, 10**40)


@pytest.mark.parametrize("seed", range(few(6)))
def test_powers_of_a_mixture_are_those_enumerated(seed):
    loss = mixed(Random(seed))
    grids = next(e for e in engines.engines() if e.name.startswith("chords"))
    curve = next(iter(grids.curves(Composition(((loss, 2),)), EFFORT)))
    for epsilon in EPSILONS:
        truth = delta([(loss, 2)], epsilon)
        assert curve.delta(epsilon).lower <= truth + Fraction(1, 10**40)
        assert truth - Fraction(1, 10**40) <= curve.delta(epsilon).upper <= truth + Fraction(1, 20)


def test_a_mixture_of_equal_pairs_is_the_pair_in_every_engine():
    """Weights do not matter where the parts are one: made by hand, as `mixture` takes equal parts together."""
    for loss, count in ((Normal(Fraction(1, 4)), 3), (Sampled(Normal(Fraction(1)), Fraction(1, 10), "add"), 20)):
        twin = Mixture(((Fraction(1, 3), loss), (Fraction(2, 3), loss)))
        for engine in engines.engines():
            alone, both = Composition(((loss, count),)), Composition(((twin, count),))
            if engine.why_not(alone) is None and engine.why_not(both) is None:
                first, second = (next(iter(engine.curves(one, EFFORT))) for one in (alone, both))
                for epsilon in EPSILONS:
                    a, b = first.delta(epsilon), second.delta(epsilon)
                    assert max(a.lower, b.lower) <= min(a.upper, b.upper)


def test_contours_and_grids_agree_on_mixtures_of_noise():
    parts = [(Fraction(1, 100), Sampled(Normal(Fraction(4)), Fraction(1, 10), "remove")),
             (Fraction(99, 100), Sampled(Normal(Fraction(1)), Fraction(1, 10), "remove"))]  # fmt: skip
    product = Composition(((mixture(parts), 10), (Laplace(Fraction(1, 2)), 1)))
    found = [
        next(iter(engine.curves(product, EFFORT)))
        for engine in engines.engines()
        if engine.name == "contour" or engine.name.startswith("chords")
    ]
    assert len(found) == 2
    for epsilon in EPSILONS:
        first, second = (curve.delta(epsilon) for curve in found)
        assert max(first.lower, second.lower) <= min(first.upper, second.upper)
        assert first.upper - first.lower <= Fraction(1, 1000)


def test_samples_of_a_fixed_size_may_be_mixed():
    inner = [(Fraction(1, 4), response(2)), (Fraction(3, 4), response(1))]
    loss = mixture([(weight, FixedSize(base, Fraction(1, 3))) for weight, base in inner])
    profile = profile_of(loss)
    assert profile is not None
    grids = next(e for e in engines.engines() if e.name.startswith("chords"))
    curve = next(iter(grids.curves(Composition(((loss, 1),)), EFFORT)))
    for epsilon in EPSILONS:
        truth = sum(weight * delta([(FixedSize(base, Fraction(1, 3)), 1)], epsilon) for weight, base in inner)
        assert curve.delta(epsilon).lower <= truth + Fraction(1, 10**40)
        assert truth - Fraction(1, 10**40) <= curve.delta(epsilon).upper


def test_mixtures_are_read_as_they_should():
    one, other = Normal(Fraction(1)), Laplace(Fraction(1))
    third = Fraction(1, 3)
    assert mixture([(third, one), (1 - third, one)]) == one
    assert mixture([(Fraction(0), other), (Fraction(1), one)]) == one
    assert mixture([(third, one), (third, other), (third, one)]).parts == ((2 * third, one), (third, other))
    assert one_mass(mixture([(third, response(1, Fraction(1, 2))), (1 - third, one)])) == Fraction(1, 6)
    with pytest.raises(LossError, match="the sum of the weights must be 1"):
        mixture([(third, one), (third, other)])
    with pytest.raises(LossError, match="each weight must be > 0"):
        Mixture(((Fraction(0), one), (Fraction(1), other)))
    with pytest.raises(LossError, match="each part of a mixture must be a pair of laws"):
        mixture([(third, one), (1 - third, losses.Concentrated(Fraction(1)))])
