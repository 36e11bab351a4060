"""Candidates for counterexamples with given parameters and so many data: what breaks the claim by the estimates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

from refdp.numerics.elementary import Undecided
from refdp.programs.counterexample import Counterexample
from refdp.programs.events import setting
from refdp.programs.execution import TooManyPaths
from refdp.programs.probabilities import NotComputed, number
from refdp.programs.refuting.climbing import Climber, OutOfTime, State
from refdp.programs.refuting.estimates import NotEstimated
from refdp.programs.refuting.lengths import hangs_on_length, numbers_of
from refdp.programs.refuting.neighbours import Neighbours, neighbours
from refdp.programs.refuting.outputs import OPEN, Cell, Output, cells, datum, edited_outputs, outputs
from refdp.programs.refuting.scoring import Bounds, bounds_of, chances, likelihood, scorer
from refdp.programs.refuting.signs import Sign
from refdp.programs.syntax import Claim, Program
from refdp.terms.term import Term

MOST_PATHS = 600
CELLS = (0, 2, 8)
"""How far the cells go into which numbers are sorted for Renyi divergences, the fewest first."""
PLAINLY = 0.005
"""By so much a likely event should break the claim, where it can."""
MOST_FINITE = 1e6
"""A log-ratio beyond this is infinite."""
BEYOND = (NotComputed, NotEstimated, Undecided, TooManyPaths, ArithmeticError, RecursionError)
"""What says that a method does not reach a program."""
Members = tuple[Output | Cell, ...]
"""Outputs whose events are looked at together."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Data and events that break the claim by the estimates."""

    parameters: Mapping[str, Term]
    state: State
    members: Members
    finite: bool
    """Whether the events are possible with both data."""
    rank: float
    """About the logarithm of their probability, less for numbers that are not plain."""
    bounds: Bounds


@dataclass(slots=True)
class Hunt:
    """Candidates with given parameters and so many data; what was found stays when the time is spent."""

    program: Program
    claim: Claim
    parameters: Mapping[str, Term]
    length: int
    deadline: float
    beginnings: Sequence[Sign] = ()
    """Where there are any, only outputs are looked at that begin like one of them."""
    found: list[Candidate] = field(default_factory=list)
    closest: float = -inf
    """The greatest score: how far a candidate breaks the claim by the estimates."""
    obstacles: list[str] = field(default_factory=list)
    late: bool = False
    scores: dict[Sign, float] = field(default_factory=dict)

    def run(self) -> None:
        """Everything is looked at, until the time is spent."""
        values = setting(self.program, self.parameters, self.length)
        try:
            bounds = bounds_of(self.claim, values)
            edits = most_edits(self.claim)
            together = bounds.rho is not None or bounds.delta > 0 or hangs_on_length(self.program, self.claim)
            if edits:
                kinds = edited_outputs(self.program, self.parameters, self.length, edits, MOST_PATHS)
            else:
                kinds = outputs(self.program, self.parameters, self.length, MOST_PATHS, self.beginnings, together)
            said = numbers_of(self.program, self.claim) if edits else ()
            for part in self.claim.adjacency.parts:
                among = neighbours(part, self.program.data, values, numbers=said)
                for members in groups(kinds, bounds):
                    self.climb(among, members, bounds)
        except OutOfTime:
            self.late = True
        except BEYOND as error:
            self.obstacles.append(str(error))

    def climb(self, among: Neighbours, members: Members, bounds: Bounds) -> None:
        """The candidates that are reached from each start."""
        slots = members[0].slots
        climber = Climber(among, slots, self.deadline, bounds.delta > 0)
        try:
            for pairs in among.starts(self.length):
                for state in climber.beginnings(State(pairs, (OPEN,) * len(slots)), scorer(bounds, members)):
                    top, (excess, _) = climber.climb(state, scorer(bounds, members))
                    self.closest = max(self.closest, excess)
                    if isinstance(members[0], Output):
                        self.scores[members[0].sign] = max(excess, self.scores.get(members[0].sign, -inf))
                    if excess > bounds.margin:
                        self.keep(climber, top, excess, members, bounds)
        except BEYOND as error:
            self.obstacles.append(str(error))

    def keep(self, climber: Climber, top: State, excess: float, members: Members, bounds: Bounds) -> None:
        """The candidate, and the likeliest that is reached from it."""
        rank = -inf if bounds.rho is None else -len(members)
        self.found.append(Candidate(self.parameters, top, members, excess < inf, rank, bounds))
        if bounds.rho is None:
            least = max(bounds.margin, min(PLAINLY, excess / 2)) if excess < inf else MOST_FINITE
            likeliest, (rank, _) = climber.climb(top, likelihood(bounds, members, least))
            self.found.append(Candidate(self.parameters, likeliest, members, excess < inf, rank, bounds))


def most_edits(claim: Claim) -> int:
    """How many elements one of two lists may have that the other lacks."""
    return max((part.changed or 0 for part in claim.adjacency.parts if part.edit is not None), default=0)


def promising(scores: Mapping[Sign, float], most: int) -> list[Sign]:
    """The outputs with the greatest scores."""
    return sorted(scores, key=lambda sign: -scores[sign])[:most]


def preference(candidate: Candidate) -> tuple[bool, float]:
    """Violations of support come first, then likely events."""
    return candidate.finite, -candidate.rank


def groups(kinds: Sequence[Output], bounds: Bounds) -> list[Members]:
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
        if len(pairs) == 1 or p > 0 and (bounds.rho is not None or bounds.excess([(p, q)])[0] > -bounds.delta)
    ]
    old, new = (tuple(datum(program, x) for x in side) for side in (state.old, state.new))
    unknown = number(0)
    parameters, order = candidate.parameters, bounds.order(pairs)
    return Counterexample(program.name, claim, parameters, old, new, tuple(chosen), unknown, unknown, order)
