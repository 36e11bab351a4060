"""A test of a law says NOT_REFUTED only where it saw wrong laws that were planted; a blind one says UNKNOWN."""

from dataclasses import replace
from fractions import Fraction as F
from random import Random

import pytest

from refdp.auditing.evidence import sampler_tests
from refdp.auditing.evidence.plants import RUNS, is_seen, stream
from refdp.auditing.evidence.sampler_tests import SamplerTest
from refdp.auditing.judges.law import planted
from refdp.auditing.judges.law.planted import cells, values_of
from refdp.auditing.judges.law.reading import law_of
from refdp.verdicts import NOT_REFUTED, REFUTED, UNKNOWN
from tests.auditing.judges.running import ALPHA, driven, gaussian, laplace, law_judge

COIN = {"law": {"name": "finite", "outcomes": [0, 1], "masses": ["1/2", "1/2"]}, "input": 0}
LAWS = [
    {"name": "discrete_laplace", "scale": "3"},
    {"name": "discrete_laplace", "scale": "1/2", "granularity": "1/4", "location": "1/2"},
    {"name": "discrete_gaussian", "sigma": "10"},
    {"name": "laplace", "scale": "2", "location": "1"},
    {"name": "gaussian", "sigma": "1/3"},
    {"name": "finite", "outcomes": ["a", 1, 1.5, [1, 2]], "masses": ["1/2", "1/4", "1/8", "1/8"]},
]


def coin(seed, heads=0.5):
    random = Random(seed)
    return lambda x, n: [int(random.random() < heads) for _ in range(n)]


def forget():
    """What was seen, and by what values, with another harness."""
    planted._all_seen.cache_clear()
    planted.cells.cache_clear()


@pytest.fixture(autouse=True)
def forgotten():
    forget()
    yield
    forget()


@pytest.mark.parametrize("given", LAWS, ids=lambda one: one["name"])
def test_nearly_every_cell_has_a_value_that_is_placed_in_it(given):
    law = law_of(given, ALPHA, F(1, 20))
    known = cells(law.test, values_of(law.reference))
    missing = sum(p for c, p in enumerate(law.test.views[0].process.partition.most) if c not in known)
    assert missing < planted.LOST


@pytest.mark.parametrize("given", LAWS, ids=lambda one: one["name"])
def test_stated_errors_are_seen_after_as_many_draws_as_are_said_to_do(given):
    law = law_of(given, ALPHA, F(1, 5))
    names = tuple(one.name for one in law.test.alternatives)
    assert planted.seen(law, F(1, 5), law.test.draws_needed) == names
    assert planted.seen(law, F(1, 5), 16) == ()


@pytest.mark.parametrize("draw", [coin(1), coin(2)])
def test_a_right_coin_is_not_refuted_and_what_was_planted_is_named(draw):
    found = driven(law_judge(draw, resolution="1/10", **COIN))
    assert found.verdict == NOT_REFUTED
    assert "planted, and seen in 19 of 20 runs" in found.sentence
    assert driven(law_judge(coin(3, 0.6), resolution="1/10", **COIN)).verdict == REFUTED


BLIND = {
    "is never over": (SamplerTest, "is_over", lambda self, counted: False),
    "has no evidence": (SamplerTest, "e_value", lambda self, counted: sampler_tests.NOTHING),
    "gets no counts": (planted, "tally_of", lambda data: planted.Tally(((0, 0),))),
}


@pytest.mark.parametrize("blind", BLIND)
def test_a_blind_harness_says_unknown(blind, monkeypatch):
    judge = law_judge(coin(4), resolution="1/5", **COIN)
    opening = judge.opening()
    chunks = []
    while not judge.is_over(opening, chunks):
        chunks.append(judge.chunk(len(chunks) + 1, opening))
    assert judge.result(opening, chunks).verdict == NOT_REFUTED
    forget()
    monkeypatch.setattr(*BLIND[blind])
    found = judge.result(opening, chunks)
    assert found.verdict == UNKNOWN
    assert "no violation would have been seen" in found.reason


def test_a_harness_that_places_all_values_in_one_cell_says_unknown():
    """As if the statistic were constant: no value is found for the other cells."""
    law = law_of(COIN["law"], ALPHA, F(1, 5))
    (view,) = law.test.views
    constant = sampler_tests.View(view.name, view.weight, view.process, lambda y: 0)
    blind = replace(law.test, views=(constant,))
    assert planted._all_seen(law.test, law.test.alternatives, values_of(law.reference), 4096)
    assert not planted._all_seen(blind, law.test.alternatives, values_of(law.reference), 4096)


@pytest.mark.parametrize(("draw", "law"), [(laplace(1), {"name": "laplace", "scale": "1"}), (gaussian(2), LAWS[4])])
def test_too_few_draws_name_a_coarser_error_or_nothing(draw, law):
    right = draw if law["name"] == "laplace" else gaussian(2, 1 / 3)
    found = [driven(law_judge(right, law=law, input=0, samples=n)) for n in (64, 2000)]
    assert [one.verdict for one in found] == [UNKNOWN, NOT_REFUTED]
    assert "power was not reached" in found[1].power
    assert "planted, and seen" in found[1].power


def test_what_is_planted_has_a_stream_of_its_own():
    assert stream("a", 1).random() == stream("a", 1).random() != stream("a", 2).random()


def test_nineteen_of_twenty_must_be_seen():
    for missed, seen in ((0, True), (1, True), (2, False), (RUNS, False)):
        runs = iter([False] * missed + [True] * (RUNS - missed))
        assert is_seen(lambda runs=runs: next(runs)) is seen
