"""Linear maps x -> C x of vectors, for a rational matrix C that the subject lists.

linear(tuple_of(tuple_of(1, 0), tuple_of(1, 1)))   C row by row
toeplitz(tuple_of(1, 1/2, 3/8))                    C[i][j] is coefficient i - j where i >= j, else 0
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from refdp.spec import registry
from refdp.spec.formulas import Formula
from refdp.terms.term import Term, TermError, apply, number

Matrix = tuple[tuple[Fraction, ...], ...]
"""Rows of one length, at least one row and one column."""
LARGEST_SIDE = 1_000
"""Most rows, and most columns, of a matrix."""


@dataclass(frozen=True, slots=True)
class LinearMap:
    """T(x) = C x."""

    stem: str
    parameters: tuple[str, ...]
    example: Mapping[str, Term]
    is_toeplitz: bool = False
    conditions: ClassVar[tuple[Term, ...]] = ()
    reserved: ClassVar[str] = "d_in granularity"
    readings: ClassVar[tuple[tuple[Formula, str], ...]] = ()

    def matrix(self, subject: Term) -> Matrix:
        """The matrix of the closed subject; TermError if it writes none down."""
        (written,) = registry.bound(self, subject).values()
        return toeplitz_matrix(_numbers(written)) if self.is_toeplitz else matrix_of(written)

    def apply(self, subject: Term, x: Any) -> tuple[Fraction, ...]:
        """C x; TermError unless x is a vector of as many numbers as C has columns."""
        return product_with(self.matrix(subject), x)


def matrix_of(written: Term) -> Matrix:
    """The matrix that `tuple_of(tuple_of(NUMBER, ...), ...)` writes down row by row; TermError if it is none."""
    if written.operator != "tuple_of":
        raise TermError(f"a matrix must be tuple_of(rows), got {_short(written)}")
    return checked(tuple(map(_numbers, written.arguments)))


def is_matrix(written: Term) -> bool:
    """Whether a term lists rows, whatever they are."""
    rows = written.arguments
    return written.operator == "tuple_of" and bool(rows) and all(row.operator == "tuple_of" for row in rows)


def written_matrix(rows: Sequence[Sequence[Fraction | int]]) -> Term:
    """The term that writes a matrix down; TermError if the rows are none."""
    checked(tuple(tuple(map(Fraction, row)) for row in rows))
    return apply("tuple_of", *(apply("tuple_of", *map(number, row)) for row in rows))


def checked(rows: Matrix) -> Matrix:
    """The rows, if they are those of a matrix; TermError otherwise."""
    widths = {len(row) for row in rows}
    if len(widths) != 1 or 0 in widths:
        raise TermError("a matrix must have at least one row and one column, and rows of one length")
    if max(len(rows), *widths) > LARGEST_SIDE:
        raise TermError(f"a matrix must have at most {LARGEST_SIDE} rows and columns")
    return rows


def toeplitz_matrix(coefficients: Sequence[Fraction]) -> Matrix:
    """The lower triangular matrix whose entry (i, j) is coefficient i - j."""
    n, zero = len(coefficients), Fraction(0)
    if n > LARGEST_SIDE:
        raise TermError(f"a matrix must have at most {LARGEST_SIDE} rows and columns")
    return checked(tuple(tuple(coefficients[i - j] if j <= i else zero for j in range(n)) for i in range(n)))


def product_with(matrix: Matrix, x: Any) -> tuple[Fraction, ...]:
    """C x; TermError unless x is a vector of as many numbers as C has columns."""
    numbers = isinstance(x, tuple) and all(isinstance(v, Fraction | int) for v in x)
    if not numbers or len(x) != len(matrix[0]):
        raise TermError(f"the matrix has {len(matrix[0])} columns: it multiplies vectors of as many numbers")
    held = [(j, v) for j, v in enumerate(x) if v != 0]
    return tuple(sum((row[j] * v for j, v in held if row[j] != 0), Fraction(0)) for row in matrix)


def product_of(first: Matrix, second: Matrix) -> Matrix:
    """The product of two matrices; TermError unless the first has as many columns as the second has rows."""
    if len(first[0]) != len(second):
        raise TermError(f"{len(first[0])} columns do not meet {len(second)} rows")
    columns = tuple(zip(*second, strict=True))
    return tuple(zip(*(product_with(first, column) for column in columns), strict=True))


def gram(matrix: Matrix) -> Matrix:
    """C^T C: the inner products of the columns."""
    columns = tuple(zip(*matrix, strict=True))
    return tuple(product_with(columns, column) for column in columns)


def is_positive_semidefinite(symmetric: Matrix) -> bool:
    """Whether v^T S v >= 0 for every v, by eliminating one variable after another exactly.

    >>> is_positive_semidefinite(((Fraction(1), Fraction(1)), (Fraction(1), Fraction(1))))
    True
    """
    left = [list(row) for row in symmetric]
    while left:
        first = left[0]
        if first[0] < 0 or (first[0] == 0 and any(first)):
            return False
        if first[0] != 0:
            factors = [row[0] / first[0] for row in left]
            left = [[v - f * w for v, w in zip(row, first, strict=True)] for row, f in zip(left, factors, strict=True)]
        left = [row[1:] for row in left[1:]]
    return True


def lies_on(matrix: Matrix, step: Fraction) -> bool:
    """Whether every entry is a whole multiple of step > 0."""
    return step > 0 and all((entry / step).denominator == 1 for row in matrix for entry in row)


def _numbers(written: Term) -> tuple[Fraction, ...]:
    """The numbers that `tuple_of(NUMBER, ...)` lists; TermError if it lists anything else."""
    if written.operator != "tuple_of" or not all(one.operator == "number" for one in written.arguments):
        raise TermError(f"expected tuple_of(rational numbers), got {_short(written)}")
    return tuple(one.rational for one in written.arguments)


def _short(written: Term) -> str:
    """The beginning of a term's text."""
    return str(written)[:80]
