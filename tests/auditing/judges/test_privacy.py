"""Kind `privacy`: what is refuted, what is not, what is unknown; programs of fixed streams, so nothing is random."""

import re
from fractions import Fraction as F
from math import exp
from random import Random
from statistics import NormalDist

import pytest

from refdp.auditing.evidence.sequences import at_least, at_most
from refdp.auditing.judges.task import TaskError
from refdp.verdicts import NOT_REFUTED, REFUTED, UNKNOWN
from tests.auditing.judges.running import ALPHA, driven, gaussian, laplace, privacy_judge, recorded

ONE = {"pairs": [[0.0, 1.0]], "claim": {"input": "absolute", "d_in": 1, "epsilon": "1"}, "views": ["output"]}
LAWS = [{"name": "laplace", "scale": "1", "location": 0}, {"name": "laplace", "scale": "1", "location": 1}]


def numbers(run, samples=4000, **more):
    """A judge of f(x, n) at 0 and 1."""
    return privacy_judge(run, batched=True, **{**ONE, "samples": samples, "train": 512, **more})


def test_noise_as_claimed_is_not_refuted_and_the_power_is_said():
    found = driven(numbers(laplace(1)))
    assert found.verdict == NOT_REFUTED
    assert "would have seen epsilon >= 1." in found.power
    assert found.samples == 8000
    assert found.evidence.counterexample is None


@pytest.mark.parametrize("epsilon", ["700", "20000"])
def test_claims_whose_factor_is_no_float_are_judged_and_drawn(epsilon):
    found = driven(numbers(laplace(1), samples=600, claim={"epsilon": epsilon}))
    assert found.verdict == UNKNOWN
    assert found.reason == f"no violation would have been seen: an epsilon above {epsilon} is more than runs can show"
    assert len(found.evidence.curve.epsilons) > 1


@pytest.mark.parametrize(
    ("law", "sentence"),
    [
        ({"name": "laplace", "scale": "0", "location": 0}, "laws.scale and laws.granularity must be > 0, got 0 and 1"),
        ({"name": "laplace", "scale": "1", "granularity": "1/2"}, "granularity"),
        ({"name": "finite", "outcomes": [1], "masses": ["1/2", "1/2"]}, "masses must be one for each outcome"),
        ({"name": "finite", "outcomes": [1, 1], "masses": ["1/2", "1/2"]}, "laws.outcomes must be different"),
        ({"name": "finite", "outcomes": [1, 2], "masses": ["1/2", "x"]}, "laws.masses must be"),
        ({"name": "finite", "outcomes": [1, 2], "masses": ["1/2", "1/3"]}, "laws.masses must"),
    ],
)
def test_laws_of_a_pair_that_are_none_are_refused_where_they_stand(law, sentence):
    with pytest.raises(TaskError, match=re.escape(sentence)):
        numbers(laplace(1), laws=[law, law])


def test_half_of_the_noise_is_refuted_with_pair_event_counts_and_bounds():
    judge = numbers(laplace(2, 0.5), train=2048)
    found = driven(judge)
    assert (found.verdict, found.error) == (REFUTED, ALPHA)
    assert found.samples <= 2 * 1024
    assert "epsilon >= 1." in found.sentence
    example = found.evidence.counterexample
    assert example.inputs in (("0.0", "1.0"), ("1.0", "0.0"))
    assert all(" of " in count for count in example.counts)
    assert len(example.bounds) == 2
    assert "numbers from" in example.event
    assert any(b.inside for b in found.evidence.losses)
    assert not all(b.inside for b in found.evidence.losses)


def test_curve_certifies_no_more_than_is_exact_and_marks_the_claim():
    found = driven(numbers(laplace(3, 0.25), laws=[{**law, "scale": "1/4"} for law in LAWS]))
    curve = found.evidence.curve
    assert found.verdict == REFUTED
    assert curve.marked == 1.0
    for e, claimed, exact, low in zip(curve.epsilons, curve.claimed, curve.exact, curve.certified, strict=True):
        truth = max(0.0, 1 - exp((e - 4) / 2))
        assert exact == pytest.approx(truth, abs=1e-9)
        assert low is None or low <= truth
        assert (claimed == 0) == (e >= 1)
    assert any(low is not None and low > claimed for low, claimed in zip(curve.certified, curve.claimed, strict=True))


def total_variation(family):
    """delta(0) of noise of scale 2 around 0 and 1, by a sum over the integers or in closed form."""
    if family == "gaussian":
        return 2 * NormalDist().cdf(1 / 4) - 1
    r = exp(-1 / 2)
    return sum(abs(r ** abs(k) - r ** abs(k - 1)) for k in range(-90, 90)) * (1 - r) / (1 + r) / 2


@pytest.mark.parametrize("family", ["discrete_laplace", "gaussian"])
def test_curves_of_other_laws_are_those_of_their_half_lines(family):
    laws = [{"name": family, "scale": "2", "location": x} for x in (0, 1)]
    found = driven(numbers(gaussian(4, 2.0), laws=laws, samples=200))
    deltas = found.evidence.curve.exact
    assert deltas[0] == pytest.approx(total_variation(family), abs=1e-9)
    assert list(deltas) == sorted(deltas, reverse=True)


def test_result_is_a_function_of_the_record():
    judge = numbers(laplace(5, 0.5))
    record = recorded(judge)
    assert numbers(laplace(6)).result(*record) == judge.result(*record)


def test_claims_are_tight_within_the_stated_amount():
    """Randomised response with P = 3/4 keeps ln(3); ln(2) is refuted."""
    for p, epsilon, verdict in ((0.75, "ln(3)", NOT_REFUTED), (0.75, "ln(2)", REFUTED)):
        random = Random(1)
        run = lambda x, n, p=p, random=random: [(random.random() < p) == x for _ in range(n)]  # noqa: E731
        judge = privacy_judge(
            run, batched=True, pairs=[[False, True]], claim={"epsilon": epsilon}, samples=4096, train=256
        )
        assert driven(judge).verdict == verdict


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (lambda r: {"a": r.random() < 0.5, "b": 1}, lambda r: {"b": 1, "a": False}),
        (lambda r: {"a": 1.0} if r.random() < 0.5 else {}, lambda r: {}),
        (lambda r: [[r.random(), "x"], [r.random() ** 9, "y"]], lambda r: [[r.random(), "x"], [r.random(), "y"]]),
        (lambda r: None if r.random() < 0.5 else "a", lambda r: "a"),
        (lambda r: [0] * r.choice((1, 2)), lambda r: [0]),
        (lambda r: float("nan") if r.random() < 0.5 else r.random(), lambda r: r.random()),
        (lambda r: 1 if r.random() < 0.5 else 1.0, lambda r: 1),
        (lambda r: round(r.gauss(0, 9) * 64) / 64, lambda r: round(r.gauss(0, 9) * 64) / 64 + 1 / 3),
    ],
    ids=["dict", "key", "rows", "none", "length", "nan", "type", "low bits"],
)
def test_outputs_of_any_kind_are_told_apart(first, second):
    random = Random(7)
    bits = isinstance(first(random), float)
    views = ["output", "length", "type", "keys", *(["low_bits"] if bits else [])]
    run = lambda x: second(random) if x else first(random)  # noqa: E731
    judge = privacy_judge(run, pairs=[[0, 1]], claim={"epsilon": "1/2"}, samples=512, train=256, views=views)
    assert driven(judge).verdict == REFUTED


def test_bits_that_tell_inputs_apart_are_named_in_words():
    judge = numbers(laplace(1), views=["low_bits"])
    found = judge.result(*recorded(judge))
    assert (found.verdict, found.witness.rpartition(", ")[2]) == (REFUTED, "by low_bits")
    assert found.sentence.endswith("told apart by the exponent and the last binary digits of floats.")


def test_exceptions_are_outputs_unless_they_are_said_to_stop():
    random = Random(8)

    def run(x):
        if x and random.random() < 0.5:
            raise ValueError("too many labels")
        return 1

    fields = {"pairs": [[0, 1]], "claim": {"epsilon": "1"}, "samples": 1024, "train": 256}
    found = driven(privacy_judge(run, **fields))
    assert found.verdict == REFUTED
    assert "ValueError" in found.evidence.counterexample.event
    stopped = driven(privacy_judge(run, exceptions="stop", **fields))
    assert stopped.verdict == UNKNOWN
    assert "ValueError" in stopped.reason


def test_exception_that_training_did_not_show_ends_the_judging():
    """Had the batch been drawn again, runs would have been dropped for what they are."""
    calls = iter(range(10**6))

    def run(x):
        if next(calls) == 1500:
            raise ValueError("rare")
        return 1

    found = driven(privacy_judge(run, pairs=[[0, 1]], claim={"epsilon": "1"}, samples=2048, train=256))
    assert found.verdict == UNKNOWN
    assert "rare" in found.reason


@pytest.mark.parametrize("error", [MemoryError, OSError])
def test_limits_of_the_process_are_no_outputs(error):
    def run(x):
        if x:
            raise error("no more")
        return 1

    found = driven(privacy_judge(run, pairs=[[0, 1]], claim={"epsilon": "1"}, samples=1024, train=256))
    assert found.verdict == UNKNOWN
    assert error.__name__ in found.reason


def test_noise_that_starts_from_one_state_in_every_process_is_unknown():
    found = driven(numbers(lambda x, n: laplace(9, 0.5)(x, n), train=256, samples=10**5))
    assert found.verdict == UNKNOWN
    assert "independent" in found.reason


def test_alpha_is_split_over_pairs_and_points():
    claim = {"input": "absolute", "d_in": 1, "measure": "zcdp", "rho": "1/2"}
    found = driven(numbers(gaussian(1), pairs=[[0.0, 1.0], [5.0, 4.0]], claim=claim, samples=500))
    assert found.verdict == UNKNOWN
    assert found.reason == "no violation would have been seen: the pairs are too few"
    assert [line.alpha for line in found.evidence.ledger] == [str(ALPHA / 4)] * 4
    assert "zCDP" in found.claim
    half = driven(numbers(gaussian(2, 0.3), claim=claim, samples=5000))
    assert half.verdict == REFUTED


def test_second_pair_alone_may_refute():
    half, right = laplace(3, 0.5), laplace(4)
    run = lambda x, n: right(x, n) if x < 2 else half(x, n)  # noqa: E731
    found = driven(numbers(run, pairs=[[0.0, 1.0], [5.0, 4.0]], train=1024))
    assert found.verdict == REFUTED
    assert "5.0" in found.sentence


def test_renyi_bounds_are_judged_by_what_they_imply():
    """Gaussian noise of sigma 3 has the Renyi divergence 5/9 of order 10, of sigma 1 it is 5, and 1/2 is refuted."""
    for sigma, epsilon, verdict in ((3.0, "5/9", NOT_REFUTED), (1.0, "1/2", REFUTED)):
        claim = {"measure": "renyi", "order": 10, "epsilon": epsilon, "delta": "1/100"}
        assert driven(numbers(gaussian(5, sigma), claim=claim, samples=4000)).verdict == verdict


@pytest.mark.parametrize(
    ("given", "verdict", "words"),
    [
        (1.0, NOT_REFUTED, "By the library's map"),
        (0.25, REFUTED, "By the library's map"),
        ((0.25, 1e-6), REFUTED, "delta"),
        (float("inf"), UNKNOWN, "claims nothing"),
        ("a curve", UNKNOWN, "gives no numbers"),
        ((1.0, 1.0), UNKNOWN, "claims nothing"),
    ],
)
def test_library_map_is_taken_at_its_word(given, verdict, words):
    found = driven(
        numbers(laplace(6), claim={"input": "absolute", "d_in": 1}, privacy_map=lambda d: given, samples=2048)
    )
    assert found.verdict == verdict
    assert words in found.claim + found.sentence


def test_library_without_a_map_is_unknown():
    found = driven(numbers(laplace(6), claim={}))
    assert found.verdict == UNKNOWN
    assert "map" in found.reason


def test_pairs_of_a_space_are_neighbouring_and_far_apart():
    """A count that loses rows of value 10: tables of three rows, one replaced."""
    random = Random(2)
    run = lambda table, n: [sum(table) + round(random.gauss(0, 1)) for _ in range(n)]  # noqa: E731
    judge = privacy_judge(
        run, batched=True, space={"table": {"whole": [0, 10]}, "size": 3}, samples=1024, train=256,
        claim={"input": "change_one", "d_in": 1, "epsilon": "1"},
    )  # fmt: skip
    assert 1 <= len(judge.asked.pairs) <= 4
    assert abs(sum(judge.asked.pairs[0][0]) - sum(judge.asked.pairs[0][1])) == 10
    assert driven(judge).verdict == REFUTED


def test_bounds_of_probabilities_hold_and_close_in():
    assert at_least(0, 0, ALPHA) == 0
    assert at_most(10, 10, ALPHA) == 1
    low, high = at_least(10_000, 2500, "1/100"), at_most(10_000, 2500, "1/100")
    assert F(22, 100) < low < F(1, 4) < high < F(28, 100)
    assert at_least(1000, 0, ALPHA) == 0
    assert at_most(1000, 0, ALPHA) < F(1, 20)


@pytest.mark.parametrize("chance", [F(1, 50), F(1, 2), F(9, 10)])
def test_bounds_of_probabilities_hold_at_every_look(chance):
    """At error 1/10 for each end, 10 streams looked at five times each: a fifth of them may fail, and few do."""
    missed = 0
    for seed in range(10):
        random, hits = Random(f"{chance} {seed}"), 0
        for n in range(1, 201):
            hits += random.random() < chance
            if n % 40 == 0 and not at_least(n, hits, "1/10") <= chance <= at_most(n, hits, "1/10"):
                missed += 1
                break
    assert missed <= 2


def test_numbers_of_numpy_are_outputs_like_others():
    np = pytest.importorskip("numpy")
    random = np.random.default_rng(1)

    def run(x):
        return {"n": np.int64(random.random() < 0.5), "x": [random.normal()]} if x else {"n": 0, "x": [0.5]}

    judge = privacy_judge(run, pairs=[[0, 1]], claim={"epsilon": "1"}, samples=512, train=256)
    assert driven(judge).verdict == REFUTED
