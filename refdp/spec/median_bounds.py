"""The median of numbers in a range, with what is known of how far it moves at the table at hand.

Sorted rows x_1 <= ... <= x_n, x_i = lower for i < 1 and upper for i > n, have the median x_m, m = floor((n + 1) / 2).
A^(k) = max over t = 0, ..., k + 1 of x_(m+t) - x_(m+t-k-1) is how far the median of a table within k replaced rows may
move if one row more is replaced; one added or removed moves it no further.  The forms:

    smooth      (x_m, the greatest A^(k) / growth^k over k = 0, ..., n)
    local       (x_m, A^(0)): the bound of this table alone, which a neighbour need not have
    distance    (the least k with A^(k) > bound, n + 1 where there is none, x_m); rows are multiples of granularity
    doubled     the same with twice the distance, which one row moves by 2

Source: NRS07 (smooth sensitivity of the median); DL09 (propose-test-release).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from refdp.spec import bound_noise, propose_test_release, registry
from refdp.spec.domains import domain
from refdp.spec.formulas import Formula
from refdp.terms.term import Term, TermError, apply, name

TESTED = ("distance", "doubled")
"""The forms that give a distance."""
FORMS: Mapping[str, tuple[str, ...]] = {
    "smooth": ("growth",), "local": (), **dict.fromkeys(TESTED, ("bound", "granularity")),
}  # fmt: skip
"""What is known of the median -> the parameters besides the ends of the range."""
LEAST: Mapping[str, Term] = {
    "growth": 1 <= name("growth"), "bound": 0 <= name("bound"), "granularity": 0 < name("granularity"),
}  # fmt: skip
"""Parameter -> how great it must be."""


@dataclass(frozen=True, slots=True)
class MedianBounds:
    """T(table) = the median and the bound, or the distance and the median, as the form says."""

    stem: str
    parameters: tuple[str, ...]
    conditions: tuple[Term, ...]
    example: Mapping[str, Term]
    form: str
    reserved: ClassVar[str] = "d_in"
    readings: ClassVar[tuple[tuple[Formula, str], ...]] = ()

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise TermError(f"form must be one of {', '.join(FORMS)}, got {self.form}")
        own = FORMS[self.form]
        if self.parameters != ("lower", "upper", *own):
            raise TermError(f"the parameters of {self.stem} must be lower, upper and what its form has")
        on_grid = (apply("multiple", name("lower"), name("granularity")),) if self.form in TESTED else ()
        registry.require_conditions(self, name("lower") < name("upper"), *(LEAST[one] for one in own), *on_grid)

    @property
    def domain(self) -> Term:
        """The tables that it reads: of rows in the range."""
        ends, step = (name("lower"), name("upper")), name("granularity")
        rows = domain("bounded", step, *ends) if self.form in TESTED else domain("interval", *ends)
        return domain("table", rows)

    @property
    def output_domain(self) -> Term:
        """The pairs that it gives."""
        if self.form in TESTED:
            return propose_test_release.pairs(domain("grid", name("granularity")))
        return bound_noise.PAIRS

    @property
    def far(self) -> tuple[str, Term] | None:
        """The metric of its pairs, and how far one row moves them; None where nothing is claimed."""
        match self.form:
            case "smooth":
                return bound_noise.METRIC, name("growth")
            case "distance":
                return propose_test_release.METRIC, name("bound")
        return None

    def apply(self, subject: Term, table: Any) -> tuple[Fraction, Fraction]:
        """The pair; TermError unless all rows are exact numbers in the range."""
        values = registry.values(self, subject)
        lower, upper = values["lower"], values["upper"]
        inside = isinstance(table, tuple) and all(isinstance(x, Fraction) and lower <= x <= upper for x in table)
        if not inside:
            raise TermError(f"{subject} reads tables of exact numbers from {lower} to {upper}")
        rows = sorted(table)
        median = padded(rows, (len(rows) + 1) // 2, lower, upper)
        match self.form:
            case "smooth":
                return median, smooth_bound(rows, lower, upper, values["growth"])
            case "distance" | "doubled" as form:
                rows_away = distance(rows, lower, upper, values["bound"])
                return Fraction(rows_away if form == "distance" else 2 * rows_away), median
        return median, greatest_move(rows, 0, lower, upper)


def padded(rows: Sequence[Fraction], i: int, lower: Fraction, upper: Fraction) -> Fraction:
    """x_i of the sorted rows, counted from 1: lower before them, upper after them."""
    if i < 1:
        return lower
    return rows[i - 1] if i <= len(rows) else upper


def greatest_move(rows: Sequence[Fraction], k: int, lower: Fraction, upper: Fraction) -> Fraction:
    """A^(k) of the sorted rows."""
    m = (len(rows) + 1) // 2
    moves = (padded(rows, m + t, lower, upper) - padded(rows, m + t - k - 1, lower, upper) for t in range(k + 2))
    return max(moves)


def smooth_bound(rows: Sequence[Fraction], lower: Fraction, upper: Fraction, growth: Fraction) -> Fraction:
    """The greatest A^(k) / growth^k, k up to n; as A^(k) <= upper - lower, none is greater once that / power is not."""
    found, power = Fraction(0), Fraction(1)
    for k in range(len(rows) + 1):
        if (upper - lower) / power <= found:
            break
        found, power = max(found, greatest_move(rows, k, lower, upper) / power), power * growth
    return found


def distance(rows: Sequence[Fraction], lower: Fraction, upper: Fraction, bound: Fraction) -> int:
    """The least k with A^(k) > bound, n + 1 where there is none."""
    beyond = (k for k in range(len(rows) + 1) if greatest_move(rows, k, lower, upper) > bound)
    return next(beyond, len(rows) + 1)
