"""What is true of bounds in machine arithmetic and of smooth bounds, by running floats and by trying tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from statistics import median
from typing import Any, Literal

import numpy as np

from tests.forging.queries import belongs, concrete, edits, samples, taken, value
from tests.sensitivities.brute_force import RAISED, coordinates

Truth = Literal["true", "false", "unknown"]
FLOATS: Mapping[str, type] = {"float16": np.float16, "float32": np.float32, "float64": np.float64}
UNIT: Mapping[str, Fraction] = {
    "float16": Fraction(1, 2**11),
    "float32": Fraction(1, 2**24),
    "float64": Fraction(1, 2**53),
}
MOST_RUNS = 400


def of_function(content: Mapping[str, Any]) -> tuple[Truth, str]:
    """Whether a verdict about a function on a machine is right, by running Python on tables of floats or ints."""
    claim, machine = content["claim"], content["machine"]
    if machine["arithmetic"] not in ("float64", "int64") or machine["sum"] not in SUMS:
        return "unknown", "another machine than this one"
    names: dict[str, Any] = {"sum": SUMS[machine["sum"]]}
    exec(compile(claim["source"], "<query>", "exec"), names)
    run: Callable[..., Any] = names[claim["function"]]
    values = taken(run, {name: concrete(one) for name, one in claim["values"].items()})
    limit, is_float = Fraction(value(claim["claim"], {})), machine["arithmetic"] == "float64"
    if content["verdict"] == "REFUTED":
        first, second = ([concrete(row) for row, count in content["evidence"][key] for _ in range(int(count))]
                         for key in ("first", "second"))  # fmt: skip
        sizes = sorted((len(first), len(second)))
        fits = int(machine["minimum_rows"]) <= sizes[0] <= sizes[1] <= int(machine["maximum_rows"])
        known = {"n": Fraction(sizes[0])}
        if not fits or not all(belongs(claim["record"], row, {}) for row in (*first, *second)):
            return "false", "tables of another kind"
        if edits(first, second, claim) > int(claim["edits"]) or value(claim["assumption"], known) is not True:
            return "false", "the tables are no neighbours"
        moved = apart(run, values, first, second, is_float)
        return ("true" if moved > limit or limit < 0 else "false"), f"Python moves by {float(moved)}"
    least, most = int(machine["minimum_rows"]), int(machine["maximum_rows"])
    for first, second in pairs(samples(claim["record"], {}), claim, least, most):
        if value(claim["assumption"], {"n": Fraction(min(len(first), len(second)))}) is not True:
            continue
        moved = apart(run, values, first, second, is_float)
        if moved > limit:
            return "false", f"it moves by {float(moved)} between {first} and {second}"
    return "true", "tables of floats"


def naive(numbers: Iterable[Any], start: Any = 0) -> Any:
    """From left to right."""
    for x in numbers:
        start = start + x
    return start


def compensated(numbers: Iterable[Any], start: Any = 0) -> Any:
    """As Python adds from 3.12 on: ints exactly up to the first float, then floats with a compensation."""
    rest = iter(numbers)
    for x in rest:
        start = start + x
        if isinstance(x, float):
            break
    lost = 0.0
    for x in rest:
        more = start + float(x)
        if isinstance(x, float):
            lost += (start - more) + x if abs(start) >= abs(x) else (x - more) + start
        start = more
    return start + lost if lost and math.isfinite(lost) else start


SUMS: Mapping[str, Callable[..., Any]] = {
    "python": sum,
    "naive": naive,
    "python3.11": naive,
    "python3.12": compensated,
}


def apart(run: Callable[..., Any], values: Mapping[str, Any], first: Any, second: Any, is_float: bool) -> Any:
    """The sum of the exact differences of the answers."""
    one, other = (answer(run, values, table, is_float) for table in (first, second))
    if isinstance(one, str) or isinstance(other, str) or one.keys() != other.keys():
        return 0 if one == other else math.inf
    return sum((abs(one[key] - other[key]) for key in one), Fraction(0))


def answer(run: Callable[..., Any], values: Mapping[str, Any], table: Sequence[Any], is_float: bool) -> Any:
    """The numbers of an answer, or what was raised."""
    try:
        found = run([machine(row) if is_float else row for row in table], **values)
        return dict(coordinates(exact(found)))
    except RAISED as error:
        return type(error).__name__


def machine(row: Any) -> Any:
    """The row with floats."""
    if isinstance(row, dict):
        return {key: machine(one) for key, one in row.items()}
    if isinstance(row, tuple):
        return tuple(map(machine, row))
    return float(row) if isinstance(row, int | Fraction) and not isinstance(row, bool) else row


def exact(found: Any) -> Any:
    """An answer with fractions."""
    if isinstance(found, dict):
        return {key: exact(one) for key, one in found.items()}
    if isinstance(found, list | tuple):
        return list(map(exact, found))
    return Fraction(found) if math.isfinite(found) else found


def pairs(rows: Sequence[Any], claim: Mapping[str, Any], least: int, most: int) -> Iterator[tuple[Any, Any]]:
    """Neighbouring tables: small ones, and one row many times with another beside it."""
    count, tried = int(claim["edits"]), 0
    sizes = [size for size in (0, 1, 2, 3, most - 1, most) if least <= size <= most]
    for size in dict.fromkeys(sizes):
        for usual, odd in product(rows[:6], repeat=2):
            first = [usual] * size
            others = [first + [odd] * count] if claim["neighbours"] == "add_remove" else (
                [first[count:] + [odd] * count, [odd] * count + first[count:]] if count <= size else [])  # fmt: skip
            for other in others:
                if least <= len(other) <= most and (tried := tried + 1) <= MOST_RUNS:
                    yield first, other


def of_sum(content: Mapping[str, Any]) -> tuple[Truth, str]:
    """Whether a bound of a sum or mean of floats holds: the usual bound of any order is less, or tables are tried."""
    kind, order, form = content["kind"], content["order"], content["arithmetic"]
    lower, upper, bound = Fraction(content["lower"]), Fraction(content["upper"]), Fraction(content["bound"])
    most, count = int(content["maximum_rows"]), int(content["edits"])
    largest = max(abs(lower), abs(upper))
    least = max(int(content["minimum_rows"]), 1)
    move = upper - lower if content["neighbours"] == "change_one" else largest
    if kind == "mean":
        move = Fraction(upper - lower, least)
    error = most * UNIT[form] / (1 - most * UNIT[form]) * most * largest
    usual = count * move + 2 * (error + UNIT[form] * largest * most)
    if kind in ("sum", "mean") and bound >= usual and kind == "sum":
        return "true", "the bound of any order is no greater"
    if order not in ("naive", "any", "pairwise", "kahan") or kind not in ("sum", "mean"):
        return "unknown", f"{kind} ({order})"
    sort = FLOATS[form]
    rows = [row for row in (lower, upper, (lower + upper) / 3, (lower + 2 * upper) / 3) if is_float_of(row, sort)]
    rows += [Fraction(float(sort(float(lower + (upper - lower) * k / 7)))) for k in range(1, 7)]
    rows = [row for row in dict.fromkeys(rows) if lower <= row <= upper]
    if content["quantum"] is not None:
        rows = [row for row in rows if (row / Fraction(content["quantum"])).denominator == 1]
    claim = {"edits": str(count), "neighbours": content["neighbours"]}
    for first, second in pairs(rows, claim, int(content["minimum_rows"]), most):
        one, other = (total(table, sort, order) / (sort(len(table)) if kind == "mean" else sort(1))
                      for table in (first, second) if table or kind == "sum")  # fmt: skip
        if abs(Fraction(float(one)) - Fraction(float(other))) > bound:
            return "false", f"it moves further between {first} and {second}"
    return "true", "tables of floats"


def is_float_of(x: Fraction, sort: Any) -> bool:
    return Fraction(float(sort(float(x)))) == x


def total(table: Sequence[Fraction], sort: Any, order: str) -> Any:
    """The sum in that format."""
    numbers = [sort(float(x)) for x in table]
    if order == "pairwise" and len(numbers) > 2:
        half = len(numbers) // 2
        return sort(total(table[:half], sort, order) + total(table[half:], sort, order))
    found, lost = sort(0), sort(0)
    for x in numbers:
        if order == "kahan":
            y = sort(x - lost)
            more = sort(found + y)
            found, lost = more, sort(sort(more - found) - y)
        else:
            found = sort(found + x)
    return found


STATISTICS: Mapping[str, Callable[[Sequence[Fraction]], Fraction]] = {"median": median, "minimum": min, "maximum": max}


def quantile(name: str) -> Callable[[Sequence[Fraction]], Fraction] | None:
    """The row at that level, counted from below and rounded up; None for another statistic."""
    word, _, level = name.partition(" ")
    if word != "quantile" or not level:
        return None
    return lambda rows: sorted(rows)[min(max(math.ceil(len(rows) * Fraction(level)), 1), len(rows)) - 1]


def of_table(content: Mapping[str, Any]) -> tuple[Truth, str]:
    """Whether a smooth bound at a table is at least exp(-beta k) |f(y) - f(y')| for the tables y near it."""
    statistic = STATISTICS.get(content["statistic"]) or quantile(content["statistic"])
    if statistic is None:
        return "unknown", content["statistic"]
    lower, upper = map(Fraction, content["bounds"])
    rows, beta, bound = (
        tuple(sorted(map(Fraction, content["rows"]))),
        float(Fraction(content["beta"])),
        content["bound"],
    )
    empty = None if content["empty"] is None else Fraction(content["empty"])
    chosen = tuple(dict.fromkeys((lower, upper, *rows[:3])))
    change = content["neighbours"] == "change_one"
    seen, near = {rows}, {rows}
    for k in range(4):
        for table in near:
            for other in one_edit(table, chosen, change):
                if (table and other) or empty is not None:
                    one, two = (statistic(t) if t else empty for t in (table, other))
                    if math.exp(-beta * k) * float(abs(one - two)) > float(Fraction(bound)) * (1 + 1e-12):
                        return "false", f"{table} and {other}, {k} edits away"
        near = {other for table in near for other in one_edit(table, chosen, change)} - seen
        near = set(sorted(near)[:400])
        seen |= near
    if any(not lower <= row <= upper for row in rows):
        return "false", "a row outside of the bounds"
    return "true", "tables near it"


def one_edit(table: tuple[Fraction, ...], chosen: Sequence[Fraction], change: bool) -> Iterator[tuple[Fraction, ...]]:
    """Sorted tables one edit away."""
    for place in range(len(table)):
        rest = table[:place] + table[place + 1 :]
        if change:
            yield from (tuple(sorted((*rest, x))) for x in chosen)
        else:
            yield rest
    if not change:
        yield from (tuple(sorted((*table, x))) for x in chosen)
