"""What an expression of the source may stand for while its values are not known: terms, labels, tuples, references.

A value that is of one kind on some tables and of another kind on others is Cases.  DEAD is the value of an expression
that has raised: whatever is joined with it wins, because the program has already ended there.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Final, TypeAlias, cast

from refdp.terms.leaves import FALSE, TRUE
from refdp.terms.operations import choice
from refdp.terms.term import Term


@dataclass(frozen=True, slots=True, eq=False)
class Cases:
    """One of several values of different kinds; the guards exclude each other and one of them holds."""

    cases: tuple[tuple[Term, Value], ...]


@dataclass(frozen=True, slots=True)
class Record:
    """A dict that does not change: a row of the table, or a parameter."""

    items: tuple[tuple[Hashable, Value], ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """A list, dict or set, which two names may share; its contents stand in the state."""

    address: int


@dataclass(frozen=True, slots=True)
class Unbound:
    """A name without a value."""

    name: str


@dataclass(frozen=True, slots=True)
class Poison:
    """A value that cannot be said as a function of the pass; reading it is refused for this reason."""

    reason: str


@dataclass(frozen=True, slots=True)
class Dead:
    """The value of what has raised."""


@dataclass(frozen=True, slots=True)
class Infinity:
    """float("inf") or its negative."""

    negative: bool


@dataclass(frozen=True, slots=True)
class Named:
    """A function or a module that Python brings, by its dotted name."""

    path: str


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """A function of the file, or a lambda, which reads the names of the call `frame` (0: of the module only)."""

    node: ast.FunctionDef | ast.Lambda
    frame: int
    scopes: tuple[tuple[int, frozenset[str]], ...] = ()
    """The comprehensions around it."""
    fixed: tuple[tuple[str, Value], ...] = ()
    """The parameters with a default, and those that it reads of a lambda around it: each is the same in every call."""


@dataclass(frozen=True, slots=True, eq=False)
class Lazy:
    """What is iterated later: a generator, map, filter, enumerate, zip, range or a view of a dict."""

    kind: str
    parts: tuple[object, ...]
    """Of a generator: its node; of the others: their arguments."""
    frame: int = 0


Value: TypeAlias = (
    "Term | str | tuple[Value, ...] | Cases | Record | Reference | Unbound | Poison | Dead | Infinity"
    " | Named | Closure | Lazy | None"
)
DEAD: Final = Dead()


def kind(value: Value) -> Hashable:
    """What distinguishes a value from those of other kinds: all numbers are one kind, each label is its own."""
    if isinstance(value, Term):
        return "number"
    if isinstance(value, tuple):
        return ("tuple", len(value))
    if isinstance(value, Record):
        return ("record", *(key for key, _ in value.items))
    return ("only", value) if isinstance(value, Hashable) else ("only", id(value))


def parts(value: Value) -> tuple[Value, ...]:
    """The values within a tuple or a record."""
    if isinstance(value, Record):
        return tuple(inner for _, inner in value.items)
    return value if isinstance(value, tuple) else ()


def rebuilt(value: Value, inner: tuple[Value, ...]) -> Value:
    """A tuple or a record of the same kind with other parts."""
    if isinstance(value, Record):
        return Record(tuple((key, one) for (key, _), one in zip(value.items, inner, strict=True)))
    return inner


def alternatives(value: Value) -> tuple[tuple[Term, Value], ...]:
    """The cases of a value."""
    if isinstance(value, Cases):
        return value.cases
    return () if isinstance(value, Dead) else ((TRUE, value),)


def join(condition: Term, yes: Value, no: Value) -> Value:
    """`yes` where the condition holds, else `no`."""
    if identical(yes, no) or isinstance(no, Dead) or condition is TRUE:
        return yes
    if isinstance(yes, Dead) or condition is FALSE:
        return no
    for one in (yes, no):
        if isinstance(one, Poison):
            return one
    if isinstance(yes, Cases) or isinstance(no, Cases) or kind(yes) != kind(no):
        return _cases(condition, yes, no)
    return _alike(condition, yes, no)


def _alike(condition: Term, yes: Value, no: Value) -> Value:
    """The join of two values of one kind."""
    if isinstance(yes, Term):
        return choice(condition, yes, cast(Term, no))
    return rebuilt(yes, tuple(join(condition, a, b) for a, b in zip(parts(yes), parts(no), strict=True)))


def _cases(condition: Term, yes: Value, no: Value) -> Value:
    """The join of values of several kinds: one case for each kind."""
    found: dict[Hashable, tuple[Term, Term, Value, Value]] = {}
    for guard, value in alternatives(yes):
        found[kind(value)] = (guard, FALSE, value, DEAD)
    for guard, value in alternatives(no):
        first = found.get(kind(value), (FALSE, FALSE, DEAD, DEAD))
        found[kind(value)] = (first[0], guard, first[2], value)
    return Cases(tuple((choice(condition, a, b), join(condition, v, w)) for a, b, v, w in found.values()))


def identical(a: Value, b: Value) -> bool:
    """Whether two values are plainly the same."""
    if a is b:
        return True
    if isinstance(a, Cases) and isinstance(b, Cases):
        same = [g is h and identical(v, w) for (g, v), (h, w) in zip(a.cases, b.cases, strict=False)]
        return len(a.cases) == len(b.cases) and all(same)
    if isinstance(a, tuple | Record) and isinstance(b, tuple | Record):
        return kind(a) == kind(b) and all(identical(v, w) for v, w in zip(parts(a), parts(b), strict=True))
    return not isinstance(a, Cases | Term) and not isinstance(b, Cases | Term) and kind(a) == kind(b)


def mapped(value: Value, function: Callable[[Term], Term]) -> Value:
    """The value with every term replaced."""
    if isinstance(value, Term):
        return function(value)
    if isinstance(value, Cases):
        return Cases(tuple((function(guard), mapped(inner, function)) for guard, inner in value.cases))
    if isinstance(value, tuple | Record):
        return rebuilt(value, tuple(mapped(inner, function) for inner in parts(value)))
    return value
