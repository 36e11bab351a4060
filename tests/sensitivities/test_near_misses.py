"""Claims that are almost true are never proved, and are refuted."""

from dataclasses import replace
from pathlib import Path

import pytest

from refdp.sensitivities.campaign import read_campaign
from refdp.sensitivities.judging import judge
from tests.meta.repository import ROOT
from tests.sensitivities.small_tables import moves
from tests.sensitivities.thinning import mostly_long

NEAR_MISSES = read_campaign(Path(__file__).parent / "near_misses.toml")
EXAMPLES = ROOT / "examples" / "sensitivity"
TRUE = [
    one
    for campaign in ("queries.toml", "penguins.toml")
    for one in read_campaign(EXAMPLES / campaign)
    if one.expected == "PROVED" and one.claim != "0"
]
"""Every one of these claims is attained by tables of at most three rows."""


def name(request):
    return request.target.rpartition(":")[2]


@pytest.mark.parametrize("question", NEAR_MISSES, ids=map(name, NEAR_MISSES))
def test_near_misses_are_false(question):
    assert any(move.is_violation for move in moves(question))


@pytest.mark.parametrize("question", mostly_long(NEAR_MISSES, 3), ids=map(name, NEAR_MISSES))
def test_near_misses_are_refuted(question):
    assert judge(question, 10).verdict == "REFUTED"


@pytest.mark.long
@pytest.mark.parametrize("question", TRUE, ids=map(name, TRUE))
def test_near_misses_by_a_thousandth_are_all_refuted(question):
    assert judge(replace(question, claim=f"({question.claim}) * 999 / 1000"), 20).verdict == "REFUTED"


@pytest.mark.parametrize("question", TRUE[::9], ids=map(name, TRUE[::9]))
def test_near_misses_by_a_thousandth_are_refuted(question):
    assert judge(replace(question, claim=f"({question.claim}) * 999 / 1000"), 10).verdict == "REFUTED"


@pytest.mark.parametrize("question", mostly_long(TRUE[1::3], 4), ids=map(name, TRUE[1::3]))
def test_near_misses_by_a_millionth_are_not_proved(question):
    assert judge(replace(question, claim=f"({question.claim}) * 999999 / 1000000"), 4).verdict != "PROVED"
