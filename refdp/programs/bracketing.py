"""How tight a claim is: the greatest epsilon that is refuted, the least that is proved, and for which adjacencies.

Both ends are multiples of the parameter epsilon where there is one.  The lower end is for the values of the parameters
that are named with it, and so refutes every claim that speaks of those; the upper end is for all that the claim allows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from refdp import work
from refdp.programs.adjacency import NAMED
from refdp.programs.certificates.words import counterexample_data
from refdp.programs.checking.proof import check
from refdp.programs.deadline import limited
from refdp.programs.judging import judge
from refdp.programs.proving.outcomes import Proved
from refdp.programs.proving.search import prove
from refdp.programs.question import Question
from refdp.programs.refuting.brackets import Lower, bracket_lower
from refdp.programs.syntax import Claim, Program

DENOMINATORS = (1, 2, 3, 4, 6, 8)
MOST_TRIED = 8
"""How many upper ends are tried, the nearest to the lower end first."""


@dataclass(slots=True)
class Bracket:
    """The search for both ends, until a moment of the clock."""

    asked: Question
    program: Program
    claim: Claim
    solvers: tuple[str, ...]

    def data(self, seconds: float) -> dict[str, Any]:
        """The bracket as plain data."""
        lower = self.lower(seconds / 2)
        upper = None if lower is not None and lower.level is None else self.upper(lower, seconds / 2)
        return {
            "lower": None if lower is None else "infinity" if lower.level is None else self.multiple(lower.level),
            "upper": upper,
            "refuted_by": None if lower is None else counterexample_data(lower.found.claim, self.program, lower.found),
        }

    def multiple(self, level: Fraction) -> str:
        """A level as an expression."""
        if "epsilon" not in self.program.parameters:
            return str(level)
        return "epsilon" if level == 1 else f"{level}*epsilon"

    def lower(self, seconds: float) -> Lower | None:
        """The greatest level that is certified to be too low."""
        try:
            with limited(seconds):
                return bracket_lower(self.program, self.claim, seconds)
        except work.OutOfWork:
            return None

    def upper(self, lower: Lower | None, seconds: float) -> str | None:
        """The least level above the lower end that is proved, as an expression."""
        end = work.spent() + seconds
        least = lower.level if lower is not None and lower.level is not None else Fraction(0)
        for level in levels(least):
            left = (end - work.spent()) / 2
            if left > 0 and self.proves(self.multiple(level), left):
                return self.multiple(level)
        return None

    def proves(self, epsilon: str, seconds: float) -> bool:
        """Whether that epsilon is proved."""
        _, claim = replace(self.asked, epsilon=epsilon).about(self.program)
        try:
            with limited(seconds):
                found = prove(self.program, claim, seconds)
                alignments = found.alignments if isinstance(found, Proved) else ()
                return check(self.program, claim, alignments, self.solvers, seconds).verdict == "PROVED"
        except work.OutOfWork:
            return False


def levels(least: Fraction) -> list[Fraction]:
    """Simple numbers that are at least so great, the nearest first.

    >>> [str(level) for level in levels(Fraction(17499, 10000))]
    ['7/4', '11/6', '2', '5/2', '3', '4', '8']
    """
    near = {Fraction(-(-(least * q) // 1) or 1, q) for q in DENOMINATORS}
    whole = -(-least // 1) or 1
    far = {Fraction(whole) * k for k in (1, 2, 4)} | {Fraction(whole) + 1, whole + Fraction(1, 2)}
    return sorted(near | far)[:MOST_TRIED]


def verdicts(asked: Question, program: Program, seconds: float, solver: str) -> Iterator[dict[str, str]]:
    """Whether the claim holds under each adjacency that has a name."""
    end = work.spent() + seconds
    for place, (name, adjacency) in enumerate(NAMED.items()):
        if adjacency.edits and not program.data.is_list:
            continue
        variant = replace(asked, adjacency=name)
        left = max(0.0, end - work.spent()) / (len(NAMED) - place)
        found = judge(variant, *variant.about(program), left, solver)
        yield {"adjacency": name, "verdict": found.verdict, "n": found.n or "-"}


def bracketed(asked: Question, program: Program, claim: Claim, seconds: float, solver: str) -> dict[str, Any]:
    """The bracket and the verdicts under each adjacency, as plain data."""
    solvers = ("z3", "cvc5") if solver == "both" else (solver,)
    bracket = Bracket(asked, program, claim, solvers).data(seconds / 2)
    return {"bracket": bracket, "adjacencies": list(verdicts(asked, program, seconds / 2, solver))}
