"""Questions whose judging once ended in an exception: each is judged, and none is lost."""

import pytest

from refdp.sensitivities.judging import judge
from refdp.sensitivities.request import Request
from refdp.sensitivities.scores import score_sensitivity

TEXT = """
def filtered_mean(rows):
    kept = [r["x"] for r in rows if r["g"] == "a"]
    return sum(kept) / len(kept) if kept else 0


def distance(rows, k=3):
    return abs(len(rows) - k)


def remainder(rows):
    return sum(rows) % 3


def square(rows):
    return sum(rows) ** 2


def dicts(rows):
    made = [{"v": r} for r in rows]
    return sum(one["v"] for one in made)


def lists(rows):
    made = [[r, 1] for r in rows]
    return sum(one[0] for one in made)


def median(rows, candidate):
    below = sum(1 for r in rows if r < candidate)
    above = sum(1 for r in rows if r > candidate)
    return -abs(below - above)


def rank(rows, candidate):
    return -abs(sum(1 for r in rows if r <= candidate) - len(rows) / 2)
"""
COLUMNS = {"x": "0..10", "g": "a | b"}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    found = tmp_path_factory.mktemp("lost") / "queries.py"
    found.write_text(TEXT, encoding="utf-8")
    return found


@pytest.mark.parametrize(
    ("name", "record", "neighbours", "verdict", "bound"),
    [
        ("filtered_mean", COLUMNS, "change_one", "PROVED", "10"),
        ("filtered_mean", COLUMNS, "add_remove", "PROVED", "10"),
        ("distance", "0..10", "change_one", "PROVED", "0"),
        ("distance", "0..10", "add_remove", "PROVED", "1"),
        ("remainder", "integers 0..10", "change_one", "PROVED", "2"),
        ("remainder", "integers 0..10", "add_remove", "PROVED", "2"),
        ("square", "0..10", "change_one", "UNKNOWN", None),
        ("dicts", "0..10", "change_one", "UNKNOWN", None),
        ("lists", "0..10", "add_remove", "UNKNOWN", None),
    ],
)
def test_question_is_judged(path, name, record, neighbours, verdict, bound):
    found = judge(Request(f"{path}:{name}", record, neighbours), 6)
    assert (found.verdict, None if found.bound is None else str(found.bound)) == (verdict, bound)


@pytest.mark.parametrize("name", ["median", "rank"])
@pytest.mark.parametrize("neighbours", ["change_one", "add_remove"])
def test_score_is_judged(path, name, neighbours):
    asked = Request(f"{path}:{name}", "integers 0..10", neighbours, symbols=["candidate"])
    assert score_sensitivity(asked, "candidate", seconds=6).sensitivity.verdict in ("PROVED", "UNKNOWN")
