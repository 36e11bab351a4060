"""How far a linear map moves: the greatest distance of C x and C x' for vectors at distance 1, or a bound of it.

The distance of the images is a convex function of x' - x.  So it is greatest at a corner of what x' - x may be: one
entry of 1 or -1 under `one_coordinate` and `l1`, and entries of 1 or -1 at a set of positions under the relations of
`refdp.spec.contributions`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from refdp.spec.contributions import TooMany, parsed, position_sets
from refdp.spec.linear import Matrix, gram, is_positive_semidefinite
from refdp.terms.term import TermError

FAR = ("l1", "l2")
"""The metrics of the images."""
MOST_SIGNED = 10
"""Longest set of positions whose signs are all tried where they matter."""


@dataclass(frozen=True, slots=True)
class Move:
    """The distance of the images is at most `bound`, under l2 its square; some pair attains it where `is_attained`."""

    bound: Fraction
    is_attained: bool


def greatest_move(matrix: Matrix, near: str, far: str) -> Move:
    """How far inputs at distance 1 under `near` may move C x under `far`.

    Attained unless signs matter at more than MOST_SIGNED positions.  Where too many sets of positions are apart, but
    columns so far apart are orthogonal, the greatest sum of squared norms of columns.  TermError for other metrics.
    """
    if far not in FAR:
        raise TermError(f"the output metric must be l1 or l2, got {far}")
    try:
        sets = list(position_sets(near, len(matrix[0])))
    except TooMany as error:
        return _of_orthogonal_columns(matrix, near, far, str(error))
    except ValueError as error:
        raise TermError(str(error)) from None
    products = gram(matrix) if far == "l2" else ()
    moves = [_of_set(matrix, products, positions, far) for positions in sets]
    bound = max(move.bound for move in moves)
    return Move(bound, any(move.is_attained and move.bound == bound for move in moves))


def is_bound_in_l2(matrix: Matrix, squared: Fraction) -> bool:
    """Whether |C z|^2 <= squared |z|^2 for every z: squared I - C^T C is positive semidefinite."""
    rest = [[-entry for entry in row] for row in gram(matrix)]
    for i, row in enumerate(rest):
        row[i] += squared
    return is_positive_semidefinite(tuple(map(tuple, rest)))


def _of_set(matrix: Matrix, products: Matrix, positions: tuple[int, ...], far: str) -> Move:
    """The greatest move where entries at these positions move by at most 1 each."""
    if far == "l2":
        block = [[products[i][j] for j in positions] for i in positions]
        total = sum((abs(entry) for row in block for entry in row), Fraction(0))
        if all(entry >= 0 for row in block for entry in row):
            return Move(total, True)
        if len(positions) > MOST_SIGNED:
            return Move(total, False)
        return Move(max(_form(block, signs) for signs in _signs(len(positions))), True)
    rows = [[row[j] for j in positions] for row in matrix]
    total = sum((abs(entry) for row in rows for entry in row), Fraction(0))
    if all(min(row) >= 0 or max(row) <= 0 for row in rows):
        return Move(total, True)
    if len(positions) > MOST_SIGNED:
        return Move(total, False)
    return Move(max(sum((abs(_dot(row, s)) for row in rows), Fraction(0)) for s in _signs(len(positions))), True)


def _signs(count: int) -> Iterator[tuple[int, ...]]:
    """Every choice of signs whose first is 1: the others are their opposites."""
    return ((1, *others) for others in product((1, -1), repeat=count - 1))


def _dot(row: Sequence[Fraction], signs: Sequence[int]) -> Fraction:
    """The sum of the entries with these signs."""
    return sum((a * s for a, s in zip(row, signs, strict=True)), Fraction(0))


def _form(block: Sequence[Sequence[Fraction]], signs: Sequence[int]) -> Fraction:
    """s^T G s."""
    return _dot([_dot(row, signs) for row in block], signs)


def _of_orthogonal_columns(matrix: Matrix, near: str, far: str, otherwise: str) -> Move:
    """The greatest sum of squared norms of columns that are apart, where such columns are orthogonal."""
    told, products = parsed(near), gram(matrix)
    n = len(products)
    if told is None or far != "l2":
        raise TermError(otherwise)
    _, most, gap = told
    if any(products[i][j] != 0 for i in range(n) for j in range(i + gap, n)):
        raise TermError(f"{otherwise}, and columns so far apart are not orthogonal")
    best = [Fraction(0)] * (n + 1)  # [i]: the greatest sum of so many columns among the first i
    for _ in range(most):
        more = [Fraction(0)]
        for i in range(n):
            more.append(max(more[i], products[i][i] + best[max(0, i + 1 - gap)]))
        if more == best:
            break
        best = more
    return Move(best[n], True)
