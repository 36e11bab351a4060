"""Two tables: the rows that are marked are those that differ, each with its sign; the answers stand below."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_hex

from refdp.commands.sensitivity import sensitivity
from refdp.report.pictures.colours import GROUND
from refdp.report.pictures.files import drawn
from refdp.report.pictures.pairs import ADDED, CHANGED, REMOVED, SAME, Row, paired, shortened
from refdp.report.pictures.plotting import plot
from refdp.report.pictures.sensitivities import pair_of
from refdp.report.pictures.tables import draw_pair

TABLES = st.lists(st.sampled_from([("a",), ("b",), ("c",)]), max_size=6)
SOURCE = """
def mean_mass(penguins):
    masses = [p["mass"] for p in penguins if p["species"] == "Gentoo"]
    return sum(masses) / len(masses) if len(masses) >= 3 else 4


def total(rows):
    return sum(rows)
"""


@given(TABLES, TABLES, st.booleans())
def test_unordered_rows_that_are_marked_are_the_difference(first, second, is_change):
    found = paired(first, second, is_change, in_order=False)
    assert Counter(r.first for r in found if r.first) == Counter(first)
    assert Counter(r.second for r in found if r.second) == Counter(second)
    only_first = Counter(r.first for r in found if r.first and r.sign != SAME)
    only_second = Counter(r.second for r in found if r.second and r.sign != SAME)
    assert only_first == Counter(first) - Counter(second)
    assert only_second == Counter(second) - Counter(first)


@given(TABLES, TABLES, st.booleans())
def test_ordered_rows_keep_their_order(first, second, is_change):
    found = paired(first, second, is_change, in_order=True)
    assert [r.first for r in found if r.first] == first
    assert [r.second for r in found if r.second] == second
    assert all((r.first == r.second) == (r.sign == SAME) for r in found)


@given(st.lists(st.sampled_from([("a",), ("b",)]), min_size=1, max_size=6), st.data())
def test_a_changed_row_is_marked_where_it_stands(first, data):
    place = data.draw(st.integers(0, len(first) - 1))
    second = [*first[:place], ("z",), *first[place + 1 :]]
    assert [r.sign for r in paired(first, second, True, True)] == [CHANGED if i == place else SAME
                                                                   for i in range(len(first))]  # fmt: skip


def test_long_stretches_of_equal_rows_are_counted():
    rows = paired([("a",)] * 9, [*[("a",)] * 9, ("b",)], is_change=False, in_order=True)
    same = Row(("a",), ("a",), SAME)
    assert shortened(rows) == [same, 7, same, Row(None, ("b",), ADDED)]


@pytest.fixture
def certificate(tmp_path):
    def make(function, neighbours, **asked):
        (tmp_path / "query.py").write_text(SOURCE)
        target = f"{tmp_path / 'query.py'}:{function}"
        return sensitivity(target, neighbours, certificates=tmp_path, **asked)["certificate"]

    return make


def test_pair_of_a_certificate_has_its_rows_and_answers(certificate):
    path = certificate("mean_mass", "change_one", column={"species": "Adelie | Gentoo", "mass": "0..10"}, claim="2")
    found = pair_of(Path(path).read_text(encoding="utf-8"))
    assert found.columns == ("species", "mass")
    assert [r.sign for r in found.rows].count(CHANGED) == 1
    assert "claimed at most 2" in found.verdict
    with drawn(lambda figure: draw_pair(found, figure)) as figure:
        marked = [p for p in figure.axes[0].patches if to_hex(p.get_fc()) != GROUND]
        assert len(marked) == 2
        words = [text.get_text() for text in figure.axes[0].texts]
        assert words.count(CHANGED) == 1
        assert {*found.answers, *found.columns} <= set(words)


def test_plot_draws_an_added_row(certificate, tmp_path):
    path = certificate("total", "add_remove", bounds=(0, 100), claim="99")
    found = plot(path, tmp_path / "tables.svg")
    assert found["kind"] == "tables"
    text = (tmp_path / "tables.svg").read_text(encoding="utf-8")
    assert f">{ADDED}<" in text or f">{REMOVED}<" in text


def test_plot_refuses_tables_that_show_nothing(certificate, tmp_path):
    path = Path(certificate("total", "add_remove", bounds=(0, 100), claim="99"))
    path.write_text(path.read_text().replace('"bound": "99', '"bound": "1000'))
    with pytest.raises(ValueError, match="further apart than claimed"):
        plot(path, tmp_path / "tables.svg")
    assert not (tmp_path / "tables.svg").exists()


def test_proof_has_a_derivation_and_no_pair(certificate, tmp_path):
    path = certificate("total", "add_remove", bounds=(0, 100), claim="100")
    assert plot(path, tmp_path / "derivation.svg")["kind"] == "derivation"
    question = certificate("total", "change_one", bounds=(0, 100), claim="100", assume="n >= 2")
    assert plot(question, tmp_path / "question.svg")["kinds"] == ["derivation"]
    assert "question of sensitivity" in (tmp_path / "question.svg").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="kind must be one of those that fit"):
        plot(question, tmp_path / "tables.svg", kind="tables")


def test_refuted_question_has_a_pair(certificate, tmp_path):
    question = certificate("total", "change_one", bounds=(0, 100), claim="99", assume="n >= 2")
    assert plot(question, tmp_path / "pair.svg")["kinds"] == ["tables", "derivation"]
