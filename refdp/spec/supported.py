"""Supported laws: a report supports some of the values, and is likelier under each value that it supports.

What supports what is one of the relations here, which a mechanism names and cannot bring:

    subset          the sets of `chosen` values; one supports its members
    hadamard        z = 0, ..., K - 1, K the least power of 2 above the number of values; z supports x where the entry
                    of the Sylvester matrix in row x + 1 and column z is +1
    hadamard_entry  (row, bit) for each row 0, ..., values - 1; supports x where the entry in column x is +1 for bit 0,
                    and -1 for bit 1
    one_bit         (bucket, bit) for each bucket 0, ..., values - 1; bit 1 supports the bucket itself, 0 all others

The entry of the Sylvester matrix in row r and column z is +1 where r & z has an even number of ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any, ClassVar

from refdp.spec import registry
from refdp.spec.domains import LONGEST_LIST, domain
from refdp.spec.formulas import Formula, require_whole
from refdp.spec.statements import Statement
from refdp.terms.evaluation import Arithmetic, evaluate
from refdp.terms.term import Term, TermError, both, ln, number

SUPPORTS = ("subset", "hadamard", "hadamard_entry", "one_bit")
"""The relations of reports and values."""


@dataclass(frozen=True, slots=True)
class SupportedLaw:
    """A report that supports the input, each as likely, with probability `told`; else one that does not, likewise.

    Inputs are the values 0, ..., size - 1, any two of them neighbours; `chosen` is how many values a subset has.
    ratio_bound bounds the mass of a report that supports the input against that of one that does not, and reversed.
    """

    stem: str
    parameters: tuple[str, ...]
    conditions: tuple[Term, ...]
    example: Mapping[str, Term]
    support: str
    size: Formula
    told: Formula
    ratio_bound: Formula
    chosen: Formula | None = None
    reserved: ClassVar[str] = "d_in n order delta"

    @property
    def readings(self) -> tuple[tuple[Formula, str], ...]:
        """Each formula, with the names that it may read besides the parameters."""
        own = (self.size, self.told, self.ratio_bound, self.chosen)
        return tuple((f, "") for f in own if f is not None)

    @property
    def domain(self) -> Term:
        """The set that inputs range over."""
        return domain("finite", self.size.at())

    @property
    def epsilon(self) -> Term:
        """The privacy loss between any two values."""
        return ln(self.ratio_bound.at())

    def counts(self, values: Mapping[str, Fraction]) -> tuple[int, int]:
        """How many values there are, and how many of them a subset has: 0 where reports are no subsets."""
        chosen = 0 if self.chosen is None else int(evaluate(self.chosen.term, values))
        return int(evaluate(self.size.term, values)), chosen

    def law(self, subject: Term, x: Fraction, arithmetic: Arithmetic) -> dict[Any, Any]:
        """Outcome -> probability of M(x): the reports that support x are counted, whatever their number should be."""
        values = registry.values(self, subject)
        size, chosen = self.counts(values)
        if number_of_reports(self.support, size, chosen) > LONGEST_LIST:
            raise TermError(f"{subject} has more than {LONGEST_LIST} outcomes")
        told = evaluate(self.told.term, {k: arithmetic.number(v) for k, v in values.items()}, arithmetic)
        support = {y: supports(self.support, y, int(x)) for y in reports(self.support, size, chosen)}
        many = sum(support.values())
        if not 0 < many < len(support):
            raise TermError(f"{subject} has no law: {many} of {len(support)} reports support {x}")
        rest = arithmetic.number(Fraction(1)) - told
        hit = told * arithmetic.number(Fraction(1, many))
        miss = rest * arithmetic.number(Fraction(1, len(support) - many))
        return {y: hit if does else miss for y, does in support.items()}


def order_of(size: int) -> int:
    """The order of the Hadamard matrix for so many values: the least power of 2 above their number.

    >>> [order_of(size) for size in (1, 2, 3, 4, 7, 8)]
    [2, 4, 4, 8, 8, 16]
    """
    return 1 << size.bit_length()


def is_odd(row: int, column: int) -> bool:
    """Whether the entry of the Sylvester matrix is -1."""
    return (row & column).bit_count() % 2 == 1


def number_of_reports(support: str, size: int, chosen: int) -> int:
    """How many reports there are."""
    match support:
        case "subset":
            return comb(size, chosen)
        case "hadamard":
            return order_of(size)
        case "hadamard_entry" | "one_bit":
            return 2 * size
    raise TermError(_no_such(support))


def reports(support: str, size: int, chosen: int) -> Iterator[Any]:
    """Every report, each once."""
    match support:
        case "subset":
            return combinations(range(size), chosen)
        case "hadamard":
            return iter(range(order_of(size)))
        case "hadamard_entry" | "one_bit":
            return product(range(size), (0, 1))
    raise TermError(_no_such(support))


def supports(support: str, report: Any, x: int) -> bool:
    """Whether the report supports the value x."""
    match support:
        case "subset":
            return x in report
        case "hadamard":
            return not is_odd(x + 1, report)
        case "hadamard_entry":
            return bool(is_odd(report[0], x) == report[1])
        case "one_bit":
            return bool((report[0] == x) == report[1])
    raise TermError(_no_such(support))


def _no_such(support: str) -> str:
    """What is said of a relation that there is not."""
    return f"support must be one of {', '.join(SUPPORTS)}, got {support}"


def share(m: SupportedLaw) -> Term:
    """Which part of all reports supports any one value: docs/soundness.md says why, of each relation.

    Some but not all do, by the law obligations.
    """
    match m.support:
        case "subset" if m.chosen is not None:
            return m.chosen.at() / m.size.at()
        case "hadamard" | "hadamard_entry" | "one_bit" if m.chosen is None:
            return number(Fraction(1, 2))
    raise TermError(f"{_no_such(m.support)}; chosen is for subsets alone")


def whole_parameters(m: SupportedLaw) -> tuple[str, ...]:
    """The parameters that its conditions make integers."""
    return tuple(p for p in m.parameters if registry.is_integer_parameter(m, p))


def law_obligations(m: SupportedLaw) -> dict[str, Statement]:
    """There are values, a subset has some of them and not all, and the support is told with a probability."""
    share(m)  # refuses a relation that there is not
    whole, given, size, told = whole_parameters(m), registry.hypotheses(m), m.size.at(), m.told.at()
    require_whole(m.size, whole)
    counted = 1 <= size
    if m.chosen is not None:
        require_whole(m.chosen, whole)
        counted = both(counted, 1 <= m.chosen.at(), m.chosen.at() <= size - 1)
    return {
        "some_reports_support": Statement(given, counted, frozenset(whole)),
        "support_has_a_probability": Statement(given, both(0 <= told, told <= 1), frozenset(whole)),
    }


def privacy_obligations(m: SupportedLaw) -> dict[str, Statement]:
    """The law obligations, and: the masses told / share and (1 - told) / (1 - share) are within the ratio."""
    here, told, ratio, part = registry.hypotheses(m), m.told.at(), m.ratio_bound.at(), share(m)
    hit, miss = told * (1 - part), (1 - told) * part  # both masses, times the number of reports, times part (1 - part)
    show = both(hit <= ratio * miss, miss <= ratio * hit)
    return law_obligations(m) | {"masses_are_within_the_ratio": Statement(here, show, frozenset(whole_parameters(m)))}
