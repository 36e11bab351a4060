"""The pair that moves furthest, of those that are found: a lower bound of the sensitivity, exact."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

from refdp import work
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.concrete.answers import distance
from refdp.sensitivities.language.source import Source
from refdp.sensitivities.pair import Pair
from refdp.sensitivities.program import Program
from refdp.sensitivities.question import Neighbours, Norm, Tables
from refdp.sensitivities.refutation.enumeration import NARROW, WIDE, long_tables, neighbouring
from refdp.sensitivities.refutation.interesting import constants
from refdp.sensitivities.refutation.judge import Judge, OutOfTime, Parameters, Runner
from refdp.sensitivities.refutation.models import Models, Unrolled, unrolled
from refdp.sensitivities.refutation.search import modelled, universes
from refdp.sensitivities.refutation.shrinking import LONGEST, shrunk
from refdp.sensitivities.tables import Table
from refdp.terms.leaves import rational
from refdp.terms.operations import root
from refdp.terms.term import Term

STEPS = 12
"""Most questions to solvers for a pair that moves further."""


def largest_move(
    source: Source,
    declaration: Declaration,
    neighbours: Neighbours,
    norm: Norm,
    edits: int = 1,
    tables: Tables = "multisets",
    seconds: float = 10,
    program: Program | None = None,
    run: Runner | None = None,
    unroll: Unrolled | None = None,
) -> Pair | None:
    """The pair whose distance is the largest that was found; its distance is None where the answers are infinitely far.

    ValueError where a parameter has no fixed value: then no number is the largest distance.
    """
    if declaration.symbolic:
        raise ValueError(f"every parameter must have a value, got the symbols {', '.join(declaration.symbolic)}")
    judge = Judge(source, declaration, neighbours, norm, None, edits, tables, work.spent() + seconds, run)
    if program is not None:
        unroll = partial(unrolled, program)
    best = _best(judge, unroll, seconds)
    return None if best is None else _smallest(judge, best)


def _best(judge: Judge, unroll: Unrolled | None, seconds: float) -> Pair | None:
    """The furthest pair that is found in time; none is further than one at an infinite distance."""
    best: Pair | None = None
    try:
        for pair in _improvements(judge, unroll, seconds):
            if is_further(pair, best):
                best = pair
            if best is not None and best.distance is None:
                break
    except OutOfTime:
        pass
    return best


def is_further(pair: Pair, best: Pair | None) -> bool:
    """Whether the pair moves further."""
    if best is None or best.distance is None:
        return best is None
    return pair.distance is None or pair.distance > best.distance


def _improvements(judge: Judge, unroll: Unrolled | None, seconds: float) -> Iterator[Pair]:
    """Pairs, each of which moves further than those before it in its stage."""
    best: Pair | None = None
    hurried = replace(judge, deadline=min(judge.deadline, work.spent() + seconds / 2))
    for stage in (_enumerated(hurried, NARROW), _lengthened(hurried), _enumerated(hurried, WIDE)):
        for pair in _stopping(stage):
            if is_further(pair, best):
                best = pair
                yield pair
    for _ in range(STEPS if unroll is not None and best is not None else 0):
        further = None if best is None or best.distance is None else _asked(judge, unroll, best.distance)
        if further is None:
            return
        best = further
        yield further


def _stopping(found: Iterator[Pair]) -> Iterator[Pair]:
    """What is found before the time is used up."""
    try:
        yield from found
    except OutOfTime:
        return


def _enumerated(judge: Judge, widths: tuple[int, ...]) -> Iterator[Pair]:
    """Small tables of interesting records; each pair moves further than the one before."""
    best: Pair | None = None
    for parameters, interesting in universes(judge, widths):
        for (first, a), (second, b) in neighbouring(judge, parameters, interesting, widths):
            move = distance(a, b, judge.norm)
            if best is None or move is None or best.distance is not None and move > best.distance:
                pair = judge.pair(first, second, parameters)
                if pair is not None and is_further(pair, best):
                    best = pair
                    yield pair


def _lengthened(judge: Judge) -> Iterator[Pair]:
    """Longer tables of equal rows."""
    known = constants(judge.source, judge.declaration.values)
    for parameters, interesting in universes(judge, NARROW):
        for first, second in long_tables(judge, parameters, interesting, known):
            pair = judge.pair(first, second, parameters)
            if pair is not None:
                yield pair


def _asked(judge: Judge, unroll: Unrolled | None, least: Fraction) -> Pair | None:
    """A pair that moves further, by solvers: much further if they find one."""
    if unroll is None:
        return None
    for factor in (Fraction(2), Fraction(9, 8), Fraction(1)):
        claim = _term(judge, least * factor)
        asked = replace(judge, claim=claim, limits={})
        for pair in modelled(Models(asked, unroll, claim)):
            if isinstance(pair, Pair):
                return pair
    return None


def _term(judge: Judge, distance: Fraction) -> Term:
    """The claim that no pair moves further than this distance, given as its square under L2."""
    return root(rational(distance)) if judge.norm == "L2" else rational(distance)


def _smallest(judge: Judge, best: Pair) -> Pair:
    """The pair, shrunk for a while, even where the time is used up."""
    patient = replace(judge, deadline=work.spent() + LONGEST)

    def test(first: Table, second: Table, parameters: Parameters) -> Pair | None:
        pair = patient.pair(first, second, parameters)
        return pair if pair is not None and (is_further(pair, best) or pair.distance == best.distance) else None

    return shrunk(best, test)
