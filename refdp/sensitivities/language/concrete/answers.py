"""What a function returned, as numbers with their places, and how far apart two answers are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.sensitivities.language.concrete.failures import NoOutcome
from refdp.sensitivities.language.concrete.running import Run
from refdp.sensitivities.language.concrete.values import is_number
from refdp.sensitivities.program import Outcome
from refdp.sensitivities.question import Norm

Key = Fraction | bool | str | None | tuple["Key", ...]
"""A place in a list or tuple, or a key of a dict."""
Leaf = Fraction | bool | str | None
"""A number; "nan", "inf" or "-inf"; a text in quotation marks; None."""
MOST = 100_000
"""Most numbers of an answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a function does on one table: it returns values at places, in order, or raises."""

    values: tuple[tuple[tuple[Key, ...], Leaf], ...] = ()
    exception: str = ""

    @property
    def outcome(self) -> Outcome:
        """The numbers alone."""
        return Outcome(tuple(v for _, v in self.values if isinstance(v, Fraction | bool)), self.exception)

    def agrees(self, other: Answer) -> bool:
        """Whether both are the same but for the order of keys."""
        return self.exception == other.exception and dict(self.values) == dict(other.values)

    def __str__(self) -> str:
        if self.exception:
            return self.exception
        if [path for path, _ in self.values] == [()]:
            return str(self.values[0][1])
        return ", ".join(f"[{']['.join(_written(k) for k in path)}] {value}" for path, value in self.values) or "[]"


def _written(key: Key) -> str:
    """A key as Python writes it."""
    if isinstance(key, tuple):
        return f"({', '.join(map(_written, key))}{',' * (len(key) == 1)})"
    return repr(key) if isinstance(key, str) else str(key)


def answer(run: Run, value: Any) -> Answer:
    """The answer that a returned value is; NoOutcome where it is none."""
    found = []
    for place in _places(run, value, ()):
        found.append(place)
        if len(found) > MOST:
            raise NoOutcome(f"the answer has more than {MOST} numbers")
    return Answer(tuple(found))


def _places(run: Run, value: Any, path: tuple[Key, ...]) -> Iterator[tuple[tuple[Key, ...], Leaf]]:
    """Every value within the returned value, with its place."""
    run.budget.spend(1 + len(path))
    if isinstance(value, list | tuple | dict):
        inner = value.items() if isinstance(value, dict) else enumerate(value)
        for key, one in inner:
            yield from _places(run, one, (*path, _key(run, key)))
        if path and not value:
            yield path, "empty"
    elif value is None or isinstance(value, bool):
        yield path, value
    elif isinstance(value, str):
        yield path, repr(value)
    elif is_number(value):
        yield path, run.arithmetic.exact(value)
    else:
        raise NoOutcome(f"the answer has a part that is no number: {type(value).__name__}")


def _key(run: Run, key: Any) -> Key:
    """A key of a dict by its value."""
    if key is None or isinstance(key, bool | str):
        return key
    if isinstance(key, tuple):
        return tuple(_key(run, part) for part in key)
    if is_number(key):
        return run.arithmetic.exact(key)
    raise NoOutcome(f"the answer has a key that is no number: {type(key).__name__}")


def distance(first: Answer, second: Answer, norm: Norm) -> Fraction | None:
    """How far apart two answers are, its square under L2; None where infinitely far."""
    if first.exception or second.exception:
        return Fraction(0) if first.exception == second.exception else None
    values, others = dict(first.values), dict(second.values)
    if values.keys() != others.keys():
        return None
    found = [_difference(value, others[path]) for path, value in values.items()]
    sizes = [d for d in found if d is not None]
    if len(sizes) < len(found):
        return None
    if norm == "L2":
        sizes = [d * d for d in sizes]
    if len(sizes) == 1:
        return sizes[0]
    return max(sizes, default=Fraction(0)) if norm == "Linf" else sum(sizes, Fraction(0))


def _difference(a: Leaf, b: Leaf) -> Fraction | None:
    """|a - b|; None where they differ and are not both numbers."""
    if type(a) is Fraction and type(b) is Fraction:
        return abs(a - b)
    if isinstance(a, Fraction | bool) and isinstance(b, Fraction | bool):
        return abs(Fraction(a) - Fraction(b))
    return Fraction(0) if a is b or isinstance(a, str) and a == b else None
