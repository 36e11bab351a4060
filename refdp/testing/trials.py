"""A test function as a source of draws: called with fresh entropy, its answers counted, its memory kept over reruns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from refdp.testing.entropy import given
from refdp.testing.findings import Disorder
from refdp.testing.settings import Settings

if TYPE_CHECKING:
    from refdp.testing.wealth import Account

Function = Callable[..., Any]


@dataclass(slots=True)
class Memory:
    """What one run of pytest knows of a statement: reruns go on from here and never begin anew."""

    calls: dict[str, int] = field(default_factory=dict)
    """Role -> how many calls there were, each with entropy of its own."""
    kept: dict[str, Any] = field(default_factory=dict)
    """Role -> counts so far."""


@dataclass(frozen=True, slots=True)
class Source:
    """A function, the test's own or a mutant, that draws."""

    role: str
    function: Function
    takes: frozenset[str]

    def named(self) -> str:
        """As sentences name it."""
        return f"mutant {self.role}" if self.role else "the function"


@dataclass(frozen=True, slots=True)
class Trial:
    """One attempt at a statement: where draws come from, what may be spent, and what is remembered."""

    name: str
    settings: Settings
    alpha: Fraction
    """Its share of the budget."""
    memory: Memory
    account: Account | None
    """The evidence of earlier nights, where it is carried on."""
    source: Source

    def call(self, source: Source, arguments: Mapping[str, Any]) -> Any:
        """What the function returns; its exceptions are its own."""
        number = self.memory.calls.get(source.role, 0)
        self.memory.calls[source.role] = number + 1
        label = f"{self.name}\n{source.role}\n{number}"
        entropy = given(source.takes, self.settings.seed, label)
        known = {name: value for name, value in arguments.items() if name in source.takes}
        return source.function(**known, **entropy)

    def values(self, source: Source, n: int, arguments: Mapping[str, Any]) -> list[Any]:
        """n draws; Disorder where the function gives another number of them, or nothing that can be counted."""
        answer = self.call(source, {"n": n, **arguments})
        found = listed(answer)
        if found is None:
            raise Disorder(f"{source.named()} must return a list or an array of n draws, got {type(answer).__name__}")
        if len(found) != n:
            raise Disorder(f"{source.named()} must return n = {n} draws, got {len(found)}")
        return found


def listed(answer: Any) -> list[Any] | None:
    """The values of a list, an array or an iterator, those of arrays as Python's own; None for what is none."""
    if isinstance(answer, str | bytes | dict):
        return None
    convert = getattr(answer, "tolist", None)
    try:
        found = convert() if callable(convert) else list(answer)
    except TypeError:
        return None
    return [plain(value) for value in found] if isinstance(found, list) else None


def plain(value: Any) -> Any:
    """A number of an array library as Python's own."""
    if type(value) in (int, float, str, bool, list, tuple):
        return value
    convert = getattr(value, "item", None) if getattr(value, "shape", None) == () else None
    return convert() if callable(convert) else value
