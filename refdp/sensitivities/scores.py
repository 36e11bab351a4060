"""Sensitivity of a score function `def score(rows, candidate): ...` for the exponential mechanism, and its direction.

The candidate is public: a symbol of the declaration (every number, or those that are assumed), or one of a list.  With
D the sensitivity, the exponential mechanism with weights exp(score / scale) is (R / scale)-DP, R the range: the
greatest difference of the moves of two candidates.  R <= 2 D always, and R <= D where no score falls, or none rises,
when a row is added.  Source: MT07 Thm 6; docs/sensitivity.md, scores.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

from refdp import work
from refdp.sensitivities.checking.possible import require_possible
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.declaring import declared
from refdp.sensitivities.judgement import Judgement
from refdp.sensitivities.judging import Case, claim_of, program_of
from refdp.sensitivities.language.concrete.answers import distance
from refdp.sensitivities.language.interpreter import answer_of
from refdp.sensitivities.language.source import Source, read_source
from refdp.sensitivities.pair import Pair
from refdp.sensitivities.question import SIZE
from refdp.sensitivities.records import Concrete
from refdp.sensitivities.request import Request
from refdp.sensitivities.scoring.derived import check_parameters, drift, gap
from refdp.sensitivities.scoring.least import least
from refdp.terms.leaves import integer, is_number, variable, variables
from refdp.terms.operations import conjunction, multiply, substitute
from refdp.terms.term import Term

Monotone = Literal["increasing", "decreasing", "constant", "no", "not decided"]
MOST_PAIRS = 100
"""Most pairs of listed candidates whose difference is asked about."""


@dataclass(frozen=True, slots=True)
class ScoreSensitivity:
    """How far one row moves a score, over all tables and candidates."""

    sensitivity: Judgement
    """Of the candidate that decides: the one with the greatest bound, or the first that is not proved."""
    monotone: Monotone = "not decided"
    """What every score does when a row is added; "no": there is a pair for each direction."""
    rising: Pair | None = None
    """A row is added and a score rises."""
    falling: Pair | None = None
    range_bound: Term | None = None
    """Proved: the moves of two candidates differ by at most this; epsilon is this / scale."""
    reason: str = ""
    """Why the direction or the range is not decided."""
    evidence: tuple[Judgement, ...] = ()
    """Judgements of the candidates, and of functions made of the score, on which this rests."""

    @property
    def needs_factor_2(self) -> bool:
        """Whether nothing less than twice the sensitivity is proved for the range."""
        bound = self.sensitivity.bound
        twice = None if bound is None else multiply(integer(2), bound)
        return self.range_bound is twice and self.range_bound is not bound


def score_sensitivity(
    asked: Request, candidate: str, listed: Sequence[Concrete] = (), seconds: float = 60
) -> ScoreSensitivity:
    """The sensitivity of a score, whether it is monotone, and its range.

    The parameter `candidate` is one of the listed values, or a symbol of the request where none are listed.  Raises
    ValueError for bad input, Unsupported for Python that is not read.
    """
    source = read_source(asked.target)
    check_parameters(source, candidate)
    given = declared(asked, source)
    if not listed and candidate not in given.symbolic:
        raise ValueError(f"the candidate {candidate} must be a symbol, or a list of candidates be given")
    if listed and (candidate in given.symbolic or candidate in given.values):
        raise ValueError(f"the candidate {candidate} must be declared once, got a list and a value or symbol")
    if asked.edits != 1:
        raise ValueError(f"edits must be 1 for scores, got {asked.edits}")
    require_possible(given, asked.neighbours)
    wanted = [replace(given, values={**given.values, candidate: one}) for one in listed] or [given]
    return Score(replace(asked, norm="Linf"), source, candidate, tuple(wanted), work.spent() + seconds).judged()


@dataclass(frozen=True, slots=True)
class Score:
    """One score function, and its declaration for each listed candidate, or for all at once."""

    asked: Request
    source: Source
    candidate: str
    declared: tuple[Declaration, ...]
    end: float

    def judged(self) -> ScoreSensitivity:
        """What is found."""
        first = Case(self.asked, self.source, self.declared[0], None, "", self.end)
        claim = claim_of(self.asked, first.given) if self.asked.claim is not None else None
        found = list(self.judgements(self.source, self.declared, claim, 0.4))
        for one in found:
            if one.verdict != "PROVED" or one.bound is None:
                return self.with_directions(ScoreSensitivity(one, evidence=tuple(found)))
        bound = greatest([one.bound for one in found if one.bound is not None])
        if bound is None or SIZE in variables(bound):
            reason = "the bound must be one number, or one term without n, for direction and range"
            return ScoreSensitivity(found[0], reason=reason, evidence=tuple(found))
        decisive = next(one for one in found if one.bound is bound)
        return self.ranged(self.directed(ScoreSensitivity(decisive, evidence=tuple(found)), bound), bound)

    def judgements(
        self,
        source: Source,
        declared: Sequence[Declaration],
        claim: Term | None,
        share: float,
        enough: Term | None = None,
    ) -> Iterator[Judgement]:
        """The judgement for each declaration, in a share of the time left; the first that is not proved is the last.

        Without a claim the furthest move that is found is claimed; there is no judgement where that is `enough`.
        """
        until = work.spent() + max(0.0, self.end - work.spent()) * share
        for index, given in enumerate(declared):
            left = max(0.0, until - work.spent()) / (len(declared) - index)
            case = Case(self.asked, source, given, *program_of(source, given), work.spent() + left)
            one = case.claimed(claim) if claim is not None else least(case, enough)
            if one is not None:
                yield one
            if one is None or one.verdict != "PROVED":
                return

    def directed(self, so_far: ScoreSensitivity, bound: Term) -> ScoreSensitivity:
        """The direction in which the scores move."""
        if self.asked.neighbours != "add_remove":
            return replace(so_far, reason="a direction is asked about under add_remove only")
        if is_number(bound) and bound.rational == 0:
            return replace(so_far, monotone="constant")
        reasons = []
        ways: tuple[tuple[Monotone, str, str], ...] = (("increasing", "-", "falling"), ("decreasing", "+", "rising"))
        for way, sign, against in ways:
            found = list(self.judgements(drift(self.source, bound, sign), self.declared, bound, 0.3))
            so_far = replace(so_far, evidence=(*so_far.evidence, *found))
            last = found[-1]
            if last.verdict == "PROVED":
                return replace(so_far, monotone=way)
            if last.pair is not None:
                pair = self.run(last.pair, self.declared[len(found) - 1])
                so_far = replace(so_far, falling=pair) if against == "falling" else replace(so_far, rising=pair)
            reasons.append(f"{way}: {last.reason}" if last.reason else "")
        both = so_far.rising is not None and so_far.falling is not None
        return replace(so_far, monotone="no" if both else "not decided", reason="; ".join(filter(None, reasons)))

    def ranged(self, so_far: ScoreSensitivity, bound: Term) -> ScoreSensitivity:
        """The range: the sensitivity itself for monotone scores, else what is proved of differences of scores."""
        if so_far.monotone in ("increasing", "decreasing", "constant"):
            return replace(so_far, range_bound=bound)
        twice = multiply(integer(2), bound)
        source, other = gap(self.source, self.candidate)
        declared = list(self.pairs_declared(other))
        if len(declared) > MOST_PAIRS:
            reason = f"candidates make {len(declared)} pairs, of which at most {MOST_PAIRS} are asked about"
            return replace(so_far, range_bound=twice, reason=reason)
        found = list(self.judgements(source, declared, None, 0.8, enough=twice))
        so_far = replace(so_far, evidence=(*so_far.evidence, *found))
        if len(found) == len(declared) and all(one.verdict == "PROVED" and one.bound is not None for one in found):
            most = greatest([one.bound for one in found if one.bound is not None] or [integer(0)])
            if most is not None:
                return replace(so_far, range_bound=smaller_number(most, twice))
        open_one = [one for one in found if one.verdict != "PROVED"]
        reasons = [so_far.reason, *(f"range: {one.reason}" for one in open_one if one.reason)]
        return replace(so_far, range_bound=twice, reason="; ".join(filter(None, reasons)))

    def pairs_declared(self, other: str) -> Iterator[Declaration]:
        """Declarations for two candidates."""
        for given in self.declared[:1]:
            if self.candidate in given.symbolic:
                yield two_symbols(given, self.candidate, other)
        for one, two in combinations(self.declared, 2):
            yield replace(one, values={**one.values, other: two.values[self.candidate]})

    def with_directions(self, so_far: ScoreSensitivity) -> ScoreSensitivity:
        """Nothing more is asked where the sensitivity is not proved."""
        return replace(so_far, reason="direction and range are asked about where the sensitivity is proved")

    def run(self, pair: Pair, given: Declaration) -> Pair:
        """The tables of a pair with the scores themselves, the table with one row less first."""
        first, second = sorted((pair.first, pair.second), key=len)
        parameters = {**given.values, **pair.parameters}
        one, two = (answer_of(self.source, rows, parameters, record=given.record) for rows in (first, second))
        return Pair(first, second, pair.parameters, (one.outcome, two.outcome), distance(one, two, "Linf"))


def two_symbols(given: Declaration, candidate: str, other: str) -> Declaration:
    """The declaration with a second candidate, of which the same is assumed."""
    sort = given.symbolic[candidate]
    again = substitute(given.assumption, {variable(candidate, sort): variable(other, sort)})
    return replace(given, symbolic={**given.symbolic, other: sort}, assumption=conjunction(given.assumption, again))


def smaller_number(one: Term, other: Term) -> Term:
    """The smaller of two constants; the second where it is none."""
    return one if is_number(one) and is_number(other) and one.rational < other.rational else other


def greatest(bounds: Sequence[Term]) -> Term | None:
    """The greatest of constants; the one term that all are; None else."""
    if all(one is bounds[0] for one in bounds):
        return bounds[0]
    if all(map(is_number, bounds)):
        return max(bounds, key=lambda bound: bound.rational)
    return None
