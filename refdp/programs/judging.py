"""The order of attack on one claim: look for a proof, look for a counterexample, say what was decided.

PROVED: alignments whose conditions the checker discharged, or the laws of all there is.  REFUTED: an event whose exact
probabilities break the bound.  Else UNKNOWN, with what was tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from refdp import work
from refdp.kernel.judgements import Unanswered
from refdp.kernel.rules.engines import READING
from refdp.numerics.elementary import Undecided
from refdp.numerics.exact import NotExact
from refdp.programs.certificates import writing
from refdp.programs.certificates.replaying import EXACT, trusted
from refdp.programs.certificates.words import counterexample_data
from refdp.programs.checking.alignment import Alignment
from refdp.programs.checking.finite import FINITE, Found, Output
from refdp.programs.checking.proof import SOLVERS, check, has_values
from refdp.programs.counterexample import Counterexample, computed, confirmed
from refdp.programs.deadline import limited
from refdp.programs.events import Event, Expected
from refdp.programs.execution import TooManyPaths
from refdp.programs.judgement import Judgement
from refdp.programs.nulls import insist_on_secret_length
from refdp.programs.probabilities import NotComputed
from refdp.programs.probabilities import number as exact_number
from refdp.programs.proving.outcomes import Proved
from refdp.programs.proving.search import prove
from refdp.programs.question import Question
from refdp.programs.reasons import plain, why
from refdp.programs.refuting.search import refute
from refdp.programs.refuting.settings import settings
from refdp.programs.steps import BeyondSteps
from refdp.programs.syntax import Branch, Claim, Draw, Item, Loop, Program, Statement
from refdp.programs.textbook import alignment_data
from refdp.terms.leaves import TRUE
from refdp.terms.term import Term

TO_PROVE = 0.5
"""What part of the time the search for a proof may take."""
LONGER = 8
"""How many elements more than those that differ a list is tried with."""
LIMITS = (ArithmeticError, RecursionError, ValueError, TooManyPaths)
"""What a way raises that does not reach a program."""


def judge(asked: Question, program: Program, claim: Claim, seconds: float, solver: str = "z3") -> Judgement:
    """The judgement of a claim about a program within about `seconds`."""
    case = Case(asked, program, claim, work.spent() + seconds, SOLVERS if solver == "both" else (solver,))
    try:
        with limited(seconds):
            return case.judged()
    except BeyondSteps as reason:
        return case.unknown(str(reason))
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
        if self.claim.adjacency.edits:
            insist_on_secret_length(self.program, self.claim)
        ways = (self.proved, self.compared, self.refuted)
        if has_values(self.program, self.claim):
            ways = (self.compared, self.proved, self.refuted)
        for way in ways:
            try:
                found = way()
            except LIMITS as error:
                self.tell(why(way.__name__, error))
                continue
            if found is not None:
                return found
        return self.unknown("no way was found to decide it")

    def tell(self, sentence: str) -> None:
        """Keep what was tried; each sentence once."""
        if sentence not in self.tried:
            self.tried = (*self.tried, sentence)

    def compared(self) -> Judgement | None:
        """The judgement that the laws of all data give, where draws are of finitely many values."""
        if not is_finite(self.program.body):
            return None
        return self.confirmed((), self.left() * TO_PROVE)

    def proved(self) -> Judgement | None:
        """The judgement that a proof by alignments gives."""
        found = prove(self.program, self.claim, self.left() * TO_PROVE)
        if isinstance(found, Proved):
            return self.confirmed(found.alignments, self.left())
        self.tell(f"no proof: {plain(found.reason)}")
        return None

    def confirmed(self, alignments: Sequence[Alignment], seconds: float) -> Judgement | None:
        """The judgement where the checker confirms the proof, or where it finds laws that break the claim."""
        checked = check(self.program, self.claim, alignments, self.solvers, seconds)
        if checked.verdict != "PROVED":
            self.tell(f"no proof: {plain(checked.reason)}")
            return None if checked.broken is None else self.broken(checked.broken)
        trusts = tuple(trusted(checked))
        try:
            certificate = writing.proof(self.asked, self.program, self.claim, alignments, trusts)
        except NotExact:
            self.tell("a proof was found, but a theorem states no irrational number: claim a rational one above it")
            return None
        return Judgement(
            "PROVED", self.asked, self.program, self.claim, "all",
            alignment=tuple(alignment_data(self.program, self.claim, one) for one in alignments),
            proof=tuple(alignments), trusts=trusts,
            checked_by=() if checked.exact else checked.solvers, conditions=checked.count,
            certificate=certificate,
        )  # fmt: skip

    def broken(self, found: Found) -> Judgement | None:
        """The judgement that two laws show which break the claim, once its event is confirmed from the program."""
        for one in counterexamples(self.program, self.claim, found):
            try:
                if confirmed(self.program, self.claim, one, self.left()):
                    shown = self.shown(computed(self.program, one, self.left()))
                    if shown is not None:
                        return shown
            except (NotComputed, Undecided, TooManyPaths):
                continue
        return None

    def refuted(self) -> Judgement | None:
        """The judgement that a counterexample gives."""
        found = refute(self.program, self.claim, self.left())
        if isinstance(found, Counterexample):
            return self.shown(found)
        self.tell(found.text)
        return None

    def shown(self, found: Counterexample) -> Judgement | None:
        """The judgement of a counterexample; none where the kernel does not work out its probabilities in time."""
        try:
            certificate = writing.refutation(self.asked, self.program, self.claim, found)
        except Unanswered as reason:
            self.tell(f"a counterexample is not confirmed: {reason}")
            return None
        return Judgement(
            "REFUTED", self.asked, self.program, self.claim, str(len(found.old)),
            counterexample=counterexample_data(self.claim, self.program, found), trusts=(READING, EXACT),
            certificate=certificate,
        )  # fmt: skip

    def unknown(self, otherwise: str) -> Judgement:
        """Neither a proof nor a counterexample."""
        return Judgement("UNKNOWN", self.asked, self.program, self.claim, reason="; ".join(self.tried) or otherwise)


def is_finite(body: Sequence[Statement]) -> bool:
    """Whether all draws are of finitely many values."""
    for one in body:
        if isinstance(one, Draw) and one.family not in FINITE:
            return False
        if isinstance(one, Branch) and not (is_finite(one.yes) and is_finite(one.no)):
            return False
        if isinstance(one, Loop) and not is_finite(one.body):
            return False
    return True


def counterexamples(program: Program, claim: Claim, found: Found) -> Iterator[Counterexample]:
    """The data and events that laws show to break the claim: as many elements as differ, or as many as must be."""
    longest = found.times + LONGER if program.data.is_list and claim.delta is None else found.times
    for length in range(found.times, longest + 1):
        for parameters in settings(program, claim, length, 1):
            old, new = ((one,) * found.times + (found.old,) * (length - found.times) for one in (found.old, found.new))
            events = tuple(event_of(output * length) for output in found.outputs)
            yield Counterexample(
                program.name, claim, parameters, old, new, events, exact_number(0), exact_number(0)
            )  # fmt: skip


def event_of(output: Output) -> Event:
    """The event that the output is this one."""
    return tuple(tuple(map(expected, items)) for items in output)


def expected(item: Item) -> Expected:
    """What a part of the output must be."""
    if not isinstance(item, Term):
        return item
    return item is TRUE if item.sort == "Bool" else item.rational
