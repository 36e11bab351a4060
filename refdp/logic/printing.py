"""A term as a reader writes it, and as SMT-LIB text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

from refdp.logic.graphs import parts, variables
from refdp.logic.terms import Term, negate

LONGEST = 2_000
"""Longest text of a term for a reader, in characters; a longer one is cut."""
INFIX = {"+": " + ", "*": "*", "/": "/", "<": " < ", "<=": " <= ", "=": " == ", "and": " and ", "or": " or "}
PLAIN = re.compile(r"[ -\[\]-{}~]+")
ALIKE = 8
"""With how many earlier roots a root is compared."""
SMT = {"floor": "to_int", "real": "to_real"}


def infix(term: Term) -> str:
    """The term as a Python expression; ... stands for what is too long."""
    found: dict[Term, str] = {}
    for part in parts(term):
        found[part] = _infix(part, [found[a] for a in part.arguments])[:LONGEST]
    text = found[term]
    outermost = text.startswith("(") and term.operator in INFIX and text.endswith(")")
    return text[1:-1] if outermost else text if len(text) < LONGEST else f"{text[: LONGEST - 3]}..."


def _infix(part: Term, arguments: list[str]) -> str:
    """One term from the texts of its arguments."""
    if not arguments:
        return str(part.value)
    if part.operator in INFIX:
        return f"({INFIX[part.operator].join(arguments)})"
    if part.operator == "ite":
        return _choice(part, arguments)
    if part.operator in ("real", "not"):
        return arguments[0] if part.operator == "real" else f"(not {arguments[0]})"
    return f"{'sqrt' if part.operator == 'root' else part.operator}({', '.join(arguments)})"


def _choice(part: Term, arguments: list[str]) -> str:
    """A choice from the texts of its parts: an absolute value, a maximum or a minimum by its name."""
    condition, yes, no = part.arguments
    if condition.operator == "<":
        left, right = condition.arguments
        if yes is right and no is left:
            return f"max({arguments[2]}, {arguments[1]})"
        if yes is left and no is right:
            return f"min({arguments[2]}, {arguments[1]})"
        if no is left and yes is negate(left) and right.value == 0:
            return f"abs({arguments[2]})"
    return f"({arguments[1]} if {arguments[0]} else {arguments[2]})"


def script(assertions: Iterable[Term], logic: str = "ALL") -> str:
    """SMT-LIB text that is satisfiable where all assertions can hold together; it ends with check-sat.

    A square root is a new constant r with r >= 0 and r * r = its argument where that is >= 0, else any number, the
    same for equal arguments.  z3 and cvc5 read x / 0 so too.  So nothing follows from what a branch not taken would be.
    """
    wanted = tuple(assertions)
    lines = [f"(set-logic {logic})"]
    lines += [f"(declare-const {symbol(v)} {v.sort})" for v in variables(*wanted)]
    names: dict[Term, str] = {}
    for assertion in wanted:
        lines += definitions(assertion, names)
        lines.append(f"(assert {names[assertion]})")
    return "\n".join([*lines, "(check-sat)", ""])


def symbol(term: Term) -> str:
    """The SMT-LIB symbol of a variable.  ValueError where its name could be read as anything else."""
    name = str(term.value)
    if not PLAIN.fullmatch(name) or name.startswith("let!"):
        raise ValueError(f"a name must be printable ASCII without | and \\, not let!..., got {name[:80]!r}")
    return f"|{name}|"


def definitions(term: Term, names: dict[Term, str]) -> list[str]:
    """Lines that define every composed term within `term` once; `names` learns what each is called."""
    lines = []
    for part in parts(term):
        if part in names:
            continue
        if not part.arguments:
            names[part] = leaf(part)
            continue
        names[part] = f"let!{len(names)}"
        if part.operator == "root":
            lines += _root(names[part], names[part.arguments[0]])
            others = [other for other in names if other.operator == "root" and other is not part][-ALIKE:]
            pairs = [(names[root], names[root.arguments[0]]) for root in (*others, part)]
            lines += [_same_root(pair, pairs[-1]) for pair in pairs[:-1]]
        else:
            inner = " ".join(names[a] for a in part.arguments)
            lines.append(f"(define-fun {names[part]} () {part.sort} ({SMT.get(part.operator, part.operator)} {inner}))")
    return lines


def _root(name: str, argument: str) -> list[str]:
    """Lines that declare the square root of an argument."""
    known = f"(and (<= 0.0 {name}) (= (* {name} {name}) {argument}))"
    return [f"(declare-const {name} Real)", f"(assert (=> (<= 0.0 {argument}) {known}))"]


def _same_root(first: tuple[str, str], second: tuple[str, str]) -> str:
    """The line that two roots, each with its argument, are equal where their arguments are."""
    return f"(assert (=> (= {first[1]} {second[1]}) (= {first[0]} {second[0]})))"


def leaf(part: Term) -> str:
    """A constant or a variable."""
    if isinstance(part.value, bool):
        return "true" if part.value else "false"
    if isinstance(part.value, Fraction):
        size = abs(part.value)
        point = ".0" if part.sort == "Real" else ""
        text = f"{size.numerator}{point}" if size.denominator == 1 else f"(/ {size.numerator}.0 {size.denominator}.0)"
        return text if part.value >= 0 else f"(- {text})"
    return symbol(part)
