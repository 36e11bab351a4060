"""Selections: losses in an interval of a known length, against enumeration; what is known of the worst of them."""

from fractions import Fraction
from itertools import permutations, product
from random import Random

import pytest
from mpmath import mp, mpf

from refdp.accounting import engines, losses
from refdp.accounting.accounts import Account, Limits, Question
from refdp.accounting.closed_forms.single import bounded_range_delta
from refdp.accounting.curves import Effort
from refdp.accounting.events import (
    Approximate,
    BoundedRange,
    Event,
    Exponential,
    FixedSize,
    Gaussian,
    LaplaceNoisyMax,
    NoTheorem,
    PermuteAndFlip,
    Poisson,
)
from refdp.accounting.judging.attained import attained
from refdp.accounting.losses import Composition, LossError, mixture
from refdp.accounting.pairs import dominating_pairs
from refdp.accounting.theorems.renyi_moments import log_moment
from refdp.numerics.elementary import ln_bounds
from refdp.numerics.enclosures import interval, precision
from refdp.numerics.exact import ExactReal, Ln
from tests.accounting.small_mechanisms import hockey_stick, ratios

ROUGH = Limits(Fraction(1, 2), timeout=20)
EFFORT = Effort(Fraction(1, 1000), Fraction(1, 10**6))


def laws(random, most, size=3):
    """Two laws whose ratios are within a factor `most` of each other."""
    weights = [random.randrange(1, 9) for _ in range(size)]
    factors = [1 + (most - 1) * Fraction(random.randrange(5), 4) for _ in range(size)]
    first = [Fraction(w, sum(weights)) for w in weights]
    whole = sum(p * f for p, f in zip(first, factors, strict=True))
    return first, [p * f / whole for p, f in zip(first, factors, strict=True)]


def exceeds(height, most, x):
    """Whether it is above (sqrt(most) - sqrt(x))^2 / (most - 1), 1 - x for small x and 0 for large: exactly."""
    if not 1 / most < x < most:
        return height > max(0, 1 - x)
    rest = most + x - height * (most - 1)
    return rest < 0 or rest**2 < 4 * most * x


def test_no_laws_with_a_bounded_range_cost_more_than_its_profile_and_its_moments():
    """1,000 pairs, each both ways."""
    for seed in range(1000):
        random = Random(seed)
        most = Fraction(random.randrange(3, 12), 2)
        for p, q in ((pair := laws(random, most)), pair[::-1]):
            for x in ratios(p, q):
                assert not exceeds(hockey_stick(p, q, x), most, x)
            for order in (2, 5):
                moment = sum(a**order * b ** (1 - order) for a, b in zip(p, q, strict=True))
                with precision(128):
                    bound = interval(log_moment(losses.BoundedRange(Ln(most)), Fraction(order)), 128).upper
                assert ln_bounds(moment, 128)[0] <= bound


def test_the_profile_and_the_moments_are_attained_by_two_candidates():
    p, q = (Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3))
    with precision(128):
        found = interval(bounded_range_delta(Ln(4), losses_ball(1)), 100)
    assert found.lower <= hockey_stick(p, q, Fraction(1)) == Fraction(1, 3) <= found.upper
    assert found.upper - found.lower < Fraction(1, 2**90)
    for order in (Fraction(2), Fraction(3)):
        with precision(256):
            bound = interval(log_moment(losses.BoundedRange(Ln(4)), order), 200)
        best = max(two_candidates(Fraction(4), Fraction(t, 1000), order) for t in range(1001))
        assert best <= bound.upper
        assert bound.lower - best < Fraction(1, 10**5)


def losses_ball(x):
    from refdp.accounting.balls import ball

    return ball(Fraction(x))


def two_candidates(most, share, order):
    """ln of the moment of the two laws with ratios z and z / most, z from 1 to most."""
    z = 1 + share * (most - 1)
    p = (most - z) / (most - 1)
    moment = p * z ** (order - 1) + (1 - p) * (z / most) ** (order - 1)
    return ln_bounds(moment, 200)[1]


@pytest.fixture(scope="module")
def curves():
    """What each engine says of two mechanisms with a range of ln 3."""
    twice = Composition(((losses.BoundedRange(Ln(3)), 2),))
    able = [engine for engine in engines.engines() if engine.why_not(twice) is None]
    assert len(able) == 3  # chords, Renyi, loose
    return [next(iter(engine.curves(twice, EFFORT))) for engine in able]


def test_adaptive_choices_never_cost_more_than_any_engine_says(curves):
    """1,000 mechanisms whose second part depends on what the first said, each both ways."""
    epsilons = [Fraction(n, 4) for n in range(9)]
    upper = {epsilon: min(curve.delta(epsilon).upper for curve in curves) for epsilon in epsilons}
    lower = {epsilon: max(curve.delta(epsilon).lower for curve in curves) for epsilon in epsilons}
    powers = {epsilon: exp(epsilon) for epsilon in epsilons}
    greatest = dict.fromkeys(epsilons, Fraction(0))
    for seed in range(1000):
        random = Random(seed)
        first, then = laws(random, Fraction(3), 2), [laws(random, Fraction(3), 2) for _ in range(2)]
        joint = [
            [law * inner for law, pair in zip(first[side], then, strict=True) for inner in pair[side]]
            for side in (0, 1)
        ]
        for p, q in (joint, joint[::-1]):
            for epsilon in epsilons:
                cost = hockey_stick(p, q, powers[epsilon])
                assert cost <= upper[epsilon]
                greatest[epsilon] = max(greatest[epsilon], cost)
    response = [[Fraction(n, 4) for n in row] for row in ((3, 1), (1, 3))]  # losses of ln 3: too great
    p, q = ([a * b for a in law for b in law] for law in response)
    assert hockey_stick(p, q, powers[Fraction(0)]) > upper[Fraction(0)]
    assert lower[Fraction(0)] > greatest[Fraction(0)] / 2


def exp(epsilon):
    from refdp.numerics.elementary import exp_bounds

    return exp_bounds(epsilon, 200)[1]


def test_what_is_attained_of_two_is_two_responses_of_half_the_range(curves):
    (renyi,) = [curve for curve in curves if curve.engine.startswith("Renyi")]
    half = [Fraction(n, 3) for n in (1, 2)]  # ln 4 / 2 = ln 2
    twice = Composition(((losses.BoundedRange(Ln(4)), 2),))
    curve = next(iter(next(e for e in engines.engines() if e.name == "renyi").curves(twice, EFFORT)))
    p, q = ([a * b for a in law for b in law] for law in (half[::-1], half))
    truth = hockey_stick(p, q, Fraction(1))
    assert truth - Fraction(1, 10**20) < curve.delta(Fraction(0)).lower <= truth
    assert renyi.delta(Fraction(0)).lower > 0


@pytest.mark.parametrize("monotone", [False, True])
def test_the_exponential_mechanism_has_losses_in_a_range(monotone):
    """All scores from 0 to 2 of three candidates that move by at most 1; weights are powers of 3/2."""
    base, widest = Fraction(3, 2), Fraction(1)
    for scores in product(range(3), repeat=3):
        for moves in product((0, 1) if monotone else (-1, 0, 1), repeat=3):
            first, second = (
                [base**s for s in row] for row in (scores, [s + m for s, m in zip(scores, moves, strict=True)])
            )
            found = [(a / sum(first)) / (b / sum(second)) for a, b in zip(first, second, strict=True)]
            widest = max(widest, max(found) / min(found))
    assert widest == base ** (1 if monotone else 2)
    epsilon = Exponential(10, 3, monotone).loss().epsilon
    assert epsilon == ExactReal(Fraction(3, 10) if monotone else Fraction(3, 5))


def test_selections_have_their_parameters():
    assert PermuteAndFlip(10, 3).loss() == LaplaceNoisyMax(10, 3).loss() == losses.Laplace(Fraction(3, 5))
    assert BoundedRange("ln(3)").loss() == losses.BoundedRange(Ln(3))
    assert Event(Exponential(10)).name == "exponential(scale=10, sensitivity=1)"
    for wrong, sentence in (
        (lambda: Exponential(0), "scale must be > 0"),
        (lambda: Exponential(1, 1, "yes"), "monotone must be true or false, got 'yes'"),
        (lambda: BoundedRange(0), "epsilon must be > 0, got 0"),
        (lambda: PermuteAndFlip(1, -1), "sensitivity must be > 0"),
    ):
        with pytest.raises(LossError, match=sentence):
            wrong()


def permuted_and_flipped(weights):
    """The law: in a random order each is taken with its weight over the greatest, until one is."""
    top, law = max(weights), [Fraction(0)] * len(weights)
    orders = list(permutations(range(len(weights))))
    for order in orders:
        left = Fraction(1, len(orders))
        for i in order:
            law[i] += left * weights[i] / top
            left *= 1 - weights[i] / top
    return law


def above_laplace(height, most, x):
    """Whether it is above 1 - sqrt(x / most), 1 - x for x < 1 / most and 0 for x > most: exactly."""
    if not 1 / most < x < most:
        return height > max(0, 1 - x)
    return height > 1 or (1 - height) ** 2 < x / most


def test_permute_and_flip_never_costs_more_than_laplace_noise_and_reaches_it():
    """1,000 pairs of scores of two to four candidates, each both ways; weights move by a factor of at most `most`."""
    reached = 0
    for seed in range(1000):
        random = Random(seed)
        half = Fraction(random.randrange(5, 13), 4)  # each weight moves by that factor, up or down
        weights = [Fraction(random.randrange(1, 9), random.randrange(1, 4)) for _ in range(random.randrange(2, 5))]
        moved = [w * random.choice((half, 1, 1 / half)) for w in weights]
        laws = permuted_and_flipped(weights), permuted_and_flipped(moved)
        for p, q in (laws, laws[::-1]):
            for x in {*ratios(p, q), Fraction(1)}:
                assert not above_laplace(hockey_stick(p, q, x), half**2, x)
        p, q = permuted_and_flipped([half, 1]), permuted_and_flipped([1, half])  # the middle, where both are reached
        reached += hockey_stick(p, q, Fraction(1)) == 1 - 1 / half
    assert reached == 1000


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.long)])
def test_the_noisy_maximum_of_laplace_noise_never_costs_more_than_laplace_noise(step):
    """Moves by 0, 1 or -1 of three scores, by integrals; scale 2, so that e = 1.  Each one by `make test-long`."""

    def law(scores):
        def one(i):
            def density(z):
                below = mp.exp(-abs(z - scores[i]) / 2) / 4
                for j, other in enumerate(scores):
                    tail = mp.exp(-abs(z - other) / 2) / 2
                    below *= 1 if j == i else tail if z < other else 1 - tail
                return below

            return mp.quad(density, [-60, *sorted({float(s) for s in scores}), 60])

        return [one(i) for i in range(len(scores))]

    scores = (0, 1, 3)
    first = law(scores)
    assert abs(sum(first) - 1) < mpf(10) ** -10
    for move in [m for m in product((-1, 0, 1), repeat=3) if m[0] <= 0][::step]:
        second = law([s + m for s, m in zip(scores, move, strict=True)])
        for p, q in ((first, second), (second, first)):
            for x in (mpf(1) / 2, mpf(1), mpf(3) / 2, mpf(2)):
                cost = sum(max(a - x * b, 0) for a, b in zip(p, q, strict=True))
                assert cost <= max(1 - mp.sqrt(x) * mp.exp(-0.5), 1 - x, 0) + mpf(10) ** -9


def test_samples_for_selections_use_their_epsilon_alone():
    event = Event(Exponential(10), 1, Poisson("1/3"))
    assert dominating_pairs(event, "add_remove")["add"] == losses.Sampled(losses.response("1/5"), Fraction(1, 3), "add")
    assert dominating_pairs(Event(Exponential(10), 1, FixedSize(3, 1)), "change_one")[
        "replace"
    ].base == losses.response("1/5")
    with pytest.raises(NoTheorem, match="no amplification"):
        dominating_pairs(event, "change_one")
    assert attained("add_remove", [(event, (event,))]) is None
    with pytest.raises(LossError, match="a pair of laws"):
        mixture([(Fraction(1, 2), losses.BoundedRange(Ln(3))), (Fraction(1, 2), losses.response(1))])


def test_many_exponential_mechanisms_cost_less_than_pure_ones():
    """About what (epsilon^2 / 8)-zCDP says, and at least what as many responses of half the range cost."""
    questions = [Question(delta=Fraction(1, 10**6))]
    found = {
        name: Account("add_remove", (Event(mechanism, 100),)).answers(questions, ROUGH)[0].bounds
        for name, mechanism in (("range", Exponential(10)), ("pure", Approximate("1/5")), ("half", Approximate("1/10")))
    }
    assert found["half"].lower - ROUGH.width <= found["range"].lower
    assert found["range"].upper < found["pure"].lower / 2
    assert found["range"].upper < found["half"].upper * Fraction(11, 10)


def test_selections_beside_noise_are_bounded_from_both_sides():
    account = Account("change_one", (Event(Exponential(4), 5), Event(Gaussian(3), 4)))
    bounds = account.epsilon_bounds("1e-5", Limits(Fraction(1, 2), timeout=3)).bounds
    assert 0 < bounds.lower < bounds.upper < 6
