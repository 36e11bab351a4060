"""Tasks and judges: one question about one target, asked in chunks of plain JSON that need not come from one process.

    opening = judge.opening()                              once, before everything else: learns, asks for maps
    chunk   = judge.chunk(1, opening), judge.chunk(2, opening), ...   in any process, in any order
    judge.is_over(opening, chunks)                         after each chunk, in the order of their numbers
    result  = judge.result(opening, chunks)                from the record alone

A judge of one question without statistics does all in its opening and is over then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

from refdp.auditing.judges.result import Result
from refdp.auditing.targets import Adapted
from refdp.numerics.exact import exact

Record = Mapping[str, Any]
"""Plain JSON: texts, integers, booleans, lists, objects.  No floats, but for seconds."""


class TaskError(ValueError):
    """A task cannot be read; the sentence names the parameter, the requirement and the value."""


@dataclass(frozen=True, slots=True)
class Task:
    """One target, the kind of question, and what that kind reads."""

    name: str
    kind: str
    target: Adapted | None
    """None where the question is about a command or a function of this process."""
    fields: Mapping[str, Any]
    """What the kind reads, as the campaign file gives it."""
    expected: str | None = None
    """The verdict that the campaign's author expects."""
    source: str | None = None
    """Where a finding is told in public."""


class Judge(Protocol):
    """How a task is worked at, in chunks."""

    def opening(self) -> Record:
        """What comes before all chunks: versions, maps, what was learned; or everything, if there are no chunks."""

    def chunk(self, number: int, opening: Record) -> Record:
        """The chunk of that number, 1 or more; how much it draws depends on the number alone."""

    def is_over(self, opening: Record, chunks: Sequence[Record]) -> bool:
        """Whether no further chunk is wanted after chunks 1, 2, ..., in this order."""

    def result(self, opening: Record, chunks: Sequence[Record]) -> Result:
        """What they come to: the same for the same record."""


EXAMPLES = {
    "claim": '{ input = "symmetric", d_in = 1, output = "absolute", d_out = 10 }',
    "d_in": "d_in = 1",
    "events": '[{ mechanism = "laplace", scale = 10, count = "count" }] beside grid = { count = [1, 100] }',
    "input": 'input = "symmetric"',
    "kind": 'kind = "stability"',
    "law": '{ name = "discrete_laplace", scale = 2 }',
    "neighbours": 'neighbours = "add_remove", or "change_one", or "none"',
    "output": 'output = "absolute"',
    "space": "{ table = { whole = [0, 10] }, size = 3 }",
}
"""What a field looks like that was not given."""


def example(name: str) -> str:
    """Words with what the field may look like."""
    if name not in EXAMPLES:
        return ""
    text = EXAMPLES[name]
    return ", such as " + (text if text.startswith(name) else f"{name} = {text}")


class Fields:
    """Reads the fields of a table, each once; `done` refuses what nobody has read."""

    def __init__(self, given: Mapping[str, Any], where: str = "") -> None:
        self.given, self.where, self.taken = dict(given), where, set[str]()

    def has(self, name: str) -> bool:
        """Whether it was given."""
        return name in self.given

    def any(self, name: str, default: Any = ...) -> Any:
        """The field as it is; TaskError where it is missing and has no default."""
        self.taken.add(name)
        if name not in self.given and default is ...:
            raise TaskError(f"{self.where}{name} must be given{example(name)}")
        return self.given.get(name, default)

    def of(self, name: str, kind: type | tuple[type, ...], words: str, default: Any = ...) -> Any:
        """The field, of one of the types; True is no number."""
        found = self.any(name, default)
        wrong = not isinstance(found, kind) or isinstance(found, bool) and kind is not bool
        if found is not default and wrong:
            raise TaskError(f"{self.where}{name} must be {words}, got {found!r}")
        return found

    def words(self, name: str, known: Sequence[str], least: int = 1) -> tuple[str, ...]:
        """A list of known words, at least so many of them; all unless it is given."""
        must = f"a list of {', '.join(known)}"
        found = self.of(name, list, must, list(known))
        if len(found) < least or any(one not in known for one in found):
            raise TaskError(f"{self.where}{name} must be {must}, got {found}")
        return tuple(found)

    def text(self, name: str, default: Any = ...) -> Any:
        """A text."""
        return self.of(name, str, "a text", default)

    def whole(self, name: str, default: Any = ..., least: int = 1) -> Any:
        """A whole number that is not less than `least`."""
        found = self.of(name, int, f"a whole number >= {least}", default)
        if isinstance(found, int) and found < least:
            raise TaskError(f"{self.where}{name} must be a whole number >= {least}, got {found}")
        return found

    def number(self, name: str, default: Any = ...) -> Any:
        """An exact number: a whole number, or a text such as "1/3", "0.1"."""
        found = self.of(name, (int, str), 'an exact number, such as 1 or "0.1"', default)
        return found if found is default else self._exactly(name, found)

    def one_of(self, name: str, words: Sequence[str], default: Any = ...) -> Any:
        """One of the words."""
        found = self.text(name, default)
        if found is not default and found not in words:
            raise TaskError(f"{self.where}{name} must be one of {', '.join(words)}, got {found}")
        return found

    def table(self, name: str, default: Any = ...) -> Fields:
        """The fields of a table within this one."""
        found = self.of(name, dict, "a table", default)
        return Fields(found if found is not None else {}, f"{self.where}{name}.")

    def done(self) -> None:
        """TaskError where a field was given that nothing reads."""
        if unknown := sorted(self.given.keys() - self.taken):
            raise TaskError(
                f"{self.where or 'target.'}{unknown[0]} is not known here; known are {', '.join(sorted(self.taken))}"
            )

    def _exactly(self, name: str, found: int | str) -> Fraction:
        try:
            return exact(found, name)
        except (ValueError, TypeError) as error:
            raise TaskError(f"{self.where}{error}") from None


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of question: its judge for a task and a share of alpha, and whether it takes one."""

    judge: Callable[[Task, Fraction], Judge] = field(repr=False)
    statistical: bool
