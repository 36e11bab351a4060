"""Local sensitivity: how far the answer at one given table is from the answer at any neighbour of that table.

Every place and every record is covered by one symbolic record: the bound is proved, and a neighbour attains it.  It is
not private to scale noise to it, as it depends on the table: docs/sensitivity.md, smooth sensitivity.
Tables are lists: the rows that both tables have keep their order.  Source: NRS07 (local sensitivity).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from refdp import work
from refdp.provers.processes import WORKERS
from refdp.sensitivities.checking.verifying import READING
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.concrete.answers import distance
from refdp.sensitivities.language.interpreter import answer_of
from refdp.sensitivities.language.source import Source
from refdp.sensitivities.nearby.greatest import Climb, climb, proved
from refdp.sensitivities.nearby.reading import Read, Reader, read_bounded
from refdp.sensitivities.nearby.rows import NEW, Move, Row, constant, moves, slot_terms
from refdp.sensitivities.nearby.small import some_records
from refdp.sensitivities.pair import Pair
from refdp.sensitivities.question import Neighbours, Norm
from refdp.sensitivities.records import Concrete
from refdp.terms.leaves import FALSE, rational, truth
from refdp.terms.operations import (
    absolute,
    choice,
    conjunction,
    equal,
    larger,
    multiply,
    real,
    substitute,
    subtract,
    total,
)
from refdp.terms.term import Term, Value
from refdp.verdicts import Verdict

SOLVERS = ("z3", "cvc5")
INTERPRETER = "refdp's interpreter of Python"
MOST_RECORDS = 16
"""Most records that are tried in a new place before solvers are asked."""
INFINITE = Fraction(2**80)
"""Stands for the distance of an answer and an exception, or of two exceptions, while the greatest move is searched."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A neighbour, how far its answer is, and what is known of its new record."""

    move: Move
    length: Term
    known: Term


@dataclass(frozen=True, slots=True)
class LocalSensitivity(Verdict):
    """The greatest distance of the answer at a table to that at a neighbour; distances are squared under L2."""

    bound: Fraction | None
    """No neighbour's answer is further; None where the pair shows one infinitely far, or where nothing is proved."""
    pair: Pair | None
    """The table and the neighbour that is furthest of those found, both run."""

    @property
    def is_attained(self) -> bool:
        """Whether the bound is the local sensitivity itself."""
        return self.verdict == "PROVED" and self.pair is not None and self.pair.distance == self.bound


def local_sensitivity(
    source: Source,
    declaration: Declaration,
    table: Sequence[Concrete],
    neighbours: Neighbours,
    norm: Norm = "L1",
    seconds: float = 30,
) -> LocalSensitivity:
    """The local sensitivity of the function at the table.

    Raises ValueError for rows that are not as declared, Unsupported for Python that is not read.
    """
    return Local(source, declaration, tuple(table), neighbours, norm, work.spent() + seconds).found(
        read_bounded(source, declaration)
    )


@dataclass(frozen=True, slots=True)
class Local:
    """One question about one table."""

    source: Source
    declaration: Declaration
    table: tuple[Concrete, ...]
    neighbours: Neighbours
    norm: Norm
    deadline: float

    def found(self, read: Reader) -> LocalSensitivity:
        """The answer, where `read` says what the function does on symbolic rows."""
        rows = self.checked()
        here, state, asked = read(rows), Climb(self.deadline), list[Asked]()
        likely, slots = self.likely(), self.declaration.record.slots(NEW)
        for index, move in enumerate(moves(self.declaration.record, rows, self.neighbours)):
            if state.slice() <= 0 and index:
                state.reason = f"the time is over after {index} neighbours"
                break
            there = read(move.rows)
            asked.append(Asked(move, self.move_length(here, there), self.known(here, there)))
            for record in likely:
                values = dict(zip(slots, map(constant, record), strict=True))
                state.seen(index, asked[-1].length, asked[-1].known, values)
        for index, one in enumerate(asked):
            if not state.reason and state.best < INFINITE:
                climb(state, index, one.length, one.known)
        return self.judged(state, asked)

    def checked(self) -> list[Row]:
        """The rows by their slots.  ValueError where one is not as declared whatever the parameters are."""
        kind = self.declaration.record
        found = [slot_terms(kind, row) for row in self.table]
        for row, record in zip(self.table, found, strict=True):
            if self.within_bounds(record) is FALSE:
                raise ValueError(f"a row must be within its bounds, got {str(row)[:80]}")
        return found

    def within_bounds(self, record: Row) -> Term:
        """A row of the table is as declared."""
        slots = self.declaration.record.slots(NEW)
        return substitute(self.declaration.record.constraint(NEW), dict(zip(slots, record, strict=True)))

    def likely(self) -> list[Row]:
        """Records that are worth trying: those of the table, and some more."""
        chosen = [slot_terms(self.declaration.record, one) for one in self.table]
        some = some_records(self.source, self.declaration, MOST_RECORDS)
        return list(dict.fromkeys([*(slot_terms(self.declaration.record, one) for one in some), *chosen]))[
            :MOST_RECORDS
        ]

    def known(self, here: Read, there: Read) -> Term:
        """What holds of the new record, of the rows and of the parameters."""
        kind = self.declaration.record
        rows = (self.within_bounds(slot_terms(kind, row)) for row in self.table)
        return conjunction(self.declaration.assumption, here.side, there.side, kind.constraint(NEW), *rows)

    def move_length(self, here: Read, there: Read) -> Term:
        """The distance of two outcomes, squared under L2."""
        same = equal(here.exception, there.exception)
        if here.labels != there.labels or len(here.numbers) != len(there.numbers):
            return choice(conjunction(same, equal(here.returns, truth(False))), rational(0), rational(INFINITE))
        sizes = [absolute(real(subtract(a, b))) for a, b in zip(here.numbers, there.numbers, strict=True)]
        if self.norm == "Linf":
            length: Term = rational(0)
            for size in sizes:
                length = larger(length, size)
        else:
            length = total(multiply(s, s) if self.norm == "L2" else s for s in sizes)
        returned = choice(here.returns, real(length), rational(0))
        return choice(same, returned, rational(INFINITE))

    def judged(self, state: Climb, asked: Sequence[Asked]) -> LocalSensitivity:
        """What was found, proved by both solvers and run."""
        if not asked:
            return LocalSensitivity("PROVED", Fraction(0), None)
        try:
            pair = self.confirmed(state, asked)
        except ArithmeticError as unclear:
            return LocalSensitivity("UNKNOWN", None, None, reason=str(unclear))
        if pair is not None and pair.distance is None:
            return LocalSensitivity("PROVED", None, pair, trusts=(INTERPRETER,))
        if state.reason:
            return LocalSensitivity("UNKNOWN", None, pair, reason=state.reason)
        if pair is None:
            return LocalSensitivity("UNKNOWN", None, None, reason="no record and no parameters were found as declared")
        if pair.distance != state.best:
            return LocalSensitivity("UNKNOWN", None, pair, reason="the function does not do what it was read to do")
        bound = max(state.bounds)
        for solver, left in self.slices(asked):
            for one in asked:
                if not proved(solver, one.length, one.known, bound, left):
                    reason = f"{solver} does not prove that no neighbour is further than {bound}"
                    return LocalSensitivity("UNKNOWN", None, pair, reason=reason)
        return LocalSensitivity(
            "PROVED", bound, pair, trusts=(READING, " and ".join(WORKERS[s].version for s in SOLVERS))
        )

    def slices(self, asked: Sequence[object]) -> Iterator[tuple[str, float]]:
        """Each solver with the seconds it has for one neighbour."""
        for number, solver in enumerate(SOLVERS):
            left = max(0.1, self.deadline - work.spent()) / (len(SOLVERS) - number)
            yield solver, left / len(asked)

    def confirmed(self, state: Climb, asked: Sequence[Asked]) -> Pair | None:
        """The furthest neighbour found, with what running the function gives."""
        if state.at is None:
            return None
        index, values = state.at
        kind = self.declaration.record
        second = asked[index].move.table(self.table, kind.value(NEW, _complete(kind.slots(NEW), values)))
        parameters = {str(p.value): Fraction(values.get(p, Fraction(0))) for p in self.declaration.parameters}
        given = {**self.declaration.values, **parameters}
        answers = [answer_of(self.source, rows, given, record=kind) for rows in (self.table, second)]
        apart = distance(answers[0], answers[1], self.norm)
        return Pair(self.table, second, parameters, (answers[0].outcome, answers[1].outcome), apart)


def _complete(slots: Sequence[Term], values: Mapping[Term, Value]) -> dict[Term, Value]:
    """A value for each slot; those that do not matter are 0 or false."""
    return {s: values.get(s, False if s.sort == "Bool" else Fraction(0)) for s in slots}
