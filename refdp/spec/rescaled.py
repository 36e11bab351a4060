"""Sums of vectors that are rescaled by their Euclidean norm first, in exact arithmetic: clipping, and its relatives.

A row v of any dimension is seen through one number, its square S = v_1^2 + ... + v_dimension^2, and a root r >= 0 of it
with S <= r^2.  A formula of S and r gives the factor by which each coordinate is multiplied, before it is rounded to a
grid.  No square root of an irrational is taken, and no obligation is about one dimension: the sums of squares of the
first coordinates stand in them as names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, isqrt, trunc
from typing import Any, ClassVar

from refdp.spec import registry
from refdp.spec.domains import domain
from refdp.spec.formulas import Formula
from refdp.spec.rounding import nearest
from refdp.spec.statements import Statement, equal
from refdp.terms.evaluation import evaluate, rational_root
from refdp.terms.term import Term, TermError, apply, both, name, number, sqrt

Vector = Sequence[Fraction]
ROOT_BITS = 64
"""A root that is irrational is at most one part in 2^ROOT_BITS, or twice that, above the square root."""
STAGES = ("rows", "total", "average", "moments")
"""What is rescaled: the rows, of which the sum is taken, or the sum; `average` divides the first by their number, and
`moments` takes the sum of z z^T, row by row of that matrix, over the rescaled rows z."""
ROUNDINGS = ("towards_zero", "nearest")


def root_above(square: Fraction) -> Fraction:
    """The square root of a number >= 0 where it is rational, else the least multiple of 2^-k above it.

    4^(e - 1) < square <= 4^e and k = ROOT_BITS - e: a function of the number alone.

    >>> root_above(Fraction(9, 4)), root_above(Fraction(2)) ** 2 > 2
    (Fraction(3, 2), True)
    """
    exact = rational_root(square)
    if exact is not None:
        return exact
    e = (square.numerator.bit_length() - square.denominator.bit_length() + 2) // 2
    while square <= Fraction(4) ** (e - 1):
        e -= 1
    scale = Fraction(2) ** (ROOT_BITS - e)
    return (isqrt(ceil(square * scale**2) - 1) + 1) / scale


def towards_zero(x: Fraction, step: Fraction) -> Fraction:
    """The multiple of step > 0 nearest to x among those between 0 and x.

    >>> towards_zero(Fraction(7, 4), Fraction(1)), towards_zero(Fraction(-7, 4), Fraction(1))
    (Fraction(1, 1), Fraction(-1, 1))
    """
    return trunc(x / step) * step


@dataclass(frozen=True, slots=True)
class RescaledSum:
    """T(table) = the sum over rows v of factor(S, r) v, each coordinate rounded to the multiples of `granularity`.

    reach: no rescaled vector is longer.  With `layers` a vector is cut in so many equal parts, and each is rescaled by
    itself.  Under the stage `total` the sum of the rows is rescaled in place of the rows.  The `divisor` is public;
    under the stage `average` the sum is divided by the number of rows, or by 1 where there is none.  Under the stage
    `moments` each rescaled vector z is replaced by the dimension^2 products of two of its coordinates.
    """

    stem: str
    parameters: tuple[str, ...]
    conditions: tuple[Term, ...]
    example: Mapping[str, Term]
    factor: Formula
    reach: Formula
    layers: Formula | None = None
    divisor: Formula | None = None
    rounding: str = "towards_zero"
    stage: str = "rows"
    is_sized: bool = False
    keeps_root: bool = False
    """Whether the factor keeps the root within reach, from which it follows for the square."""
    reserved: ClassVar[str] = (
        "row d_in factor square root kept entry image more layer other moved first second length slip error "
        "coordinate rows shared"
    )

    def __post_init__(self) -> None:
        if self.rounding not in ROUNDINGS or self.stage not in STAGES:
            raise TermError(f"{self.stem} must round {' or '.join(ROUNDINGS)}, and rescale {' or '.join(STAGES)}")
        if self.stage == "average" and (self.divisor is not None or self.is_sized):
            raise TermError(f"{self.stem} must have one divisor, a private number of rows or a public one")
        plain = self.layers is None and self.divisor is None and self.rounding == "towards_zero"
        if self.stage == "moments" and not plain:
            raise TermError(f"{self.stem} must round towards_zero and have neither layers nor a divisor")

    def require_clips_rows(self, stem: str) -> None:
        """TermError unless rows alone are rescaled, each by itself, and rounded towards zero, as `stem` needs."""
        if self.stage != "rows" or self.layers is not None or self.divisor is not None or self.is_sized:
            raise TermError(f"{stem} must clip rows one by one")
        if self.rounding != "towards_zero":
            raise TermError(f"{stem} must round clipped rows towards_zero")

    @property
    def readings(self) -> tuple[tuple[Formula, str], ...]:
        """Each formula, with the names that it may read besides the parameters."""
        more = (f for f in (self.layers, self.divisor) if f is not None)
        return (self.factor, "square root"), (self.reach, ""), *((f, "") for f in more)

    @property
    def input_domain(self) -> Term:
        """The tables it reads: of vectors of numbers, which need not lie on the grid."""
        rows = domain("vector", domain("reals"), name("dimension"))
        return domain("sized_table", rows, name("size")) if self.is_sized else domain("table", rows)

    @property
    def output_domain(self) -> Term:
        """Vectors over the grid, which a public divisor makes finer; averages over a private number lie on none."""
        if self.stage == "moments":
            return domain("vector", domain("grid", name("granularity") ** 2), name("dimension") ** 2)
        step = name("granularity") if self.divisor is None else name("granularity") / self.divisor.at()
        entries = domain("reals") if self.stage == "average" else domain("grid", step)
        return domain("vector", entries, name("dimension"))

    @property
    def length(self) -> Term:
        """How long a rescaled and rounded vector, divided by the public divisor, is at most."""
        found = self.reach.at() if self.layers is None else sqrt(self.layers.at()) * self.reach.at()
        if self.rounding == "nearest":
            found = found + sqrt(name("dimension")) * (name("granularity") / 2)
        return found if self.divisor is None else found / self.divisor.at()

    def far(self, neighbours: str) -> Term:
        """How far one edit moves T at most."""
        if self.stage == "moments":
            return self.length**2 if neighbours == "add_remove" else sqrt(number(2)) * self.length**2
        return self.length if neighbours == "add_remove" and self.stage != "total" else 2 * self.length

    def apply(self, subject: Term, table: tuple[Any, ...]) -> tuple[Fraction, ...]:
        """The sum, or the average, of the table."""
        values = registry.values(self, subject)
        if self.is_sized and len(table) != values["size"]:
            raise TermError(f"{subject} reads tables of {values['size']} rows, got {len(table)}")
        dimension = int(values["dimension"])
        if any(not isinstance(row, tuple) or len(row) != dimension for row in table):
            raise TermError(f"{subject} reads vectors of {dimension} coordinates")
        parts = [_total(table, dimension)] if self.stage == "total" else table
        vectors = [self.rescaled(v, values) for v in parts]
        if self.stage == "moments":
            return _total([tuple(a * b for a in z for b in z) for z in vectors], dimension**2)
        total = _total(vectors, dimension)
        divisor = self._divisor(len(table), values)
        return tuple(c / divisor for c in total)

    def _divisor(self, rows: int, values: Mapping[str, Fraction]) -> Fraction:
        """What the sum is divided by."""
        if self.stage == "average":
            return Fraction(max(1, rows))
        return Fraction(1) if self.divisor is None else Fraction(evaluate(self.divisor.term, values))

    def rescaled(self, v: Vector, values: Mapping[str, Fraction]) -> tuple[Fraction, ...]:
        """The vector, each of its layers rescaled and rounded to the grid."""
        layers = 1 if self.layers is None else int(evaluate(self.layers.term, values))
        size, step = len(v) // layers, values["granularity"]
        rounded = nearest if self.rounding == "nearest" else towards_zero
        found = list[Fraction]()
        for start in range(0, len(v), size):
            part = v[start : start + size]
            square = sum((c * c for c in part), Fraction(0))
            factor = evaluate(self.factor.term, {**values, "square": square, "root": root_above(square)})
            found += (rounded(factor * c, step) for c in part)
        return tuple(found)


def _total(vectors: Sequence[Vector], dimension: int) -> tuple[Fraction, ...]:
    """The sum of the vectors."""
    return tuple(sum((v[j] for v in vectors), Fraction(0)) for j in range(dimension))


def rescaled_obligations(m: RescaledSum, neighbours: str) -> dict[str, Statement]:
    """What must hold for one edit to move the sum by at most `far`, by name, in order; TermError without sizes."""
    _require_sizes(m)
    found = {"lengths_are_not_negative": _lengths(m), **_factor(m)}
    if m.rounding == "nearest":
        found["slips_keep_the_prefix"] = _slips(m)
    else:
        found["images_keep_the_prefix"] = _images()
    if m.layers is not None:
        found["layers_keep_the_prefix"] = _layers(m)
    if m.stage == "moments":
        return found | _moments(m, neighbours)
    if neighbours != "add_remove" or m.stage != "rows":
        found |= {"differences_keep_the_prefix": _differences(), "opposite_vectors_are_farthest": _opposite()}
    return found | ({"average_moves_no_farther": _average()} if m.stage == "average" else {})


def _require_sizes(m: RescaledSum) -> None:
    """The grid has a step, vectors a whole dimension >= 1 that the number of layers divides, tables a whole size."""
    registry.require_conditions(m, 0 < name("granularity"), *_counted("dimension"))
    if m.layers is not None:
        registry.require_conditions(m, apply("multiple", name("dimension"), m.layers.at()), 1 <= m.layers.at())
        registry.require_conditions(m, apply("integer", m.layers.at()))
    if m.is_sized:
        registry.require_conditions(m, *_counted("size"))


def _counted(parameter: str) -> tuple[Term, Term]:
    """The conditions that make a parameter a whole number >= 1."""
    return apply("integer", name(parameter)), 1 <= name(parameter)


def _lengths(m: RescaledSum) -> Statement:
    """The reach is no number below 0, and the public divisor is above."""
    divisor = () if m.divisor is None else (0 < m.divisor.at(),)
    return _under(m, (), both(0 <= m.reach.at(), *divisor))


def _factor(m: RescaledSum) -> dict[str, Statement]:
    """A vector with that square, times the factor, has a square of at most reach^2; or so has its root, hence it."""
    square, root, factor, length = map(name, ("square", "root", "factor", "length"))
    given = (0 <= square, 0 <= root, square <= root**2)
    if not m.keeps_root:
        return {"factor_keeps_the_square": _under(m, given, m.factor.at() ** 2 * square <= m.reach.at() ** 2)}
    follows = Statement((*given, abs(factor) * root <= length), factor**2 * square <= length**2)
    within = _under(m, given, abs(m.factor.at()) * root <= m.reach.at())
    return {"factor_keeps_the_root": within, "square_follows_the_root": follows}


def _images() -> Statement:
    """A coordinate more, rounded towards zero, keeps: squares of images <= factor^2 times squares of entries."""
    factor, square, kept, entry, image = map(name, ("factor", "square", "kept", "entry", "image"))
    given = (kept <= factor**2 * square, image**2 <= (factor * entry) ** 2)
    return Statement(given, kept + image**2 <= factor**2 * (square + entry**2))


def _slips(m: RescaledSum) -> Statement:
    """A coordinate more, rounded by at most half a step, keeps: squares of what is lost <= coordinates (step / 2)^2."""
    error, slip, coordinate, half = name("error"), name("slip"), name("coordinate"), name("granularity") / 2
    given = (0 <= coordinate, error <= coordinate * half**2, abs(slip) <= half)
    return _under(m, given, error + slip**2 <= (coordinate + 1) * half**2)


def _layers(m: RescaledSum) -> Statement:
    """A layer more keeps: the square of the first layers <= their number times reach^2."""
    kept, more, layer, reach = name("kept"), name("more"), name("layer"), m.reach.at()
    given = (0 <= layer, kept <= layer * reach**2, more <= reach**2)
    return _under(m, given, kept + more <= (layer + 1) * reach**2)


def _differences() -> Statement:
    """A coordinate more keeps: the square of a difference <= twice the sum of the squares (parallelogram law)."""
    moved, first, second, entry, other = map(name, ("moved", "first", "second", "entry", "other"))
    show = moved + (entry - other) ** 2 <= 2 * (first + entry**2) + 2 * (second + other**2)
    return Statement((moved <= 2 * first + 2 * second,), show)


def _opposite() -> Statement:
    """Two vectors of squares at most length^2 differ by at most twice the length."""
    moved, first, second, length = map(name, ("moved", "first", "second", "length"))
    given = (moved <= 2 * first + 2 * second, first <= length**2, second <= length**2)
    return Statement(given, moved <= (2 * length) ** 2)


def _moments(m: RescaledSum, neighbours: str) -> dict[str, Statement]:
    """A coordinate more keeps: the squares of z_i z_j - w_i w_j come to Z^2 + W^2 - 2 P^2, P of z and w together."""
    first, second, shared, entry, other = map(name, ("first", "second", "shared", "entry", "other"))
    crossed = 2 * (entry**2 * first + other**2 * second - 2 * entry * other * shared)
    longer = (first + entry**2, second + other**2, shared + entry * other)
    grown = _difference(first, second, shared) + crossed + (entry**2 - other**2) ** 2
    found = {"moments_keep_the_prefix": Statement((), equal(grown, _difference(*longer)))}
    square = m.reach.at() ** 2
    if neighbours == "add_remove":
        within = _under(m, (0 <= first, first <= square), first**2 <= square**2)
        return found | {"moment_is_within_the_square": within}
    given = (0 <= first, first <= square, 0 <= second, second <= square)
    return found | {"moments_are_near": _under(m, given, _difference(first, second, shared) <= 2 * square**2)}


def _difference(first: Term, second: Term, shared: Term) -> Term:
    """The square of the distance of z z^T and w w^T, from the squares of z and w and their inner product."""
    return first**2 + second**2 - 2 * shared**2


def _average() -> Statement:
    """A row more among at least one moves an average by 2 rows length / (rows (rows + 1)); one replaced by 2 length."""
    rows, length = name("rows"), name("length")
    added = 2 * rows * length / (rows * (rows + 1)) <= length
    return Statement((0 <= length, 1 <= rows), both(added, 2 * length / rows <= 2 * length))


def _under(m: RescaledSum, more: tuple[Term, ...], show: Term) -> Statement:
    """The statement under the conditions of the transformation."""
    return Statement((*registry.hypotheses(m), *more), show)


__all__ = ["RescaledSum", "rescaled_obligations", "root_above", "towards_zero"]
