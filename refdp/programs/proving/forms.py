"""The forms that alignments are looked for in: which branches are shown, and what is known of the end beforehand."""

from __future__ import annotations

from collections.abc import Iterator

from refdp.programs.checking.alignment import Alignment, Others, items_of, observation
from refdp.programs.steps import END, Stepwise
from refdp.terms.leaves import is_number, variables
from refdp.terms.term import Term


def forms(stepwise: Stepwise) -> Iterator[Alignment]:
    """Every form, the plainest first."""
    for shown in showings(stepwise):
        for item, others in prophecies(stepwise):
            yield Alignment({}, shown=shown, item=item, others=others)


def showings(stepwise: Stepwise) -> list[frozenset[int]]:
    """The branches that are shown: none, those with effects, all."""
    every = frozenset(n for step in stepwise.steps for n, _ in step.path.branches)
    effects = frozenset(n for n in every if has_effects(n, stepwise))
    return list(dict.fromkeys((frozenset[int](), effects, every)))


def has_effects(branch: int, stepwise: Stepwise) -> bool:
    """Whether steps draw, release or end differently on the two sides of a branch."""
    sides: dict[bool, set[object]] = {True: set(), False: set()}
    for step in stepwise.steps:
        for number, way in step.path.branches:
            if number == branch:
                sides[way].add((observation(step, frozenset()), tuple(d.site for d in step.path.drawn)))
    return sides[True] != sides[False]


def prophecies(stepwise: Stepwise) -> Iterator[tuple[int | None, Others | None]]:
    """Which item of the last release is known beforehand, and the greatest value of the others."""
    last = [items_of(step.path) for step in stepwise.steps if step.target == END]
    places = sorted({k for items in last for k, i in enumerate(items)
                     if isinstance(i, Term) and i.sort == "Int" and not is_number(i)})  # fmt: skip
    if any(len(items) > 1 for items in last):
        yield from ((place, Others(*one)) for place in places for one in compared(stepwise))
    yield from ((place, None) for place in places)
    if not places:
        yield None, None


def compared(stepwise: Stepwise) -> list[tuple[int, Term]]:
    """The values that are kept after a round of a loop and made of its data and draws alone."""
    found = []
    for step in (s for s in stepwise.steps if s.is_round and s.target == s.source):
        for value in step.updates.values():
            kinds = {str(v.value).partition(".")[0] for v in variables(value)}
            if value.sort == "Real" and "draw" in kinds and kinds <= {"draw", "data"}:
                found.append((step.source, value))
    return list(dict.fromkeys(found))
