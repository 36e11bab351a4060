"""The campaigns of examples/sensitivity: what they expect is true, and is what comes out."""

from itertools import islice

import pytest

from refdp.sensitivity.campaign import read_campaign
from tests.meta.repository import ROOT
from tests.sensitivity.small_tables import moves

FOLDER = ROOT / "examples" / "sensitivity"
CAMPAIGNS = sorted(path.name for path in FOLDER.glob("*.toml"))
QUESTIONS = [(name, place, one) for name in CAMPAIGNS for place, one in enumerate(read_campaign(FOLDER / name))]


def title(name, place, request):
    return f"{name}-{place + 1}-{request.target.rpartition(':')[2]}"


@pytest.mark.parametrize("request_", [q[2] for q in QUESTIONS], ids=[title(*q) for q in QUESTIONS])
def test_examples_expect_what_every_small_table_says(request_):
    violations = list(islice((move for move in moves(request_) if move.is_violation), 1))
    assert bool(violations) == (request_.expected == "REFUTED"), violations
