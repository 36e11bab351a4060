"""A pair as a short Python script that anyone can run, and its rows as text."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.source import Source
from refdp.sensitivities.pair import Pair
from refdp.sensitivities.question import Norm
from refdp.sensitivities.records import Concrete
from refdp.sensitivities.tables import Table

SCRIPT = '''\
"""Two neighbouring tables on which {name} moves too far: run this with Python, from any folder."""

import importlib.util
from fractions import Fraction

spec = importlib.util.spec_from_file_location("query", {path})
query = importlib.util.module_from_spec(spec)
spec.loader.exec_module(query)

parameters = {parameters}
first = {first}
second = {second}


def outcome(rows):
    try:
        return query.{name}(rows, **parameters)
    except Exception as error:
        return error


def numbers(answer, key=()):
    if isinstance(answer, dict):
        return {{place: n for k, part in answer.items() for place, n in numbers(part, (*key, k)).items()}}
    if isinstance(answer, (list, tuple)):
        return {{place: n for k, part in enumerate(answer) for place, n in numbers(part, (*key, k)).items()}}
    return {{key: answer}}


def distance(a, b):
    if isinstance(a, Exception) or isinstance(b, Exception):
        return 0 if type(a) is type(b) else "infinite"
    a, b = numbers(a), numbers(b)
    if a.keys() != b.keys():
        return "infinite"
    try:
        moves = [abs(a[k] - b[k]) for k in a]
    except TypeError:
        return 0 if a == b else "infinite"
    return {distance}


answers = outcome(first), outcome(second)
for answer in answers:
    print("answer:", repr(answer) if isinstance(answer, Exception) else answer)
print("{called}:", distance(*answers))
'''
DISTANCES: Mapping[Norm, tuple[str, str]] = {
    "L1": ("sum(moves)", "distance"),
    "L2": ("sum(move * move for move in moves)", "square of the distance"),
    "Linf": ("max(moves, default=0)", "distance"),
}


def runnable(pair: Pair, source: Source, declaration: Declaration, norm: Norm) -> str:
    """A script that runs the user's function, from its file, on both tables; it prints the answers and how far apart.

    Python itself computes there: where the function divides whole numbers it does so in floating point.
    """
    computed, called = DISTANCES[norm]
    given: dict[str, Concrete] = {**declaration.values, **pair.parameters}
    return SCRIPT.format(
        name=source.name,
        path=repr(str(Path(source.path).resolve())),
        parameters=written(given),
        first=rows_text(pair.first),
        second=rows_text(pair.second),
        distance=computed,
        called=called,
    )


def rows_text(table: Table) -> str:
    """The rows as a Python list."""
    return f"[{', '.join(map(written, table))}]"


def written(value: Concrete) -> str:
    """A value as Python writes it: whole numbers as ints, others as Fractions.

    >>> written((Fraction(3), Fraction(1, 3), None, {"city": "a"}))
    "(3, Fraction('1/3'), None, {'city': 'a'})"
    """
    if isinstance(value, Fraction):
        return str(value.numerator) if value.denominator == 1 else f"Fraction('{value}')"
    if isinstance(value, tuple):
        return f"({', '.join(map(written, value))}{',' * (len(value) == 1)})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{name!r}: {written(part)}' for name, part in value.items())}}}"
    return repr(value)
