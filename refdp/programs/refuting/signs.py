"""The kinds of outputs: texts, truth values and constant numbers, and where numbers that vary are released."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from refdp.programs.execution import Path
from refdp.programs.syntax import Item
from refdp.terms.leaves import TRUE, integer, is_number, variables
from refdp.terms.operations import equal, substitute, subtract
from refdp.terms.polynomials import polynomial
from refdp.terms.term import Term


@dataclass(frozen=True, slots=True)
class Slot:
    """A number that depends on data or draws."""

    whole: bool
    linked: bool = field(default=False, compare=False)
    """Whether it hangs on fewer draws once the number that was released before is subtracted."""


Part = Fraction | bool | str | Slot | None
Sign = tuple[tuple[Part, ...], ...]
"""An output but for its numbers."""


def sign_of(path: Path) -> Sign:
    """The output of a path but for its numbers."""
    before: Term | None = None
    found: list[tuple[Part, ...]] = []
    for items in path.emitted:
        parts: list[Part] = []
        for item in items:
            parts.append(part_of(item, before, path))
            before = item if isinstance(item, Term) and item.sort != "Bool" else before
        found.append(tuple(parts))
    return tuple(found)


def part_of(item: Item, before: Term | None, path: Path) -> Part:
    """An item but for a number that is not constant."""
    if not isinstance(item, Term):
        return item
    if item.sort == "Bool":
        return item is TRUE
    if is_number(item):
        return item.rational
    linked = before is not None and len(draws(subtract(item, before), path)) < len(draws(item, path))
    return Slot(item.sort == "Int", linked)


def draws(item: Term, path: Path) -> frozenset[Term]:
    """The draws on which a number hangs."""
    hangs_on = variables(*polynomial(item).atoms)
    return frozenset(hangs_on).intersection(one.variable for one in path.drawn)


def may_be(one: Sign, other: Sign) -> bool:
    """Whether outputs of the first kind may lie in an event of the second."""
    if [len(parts) for parts in one] != [len(parts) for parts in other]:
        return False
    return all(map(may_equal, sum(one, ()), sum(other, ())))


def may_equal(a: object, b: object) -> bool:
    """Whether the parts may be equal: numbers where one of them is not constant."""
    if isinstance(a, Slot) or isinstance(b, Slot):
        return all(isinstance(one, Fraction | Slot) for one in (a, b))
    return type(a) is type(b) and a == b


def begins(sign: Sign, beginnings: Sequence[Sign]) -> bool:
    """Whether an output, as far as it is known, begins like one of them."""
    return any(sign[: len(one)] == one[: len(sign)] for one in beginnings)


def by_outcome(path: Path) -> list[Path]:
    """The path for each outcome of the choices that are released."""
    released = variables(*(item for items in path.emitted for item in items if isinstance(item, Term)))
    for one in path.drawn:
        if one.family == "choice" and one.variable in released:
            return [p for k in range(len(one.parameters)) for p in by_outcome(having(path, one.variable, integer(k)))]
    return [path]


def having(path: Path, drawn: Term, outcome: Term) -> Path:
    """The path where this was drawn."""
    known = {drawn: outcome}
    emitted = tuple(tuple(substitute(i, known) if isinstance(i, Term) else i for i in items) for items in path.emitted)
    return replace(path.given(equal(drawn, outcome)), emitted=emitted)
