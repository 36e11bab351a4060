"""Terms of programs and of queries for Rocq: numbers as R, whole numbers as Z, truth values as what decides them.

A formula is a term of truth value; as a hypothesis or a conclusion it says that its value is true.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from refdp.rocq.terms import TAKEN, NotInRocq
from refdp.terms.leaves import parts, variables
from refdp.terms.term import Sort, Term

TYPES: Mapping[Sort, str] = {"Real": "R", "Int": "Z", "Bool": "bool"}
COMPARISONS = {"<": ("less", "Z.ltb"), "<=": ("at_most", "Z.leb"), "==": ("equal", "Z.eqb")}
"""Operator -> what decides it between real numbers, and between whole ones."""
APPLIED = {"real": "IZR", "floor": "floored", "not": "negb", "exp": "exp", "ln": "ln", "sqrt": "sqrt"}
JOINED = {"all_of": "andb", "any_of": "orb"}
RESERVED = TAKEN | {
    "at_most", "less", "equal", "floored", "holds", "negb", "andb", "orb", "true", "false", "bool", "list", "nil",
    "cons", "fst", "snd", "Some", "None", "option", "nat", "O", "S", "E", "Datatypes",
}  # fmt: skip
WORTH_A_NAME = 60
"""From how many characters on a part is named that stands in several places."""
LONGEST = 60_000
"""Longest text of one term, in characters."""


def names_for(terms: Iterable[Term]) -> dict[Term, str]:
    """A name of Rocq's for each variable within the terms, no two alike."""
    found: dict[Term, str] = {}
    for one in variables(*terms):
        stem = plain_name(str(one.value))
        name, count = stem, 2
        while name in found.values():
            name, count = f"{stem}_{count}", count + 1
        found[one] = name
    return found


def plain_name(name: str) -> str:
    """A name as Rocq takes it: two that differ may become one."""
    plain = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return plain if re.match(r"[A-Za-z]", plain) and plain not in RESERVED else f"v_{plain}"


def written(term: Term, called: Mapping[Term, str]) -> str:
    """A term, in brackets where it is applied; `called` names each of its variables.  NotInRocq where it has none."""
    found: dict[Term, str] = {}
    for part in parts(term):
        text = _written(part, [found[a] for a in part.arguments], called)
        if len(text) > LONGEST:
            raise NotInRocq("a formula is too long to be written without sharing")
        found[part] = text
    return found[term]


def shared(term: Term, called: Mapping[Term, str]) -> str:
    """The same, where what is long and stands in several places is written once, under a name."""
    uses = Counter(a for part in parts(term) for a in part.arguments)
    found: dict[Term, str] = {}
    named: list[str] = []
    for part in parts(term):
        text = _written(part, [found[a] for a in part.arguments], called)
        if uses[part] > 1 and len(text) > WORTH_A_NAME:
            named.append(f"let shared_{len(named) + 1} := {text} in")
            text = f"shared_{len(named)}"
        if len(text) > LONGEST:
            raise NotInRocq("a formula is too long to be written")
        found[part] = text
    return f"({' '.join((*named, found[term]))})" if named else found[term]


def _written(part: Term, inner: list[str], called: Mapping[Term, str]) -> str:
    """One part, made of its arguments as they are written."""
    whole = bool(part.arguments) and part.arguments[-1].sort == "Int"
    match part.operator:
        case "number":
            return _number(part)
        case "truth":
            return "true" if part.value is True else "false"
        case "name":
            if part not in called:
                raise NotInRocq(f"{part} is no name here")
            return called[part]
        case "+" | "*" | "/":
            return _scoped(f"({f' {part.operator} '.join(inner)})", part.sort)
        case "==" if part.arguments[0].sort == "Bool":
            return f"(Bool.eqb {' '.join(inner)})"
        case operator if operator in COMPARISONS:
            return f"({COMPARISONS[operator][whole]} {' '.join(inner)})"
        case operator if operator in APPLIED:
            return f"({APPLIED[operator]} {inner[0]})"
        case operator if operator in JOINED:
            text = inner[-1]
            for one in reversed(inner[:-1]):
                text = f"({JOINED[operator]} {one} {text})"
            return text
        case "mod":
            return f"(Z.modulo {' '.join(inner)})"
        case "ite":
            return f"(if {inner[0]} then {inner[1]} else {inner[2]})"
    raise NotInRocq(f"{part.operator} has no counterpart in the library")


def _number(part: Term) -> str:
    """A number, in brackets where it is not a whole number >= 0."""
    value = part.rational
    if part.sort == "Int":
        return f"{value}%Z" if value >= 0 else f"({value})%Z"
    top = f"{value.numerator}" if value >= 0 else f"(- ({-value.numerator}))"
    return f"({top} / {value.denominator})" if value.denominator != 1 else top


def _scoped(text: str, sort: Sort) -> str:
    """A text in the scope of its sort."""
    return f"{text}%Z" if sort == "Int" else text


def holding(term: Term, called: Mapping[Term, str]) -> str:
    """That a formula is true, as a premise."""
    return f"holds {written(term, called)}"
