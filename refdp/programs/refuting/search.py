"""The search for a counterexample to a claim: few data first, then the likeliest event that is found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from math import inf

from refdp import work
from refdp.programs.counterexample import Counterexample, computed, confirmed
from refdp.programs.reasons import plain
from refdp.programs.refuting.candidates import BEYOND, Candidate, Hunt, counterexample, preference, promising
from refdp.programs.refuting.lengths import hangs_on_length, numbers_of
from refdp.programs.refuting.settings import settings
from refdp.programs.refuting.signs import Sign
from refdp.programs.syntax import Claim, Program
from refdp.terms.term import Term

MOST_DATA = 20
FEW_DATA = 5
"""So many data are looked at in any case, more as long as candidates come closer."""
GAIN = 0.003
PATIENCE = 2
"""How many lengths may pass on which no candidate comes closer by GAIN."""
MANY_DATA = 3
"""From so many data on only the usual parameters are looked at, and others when that is done."""
SETTINGS, MANY_SETTINGS = 4, 30
"""How many parameters are looked at; of one number, which is quick, more."""
MOST_CONFIRMED = 6
"""Candidates of one length that exact arithmetic looks at."""
MOST_BEGINNINGS = 6
EQUAL = 1e-6
SHARE = 0.6
"""What part of the time that is left each turn may take."""
GRACE = 0.5
"""Seconds in which what was found when the time is spent may be confirmed."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What was looked at without finding a counterexample."""

    text: str


@dataclass(slots=True)
class Search:
    """The search for a counterexample, until a moment of the clock."""

    program: Program
    claim: Claim
    deadline: float
    length: int = 0
    """So many data were looked at in full."""
    late: bool = False
    closest: float = -inf
    """How far a candidate breaks the claim by the estimates."""
    obstacles: list[str] = field(default_factory=list)
    beginnings: list[Sign] = field(default_factory=list)
    """The most promising outputs for less data: those that are looked at with more data begin like them."""

    def run(self) -> Counterexample | Tried:
        """The counterexample of the smallest length that is found."""
        for turn in range(SETTINGS if self.program.data.is_list else 1):
            left = self.deadline - work.spent()
            found = self.turn(turn, self.deadline - left * (1 - SHARE))
            if found is not None:
                return found
        return self.tried()

    def turn(self, turn: int, until: float) -> Counterexample | None:
        """With few data all parameters are looked at in the first turn, with many data one of them in each turn."""
        gained, before, few = 0, -inf, few_data(self.program, self.claim)
        self.beginnings = []
        for length in range(1 if turn == 0 else MANY_DATA, MOST_DATA + 1) if self.program.data.is_list else (1,):
            most = SETTINGS if self.program.data.is_list else MANY_SETTINGS
            chosen: Iterable[Mapping[str, Term]] = settings(self.program, self.claim, length, most)
            found, closest = self.at_length(
                chosen if length < MANY_DATA else islice(chosen, turn, turn + 1), length, until
            )
            if found is not None or self.late:
                return found
            self.length = max(self.length, length)
            if closest > before + GAIN:
                gained, before = length, closest
            if length >= max(few, gained + PATIENCE):
                break
        return None

    def at_length(
        self, chosen: Iterable[Mapping[str, Term]], length: int, until: float
    ) -> tuple[Counterexample | None, float]:
        """The likeliest confirmed counterexample with so many data, and how close candidates came."""
        closest = -inf
        for parameters in chosen:
            hunt = Hunt(self.program, self.claim, parameters, length, until, self.beginnings)
            hunt.run()
            if self.beginnings and not hunt.scores and not hunt.late:  # outputs do not grow with the data
                hunt = Hunt(self.program, self.claim, parameters, length, until)
                hunt.run()
            if length >= MANY_DATA:
                self.beginnings = promising(hunt.scores, MOST_BEGINNINGS)
            self.late = hunt.late
            self.obstacles += hunt.obstacles
            closest = max(closest, hunt.closest)
            self.closest = max(self.closest, closest)
            for candidate in sorted(hunt.found, key=preference)[:MOST_CONFIRMED]:
                found = self.confirmation(candidate)
                if found is not None:
                    return found, closest
            if self.late:
                break
        return None, closest

    def confirmation(self, candidate: Candidate) -> Counterexample | None:
        """The counterexample that the candidate is, if exact arithmetic says so."""
        found = counterexample(self.program, self.claim, candidate)
        seconds = max(self.deadline - work.spent(), GRACE)
        try:
            if not confirmed(self.program, self.claim, found, seconds):
                return None
            return computed(self.program, found, seconds)
        except BEYOND as error:
            self.obstacles.append(str(error))
            return None

    def tried(self) -> Tried:
        """What was looked at, in words."""
        many = f"{self.length} element{'s' * (self.length != 1)}"
        seen = f"was found among the data of up to {many} that were tried" if self.length else "was found"
        if self.closest == -inf and not self.obstacles and not self.late:
            why = "nothing that the claim allows was found among small parameters and data"
            return Tried(f"no counterexample was found ({why})")
        reasons = [*dict.fromkeys(map(plain, self.obstacles)), *["the time is spent"] * self.late]
        if abs(self.closest) < EQUAL:
            reasons.append("the worst event of those that were tried meets the bound with equality")
        why = f" ({'; '.join(reasons)})" if reasons else ""
        return Tried(f"no counterexample {seen}{why}")


def few_data(program: Program, claim: Claim) -> int:
    """So many data are looked at in any case: more where the text compares their number with a greater number."""
    if not hangs_on_length(program, claim):
        return FEW_DATA
    return min(MOST_DATA, max((FEW_DATA, *(one + 1 for one in numbers_of(program, claim)))))


def refute(program: Program, claim: Claim, seconds: float) -> Counterexample | Tried:
    """A counterexample that is confirmed, or what was tried."""
    return Search(program, claim, work.spent() + seconds).run()
