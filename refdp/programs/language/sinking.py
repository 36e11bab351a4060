"""Draws that are read only after a loop stand after it, too: right before the first statement that reads them.

A draw is independent of all that happens before it is read, so where it stands makes no difference to what is released;
but alignments speak of what is known where it stands, such as the sum that it is added to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from refdp.programs.language.context import targets
from refdp.programs.language.reads import reads
from refdp.programs.syntax import Assign, Branch, Draw, Loop, Statement


def sunk(body: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """The program whose draws, and what is computed from them, stand after the loops that do not read them."""
    return Sinking(Counter(reads(body)), Counter(targets(body))).block(body)


@dataclass(frozen=True, slots=True)
class Sinking:
    """Moves draws downwards within their blocks."""

    read: Counter[str]
    assigned: Counter[str]

    def block(self, body: tuple[Statement, ...]) -> tuple[Statement, ...]:
        """The statements in their new order."""
        found: list[Statement] = []
        drawn = set(made_of_draws(body))
        for one in reversed(body):
            if isinstance(one, Branch):
                one = replace(one, yes=self.block(one.yes), no=self.block(one.no))
            elif isinstance(one, Loop):
                one = replace(one, body=self.block(one.body))
            moved = isinstance(one, Draw | Assign) and one.target in drawn and self.is_free(one.target, found)
            found.insert(new_place(one, found, drawn) if moved else 0, one)
        return tuple(found)

    def is_free(self, name: str, later: Iterable[Statement]) -> bool:
        """Whether a variable has one value, which only the statements that come later in its block read."""
        return self.assigned[name] == 1 and 0 < self.read[name] == Counter(reads(later))[name]


def made_of_draws(body: Iterable[Statement]) -> Iterator[str]:
    """The variables that a block draws, or computes from what it draws."""
    found = set[str]()
    for one in body:
        if isinstance(one, Draw) or (isinstance(one, Assign) and found & {*reads((one,))}):
            found.add(one.target)
    return iter(found)


def new_place(one: Statement, later: list[Statement], drawn: set[str]) -> int:
    """After loops, before the first statement that needs it or changes what it reads, and before draws there."""
    needed = {*reads((one,)), *targets((one,))}
    place = 0
    while place < len(later) and not needed & {*reads((later[place],)), *assigned_in((later[place],))}:
        place += 1
    if not any(isinstance(one, Loop) for one in later[:place]):
        return 0
    while place and isinstance(before := later[place - 1], Draw | Assign) and before.target in drawn:
        place -= 1
    return place


def assigned_in(body: Iterable[Statement]) -> Iterator[str]:
    """The variables that change, those of the heads of loops included."""
    yield from targets(body)
    for one in body:
        if isinstance(one, Branch):
            yield from assigned_in((*one.yes, *one.no))
        elif isinstance(one, Loop):
            yield from (one.counter, *([one.element] if one.element else []))
            yield from assigned_in(one.body)
