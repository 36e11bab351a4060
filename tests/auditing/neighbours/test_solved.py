"""Models of z3: neighbouring tables of the space between which a sum, or a sum of squares, crosses an edge."""

from fractions import Fraction

import pytest

from refdp.auditing.neighbours import Choice, Real, Table, Vector, Whole
from refdp.auditing.neighbours.solved import Edge, edges, found, interval, pair, question, sizes, solved
from refdp.auditing.neighbours.spaces import neighbours

SPACES = [
    (Table(Whole(0, 10**6)), True),
    (Table(Whole(-10, 10)), True),
    (Table(Whole(-(2**31), 2**31 - 1), size=3), False),
    (Table(Real(0.5, 1000.0), size=100), False),
    (Table(Real(-3.0, 1000.0), least=2), False),
]


def aggregate(edge, rows):
    return sum(edge.sign * row if edge.power == 1 else row * row for row in rows)


@pytest.mark.parametrize(("space", "adds"), SPACES)
def test_models_are_neighbouring_tables_on_two_sides_of_the_edge(space, adds):
    bounds, crossed = interval(space), 0
    for edge in edges(*bounds, max(sizes(space))):
        if model := found(question(edge, bounds, sizes(space), adds)):
            before, after = pair(model, space.row, adds)
            assert neighbours(space, "symmetric", Fraction(1 if adds else 2), before, after)
            assert aggregate(edge, before) <= edge.most < aggregate(edge, after)
            crossed += 1
    assert crossed >= 3


def test_edges_out_of_reach_are_not_asked_about():
    assert list(edges(0, 10, 3)) == [Edge(2, 1, 127), Edge(2, 1, 255)]  # 4 rows: at most 40, and 400 for squares
    assert list(edges(0, 1, 3)) == []
    assert {edge.sign for edge in edges(-100, -1, 10) if edge.power == 1} == {-1}


@pytest.mark.parametrize("space", [Table(Choice((0, 1))), Table(Real()), Vector(Whole(0, 9), 3), Table(Whole(0, 1))])
def test_spaces_without_bounded_numbers_or_edges_have_no_models(space):
    assert [*solved(space, "symmetric", Fraction(0))] == []
    assert not isinstance(space.row, Choice) or interval(space) is None
