"""Rows of tables for Rocq: the type and the domain of each kind of record, and how a query reads its columns.

A number is a real number, also where it is whole; a label is its place among the labels; a value that may be missing is
an option; several columns are pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from refdp.rocq.formulas import APPLIED, written
from refdp.rocq.terms import ATOM, real
from refdp.sensitivities.records import Category, Fields, Kind, Missing, Number
from refdp.terms.term import Term, Value
from refdp.terms.term import number as spec_number

WORDS = (
    "Relations.both", "Relations.optional", "Relations.label", "Relations.missing", "Relations.present",
    "NoiseClaims.interval", "NoiseClaims.bounded", "StabilityClaims.above", "StabilityClaims.below",
    "StabilityClaims.any", "fst", "snd",
)  # fmt: skip
"""What domains and columns are written with."""
MODULES = ("NoiseClaims", "Relations", "StabilityClaims", "Tables")
"""The modules of the library that have these words."""


def row_type(kind: Kind) -> str:
    """The type of records of a kind, in brackets where it is applied."""
    match kind:
        case Number():
            return "R"
        case Category():
            return "Z"
        case Missing():
            return f"(option {row_type(kind.kind)})"
    return f"({' * '.join(row_type(inner) for _, inner in kind.kinds)})%type"


def inside(kind: Kind, called: Mapping[Term, str]) -> str:
    """That a record is one of a kind, in brackets; `called` names what its bounds speak of."""
    match kind:
        case Number():
            return _number(kind, called)
        case Category():
            return f"(Relations.label {len(kind.labels)})"
        case Missing():
            return f"(Relations.optional {inside(kind.kind, called)})"
    first, *others = (inside(inner, called) for _, inner in kind.kinds)
    for one in others:
        first = f"(Relations.both {first} {one})"
    return first


def _number(kind: Number, called: Mapping[Term, str]) -> str:
    """That a number lies between bounds, and is whole where it must be."""
    low, high = (None if bound is None else _bound(bound, called) for bound in (kind.lower, kind.upper))
    plain = "(Tables.on_grid 1)" if kind.is_integer else "(@StabilityClaims.any R)"
    if low is None and high is None:
        return plain
    if low is None or high is None:
        return f"(StabilityClaims.below {plain} {high})" if low is None else f"(StabilityClaims.above {plain} {low})"
    return f"(NoiseClaims.bounded 1 {low} {high})" if kind.is_integer else f"(NoiseClaims.interval {low} {high})"


def _bound(bound: Term, called: Mapping[Term, str]) -> str:
    """A bound as a real number."""
    text = written(bound, called)
    return f"(IZR {text})" if bound.sort == "Int" else text


def read(kind: Kind, row: str) -> Iterator[str]:
    """What a query takes for each of a record's variables, in the order of `kind.slots`."""
    match kind:
        case Number():
            yield f"({APPLIED['floor']} {row})" if kind.is_integer else row
        case Category():
            yield row
        case Missing():
            yield f"(Relations.missing {row})"
            otherwise = "0%Z" if isinstance(kind.kind, Category) else "0%R"
            yield from read(kind.kind, f"(Relations.present {otherwise} {row})")
        case Fields():
            last = len(kind.kinds) - 1
            for place, (_, inner) in enumerate(kind.kinds):
                yield from read(inner, _column(row, place, last))


def _column(row: str, place: int, last: int) -> str:
    """A column of a row: pairs are nested to the left."""
    text = row
    for _ in range(last - place):
        text = f"(fst {text})"
    return f"(snd {text})" if place else text


def described(kind: Kind) -> str:
    """The columns of a row and its labels, for a reader."""
    match kind:
        case Number():
            return "a whole number" if kind.is_integer else "a number"
        case Category():
            return f"a place, from 0, in {', '.join(map(str, kind.labels))}"
        case Missing():
            return f"{described(kind.kind)}, or missing"
    return "; ".join(f"{key}: {described(inner)}" for key, inner in kind.kinds)


def member(kind: Kind, slots: Iterator[Value]) -> str:
    """A record in brackets where it is applied, of the values of `kind.slots`, which it takes in their order."""
    match kind:
        case Number():
            return real(spec_number(Fraction(next(slots))), (), ATOM)
        case Category():
            return f"{Fraction(next(slots))}%Z"
        case Missing():
            is_missing = next(slots)
            inner = member(kind.kind, slots)
            return "None" if is_missing else f"(Some {inner})"
    return f"({', '.join(member(inner, slots) for _, inner in kind.kinds)})"
