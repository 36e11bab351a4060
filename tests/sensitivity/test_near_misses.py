"""Claims that are almost true are never proved, and are refuted."""

from pathlib import Path

import pytest

from refdp.sensitivity.campaign import read_campaign
from tests.sensitivity.small_tables import moves

NEAR_MISSES = read_campaign(Path(__file__).parent / "near_misses.toml")


def name(request):
    return request.target.rpartition(":")[2]


@pytest.mark.parametrize("question", NEAR_MISSES, ids=map(name, NEAR_MISSES))
def test_near_misses_are_false(question):
    assert any(move.is_violation for move in moves(question))
