"""The text of a term: a Python expression.

Of a term without a sort it is canonical: `refdp.terms.reading.read` reads it back as the same term.  Of one with a sort
it is for readers alone, and cut where it is long: nothing is decided by it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Protocol


class Printed(Protocol):
    """What is read of a term (`refdp.terms.term.Term`) to print it."""

    @property
    def operator(self) -> str: ...
    @property
    def arguments(self) -> Sequence[Printed]: ...
    @property
    def value(self) -> object: ...
    @property
    def sort(self) -> str: ...


PRECEDENCE = {"==": 1, "!=": 1, "<=": 1, "<": 1, "+": 2, "-": 2, "*": 3, "/": 3, "negate": 4, "**": 5}
"""How strongly an operator binds; whatever is not listed is written as a call."""
JOINED = {"all_of": " and ", "any_of": " or ", "<": " < ", "<=": " <= ", "==": " == ", "+": " + ", "*": "*", "/": "/"}
"""What stands between the arguments of an operator, in a text for readers."""
LONGEST = 2_000
"""Longest text for a reader, in characters; a longer one is cut."""


def text_of(t: Printed, outer: int = 0) -> str:
    """The text of a term, in brackets where `outer` binds as strongly."""
    return for_readers(t) if t.sort else _canonical(t, outer)


def _canonical(t: Printed, outer: int) -> str:
    """Canonical text: brackets only where precedence needs them, left-associative."""
    if isinstance(t.value, Fraction):
        level = 3 if t.value.denominator != 1 else 4 if t.value < 0 else 9
        return f"({t.value})" if level <= outer else str(t.value)
    if t.operator == "name":
        return str(t.value)
    if t.operator == "text":
        return repr(t.value)
    if t.operator not in PRECEDENCE:
        return f"{t.operator}({', '.join(_canonical(a, 0) for a in t.arguments)})"
    level = PRECEDENCE[t.operator]
    if t.operator == "negate":
        body = "-" + _canonical(t.arguments[0], level)
    elif t.operator == "**":
        body = f"{_canonical(t.arguments[0], level)} ** {_canonical(t.arguments[1], 0)}"
    else:
        left, right = t.arguments
        body = f"{_canonical(left, level if level == 1 else level - 1)} {t.operator} {_canonical(right, level)}"
    return f"({body})" if level <= outer else body


def for_readers(t: Printed) -> str:
    """The text of a term with a sort; ... stands for what is too long."""
    found: dict[Printed, str] = {}
    for part in _inner_first(t):
        found[part] = _for_readers(part, [found[a] for a in part.arguments])[:LONGEST]
    text = found[t]
    if len(text) >= LONGEST:
        return f"{text[: LONGEST - 3]}..."
    outermost = text.startswith("(") and t.operator in JOINED and text.endswith(")")
    return text[1:-1] if outermost else text


def _inner_first(t: Printed) -> Iterator[Printed]:
    """Every different term within `t`, arguments before what is made of them; no stack of Python's is filled."""
    seen: set[Printed] = set()
    waiting: list[tuple[Printed, bool]] = [(t, False)]
    while waiting:
        one, is_ready = waiting.pop()
        if is_ready:
            yield one
        elif one not in seen:
            seen.add(one)
            waiting.append((one, True))
            waiting += [(a, False) for a in one.arguments]


def _for_readers(part: Printed, arguments: Sequence[str]) -> str:
    """One term from the texts of its arguments."""
    if not part.arguments:
        return str(part.value)
    if part.operator in JOINED:
        return f"({JOINED[part.operator].join(arguments)})"
    if part.operator == "ite":
        return _choice(part, arguments)
    if part.operator in ("real", "not"):
        return arguments[0] if part.operator == "real" else f"(not {arguments[0]})"
    return f"{'power' if part.operator == '**' else part.operator}({', '.join(arguments)})"


def _choice(part: Printed, arguments: Sequence[str]) -> str:
    """A choice from the texts of its parts: an absolute value, a maximum or a minimum by its name."""
    named, places = named_choice(part)
    if named:
        return f"{named}({', '.join(arguments[place] for place in places)})"
    return f"({arguments[1]} if {arguments[0]} else {arguments[2]})"


def named_choice(part: Printed) -> tuple[str, Sequence[int]]:
    """What a choice between two numbers is called, and which of its arguments it is of; no name where it has none."""
    condition, yes, no = part.arguments
    if condition.operator == "<":
        left, right = condition.arguments
        if no is left and _is_negative_of(yes, left) and right.value == 0:
            return "abs", (2,)
        if (yes is right and no is left) or (yes is left and no is right):
            return "max" if yes is right else "min", (2, 1)
    return "", ()


def _is_negative_of(a: Printed, b: Printed) -> bool:
    """Whether `a` is written -1 * b."""
    return a.operator == "*" and a.arguments[0].value == -1 and a.arguments[1] is b
