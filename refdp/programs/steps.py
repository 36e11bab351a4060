"""A program as steps between the heads of its loops: what a proof for every number of data goes through.

Location 0 is the start, location k the head of the k-th loop, END the end.  A step goes from one location to the next
one, whatever the number of rounds; the state at a location is the variables that are read later on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass

from refdp.programs.execution import SORTS, Execution, Path
from refdp.programs.syntax import Append, Assign, Branch, Choose, Draw, Emit, Look, Loop, Program, Require, Statement
from refdp.terms.leaves import FALSE, integer, variable, variables
from refdp.terms.operations import negation
from refdp.terms.term import Sort, Term

START, END = 0, -1


class BeyondSteps(ValueError):
    """The program is not a sequence of loops that are not nested."""


@dataclass(frozen=True, slots=True)
class Step:
    """One way from a location to the next: what holds, is drawn, released and assigned on the way."""

    source: int
    target: int
    path: Path
    """Terms in the state at the source, `draw.SITE`, and `data.NUMBER` for each element that is read."""
    updates: Mapping[str, Term]
    """The state at the target."""
    is_round: bool = False
    """Whether it goes round the loop at the source, even if it leaves it then."""


@dataclass(frozen=True, slots=True)
class Stepwise:
    """The steps of a program."""

    program: Program
    loops: tuple[Loop, ...]
    states: Mapping[int, Mapping[str, Sort]]
    """The variables of each location."""
    steps: tuple[Step, ...]


def stepwise(program: Program) -> Stepwise:
    """The steps of the program.  BeyondSteps where a loop is within a loop or a branch."""
    loops = tuple(s for s in program.body if isinstance(s, Loop))
    if any(isinstance(s, Loop) for one in program.body for s in inside(one)):
        raise BeyondSteps("a loop within a loop or a branch")
    sorts = sorts_of(program)
    states: dict[int, Mapping[str, Sort]] = {START: {}, END: {}}
    for place, loop in enumerate(loops, 1):
        later = program.body[program.body.index(loop) :]
        live = needed(later) | {loop.counter}
        states[place] = {name: sort for name, sort in sorts.items() if name in live}
    return Stepwise(program, loops, states, tuple(_steps(program, loops, states)))


def _steps(program: Program, loops: tuple[Loop, ...], states: Mapping[int, Mapping[str, Sort]]) -> Iterator[Step]:
    """The steps, location by location."""
    sort = program.data.sort
    execution = Execution(lambda _, path: variable(f"data.{len(path.looked)}", sort), keeps_lists=False, numbered=False)
    places = [program.body.index(loop) for loop in loops]
    straight = [program.body[a + 1 : b] for a, b in zip([-1, *places], [*places, len(program.body)], strict=True)]
    unset = {name: variable(f"unset.{name}", sort) for name, sort in sorts_of(program).items()}

    def onwards(source: int, number: int, path: Path, is_round: bool = False) -> Iterator[Step]:
        """From after the loop of that number (or from the start) to the next location."""
        for after, ending in execution.block(straight[number], path):
            last = ending == "stop" or number == len(loops)
            reached = after if last else after.having(loops[number].counter, integer(0))
            yield _step(source, END if last else number + 1, reached, states, is_round)

    yield from onwards(START, 0, Path(unset))
    for number, loop in enumerate(loops, 1):
        head = Path(unset | {name: variable(name, sort) for name, sort in states[number].items()})
        guard = execution.guard(loop, head)
        for after, ending in execution.round(loop, head.given(guard)):
            if ending == "break":
                yield from onwards(number, number, after, True)
            else:
                yield _step(number, number if ending == "next" else END, after, states, True)
        if negation(guard) is not FALSE:
            yield from onwards(number, number, head.given(negation(guard)))


def _step(
    source: int, target: int, path: Path, states: Mapping[int, Mapping[str, Sort]], is_round: bool = False
) -> Step:
    """The step that a path is."""
    return Step(source, target, path, {name: path.environment[name] for name in states[target]}, is_round)


def inside(one: Statement) -> Iterator[Statement]:
    """Every statement within a branch or a loop."""
    blocks = (one.yes, one.no) if isinstance(one, Branch) else (one.body,) if isinstance(one, Loop) else ()
    for block in blocks:
        for inner in block:
            yield inner
            yield from inside(inner)


def sorts_of(program: Program) -> dict[str, Sort]:
    """The sort of every variable that the program assigns."""
    found: dict[str, Sort] = {}
    for one in (s for top in program.body for s in (top, *inside(top))):
        match one:
            case Assign(target, value):
                found[target] = value.sort
            case Draw(target, family):
                found[target] = SORTS.get(family, "Real")
            case Choose(target):
                found[target] = "Int"
            case Look(target):
                found[target] = program.data.sort
            case Loop(counter=counter, element=element, present=present):
                found[counter] = "Int"
                if element is not None:
                    found[element] = program.data.sort
                if present is not None:
                    found[present] = "Bool"
            case _:
                pass
    return found


def needed(block: tuple[Statement, ...], after: Set[str] = frozenset()) -> set[str]:
    """The variables that may be read in the block, or `after` it, before they are assigned in it."""
    found = set(after)
    for one in reversed(block):
        match one:
            case Branch(condition, yes, no):
                found = names(condition) | needed(yes, found) | needed(no, found)
            case Loop(counter, limit, element, body, condition, _, present):
                reads = names(condition) | (names(limit) if limit is not None else set())
                found = found | reads | ((needed(body) | found | reads) - {element or "", present or ""}) | {counter}
            case Assign(target, value):
                found = (found - {target}) | names(value)
            case Draw(target, _, parameters):
                found = (found - {target}) | names(*parameters)
            case Choose(target):
                found = found - {target}
            case Look(target, index):
                found = (found - {target}) | names(index)
            case Append(_, value):
                found = found | names(value)
            case Emit(items):
                found = found | names(*(i for i in items if isinstance(i, Term)))
            case Require(condition):
                found = found | names(condition)
            case _:
                pass
    return found


def names(*terms: Term) -> set[str]:
    """The names of the variables within the terms."""
    return {str(v.value) for v in variables(*terms)}
