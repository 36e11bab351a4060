"""Histories that are calibrated: one row has the value that is found, the others are kept."""

from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace

import pytest

import refdp
from refdp.accounting.inputs.relations import neighbours_of
from refdp.accounting.inputs.spec import read_spec
from refdp.accounting.losses import LossError
from refdp.accounting.marked_history import marked_history

ROWS = [[1.1, 0.01, 400], [0.9, 0.01, 600]]
RELATION = neighbours_of("add_remove")


def side(rows):
    """Which side of the target the history is on, asked without any calibration."""
    found = refdp.account({"history": rows}, neighbours="add_remove", epsilon=2, width="1/100")["delta"]
    return "meets" if Fraction(found["upper"]) <= Fraction("1e-5") else "fails"


@pytest.mark.parametrize(
    ("name", "place", "row"),
    [
        ("sigma", 0, 0),
        ("rate", 1, None),
        ("count", 2, None),
        pytest.param("sigma", 0, None, marks=pytest.mark.long),
        pytest.param("rate", 1, 0, marks=pytest.mark.long),
        pytest.param("count", 2, 0, marks=pytest.mark.long),
    ],
)
def test_the_row_that_is_found_meets_the_target_and_the_one_beside_it_does_not(name, place, row):
    marked = [[Decimal(str(x)) for x in each] for each in ROWS]
    if row is not None:
        marked[row][place] = "?"
    found = refdp.account({"history": marked}, epsilon=2, delta="1e-5", calibrate=name, digits=2)
    for end in ("meets", "fails"):
        value = Fraction(found["calibrated"][end])
        tried = [list(each) for each in ROWS]
        tried[1 if row is None else row][place] = int(value) if name == "count" else value
        assert side(tried) == end
    assert found["read"].startswith("a history: ")
    assert "its other rows are kept" in found["read"]


def test_rows_without_noise_or_without_samples_are_kept_or_left_out():
    stated = marked_history([[0, "1/10", 2], [1, 0, 5], [1, 1, 7]], "count", RELATION)
    assert [one["mechanism"] for one in stated["events"]] == ["finite", "gaussian"]
    assert stated["events"][1]["count"] == "?"
    read_spec({**stated, "events": stated["events"][:1]})


def test_an_accountant_is_calibrated_as_its_history():
    accountant = SimpleNamespace(history=[tuple(row) for row in ROWS])
    found = refdp.account(accountant, epsilon=2, delta="1e-5", calibrate="count", neighbours="change_one")
    assert found["neighbours"] == "change_one"
    assert found["calibrated"]["meets"] is not None


@pytest.mark.parametrize(
    ("rows", "name", "sentence"),
    [
        ([], "count", "history must be of one row or more to be calibrated, got none"),
        (ROWS, "scale", r"calibrate must be sigma \(noise multiplier\), rate or count \(steps\) with a history, got"),
        ([[1, "1/2"]], "count", "a row of a history must be of three numbers"),
        (
            [[1, 0, 5]],
            "count",
            "the row that is calibrated must have a noise_multiplier and a sample_rate > 0, got a 0",
        ),
        ([[0, "1/2", 5]], "count", "the row that is calibrated must have a noise_multiplier and a sample_rate > 0"),
        ([[1, 2, 5]], "count", "sample_rate must be between 0 and 1, got 2"),
        ([["?", "1/2", 5]], "count", 'calibrate must be the parameter with "[?]", sigma, got count'),
        ([["?", "1/2", "?"]], "count", 'calibrate must be the parameter with "[?]", count and sigma, got count'),
        ([[1, "1/2", 5], "row"], "count", "a row of a history must be of three numbers"),
    ],
)
def test_what_cannot_be_calibrated_gets_one_clear_sentence(rows, name, sentence):
    with pytest.raises(LossError, match=sentence):
        refdp.account({"history": rows}, epsilon=2, delta="1e-5", calibrate=name)
