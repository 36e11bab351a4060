"""What every worked witness is written with: the inputs, a table of numbers, the inequality that fails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from refdp.commands.witness import plain
from refdp.kernel.theorem import Theorem
from refdp.numerics.intervals import Interval
from refdp.report.decimals import decimals, enclosed, shown
from refdp.terms.reading import read
from refdp.terms.term import Term, number

DASH = "\N{EM DASH}"
Number = Interval | Fraction | Term
Row = tuple[str, Number]
"""A line of a table: what it is, and its value."""


def inputs(step: Theorem, metric: str, d_in: Term) -> Iterator[str]:
    """The two inputs."""
    x, y = (plain(read(step.data[key])) for key in ("a", "b"))
    yield f"- inputs `x = {x}` and `x' = {y}`, within `{metric}({d_in})`"


def chosen(values: Mapping[str, str]) -> Iterator[str]:
    """The values that were chosen for names."""
    if values:
        yield from (f"Take {', '.join(f'`{key} = {v}`' for key, v in values.items())}.", "")


def table(rows: Sequence[Row]) -> Iterator[str]:
    """Numbers, exact and in decimals."""
    yield from ("| | exact | decimals |", "|---|---|---|")
    for what, value in rows:
        exact, decimal = shown(value)
        yield f"| {what} | {f'`{exact}`' if exact else DASH} | {decimal} |"


def more(p: Number, q: Number) -> str:
    """The inequality p > q, which shows the claim to be false, in numbers; by how much, where that is little."""
    (exact, first), (limit, second) = shown(p), shown(q)
    beyond = f" (by {decimals(difference(p, q))})" if first == second else ""
    return f"`{exact or first}` > `{limit or second}`{beyond}"


def difference(p: Number, q: Number) -> Interval | Fraction:
    """p - q, exactly where both are rational."""
    if isinstance(p, Fraction) and isinstance(q, Fraction):
        return p - q
    return enclosure(p) - enclosure(q)


def enclosure(x: Number) -> Interval:
    """The number as an interval."""
    if isinstance(x, Interval):
        return x
    found = enclosed(x if isinstance(x, Term) else number(x))
    if found is None:
        raise ValueError(f"the number must have an enclosure, got {x}")
    return found
