"""A derivation is drawn whole: every step in a box of its own, no box over another, premises above conclusions."""

from itertools import combinations
from xml.etree import ElementTree as ET

import pytest

from refdp.claims import claim, ledger
from refdp.report.certificates import theorem_of
from refdp.report.steps import Step, step_of
from refdp.report.tree_layout import BOX_WIDTH, COLUMNS, MOST_LINES, drawing, lines_of, wrapped
from refdp.report.tree_svg import STYLE, kind_of, svg_of

LARGEST_WIDTH = 1100
"""In pixels: wider trees cannot be read on a page."""


def leaf(title, by=("z3",)):
    return Step("oracle", title, ("of thing",), by, ())


def steps(step):
    return [step, *(s for p in step.premises for s in steps(p))]


def overlaps(one, other):
    return abs(one.x - other.x) < BOX_WIDTH and one.y < other.y + other.height and other.y < one.y + one.height


def comb(n):
    """A step on n steps, the i-th of which rests on i lemmas."""
    rows = [Step("rule", f"rule {i}", ("said",), (), tuple(leaf(f"{i}.{j}") for j in range(i))) for i in range(n)]
    return Step("rule", "last", ("said",), (), tuple(rows))


TREES = [comb(n) for n in range(9)] + [Step("rule", "wide", ("said",), (), tuple(leaf(str(i)) for i in range(9)))]


@pytest.mark.parametrize("step", TREES)
def test_tree_of_any_shape_has_each_step_once_and_no_two_boxes_over_each_other(step):
    d = drawing(step)
    assert len(d.boxes) == len(steps(step))
    assert [(a, b) for a, b in combinations(d.boxes, 2) if overlaps(a, b)] == []


def test_tree_of_each_claim_fits_its_frame():
    for c in ledger():
        d = drawing(step_of(theorem_of(c)))
        assert [(a, b) for a, b in combinations(d.boxes, 2) if overlaps(a, b)] == []
        for b in d.boxes:
            assert 0 <= b.x - BOX_WIDTH / 2
            assert b.x + BOX_WIDTH / 2 <= d.width <= LARGEST_WIDTH
            assert 0 <= b.y < b.y + b.height <= d.height
            assert all(len(line) <= COLUMNS for line in b.lines)
        assert all(0 <= x <= d.width and 0 <= y <= d.height for line in d.lines for x, y in line)


@pytest.mark.parametrize("step", TREES)
def test_tree_has_premises_above_their_conclusion(step):
    d = drawing(step)
    at = {id(b.step): b for b in d.boxes}
    for s in steps(step):
        for p in s.premises:
            assert at[id(p)].y + at[id(p)].height < at[id(s)].y
    assert [b.step for b in d.boxes if b.is_root] == [step]


def test_tree_shows_a_repeated_step_in_full_once():
    theorem = theorem_of(claim("composition.sequential_approximate"))
    first, second = step_of(theorem).premises
    assert (first.rule, first.repeats, second.repeats) == ("finite_mechanism", False, False)
    first, second = step_of(theorem_of(claim("composition.sequential_pure"))).premises
    assert [p.repeats for p in second.premises] == [True]
    assert second.premises[0].premises == ()
    assert first.rule == second.premises[0].rule
    assert "as drawn already" in lines_of(second.premises[0])


def test_tree_tells_who_vouches_by_the_frame():
    vouched = Step("rule", "end", ("said",), (), (leaf("one"), leaf("two"), leaf("three", by=())))
    drawn = svg_of(drawing(vouched), "a <title> & more")
    root = ET.fromstring(drawn)
    assert next(e.text for e in root if e.tag.endswith("title")) == "a <title> & more"
    assert drawn.count("stroke-dasharray") == 3  # two lemmas, and the legend
    kinds = {kind_of(b) for b in drawing(step_of(theorem_of(claim("composition.finite_mechanism")))).boxes}
    assert kinds == {"kernel"}
    refuted = drawing(step_of(theorem_of(claim("clamped_sum.width_under_add_remove"))))
    assert {kind_of(b) for b in refuted.boxes} == {"false"}


def test_tree_that_is_wide_becomes_an_outline():
    d = drawing(comb(8))
    assert d.width < BOX_WIDTH + 3 * 40
    assert [b.step.title for b in d.boxes][-1] == "last"


def test_tree_names_the_rule_of_a_lemma_that_is_no_oracles():
    drawn = svg_of(drawing(Step("algebra", "bound", ("of thing",), (), ())), "title")
    assert ">bound<" in drawn
    assert ">by the rule algebra<" in drawn
    assert STYLE["kernel"] in drawn


def test_tree_shortens_long_sentences():
    lines = wrapped(" ".join(["word"] * 100))
    assert len(lines) == MOST_LINES
    assert lines[-1].endswith("\N{HORIZONTAL ELLIPSIS}")
    assert wrapped("") == [""]
