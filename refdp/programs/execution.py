"""Symbolic execution: every path through statements, with the condition under which it is taken.

Draws are variables `draw.SITE` (in a run with loops unrolled `draw.SITE.NUMBER`), data what the caller gives.  A path
forks where a condition or a truth value that is released is not constant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from refdp.programs.syntax import (
    Append,
    Assign,
    Branch,
    Break,
    Choose,
    Draw,
    Emit,
    Family,
    Item,
    Look,
    Loop,
    Require,
    Statement,
)
from refdp.terms.leaves import FALSE, TRUE, integer, truth, variable, variables
from refdp.terms.operations import add, alike, conjunction, less, negation, substitute
from refdp.terms.term import Sort, Term

SORTS: Mapping[str, Sort] = {"bernoulli": "Bool", "discrete_laplace": "Int", "choice": "Int", "uniform": "Int"}
"""The sort of what is drawn, Real unless said."""


class TooManyPaths(RuntimeError):
    """There are more paths, or longer ones, than are looked at."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """One draw of a path."""

    site: int
    family: Family
    parameters: tuple[Term, ...]
    """Terms in public parameters; of a choice from a list the weights, or none where they are not kept."""
    variable: Term
    weights: str | None = None
    """The list that was chosen from."""


@dataclass(frozen=True, slots=True)
class Path:
    """What happened on one way through statements."""

    environment: Mapping[str, Term]
    """The value of each variable of the program, and of those public parameters (`n` among them) that are fixed."""
    condition: tuple[Term, ...] = ()
    """What holds where this path is taken, in the order in which it was decided."""
    drawn: tuple[Drawn, ...] = ()
    emitted: tuple[tuple[Item, ...], ...] = ()
    branches: tuple[tuple[int, bool], ...] = ()
    """The branches that were decided by data or draws, and which way."""
    required: tuple[tuple[Term, str], ...] = ()
    """What Python needs to raise no exception: a condition that follows from those before it, and what is raised."""
    unread: tuple[str, ...] = ()
    """Where Python may go on, in a way that is not read, on paths that end here."""
    appended: tuple[tuple[str, Term], ...] = ()
    """What was appended to lists of weights."""
    looked: tuple[tuple[Term, Term], ...] = ()
    """Elements of the data that were read: index and variable or value."""
    lists: Mapping[str, tuple[Term, ...]] = field(default_factory=dict)
    """Whole lists of weights, where they are kept."""

    def value(self, term: Term) -> Term:
        """The term in terms of draws, data and the values at the start."""
        known = self.environment
        return substitute(term, {v: alike(v, known[n])[1] for v in variables(term) if (n := str(v.value)) in known})

    def given(self, condition: Term) -> Path:
        """The path where the condition holds, too."""
        return self if condition is TRUE else replace(self, condition=(*self.condition, condition))

    def having(self, name: str, value: Term) -> Path:
        """The path after name = value."""
        return replace(self, environment={**self.environment, name: value})


def presence(element: Term) -> Term:
    """Whether an element that a round reads is there, or null."""
    return variable(f"{element.value}.present", "Bool")


Ending = str
"""How a block ended: "next", "break" or "stop"."""
AGAIN: Ending = "again"
"""How a round of a loop ended after which the loop is at its head again."""
Element = Callable[[Term, Path], Term]
"""The element of the data at an index."""


@dataclass(slots=True)
class Execution:
    """Executes statements along every path."""

    element: Element
    keeps_lists: bool = True
    """Whether lists of weights are kept whole."""
    numbered: bool = True
    """Whether each draw has a number of its own, as when loops are unrolled."""
    most_paths: int = 20_000
    most_rounds: int = 1_000
    feasible: Callable[[Path], bool] = lambda path: True
    """Whether a path can be taken, as far as is found out; asked where paths fork."""
    paths: int = 0

    def block(self, statements: tuple[Statement, ...], start: Path) -> Iterator[tuple[Path, Ending]]:
        """Every path through the statements and how it ends.  TooManyPaths where there are more than are looked at."""
        open_paths = [iter([(start, "next")])]  # of each statement that was begun; a stack of ours is as deep as needed
        while open_paths:
            path, ending = next(open_paths[-1], (None, ""))
            done = len(open_paths) - 1
            if path is None:
                open_paths.pop()
            elif ending == "next" and done < len(statements):
                open_paths.append(self.statement(statements[done], path))
            else:
                yield path, ending

    def statement(self, one: Statement, path: Path) -> Iterator[tuple[Path, Ending]]:
        """Every path through one statement."""
        match one:
            case Assign(target, value):
                yield path.having(target, path.value(value)), "next"
            case Draw() | Choose():
                yield self._drawn(one, path), "next"
            case Append(weights, value):
                yield self._appended(weights, path.value(value), path), "next"
            case Look(target, index):
                place = path.value(index)
                found = self.element(place, path)
                yield replace(path.having(target, found), looked=(*path.looked, (place, found))), "next"
            case Branch(condition, yes, no, number):
                for chosen, way in self.fork(path.value(condition), path, number):
                    yield from self.block(yes if way else no, chosen)
            case Loop():
                yield from self._loop(one, path.having(one.counter, integer(0)))
            case Emit(items):
                for known in self._known(tuple(path.value(i) if isinstance(i, Term) else i for i in items), (), path):
                    yield known, "next"
            case Require(condition, complaint):
                needed = path.value(condition)
                required = path.required if needed is TRUE else (*path.required, (needed, complaint))
                unread = path.unread if needed is TRUE or one.certain else (*path.unread, complaint)
                yield replace(path, required=required, unread=unread).given(needed), "next"
            case _:
                yield path, "break" if isinstance(one, Break) else "stop"

    def fork(self, condition: Term, path: Path, branch: int | None = None) -> Iterator[tuple[Path, bool]]:
        """The path where the condition holds, and where it does not, as far as either can be.

        A path that says both has raised an exception: it goes one way, or what it requires would be lost with it.
        """
        if condition.operator == "truth":
            yield path, condition is TRUE
            return
        both = ((True, condition), (False, negation(condition)))
        for way, taken in [one for one in both if negation(one[1]) not in path.condition] or both[1:]:
            chosen = path.given(taken)
            if branch is not None:
                chosen = replace(chosen, branches=(*chosen.branches, (branch, way)))
            if self.feasible(chosen):
                self.paths += 1
                if self.paths > self.most_paths:
                    raise TooManyPaths(f"there are more than {self.most_paths} paths")
                yield chosen, way

    def _loop(self, loop: Loop, path: Path) -> Iterator[tuple[Path, Ending]]:
        """Every path through a loop that is unrolled."""
        rounds = [self._from_head(loop, path)]
        while rounds:
            after, ending = next(rounds[-1], (None, ""))
            if after is None:
                rounds.pop()
            elif ending != AGAIN:
                yield after, ending
            elif len(rounds) > self.most_rounds:
                raise TooManyPaths(f"a loop goes round more than {self.most_rounds} times")
            else:
                rounds.append(self._from_head(loop, after))

    def _from_head(self, loop: Loop, path: Path) -> Iterator[tuple[Path, Ending]]:
        """Every path out of a loop at its head, or once round it; AGAIN where it comes to the head again."""
        for entered, going in self.fork(self.guard(loop, path), path):
            if not going:
                yield entered, "next"
                continue
            for after, ending in self.round(loop, entered):
                yield after, AGAIN if ending == "next" else "next" if ending == "break" else ending

    def guard(self, loop: Loop, path: Path) -> Term:
        """Whether the loop goes round once more, at its head."""
        counter = path.environment[loop.counter]
        limit = TRUE if loop.limit is None else less(counter, path.value(loop.limit))
        return conjunction(limit, path.value(loop.condition)) if limit is not FALSE else FALSE

    def round(self, loop: Loop, path: Path) -> Iterator[tuple[Path, Ending]]:
        """Every path once round a loop, the counter being raised at the end."""
        counter = path.environment[loop.counter]
        if loop.element is not None:
            found = self.element(counter, path)
            path = replace(path.having(loop.element, found), looked=(*path.looked, (counter, found)))
            if loop.present is not None:
                path = path.having(loop.present, presence(found))
        for after, ending in self.block(loop.body, path):
            raised = add(counter, integer(1))
            yield (after.having(loop.counter, raised) if ending == "next" else after), ending

    def _drawn(self, one: Draw | Choose, path: Path) -> Path:
        """The path after a draw."""
        family: Family = one.family if isinstance(one, Draw) else "choice"
        number = f".{sum(d.site == one.site for d in path.drawn)}" if self.numbered else ""
        outcome = variable(f"draw.{one.site}{number}", SORTS.get(family, "Real"))
        if isinstance(one, Draw):
            drawn = Drawn(one.site, family, tuple(map(path.value, one.parameters)), outcome)
        else:
            drawn = Drawn(one.site, family, path.lists.get(one.weights, ()), outcome, one.weights)
        return replace(path.having(one.target, outcome), drawn=(*path.drawn, drawn))

    def _appended(self, weights: str, value: Term, path: Path) -> Path:
        """The path after a weight was appended."""
        appended = (*path.appended, (weights, value))
        if not self.keeps_lists:
            return replace(path, appended=appended)
        kept = {**path.lists, weights: (*path.lists.get(weights, ()), value)}
        return replace(path, appended=appended, lists=kept)

    def _known(self, waiting: tuple[Item, ...], done: tuple[Item, ...], path: Path) -> Iterator[Path]:
        """The paths on which each truth value that is released is known."""
        if not waiting:
            yield replace(path, emitted=(*path.emitted, done))
            return
        first, *rest = waiting
        if isinstance(first, Term) and first.sort == "Bool":
            for chosen, way in self.fork(first, path):
                yield from self._known(tuple(rest), (*done, truth(way)), chosen)
        else:
            yield from self._known(tuple(rest), (*done, first), path)
