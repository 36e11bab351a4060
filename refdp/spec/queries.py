"""Queries of users: functions of a table whose text the subject names by its digest.

    query(NAME, DIGEST, ROWS, list_of(fixed(PARAMETER, VALUE), ...))

A value is a number, a text, true(), false(), none(), or tuple_of such.  What a text means is not known here: an engine
that reads it brings the function that the subject stands for, and its theorem.

    machine_query(NAME, DIGEST, ROWS, list_of(fixed(PARAMETER, VALUE), ...), FORMAT, SUM)

is the same text run in the numbers of a machine, such as 'float64', where the builtin `sum` adds as SUM names, such as
'naive': another function, whose answers depend on the order of the rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from refdp.spec.formulas import Formula
from refdp.spec.registry import register
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError, apply, number, text

DIGEST = re.compile("[0-9a-f]{64}")
CONSTANTS: Mapping[str, bool | None] = {"true": True, "false": False, "none": None}
"""Values that are no numbers, by their operators."""
Plain = Fraction | str | bool | None | tuple[Any, ...]
"""The value of a parameter: of a tuple, each part is such a value."""
Run = Callable[[Sequence[Any]], Any]
"""Table -> number, or tuple of numbers."""

_RUNS: dict[Term, Run] = {}


@dataclass(frozen=True, slots=True)
class TableQuery:
    """T(table) = the answer of the function that the subject names."""

    stem: str
    parameters: tuple[str, ...]
    example: Mapping[str, Term]
    conditions: tuple[Term, ...] = ()
    reserved: ClassVar[str] = ""
    readings: ClassVar[tuple[tuple[Formula, str], ...]] = ()

    def apply(self, subject: Term, table: Sequence[Any]) -> Any:
        """The answer; TermError unless an engine has brought the function."""
        if subject not in _RUNS:
            raise TermError(f"{subject.arguments[0]} is not loaded: refdp.query reads it from its file")
        return _RUNS[subject](table)


QUERY = register(
    TableQuery(
        stem="query",
        parameters=("function", "digest", "rows", "arguments"),
        example={
            "function": text("total"),
            "digest": text("0" * 64),
            "rows": read("bounded(1, 0, 100)"),
            "arguments": read("list_of(fixed('cap', 10))"),
        },
    )
)


@dataclass(frozen=True, slots=True)
class MachineQuery:
    """T(table) = what a machine computes of the function that the subject names; that is not worked out here."""

    stem: str
    parameters: tuple[str, ...]
    example: Mapping[str, Term]
    conditions: tuple[Term, ...] = ()
    reserved: ClassVar[str] = ""
    readings: ClassVar[tuple[tuple[Formula, str], ...]] = ()

    def apply(self, subject: Term, table: Sequence[Any]) -> Any:
        """TermError: a machine's answer is no exact one."""
        raise TermError(f"{subject.arguments[0]} in {subject.arguments[4]} has no exact answer")


MACHINE_QUERY = register(
    MachineQuery(
        stem="machine_query",
        parameters=(*QUERY.parameters, "arithmetic", "sum"),
        example={**QUERY.example, "arithmetic": text("float64"), "sum": text("naive")},
    )
)


def load(subject: Term, run: Run) -> None:
    """Bring the function that a subject stands for."""
    _RUNS[subject] = run


def query_subject(function: str, digest: str, rows: Term, arguments: Mapping[str, Plain]) -> Term:
    """The subject of a query at values of its parameters."""
    return apply(QUERY.stem, text(function), text(digest), rows, fixed_list(arguments))


def machine_subject(
    function: str, digest: str, rows: Term, arguments: Mapping[str, Plain], arithmetic: str, total: str
) -> Term:
    """The subject of a query that a machine runs in that arithmetic, with that sum."""
    written = (text(function), text(digest), rows, fixed_list(arguments), text(arithmetic), text(total))
    return apply(MACHINE_QUERY.stem, *written)


def fixed_list(arguments: Mapping[str, Plain]) -> Term:
    """Values of parameters, written down."""
    return apply("list_of", *(apply("fixed", text(key), value_term(one)) for key, one in sorted(arguments.items())))


def arguments_of(written: Term) -> dict[str, Plain]:
    """The values of parameters that `list_of(fixed(...), ...)` writes down, in order; TermError if it does not."""
    found = fixed_terms(written)
    if list(found) != sorted(found):
        raise TermError(f"{written} must fix different parameters, in order")
    return {key: plain_value(value) for key, value in found.items()}


def fixed_terms(written: Term) -> dict[str, Term]:
    """What `list_of(fixed(NAME, VALUE), ...)` gives each of its different names; TermError if it is no such list."""
    if written.operator != "list_of":
        raise TermError(f"{written} is not a list of fixed parameters")
    found: dict[str, Term] = {}
    for one in written.arguments:
        if one.operator != "fixed" or len(one.arguments) != 2 or one.arguments[0].operator != "text":
            raise TermError(f"{one} does not fix a parameter")
        found[str(one.arguments[0].value)] = one.arguments[1]
    if len(found) != len(written.arguments) or not all(key.isidentifier() for key in found):
        raise TermError(f"{written} must fix different parameters")
    return found


def value_term(value: Plain) -> Term:
    """The term that a value is written as; TermError where it is none of those above."""
    for operator, constant in CONSTANTS.items():
        if value is constant:
            return apply(operator)
    if isinstance(value, tuple):
        return apply("tuple_of", *map(value_term, value))
    if isinstance(value, str):
        return text(value)
    if isinstance(value, Fraction | int):
        return number(value)
    raise TermError(f"{value!r} is not a value of a parameter")


def plain_value(written: Term) -> Plain:
    """The value that a term writes down; TermError if it is none."""
    if written.operator in CONSTANTS and not written.arguments:
        return CONSTANTS[written.operator]
    if written.operator == "tuple_of":
        return tuple(map(plain_value, written.arguments))
    if written.operator == "text":
        return str(written.value)
    if written.operator == "number":
        return written.rational
    raise TermError(f"{written} is not a value of a parameter")
