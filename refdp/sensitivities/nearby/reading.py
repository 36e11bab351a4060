"""What a function does on a table of a known number of rows, some of which are symbolic, as terms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.source import Source
from refdp.sensitivities.nearby.rows import Row
from refdp.sensitivities.refutation.models import Unrolled
from refdp.terms.leaves import TRUE, ZERO
from refdp.terms.operations import equal
from refdp.terms.term import Term


@dataclass(frozen=True, slots=True)
class Read:
    """The numbers that are returned, or a place in EXCEPTIONS, wherever `side` holds."""

    numbers: tuple[Term, ...]
    exception: Term = ZERO
    side: Term = TRUE
    labels: tuple[str, ...] = ()
    """What the numbers are called; answers with other names are infinitely far."""

    @property
    def returns(self) -> Term:
        """The function returns."""
        return equal(self.exception, ZERO)


Reader = Callable[[Sequence[Row]], Read]
"""The outcome at a table whose rows are given by their slots."""


def reader(unrolled: Unrolled) -> Reader:
    """The outcomes in one object each."""

    def read(rows: Sequence[Row]) -> Read:
        numbers, exception, labels, side = unrolled(rows)
        return Read(tuple(numbers), exception, side, tuple(labels))

    return read


def read_bounded(source: Source, declaration: Declaration) -> Reader:
    """The outcomes of a function by symbolic execution."""
    from refdp.sensitivities.language.bounded import bounded_outcome

    return reader(lambda rows: bounded_outcome(source, declaration, rows))
