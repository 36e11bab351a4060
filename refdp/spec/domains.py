"""Domains: the sets that inputs and outputs range over, as terms.

    reals()  interval(lower, upper)  grid(g)  bounded(g, lower, upper)  finite(n)  category(n)  vector(D, n)
    above(D, lower)  below(D, upper)
    labels(LABEL, ...)  optional(D)  record(field(KEY, D), ...)
    records()  table(ROWS)  sized_table(ROWS, n)
    machine(FORMAT)  machine_table(ROWS, FORMAT, least, most, NUMBERS)

`interval` is the set of all exact numbers between its ends; `grid(g)` that of the whole multiples of g > 0;
`above` and `below` are the numbers of D, reals() or a grid, that are at least lower, or at most upper;
`finite(n)` is {0, ..., n - 1}; `category(n)` adds -1 for a row of no category; `labels` lists texts or whole numbers;
`optional` adds None.  `records()` maps any columns to exact numbers, texts or None, `record` maps just its keys to
members of their domains; its keys are texts, or 0, 1, 2, ... of a tuple.  A table is a tuple of rows whose number is
private, a sized table one of public size.

`machine` is what a program answers that computes in numbers of the FORMAT, a text such as 'float64': its finite numbers
and, beside floats, whole numbers.  It lies in no other domain, and no other in it.  `machine_table` is such a program's
tables of `least` to `most` rows, members of ROWS whose numbers it can hold; with 'special' NUMBERS, and not 'finite'
ones, a float may also be NaN, infinite or -0.0, as texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import ceil, floor
from typing import Any

from refdp.spec.machine_numbers import FLOATS, SPECIALS, is_float, is_machine_number
from refdp.terms.evaluation import evaluate
from refdp.terms.term import Term, TermError, apply

ARITY: Mapping[str, int] = {
    "reals": 0, "records": 0, "grid": 1, "bounded": 3, "finite": 1, "category": 1, "vector": 2, "table": 1,
    "sized_table": 2, "interval": 2, "above": 2, "below": 2, "optional": 1, "machine": 1, "machine_table": 5,
}  # fmt: skip
LISTING = ("labels", "record")
"""The domains of one argument or more: what they list."""
FIELD = "field"
HALF_LINES = ("above", "below")
NUMBERS = ("reals", "grid", "bounded", "finite", "category", "interval", "machine", *HALF_LINES)
"""The domains of numbers."""
OF_TABLES = ("symmetric", "insert_delete", "change_one", "hamming")
"""The metrics of tables, first those under which the size may differ."""
OF_PAIRS = ("smooth", "tested")
"""The metrics of a number with what is known of it."""
HOLDING = ("vector", "table", "sized_table", "optional", "machine_table", *HALF_LINES)
"""The domains whose first argument is a domain."""

MACHINES = ("machine", "machine_table")
"""The domains of what programs compute in numbers of a machine, and of what they read."""
FINITE, SPECIAL = "finite", "special"
"""Whether floats in the rows of a machine's table are finite numbers, or may be NaN and its like."""
LONGEST_LIST = 100_000
"""Most members, or outcomes, that are listed."""


def domain(operator: str, *arguments: Term) -> Term:
    """The domain term, with its arity checked."""
    found = apply(operator, *arguments)
    if not has_arity(found):
        raise TermError(f"{operator} is not a domain of {len(arguments)} argument(s)")
    return found


def has_arity(d: Term) -> bool:
    """Whether a term is a domain's operator with as many arguments as that takes."""
    return ARITY.get(d.operator) == len(d.arguments) or (d.operator in LISTING and len(d.arguments) > 0)


def is_domain(d: Term, *, open_rows: bool = False) -> bool:
    """Whether a term has the shape of a domain: operators and arities, steps and sizes not looked at.

    With `open_rows` the domain of rows or coordinates may be a name.
    """
    if not has_arity(d):
        return False
    if d.operator == "record":
        return has_different_keys(d) and all(is_domain(inner) for _, inner in fields(d))
    if d.operator == "labels":
        return all(is_key(label) for label in d.arguments) and len(set(d.arguments)) == len(d.arguments)
    inner = d.arguments[0] if d.operator in HOLDING else None
    return inner is None or (open_rows and inner.operator == "name") or is_domain(inner, open_rows=open_rows)


def is_key(t: Term) -> bool:
    """Whether a term is a text or a whole number: what a label is, or the key of a field."""
    return t.operator == "text" or (t.operator == "number" and t.rational.denominator == 1)


def key_of(t: Term) -> str | int:
    """The key, or the label, that a term writes down: a text or a whole number."""
    return int(t.rational) if t.operator == "number" else str(t.value)


def fields(d: Term) -> tuple[tuple[str | int, Term], ...]:
    """Key and domain of each field of a record, in order; TermError if it is none."""
    shaped = d.operator == "record" and all(f.operator == FIELD and len(f.arguments) == 2 for f in d.arguments)
    if not shaped or not all(is_key(f.arguments[0]) for f in d.arguments):
        raise TermError(f"{d} is not a domain of records")
    return tuple((key_of(f.arguments[0]), f.arguments[1]) for f in d.arguments)


def has_different_keys(d: Term) -> bool:
    """Whether the fields of a record have different texts for keys, or 0, 1, 2, ... in order; False if it is none."""
    try:
        keys = [key for key, _ in fields(d)]
    except TermError:
        return False
    return (all(isinstance(k, str) for k in keys) and len(set(keys)) == len(keys)) or keys == list(range(len(keys)))


def is_table(d: Term) -> bool:
    """Whether `d` is a domain of tables, sized or not."""
    return d.operator in ("table", "sized_table")


def rows_of(d: Term) -> Term:
    """The domain of the rows of a table."""
    if not is_table(d):
        raise TermError(f"{d} is not a domain of tables")
    return d.arguments[0]


def is_geodesic(d: Term, metric: str) -> bool:
    """Whether any two members at distance k are joined by k steps of distance 1 inside the domain.

    Tables under both table metrics are, except sized tables under the symmetric distance, where a step of
    distance 1 leaves the size and so no two members are neighbours at all.
    """
    return is_table(d) and (metric == "change_one" or (metric == "symmetric" and d.operator == "table"))


def is_of_machine(d: Term) -> bool:
    """Whether a machine's numbers, or vectors or tables of them, are what the domain speaks of."""
    return d.operator in MACHINES or any(is_of_machine(inner) for inner in d.arguments)


def has_neighbours(d: Term, metric: str) -> bool:
    """Whether some two members may be at distance 1.

    False for sized tables where a row is added or removed, and where the metric measures nothing of the kind.
    """
    if metric == "discrete":
        return True
    if metric in OF_TABLES:
        is_sized = d.operator == "sized_table"
        return d.operator == "machine_table" or (is_table(d) and not (is_sized and metric in OF_TABLES[:2]))
    if metric in OF_PAIRS:
        return d.operator == "record"
    return (d.operator in NUMBERS) if metric == "absolute" else d.operator == "vector"


def is_within(inner: Term, outer: Term) -> bool:
    """Whether every member of `inner` is a member of `outer`: the same, sized in unsized, bounded in its grid."""
    if inner == outer:
        return True
    match inner.operator, outer.operator:
        case ("sized_table", "table") | ("table", "table"):
            return is_within(inner.arguments[0], outer.arguments[0])
        case "sized_table", "sized_table":
            return inner.arguments[1] == outer.arguments[1] and is_within(inner.arguments[0], outer.arguments[0])
        case "bounded", "grid":
            return inner.arguments[0] == outer.arguments[0]
        case "vector", "vector":
            return inner.arguments[1] == outer.arguments[1] and is_within(inner.arguments[0], outer.arguments[0])
        case (("finite" | "category"), "grid"):
            return outer.arguments[0].operator == "number" and outer.arguments[0].value == 1
        case (("grid" | "bounded" | "finite" | "category" | "interval"), "reals"):
            return True
        case (("above" | "below"), ("reals" | "grid")):
            return is_within(inner.arguments[0], outer)
    return False


def contains(d: Term, x: Any) -> bool:
    """Whether `x` (Fraction, tuple, mapping) is a member of the closed domain `d`."""
    match d.operator:
        case "reals":
            return isinstance(x, Fraction)
        case "grid":
            return isinstance(x, Fraction) and (x / step_of(d)).denominator == 1
        case "bounded":
            on_grid = isinstance(x, Fraction) and (x / step_of(d)).denominator == 1
            return on_grid and number(d, 1) <= x <= number(d, 2)
        case "interval":
            return isinstance(x, Fraction) and number(d, 0) <= x <= number(d, 1)
        case "above":
            return contains(d.arguments[0], x) and x >= number(d, 1)
        case "below":
            return contains(d.arguments[0], x) and x <= number(d, 1)
        case "labels":
            listed = (key_of(label) for label in d.arguments)
            told = isinstance(x, str | Fraction)
            return told and any(isinstance(x, str) == isinstance(label, str) and x == label for label in listed)
        case "optional":
            return x is None or contains(d.arguments[0], x)
        case "record" if d.arguments:
            held = _held(d, x)
            return held is not None and all(contains(inner, held[key]) for key, inner in fields(d))
        case "finite" | "category":
            lowest = 0 if d.operator == "finite" else -1
            return isinstance(x, Fraction) and x.denominator == 1 and lowest <= x < number(d, 0)
        case "vector":
            return isinstance(x, tuple) and len(x) == number(d, 1) and all(contains(d.arguments[0], c) for c in x)
        case "table" | "sized_table":
            right_size = d.operator == "table" or (isinstance(x, tuple) and len(x) == number(d, 1))
            return isinstance(x, tuple) and right_size and all(contains(d.arguments[0], row) for row in x)
        case "machine":
            return isinstance(x, Fraction) and is_machine_number(x, str(d.arguments[0].value))
        case "machine_table":
            rows, form, _, _, numbers = d.arguments
            fits = isinstance(x, tuple) and number(d, 2) <= len(x) <= number(d, 3)
            special = numbers.value == SPECIAL
            return fits and all(_is_machine_row(rows, str(form.value), special, row) for row in x)
        case "records":
            return isinstance(x, Mapping) and all(v is None or isinstance(v, Fraction | str) for v in x.values())
    raise TermError(f"{d} is not a domain")


def _held(d: Term, x: Any) -> Mapping[Any, Any] | None:
    """What a row holds by the keys of a domain of records; None if it has other keys."""
    held = dict(enumerate(x)) if isinstance(x, tuple) else x
    keyed = isinstance(held, Mapping) and isinstance(x, tuple) == isinstance(fields(d)[0][0], int)
    return held if keyed and held.keys() == dict(fields(d)).keys() else None


def _is_machine_row(d: Term, form: str, special: bool, x: Any) -> bool:
    """Whether a row is one of the domain whose numbers a program in that format can hold; whole ones as they are."""
    match d.operator:
        case "optional":
            return x is None or _is_machine_row(d.arguments[0], form, special, x)
        case "record" if d.arguments:
            held = _held(d, x)
            return held is not None and all(_is_machine_row(inner, form, special, held[k]) for k, inner in fields(d))
        case "above" | "below":
            return _is_machine_row(d.arguments[0], form, special, x) and (isinstance(x, str) or contains(d, x))
        case "reals" | "interval" if isinstance(x, str):
            return special and form in FLOATS and x in SPECIALS
        case "reals" | "interval" if form in FLOATS:
            return contains(d, x) and is_float(x, form)
        case "reals" | "interval" | "grid" | "bounded":
            return contains(d, x) and is_machine_number(x, form)
    return contains(d, x)


def members(d: Term) -> Iterator[Fraction]:
    """Every member of a finite scalar domain, in order: just the numbers that it `contains`."""
    match d.operator:
        case "finite":
            step, first, last = Fraction(1), 0, ceil(number(d, 0)) - 1
        case "bounded":
            step = step_of(d)
            first, last = ceil(number(d, 1) / step), floor(number(d, 2) / step)
        case _:
            raise TermError(f"{d} has no finite list of members")
    if last - first >= LONGEST_LIST:
        raise TermError(f"{d} has more than {LONGEST_LIST} members")
    yield from (i * step for i in range(first, last + 1))


def step_of(d: Term) -> Fraction:
    """The step of a closed grid; TermError unless it is > 0."""
    step = number(d, 0)
    if step <= 0:
        raise TermError(f"the step of {d} must be > 0, got {step}")
    return step


def number(d: Term, position: int) -> Fraction:
    """The exact rational argument of a closed domain at `position`."""
    value: Fraction = evaluate(d.arguments[position], {})
    return value
