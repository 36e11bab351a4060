"""The search for a counterexample to a claim: few data first, then the likeliest event that is found."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

from refdp.logic.terms import Term
from refdp.numerics.intervals import Undecided
from refdp.programs.counterexample import Counterexample, computed, confirmed
from refdp.programs.events import setting
from refdp.programs.execution import TooManyPaths
from refdp.programs.probabilities import NotComputed, number
from refdp.programs.refuting.climbing import Climber, OutOfTime, State
from refdp.programs.refuting.estimates import NotEstimated
from refdp.programs.refuting.neighbours import Neighbours, neighbours
from refdp.programs.refuting.outputs import OPEN, Cell, Output, cells, datum, outputs
from refdp.programs.refuting.scoring import Bounds, bounds_of, chances, likelihood, scorer
from refdp.programs.refuting.settings import settings
from refdp.programs.syntax import Claim, Program

MOST_DATA = 10
FEW_DATA = 5
"""So many data are looked at in any case, more as long as candidates come closer."""
GAIN = 0.003
CELLS = (0, 2, 8)
"""How far the cells go into which numbers are sorted for Renyi divergences, the fewest first."""
PATIENCE = 2
"""How many lengths may pass on which no candidate comes closer by GAIN."""
MOST_PATHS = 600
MOST_CONFIRMED = 6
"""Candidates of one length that exact arithmetic looks at."""
PLAINLY = 0.005
"""By so much a likely event should break the claim, where it can."""
MOST_FINITE = 1e6
"""A log-ratio beyond this is infinite."""
BEYOND = (NotComputed, NotEstimated, Undecided, TooManyPaths)
"""What says that a method does not reach a program."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What was looked at without finding a counterexample."""

    text: str
    closest: float | None = None
    """How far the closest candidate breaks the claim by the estimates: 0 where it is met with equality, or less."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Data and events that break the claim by the estimates."""

    parameters: Mapping[str, Term]
    state: State
    members: tuple[Output | Cell, ...]
    finite: bool
    """Whether the events are possible with both data."""
    rank: float
    """About the logarithm of their probability, less for numbers that are not plain."""
    bounds: Bounds


@dataclass(slots=True)
class Search:
    """The search for a counterexample, until a moment of the clock."""

    program: Program
    claim: Claim
    deadline: float
    lengths: list[int] = field(default_factory=list)
    """What was looked at in full."""
    closest: float = -inf
    """The greatest score: how far a candidate breaks the claim by the estimates."""
    obstacles: list[str] = field(default_factory=list)

    def run(self) -> Counterexample | Tried:
        """The counterexample of the smallest length that is found."""
        gained = 0
        try:
            for length in range(1, MOST_DATA + 1) if self.program.data.is_list else (1,):
                before = self.closest
                found = self.at_length(length)
                if found is not None:
                    return found
                self.lengths.append(length)
                if self.closest > before + GAIN:
                    gained = length
                if length >= max(FEW_DATA, gained + PATIENCE):
                    break
        except OutOfTime:
            self.obstacles.append("the time is spent")
        except TooManyPaths as error:
            self.obstacles.append(str(error))
        return self.tried()

    def tried(self) -> Tried:
        """What was looked at, in words."""
        count = self.lengths[-1] if self.lengths else 0
        seen = f"among data of up to {count} element{'s' * (count != 1)}" if count else "was found"
        why = f" ({'; '.join(dict.fromkeys(self.obstacles))})" if self.obstacles else ""
        return Tried(f"no counterexample {seen}{why}", self.closest if self.closest > -inf else None)

    def at_length(self, length: int) -> Counterexample | None:
        """The likeliest confirmed counterexample with so many data."""
        for parameters in settings(self.program, self.claim, length, 4 if length < 3 else 2):
            found = sorted(self.candidates(parameters, length), key=preference)
            for candidate in found[:MOST_CONFIRMED]:
                confirmed_one = self.confirmation(candidate)
                if confirmed_one is not None:
                    return confirmed_one
        return None

    def candidates(self, parameters: Mapping[str, Term], length: int) -> list[Candidate]:
        """Candidates that break the claim by the estimates."""
        values = setting(self.program, parameters, length)
        try:
            bounds = bounds_of(self.claim, values)
            kinds = outputs(self.program, parameters, length, MOST_PATHS)
        except (NotComputed, NotEstimated, ArithmeticError) as error:
            self.obstacles.append(str(error))
            return []
        found: list[Candidate] = []
        for part in self.claim.adjacency.parts:
            among = neighbours(part, self.program.data, values)
            for members in groups(kinds, bounds):
                found += self.climbed(parameters, among, members, bounds, length)
        return found

    def climbed(
        self,
        parameters: Mapping[str, Term],
        among: Neighbours,
        members: tuple[Output | Cell, ...],
        bounds: Bounds,
        length: int,
    ) -> Iterator[Candidate]:
        """The candidates that are reached from each start."""
        slots = members[0].slots
        climber = Climber(among, slots, self.deadline)
        for pairs in among.starts(length):
            try:
                top, (excess, _) = climber.climb(State(pairs, (OPEN,) * len(slots)), scorer(bounds, members))
            except BEYOND as error:
                self.obstacles.append(str(error))
                return
            self.closest = max(self.closest, excess)
            if excess > bounds.margin:
                if bounds.rho is None:
                    least = max(bounds.margin, min(PLAINLY, excess / 2)) if excess < inf else MOST_FINITE
                    likeliest, (rank, _) = climber.climb(top, likelihood(bounds, members, least))
                    yield Candidate(parameters, likeliest, members, excess < inf, rank, bounds)
                yield Candidate(
                    parameters, top, members, excess < inf, -inf if bounds.rho is None else -len(members), bounds
                )

    def confirmation(self, candidate: Candidate) -> Counterexample | None:
        """The counterexample that the candidate is, if exact arithmetic says so."""
        found = counterexample(self.program, self.claim, candidate)
        try:
            seconds = self.deadline - time.monotonic()
            if not confirmed(self.program, self.claim, found, seconds):
                return None
            return computed(self.program, found, seconds)
        except BEYOND as error:
            self.obstacles.append(str(error))
            return None


def refute(program: Program, claim: Claim, seconds: float) -> Counterexample | Tried:
    """A counterexample that is confirmed, or what was tried."""
    return Search(program, claim, time.monotonic() + seconds).run()


def preference(candidate: Candidate) -> tuple[bool, float]:
    """Violations of support come first, then likely events."""
    return candidate.finite, -candidate.rank


def groups(kinds: Sequence[Output], bounds: Bounds) -> list[tuple[Output | Cell, ...]]:
    """What is looked at together: for rho all outputs, cut into cells; for delta all where none releases a number."""
    if bounds.rho is None and (bounds.delta == 0 or any(one.slots for one in kinds)):
        return [(one,) for one in kinds]
    found = dict.fromkeys(tuple(member for one in kinds for member in cells(one, last)) for last in CELLS)
    return [members for members in found if members]


def counterexample(program: Program, claim: Claim, candidate: Candidate) -> Counterexample:
    """The candidate with exact numbers; its probabilities are still to be worked out."""
    state, bounds = candidate.state, candidate.bounds
    pairs = chances(candidate.members, state)
    chosen = [
        one.event(state.cuts)
        for one, (p, q) in zip(candidate.members, pairs, strict=True)
        if len(pairs) == 1 or p > 0 and bounds.excess([(p, q)])[0] > -bounds.delta or bounds.rho is not None and p > 0
    ]
    old, new = (tuple(datum(program, x) for x in side) for side in (state.old, state.new))
    unknown = number(0)
    parameters, order = candidate.parameters, bounds.order(pairs)
    return Counterexample(program.name, claim, parameters, old, new, tuple(chosen), unknown, unknown, order)
