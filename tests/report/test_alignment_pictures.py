"""Pictures of alignments: each noise with what is added, at which cost, in every alignment of the library."""

from fractions import Fraction
from importlib import resources

import pytest

from refdp.claims import programs
from refdp.programs.judging import judge
from refdp.programs.question import Question
from refdp.report.pictures.alignment_costs import NOTHING, priced, product, totals
from refdp.report.pictures.alignment_drawing import LANES, draw_alignment, rows_of
from refdp.report.pictures.alignments import is_alignment, picture_of
from refdp.report.pictures.files import drawn
from refdp.report.pictures.plotting import plot

FOLDER = resources.files("refdp") / "proofs" / "certificates" / "programs"
BY_LAWS = {
    "one_time_rappor.eight_bits",
    "one_time_rappor.eight_bits_at_95",
    "rappor.eight_bits",
    "truncated_geometric.near",
}
"""Claims that are proved by comparing laws: they have no alignment."""
ALIGNED = [c.identifier for c in programs() if c.expected == "PROVED" and c.identifier not in BY_LAWS]


def picture(identifier):
    return picture_of((FOLDER / f"{identifier}.json").read_text(encoding="utf-8"))


def test_sparse_vector_is_drawn_as_in_the_textbook():
    (part,) = picture("sparse_vector.all").parts
    adds = [(one.when, one.shift, one.cost) for line in part.lines for one in line.adds]
    assert adds == [
        ("", "1", "1/2 epsilon"),
        ("where True is released", "1 - d", "1/4 |1 - d| epsilon/N"),
        ("where False is released", NOTHING, "0"),
    ]
    assert part.costs == ("1/2 epsilon + 1/2 epsilon", "epsilon")
    assert [line.released for line in part.lines if line.released] == ["True", "False"]
    assert [line.holds for line in part.lines if line.holds] == [("threshold' = threshold + 1",)]
    assert [line.reads for line in part.lines if line.reads] == [("x", "x' = x + d")]


def test_each_part_of_an_adjacency_has_its_own_runs():
    assert len(picture("sparse_vector_monotone.mono").parts) == 2


def test_programs_that_are_proved_have_alignments_or_laws():
    aligned = {path.stem for path in FOLDER.iterdir() if is_alignment(path.read_text(encoding="utf-8"))}
    assert aligned == set(ALIGNED)


@pytest.mark.parametrize("name", ALIGNED)
def test_every_alignment_of_the_library_is_drawn(name):
    found = picture(name)
    with drawn(lambda figure: draw_alignment(found, figure)) as figure:
        (axes,) = figure.axes
        arrows = sum(len(line.adds) for part in found.parts for line in part.lines)
        assert len([line for line in axes.lines if line.get_xdata()[0] == LANES[0]]) == arrows
        assert arrows > 0 or all("choice" in line.text for part in found.parts for line in part.lines if line.adds)
        lowest = min(text.get_position()[1] for text in axes.texts)
        assert axes.get_ylim()[0] < lowest
        assert all(rows_of(line) >= 1 for part in found.parts for line in part.lines)


def test_plot_draws_an_alignment_as_a_file(tmp_path):
    for ending in ("svg", "png", "pdf"):
        out = tmp_path / f"alignment.{ending}"
        assert plot("noisy_max.all", out)["kind"] == "alignment"
        assert out.stat().st_size > 2000


def test_costs_are_the_sizes_by_their_weights():
    assert priced(Fraction(1, 2), "-3", "epsilon") == "3/2 epsilon"
    assert priced(Fraction(1), "-d", "epsilon") == "|d| epsilon"
    assert priced(Fraction(1), "flipped if x", "epsilon") == "epsilon"


def test_products_cancel_only_what_is_the_same():
    assert product("N", "epsilon/N") == (1, "epsilon")
    assert product("M", "epsilon/N") == (1, "M epsilon/N")
    assert product("N + 1", "epsilon/N") == (1, "(N + 1) epsilon/N")


def test_totals_add_equal_rates_alone():
    groups = [{"at_most": "1/4", "rate": "epsilon"}, {"at_most": "1/4", "rate": "epsilon"}]
    assert list(totals(groups)) == ["1/4 epsilon + 1/4 epsilon", "1/2 epsilon"]
    assert list(totals([groups[0], {"at_most": "M", "rate": "rho"}])) == ["1/4 epsilon + M rho"]


def test_an_element_that_one_run_lacks_is_drawn_as_such():
    source = (
        'from refdp.programs import ADD_REMOVE, claim, laplace\n\n@claim(epsilon="epsilon", adjacency=ADD_REMOVE)\n'
        "def f(q: list[float], epsilon):\n    count = 0\n    for x in q:\n        if x > 3:\n            count += 1\n"
        "    return count + laplace(1 / epsilon)\n"
    )
    asked = Question(source, "f", 0)
    found = picture_of(str(judge(asked, *asked.read(), 20.0).certificate))
    reads = [[line.reads for line in part.lines if line.reads] for part in found.parts]
    assert reads == [[("x or none", "x")], [("x", "x or none")]]
    assert found.legend.startswith("one run may lack an element")
    with drawn(lambda figure: draw_alignment(found, figure)) as figure:
        assert {"x or none", found.legend} <= {text.get_text() for text in figure.axes[0].texts}
