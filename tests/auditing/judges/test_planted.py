"""NOT_REFUTED is said by a harness that saw violations of the strength that it names; a blind one says UNKNOWN.

Streams are fixed, so that a verdict is the same in every run.
"""

import math
from fractions import Fraction as F
from random import Random

import pytest

from refdp.auditing.evidence import learning, pair_bounds, pairs
from refdp.auditing.evidence.pair_bounds import frequency
from refdp.auditing.evidence.pairs import PairTest, claim
from refdp.auditing.evidence.plants import ENOUGH, RUNS, binomial, multinomial
from refdp.auditing.judges.privacy import counts, planted
from refdp.numerics.elementary import exp_bounds
from refdp.verdicts import NOT_REFUTED, REFUTED, UNKNOWN
from tests.auditing.judges.running import driven, gaussian, laplace, privacy_judge

BLIND = "no violation would have been seen"


def response(seed: int, truth: float = 0.75):
    """Randomised response: a bit, kept with this probability."""
    random = Random(seed)
    return lambda x, n: [(random.random() < truth) == x for _ in range(n)]


def asked(run=None, epsilon="ln(3)", **fields):
    given = {"pairs": [[False, True]], "claim": {"epsilon": epsilon}, "samples": 4096, "train": 256} | fields
    return privacy_judge(run or response(1), batched=True, **given)


def strength(found) -> F:
    """The epsilon of the power sentence."""
    return F(found.power.partition("epsilon >= ")[2].partition(" ")[0])


def test_a_tight_claim_is_not_refuted_and_names_a_strength_that_was_seen():
    found = driven(asked())
    assert found.verdict == NOT_REFUTED
    assert math.log(3) < strength(found) < 2
    assert f"planted violations of that strength were seen in {ENOUGH} of {RUNS} runs" in found.sentence


def test_a_program_of_the_named_strength_is_refuted():
    """Not a plant: randomised response of that very loss, drawn and judged as any target."""
    epsilon = float(strength(driven(asked())))
    truth = math.exp(epsilon) / (1 + math.exp(epsilon))
    assert [driven(asked(response(seed, truth))).verdict for seed in range(20)].count(REFUTED) >= ENOUGH


@pytest.mark.parametrize("delta", [F(0), F(1, 10)])
@pytest.mark.parametrize("second", [F(1, 1000), F(1, 4), F(1, 2), F(1)])
@pytest.mark.parametrize("epsilon", [F(1, 10), F(1), F(3)])
def test_what_is_planted_has_the_stated_loss_exactly(epsilon: F, second: F, delta: F):
    """Of the four events of two outcomes none exceeds (epsilon, delta), and one meets it."""
    factor = exp_bounds(epsilon, 128)[1]
    q = frequency(factor, delta, second)
    p = factor * q + delta
    excess = [a - factor * b for a, b in ((p, q), (1 - p, 1 - q), (q, p), (1 - q, 1 - p))]
    assert 0 < q <= second
    assert p <= 1
    assert max(excess) == delta


@pytest.mark.parametrize(
    ("place", "name", "blind"),
    [
        (pairs.PairTest, "refutes", lambda self, counts: False),
        (counts, "refutes", lambda test, at: False),
        (planted, "counted", lambda events, x, y: [[0, 0, 1]]),
        (counts, "_own", lambda part, start, size: {(0, 0): 4096}),
    ],
    ids=["never refutes", "never looks", "no output is in an event", "counts are thrown away"],
)
def test_a_blind_harness_says_unknown(place, name, blind, monkeypatch):
    judge = asked()
    opening = judge.opening()
    chunks = [judge.chunk(1, opening)]
    assert judge.result(opening, chunks).verdict in (NOT_REFUTED, UNKNOWN)
    monkeypatch.setattr(place, name, blind)
    found = judge.result(opening, chunks)
    assert found.verdict == UNKNOWN
    assert found.reason.startswith(BLIND)


@pytest.mark.parametrize("holds", [True, False])
def test_events_that_hold_everything_or_nothing_say_unknown(holds, monkeypatch):
    def blind(*_):
        return lambda y: holds

    monkeypatch.setattr(learning, "_beyond", blind)
    monkeypatch.setattr(learning, "_unlike", blind)
    found = driven(asked())
    assert (found.verdict, found.reason.startswith(BLIND)) == (UNKNOWN, True)


def test_a_strength_that_was_promised_and_not_seen_is_not_named(monkeypatch):
    """As if the bound of the power were wrong: what was seen is named, or nothing."""
    honest = strength(driven(asked()))
    monkeypatch.setattr(pair_bounds, "OFTEN", F(1, 10**6))
    found = driven(asked())
    assert found.verdict == UNKNOWN or strength(found) >= honest * F(3, 4)


def test_a_constant_program_would_have_shown_outputs_unlike_those_set_aside():
    found = driven(asked(lambda x, n: [0] * n))
    assert found.verdict == NOT_REFUTED


@pytest.mark.parametrize("seed", range(3))
def test_outputs_that_training_did_not_show_are_an_event(seed):
    """A label that is given after the training part, and on one side only."""
    random, drawn = Random(seed), [0]

    def run(x, n):
        drawn[0] += n
        return [int(x and drawn[0] > 512 and random.random() < 0.2) for _ in range(n)]

    assert driven(asked(run)).verdict == REFUTED


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("noise", [laplace, gaussian])
def test_numbers_see_what_they_name(noise, seed):
    found = driven(asked(noise(seed, 8.0), epsilon="1/2", pairs=[[0.0, 1.0]], train=512, views=["output"]))
    assert found.verdict == NOT_REFUTED
    assert strength(found) > F(1, 2)


def broken(error):
    def run(x, n=1):
        raise error

    return run


@pytest.mark.parametrize(
    ("run", "told"),
    [
        (broken(ValueError("no")), "raised ValueError"),
        (broken(KeyError("k")), "raised KeyError"),
        (lambda x, n: [math.nan] * n, "gave NaN"),
        (lambda x, n: [[math.nan, math.nan]] * n, "gave NaN"),
    ],
)
def test_a_target_that_never_answers_is_unknown(run, told):
    found = driven(asked(run))
    assert found.verdict == UNKNOWN
    assert f"the target {told} in each of" in found.reason


def test_a_target_that_answers_for_one_input_only_is_refuted():
    assert driven(asked(lambda x, n: [math.nan if x else 0.0] * n)).verdict == REFUTED


@pytest.mark.parametrize(("n", "p"), [(1000, 0.3), (100_000, 0.001), (40, 0.9), (10, 0.5), (5000, 0.0), (5000, 1.0)])
def test_binomial_counts_have_their_mean_and_variance(n: int, p: float):
    """The mean of 400 within 6 standard errors; the variance within a half: fixed streams."""
    random = Random(f"{n} {p}")
    found = [binomial(n, p, random) for _ in range(400)]
    mean, variance = n * p, n * p * (1 - p)
    seen = sum(found) / 400
    assert all(0 <= k <= n for k in found)
    assert abs(seen - mean) <= 6 * math.sqrt(variance / 400)
    assert abs(sum((k - seen) ** 2 for k in found) / 400 - variance) <= variance / 2


def test_multinomial_counts_add_up():
    random = Random(1)
    found = multinomial(1000, (0.1, 0.2, 0.3, 0.4), random)
    assert sum(found) == 1000
    assert multinomial(9, (0.0, 0.0, 0.0, 1.0), random) == [0, 0, 0, 9]


def test_bounds_show_the_contradiction():
    """Long epsilons, refuted by much and by little: the certified one is above the claimed one, in digits."""
    for excess in (F(1, 3), F(1, 10**3), F(1, 10**5)):
        epsilon = exp_bounds(F(-1, 7), 80)[0] + F(1, 3)
        at = claim(epsilon)
        from refdp.auditing.judges.privacy.report import contradiction

        claimed, found = contradiction(at, epsilon + excess)
        upper = F(claimed.partition("epsilon <= ")[2].partition(",")[0])
        lower = F(found.partition("epsilon >= ")[2])
        assert epsilon <= upper < lower <= epsilon + excess
    assert contradiction(at, None)[1] == "epsilon above the claimed one"
    exactly, found = contradiction(claim("ln(3)"), F("1.09862"))
    assert exactly == "(epsilon = ln(3), delta = 0)"
    assert math.log(3) < float(found.partition("epsilon >= ")[2]) <= 1.09862


@pytest.mark.parametrize("delta", [F(0), F(1, 100)])
def test_what_is_refuted_by_little_is_refuted_above_the_claim(delta: F):
    """Counts at which the claim is only just refuted: what is certified is still above it."""
    at = claim("0.123456789012345678901234567", delta)
    test = PairTest(at, (pairs.Event("a", bool, 1, F(1)),), F(1, 100))
    n = next(n for n in range(10, 10**4) if test.refutes({(1, 0): n, (0, 1): 100}))
    found = pair_bounds.beyond_claim(test, {(1, 0): n, (0, 1): 100})
    assert found is None or found > at.epsilon
    assert pair_bounds.beyond_claim(test, {(1, 0): n + 3, (0, 1): 100}) > at.epsilon
