"""The question how far the answer of a user's function moves, as a machine runs it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction

from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.source import Source
from refdp.sensitivities.machine.arithmetic import MachineArithmetic
from refdp.sensitivities.machine.candidates import atoms
from refdp.sensitivities.machine.formats import Format, IntegerFormat
from refdp.sensitivities.machine.pair import SPECIALS, MachineRow, nearest_number
from refdp.sensitivities.machine.search import Claim, MachineQuestion
from refdp.sensitivities.machine.user_runs import integral, user_run
from refdp.sensitivities.question import SIZE, Neighbours, Norm, Tables
from refdp.sensitivities.records import Category, Kind, Missing, Number
from refdp.sensitivities.refutation.interesting import constants
from refdp.terms.exact_values import evaluate
from refdp.terms.term import Term

MOST_ROWS = 60
"""Most different rows that tables are made of."""


def machine_question(
    source: Source,
    declaration: Declaration,
    arithmetic: MachineArithmetic,
    neighbours: Neighbours,
    claim: Term,
    norm: Norm = "L1",
    edits: int = 1,
    tables: Tables = "lists",
    specials: bool = False,
) -> MachineQuestion:
    """The question about the function as the machine runs it; the claim and the assumption may use SIZE.

    `specials`: a field that is a float may also be NaN, infinite or -0.0, whatever its bounds.

    Raises:
        ValueError: the declaration leaves a parameter or a bound open, or the format has no number between the bounds.
    """
    if declaration.symbolic:
        raise ValueError(f"parameters must have values in machine arithmetic, got {', '.join(declaration.symbolic)}")
    given = integral(declaration, arithmetic.format_)
    kind = given.record
    known = constants(source, declaration.values)
    found = row_values(kind, arithmetic.format_, known, specials)
    rows = tuple(dict.fromkeys(itertools.islice(found, MOST_ROWS)))
    numbers = [x for row in rows for x in _numbers(row)] or [Fraction(0)]
    moved: Claim = lambda n: Fraction(evaluate(claim, {SIZE: Fraction(n)}))  # noqa: E731
    return MachineQuestion(
        run=user_run(source, given, arithmetic),
        format_=arithmetic.format_,
        lower=min(numbers),
        upper=max(numbers),
        changes=neighbours,
        claim=moved,
        tables=tables,
        norm=norm,
        edits=edits,
        values=rows,
        counts=lambda n: evaluate(declaration.assumption, {SIZE: Fraction(n)}) is True,
    )


def row_values(
    kind: Kind, form: Format, known: Sequence[Fraction] = (), specials: bool = False
) -> Iterator[MachineRow]:
    """Telling rows of a kind, which may be hashed: fields are a tuple of their values in order.

    `known`: numbers that stand in the source, at which it may branch.  `specials`: NaN and its like are numbers too.
    """
    if isinstance(kind, Number):
        low, high = _bounds(kind, form)
        beside = (nearest_number(x, form) for x in known if low <= x <= high)
        found = dict.fromkeys((*atoms(form, low, high), *(x for x in beside if low <= x <= high)))
        numbers = [x for x in found if not kind.is_integer or x.denominator == 1]
        yield from (*numbers[:2], *(SPECIALS if specials and not kind.is_integer else ()), *numbers[2:])
    elif isinstance(kind, Category):
        yield from (Fraction(x) if isinstance(x, int) and not isinstance(x, bool) else x for x in kind.labels)
    elif isinstance(kind, Missing):
        first, *others = row_values(kind.kind, form, known, specials)
        yield from (first, None, *others)
    else:
        columns = [list(row_values(inner, form, known, specials)) for _, inner in kind.kinds]
        yield from _spread(columns)


def _spread(columns: list[list[MachineRow]]) -> Iterator[MachineRow]:
    """Rows of few first values in all combinations, and then one field at a time."""
    few = 3 if len(columns) <= 2 else 2
    yield from itertools.product(*(column[:few] for column in columns))
    for place, column in enumerate(columns):
        for value in column[few:]:
            yield tuple(value if i == place else other[min(1, len(other) - 1)] for i, other in enumerate(columns))


def _bounds(kind: Number, form: Format) -> tuple[Fraction, Fraction]:
    """The bounds of a number; those of the format (of float64's whole numbers) where it has none."""
    ends = (
        (form.lowest, form.highest)
        if isinstance(form, IntegerFormat)
        else (-(1 << form.precision), 1 << form.precision)
    )
    low, high = (
        Fraction(end) if term is None else Fraction(evaluate(term, {}))
        for term, end in zip((kind.lower, kind.upper), ends, strict=True)
    )
    return low, high


def _numbers(row: MachineRow) -> list[Fraction]:
    """The numbers in a row."""
    if isinstance(row, tuple):
        return [x for part in row for x in _numbers(part)]
    return [row] if isinstance(row, Fraction) else []
