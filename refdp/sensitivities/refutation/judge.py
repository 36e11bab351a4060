"""The judge of counterexamples: two tables are as declared, neighbours, and moved apart too far, by running them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from refdp import work
from refdp.sensitivities.checking.pairs import are_within
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.concrete.answers import Answer, distance
from refdp.sensitivities.language.concrete.failures import NoOutcome
from refdp.sensitivities.language.interpreter import answer_of
from refdp.sensitivities.language.source import Source, Unsupported
from refdp.sensitivities.limits import holds, upper_bound
from refdp.sensitivities.pair import Pair
from refdp.sensitivities.question import SIZE, Neighbours, Norm, Tables
from refdp.sensitivities.records import Concrete
from refdp.sensitivities.tables import Table, belongs, edits_between, keys
from refdp.terms.exact_values import NotRational
from refdp.terms.term import Term, Value

STEPS = 50_000
"""Steps of one run; tables are small."""
PAIR = 100
"""Steps that the check of a pair counts as, the two runs aside."""
MEMORY = 200_000
"""Most answers that are remembered."""
Parameters = Mapping[str, Fraction]
Runner = Callable[[Source, Sequence[Concrete], Mapping[str, Concrete]], Answer]


class OutOfTime(Exception):
    """The search has used up its seconds."""


@dataclass(slots=True)
class Judge:
    """What is asked of a function, and the answers that are known already."""

    source: Source
    declaration: Declaration
    neighbours: Neighbours
    norm: Norm
    claim: Term | None
    """None where the largest move is looked for."""
    edits: int
    tables: Tables
    deadline: float
    """Until when to search, by work.spent."""
    run: Runner | None = None
    """How a table is run where not in exact arithmetic."""
    reasons: dict[str, None] = field(default_factory=dict)
    """Why runs had no exact outcome."""
    known: dict[tuple[Hashable, ...], Answer | None] = field(default_factory=dict)
    limits: dict[tuple[Hashable, ...], tuple[bool, Fraction | None]] = field(default_factory=dict)

    def hurry(self) -> None:
        """OutOfTime where the seconds are used up."""
        if work.spent() > self.deadline:
            raise OutOfTime

    def answer(self, table: Table, parameters: Parameters) -> Answer | None:
        """What the function does on a table; None where it has no exact outcome."""
        name: tuple[Hashable, ...] = (*parameters.values(), keys(table))
        if name not in self.known:
            self.hurry()
            if len(self.known) > MEMORY:
                self.known.clear()
            self.known[name] = self._ran(table, parameters)
        return self.known[name]

    def _ran(self, table: Table, parameters: Parameters) -> Answer | None:
        """One run."""
        values = {**self.declaration.values, **parameters}
        try:
            if self.run is not None:
                return self.run(self.source, table, values)
            return answer_of(self.source, table, values, steps=STEPS, record=self.declaration.record)
        except (NoOutcome, NotRational, Unsupported) as reason:
            self.reasons.setdefault(str(reason), None)
            return None

    def limit(self, parameters: Parameters, size: int) -> tuple[bool, Fraction | None]:
        """Whether the assumption holds with this many rows, and the claim (rounded up where it is irrational)."""
        name: tuple[Hashable, ...] = (*parameters.values(), size)
        if name not in self.limits:
            values = self.values(parameters, size)
            fits = holds(self.declaration.assumption, values) and parameters.get("n", size) == size
            self.limits[name] = fits, None if self.claim is None else upper_bound(self.claim, values)
        return self.limits[name]

    def values(self, parameters: Parameters, size: int) -> dict[Term, Value]:
        """The values of all symbols."""
        symbols = {symbol: parameters[str(symbol.value)] for symbol in self.declaration.parameters}
        return {SIZE: Fraction(size), **symbols}

    def exceeds(self, move: Fraction | None, limit: Fraction | None) -> bool:
        """Whether the answers move further than the claim; None is infinitely far."""
        if limit is None:
            return False
        if move is None or limit < 0:
            return True
        return move > (limit * limit if self.norm == "L2" else limit)

    def violation(self, first: Table, second: Table, parameters: Parameters) -> Pair | None:
        """The pair, if it is one: every condition is checked here, and both tables are run."""
        pair = self.pair(first, second, parameters)
        if pair is None:
            return None
        _, limit = self.limit(parameters, min(len(first), len(second)))
        return pair if self.exceeds(pair.distance, limit) else None

    def pair(self, first: Table, second: Table, parameters: Parameters) -> Pair | None:
        """The two tables with their outcomes, if they are as declared and neighbours."""
        work.step(PAIR)
        size = min(len(first), len(second))
        if not self.limit(parameters, size)[0]:
            return None
        between = edits_between(first, second, self.neighbours, self.tables)
        values = self.values(parameters, size)
        records = {keys([record]): record for record in (*first, *second)}.values()
        if between is None or not are_within(self.edits, between, first, self.neighbours):
            return None
        if not all(belongs(record, self.declaration.record, values) for record in records):
            return None
        a, b = self.answer(first, parameters), self.answer(second, parameters)
        if a is None or b is None:
            return None
        move, texts = distance(a, b, self.norm), (str(a), str(b))
        return Pair(first, second, dict(parameters), (a.outcome, b.outcome), move, texts)

    def left(self) -> float:
        """Seconds that are left."""
        return max(0.05, self.deadline - work.spent())
