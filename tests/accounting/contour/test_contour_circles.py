"""Losses on one lattice: closed moments, how they decay, and sums around a circle, against laws added up by mpmath."""

from collections import defaultdict
from fractions import Fraction
from itertools import product
from random import Random

import mpmath
import pytest
from flint import arb
from mpmath import mp, mpf

from refdp.accounting.accounts import Account, Limits, Question
from refdp.accounting.contour.circle import Circle, deviation, lattice_of
from refdp.accounting.contour.factors import Line
from refdp.accounting.contour.integral import Contour
from refdp.accounting.contour.ladder import PERIODIC, Ladder, infinite_mass
from refdp.accounting.contour.lattice_noise import GaussianSeries, GeometricSeries, factor_on
from refdp.accounting.contour.periodic import ENGINE, FEW, REACH
from refdp.accounting.contour.plan import MOST_BITS, MOST_DIGITS, Plan
from refdp.accounting.curves import Effort, OutOfReach
from refdp.accounting.events import DiscreteGaussian as DiscreteGaussianEvent
from refdp.accounting.events import DiscreteLaplace as DiscreteLaplaceEvent
from refdp.accounting.events import Event
from refdp.accounting.events import Gaussian as GaussianEvent
from refdp.accounting.events import Laplace as LaplaceEvent
from refdp.accounting.lattice import engine as lattice_engine
from refdp.accounting.losses import (
    Composition,
    DiscreteGaussian,
    DiscreteLaplace,
    Finite,
    Normal,
    Response,
    Sampled,
    composition,
    response,
)
from refdp.numerics.enclosures import precision
from refdp.numerics.exact import ExactReal
from tests.examples import few

F = Fraction
DIGITS = 60
UNIT = 1 << 260
"""Masses are added up as whole numbers of 1 / UNIT: mpmath's own numbers take ten times as long."""


def real(x: Fraction) -> mpf:
    return mpf(x.numerator) / x.denominator


def atoms(loss) -> tuple[dict[int, mpf], mpf, mpf]:
    """Masses by the index of the loss, the loss of index 0 and the step; by the definitions, cut off at 1e-70."""
    match loss:
        case DiscreteGaussian(variance, shift):
            v = real(variance)
            reach = int(mp.sqrt(2 * v * 250)) + 45 * shift
            weights = {k: mp.exp(-(mpf(k) ** 2) / (2 * v)) for k in range(-reach, reach + 1)}
            total = mp.fsum(weights.values())
            return {k: w / total for k, w in weights.items()}, mpf(shift) ** 2 / (2 * v), shift / v
        case DiscreteLaplace(epsilon, shift):
            e, found = real(epsilon), defaultdict(mpf)
            end, here = 1 / (1 + mp.exp(-e)), (1 - mp.exp(-e)) / (1 + mp.exp(-e))
            found[shift] = end
            for j in range(1, shift):
                found[shift - j] = here * mp.exp(-e * j)
            found[0] = end * mp.exp(-e * shift)
            return dict(found), -e * shift, 2 * e
        case Response(epsilon):
            e = real(epsilon.rational) + mp.log(real(epsilon.argument))
            return {0: 1 / (1 + mp.exp(e)), 1: 1 / (1 + mp.exp(-e))}, -e, 2 * e
    raise TypeError(loss)


def moment(loss, s) -> mpmath.mpc:
    """By Horner's scheme, from the greatest index down."""
    masses, first, step = atoms(loss)
    least, most = min(masses), max(masses)
    ratio, total = mp.exp(s * step), mpf(0)
    for k in range(most, least - 1, -1):
        total = total * ratio + masses.get(k, 0)
    return total * mp.exp(s * (first + step * least))


def holds(ball: arb, value: mpf, size: mpf) -> bool:
    """Whether a real ball holds a number that is known to 40 digits of that size."""
    low, high = mpf(str(ball.lower().str(50, radius=False))), mpf(str(ball.upper().str(50, radius=False)))
    room = mpf(10) ** -38 * size
    return low - room <= value <= high + room


NOISE = [
    *(DiscreteGaussian(F(v), m) for v, m in (("1/4", 1), ("1/2", 2), ("3", 1), ("40", 7), ("1000/3", 2))),
    *(DiscreteLaplace(F(e), m) for e, m in (("1/2", 1), ("1/3", 2), ("1/20", 9), ("3", 4), ("1/100", 50))),
]


def series(loss):
    found = factor_on(loss, lattice_of(composition([(loss, 1)])))
    assert isinstance(found, GaussianSeries | GeometricSeries)
    assert found.is_filled
    return found


@pytest.mark.parametrize("loss", NOISE, ids=str)
def test_closed_moments_are_sums_over_the_outcomes(loss):
    """On the line as far as three turns, where a term of the series other than the first is the greatest."""
    with precision(200), mp.workdps(DIGITS):
        found, step = series(loss), atoms(loss)[2]
        for order in (F(1, 10), F(3), F(40)):
            whole = moment(loss, real(order)).real
            assert holds(found.moment(order, 100), whole, whole)
            period = F(str(mp.nstr(step * 3, 30)))
            line = Line(order, period, 9)
            for j, value in enumerate(found.moments(line, 100, Effort())):
                wanted = moment(loss, real(order) + 2j * mp.pi * j / real(period))
                assert holds(value.real, wanted.real, whole)
                assert holds(value.imag, wanted.imag, whole)


@pytest.mark.parametrize("loss", NOISE, ids=str)
def test_moments_decay_as_is_said_up_to_half_a_turn(loss):
    with precision(200), mp.workdps(DIGITS):
        found, step = series(loss), atoms(loss)[2]
        for order in (F(1, 10), F(3)):
            decay, whole = found.decay(order), moment(loss, real(order)).real
            spots = [mp.pi / step * mpf(i) / 9 for i in range(1, 10)]
            sizes = [abs(moment(loss, mpmath.mpc(real(order), t))) / whole for t in spots]
            for place, t in enumerate(spots):
                bound = decay.bound(arb(mp.nstr(t, 50)))
                assert mpf(float(bound.upper())) * (1 + mpf(10) ** -9) >= max(sizes[place:]) - mpf(10) ** -40
            assert float(decay.bound(arb(mp.nstr(spots[-1], 25)))) < 1 or isinstance(loss, DiscreteLaplace)


def test_a_pair_that_fills_only_part_of_the_lattice_has_no_decay():
    """Its moments come again before the circle is closed."""
    wide, narrow = DiscreteGaussian(F(4), 3), DiscreteGaussian(F(4), 1)
    lattice = lattice_of(composition([(wide, 2), (narrow, 3)]))
    assert factor_on(wide, lattice).decay(F(1)) is None
    assert factor_on(narrow, lattice).decay(F(1)) is not None
    laplace = lattice_of(composition([(DiscreteLaplace(F(1), 3), 1), (DiscreteLaplace(F(1, 2), 2), 1)]))
    assert factor_on(DiscreteLaplace(F(1), 3), laplace).decay(F(1)) is None


def law(parts) -> tuple[dict[int, mpf], mpf, mpf]:
    """The law of the sum on the common lattice, by adding up all products."""
    known = [(atoms(loss), count) for loss, count in parts]
    step = min(one[2] for one, _ in known)
    for one, _ in known:  # all steps are whole multiples of the least, or halves of it
        if abs(one[2] / step - mp.nint(one[2] / step)) > mpf(10) ** -30:
            step /= 2
    total, origin, least = {0: UNIT}, mpf(0), UNIT**2 // 10**60
    for (masses, first, own), count in known:
        times = int(mp.nint(own / step))
        moves = [(k * times, int(mass * UNIT)) for k, mass in masses.items()]
        for _ in range(count):
            found = defaultdict(int)
            for (a, p), (b, q) in product(total.items(), moves):
                if (both := p * q) > least:
                    found[a + b] += both
            total, origin = {k: mass // UNIT for k, mass in found.items()}, origin + first
    return {k: mpf(mass) / UNIT for k, mass in total.items()}, origin, step


def delta(total, origin, step, epsilon: mpf) -> mpf:
    losses = ((origin + step * k, mass) for k, mass in total.items())
    return mp.fsum(mass * (1 - mp.exp(epsilon - loss)) for loss, mass in losses if loss > epsilon)


def random_parts(random: Random):
    """One or two kinds whose losses have a common lattice."""
    kind = random.choice(("gaussian", "laplace", "response", "both"))
    if kind == "gaussian":
        v = F(random.randint(1, 20), random.randint(1, 4))
        return [(DiscreteGaussian(v, m), random.randint(1, 3)) for m in random.sample((1, 2, 3), random.randint(1, 2))]
    if kind == "laplace":
        e = F(random.randint(1, 30), 10)
        return [(DiscreteLaplace(e, random.randint(1, 5)), random.randint(1, 4))]
    if kind == "response":
        e = ExactReal(argument=F(random.randint(11, 40), 10))
        return [(Response(e), random.randint(1, 6))]
    e = F(random.randint(1, 12), 12)
    return [(DiscreteLaplace(e, random.randint(1, 4)), random.randint(1, 3)), (response(e), random.randint(1, 4))]


@pytest.mark.parametrize("first", [0, 1000])
def test_any_circle_holds_the_delta_of_random_products(first):
    """Whatever the order, the number of points around, and how many of them are looked at: 1,000 questions."""
    asked = tight = 0
    for seed in range(first, first + few(100)):
        random = Random(seed)
        parts = random_parts(random)
        whole = composition(parts)
        lattice = lattice_of(whole)
        assert lattice is not None
        size = 2 * random.choice((5, 20, 60, 200)) + 1
        count = random.choice((size // 2, random.randint(1, size // 2)))
        order = F(random.choice(("1/5", "1", "7/2", "12")))
        with precision(160), mp.workdps(DIGITS):
            truth, origin, step = law(parts)
            factors = [(factor_on(loss, lattice), number) for loss, number in whole.parts]
            line = Line(order, Circle(lattice, size), count)
            decays = [one.decay(order) for one, _ in factors]
            shares = [None if one is None else one.bound(line.reach) for one in decays]
            contour = Contour.of([(f, k, 110) for f, k in factors], line, [2 * order], 160, Effort(), shares)
            for _ in range(5):
                spot = random.choice((origin + step * random.randint(-3, 12), mpf(random.uniform(-1, 6))))
                epsilon = F(mp.nstr(spot, 40))
                low, high = contour.delta(epsilon)
                wanted = arb(mp.nstr(delta(truth, origin, step, real(epsilon)), 50))
                assert low <= wanted + arb("1e-36")
                assert high >= wanted - arb("1e-36")
                asked += 1
                tight += bool(high - low < arb("1e-9"))
    assert asked >= few(100) * 5
    assert tight > asked / 10


WIDE = [
    [(DiscreteGaussian(F(400), 3), 40), (DiscreteGaussian(F(400), 2), 11)],
    [(DiscreteLaplace(F(1, 40), 35), 60)],
    [(DiscreteLaplace(F(1, 40), 35), 60), (response(F(3, 4)), 30)],
    [(Sampled(response(F(1)), F(1, 3), "add"), 3000)],
    [(Response(ExactReal(F(1, 4)), F(1, 10**7)), 1000)],
]


@pytest.mark.parametrize("parts", WIDE, ids=lambda parts: str(parts)[:60])
def test_curves_are_as_narrow_as_asked_for_and_hold_the_sum_on_the_lattice(parts):
    whole = composition(parts)
    found = Ladder.of(whole, Effort(F(1, 10**9), F(1, 10**12)), F(1, 10**9), lattice_of(whole))
    assert found.engine == PERIODIC
    sums = lattice_engine.curve(lattice_engine.laws(whole), 200, Effort())
    for epsilon in (F(0), F(1), F(5, 2), F(10), F(31, 2)):
        a, b = found.delta(epsilon), sums.delta(epsilon)
        assert a.lower <= b.upper
        assert b.lower <= a.upper
        assert a.upper - a.lower <= max(b.upper, F(1, 10**12)) / 10**7


def test_between_points_of_the_lattice_delta_is_linear_in_the_exponential():
    lattice = lattice_of(composition([(response(F(1, 2)), 3)]))
    with precision(128):
        points, error = Circle(lattice, 21).ends(F(7, 10))
        assert error == 0
        assert [float(y) for y, _ in points] == [0.5, 1.5]
        shares = [float(share) for _, share in points]
        wanted = (mpmath.exp(1.5) - mpmath.exp(0.7)) / (mpmath.exp(1.5) - mpmath.exp(0.5))
        assert shares == pytest.approx([wanted, 1 - wanted])


def test_what_may_be_a_point_of_the_lattice_is_taken_for_it():
    """Responses of 1/3 three times: 1/3 is one of the losses, and no ball tells that it is just that."""
    whole = composition([(response(F(1, 3)), 3)])
    lattice = lattice_of(whole)
    with precision(128), mp.workdps(DIGITS):
        line = Line(F(1), Circle(lattice, 41), 20)
        ((y, weight),), error = line.ends(F(1, 3))
        assert y.overlaps(arb(1) / 3)
        assert weight == 1
        assert 0 < error < arb("1e-35")
        contour = Contour.of([(factor_on(response(F(1, 3)), lattice), 3, 80)], line, [F(2)], 128, Effort(), [None])
        low, high = contour.delta(F(1, 3))
        wanted = arb(mp.nstr(delta(*law([(response(F(1, 3)), 3)]), mpf(1) / 3), 50))
        assert low <= wanted + arb("1e-36")
        assert high >= wanted - arb("1e-36")


def test_what_has_no_common_lattice_or_is_no_lattice_is_refused():
    halves = [(response(F(1, 2)), 1), (Response(ExactReal(argument=F(3))), 1)]
    for parts in (halves, [(Normal(F(1)), 1)], [(Sampled(DiscreteGaussian(F(9)), F(1, 3), "remove"), 1)]):
        assert lattice_of(composition(parts)) is None
        assert ENGINE.why_not(composition(parts)) == "the losses are not found to lie on a common lattice"
    few_points = composition([(response(F(1, 2)), 10)])
    assert "so few points" in ENGINE.why_not(few_points)
    wide = composition([(DiscreteGaussian(F(10**6)), 100)])
    assert ENGINE.why_not(wide) is None
    assert deviation(wide, lattice_of(wide)) == pytest.approx(10**4)
    assert REACH * 10**4 > FEW


def test_an_infinite_loss_is_told():
    with precision(100):
        whole = composition([(Response(ExactReal(F(1)), F(1, 10)), 2)])
        assert float(
            infinite_mass([(factor_on(loss, lattice_of(whole)), k) for loss, k in whole.parts])
        ) == pytest.approx(1 - 0.81)


def test_wide_noise_many_times_is_answered_by_few_points():
    """A hundred wide discrete Gaussians: normal noise has nearly the same, which an engine of its own gives."""
    answer = Account("add_remove", [Event(DiscreteGaussianEvent(F(1000)), count=400)]).answers(
        [Question(delta=F(1, 10**6))], Limits()
    )[0]
    assert answer.engine.startswith("periodic contour")
    assert answer.bounds.upper - answer.bounds.lower <= F(1, 10**9)
    mixed = Account(
        "change_one",
        [Event(DiscreteLaplaceEvent(F(10**5), F(10**5)), count=300), Event(DiscreteLaplaceEvent(F(5 * 10**4), F(9)))],
    ).answers([Question(delta=F(1, 10**6))], Limits())[0]
    assert mixed.engine.startswith("periodic contour")


def test_finite_laws_go_around_too():
    thirds = Finite(((F(1, 7), F(4, 7)), (F(2, 7), F(2, 7)), (F(4, 7), F(1, 7))))
    whole = composition([(thirds, 60)])
    assert isinstance(whole, Composition)
    found = Ladder.of(whole, Effort(F(1, 10**9), F(1, 10**9)), F(1, 10**9), lattice_of(whole))
    sums = lattice_engine.curve(lattice_engine.laws(whole), 200, Effort())
    for epsilon in (F(0), F(1), F(3)):
        a, b = found.delta(epsilon), sums.delta(epsilon)
        assert a.lower <= b.upper
        assert b.lower <= a.upper


@pytest.mark.parametrize("variance", [F(1, 4), F(1, 2)])
def test_terms_of_the_series_that_are_left_out_are_in_the_ball(variance, monkeypatch):
    """Of all terms only the two next to the greatest are added up, so that the others show."""
    loss = DiscreteGaussian(variance, 1)
    with precision(200), mp.workdps(DIGITS):
        rate = 2 * arb.pi() ** 2 * arb(variance.numerator) / variance.denominator
        rest = 2 * (-rate / 4).exp() / (1 - (-2 * rate).exp())
        monkeypatch.setattr(GaussianSeries, "_rest", lambda _: (0, rest.upper()))
        found, line = series(loss), Line(F(1, 2), F(str(mp.nstr(atoms(loss)[2] * 3, 30))), 9)
        for j, value in enumerate(found.moments(line, 100, Effort())):
            wanted = moment(loss, mpf(1) / 2 + 2j * mp.pi * j / real(line.period))
            assert holds(value.real, wanted.real, abs(wanted))
            assert holds(value.imag, wanted.imag, abs(wanted))


BEYOND = {
    "a delta below the mass of the greatest loss": (
        [Event(DiscreteLaplaceEvent(F(1000), F(1000)), count=300)], F(1, 10**100), True
    ),
    "hardly any noise": ([Event(DiscreteLaplaceEvent(F(1, 10**6), F(10**5)), count=10)], F(1, 10**6), False),
    "hardly any noise, not on a lattice": (
        [Event(GaussianEvent(F(1, 10**10))), Event(LaplaceEvent(F(1)))], F(1, 10**6), False
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BEYOND)
def test_digits_are_counted_before_any_point_is_computed(case, monkeypatch):
    """No contour has more digits than are kept; the reason says how many it would take, or another engine answers."""
    events, delta, answered = BEYOND[case]
    planned, refused, of = list[Plan](), list[str](), Plan.of

    def spied(*args, **options):
        try:
            planned.append(of(*args, **options))
        except OutOfReach as reason:
            refused.append(str(reason))
            raise
        return planned[-1]

    monkeypatch.setattr(Plan, "of", spied)
    answer = Account("change_one", events).answers([Question(delta=delta)], Limits())[0]
    assert any("binary digits at each of" in one for one in refused)
    assert not [one for one in planned if one.bits > MOST_BITS or one.bits * one.line.count > MOST_DIGITS]
    if answered:
        assert answer.engine == "lattice"
        assert answer.bounds.upper - answer.bounds.lower <= F(1, 10**9)
    else:
        assert "binary digits at each of" in answer.reason
        assert "\n" not in answer.reason
