"""The order of attack on one question: read it, look for a pair of tables, look for a proof, say what was decided.

REFUTED: a pair that the interpreter confirms.  PROVED: invariants that the checker confirms.  Else UNKNOWN, with the
number of rows up to which the solvers find no violation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import cast

from refdp import work
from refdp.sensitivities import writing
from refdp.sensitivities.checking.certificate import Claim, evidence_json, pair_json
from refdp.sensitivities.checking.possible import require_possible
from refdp.sensitivities.checking.replaying import INTERPRETER
from refdp.sensitivities.checking.verifying import SOLVERS, judged
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.declaring import declared
from refdp.sensitivities.judgement import Judgement
from refdp.sensitivities.language.bounded import bounded_outcome
from refdp.sensitivities.language.reading import NotAFold, read_program
from refdp.sensitivities.language.source import Source, read_source
from refdp.sensitivities.pair import Pair
from refdp.sensitivities.program import Program
from refdp.sensitivities.question import SIZE, Neighbours, Norm, Question, Tables
from refdp.sensitivities.refutation.furthest import largest_move
from refdp.sensitivities.refutation.models import Unrolled
from refdp.sensitivities.refutation.search import Finding, search
from refdp.sensitivities.request import Request
from refdp.sensitivities.search.proving import Found, prove
from refdp.sensitivities.search.spacer import EXCEEDED
from refdp.sensitivities.search.tightest import tightest_bound
from refdp.sensitivities.search.total_runs import single_invariants
from refdp.sensitivities.theorems import Case as QueryCase
from refdp.terms.expressions import read_number
from refdp.terms.leaves import ZERO, integer, rational
from refdp.terms.operations import divide, root
from refdp.terms.smtlib import written
from refdp.terms.term import Term

EARLY = 0.2
"""What part of the time the first look for a pair may take."""
MOST_EARLY = 3.0
"""Longest first look, in seconds."""
MOST_STEP = 10.0
"""Longest attempt to prove one bound, where the least is looked for, in seconds."""
MOST_ALONE = 2.0
"""Longest attempt to show that no single run raises, in seconds."""


def judge(asked: Request, seconds: float = 60.0) -> Judgement:
    """The judgement of a request within about `seconds`.

    Raises ValueError for bad input, and Unsupported for Python that is not read.
    """
    one = Case.of(asked, seconds)
    return one.claimed(claim_of(asked, one.given)) if asked.claim is not None else one.least()


def claim_of(asked: Request, given: Declaration) -> Term:
    """The claim as a term in symbols, fixed numbers and n."""
    numbers = {k: rational(v) for k, v in given.values.items() if isinstance(v, Fraction)}
    names = {"n": SIZE, **numbers, **{str(p.value): p for p in given.parameters}}
    return read_number(asked.claim or "", names, "claim")


def none_proved(tried: Sequence[Term], reason: str, may_raise: bool) -> str:
    """What is said where nothing was claimed, and none of the bounds that were tried is proved.

    Of a function that may raise no claim might help: neighbours on one of which it raises are infinitely far apart.
    """
    if not tried:
        return f"no bound is proved for every table: {reason}"
    why = "Spacer says that it is exceeded" if reason == EXCEEDED else reason
    return (
        "no bound was claimed, and none that was tried is proved for every table "
        f"(of the last, {tried[-1]}: {why}); "
        + ("what is missing may be a proof that it never raises" if may_raise else "claim one to have it judged")
    )


def program_of(source: Source, given: Declaration) -> tuple[Program | None, str]:
    """The function as passes over its rows, or why it is none."""
    try:
        return read_program(source, given), ""
    except NotAFold as reason:
        return None, str(reason)


@dataclass(frozen=True, slots=True)
class Case:
    """One request, read."""

    asked: Request
    source: Source
    given: Declaration
    program: Program | None
    why_none: str
    end: float

    @classmethod
    def of(cls, asked: Request, seconds: float) -> Case:
        """The request, its source and its declaration read."""
        source = read_source(asked.target)
        given = declared(asked, source)
        require_possible(given, asked.neighbours)
        return cls(asked, source, given, *program_of(source, given), work.spent() + seconds)

    @property
    def bounded(self) -> Unrolled | None:
        """What the function does on a few symbolic rows, where it is no program."""
        return partial(bounded_outcome, self.source, self.given) if self.program is None else None

    @property
    def may_raise(self) -> bool:
        """Whether the text has a place where it might raise."""
        return self.program is not None and self.program.exception is not ZERO

    def left(self) -> float:
        """Seconds that are left."""
        return max(0.0, self.end - work.spent())

    @property
    def neighbours(self) -> Neighbours:
        """The relation."""
        return cast(Neighbours, self.asked.neighbours)

    @property
    def norm(self) -> Norm:
        """The norm."""
        return cast(Norm, self.asked.norm)

    @property
    def tables(self) -> Tables:
        """The tables that a pair must be of, if nothing was said: a pair of lists refutes both."""
        return cast(Tables, self.asked.tables or "lists")

    def claimed(self, claim: Term) -> Judgement:
        """Whether the claim holds: first a quick look for a pair, then a proof, then a longer look."""
        quick = self.looked(claim, min(MOST_EARLY, self.left() * EARLY))
        if quick.pair is not None:
            return self.refuted(claim, quick.pair)
        proved, reason = self.proved(claim, self.left() * 0.7)
        if proved is not None:
            return proved
        longer = self.looked(claim, self.left())
        if longer.pair is not None:
            return self.refuted(claim, longer.pair)
        checked = max(quick.checked_rows, longer.checked_rows)
        rows = f"no violation for n <= {checked}" if checked >= 0 else "no violation was found"
        return self.unknown(f"{rows}; not proved for every table: {reason}", checked)

    def least(self) -> Judgement:
        """The least bound that is proved: what the furthest pair moves, if that is proved, else a few times that."""
        pair = None if self.given.symbolic else largest_move(
            self.source, self.given, self.neighbours, self.norm, self.asked.edits, self.tables, self.left() * EARLY,
            self.program, unroll=self.bounded,
        )  # fmt: skip
        if pair is not None and pair.distance is None:
            return self.refuted(None, pair)
        seen = Fraction(0) if pair is None or pair.distance is None else pair.distance
        least = root(rational(seen)) if self.norm == "L2" else rational(seen)
        found: dict[Term, Judgement] = {}
        reason = self.why_none
        tried: list[Term] = []
        if self.program is not None:
            question = Question(self.program, self.neighbours, self.norm, least, self.asked.edits, self.tables)

            def proves(claim: Term) -> bool:
                nonlocal reason
                tried.append(claim)
                judgement, reason = self.proved(claim, min(MOST_STEP, self.left()))
                if judgement is not None:
                    found[claim] = judgement
                return judgement is not None

            bracket = tightest_bound(question, None if self.given.symbolic else least, proves, self.left())
            if bracket.upper is not None and bracket.upper in found:
                return replace(found[bracket.upper], pair=pair, tight=bracket.is_tight)
        moved = "" if pair is None else f"it moves by {least} at least; "
        return self.unknown(moved + none_proved(tried, reason, self.may_raise), -1, pair)

    def looked(self, claim: Term, seconds: float) -> Finding:
        """What a look for a pair finds."""
        return search(
            self.source, self.given, self.neighbours, self.norm, claim, self.asked.edits, self.tables, seconds,
            self.program, unroll=self.bounded,
        )  # fmt: skip

    def refuted(self, claim: Term | None, pair: Pair) -> Judgement:
        """The judgement that a pair shows."""
        text = None if claim is None else self.refutation(claim, pair)
        return Judgement(
            "REFUTED",
            self.asked,
            self.source,
            self.given,
            self.tables,
            pair=pair,
            trusts=(INTERPRETER,),
            certificate=text,
        )

    def refutation(self, claim: Term, pair: Pair) -> str | None:
        """The certificate of a pair: about tables, if lists were not asked for and a rule of the kernel says it."""
        wanted = cast(Tables, self.asked.tables or "multisets")
        brought = pair_json(pair)
        of_query = writing.refuted_query(self.certified(claim, wanted), brought["first"], brought["second"])
        return of_query or writing.refutation(self.certified(claim, self.tables), brought)

    def proved(self, claim: Term, seconds: float) -> tuple[Judgement | None, str]:
        """The judgement that a proof gives, for multisets if the order of rows plays no part; or why there is none."""
        if self.program is None:
            return None, self.why_none
        wanted = cast(Tables, self.asked.tables or "multisets")
        question = Question(self.program, self.neighbours, self.norm, claim, self.asked.edits, wanted)
        found = prove(question, seconds)
        if isinstance(found, Found):
            return self.shown(self.program, claim, wanted, found), ""
        if found.lists is not None and self.asked.tables is None:
            return self.shown(self.program, claim, "lists", found.lists), ""
        one = "" if self.asked.edits == 1 else f", of one edit and a bound of {self.of_one_edit(claim)}"
        return None, f"{found.reason}{one}"

    def shown(self, program: Program, claim: Term, tables: Tables, found: Found) -> Judgement:
        """The judgement of a proof about the program."""
        certified = self.certified(claim, tables)
        evidence = evidence_json(found.invariants, found.order, found.fused)
        totals = (list(map(written, one)) for one in single_invariants(program))
        vouches = partial(self.vouched, self.of_one_edit(claim), frozenset(found.judged.trusts))
        text = writing.proof(certified, evidence, found.judged.trusts, totals, vouches)
        return Judgement(
            "PROVED", self.asked, self.source, self.given, tables, bound=claim, any_n=True,
            trusts=tuple(sorted(found.judged.trusts)), certificate=text, evidence=evidence,
        )  # fmt: skip

    def of_one_edit(self, claim: Term) -> Term:
        """The bound of one edit, of which proofs speak."""
        return claim if self.asked.edits == 1 else divide(claim, integer(self.asked.edits))

    def vouched(self, claim: Term, trusts: frozenset[str], case: QueryCase) -> frozenset[str] | None:
        """Who vouches for a proof of the claim and that no single run raises; nobody where solvers do not decide soon.

        Where the case says the bound in other words than the claim, everything is proved again.
        """
        conditions = list(case.of_single_runs() if case.question.claim == claim else case.conditions())
        if not conditions:
            return trusts
        found = judged(conditions, SOLVERS, min(MOST_ALONE, self.left()))
        return trusts.union(found.trusts) if found.verdict == "PROVED" else None

    def certified(self, claim: Term, tables: Tables) -> Claim:
        """What a certificate is about."""
        return Claim(
            self.source.text, self.source.name, self.given, self.neighbours, self.norm, claim, self.asked.edits, tables
        )

    def unknown(self, reason: str, checked_rows: int, pair: Pair | None = None) -> Judgement:
        """Neither a claim that is refuted nor a proof."""
        checked = checked_rows if checked_rows >= 0 else None
        return Judgement(
            "UNKNOWN", self.asked, self.source, self.given, self.tables, checked_rows=checked, pair=pair, reason=reason
        )
