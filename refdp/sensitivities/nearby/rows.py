"""A table given row by row: its rows as terms, and every edit of one row with a symbolic record in the new place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from refdp.sensitivities.question import Neighbours
from refdp.sensitivities.records import Category, Concrete, Fields, Kind, Missing, Number
from refdp.terms.leaves import integer, make, truth
from refdp.terms.term import Term, Value

NEW = "new"
"""The name of the record that an edit brings: its variables are `kind.slots(NEW)`."""
Row = tuple[Term, ...]
"""The slots of a record: constants, or the variables of NEW."""


@dataclass(frozen=True, slots=True)
class Move:
    """A neighbour of the table: one row changed, inserted before, or removed at a place."""

    what: str
    place: int
    rows: tuple[Row, ...]

    def table(self, old: Sequence[Concrete], new: Concrete) -> tuple[Concrete, ...]:
        """The neighbour with this record in the new place."""
        added = () if self.what == "removed" else (new,)
        return (*old[: self.place], *added, *old[self.place + (self.what != "inserted") :])


def moves(kind: Kind, rows: Sequence[Row], neighbours: Neighbours) -> Iterator[Move]:
    """Every edit of one row, the order of the others being kept."""
    new, old = kind.slots(NEW), tuple(rows)
    if neighbours == "change_one":
        for place in range(len(old)):
            yield Move("changed", place, (*old[:place], new, *old[place + 1 :]))
        return
    for place in range(len(old)):
        yield Move("removed", place, (*old[:place], *old[place + 1 :]))
    for place in range(len(old) + 1):
        yield Move("inserted", place, (*old[:place], new, *old[place:]))


def constant(term: Term) -> Value:
    """The value of a constant."""
    if isinstance(term.value, Fraction | bool):
        return term.value
    raise ValueError(f"a row must be of constants, got {term}")


def slot_terms(kind: Kind, value: Concrete) -> Row:
    """A record as constants.  ValueError where it is not of the kind, bounds aside."""
    if isinstance(kind, Number) and isinstance(value, Fraction) and (value.denominator == 1 or not kind.is_integer):
        return (make("number", "Int" if kind.is_integer else "Real", value=value),)
    if isinstance(kind, Category):
        places = [i for i, x in enumerate(kind.labels) if x == value and isinstance(x, bool) == isinstance(value, bool)]
        if places:
            return (integer(places[0]),)
    if isinstance(kind, Missing):
        if value is None:
            return (truth(True), *(make("number", s.sort, value=Fraction(0)) for s in kind.kind.slots(NEW)))
        return (truth(False), *slot_terms(kind.kind, value))
    if isinstance(kind, Fields) and isinstance(value, tuple | dict):
        named = value if isinstance(value, dict) else dict(enumerate(value))
        if list(named) == [key for key, _ in kind.kinds]:
            return tuple(
                t for (_, inner), x in zip(kind.kinds, named.values(), strict=True) for t in slot_terms(inner, x)
            )
    raise ValueError(f"a row must be as declared, got {str(value)[:80]}")
