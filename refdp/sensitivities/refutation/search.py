"""The search for a pair that refutes a claim, cheap stages first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from refdp import work
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.concrete.answers import distance
from refdp.sensitivities.language.source import NotAFold, Source, Unsupported
from refdp.sensitivities.pair import Pair
from refdp.sensitivities.program import Program
from refdp.sensitivities.question import Neighbours, Norm, Tables
from refdp.sensitivities.records import Concrete
from refdp.sensitivities.refutation.assignments import assignments
from refdp.sensitivities.refutation.enumeration import MIDDLE, NARROW, WIDE, long_tables, neighbouring
from refdp.sensitivities.refutation.interesting import constants, records
from refdp.sensitivities.refutation.judge import Judge, OutOfTime, Parameters, Runner
from refdp.sensitivities.refutation.models import Models, Unrolled, unrolled
from refdp.sensitivities.refutation.shrinking import LONGEST, shrunk
from refdp.terms.term import Term

MOST_ROWS = 4
"""Most rows of the smaller of two symbolic tables."""
GROWTH = 3
"""How much longer questions about one row more may take."""
QUICK = 3.0
"""Seconds up to which a search is not thorough unless asked to be."""
ASSIGNMENTS = {NARROW: 6, MIDDLE: 20, WIDE: 1}
"""How many values of the symbols are tried."""


Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Finding:
    """A pair, or how far none was found."""

    pair: Pair | None
    checked_rows: int = -1
    """No violation where the smaller table has at most so many rows, as solvers showed; -1: nothing was shown."""
    reason: str = ""
    """Why some tables could not be tried: the function has no exact outcome there."""


def search(
    source: Source,
    declaration: Declaration,
    neighbours: Neighbours,
    norm: Norm,
    claim: Term,
    edits: int = 1,
    tables: Tables = "multisets",
    seconds: float = 10,
    program: Program | None = None,
    run: Runner | None = None,
    unroll: Unrolled | None = None,
    thorough: bool | None = None,
) -> Finding:
    """A small pair of tables that moves further than the claim, by the interpreter's own exact run of both.

    Where there is none, the number of rows up to which solvers exclude a violation.
    `unroll` says what a function that is no Program does on a few symbolic rows.  A search that is not thorough takes
    a fraction of a second: few tables, and solvers on tables of up to two rows; so is one of at most three seconds.
    """
    judge = Judge(source, declaration, neighbours, norm, claim, edits, tables, work.spent() + seconds, run)
    if program is not None:
        unroll = partial(unrolled, program)
    checked, thorough = -1, seconds > QUICK if thorough is None else thorough
    for pair in _stages(judge, unroll, seconds, thorough):
        if not isinstance(pair, int):
            return Finding(_smallest(judge, pair), checked)
        checked = pair
    return Finding(None, checked, next(iter(judge.reasons), ""))


def _stages(judge: Judge, unroll: Unrolled | None, seconds: float, thorough: bool) -> Iterator[Pair | int]:
    """Pairs, and numbers of rows up to which none is left."""
    early = _hurried(judge, seconds / 4)
    yield from _until(enumerated(early, NARROW))
    yield from _until(lengthened(early))
    if unroll is not None and judge.claim is not None:
        models = Models(_hurried(judge, seconds / 2), unroll, judge.claim)
        yield from _until(modelled(models, MOST_ROWS if thorough else 2))
    if thorough:
        yield from _until(enumerated(judge, MIDDLE if judge.edits > 1 or judge.declaration.symbolic else WIDE))


def _until(found: Iterator[Found]) -> Iterator[Found]:
    """What is found before the time is used up."""
    try:
        yield from found
    except (OutOfTime, RecursionError):
        return


def _hurried(judge: Judge, seconds: float) -> Judge:
    """The judge with fewer seconds; what it learns the other knows too."""
    return replace(judge, deadline=min(judge.deadline, work.spent() + seconds))


def enumerated(judge: Judge, widths: tuple[int, ...]) -> Iterator[Pair]:
    """Violations among small tables of interesting records."""
    for parameters, interesting in universes(judge, widths):
        for (first, a), (second, b) in neighbouring(judge, parameters, interesting, widths):
            assumed, limit = judge.limit(parameters, min(len(first), len(second)))
            if assumed and judge.exceeds(distance(a, b, judge.norm), limit):
                pair = judge.violation(first, second, parameters)
                if pair is not None:
                    yield pair


def lengthened(judge: Judge) -> Iterator[Pair]:
    """Violations among longer tables of equal rows."""
    known = constants(judge.source, judge.declaration.values, judge.claim)
    for parameters, interesting in universes(judge, NARROW):
        for first, second in long_tables(judge, parameters, interesting, known):
            pair = judge.violation(first, second, parameters)
            if pair is not None:
                yield pair


def universes(judge: Judge, widths: tuple[int, ...]) -> Iterator[tuple[Parameters, list[Concrete]]]:
    """Values of the symbols, and records that are declared under them."""
    known = constants(judge.source, judge.declaration.values, judge.claim)
    for parameters in assignments(judge.declaration, known, ASSIGNMENTS[widths]):
        values = judge.values(parameters, 0)
        yield parameters, records(judge.declaration.record, judge.source, values, known)


def modelled(models: Models, most: int = MOST_ROWS) -> Iterator[Pair | int]:
    """Violations that a solver suggests, and after each number of rows that it excludes, this number.

    It ends where the function is not read, or where one more row is likely to take more time than there is.
    """
    all_excluded = True
    for size in range(most + 1):
        start = work.spent()
        try:
            for pair in models.pairs(size):
                all_excluded = False
                if pair is not None:
                    yield pair
        except (Unsupported, NotAFold, RecursionError):
            return
        if all_excluded:
            yield size
        if GROWTH * (work.spent() - start) > models.judge.left():
            return


def _smallest(judge: Judge, pair: Pair) -> Pair:
    """The pair, shrunk for a while, even where the time is used up."""
    patient = replace(judge, deadline=work.spent() + LONGEST)
    return shrunk(pair, patient.violation)
