"""Terms as Rocq's real numbers and propositions; what has no counterpart there is refused."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress

from refdp.spec.goals import is_whole
from refdp.spec.statements import Statement
from refdp.terms.term import Term

TAKEN = frozenset((
    "as", "at", "by", "cofix", "else", "end", "exists", "exists2", "fix", "for", "forall", "fun", "if", "in", "let",
    "match", "mod", "Prop", "return", "Set", "SProp", "then", "Type", "using", "where", "with",
    "Axiom", "CoFixpoint", "Definition", "Eval", "Fixpoint", "Hypothesis", "Parameter", "Theorem", "Variable",
    "exp", "ln", "sqrt", "Rabs", "Rmin", "Rmax", "Rpower", "PI", "IZR", "R", "Z", "integral", "multiple",
    "square", "equation", "vanishes", "pow_lt", "pure", "approximate", "private", "stable", "within",
))  # fmt: skip
"""Words of Rocq, and what terms and proofs are written with: a name that is one of them gets an underscore."""
FUNCTIONS = {"abs": "Rabs", "min": "Rmin", "max": "Rmax", "exp": "exp", "ln": "ln", "sqrt": "sqrt"}
RELATIONS = {"<=": "<=", "<": "<", "==": "=", "!=": "<>"}
DECISIONS = {"<=": "Rle_dec", "<": "Rlt_dec", "==": "Req_EM_T"}
"""What decides a comparison, for an indicator."""
PREDICATES = {"integer": "integral", "multiple": "multiple"}
SUM, PRODUCT, POWER, APPLIED, ATOM = 50, 40, 30, 10, 0
"""How loosely Rocq's notations bind."""


class NotInRocq(ValueError):
    """A term, a statement or a step has no counterpart in the library."""


BOUND = frozenset((
    "input", "output", "the_input", "the_row", "the_table", "the_vector", "the_square", "the_root", "place", "total",
    "told", "M", "the_cell",
))  # fmt: skip
"""Names that functions in statements bind: no claim whose own names are among these is written."""
PLACE = "__"
"""What the names have that stand in formulas for what such a function reads; no name of a claim has it."""
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
"""What is a name for both."""


def name_of(written: str) -> str:
    """A name as Rocq takes it; NotInRocq where it takes it for something else."""
    if not NAME.fullmatch(written):
        raise NotInRocq(f"{written!r} is no name in Rocq")
    return written + "_" if written in TAKEN else written


def number(t: Term) -> str:
    """A rational number, in brackets where it is no whole number >= 0."""
    value = t.rational
    top = f"{value.numerator}" if value >= 0 else f"- {-value.numerator}"
    return f"({top} / {value.denominator})" if value.denominator != 1 else top if value >= 0 else f"({top})"


def real(t: Term, integers: Iterable[str] = (), loosest: int = SUM) -> str:
    """A term of arithmetic, in brackets where it binds more loosely than `loosest`; NotInRocq for others."""
    body, level = _written(t, frozenset(integers))
    return f"({body})" if level > loosest else body


def _written(t: Term, integers: frozenset[str]) -> tuple[str, int]:
    """A term without brackets, and how loosely it binds."""

    def part(index: int, loosest: int) -> str:
        return real(t.arguments[index], integers, loosest)

    match t.operator:
        case "number":
            return number(t), ATOM
        case "name":
            called = name_of(str(t.value))
            return (f"IZR {called}", APPLIED) if t.value in integers else (called, ATOM)
        case "+" | "-":
            return f"{part(0, SUM)} {t.operator} {part(1, PRODUCT)}", SUM
        case "*" | "/":
            return f"{part(0, PRODUCT)} {t.operator} {part(1, PRODUCT - 1)}", PRODUCT
        case "negate":  # (- 1 would be a number, and no opposite)
            body = part(0, PRODUCT - 1)
            return f"- ({body})" if t.arguments[0].operator == "number" else f"- {body}", PRODUCT - 5
        case "**" if is_whole(t.arguments[1]):
            return f"{part(0, POWER - 1)} ^ {int(t.arguments[1].rational)}", POWER
        case "pi":
            return "PI", ATOM
        case "indicator" if t.arguments[0].operator in DECISIONS:
            a, b = (real(a, integers, ATOM) for a in t.arguments[0].arguments)
            return f"if {DECISIONS[t.arguments[0].operator]} {a} {b} then 1 else 0", 200
        case operator if operator in FUNCTIONS:
            return " ".join((FUNCTIONS[operator], *(part(i, ATOM) for i in range(len(t.arguments))))), APPLIED
    raise NotInRocq(f"{t.operator} has no counterpart in the library")


def proposition(t: Term, integers: Iterable[str] = ()) -> str:
    """A comparison, or that a number is whole or a multiple, or several of these; NotInRocq for others."""
    known = frozenset(integers)
    if t.operator in RELATIONS:
        a, b = t.arguments
        return f"{real(a, known)} {RELATIONS[t.operator]} {real(b, known)}"
    if t.operator in PREDICATES:
        return " ".join((PREDICATES[t.operator], *(real(a, known, ATOM) for a in t.arguments)))
    if t.operator == "all_of":
        return " /\\ ".join(proposition(a, known) for a in t.arguments)
    raise NotInRocq(f"{t.operator} has no counterpart in the library")


def in_order(statement: Statement, integers: frozenset[str]) -> list[str]:
    """The names of a statement as it is quantified over them: first those of real numbers."""
    return sorted(statement.variables, key=lambda v: v in integers)


WHOLE = frozenset({"+", "-", "*"})
"""Arithmetic of whole numbers that stays whole."""


def whole(t: Term, integers: Iterable[str]) -> str:
    """A term as a whole number of type Z, in brackets; NotInRocq where it is not seen to be whole."""
    known = frozenset(integers)
    if t.operator == "number" and t.rational.denominator == 1:
        return str(t.rational) if t.rational >= 0 else f"({t.rational})"
    if t.operator == "name" and t.value in known:
        return name_of(str(t.value))
    if t.operator in WHOLE:
        a, b = (whole(one, known) for one in t.arguments)
        return f"({a} {t.operator} {b})%Z"
    raise NotInRocq(f"{t} is not seen to be a whole number")


def whole_part(t: Term, integers: Iterable[str]) -> str:
    """The same, and the whole part of arithmetic that is not seen to be whole; NotInRocq for names of real numbers."""
    with suppress(NotInRocq):
        return whole(t, integers)
    if t.operator == "name":
        raise NotInRocq(f"{t} is not seen to be a whole number")
    return f"(Int_part ({real(t, integers)}))"


def count(t: Term, integers: Iterable[str]) -> str:
    """A whole number as how many there are, a natural number, in brackets; NotInRocq as above."""
    if t.operator == "**" and t.arguments[1].rational == 2:
        root = count(t.arguments[0], integers)
        return f"({root} * {root})%nat"
    return f"(Z.to_nat {whole_part(t, integers)})"


def plugged(t: Term, arguments: Mapping[str, Term]) -> Term:
    """A term with names replaced and nothing carried out: it is written alike for numbers and for names."""
    if t.operator == "name":
        return arguments.get(str(t.value), t)
    return Term(t.operator, tuple(plugged(a, arguments) for a in t.arguments), t.value)
