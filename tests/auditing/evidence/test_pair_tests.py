"""Claims of privacy from outputs alone: wrong ones are refuted within so many pairs, right ones are not.

All streams are fixed, so that each test is deterministic.
"""

from fractions import Fraction as F
from math import comb, e, exp
from random import Random

import pytest

from refdp.auditing.evidence.bit_patterns import low_bits
from refdp.auditing.evidence.event_families import half_lines, oracle_events
from refdp.auditing.evidence.learning import Raised, label, learned_events
from refdp.auditing.evidence.pair_tests import judge
from refdp.auditing.evidence.pairs import Event, PairTest, claim, count, merged
from refdp.numerics.intervals import Interval
from tests.auditing.evidence.looking import run_pairs

ALPHA = F(1, 10**9)
TOPS, BOTTOMS = (1,) * 5 + (0,) * 5, (0,) * 5 + (1,) * 5
"""Answers on two neighbours: ten queries, each of which moves by 1."""


def laplace(random: Random, scale: float) -> float:
    return random.expovariate(1 / scale) * random.choice((1, -1))


def pairs(first, second):
    return lambda n: [(first(), second()) for _ in range(n)]


def noisy(seed: int, scale: float, x: float = 0.0):
    random = Random(f"{seed} {x}")
    return lambda: x + laplace(random, scale)


def chen(seed: int, answers) -> object:
    """Sparse vector as in LSL17, Algorithm 6, with epsilon = 1: all ten answers are given."""
    random = Random(f"{seed} {answers}")

    def once():
        threshold = laplace(random, 2)
        return tuple(x + laplace(random, 2) >= threshold for x in answers)

    return once


def chen_law(high: int, low: int) -> dict[tuple[int, int], float]:
    """The law of how many of the first and the last five answers are above, by summing over the threshold."""
    found: dict[tuple[int, int], float] = {}
    for i in range(-2000, 2001):
        t = i / 50
        weight = exp(-abs(t) / 2) / 4 / 50
        above = [1 - (exp((t - x) / 2) / 2 if t < x else 1 - exp((x - t) / 2) / 2) for x in (high, low)]
        for j in range(6):
            for k in range(6):
                chance = comb(5, j) * comb(5, k)
                for p, n in ((above[0], j), (above[1], k)):
                    chance *= p**n * (1 - p) ** (5 - n)
                found[j, k] = found.get((j, k), 0) + weight * chance
    return found


def chen_events() -> tuple[Event, ...]:
    """The events of the oracle, both ways."""
    first, second = chen_law(1, 0), chen_law(0, 1)
    inside = [{y for y in first if p[y] > e * q[y]} for p, q in ((first, second), (second, first))]
    return tuple(
        Event(f"{d}", lambda y, s=s: (sum(y[:5]), sum(y[5:])) in s, d, F(1, 2))
        for s, d in zip(inside, (1, -1), strict=True)
    )


def test_laplace_with_half_its_noise_is_refuted_within_1000_pairs():
    test = PairTest(claim(1), half_lines(0, 1, 1), ALPHA)
    needed = []
    for seed in range(7):
        verdict, _ = run_pairs(test, pairs(noisy(seed, 0.5), noisy(seed, 0.5, 1.0)), 1000)
        assert verdict.refuted
        assert 1 < verdict.epsilon < 2
        needed.append(verdict.pairs)
    assert sorted(needed)[3] <= 600


def test_sparse_vector_without_a_limit_is_refuted_within_the_pairs_stated():
    test = PairTest(claim(1), chen_events(), ALPHA)
    needed = sorted(run_pairs(test, pairs(chen(s, TOPS), chen(s, BOTTOMS)), 20_000)[0].pairs for s in range(9))
    assert needed[4] <= 3_500
    assert needed[-1] <= 6_000


def test_sparse_vector_is_refuted_by_events_that_were_learned():
    first, second = chen(1, TOPS), chen(1, BOTTOMS)
    events = learned_events(claim(1), [first() for _ in range(3000)], [second() for _ in range(3000)])
    verdict, counts = run_pairs(PairTest(claim(1), events, ALPHA), pairs(first, second), 10_000)
    assert verdict.refuted
    assert 1 < verdict.epsilon < F(404, 100)  # the truth is 4.03
    assert judge(PairTest(claim(1), events, ALPHA), counts) == verdict


def gauss(seed: int, sigma: float, x: float = 0.0):
    random = Random(f"{seed} {x}")
    return lambda: random.gauss(x, sigma)


@pytest.mark.long
def test_gaussian_with_half_its_noise_is_refuted_within_90_000_pairs():
    """(1, 10^-5) by the exact sigma 3.731; half of it has delta(1) = 0.0104."""
    needed = []
    for seed in range(5):
        first, second = gauss(seed, 3.731 / 2), gauss(seed, 3.731 / 2, 1.0)
        events = learned_events(claim(1, "1e-5"), [first() for _ in range(10**4)], [second() for _ in range(10**4)])
        verdict, _ = run_pairs(PairTest(claim(1, "1e-5"), events, ALPHA), pairs(first, second), 200_000)
        needed.append(verdict.pairs)
        assert verdict.refuted
    assert sorted(needed)[2] <= 90_000


@pytest.mark.parametrize("scale", [1.0])
def test_laplace_as_claimed_is_not_refuted_and_the_power_is_said(scale):
    test = PairTest(claim(1), half_lines(0, 1, 1), ALPHA)
    verdict, _ = run_pairs(test, pairs(noisy(3, scale), noisy(3, scale, 1.0)), 5_000)
    assert not verdict.refuted
    assert 1 < verdict.epsilon < F(3, 2)
    assert "would have been seen" in verdict.reason
    few, _ = run_pairs(test, pairs(noisy(3, scale), noisy(3, scale, 1.0)), 20)
    assert few.epsilon is None
    assert "too few" in few.reason


@pytest.mark.long
def test_claims_that_are_tight_are_not_refuted_by_ten_million_pairs():
    """Randomised response at exactly its epsilon, by its own worst event."""
    random = Random(1)
    test = PairTest(claim("ln(3)"), oracle_events(claim(0), *responses()), ALPHA)
    verdict, _ = run_pairs(test, lambda n: ((random.random() < 0.75, random.random() < 0.25) for _ in range(n)), 10**7)
    assert not verdict.refuted


def responses():
    return {True: F(3, 4), False: F(1, 4)}, {True: F(1, 4), False: F(3, 4)}


def test_oracle_events_are_those_where_one_mass_exceeds_the_other():
    up, down = oracle_events(claim("ln(2)"), *responses())
    assert [up.contains(True), up.contains(False), down.contains(True), down.contains(False)] == [1, 0, 0, 1]
    assert not up.contains(1)
    assert not up.contains([])
    assert (up.direction, down.direction) == (1, -1)
    none = oracle_events(claim("ln(3)"), *responses())
    assert not any(event.contains(True) for event in none)
    wide = {True: Interval(F(1, 3), F(1)), False: Interval(F(0), F(1, 4))}
    assert not oracle_events(claim("ln(2)"), wide, responses()[1])[0].contains(True)  # 1/3 < 2/4


def test_low_bits_of_floats_are_a_view_that_tells_neighbours_apart():
    """Noise on a grid of 2^-10 added to 0 and to 1/3: the values tell little, the low bits nearly all."""
    random = Random(4)
    grid = lambda x: lambda: x + round(random.gauss(0, 1000) * 1024) / 1024  # noqa: E731
    first, second = grid(0.0), grid(1 / 3)
    train = [first() for _ in range(1000)], [second() for _ in range(1000)]
    views = [("value", lambda y: y), ("low bits", low_bits)]
    test = PairTest(claim(1), learned_events(claim(1), *train, views), ALPHA)
    verdict, _ = run_pairs(test, pairs(first, second), 500)
    assert verdict.refuted
    assert "low bits" in verdict.event.name


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (lambda r: None if r.random() < 0.3 else "a", lambda r: "a"),
        (lambda r: Raised("ValueError") if r.random() < 0.3 else 1, lambda r: 1),
        (lambda r: [0] * r.choice((1, 2)), lambda r: [0]),
        (lambda r: float("nan") if r.random() < 0.3 else r.random(), lambda r: r.random()),
        (lambda r: -0.0 if r.random() < 0.3 else 0.0, lambda r: 0.0),
        (lambda r: {"a": r.random() < 0.3}, lambda r: {"a": False}),
        (lambda r: (r.random(), (r.random() ** 3,)), lambda r: (r.random(), (r.random() ** 0.2,))),
        (lambda r: 10**400 if r.random() < 0.3 else 1, lambda r: 1),
    ],
    ids=["none", "exception", "length", "nan", "minus zero", "dict", "nested", "huge"],
)
def test_outputs_of_any_kind_are_told_apart(first, second):
    random = Random(5)
    events = learned_events(claim("1/2"), [first(random) for _ in range(500)], [second(random) for _ in range(500)])
    verdict, _ = run_pairs(
        PairTest(claim("1/2"), events, ALPHA), pairs(lambda: first(random), lambda: second(random)), 2000
    )
    assert verdict.refuted


def test_labels_tell_types_and_signs_apart():
    values = [1, 1.0, True, "1", b"1", F(1), None, 0.0, -0.0, float("nan"), (1,), [1], Raised("ValueError")]
    assert len({label(v) for v in values}) == len(values)
    assert label(float("nan")) == label(float("nan"))


def test_identical_programs_are_not_refuted_whatever_is_learned():
    for seed in range(5):
        random = Random(seed)
        once = lambda: (random.randrange(50), random.random())  # noqa: B023, E731
        events = learned_events(claim(0), [once() for _ in range(300)], [once() for _ in range(300)])
        verdict, _ = run_pairs(PairTest(claim(0), events, ALPHA), pairs(once, once), 1000)
        assert not verdict.refuted


def test_counts_merge_in_any_order_and_carry_on():
    test = PairTest(claim(1), half_lines(0, 1, 1), ALPHA)
    draw = pairs(noisy(7, 0.5), noisy(7, 0.5, 1.0))
    a, b, c = (count(test.events, draw(50)) for _ in range(3))
    assert merged(merged(a, b), c) == merged(a, merged(b, c)) == merged(c, b, a)
    verdict, total = run_pairs(test, draw, 1000, merged(a, b, c))
    assert verdict.refuted
    assert sum(total.values()) >= 150


def test_mistaken_statistics_would_refute_what_is_right():
    """The wrong direction sees nothing; with delta left out, a true claim would be refuted."""
    backward = Event("most often on the other side", lambda y: y <= 0, -1, F(1))
    right = PairTest(claim(1), (backward,), ALPHA)
    draw = pairs(noisy(1, 0.5), noisy(1, 0.5, 1.0))
    assert not run_pairs(right, draw, 3000)[0].refuted
    random = Random(1)
    leaky = pairs(lambda: random.random() < 0.1, lambda: False)
    said, left_out = (PairTest(claim(0, delta), (Event("T", bool, 1, F(1)),), ALPHA) for delta in ("1/10", 0))
    assert not run_pairs(said, leaky, 3000)[0].refuted
    assert run_pairs(left_out, leaky, 3000)[0].refuted


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: half_lines(0, 0, 1), "distance"),
        (lambda: half_lines(0, 1, 0), "spread"),
        (lambda: learned_events(claim(1), [], [1]), "both neighbours"),
        (lambda: run_pairs(PairTest(claim(1), half_lines(0, 1, 1), ALPHA), lambda n: [(0, 0)], 100), "64 pairs, got 1"),
    ],
)
def test_parts_refuse_what_has_no_meaning(make, message):
    with pytest.raises(ValueError, match=message):
        make()
