"""Mathematics in lines that fit a page: how wide a term is when printed, and where a long one is broken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from refdp.report.latex import RELATIONS, latex
from refdp.spec.terms import Term

LONGEST_LINE = 80
"""Most characters, as printed, that stand in one line."""
INDENT = r"\qquad "


def width(t: Term) -> int:
    """About how many characters wide a term is printed: a fraction is as wide as its wider part."""
    if not t.arguments:
        return len(t.operator if t.value is None else str(t.value))
    inner = [width(a) for a in t.arguments]
    match t.operator:
        case "/":
            return max(inner)
        case "**":
            return inner[0] + (inner[1] + 1) // 2
        case "+" | "-" | "<=" | "<" | "==" | "!=":
            return sum(inner) + 3
        case "*":
            return sum(inner) + 1
        case "abs" | "negate" | "sqrt" | "indicator":
            return sum(inner) + 2
    return len(t.operator) + 2 + sum(inner) + 2 * (len(inner) - 1)


def listed(head: str, terms: Iterable[Term]) -> list[str]:
    """The terms after the head, separated by commas, on as many lines as they need."""
    lines, length = list[str](), LONGEST_LINE
    for t in terms:
        if length + width(t) > LONGEST_LINE:
            lines = [*lines[:-1], *(f"{line}," for line in lines[-1:]), *broken(t)]
            length = width(t)
        else:
            lines[-1] += r",\; " + latex(t)
            length += width(t) + 2
    return [(head if i == 0 else INDENT) + line for i, line in enumerate(lines)]


def broken(t: Term) -> Sequence[str]:
    """A term, in several lines if it is a long comparison: broken at its sign, and at the signs of its sides."""
    if t.operator not in RELATIONS or width(t) <= LONGEST_LINE:
        return [latex(t)]
    left, right = t.arguments
    second = [*summands(right)]
    second[0] = rf"{RELATIONS[t.operator]} {second[0]}"
    return [*summands(left), *second]


def summands(t: Term) -> Iterator[str]:
    """A side of a comparison; its last summands on lines of their own while it is long."""
    if width(t) <= LONGEST_LINE or t.operator not in ("+", "-"):
        yield latex(t)
        return
    first, last = t.arguments
    yield from summands(first)
    yield rf"{INDENT}{t.operator} {latex(last, 2)}"
