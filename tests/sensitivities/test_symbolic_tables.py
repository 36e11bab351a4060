"""Symbolic tables stand for all small tables, and the unrolled program means what the program means."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from refdp.sensitivities.program import EXCEPTIONS, ROW, Pass, Program, outcome
from refdp.sensitivities.question import Neighbours
from refdp.sensitivities.records import Number
from refdp.sensitivities.refutation.edits import symbolic_edits
from refdp.sensitivities.refutation.models import unrolled
from refdp.sensitivities.tables import Table, edits_between
from refdp.terms.exact_values import evaluate
from refdp.terms.leaves import integer, rational, variable
from refdp.terms.operations import add, choice, divide, equal, multiply, real, subtract

LETTERS = (Fraction(0), Fraction(1))


def meant(neighbours: Neighbours, edits: int, size: int, order_free: bool) -> set[tuple[Table, Table]]:
    """The pairs of tables that the symbolic ones stand for."""
    found = set()
    for first, second in symbolic_edits(neighbours, edits, size, order_free):
        names = list(dict.fromkeys((*first, *second)))
        for values in itertools.product(LETTERS, repeat=len(names)):
            known = dict(zip(names, values, strict=True))
            found.add((tuple(known[n] for n in first), tuple(known[n] for n in second)))
    return found


@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
@pytest.mark.parametrize("edits", [1, 2, 3])
@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_symbolic_edits_stand_for_all_pairs_of_lists(neighbours: Neighbours, edits: int, size: int) -> None:
    lists = [t for n in range(size, size + edits + 1) for t in itertools.product(LETTERS, repeat=n)]
    wanted = set()
    for first in itertools.product(LETTERS, repeat=size):
        for second in lists:
            between = edits_between(first, second, neighbours, "lists")
            if between is not None and between <= edits:
                wanted.add((first, second))
    found = meant(neighbours, edits, size, False)
    assert wanted <= found | {(b, a) for a, b in found} | {(a, a) for a, _ in wanted}
    assert all((edits_between(a, b, neighbours, "lists") or 0) <= edits for a, b in found)


@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_symbolic_edits_at_the_end_stand_for_all_pairs_of_multisets(neighbours: Neighbours, size: int) -> None:
    def unordered(pairs: set[tuple[Table, Table]]) -> set[tuple[tuple[object, ...], tuple[object, ...]]]:
        return {(tuple(sorted(map(str, a))), tuple(sorted(map(str, b)))) for a, b in pairs}

    assert unordered(meant(neighbours, 1, size, True)) == unordered(meant(neighbours, 1, size, False))


S, N, X, MEAN, Q = (variable(name, "Real") for name in ("s", "n", ROW, "mean", "q"))
TEN = Number(rational(0), rational(10))
VARIANCE = Program(
    "variance", TEN, (),
    (
        Pass((S, N), (rational(0), rational(0)), (add(S, X), add(N, rational(1)))),
        Pass((Q,), (rational(0),), (add(Q, multiply(subtract(X, divide(S, N)), subtract(X, divide(S, N)))),)),
    ),
    (real(divide(Q, N)), S),
    exception=choice(equal(N, rational(0)), integer(EXCEPTIONS.index("ZeroDivisionError")), integer(0)),
)  # fmt: skip


def test_unrolled_program_means_what_the_program_means() -> None:
    for n in range(4):
        rows = [(variable(f"x{i}", "Real"),) for i in range(n)]
        numbers, raised, labels, given = unrolled(VARIANCE, rows)
        for values in itertools.product(map(Fraction, (0, 1, 7)), repeat=n):
            known = {slot: value for (slot,), value in zip(rows, values, strict=True)}
            wanted = outcome(VARIANCE, [{X: value} for value in values], {})
            assert EXCEPTIONS[int(evaluate(raised, known))] == wanted.exception
            assert wanted.exception or tuple(evaluate(t, known) for t in numbers) == wanted.numbers
        assert labels == ()
        assert evaluate(given, {}) is True
