"""x -> C x, for a rational matrix C: any set of weighted sums of a vector, such as of a stream or a histogram.

Claims: if one entry of x moves by d_in, C x moves by at most d_in times the greatest L1 norm of a column, in L2 the
greatest L2 norm; likewise for people who change several entries (`refdp.spec.contributions`), and from L2 to L2.
Source: LHRMM10 (the matrix mechanism).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, PipelineError, Transformation, transformation
from refdp.spec.column_norms import is_bound_in_l2
from refdp.spec.linear import LinearMap, Matrix, checked, written_matrix
from refdp.spec.linear_signatures import linear_signature
from refdp.spec.registry import register
from refdp.terms.reading import MAXIMUM_LENGTH, read
from refdp.terms.term import Term, TermError, apply, number

LINEAR = register(
    LinearMap(
        stem="linear", parameters=("matrix",), example={"matrix": read("tuple_of(tuple_of(1, 0), tuple_of(1, 1))")}
    )
)
TOEPLITZ = register(
    LinearMap(
        stem="toeplitz",
        parameters=("coefficients",),
        example={"coefficients": read("tuple_of(1, 1/2, 3/8)")},
        is_toeplitz=True,
    )
)
LONGEST = MAXIMUM_LENGTH // 2
"""Longest text of a matrix, in characters: a claim must be short enough to be read."""
DIGITS = 30
"""Binary digits of the factor from L2 to L2."""


def linear(
    matrix: Sequence[Sequence[Exactly]],
    neighbours: str = "one_coordinate",
    norm: str = "l1",
    granularity: Exactly = 1,
) -> Transformation:
    """vector x on the grid of granularity > 0 -> C x, C given row by row, on the grid that its denominators allow.

    neighbours says what may change: "one_coordinate", "window_3", "apart_2_4" or "spaced_2_4" as in
    `refdp.spec.contributions`, "linf", "l1" or "l2"; norm is "l1" or "l2", after "l2" that.  Raises ValueError for
    others.  Noise on a coarser grid than that of C x is refused when it is chained.

    >>> sums = linear([[1, 0, 0], [1, 1, 0], [1, 1, 1]])
    >>> sums.map(1), sums((5, 0, 2))
    (Fraction(3, 1), (Fraction(5, 1), Fraction(5, 1), Fraction(7, 1)))
    """
    rows = exact_matrix(matrix)
    return _linear(LINEAR, written_matrix(rows), rows, neighbours, norm, granularity)


def toeplitz(
    coefficients: Sequence[Exactly],
    neighbours: str = "one_coordinate",
    norm: str = "l1",
    granularity: Exactly = 1,
) -> Transformation:
    """The same for the lower triangular matrix whose entry (i, j) is coefficient i - j: weights of the last entries.

    Raises ValueError for what `linear` refuses.

    >>> toeplitz([1, "1/2"])((4, 6))
    (Fraction(4, 1), Fraction(8, 1))
    """
    if not isinstance(coefficients, Sequence) or isinstance(coefficients, str):
        raise PipelineError(f"coefficients must be a list of numbers, got {_shown(coefficients)}")
    listed = tuple(exact(c, "coefficients") for c in coefficients)
    written = apply("tuple_of", *map(number, listed))
    try:
        rows = TOEPLITZ.matrix(apply("toeplitz", written))
    except TermError as error:
        raise PipelineError(f"coefficients: {error}") from None
    return _linear(TOEPLITZ, written, rows, neighbours, norm, granularity)


def exact_matrix(matrix: Sequence[Sequence[Exactly]], parameter: str = "matrix") -> Matrix:
    """The matrix in exact numbers; PipelineError unless it has a row, a column, and rows of one length."""
    rows = matrix if isinstance(matrix, Sequence) and not isinstance(matrix, str) else [matrix]
    if not all(isinstance(row, Sequence) and not isinstance(row, str) for row in rows):
        raise PipelineError(f"{parameter} must be a list of rows, each a list of numbers, got {_shown(matrix)}")
    try:
        return checked(tuple(tuple(exact(entry, parameter) for entry in row) for row in matrix))
    except TermError as error:
        raise PipelineError(f"{parameter}: {error}") from None


def _shown(given: object) -> str:
    """What was given instead of a list, cut off."""
    kind, said = type(given).__name__, repr(given)
    return f"the {kind} {said}" if len(said) <= 60 else f"a value of type {kind}"


def output_step(rows: Matrix) -> Fraction:
    """The coarsest 1 / n of which every entry is a whole multiple."""
    return Fraction(1, lcm(*(entry.denominator for row in rows for entry in row)))


def squared_factor(rows: Matrix) -> Fraction:
    """The least multiple of 2^-DIGITS that bounds |C z|^2 / |z|^2, by bisection of exact tests.

    >>> squared_factor(((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)), (Fraction(1), Fraction(1))))
    Fraction(3, 1)
    """
    total = sum((entry**2 for row in rows for entry in row), Fraction(0))
    low, high = -1, -(-total * 2**DIGITS // 1)  # the sum of all squares is a bound
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_bound_in_l2(rows, Fraction(middle, 2**DIGITS)) else (middle, high)
    return Fraction(high, 2**DIGITS)


def _linear(
    kind: LinearMap, written: Term, rows: Matrix, neighbours: str, norm: str, granularity: Exactly
) -> Transformation:
    """The transformation; PipelineError where there is none."""
    step = exact(granularity, "granularity")
    if step <= 0:
        raise PipelineError(f"granularity must be > 0, got {step}")
    subject = apply(kind.stem, written)
    if len(str(subject)) > LONGEST:
        raise PipelineError(f"a matrix must be written in at most {LONGEST} characters")
    try:
        squared = squared_factor(rows) if (neighbours, norm) == ("l2", "l2") else None
        signature = linear_signature(kind, subject, neighbours, norm, output_step(rows), squared)
    except TermError as error:
        raise PipelineError(str(error)) from None
    return transformation(kind, signature, **dict.fromkeys(kind.parameters, written), granularity=step)
