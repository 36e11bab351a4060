"""A table function on a table of a known number of rows: every loop is written out, so it need be no fold."""

from __future__ import annotations

from collections.abc import Sequence

from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.objects import Entry
from refdp.sensitivities.language.reading import read_answer
from refdp.sensitivities.language.source import Source
from refdp.sensitivities.language.tables import record_value
from refdp.terms.leaves import TRUE
from refdp.terms.term import Term

Bounded = tuple[tuple[Term, ...], Term, tuple[str, ...], Term]
"""The coordinates of the answer, the place in EXCEPTIONS, the labels, and what is assumed."""


def bounded_outcome(source: Source, declaration: Declaration, rows: Sequence[tuple[Term, ...]]) -> Bounded:
    """What the function does on rows whose slots have these terms: those of `record.slots(name)`, in order.

    Raises: Unsupported, NotAFold where the answer has no fixed shape.
    """
    values = [record_value(declaration.record, iter(slots)) for slots in rows]
    _, found = read_answer(source, declaration, tuple(Entry(TRUE, value) for value in values))
    return found.numbers, found.exception, found.labels, declaration.assumption
