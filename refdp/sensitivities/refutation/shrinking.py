"""The smallest pair near a given one: fewest rows, then the simplest numbers; it stays a violation at each step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from refdp.sensitivities.pair import Pair
from refdp.sensitivities.records import Concrete
from refdp.sensitivities.refutation.judge import OutOfTime
from refdp.sensitivities.tables import Table, key, keys

Test = Callable[[Table, Table, Mapping[str, Fraction]], Pair | None]
"""The pair, if it is a violation."""
LONGEST = 2.0
"""Most seconds that are spent on making a pair smaller."""
Size = tuple[int, int, int, int, int]


def shrunk(pair: Pair, test: Test) -> Pair:
    """A violation that no single step makes smaller; the best so far where time runs out."""
    try:
        while True:
            smaller = next(_smaller(pair, test), None)
            if smaller is None:
                return pair
            pair = smaller
    except OutOfTime:
        return pair


def measure(pair: Pair) -> Size:
    """Rows, then denominators, then how large and how negative the numbers are, then what is not the same row."""
    numbers = [x for record in (*pair.first, *pair.second) for x in numbers_of(record)] + [*pair.parameters.values()]
    different = len({key(record) for record in (*pair.first, *pair.second)})
    return (
        len(pair.first) + len(pair.second),
        sum(x.denominator - 1 for x in numbers),
        sum(abs(x.numerator) for x in numbers),
        sum(x < 0 for x in numbers),
        different,
    )


def numbers_of(record: Concrete) -> Iterator[Fraction]:
    """The numbers within a record."""
    if isinstance(record, Fraction):
        yield record
    elif isinstance(record, dict | tuple):
        for part in record.values() if isinstance(record, dict) else record:
            yield from numbers_of(part)


def simpler(x: Fraction) -> Iterator[Fraction]:
    """Numbers to try in place of x, the simplest first."""
    near = (x.limit_denominator(d) for d in (1, 2, 3, 4, 5, 10, 100))
    ends = (Fraction(x.__floor__()), Fraction(x.__ceil__()), x / 2, x - (1 if x > 0 else -1), -x)
    powers = (Fraction(10 ** len(str(abs(x.__floor__())))), Fraction(10 ** max(0, len(str(abs(x.__floor__()))) - 1)))
    seen = {x}
    for y in (*map(Fraction, (0, 1, -1, 2)), *near, *ends, *powers):
        if y not in seen:
            seen.add(y)
            yield y


def _smaller(pair: Pair, test: Test) -> Iterator[Pair]:
    """Violations that are smaller by one step."""
    before, seen = measure(pair), set()
    for first, second, parameters in _steps(pair):
        name = (keys(first), keys(second), *parameters.values())
        if name in seen:
            continue
        seen.add(name)
        found = test(first, second, parameters)
        if found is not None and measure(found) < before:
            yield found


def _steps(pair: Pair) -> Iterator[tuple[Table, Table, Mapping[str, Fraction]]]:
    """Every way to leave out rows or to make a number simpler."""
    a, b, parameters = pair.first, pair.second, pair.parameters
    for i in range(len(a)):
        for j in range(len(b)):
            yield a[:i] + a[i + 1 :], b[:j] + b[j + 1 :], parameters
    yield from ((a[:i] + a[i + 1 :], b, parameters) for i in range(len(a)))
    yield from ((a, b[:j] + b[j + 1 :], parameters) for j in range(len(b)))
    for name, value in parameters.items():
        yield from ((a, b, {**parameters, name: y}) for y in simpler(value))
        yield from _scaled(pair, name)
    yield from _with_other_numbers(pair)
    yield from _with_one_record(pair)


def _scaled(pair: Pair, name: str) -> Iterator[tuple[Table, Table, Mapping[str, Fraction]]]:
    """A parameter and every number that is equal to it, made simpler together."""
    value = pair.parameters[name]
    for y in simpler(value):
        changed = {value: y}
        yield (
            tuple(_replaced(r, changed) for r in pair.first),
            tuple(_replaced(r, changed) for r in pair.second),
            {**pair.parameters, name: y},
        )


def _with_other_numbers(pair: Pair) -> Iterator[tuple[Table, Table, Mapping[str, Fraction]]]:
    """A number made simpler wherever it stands, or in one row alone."""
    a, b, parameters = pair.first, pair.second, pair.parameters
    for x in dict.fromkeys(x for record in (*a, *b) for x in numbers_of(record)):
        for y in simpler(x):
            changed = {x: y}
            yield tuple(_replaced(r, changed) for r in a), tuple(_replaced(r, changed) for r in b), parameters
            for i in range(len(a)):
                yield (*a[:i], _replaced(a[i], changed), *a[i + 1 :]), b, parameters
            for j in range(len(b)):
                yield a, (*b[:j], _replaced(b[j], changed), *b[j + 1 :]), parameters


def _with_one_record(pair: Pair) -> Iterator[tuple[Table, Table, Mapping[str, Fraction]]]:
    """A record made equal to another, wherever it stands."""
    records = list({key(record): record for record in (*pair.first, *pair.second)}.values())
    for old in records:
        for new in records:
            if key(old) != key(new):
                swap = {key(old): new}
                first = tuple(swap.get(key(r), r) for r in pair.first)
                yield first, tuple(swap.get(key(r), r) for r in pair.second), pair.parameters


def _replaced(record: Concrete, changed: Mapping[Fraction, Fraction]) -> Concrete:
    """The record with numbers replaced."""
    if isinstance(record, Fraction):
        return changed.get(record, record)
    if isinstance(record, tuple):
        return tuple(_replaced(part, changed) for part in record)
    if isinstance(record, dict):
        return {name: _replaced(part, changed) for name, part in record.items()}
    return record
