"""Sensitivity, direction and range of score functions, against enumeration of small tables and candidates."""

from fractions import Fraction
from itertools import product

import pytest

from refdp.commands.check import replayed_file
from refdp.sensitivities.language.source import parse_source
from refdp.sensitivities.request import Request
from refdp.sensitivities.scores import score_sensitivity
from refdp.sensitivities.scoring.derived import check_parameters, drift, gap
from refdp.terms.leaves import integer, is_number, rational

SPECIES = ("Adelie", "Chinstrap", "Gentoo")
SIDES = """
def sides(rows, candidate):
    below = 0
    above = 0
    for x in rows:
        if x < candidate:
            below += 1
        if x > candidate:
            above += 1
    return below, above

def score(rows, candidate):
    below, above = sides(rows, candidate)
"""
TEXTS = {
    "rank": SIDES + "    return -abs(above - below)",
    "quantile": SIDES + "    return -abs(3 * below - above) / 4",
    "below": SIDES + "    return below",
    "interval": "def score(rows, candidate):\n    return sum(1 for x in rows if candidate <= x <= candidate + 1)",
    "missed": "def score(rows, candidate):\n    return -sum(1 for x in rows if x != candidate)",
    "mode": "def score(rows, candidate):\n    return sum(1 for x in rows if x == candidate)",
    "nothing": "def score(rows, candidate):\n    return candidate",
}


@pytest.fixture(name="judged")
def _judged(tmp_path):
    def judged(name, neighbours, claim=None, seconds=30, text=None):
        path = tmp_path / "queries.py"
        path.write_text(text or TEXTS[name], encoding="utf-8")
        if name == "mode":
            asked = Request(f"{path}:score", " | ".join(SPECIES), neighbours, claim)
            return score_sensitivity(asked, "candidate", SPECIES, seconds)
        asked = Request(f"{path}:score", "0..10", neighbours, claim, symbols=["candidate"],
                        assume="0 <= candidate and candidate <= 10")  # fmt: skip
        return score_sensitivity(asked, "candidate", seconds=seconds)

    return judged


def enumerated(name, neighbours):
    """The greatest move, the greatest difference of moves, and the signs of moves, on tables of at most three rows."""
    names = {}
    exec(TEXTS[name], names)  # the text is a constant of this file
    rows = SPECIES if name == "mode" else [Fraction(0), Fraction(3), Fraction(10)]
    chosen = SPECIES if name == "mode" else [Fraction(i, 2) for i in range(21)]
    farthest, spread, signs = Fraction(0), Fraction(0), set()
    for size in range(3):
        for table in product(rows, repeat=size):
            if neighbours == "add_remove":
                near = [(*table, r) for r in rows]
            else:
                near = [(r, *table[1:]) for r in rows] if size else []
            for other in near:
                moved = [Fraction(names["score"](other, c)) - names["score"](table, c) for c in chosen]
                farthest, spread = max(farthest, *map(abs, moved)), max(spread, max(moved) - min(moved))
                signs |= {(m > 0) - (m < 0) for m in moved}
    return farthest, spread, signs


SHORT = [("below", "add_remove")]
OTHERS = [pytest.param(*case, marks=pytest.mark.long) for case in product(TEXTS, ["add_remove", "change_one"])
          if case not in SHORT]  # fmt: skip


@pytest.mark.parametrize(("name", "neighbours"), [*SHORT, *OTHERS])
def test_scores_are_proved_to_move_as_far_as_they_do(judged, name, neighbours):
    farthest, spread, signs = enumerated(name, neighbours)
    found = judged(name, neighbours)
    assert found.sensitivity.verdict == "PROVED"
    assert found.sensitivity.bound.rational == farthest
    assert is_number(found.range_bound)
    assert spread <= found.range_bound.rational <= 2 * farthest
    if neighbours == "add_remove":
        expected = {(): "constant", (1,): "increasing", (-1,): "decreasing"}.get(tuple(signs - {0}), "no")
        assert found.monotone == expected
        assert found.needs_factor_2 == (expected == "no")
    else:
        assert found.monotone == "not decided"
    for one in found.evidence:
        assert one.certificate is not None


@pytest.mark.parametrize("name", ["rank", pytest.param("quantile", marks=pytest.mark.long)])
def test_scores_claimed_too_small_are_refuted_by_a_pair(judged, name):
    found = judged(name, "add_remove", {"rank": "999/1000", "quantile": "749/1000"}[name])
    assert found.sensitivity.verdict == "REFUTED"
    assert found.sensitivity.pair.distance >= Fraction(3, 4)
    assert (found.monotone, found.range_bound) == ("not decided", None)


@pytest.mark.long
def test_scores_that_rise_and_fall_have_a_pair_for_each(judged):
    found = judged("rank", "add_remove")
    assert found.monotone == "no"
    for pair, sign in ((found.rising, 1), (found.falling, -1)):
        assert len(pair.second) == len(pair.first) + 1
        assert sign * (pair.outcomes[1].numbers[0] - pair.outcomes[0].numbers[0]) > 0


@pytest.mark.long
@pytest.mark.parametrize(("name", "neighbours"), [("below", "add_remove"), ("rank", "add_remove")])
def test_scores_rest_on_certificates_that_replay(judged, name, neighbours, tmp_path):
    for one in judged(name, neighbours).evidence:
        (tmp_path / "one.json").write_text(one.certificate, encoding="utf-8")
        assert replayed_file(tmp_path / "one.json", None, None, 60.0)["verdict"] == one.verdict


def test_scores_drift_is_twice_the_score_less_the_bound_for_each_row():
    text = "def score(rows, candidate, weight=3, *, more=1):\n    return weight * candidate + len(rows) + more\n"
    source = parse_source(text, "score")
    names = {}
    for sign, bound, value in (("-", integer(5), 2 * 9 - 5 * 2), ("+", rational(Fraction(1, 2)), 2 * 9 + 1)):
        made = drift(source, bound, sign)
        exec(made.text, names)  # made of the text above
        assert names[made.name]([0, 0], 2) == value
        assert made.text.startswith(text)


def test_scores_made_functions_are_not_disturbed_by_a_score_that_changes_the_table():
    text = "def score(rows, candidate):\n    found = candidate * len(rows)\n    rows.clear()\n    return found\n"
    source, names = parse_source(text, "score"), {}
    made, (other, name) = drift(source, integer(3), "-"), gap(source, "candidate")
    exec(made.text, names)  # made of the text above
    exec(other.text, names)
    assert names[made.name]([0, 0], 5) == 2 * 10 - 3 * 2
    assert names[other.name]([0, 0], candidate=5, **{name: 2}) == 10 - 4


def test_scores_gap_is_the_difference_of_two_candidates():
    text = "other_candidate = 1\ndef score(rows, candidate, weight=3):\n    return weight * candidate + len(rows)\n"
    made, other = gap(parse_source(text, "score"), "candidate")
    names = {}
    exec(made.text, names)  # made of the text above
    assert other == "other_candidate_"
    assert names[made.name]([0], candidate=5, **{other: 3}) == 6


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("def score():", "must have plain parameters"),
        ("def score(*rows):", "must have plain parameters"),
        ("def score(rows, /, candidate):", "must have plain parameters"),
        ("def score(rows, **candidate):", "must have plain parameters"),
        ("def score(rows, label):", "must be a parameter of score, got candidate of label"),
        ("def score(candidate):", "must be a parameter of score"),
    ],
)
def test_scores_need_a_table_and_a_candidate(head, message):
    with pytest.raises(ValueError, match=message):
        check_parameters(parse_source(f"{head}\n    return 0", "score"), "candidate")


@pytest.mark.parametrize(
    "head", ["def len(x):\n    return 0", "len = max", "from math import *", "import math as list", "f = lambda len: 0"]
)
def test_scores_are_refused_where_what_counts_rows_is_defined_anew(head):
    source = parse_source(f"{head}\ndef score(rows, candidate):\n    return 0", "score")
    with pytest.raises(ValueError, match="must be Python's own"):
        check_parameters(source, "candidate")


@pytest.mark.parametrize(
    ("changes", "listed", "message"),
    [
        ({}, (), "must be a symbol, or a list"),
        ({"symbols": ["candidate"]}, (Fraction(1),), "declared once"),
        ({"values": {"candidate": "1"}}, (Fraction(1),), "declared once"),
        ({"symbols": ["candidate"], "edits": 2}, (), "edits must be 1"),
        ({"symbols": ["candidate"], "assume": "candidate < 0 and candidate > 0"}, (), "possible together"),
    ],
)
def test_scores_ask_for_a_candidate_declared_once(tmp_path, changes, listed, message):
    path = tmp_path / "q.py"
    path.write_text(TEXTS["below"], encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        score_sensitivity(Request(f"{path}:score", "0..10", "add_remove", **changes), "candidate", listed)
