"""The verdict on what a machine computes: a bound for every table of at most so many rows, or a pair, or neither.

PROVED: the adjusted bound is at most the claim, and z3 and cvc5 prove its lemmas.  REFUTED: a pair of tables, computed
by the machine's own steps and measured exactly.  UNKNOWN has a reason, with the bracket of what is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from refdp import work
from refdp.kernel.rules.machines import ROUNDING
from refdp.sensitivities.checking.replaying import INTERPRETER
from refdp.sensitivities.checking.verifying import READING
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.source import Source
from refdp.sensitivities.machine.adjusted import MachineQuery, adjusted_bound, ideal_sensitivity
from refdp.sensitivities.machine.arithmetic import machine_arithmetic
from refdp.sensitivities.machine.error_bounds import BOUNDS
from refdp.sensitivities.machine.formats import IntegerFormat, format_named
from refdp.sensitivities.machine.integers import IntegerQuery, integer_bound
from refdp.sensitivities.machine.lemmas import SOLVERS, Lemma, believed, unproved
from refdp.sensitivities.machine.pair import MachinePair, machine_run
from refdp.sensitivities.machine.quick import quick_sum
from refdp.sensitivities.machine.ranges import NotRecognised
from refdp.sensitivities.machine.read_queries import Limits, query_of
from refdp.sensitivities.machine.recognising import recognised
from refdp.sensitivities.machine.search import ALL, MachineQuestion, find_machine_pair, furthest_machine_pair
from refdp.sensitivities.machine.small_tables import settled
from refdp.sensitivities.machine.statistics import mean, two_pass
from refdp.sensitivities.machine.summands import NoBound
from refdp.sensitivities.machine.user import machine_question
from refdp.sensitivities.question import Neighbours, Tables
from refdp.terms.leaves import rational
from refdp.verdicts import Verdict

PYTHON: Mapping[str, tuple[str, ...]] = {"PROVED": (READING,), "REFUTED": (INTERPRETER,)}
"""Who says what a user's function computes, besides."""
LEMMA_SECONDS = 20.0
LONGEST_SEARCH = 1 << 13
"""Most rows of the tables that are tried."""


@dataclass(frozen=True, slots=True)
class MachineVerdict(Verdict):
    """What is known of one question about machine numbers."""

    claim: Fraction | None
    bound: Fraction | None
    """Proved for every table within the limits; None where nothing is."""
    ideal: Fraction | None
    maximum_rows: int | None
    pair: MachinePair | None = None
    """The pair that refutes; without a claim, the one found that moves furthest."""
    lemmas: tuple[str, ...] = ()
    seconds: float = 0.0

    def as_json(self) -> dict[str, Any]:
        """The verdict in the words of `refdp sensitivity --json`; numbers are text."""
        moved = self.pair.distance if self.pair is not None else None
        found: dict[str, Any] = {
            "verdict": self.verdict, "claim": _text(self.claim), "bound": _text(self.bound), "ideal": _text(self.ideal),
            "any_n": self.maximum_rows is None and self.verdict == "PROVED", "maximum_rows": self.maximum_rows,
            "reason": self.reason, "trusts": list(self.trusts), "lemmas": list(self.lemmas), "seconds": self.seconds,
        }  # fmt: skip
        if self.pair is not None:
            tables = [[[str(row), count] for row, count in t.parts] for t in (self.pair.first, self.pair.second)]
            found["pair"] = {"tables": tables, "distance": "infinite" if moved is None else str(moved)}
        return found


Query = MachineQuery | IntegerQuery


def judge_machine(
    query: Query, claim: Fraction | None, seconds: float, question: MachineQuestion | None = None
) -> MachineVerdict:
    """The verdict on a query.  `question`: how pairs are tried; by the query's own algorithm if there is none."""
    start, found = work.spent(), _proved(query)
    if found.bound is not None and claim is not None and found.bound <= claim:
        return replace(found, verdict="PROVED", claim=claim, seconds=work.spent() - start)
    asked = question or _question(query)
    longest = LONGEST_SEARCH if isinstance(query, MachineQuery) else ALL
    most = min(longest if query.maximum_rows is None else query.maximum_rows, longest)
    most -= query.neighbours == "add_remove"
    if asked is None or most < 0 or found.bound == 0:
        pair = None
    else:
        pair = _searched(replace(asked, claim=claim if claim is not None else Fraction(1)), claim, seconds, most)
    found = replace(found, claim=claim, pair=pair, seconds=work.spent() - start)
    if claim is None:
        return replace(found, verdict="UNKNOWN" if found.bound is None else "PROVED")
    if pair is not None:
        trusts = (ROUNDING,) if isinstance(query, MachineQuery) else ()
        return replace(found, verdict="REFUTED", trusts=trusts, lemmas=(), reason="")
    proved = f"only a bound of about {float(found.bound or 0):.9g} is proved"
    known = found.reason or f"{proved}, and no pair was found to exceed the claim"
    return replace(found, verdict="UNKNOWN", reason=known)


def judge_function(
    source: Source,
    declaration: Declaration,
    arithmetic: str,
    total: str,
    neighbours: Neighbours,
    claim: Fraction | None,
    maximum_rows: int,
    seconds: float,
    edits: int = 1,
    tables: Tables = "multisets",
    minimum_rows: int = 0,
    specials: bool = False,
) -> MachineVerdict:
    """The verdict on a user's function in floating-point arithmetic; UNKNOWN where it is no sum that is recognised."""
    start, form = work.spent(), format_named(arithmetic)
    machine, moved = machine_arithmetic(arithmetic, total), rational(claim if claim is not None else 1)
    asked = machine_question(source, declaration, machine, neighbours, moved, "L1", edits, tables, specials)
    assumed = asked.counts
    asked = replace(asked, counts=lambda n: n >= minimum_rows and assumed(n), longest=maximum_rows)
    try:
        if specials:
            raise NotRecognised("no bound is proved where rows may be NaN or infinite")
        read = recognised(source, declaration, form, total)
        limits = Limits(neighbours, maximum_rows, minimum_rows, edits, tables)
        query = query_of(read, form, limits)
        found = judge_machine(query, claim, seconds * 0.6, asked)
        if found.verdict == "UNKNOWN" and claim is not None and read.added.is_float | isinstance(query, IntegerQuery):
            found = _of_few_rows(found, query, claim, asked, start + seconds - work.spent())
    except NotRecognised as stopped:
        found = _unrecognised(asked, str(stopped), claim, maximum_rows, seconds)
    if found.pair is not None and not asked.allows(found.pair.first, found.pair.second):
        raise RuntimeError("a pair of tables has other numbers of rows than it may have")
    return replace(found, trusts=(*found.trusts, *PYTHON.get(found.verdict, ())), seconds=work.spent() - start)


def _of_few_rows(
    found: MachineVerdict, query: Query, claim: Fraction, asked: MachineQuestion, seconds: float
) -> MachineVerdict:
    """The verdict, with what solvers say of tables of few rows: of the numbers that are added, whatever the rows."""
    try:
        known = settled(query, claim, asked, seconds)
    except NoBound:
        return found
    if known.pair is not None:
        trusts = (ROUNDING,) if isinstance(query, MachineQuery) else ()
        return replace(found, verdict="REFUTED", pair=known.pair, trusts=trusts, lemmas=(), reason="")
    return replace(found, reason="; ".join(filter(None, (found.reason, known.sentence))))


def _unrecognised(
    asked: MachineQuestion, reason: str, claim: Fraction | None, maximum_rows: int, seconds: float
) -> MachineVerdict:
    """A pair, if one is found; else UNKNOWN for that reason."""
    most = min(maximum_rows, LONGEST_SEARCH) - (asked.changes == "add_remove")
    pair = _searched(asked, claim, seconds, most) if most >= 0 else None
    rounding = () if isinstance(asked.format_, IntegerFormat) else (ROUNDING,)
    if claim is not None and pair is not None:
        return MachineVerdict("REFUTED", claim, None, None, maximum_rows, pair, trusts=rounding)
    return MachineVerdict("UNKNOWN", claim, None, None, maximum_rows, pair, reason=reason)


def _proved(query: Query) -> MachineVerdict:
    """What is proved of the query, with the lemmas asked of both solvers."""
    try:
        bound, ideal, lemmas = _bound(query)
    except NoBound as none:
        moves = ideal_sensitivity(query) if isinstance(query, MachineQuery) else None
        return MachineVerdict("UNKNOWN", None, None, moves, query.maximum_rows, reason=str(none))
    missing = unproved(lemmas, SOLVERS, LEMMA_SECONDS)
    if missing:
        return MachineVerdict("UNKNOWN", None, None, ideal, query.maximum_rows, reason=missing)
    trusts = (*((ROUNDING,) if isinstance(query, MachineQuery) else ()), *believed(lemmas))
    names = tuple(lemma.name for lemma in lemmas)
    return MachineVerdict("PROVED", None, bound, ideal, query.maximum_rows, lemmas=names, trusts=trusts)


def _bound(query: Query) -> tuple[Fraction, Fraction, Sequence[Lemma]]:
    """The bound, the ideal sensitivity and the lemmas."""
    if isinstance(query, MachineQuery):
        adjusted = adjusted_bound(query)
        return adjusted.bound, adjusted.ideal, adjusted.lemmas
    found = integer_bound(query)
    return found.bound, found.bound, found.lemmas


def _searched(asked: MachineQuestion, claim: Fraction | None, seconds: float, maximum_rows: int) -> MachinePair | None:
    """A pair that exceeds the claim, or without one the pair that moves furthest."""
    if claim is None:
        return furthest_machine_pair(asked, seconds, maximum_rows)
    return find_machine_pair(asked, seconds, maximum_rows)


def _question(query: Query) -> MachineQuestion | None:
    """The search for a pair of the query; None where no algorithm is meant."""
    if isinstance(query, IntegerQuery):
        run, tables = machine_run(quick_sum("naive"), query.form), query.tables
        ends = Fraction(query.lower), Fraction(query.upper)
        return None if query.split else MachineQuestion(
            run, query.form, *ends, query.neighbours, Fraction(1), tables, edits=query.edits, longest=query.maximum_rows
        )  # fmt: skip
    if query.order in set(BOUNDS) - {"any", "mixed"} or query.order.startswith("pairwise:"):
        total = quick_sum(query.order)
        algorithms: Mapping[str, Any] = {"sum": total, "mean": mean(total), "deviations": two_pass(total)}
        return MachineQuestion(
            machine_run(algorithms[query.kind], query.form), query.form, query.lower, query.upper, query.neighbours,
            Fraction(1), query.tables, edits=query.edits, counts=lambda n: n >= query.minimum_rows,
            longest=query.maximum_rows,
        )  # fmt: skip
    return None


def _text(value: Fraction | None) -> str | None:
    """A number as text."""
    return None if value is None else str(value)
