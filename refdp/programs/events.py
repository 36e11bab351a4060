"""Events of the output of a program on given data, and their exact probabilities.

Trusted, with counterexample.py: the program is executed along every path that may end in the event.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from refdp import work
from refdp.programs.execution import Execution, Path
from refdp.programs.probabilities import NotComputed, Number, number, probability
from refdp.programs.syntax import Item, Program
from refdp.terms.leaves import FALSE, TRUE, integer, is_number, rational, truth, variable
from refdp.terms.operations import at_most, conjunction, real, subtract
from refdp.terms.term import Sort, Term


@dataclass(frozen=True, slots=True)
class Interval:
    """The numbers from low to high, both included; None is no limit."""

    low: Fraction | None = None
    high: Fraction | None = None
    after: bool = False
    """Whether it is for the number less the number that was released before it."""


Expected = Fraction | bool | str | None | Interval
"""What a part of the output must be, or lie in."""
Event = tuple[tuple[Expected, ...], ...]
"""Every emission in order, each with all its parts."""
Datum = Fraction | bool
SECONDS = 60.0
"""How long a probability may take, unless said."""


def setting(program: Program, parameters: Mapping[str, Term], length: int) -> Mapping[Term, Term]:
    """The value of each public parameter and of the number of data."""
    known = {name: of_sort(value, program.parameters[name]) for name, value in parameters.items()} | {
        "n": integer(length)
    }
    return {variable(name, value.sort): value for name, value in known.items()}


def of_sort(value: Term, sort: Sort) -> Term:
    """A number of that sort; where it is to be an integer and is none it stays as it is, and no claim allows it."""
    if sort == "Int" and is_number(value) and value.rational.denominator == 1:
        return integer(int(value.rational))
    return real(value) if sort == "Real" else value


def chance(
    program: Program,
    parameters: Mapping[str, Term],
    data: tuple[Datum, ...],
    event: Event,
    seconds: float = SECONDS,
) -> Number:
    """P[output in event], the sum over the paths that may end in it; NotComputed where it takes longer."""
    deadline = work.spent() + seconds

    def feasible(path: Path) -> bool:
        insist_on_read(path)
        return FALSE not in path.condition and may_be_in(path, event)

    execution = Execution(element_of(data, program.data.sort), feasible=feasible)
    total = number(0)
    for path, _ in execution.block(program.body, start(program, parameters, len(data))):
        insist_on_read(path)
        ends = FALSE if len(path.emitted) != len(event) else is_in(path.emitted, event)
        if ends is not FALSE and FALSE not in path.condition:
            total = total + probability((*path.condition, ends), path.drawn, deadline - work.spent())
    return total


def insist_on_read(path: Path) -> None:
    """NotComputed where Python may go on, in a way that is not read: what it releases then would be left out."""
    if path.unread:
        raise NotComputed(f"{path.unread[0]}: what Python does then is not read")


def start(program: Program, parameters: Mapping[str, Term], length: int) -> Path:
    """The path before the first statement."""
    return Path({str(name.value): value for name, value in setting(program, parameters, length).items()})


def element_of(data: tuple[Datum, ...], sort: Sort) -> Callable[[Term, Path], Term]:
    """The element at an index; where there is none the path already says that Python raises an exception."""

    def element(index: Term, _: Path) -> Term:
        place = int(index.rational)
        one = data[place] if 0 <= place < len(data) else Fraction(0)
        return truth(one is True) if sort == "Bool" else of_sort(rational(one), sort)

    return element


def may_be_in(path: Path, event: Event) -> bool:
    """Whether what was released so far begins as the event does."""
    return len(path.emitted) <= len(event) and is_in(path.emitted, event[: len(path.emitted)]) is not FALSE


def is_in(emitted: tuple[tuple[Item, ...], ...], event: Event) -> Term:
    """When the output lies in the event."""
    if any(len(items) != len(parts) for items, parts in zip(emitted, event, strict=True)):
        return FALSE
    before: Term | None = None
    found = []
    for item, part in zip(sum(emitted, ()), sum(event, ()), strict=True):
        found.append(is_as_expected(item, part, before))
        before = item if isinstance(item, Term) and item.sort != "Bool" else before
    return conjunction(*found)


def is_as_expected(item: Item, part: Expected, before: Term | None) -> Term:
    """When a part of the output is as expected; truth values, texts and None are no numbers."""
    if not isinstance(item, Term) or isinstance(part, str) or part is None:
        return truth(not isinstance(item, Term) and item == part)
    if isinstance(part, bool) or item.sort == "Bool":
        return truth(item is truth(part is True) and isinstance(part, bool))
    if isinstance(part, Fraction):
        part = Interval(part, part)
    if part.after:
        item = subtract(item, before) if before is not None else item
    low = TRUE if part.low is None else at_most(rational(part.low), item)
    return conjunction(low, TRUE if part.high is None else at_most(item, rational(part.high)))


def apart(one: Event, other: Event) -> bool:
    """Whether the events are seen to exclude each other."""
    if [len(items) for items in one] != [len(items) for items in other]:
        return True
    return any(map(differ, sum(one, ()), sum(other, ())))


def differ(one: Expected, other: Expected) -> bool:
    """Whether no output is as both expect."""
    if isinstance(one, Fraction):
        one = Interval(one, one)
    if isinstance(other, Fraction):
        other = Interval(other, other)
    if not isinstance(one, Interval) or not isinstance(other, Interval):
        return type(one) is not type(other) or one != other
    if one.after != other.after:
        return False
    return any(a.high is not None and b.low is not None and a.high < b.low for a, b in ((one, other), (other, one)))
