"""Functions of the rows of a file, as they are written for Rocq; `make rocq` checks that the library answers alike."""

import json
from fractions import Fraction

import pytest

import refdp
from refdp.rocq import columns
from refdp.rocq.claims import WHOLE, file_of, formal_text
from refdp.rocq.terms import NotInRocq
from refdp.rocq.writing import Export
from refdp.terms.reading import read
from refdp.terms.term import text
from refdp.transformations.declared import fitted
from scripts import rocq, rocq_rows
from tests.meta.repository import ROOT


def test_functions_are_drawn_of_every_kind_on_every_domain():
    found = rocq_rows.instances()
    domains = {read(one).operator for one in rocq_rows.CELLS}
    assert {*columns.FUNCTIONS, *domains} <= rocq_rows.kinds(found)
    assert len({str(one.images) for one in found}) > 100
    text = rocq_rows.file_text(found[:20])
    assert text.count("Example answer_") == 20
    assert text.count("works_out. Qed.") == 20


def test_halves_are_rounded_as_the_library_says():
    """A definition of whole cells once rounded to the even, as columns of a granularity are."""
    assert fitted(read("grid(1)"), Fraction(-3, 2)) == -1
    assert fitted(read("grid(1)"), Fraction(1, 2)) == 1


def test_changed_answers_differ_in_one_image():
    for changed in rocq_rows.changed(rocq.CHANGED):
        assert changed.count("Example answer_") == 1


@pytest.mark.parametrize(
    ("rows", "written"),
    [
        ("reals()", "(Records.number_of c)"),
        ("interval(-2, 7/2)", "(Rmax (- 2) (Rmin (Records.number_of c) (7 / 2)))"),
        ("bounded(1, -3/2, 5/2)", "(Rmax (IZR (-1)) (Rmin (Records.whole (Records.number_of c)) (IZR (2))))"),
        ("above(grid(1), 1/3)", "(Rmax (Records.whole (Records.number_of c)) (IZR (1)))"),
        ("below(reals(), 7/2)", "(Rmin (Records.number_of c) (7 / 2))"),
        ("optional(labels('a'))", "(Records.if_listed [(StabilityClaims.Text text__1)] c)"),
        ("labels(2, 1)", "(Records.labelled [(StabilityClaims.Number 2); (StabilityClaims.Number 1)] c)"),
    ],
)
def test_a_cell_is_moved_into_its_domain(rows, written):
    assert columns.fitted(Export(), read(rows), "c") == written


@pytest.mark.parametrize(
    "rows",
    ["interval(1, 0)", "bounded(1, 1/3, 2/3)", "interval(0, n)", "grid(1/2)", "bounded(1/2, 0, 1)", "category(3)"],
)
def test_a_domain_that_has_no_members_or_is_no_domain_of_cells_is_refused(rows):
    with pytest.raises(NotInRocq):
        columns.fitted(Export(), read(rows), "c")


@pytest.mark.parametrize("written", ['a"b', "a. b", "(* a", "é", "a\nb", "a\\b"])
def test_a_text_that_would_end_a_string_or_a_sentence_is_refused(written):
    with pytest.raises(NotInRocq, match="no text of letters"):
        columns.text(Export(), text(written))


def test_a_text_is_defined_once_and_leaves_words_on_lists_alone():
    export = Export()
    assert [columns.text(export, text(one)) for one in ("x", "y", "x")] == ["text__1", "text__2", "text__1"]
    assert sum("Definition" in line for line in export.lines) == 2
    assert [line for line in export.lines if "Import" in line] == ["Import String."] * 2
    assert sum(line.startswith("Section") for line in export.lines) == sum(
        line.startswith("End") for line in export.lines
    )


def test_a_text_that_was_taken_back_is_defined_again():
    export = Export()
    before = export.size()
    columns.text(export, text("x"))
    export.back_to(before)
    assert columns.text(export, text("y")) == "text__1"
    assert columns.text(export, text("x")) == "text__2"


@pytest.mark.parametrize(
    "query", ["count", "sum body_mass_g", "examples/sensitivity/queries.py:clamped_sum body_mass_g"]
)
def test_a_release_is_whole(query, tmp_path, monkeypatch):
    """From the rows of the file to the noise: what a release satisfies is one theorem."""
    monkeypatch.chdir(ROOT)
    words = {"certificates": tmp_path}
    if query != "count":
        words |= {"missing": "replace=4000", "missing_marker": "NA"}
    if "clamped_sum" in query:
        words |= {"column": {"body_mass_g": "integers 2700..6300"}, "set": {"lower": 3000, "upper": 5000}}
    elif query != "count":
        words |= {"bounds": "body_mass_g=2700,6300"}
    refdp.release("refdp/releases/examples/penguins.csv", query, "1", "add_remove", **words)
    (path,) = tmp_path.glob("*.json")
    theorem = rocq.theorem_of(json.loads(path.read_text(encoding="utf-8")))
    found = file_of(theorem, "release", "a release", formal_text(theorem))
    assert (found["status"], found["missing"], found["premises"]) == (WHOLE, {}, [])
    assert "From Coq Require Import String." not in found["text"]
