"""Mathematics in lines that fit a page: how wide a term is when printed, and where a long one is broken.

A long term is cut into pieces, each on one line and each well formed; brackets that are closed in another piece are of
a fixed height.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from refdp.report.latex.terms import RELATIONS, escaped, latex
from refdp.terms.printing import PRECEDENCE
from refdp.terms.term import Term

LONGEST_LINE = 76
"""Most characters, as printed, that stand in one line."""
LONGEST_PIECE = 30
"""Most characters of a piece that is not cut further."""
INDENT = r"\qquad "
FENCES = {
    "abs": (r"\bigl|", r"\bigr|"),
    "indicator": (r"\mathbf{1}\bigl[", r"\bigr]"),
    **{f: (rf"\{f}\bigl(", r"\bigr)") for f in ("exp", "ln", "max", "min")},
}
"""Function -> how it begins and ends where its argument is cut."""
WHOLE = ("integral", "**", "sqrt")
"""What is never cut."""
Piece = tuple[str, int]
"""LaTeX that stays on one line, and about how many characters wide it is."""


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
        case "abs" | "negate" | "sqrt":
            return sum(inner) + 2
        case "indicator":
            return sum(inner) + 3
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
    """A term, in several lines if it is long; a comparison is broken at its sign first."""
    if width(t) <= LONGEST_LINE:
        return [latex(t)]
    if t.operator not in RELATIONS:
        return filled(pieces(t))
    left, right = t.arguments
    sign = RELATIONS[t.operator]
    return [*filled(pieces(left)), *filled(before(f"{sign} ", pieces(right)))]


def filled(found: Sequence[Piece]) -> list[str]:
    """The pieces on as few lines as they need; all lines but the first are indented."""
    lines, length = list[str](), LONGEST_LINE
    for text, size in found:
        if length + size > LONGEST_LINE:
            lines.append((INDENT if lines else "") + text)
            length = size
        else:
            lines[-1] += f" {text}"
            length += size + 1
    return lines


def pieces(t: Term, outer: int = 0) -> list[Piece]:
    """A term cut into pieces, in brackets where it binds no more strongly than `outer`."""
    if width(t) <= LONGEST_PIECE or not t.arguments or t.operator in WHOLE:
        return [(latex(t, outer), width(t))]
    level = PRECEDENCE.get(t.operator)
    if level is None:
        return _applied(t)
    if t.operator == "negate":
        found = before("-", pieces(t.arguments[0], PRECEDENCE["*"]))
    else:
        left, right = t.arguments
        sign = {**RELATIONS, "*": r"\cdot", "/": "/"}.get(t.operator, t.operator)
        found = [*pieces(left, level - (level > 1)), *before(f"{sign} ", pieces(right, level))]
    return between(r"\bigl(", found, r"\bigr)") if level <= outer else found


def _applied(t: Term) -> list[Piece]:
    """A function of arguments cut into pieces, with commas between them."""
    start, end = FENCES.get(t.operator, (rf"\mathrm{{{escaped(t.operator)}}}\bigl(", r"\bigr)"))
    *most, last = map(pieces, t.arguments)
    inside = [piece for argument in most for piece in between("", argument, ",")]
    return between(start, [*inside, *last], end)


def before(sign: str, found: Sequence[Piece]) -> list[Piece]:
    """The pieces with a sign at the beginning."""
    return between(sign, found, "")


def between(start: str, found: Sequence[Piece], end: str) -> list[Piece]:
    """The pieces with something at the beginning and at the end."""
    (first, size), *rest = found
    whole = [(start + first, size + len(start) // 3), *rest]
    last, size = whole[-1]
    return [*whole[:-1], (last + end, size + len(end) // 3)]
