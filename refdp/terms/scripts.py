"""Assertions as the text of an SMT-LIB script."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

from refdp.terms.leaves import parts, variables
from refdp.terms.term import Term

PLAIN = re.compile(r"[ -\[\]-{}~]+")
ALIKE = 8
"""With how many earlier roots a root is compared."""
SMT = {
    "floor": "to_int", "real": "to_real", "==": "=", "all_of": "and", "any_of": "or", "sqrt": "root", "**": "power",
}  # fmt: skip
"""What SMT-LIB, or its reader here, calls an operator, where that is another word."""


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
        if part.operator == "sqrt":
            lines += _root(names[part], names[part.arguments[0]])
            others = [other for other in names if other.operator == "sqrt" and other is not part][-ALIKE:]
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
