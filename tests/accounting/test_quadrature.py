"""The quadrature engine against cells of outcomes in floats, closed forms, and the profiles of single events."""

from bisect import bisect_right
from fractions import Fraction
from functools import cache
from itertools import accumulate, pairwise
from math import erf, exp, isinf, log, sqrt
from random import Random

import pytest
from flint import acb, arb

from refdp.accounting.accounts import Account, Limits, Question
from refdp.accounting.closed_forms.engine import closed_form
from refdp.accounting.closed_forms.single import profile_of
from refdp.accounting.curves import Effort, OutOfReach
from refdp.accounting.events import Event, Poisson
from refdp.accounting.events import Gaussian as GaussianEvent
from refdp.accounting.events import Laplace as LaplaceEvent
from refdp.accounting.losses import (
    Concentrated,
    DiscreteGaussian,
    Finite,
    FixedSize,
    Laplace,
    Normal,
    Profile,
    Sampled,
    composition,
    response,
)
from refdp.accounting.quadrature import engine
from refdp.accounting.quadrature.build import built
from refdp.accounting.quadrature.densities import density_of
from refdp.accounting.quadrature.profiles import formulas, least_share
from refdp.numerics.enclosures import interval, precision
from tests.examples import few

QUADRATURE = engine.ENGINE
NARROW = Fraction(1, 10**9)
HALF = Fraction(1, 2)
BITS = 128
KINDS = [None, "remove", "add", "replace"]


def curve(parts, **effort):
    return next(QUADRATURE.curves(composition(parts), Effort(**effort)))


def normal_cdf(y):
    return (1 + erf(y / sqrt(2))) / 2


def laplace_cdf(y):
    return exp(y) / 2 if y < 0 else 1 - exp(-y) / 2


@cache
def cells(base, rate, direction, count, upper):
    """(P, Q) of so many cells of outcomes and of the two ends; `upper`: each split in the two ratios at its ends."""
    if isinstance(base, Normal):
        move, cdf = sqrt(base.mu_squared), normal_cdf
        low, high = -8 - move, 8 + move
    else:
        move, cdf = float(base.epsilon), laplace_cdf
        low, high = (-move if direction == "replace" else 0.0), move
    edges = [low + (high - low) * i / count for i in range(count + 1)]
    q = 1.0 if direction is None else float(rate)

    def sampled(moved, still, back):
        mixture, other = q * moved + (1 - q) * still, q * back + (1 - q) * still
        return {"add": (still, mixture), "replace": (mixture, other)}.get(direction, (mixture, still))

    def masses(centre):
        values = [0.0, *(cdf(y - centre) for y in edges), 1.0]
        return [b - a for a, b in pairwise(values)]

    def ratio(y):
        weights = [exp(-((y - c) ** 2) / 2 if isinstance(base, Normal) else -abs(y - c)) for c in (move, 0.0, -move)]
        p, q = sampled(*weights)
        return p / q

    found = [sampled(*three) for three in zip(*(masses(centre) for centre in (move, 0.0, -move)), strict=True)]
    if not upper:
        return found
    halves = [
        half
        for cell, ends in zip(found[1:-1], pairwise(map(ratio, edges)), strict=True)
        for half in split(*cell, *ends)
    ]
    return [*halves, found[0], found[-1]]


def split(p, q, a, b):
    """The masses (p, q) at the ratios a and b."""
    if abs(b - a) < 1e-9 * a:
        return [(p, q)]
    other = (p - a * q) / (b - a)
    return [(a * (q - other), q - other), (b * other, other)]


def merged_delta(laws, x):
    """The sum over pairs of cells of (P P' - x Q Q')_+: at most delta, as cells are events; floats."""
    few_cells, *others = laws
    last, *middle = others
    for law in middle:
        few_cells = [(p * r, q * s) for p, q in few_cells for r, s in law]
    last = sorted((pair for pair in last if pair[0] > 0), key=lambda pair: loss(*pair))
    losses = [loss(*pair) for pair in last]
    above = [list(accumulate([pair[i] for pair in reversed(last)], initial=0.0))[::-1] for i in (0, 1)]
    total = 0.0
    for p, q in few_cells:
        if p > 0:
            place = bisect_right(losses, log(x) - loss(p, q)) if q > 0 else 0
            total += p * above[0][place] - x * q * above[1][place]
    return total


def loss(p, q):
    return log(p / q) if q > 0 else float("inf")


def random_continuous(random):
    """(pair, its cells)."""
    base = random.choice([Normal, Laplace])(random.choice([Fraction(1, 9), HALF, Fraction(1), Fraction(4)]))
    direction, rate = random.choice(KINDS), random.choice([Fraction(1, 50), Fraction(1, 4), Fraction(9, 10)])
    pair = base if direction is None else Sampled(base, rate, direction)
    return pair, lambda upper: cells(base, rate, direction, 1000, upper)


@pytest.mark.parametrize("seed", range(few(50)))
def test_products_with_continuous_laws_are_between_those_of_cells(seed):
    """1,000 instances in 50 lots.  Cells are events; a cell whose mass is moved to its extreme ratios costs more."""
    random = Random(seed)
    for _ in range(few(20)):
        pairs, laws = zip(*(random_continuous(random) for _ in range(random.randrange(1, 3))), strict=True)
        if len(pairs) == 2 and all(isinstance(pair, Normal) for pair in pairs):
            continue
        discrete, rows = random.choice([
            ([], [(1.0, 1.0)]),
            ([(response("1/2", Fraction(1, 100)), 1)], [(0.01, 0.0), *two_outcomes(0.99, 0.5)]),
            ([(Finite(((HALF, Fraction(1, 3)), (HALF, Fraction(2, 3)))), 1)], [(0.5, 1 / 3), (0.5, 2 / 3)]),
        ])  # fmt: skip
        epsilon = Fraction(random.randrange(-10, 30), 10)
        x = exp(epsilon)
        low, high = (merged_delta([rows, *(law(upper) for law in laws)], x) for upper in (False, True))
        found = curve([*((pair, 1) for pair in pairs), *discrete]).delta(epsilon)
        assert low - 1e-10 <= found.upper
        assert found.lower <= high + 1e-10
        assert high - low < 1e-3
        assert found.upper - found.lower <= NARROW * max(found.lower, Fraction(1, 10**10))


def two_outcomes(rest, epsilon):
    t = exp(epsilon) / (1 + exp(epsilon))
    return [(rest * t, rest * (1 - t)), (rest * (1 - t), rest * t)]


@pytest.mark.parametrize(
    "epsilon", [Fraction(-2), Fraction(0), Fraction(1, 3), Fraction(1), Fraction(3), Fraction(9, 2)]
)
def test_two_gaussians_and_two_laplaces_have_their_closed_forms(epsilon):
    one, other = Laplace(Fraction(1)), Laplace(Fraction(2, 3))
    pairs = [
        (one, other, composition([(one, 1), (other, 1)])),
        (Normal(Fraction(1)), Normal(Fraction(3, 2)), composition([(Normal(Fraction(5, 2)), 1)])),
        (Laplace(Fraction(1)), Laplace(Fraction(1)), composition([(Laplace(Fraction(1)), 2)])),
    ]
    for integrated, known, both in pairs:
        with precision(BITS + 64):
            truth = interval(closed_form(both)(epsilon, BITS), BITS)
            found = built("quadrature", both, [], integrated, known, BITS, BITS).delta(epsilon)
        assert found.lower <= truth.upper
        assert truth.lower <= found.upper
        assert found.upper - found.lower < Fraction(1, 2**60)


@pytest.mark.parametrize("seed", range(few(20)))
def test_narrow_windows_and_early_flat_bends_are_paid_for(seed):
    """With few binary digits what is left out is far from negligible, and beside what more digits say."""
    random = Random(seed)
    for _ in range(few(10)):
        rates = [Fraction(1, 50), Fraction(1, 3), Fraction(9, 10)]
        one, other = (
            Sampled(
                base(random.choice([HALF, Fraction(2), Fraction(9)])), random.choice(rates), random.choice(KINDS[1:])
            )
            for base in (random.choice([Normal, Laplace]), Normal)
        )
        both, epsilon = composition([(one, 1), (other, 1)]), Fraction(random.randrange(-5, 30), 10)
        with precision(BITS):
            rough, fine = (
                built("quadrature", both, [], one, other, bits, BITS).delta(epsilon)
                for bits in (random.choice([2, 4, 8]), 80)
            )
        assert rough.lower <= fine.upper
        assert fine.lower <= rough.upper


LOSSES = [
    one
    for base in (Normal(Fraction(1, 4)), Normal(Fraction(4)), Laplace(HALF), Laplace(Fraction(2)))
    for rate in (Fraction(1, 20), HALF)
    for one in (base, FixedSize(base, rate), *(Sampled(base, rate, side) for side in KINDS[1:]))
]


@pytest.mark.parametrize("pair", LOSSES)
def test_formulas_of_profiles_are_the_profiles_but_for_what_they_may_be_below(pair):
    random = Random(str(pair))
    with precision(200):
        found, profile, met = formulas(pair, 100), profile_of(pair), 0
        assert 0 <= found.below < arb(2) ** -90
        for _ in range(few(100)):
            x = arb(random.choice([1, 1, random.random()])) * arb(random.uniform(-4, 4)).exp()
            value, truth = found.at(acb(x), x), profile(x)
            if value is not None and truth.is_finite():
                met += 1
                gap = truth - value.real
                assert gap.overlaps(found.below.union(arb(0)))
        assert met


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("mu_squared", [Fraction(1, 4), Fraction(4)])
def test_flat_bends_are_below_the_profile_by_no_more_than_is_said(direction, mu_squared):
    """With few digits they begin early enough to be seen; the most is attained where they begin."""
    pair = Sampled(Normal(mu_squared), Fraction(1, 5), direction)
    with precision(200):
        found, share, least = formulas(pair, 4), arb(1) / 5, least_share(pair.base, pair.rate, 4)
        for part in (arb("0.999999"), arb("0.9"), arb("0.5")):
            s = part * least
            x = 1 - share + share * s if direction == "remove" else (1 - s) / (1 - share)
            gap = profile_of(pair)(x) - found.at(acb(x), x).real
            assert 0 <= gap <= found.below
            assert gap > found.below * arb("0.99") or part < arb("0.99")


@pytest.mark.parametrize("pair", LOSSES)
def test_no_formula_is_given_on_a_disc_in_which_the_profile_bends(pair):
    """Where a profile is not analytic, a disc with numbers on both sides gets none; beside it, small discs get one."""
    base, rate = (pair, None) if isinstance(pair, Normal | Laplace) else (pair.base, pair.rate)
    with precision(160):
        found = formulas(pair, 100).at
        for bend in bends(pair, base, rate):
            wide = bend.union(bend * arb("1.001")).union(bend * arb("0.999"))
            assert found(acb(wide), wide) is None
            for side in (arb("1.001"), arb("0.999")):
                beside = bend * side
                assert found(acb(beside), beside) is not None


def bends(pair, base, rate):
    """Some x at which the formulas of the profile change."""
    if isinstance(base, Normal):
        if isinstance(pair, Sampled) and pair.direction != "replace":
            least, share = least_share(base, rate, 100), arb(rate.numerator) / rate.denominator
            return [1 - share + share * least if pair.direction == "remove" else (1 - least) / (1 - share)]
        return [arb(1)] if isinstance(pair, FixedSize) else []
    e = arb(base.epsilon.numerator) / base.epsilon.denominator
    if rate is None:
        return [e.exp(), (-e).exp()]
    share = arb(rate.numerator) / rate.denominator
    up, down = 1 - share + share * e.exp(), 1 - share + share * (-e).exp()
    if isinstance(pair, FixedSize):
        return [arb(1), up]
    return {"remove": [up, down], "add": [1 / up, 1 / down], "replace": [arb(1), up / down]}[pair.direction]


def both(piece):
    """The masses of P and Q in the piece."""

    def of_p(y, _):
        return piece.densities(y)[0]

    def of_q(y, _):
        density, ratio = piece.densities(y)
        return density * ratio

    return [acb.integral(one, piece.start, piece.end).real for one in (of_p, of_q)]


@pytest.mark.parametrize("direction", KINDS)
@pytest.mark.parametrize("base", [Normal(Fraction(1, 4)), Normal(Fraction(9)), Laplace(Fraction(2))])
def test_densities_and_atoms_of_both_laws_sum_to_one(base, direction):
    pair = base if direction is None else Sampled(base, Fraction(1, 5), direction)
    with precision(BITS):
        found = density_of(pair, 100)
        totals = [sum((atom[i] for atom in found.atoms), arb(0)) for i in (0, 1)]
        for piece in found.pieces:
            for i, total in enumerate(both(piece)):
                totals[i] += total
        assert 0 <= found.beyond < arb(2) ** -90
        assert abs(totals[0] - 1) < arb(2) ** -80
        assert not totals[0] + found.beyond < 1
        assert abs(totals[1] - 1) < arb(2) ** -50  # what replacement moves away is not all within the window of P


def test_what_has_no_density_is_refused_with_the_reason():
    laplace, fixed = Sampled(Laplace(HALF), HALF, "add"), FixedSize(Normal(HALF), HALF)
    assert QUADRATURE.why_not(composition([(laplace, 1), (fixed, 1)])) is None
    refused = {
        "no density of samples of a fixed size": [(fixed, 2)],
        "one or two continuous events, got more": [(laplace, 3)],
        "one or two continuous events, got none": [(response("1"), 2)],
        "neither a density nor a list of atoms of Concentrated": [(laplace, 1), (Concentrated(HALF), 1)],
        "neither a density nor a list of atoms of Profile": [(Profile("stated", lambda _: HALF), 1)],
        "neither a density nor a list of atoms of FixedSize": [(FixedSize(response("1"), HALF), 1), (laplace, 1)],
        "at most 8 discrete events": [(laplace, 1), (response("1"), 9)],
        "over 30000 sums": [(laplace, 1), (DiscreteGaussian(Fraction(10**4)), 2)],
        "over 200 sums": [(laplace, 2), (DiscreteGaussian(Fraction(10**4)), 1)],
    }
    for reason, parts in refused.items():
        assert reason in QUADRATURE.why_not(composition(parts))
        with pytest.raises(OutOfReach, match=reason):
            curve(parts)


@pytest.mark.parametrize("question", [Question(epsilon=1), Question(delta="1e-6"), Question(delta="1e-20")])
@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
def test_accounts_of_two_sampled_continuous_events_are_as_narrow_as_asked_for(neighbours, question):
    sampling = Poisson("1/10")
    account = Account(neighbours, (Event(LaplaceEvent(1), 1, sampling), Event(GaussianEvent(1), 1, sampling)))
    (answer,) = account.answers([question], Limits())
    assert answer.reason is None
    assert answer.engine == "quadrature"
    assert not isinf(float(answer.bounds.upper))


def test_one_delta_takes_no_more_values_than_are_allowed_and_says_so(monkeypatch):
    """Arb does not come back from an integral: its own limit ends it, and what comes then is wide, and true."""
    from refdp import work
    from refdp.accounting.quadrature import curve as curves

    parts = [(Normal(Fraction(1)), 1), (Laplace(HALF), 1), (response(HALF), 2)]
    usual = curve(parts, delta=Fraction(1, 10**6), width=NARROW)
    for most in (3, 40):
        monkeypatch.setattr(curves, "MOST_VALUES", most)
        before = work.COUNT.steps
        with pytest.raises(curves.TooManyValues, match=f"one delta takes more than {most} values of integrands"):
            usual.delta(HALF)
        # An integral that has begun may take the values of one more rule.
        assert work.COUNT.steps - before <= curves.VALUE * (most + 2000)
    with precision(BITS):
        (piece, *_), x, nothing = usual.density.pieces, arb("1.6").exp(), arb(0)
        wide, narrow = (usual.integral(piece, x, nothing, most) for most in (1, 10_000))
        assert wide.overlaps(narrow)
        assert not narrow.contains(wide)
    monkeypatch.setattr(curves, "MOST_VALUES", 3)
    events = (GaussianEvent(1), LaplaceEvent(2))
    answer = Account("add_remove", tuple(map(Event, events))).delta_bounds(HALF, Limits(NARROW, timeout=0.5))
    assert answer.engine != "quadrature"
