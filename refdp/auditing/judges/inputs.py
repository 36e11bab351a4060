"""Inputs as campaign files write them: what TOML has stands for itself, the rest is a table with one key."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from refdp.auditing.judges.task import TaskError
from refdp.auditing.targets.workers import wire
from refdp.numerics.exact import exact

LONGEST = 10**7
"""Most entries that `repeated` makes."""


def read(given: Any, where: str = "input") -> Any:
    """The value: numbers, texts, lists and tables as they are, and five forms that TOML has not.

    {tuple = [...]}, {none = true}, {fraction = "1/3"}, {float = "nan"} or {float = "0x1p-3"}, and {repeated = [[0.0,
    100], [1.0, 1]]} for a list of a hundred 0.0 and a 1.0.  TaskError where a form is not well made.
    """
    if isinstance(given, list):
        return [read(one, where) for one in given]
    if not isinstance(given, dict):
        return given
    if len(given) == 1 and (name := next(iter(given))) in FORMS:
        try:
            return FORMS[name](given[name], where)
        except (ValueError, TypeError, AttributeError, OverflowError) as error:
            raise TaskError(f"{where} must be a well made {name}, got {str(given)[:80]}: {error}") from None
    return {key: read(value, f"{where}.{key}") for key, value in given.items()}


def shown(value: Any, longest: int = 200) -> str:
    """The value as text, cut in the middle where it is long."""
    text = repr(value)
    half = (longest - 5) // 2
    return text if len(text) <= longest else f"{text[:half]} ... {text[-half:]}"


def _repeated(content: Any, where: str) -> list[Any]:
    """So many times each."""
    if sum(int(times) for _, times in content) > LONGEST or any(times < 0 for _, times in content):
        raise ValueError(f"there must be 0 to {LONGEST} entries")
    return [value for one, times in content for value in [read(one, where)] * times]


def _float(content: Any, where: str) -> float:
    del where
    return float.fromhex(content) if "x" in content.lower() else float(content)


FORMS: Mapping[str, Callable[[Any, str], Any]] = {
    "tuple": lambda content, where: tuple(read(one, where) for one in content),
    "none": lambda content, where: None,
    "fraction": lambda content, where: exact(content, where),
    "float": _float,
    "repeated": _repeated,
}
"""Key -> what a table with that key alone stands for."""


def exactly(value: Any, where: str) -> Fraction:
    """A number of a campaign file, exactly: a text is read, a float stands for the number that it is."""
    try:
        if isinstance(value, float):
            return Fraction(value)
        return exact(value, where)
    except (ValueError, OverflowError) as error:
        raise TaskError(str(error)) from None


def argument(value: Any) -> Any:
    """What a recipe is given for it: a text that is a number, as a number: a whole one, or the nearest float."""
    if not isinstance(value, str):
        return value
    try:
        found = exact(value)
    except ValueError:
        return value
    return int(value) if value.strip().lstrip("+-").isdigit() else float(found)


def text(value: Any) -> str:
    """A value as canonical text: values of other types, and 0.0 and -0.0, have others."""
    return json.dumps(wire.encoded(value))


def of_text(found: str) -> Any:
    """The value that a canonical text stands for."""
    return wire.decoded(json.loads(found))
