"""Search for two neighbouring tables on which a machine moves further than claimed.

What is found was computed by the machine's own steps and is measured exactly; finding nothing proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from refdp import work
from refdp.sensitivities.language.concrete.failures import NoOutcome
from refdp.sensitivities.machine.candidates import SIZES, Candidate, Changes, atoms, candidates, sizes
from refdp.sensitivities.machine.formats import Format
from refdp.sensitivities.machine.pair import MachineOutcome, MachinePair, MachineRow, Run, distance
from refdp.sensitivities.machine.runs import Runs
from refdp.sensitivities.question import Norm, Tables
from refdp.terms.exact_values import NotRational

ALL = 1 << 62
Claim = Fraction | Callable[[int], Fraction]
"""How far the answer may move; where it depends on the number of rows, that of the smaller table."""
LONGEST_REPLAY = 1 << 16
STAGES = ((3, 3, 8), (60, 2, 3), (3, 2, ALL), (12, 12, 17), (60, 2, ALL), (60, 2000, ALL))
"""One search after the other: of how many values tables are made, how many edits are tried, the most shared rows."""


def any_number(rows: int) -> bool:
    """Every number of rows."""
    return rows >= 0


@dataclass(frozen=True, slots=True)
class MachineQuestion:
    """How far `run` moves between neighbouring tables of rows of one format within the bounds."""

    run: Run
    format_: Format
    lower: Fraction
    upper: Fraction
    changes: Changes
    claim: Claim
    tables: Tables = "lists"
    norm: Norm = "L1"
    edits: int = 1
    values: tuple[MachineRow, ...] = ()
    """The values that rows are made of; the telling ones of the format between the bounds if there are none."""
    counts: Callable[[int], bool] = any_number
    """Whether the smaller table may have so many rows."""
    longest: int | None = None
    """Most rows of either table."""

    def allows(self, first: Runs, second: Runs) -> bool:
        """Whether both tables have as many rows as they may; a table in which a row changes has one."""
        least, most = sorted((len(first), len(second)))
        within = self.longest is None or most <= self.longest
        return within and self.counts(least) and (least > 0 or self.changes != "change_one")

    def pair(self, candidate: Candidate) -> MachinePair:
        """The two tables, run."""
        first, second = candidate.tables()
        return self.judged(first, second, (self.run(first), self.run(second)))

    def judged(self, first: Runs, second: Runs, outcomes: tuple[MachineOutcome, MachineOutcome]) -> MachinePair:
        """The pair with its distance and its claim."""
        claim = self.claim(min(len(first), len(second))) if callable(self.claim) else self.claim
        return MachinePair(first, second, outcomes, distance(*outcomes, self.norm), claim, self.norm)


RUN = 50
"""Steps that a run of a table counts as, besides those that its arithmetic counts."""


def find_machine_pair(question: MachineQuestion, seconds: float, maximum_rows: int = SIZES[-1]) -> MachinePair | None:
    """The smallest pair found that moves further than claimed; None where none was found in that time."""
    end = work.spent() + seconds
    found: MachinePair | None = None
    while found is None or found.rows > 1:
        # smaller pairs get a tenth of the time: one that refutes matters more than that it is the smallest
        left = (end - work.spent()) * (0.8 if found is None else 0.1)
        pair = _first(question, left, maximum_rows if found is None else found.rows - 2, end)
        if pair is None or found is not None and pair.rows >= found.rows:
            break
        found = pair
    return None if found is None else _replayed(question, found)


def _replayed(question: MachineQuestion, pair: MachinePair) -> MachinePair:
    """The pair, whose tables were run again row by row, unless they are long.  RuntimeError where that differs."""
    if pair.rows <= LONGEST_REPLAY:
        tables = [Runs(tuple((row, 1) for row in table)) for table in (pair.first, pair.second)]
        if (question.run(tables[0]), question.run(tables[1])) != pair.outcomes:
            raise RuntimeError("a table gives another answer row by row than in runs")
    return pair


def _first(question: MachineQuestion, seconds: float, maximum_rows: int, end: float) -> MachinePair | None:
    """The first pair found that refutes, made smaller."""
    for candidate, pair in _tried(question, seconds, maximum_rows):
        if pair.refutes:
            return smallest(question, candidate, end)
    return None


def furthest_machine_pair(
    question: MachineQuestion, seconds: float, maximum_rows: int = SIZES[-1]
) -> MachinePair | None:
    """The pair found with the largest distance for its claim; the claim must be positive."""
    best: MachinePair | None = None
    for _, pair in _tried(question, seconds, maximum_rows):
        if pair.distance is None:
            return pair
        if best is None or best.distance is None or pair.distance * best.claim > best.distance * pair.claim:
            best = pair
    return best


def _tried(question: MachineQuestion, seconds: float, maximum_rows: int) -> Iterator[tuple[Candidate, MachinePair]]:
    """Pairs that were run, in searches each of which gives every size its share of the time."""
    values = question.values or tuple(atoms(question.format_, question.lower, question.upper))
    counts = sizes(question.format_, question.lower, question.upper, maximum_rows)
    plan = [(width, edits, n) for width, edits, most in STAGES for n in counts if n <= most]
    end = work.spent() + seconds
    for place, (width, edits, count) in enumerate(plan):
        share = work.spent() + (end - work.spent()) / (len(plan) - place) * 2
        yield from _of_size(question, values[:width], edits, count, min(share, end))
        if work.spent() >= end:
            return


def _of_size(
    question: MachineQuestion, values: Sequence[MachineRow], edits: int, count: int, end: float
) -> Iterator[tuple[Candidate, MachinePair]]:
    """The pairs with so many shared rows, until the time `end`."""
    known: dict[Runs, MachineOutcome | None] = {}
    may_reorder = question.tables == "multisets"
    for candidate in candidates(values, edits, count, question.changes, may_reorder, question.edits):
        if work.spent() >= end:
            return
        first, second = candidate.tables()
        if not question.allows(first, second):
            continue
        outcomes = [_known(question, table, known) for table in (first, second)]
        if outcomes[0] is not None and outcomes[1] is not None:
            yield candidate, question.judged(first, second, (outcomes[0], outcomes[1]))


def _known(question: MachineQuestion, table: Runs, known: dict[Runs, MachineOutcome | None]) -> MachineOutcome | None:
    """What the machine computes from the table; None where that is not settled."""
    if table not in known:
        work.step(RUN)
        try:
            known[table] = question.run(table)
        except (NoOutcome, NotRational):
            known[table] = None
    return known[table]


def smallest(question: MachineQuestion, candidate: Candidate, end: float) -> MachinePair:
    """The pair of a candidate that refutes, with fewer rows where they refute too."""
    best = question.pair(candidate)
    improved = True
    while improved:
        improved = False
        for smaller in _smaller(candidate):
            if work.spent() >= end:
                return best
            try:
                pair = question.pair(smaller)
            except (NoOutcome, NotRational):
                continue
            if pair.refutes and question.allows(pair.first, pair.second):
                candidate, best, improved = smaller, pair, True
                break
    return best


def _smaller(candidate: Candidate) -> Iterator[Candidate]:
    """The candidate with fewer rows in one shared run: none, half, or one less."""
    for place, (row, count) in enumerate(candidate.shared):
        for fewer in dict.fromkeys((0, 1, count // 2, count * 3 // 4, count - 1)):
            if fewer < count:
                shared = (*candidate.shared[:place], (row, fewer), *candidate.shared[place + 1 :])
                yield replace(candidate, shared=shared)  # an empty run stays in its place, so that all places hold
