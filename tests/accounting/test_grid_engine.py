"""What the engine of chords and tangents takes on, and when it stops."""

from fractions import Fraction as F

import pytest

from refdp import work
from refdp.accounting.curves import Effort, OutOfReach
from refdp.accounting.grids.budget import budget
from refdp.accounting.grids.engine import ENGINE
from refdp.accounting.losses import (
    Composition,
    Concentrated,
    DiscreteGaussian,
    Finite,
    FixedSize,
    Laplace,
    Normal,
    Profile,
    Renyi,
    Sampled,
    response,
)
from tests.counting import counted

SAMPLED = Sampled(Normal(F(1)), F(1, 100), "remove")


@pytest.mark.parametrize("loss", [Concentrated(F(1)), Renyi(((F(2), F(1)),))])
def test_moments_have_no_grid(loss):
    one = Composition(((SAMPLED, 2), (loss, 1)))
    assert "moments" in ENGINE.why_not(one)
    with pytest.raises(OutOfReach, match="moments"):
        next(ENGINE.curves(one, Effort()))


def test_pairs_and_profiles_have_grids():
    assert ENGINE.why_not(Composition(((SAMPLED, 2), (Profile("one", lambda e: F(1)), 1)))) is None


def test_the_first_curve_comes_quickly_and_says_what_it_is():
    with counted() as calls:
        curve = next(ENGINE.curves(Composition(((SAMPLED, 1000),)), Effort()))
    assert calls.number < 2_000_000
    assert curve.engine.startswith("chords and tangents")
    assert curve.trusts == {"Arb"}


def test_evaluation_is_fast():
    curve = next(ENGINE.curves(Composition(((Laplace(F(1, 20)), 500),)), Effort()))
    with counted() as calls:
        for k in range(200):
            curve.delta(F(k, 37))
    assert calls.number < 200 * 1000


def test_work_ends_in_time():
    started = work.spent()
    curves = list(ENGINE.curves(Composition(((SAMPLED, 1000),)), Effort(width=F(1, 10**12), end=started + 2)))
    assert curves
    with pytest.raises(OutOfReach, match="work"):
        next(ENGINE.curves(Composition(((SAMPLED, 1000),)), Effort(end=started)))


def test_work_keeps_to_the_memory():
    """No grid has more points than the memory holds; a law with too many outcomes is refused in one sentence."""
    memory = 10**7
    curves = list(ENGINE.curves(Composition(((SAMPLED, 100),)), Effort(width=F(1, 10**12), memory=memory)))
    assert len(curves[-1].upper.masses) * 100 < memory
    with pytest.raises(OutOfReach, match="outcomes"):
        next(ENGINE.curves(Composition(((DiscreteGaussian(F(10**12)), 3),)), Effort()))


def test_a_smaller_delta_gets_more_digits():
    one = Composition(((SAMPLED, 10),))
    small, large = budget(one, Effort(delta=F(1, 10**30))), budget(one, Effort(delta=F(1, 10**6)))
    assert small.bits - large.bits == pytest.approx(24 * 3.3219, abs=1)


def test_the_smallest_deltas_are_survived():
    """What is too small for floats is not resolved, but bounded: nothing is 0 below and nothing is lost above."""
    curve = next(ENGINE.curves(Composition(((Laplace(F(1)), 3),)), Effort(delta=F(1, 10**400))))
    found = curve.delta(F(2))
    assert 0 < found.lower <= found.upper < 1


def test_profiles_are_not_asked_where_floats_overflow():
    """A callable in floats would raise there."""
    asked = []

    def bound(epsilon):
        asked.append(epsilon)
        return max(F(0), F(1, 10) - epsilon / 100)

    curve = next(ENGINE.curves(Composition(((Profile("one", bound), 2),)), Effort()))
    assert curve.delta(F(0)).upper < F(1, 3)
    assert 0 <= min(asked) <= max(asked) <= 500


def test_the_widest_losses_are_found():
    """A loss of about 5000: windows are looked for far out."""
    curve = next(ENGINE.curves(Composition(((Normal(F(10**4)), 1),)), Effort()))
    assert curve.delta(F(4000)).lower > F(99, 100)
    assert curve.delta(F(6000)).upper < F(1, 10**6)


NOWHERE = Finite(((F(1), F(0)), (F(0), F(1))))
SAME = Finite(((F(1, 2), F(1, 2)), (F(1, 2), F(1, 2))))


@pytest.mark.parametrize(
    ("parts", "zero", "one"),
    [
        ([(NOWHERE, 2)], F(1), F(1)),
        ([(NOWHERE, 2), (Normal(F(1)), 1)], F(1), F(1)),
        ([(SAME, 3)], F(0), F(0)),
        ([(response(0, F(1, 10)), 3)], 1 - F(9, 10) ** 3, 1 - F(9, 10) ** 3),
        ([(FixedSize(NOWHERE, F(1, 3)), 3)], 1 - F(2, 3) ** 3, 1 - F(2, 3) ** 3),
        ([(FixedSize(response(0, F(1, 10)), F(1, 3)), 3)], 1 - F(29, 30) ** 3, 1 - F(29, 30) ** 3),
        ([(Profile("all", lambda e: F(1)), 3)], F(1), F(1)),
        ([(Profile("none", lambda e: F(0)), 3)], F(0), F(0)),
    ],
)
def test_laws_without_finite_losses_and_without_any_loss(parts, zero, one):
    """Edge cases whose delta is plain, at epsilon = 0 and 1."""
    curve = list(ENGINE.curves(Composition(tuple(parts)), Effort(width=F(1, 10**4), end=work.spent() + 5)))[-1]
    for epsilon, truth in ((F(0), zero), (F(1), one)):
        found = curve.delta(epsilon)
        assert found.lower <= truth <= found.upper <= truth + F(1, 10**8)
        assert found.lower >= truth - F(1, 10**7) or curve.lower is None
