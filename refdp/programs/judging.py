"""The order of attack on one claim: look for a proof, look for a counterexample, say what was decided.

PROVED: alignments whose conditions the checker discharged, or the exact probabilities of all there is.  REFUTED: an
event whose exact probabilities break the bound.  Else UNKNOWN, with what was tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from refdp.programs.certificates.replaying import EXACT, READING, counterexample_text, proof_text, trusted
from refdp.programs.certificates.words import counterexample_data
from refdp.programs.checking.alignment import Alignment
from refdp.programs.checking.proof import SOLVERS, check
from refdp.programs.counterexample import Counterexample
from refdp.programs.deadline import limited
from refdp.programs.judgement import Judgement
from refdp.programs.proving.outcomes import Proved
from refdp.programs.proving.search import prove
from refdp.programs.question import Question
from refdp.programs.refuting.search import refute
from refdp.programs.syntax import Claim, Program
from refdp.programs.textbook import alignment_data
from refdp.provers import work

TO_PROVE = 0.5
"""What part of the time the search for a proof may take."""


def judge(asked: Question, program: Program, claim: Claim, seconds: float, solver: str = "z3") -> Judgement:
    """The judgement of a claim about a program within about `seconds`."""
    case = Case(asked, program, claim, work.spent() + seconds, SOLVERS if solver == "both" else (solver,))
    try:
        with limited(seconds):
            return case.judged()
    except work.OutOfWork:
        return case.unknown(f"nothing was decided by work of {seconds:.3g} s")


@dataclass(slots=True)
class Case:
    """One claim, and what was tried."""

    asked: Question
    program: Program
    claim: Claim
    end: float
    solvers: Sequence[str]
    tried: tuple[str, ...] = ()

    def left(self) -> float:
        """Seconds that are left."""
        return max(0.0, self.end - work.spent())

    def judged(self) -> Judgement:
        """What the first of the ways says that decides the claim."""
        for way in (self.compared, self.proved, self.refuted):
            try:
                found = way()
            except (ArithmeticError, RecursionError, ValueError) as error:
                self.tried = (*self.tried, f"{way.__name__} is not found out: {type(error).__name__} {error}")
                continue
            if found is not None:
                return found
        return self.unknown("no way was found to decide it")

    def compared(self) -> Judgement | None:
        """The judgement that exact probabilities give, where they can: all parameters must be given."""
        if not set(self.program.parameters) - {self.program.length} <= set(self.claim.given):
            return None
        return self.confirmed((), self.left() * TO_PROVE)

    def proved(self) -> Judgement | None:
        """The judgement that a proof by alignments gives."""
        found = prove(self.program, self.claim, self.left() * TO_PROVE)
        if isinstance(found, Proved):
            return self.confirmed(found.alignments, self.left())
        self.tried = (*self.tried, f"no proof: {found.reason}")
        return None

    def confirmed(self, alignments: Sequence[Alignment], seconds: float) -> Judgement | None:
        """The judgement where the checker confirms the proof."""
        checked = check(self.program, self.claim, alignments, self.solvers, seconds)
        if checked.verdict != "PROVED":
            self.tried = (*self.tried, f"no proof: {checked.reason}")
            return None
        return Judgement(
            self.asked, self.program, self.claim, "PROVED", "all",
            alignment=tuple(alignment_data(self.program, one) for one in alignments),
            trusts=tuple(trusted(checked)), checked_by=() if checked.exact else checked.solvers,
            conditions=checked.count, certificate=proof_text(self.asked, alignments),
        )  # fmt: skip

    def refuted(self) -> Judgement | None:
        """The judgement that a counterexample gives."""
        found = refute(self.program, self.claim, self.left())
        if not isinstance(found, Counterexample):
            self.tried = (*self.tried, found.text)
            return None
        return Judgement(
            self.asked, self.program, self.claim, "REFUTED", str(len(found.old)),
            counterexample=counterexample_data(self.claim, self.program, found), trusts=(READING, EXACT),
            certificate=counterexample_text(self.asked, found),
        )  # fmt: skip

    def unknown(self, otherwise: str) -> Judgement:
        """Neither a proof nor a counterexample."""
        return Judgement(self.asked, self.program, self.claim, "UNKNOWN", reason="; ".join(self.tried) or otherwise)
