"""Sensitivity of a score function `def score(rows, candidate): ...` for the exponential mechanism, and its direction.

The candidate is public: every real number, every number between bounds, or one of a list.  With D the sensitivity, the
exponential mechanism with weights exp(score / scale) is (R / scale)-DP, R the range: the greatest difference of the
moves of two candidates.  R <= 2 D always, and R <= D where no score falls, or none rises, when a row is added.
Source: MT07 Thm 6; docs/sensitivity.md, scores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from time import monotonic
from typing import Literal

from refdp.numerics.exact import Exactly, exact
from refdp.sensitivity.declaration import Declaration
from refdp.sensitivity.language.source import Source
from refdp.sensitivity.nearby.small import some_records
from refdp.sensitivity.pair import Pair
from refdp.sensitivity.program import Program
from refdp.sensitivity.question import Neighbours, Question, Tables
from refdp.sensitivity.records import Concrete
from refdp.sensitivity.scoring.goals import OTHER, difference, renamed, shifted
from refdp.sensitivity.scoring.trials import MOST_RECORDS, Seen, Trials, likely_candidates
from refdp.sensitivity.terms import Term, at_most, conjunction, integer, negate, rational, variable

Monotone = Literal["increasing", "decreasing", "constant", "no", "not decided"]
MOST_PAIRS = 200
"""Most pairs of listed candidates whose difference is asked about."""
Prover = Callable[[Question, float], "Proof"]
ReadProgram = Callable[[Source, Declaration], Program]


@dataclass(frozen=True, slots=True)
class Proof:
    """Whether the checker accepted a proof: if there is no reason why not; and whom one has to believe."""

    reason: str = ""
    trusts: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Candidates:
    """What the candidate may be: every number between bounds that there are, or one of the listed values."""

    name: str
    lower: Fraction | None = None
    upper: Fraction | None = None
    listed: tuple[Concrete, ...] = ()

    @property
    def symbol(self) -> Term:
        """The candidate as a variable."""
        return variable(self.name, "Real")

    def declared(self, declaration: Declaration) -> list[Declaration]:
        """The declaration with the candidate, for each listed value or for all numbers at once."""
        if self.listed:
            return [replace(declaration, values={**declaration.values, self.name: x}) for x in self.listed]
        low = [at_most(rational(self.lower), self.symbol)] if self.lower is not None else []
        high = [at_most(self.symbol, rational(self.upper))] if self.upper is not None else []
        symbols = {**declaration.symbolic, self.name: "Real"}
        return [replace(declaration, symbolic=symbols, assumption=conjunction(declaration.assumption, *low, *high))]

    def some(self, records: Sequence[Concrete]) -> list[Concrete]:
        """Candidates to run the function with."""
        if self.listed:
            return list(self.listed)
        ends = [x for x in (self.lower, self.upper) if x is not None]
        return [
            x for x in dict.fromkeys([*ends, *likely_candidates(records)])
            if (self.lower is None or self.lower <= x) and (self.upper is None or x <= self.upper)
        ]  # fmt: skip


@dataclass(frozen=True, slots=True)
class ScoreSensitivity:
    """How far one row moves a score, over all tables and candidates."""

    verdict: Literal["PROVED", "REFUTED", "UNKNOWN"]
    bound: Fraction | None
    """What was claimed, else the least bound that was found."""
    pair: Pair | None
    """Two tables and a candidate whose score moves furthest of those tried; beyond the bound where REFUTED."""
    monotone: Monotone
    """What every score does when a row is added; "no": both pairs are there.  "not decided" under change_one."""
    rising: Pair | None
    falling: Pair | None
    range_bound: Fraction | None
    """Proved: the moves of two candidates differ by at most this, which is epsilon times the scale."""
    range_seen: Fraction
    """How far the moves of two candidates were seen to differ."""
    tables: Tables
    trusts: tuple[str, ...] = ()
    reason: str = ""
    """Why nothing is decided about the bound."""
    open: tuple[str, ...] = field(default=())
    """Why the direction or the range is not decided."""

    @property
    def needs_factor_2(self) -> bool:
        """Whether epsilon has to be taken as 2 bound / scale, as nothing less is proved."""
        return self.bound is not None and (self.range_bound is None or self.range_bound >= 2 * self.bound)


def score_sensitivity(
    source: Source,
    declaration: Declaration,
    candidates: Candidates,
    neighbours: Neighbours,
    claim: Exactly | None = None,
    tables: Tables = "multisets",
    seconds: float = 60,
) -> ScoreSensitivity:
    """The sensitivity of the score, whether it is monotone, and its range; `claim` is found where none is given.

    Raises ValueError for what is no score function, Unsupported for Python that is not read.
    """
    from refdp.sensitivity.language.reading import read_program

    wanted = None if claim is None else exact(claim, "claim")
    score = Score(source, declaration, candidates, neighbours, tables, monotonic() + seconds, read_program, proof_of)
    return score.judged(wanted)


def proof_of(question: Question, seconds: float) -> Proof:
    """A proof of the question by the searches for invariants, accepted by the checker."""
    from refdp.sensitivity.search.proving import Missed, prove

    found = prove(question, seconds)
    if isinstance(found, Missed):
        return Proof(found.reason or "no invariants were found")
    return Proof(trusts=found.judged.trusts)


@dataclass(frozen=True, slots=True)
class Score:
    """One score function and how it is judged."""

    source: Source
    declaration: Declaration
    candidates: Candidates
    neighbours: Neighbours
    tables: Tables
    deadline: float
    read: ReadProgram
    prove: Prover
    trusts: set[str] = field(default_factory=set)

    def judged(self, claim: Fraction | None) -> ScoreSensitivity:
        """What is found about all candidates."""
        records = some_records(self.declaration.record, MOST_RECORDS)
        chosen = [{self.candidates.name: x} for x in self.candidates.some(records)]
        trials = Trials(self.source, self.declaration, chosen, self.neighbours, self.until(0.25), claim)
        try:
            seen = trials.seen()
        except ArithmeticError as unclear:
            seen = Seen()
            reason = str(unclear)
        else:
            reason = ""
        far = seen.furthest.distance if seen.furthest is not None else Fraction(0)
        bound = claim if claim is not None else far
        if bound is None or far is None or far > bound:
            return self.refuted(claim, seen)
        programs = [self.read(self.source, one) for one in self.candidates.declared(self.declaration)]
        reason = reason or self.proofs(programs, _constant(bound))
        if reason:
            return self.result("UNKNOWN", bound, seen, reason=reason)
        monotone, why = self.direction(programs, bound, seen)
        width, other = self.range(programs, bound, monotone, seen)
        return self.result("PROVED", bound, seen, monotone, width, (*why, *other))

    def refuted(self, claim: Fraction | None, seen: Seen) -> ScoreSensitivity:
        """A pair exceeds the claim, or the function raises on one of two neighbours only."""
        if claim is None:
            return self.result("UNKNOWN", None, seen, reason="the function raises on one of two neighbours only")
        return self.result("REFUTED", claim, seen)

    def result(
        self,
        verdict: Literal["PROVED", "REFUTED", "UNKNOWN"],
        bound: Fraction | None,
        seen: Seen,
        monotone: Monotone = "not decided",
        width: Fraction | None = None,
        why: tuple[str, ...] = (),
        reason: str = "",
    ) -> ScoreSensitivity:
        """What was found, in one place."""
        if self.neighbours == "add_remove" and seen.rising is not None and seen.falling is not None:
            monotone = "no"
        furthest = seen.beyond or seen.furthest
        return ScoreSensitivity(verdict, bound, furthest, monotone, seen.rising, seen.falling, width, seen.spread,
                                self.tables, tuple(sorted(self.trusts)), reason, why)  # fmt: skip

    def proofs(self, programs: Sequence[Program], claim: Term) -> str:
        """Why some program is not proved to move by at most the claim; empty where all are."""
        for number, program in enumerate(programs):
            question = Question(program, self.neighbours, "Linf", claim, tables=self.tables)
            left = (self.deadline - monotonic()) / (len(programs) - number)
            found = self.prove(question, left / 2) if left > 0 else Proof("the time is over")
            if found.reason:
                return found.reason
            self.trusts.update(found.trusts)
        return ""

    def direction(self, programs: Sequence[Program], bound: Fraction, seen: Seen) -> tuple[Monotone, tuple[str, ...]]:
        """Whether scores move in one direction when a row is added."""
        if self.neighbours == "change_one":
            return "not decided", ("a direction is asked about under add_remove only",)
        if bound == 0:
            return "constant", ()
        size = _constant(bound)
        found, why = list[Monotone](), list[str]()
        ways: tuple[tuple[Monotone, Pair | None, Term], ...] = (
            ("increasing", seen.falling, size),
            ("decreasing", seen.rising, negate(size)),
        )
        for way, against, step in ways:
            if against is None and not found:
                reason = self.proofs([shifted(p, step) for p in programs], size)
                found += [] if reason else [way]
                why += [f"{way}: {reason}"] if reason else []
        if seen.rising is not None and seen.falling is not None:
            return "no", ()
        return (found[0], ()) if found else ("not decided", tuple(why))

    def range(
        self, programs: Sequence[Program], bound: Fraction, monotone: Monotone, seen: Seen
    ) -> tuple[Fraction, tuple[str, ...]]:
        """A proved bound of the range, and why none less is proved."""
        if monotone in ("increasing", "decreasing", "constant"):
            return bound, ()
        for claim in sorted({max(seen.spread, Fraction(0)), bound}):
            if seen.spread <= claim < 2 * bound:
                reason = self.proofs(list(self.differences(programs)), _constant(claim))
                if not reason:
                    return claim, ()
        spread = f"moves of two candidates that differ by {seen.spread} were found"
        return 2 * bound, (spread,)

    def differences(self, programs: Sequence[Program]) -> Iterator[Program]:
        """The differences of the scores of any two candidates."""
        if self.candidates.listed:
            pairs = [(a, b) for i, a in enumerate(programs) for b in programs[i + 1 :]]
            if len(pairs) > MOST_PAIRS:
                raise ValueError(f"candidates must be few enough for {MOST_PAIRS} pairs, got {len(pairs)} pairs")
            yield from (difference(a, renamed(b, {})) for a, b in pairs)
            return
        symbol = self.candidates.symbol
        second = variable(f"{OTHER}{symbol.value}", symbol.sort)
        yield from (difference(p, renamed(p, {symbol: second})) for p in programs)

    def until(self, share: float) -> float:
        """When that share of the time is over."""
        now = monotonic()
        return now + max(0.0, self.deadline - now) * share


def _constant(value: Fraction) -> Term:
    """The number as a term, whole where it is: whole numbers and reals side by side are hard for solvers."""
    return integer(int(value)) if value.denominator == 1 else rational(value)
