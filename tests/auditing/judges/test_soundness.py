"""No REFUTED contradicts exact enumeration: random small mechanisms whose laws are known exactly, from fixed streams.

Every run is deterministic: 1,000 mechanisms for claims of privacy, and 1,000 for laws, half of them in every run.
At alpha = 10^-6 each, a false alarm in any of them would have had a chance of 0.002.
"""

from fractions import Fraction as F
from random import Random

import pytest

from refdp.auditing.evidence import enumerable
from refdp.auditing.evidence.pairs import claim
from refdp.auditing.judges.law import report
from refdp.auditing.judges.privacy import reading
from refdp.auditing.judges.privacy.counts import histories
from refdp.verdicts import NOT_REFUTED, REFUTED
from tests.auditing.judges.running import driven, law_judge, privacy_judge, recorded
from tests.examples import few

CLAIMS = [("ln(2)", "0"), ("ln(3)", "0"), ("1/2", "1/10"), ("ln(2)", "1/20")]
OUTCOMES = [True, "a", 2, None]


def law(random: Random) -> dict:
    outcomes = OUTCOMES[: random.choice((2, 3, 4))]
    units = [random.randint(1, 8) for _ in outcomes]
    return {y: F(u, sum(units)) for y, u in zip(outcomes, units, strict=True)}


def drawer(laws, seed):
    random = Random(seed)
    tables = [(list(one), [float(p) for p in one.values()]) for one in laws]
    return lambda x, n: random.choices(*tables[x], k=n)


def judge_of(seed: int):
    """A judge of a random mechanism, its laws and its claim."""
    random = Random(seed)
    laws, said = (law(random), law(random)), CLAIMS[seed % len(CLAIMS)]
    judge = privacy_judge(
        drawer(laws, seed), F(1, 10**6), batched=True, pairs=[[0, 1]], samples=256, train=128,
        claim={"epsilon": said[0], "delta": said[1]}, views=["output"],
    )  # fmt: skip
    return judge, enumerable.judge(claim(*said), *laws).verdict


def is_refuted(judge, opening, chunks) -> bool:
    return any(
        history.crossed is not None for history in histories(reading.tests(judge.alpha, opening), opening, chunks)[0]
    )


@pytest.mark.parametrize("block", range(few(10)))
def test_no_refutation_of_privacy_contradicts_enumeration(block):
    refuted = 0
    for seed in range(100 * block, 100 * block + 100):
        judge, truth = judge_of(seed)
        opening, chunks = recorded(judge)
        if is_refuted(judge, opening, chunks):
            assert truth == "REFUTED"
            refuted += 1
        if seed % 100 == 0:  # results are drawn in full, which takes longer
            found = judge.result(opening, chunks)
            assert (found.verdict == REFUTED) == is_refuted(judge, opening, chunks)
            assert found.verdict in (REFUTED, NOT_REFUTED)
    assert refuted >= 3  # the test can fail: many of the claims are wrong, some of them by enough


@pytest.mark.parametrize("block", range(few(10)))
def test_no_refutation_of_a_finite_law_contradicts_the_law(block, monkeypatch):
    """Samplers of one law judged by another: refuted only where they differ.

    What is planted tells NOT_REFUTED from UNKNOWN alone, and is not planted here.
    """
    monkeypatch.setattr(report, "seen", lambda *_: ())
    refuted = 0
    for seed in range(100 * block, 100 * block + 100):
        random = Random(seed)
        right, other = law(random), law(random)
        given = {"name": "finite", "outcomes": ["x", "y", "z", "w"][: len(right)], "masses": texts(right)}
        true = right if seed % 2 else other
        draw = drawer([dict(zip(given["outcomes"], true.values(), strict=False))], seed)
        found = driven(law_judge(draw, F(1, 10**6), law=given, input=0, samples=256))
        if found.verdict == REFUTED:
            assert [*true.values()] != [*right.values()]
            refuted += 1
    assert refuted >= 3


def texts(masses: dict) -> list[str]:
    return [str(p) for p in masses.values()]
