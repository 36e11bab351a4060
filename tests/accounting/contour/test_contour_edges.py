"""Moments of losses with atoms beside densities: against their profiles, and how fast what is no atom decays."""

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from flint import acb, arb

from refdp.accounting.accounts import Account, Limits, Question
from refdp.accounting.closed_forms.engine import ClosedForms
from refdp.accounting.closed_forms.single import profile_of
from refdp.accounting.contour.atoms import cloud
from refdp.accounting.contour.choice import factor
from refdp.accounting.contour.closed import LaplaceFactor
from refdp.accounting.contour.engine import ENGINE, FEWEST_EDGED
from refdp.accounting.contour.factors import Line
from refdp.accounting.contour.fixed_size import FixedSizeFactor
from refdp.accounting.curves import Effort, OutOfReach
from refdp.accounting.events import Event, Poisson
from refdp.accounting.events import FixedSize as FixedSizeScheme
from refdp.accounting.events import Gaussian as GaussianEvent
from refdp.accounting.events import Laplace as LaplaceEvent
from refdp.accounting.grids.engine import Grids
from refdp.accounting.losses import FixedSize, Laplace, Normal, Sampled, composition, response
from refdp.numerics.enclosures import precision
from tests.examples import few

F = Fraction
SIDES = ("remove", "add", "replace")


@pytest.fixture(autouse=True)
def _digits():
    with precision(128):
        yield


def losses():
    for e, rate in ((F(1, 2), F(1, 10)), (F(2), F(1, 3)), (F(1), F(9, 10))):
        yield Laplace(e)
        yield from (Sampled(Laplace(e), rate, side) for side in SIDES)
        yield FixedSize(Laplace(e), rate)
        yield FixedSize(Normal(e), rate)


LOSSES = list(losses())


def bends(loss):
    """Where the profile may bend, in epsilon."""
    base = loss if isinstance(loss, Laplace) else loss.base
    rate = F(1) if isinstance(loss, Laplace) else loss.rate
    if isinstance(base, Normal):
        return [0.0]
    found = []
    for side in (1, -1):
        end = 1 - arb(rate.numerator) / rate.denominator * (
            1 - (side * arb(base.epsilon.numerator) / base.epsilon.denominator).exp()
        )
        found.append(float(end.log()))
    return sorted({0.0, *found, *(-one for one in found), found[0] - found[1], found[1] - found[0]})


def by_profile(loss, order, t):
    """s (s + 1) times the integral of e^(s epsilon) delta(epsilon), s = order + i t: Simpson's rule between bends."""
    profile, inner, total = profile_of(loss), bends(loss), 0j
    far = 25 / order
    ends = [inner[0] - far, *inner, inner[-1] + 20]
    s = complex(order, t)
    for left, right in pairwise(ends):
        count = 2 * int(2 + (right - left) * (25 + 10 * t))
        for i in range(count + 1):
            x = left + (right - left) * i / count
            weight = (1 if i in (0, count) else 4 if i % 2 else 2) * (right - left) / (3 * count)
            value = profile(arb(x).exp())
            if value.is_finite():
                total += weight * complex((acb(s) * x).exp()) * float(value.mid())
    return s * (s + 1) * total


@pytest.mark.parametrize("loss", LOSSES, ids=str)
def test_moments_are_the_transform_of_the_profile(loss):
    """The theorem of section 5, read backwards: it knows the law by its profile alone."""
    for order, t in ((F(1), F(0)), (F(3, 2), F(2))):
        line = Line(order, 2 * F(355, 113) / (t or 1), 1)
        found = complex(factor(loss).moments(line, 60, Effort())[1 if t else 0])
        place = float(line.step.mid()) if t else 0.0
        assert abs(found - by_profile(loss, float(order), place)) < 3e-5 * abs(found)


@pytest.mark.parametrize("loss", LOSSES, ids=str)
@pytest.mark.parametrize("order", [F(1, 3), F(2), F(6)])
def test_what_is_no_atom_decays_as_the_bound_says(loss, order):
    """The moments less those of the atoms, at 120 places of the line; 6,480 instances in all."""
    one = factor(loss)
    line = Line(order, F(8, 3), 120)
    whole, decay = one.moment(order, 60), one.decay(order)
    values = one.moments(line, 60, Effort())
    if isinstance(one, LaplaceFactor):
        e = arb(one.epsilon.numerator) / one.epsilon.denominator
        atoms = cloud([(arb(1) / 2 / e.exp(), e.exp(), arb(1)), (arb(1) / 2, (-e).exp(), arb(1))], order, arb(0))
    else:
        atoms = cloud(one.atoms(), order, arb(0))
    still = atoms.moments(line, Effort())
    closest = 0.0
    for j in range(1, line.count + 1):
        t = line.step * j
        rest = abs(values[j] - still[j]) / whole
        assert not rest > decay.edges / t * arb("1.000001")
        assert not abs(values[j]) / whole > decay.bound(t)
        assert abs(decay.estimate(float(t.mid())) - float(decay.bound(t).log().mid())) < 1e-6
        closest = max(closest, float((rest / (decay.edges / t)).mid()))
    assert closest > (0.05 if order < 1 else 0.001)  # the bound is no idle one


def test_the_bound_falls_and_is_at_most_one():
    for loss in LOSSES:
        decay = factor(loss).decay(F(2))
        sizes = [decay.bound(arb(t)) for t in (0, 0.001, 1, 10, 100, 10**6)]
        assert all(not later > before for before, later in pairwise(sizes))
        assert not sizes[0] > 1


@pytest.mark.parametrize("seed", range(few(12)))
def test_contours_and_grids_agree(seed):
    random = Random(seed)
    for _ in range(few(2)):
        base = random.choice([Normal, Laplace])(random.choice([F(1, 9), F(1), F(2)]))
        rate = random.choice([F(1, 50), F(1, 3), F(9, 10)])
        loss = FixedSize(base, rate)
        if isinstance(base, Laplace) and random.random() < 0.7:
            loss = Sampled(base, rate, random.choice(SIDES))
        whole = composition([(loss, random.choice([60, 200]))])
        grid = next(Grids().curves(whole, Effort()))
        try:
            contour = next(ENGINE.curves(whole, Effort()))
        except OutOfReach:
            continue
        for epsilon in (F(-1), F(0), F(1, 2), F(3)):
            one, two = contour.delta(epsilon), grid.delta(epsilon)
            assert one.lower <= two.upper
            assert two.lower <= one.upper


def test_contour_and_closed_form_agree_on_a_thousand_laplaces():
    whole, effort = composition([(Laplace(F(1, 4)), 1000)]), Effort(delta=F(1, 10**6))
    contour, closed = next(ENGINE.curves(whole, effort)), next(ClosedForms().curves(whole, effort))
    for epsilon in (F(50), F(60), F(64)):
        one, two = contour.delta(epsilon), closed.delta(epsilon)
        assert one.lower <= two.upper
        assert two.lower <= one.upper
        assert one.upper - one.lower < F(1, 10**8) * two.upper


def test_few_such_events_and_unknown_laws_are_refused_with_the_reason():
    laplace, fixed = Sampled(Laplace(F(1)), F(1, 2), "add"), FixedSize(Normal(F(1)), F(1, 2))
    half = FEWEST_EDGED // 2
    assert ENGINE.why_not(composition([(laplace, half), (fixed, FEWEST_EDGED - half)])) is None
    assert "Gaussian event" in ENGINE.why_not(composition([(laplace, half), (fixed, FEWEST_EDGED - half - 1)]))
    assert "FixedSize does not give it" in ENGINE.why_not(composition([(FixedSize(response("1"), F(1, 2)), 100)]))
    assert ENGINE.why_not(composition([(laplace, 1), (Normal(F(1)), 1)])) is None
    with pytest.raises(OutOfReach):
        next(ENGINE.curves(composition([(Sampled(Laplace(F(10)), F(1, 2), "add"), FEWEST_EDGED)]), Effort()))


@pytest.mark.parametrize("scheme", [FixedSizeScheme(100, 1), Poisson("1/100")])
@pytest.mark.parametrize("mechanism", [LaplaceEvent(1), GaussianEvent(1)])
def test_a_thousand_steps_are_as_narrow_as_asked_for(scheme, mechanism):
    account = Account("change_one", (Event(mechanism, 1000, scheme),))
    (answer,) = account.answers([Question(delta="1e-6")], Limits(timeout=600))
    assert answer.reason is None
    assert answer.engine.startswith("contour")


def test_rules_of_a_fixed_size_are_near_enough_at_every_accuracy():
    """More digits land within the error of fewer."""
    for base in (Normal(F(1)), Normal(F(9)), Laplace(F(3))):
        one = FixedSizeFactor(base, F(1, 20))
        for order in (F(1, 2), F(4)):
            rough, fine = (one.moment(order, accuracy) for accuracy in (12, 70))
            assert rough.overlaps(fine)
            assert rough.rad() < arb(2) ** -8 * fine
            assert abs(one.growth(order) - float(fine.log().mid())) < 0.1
