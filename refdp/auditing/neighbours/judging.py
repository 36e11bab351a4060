"""Judging a map of foreign code: a confirmed neighbouring pair that refutes it, or what was searched in vain."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from refdp import work
from refdp.auditing.neighbours.families import FAMILIES, Grid, Problem, grids, problem
from refdp.auditing.neighbours.running import EVERY, Question, Runner, Scored
from refdp.auditing.neighbours.searching import furthest
from refdp.auditing.neighbours.settings import Settings
from refdp.auditing.neighbours.shrinking import shrunk
from refdp.auditing.neighbours.spaces import Space, Table
from refdp.auditing.neighbours.witnesses import Witness, claimed, confirmed
from refdp.auditing.targets import Adapted, Claim, Outcome, Session, TargetError
from refdp.auditing.targets.outcomes import RAISED, VALUE
from refdp.spec.distances import MEASURES
from refdp.verdicts import NOT_REFUTED, REFUTED, UNKNOWN, Verdict


@dataclass(frozen=True, slots=True)
class Judgement(Verdict):
    """A verdict with its witness, or with what was searched."""

    claim: str
    witness: Witness | None = None
    searched: Mapping[str, int] = field(default_factory=dict)
    """Family -> neighbouring pairs whose outputs were compared."""
    scope: str = ""
    """What the search covered, and what it did not."""
    is_whole: bool = False
    """Whether every neighbouring pair of the space was tried."""
    nearest: str = ""
    """The greatest distance seen, where the claim was not refuted."""
    stopped: Mapping[str, str] = field(default_factory=dict)
    """How the target was stopped -> the first input at which it was."""
    calls: int = 0
    seconds: float = 0.0
    about: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        told = self.witness and f"{self.witness.distance} > {self.witness.bound}" or self.reason or self.scope
        return f"{self.verdict}: {self.claim}: {told}"


def judge(target: Adapted, space: Space, claim: Claim, settings: Settings | None = None) -> Judgement:
    """REFUTED with a pair confirmed in two fresh processes, NOT_REFUTED with what was searched, or UNKNOWN."""
    began, chosen = time.monotonic(), settings or Settings()
    if claim.output in MEASURES:
        raise ValueError(f"a map of outputs needs a metric, got the measure {claim.output}")
    try:
        with work.patient(chosen.seconds), Session(target) as session:
            found = _judged(session, target, space, claim, chosen)
    except TargetError as error:
        found = {"verdict": UNKNOWN, "reason": str(error)}
    return Judgement(**{"claim": str(claim), **found}, seconds=time.monotonic() - began)


def _judged(session: Session, target: Adapted, space: Space, claim: Claim, settings: Settings) -> dict[str, Any]:
    """The fields of the judgement."""
    bound = claimed(session, claim.d_in) if claim.d_out is None else claim.d_out[0]
    about = {"about": session.about}
    if isinstance(bound, str):
        return {"verdict": UNKNOWN, "reason": bound, **about}
    operation = "handed" if claim.output == "diffprivlib:handed" else "call"
    question = Question(problem(space, claim.input_metric, claim.d_in), operation, claim.output, bound)
    runner = Runner(session, question, settings)
    best = furthest(runner)
    if best is not None and runner.exceeds(best):
        verdict = _confirmed(_witness(target, space, claim, question, shrunk(runner, best), session.about))
    else:
        verdict = _not_refuted(runner, best)
    counts = {"searched": dict(runner.pairs), "stopped": dict(runner.stopped), "calls": runner.calls}
    return {**verdict, **counts, **about, "claim": f"{claim} = {bound}" if claim.d_out is None else str(claim)}


def _confirmed(found: Witness) -> dict[str, Any]:
    """The verdict on a witness, after it was run again in fresh processes."""
    why = confirmed(found)
    return {"verdict": UNKNOWN, "reason": why} if why else {"verdict": REFUTED, "witness": found}


def _not_refuted(runner: Runner, best: Scored | None) -> dict[str, Any]:
    """The verdict where nothing was found; UNKNOWN where nothing could be compared."""
    if why := uncompared(runner):
        return {"verdict": UNKNOWN, "reason": why}
    if not sees(runner, best):
        return {"verdict": UNKNOWN, "reason": UNSEEING}
    nearest = str(best.distance) if best else "0"
    return {"verdict": NOT_REFUTED, "scope": scope(runner), "nearest": nearest, "is_whole": runner.is_whole}


PLANTED = "a planted output"
LATE = f"the time was over: the clock stops a search that takes {work.PATIENCE} times as long as it should"
UNSEEING = "no violation would have been seen: a pair whose outputs are further apart was planted, and not refuted"


def sees(runner: Runner, best: Scored | None) -> bool:
    """Whether the pair that came nearest is refuted once an outcome just too far away is planted for one input of it.

    Any pair does where no outputs differ.  The outcome is looked up, compared and judged as the target's are.
    """
    best = best or runner.example
    return best is not None and any(sees_one(runner, best, planted) for planted in too_far(runner, best.outcomes[0]))


def sees_one(runner: Runner, best: Scored, planted: Outcome) -> bool:
    """Whether the pair is refuted with this outcome in place of its second one."""
    texts, known, pairs = [repr(rows) for rows in best.pair], dict(runner.known), Counter(runner.pairs)
    runner.known |= dict(zip(texts, (best.outcomes[0], planted), strict=True))
    try:
        return any(map(runner.exceeds, runner.scored([best.pair], PLANTED)))
    finally:
        runner.known, runner.pairs = known, pairs


def too_far(runner: Runner, first: Outcome) -> list[Outcome]:
    """Outcomes that are further than the bound from the first one: a number by hardly more, another type, an exception.

    Some metrics know no further output of some kinds: the discrete one has none at all for a bound of 1.
    """
    value, bound, found = first.value, runner.question.bound, [Outcome(VALUE, PLANTED)]
    if isinstance(value, (int, float, Fraction)) and not isinstance(value, bool) and value - value == 0:
        found.insert(0, Outcome(VALUE, Fraction(value) + bound + (bound or 1) / Fraction(2**20)))
    return [*found, Outcome(RAISED, "Planted")]


def uncompared(runner: Runner) -> str:
    """Why nothing was compared that would tell something; an empty text where something was."""
    told = [outcome for outcome in runner.known.values() if outcome.tells]
    if not runner.pairs.total() or not told:
        return "no two neighbouring inputs had outputs to compare"
    if not any(outcome.kind == VALUE for outcome in told):
        return f"the target gave no value for any input; {told[0]}"
    return "every output holds NaN" if all(outcome.kind == RAISED or is_nan(outcome.value) for outcome in told) else ""


def is_nan(value: Any) -> bool:
    """Whether a value is NaN, or holds one."""
    if isinstance(value, dict):
        return any(map(is_nan, value.values()))
    return any(map(is_nan, value)) if isinstance(value, (list, tuple)) else isinstance(value, float) and value != value


def _witness(
    target: Adapted, space: Space, claim: Claim, question: Question, found: Scored, about: Mapping[str, Any]
) -> Witness:
    return Witness(
        target, question.operation, shape(space), claim.input_metric, claim.d_in, claim.output, question.bound,
        claim.d_out is None, found.pair, found.outcomes, about,
    )  # fmt: skip


def shape(space: Space) -> str:
    """How the rows of the space become an input."""
    if isinstance(space, Table):
        return "columns" if space.columns else "rows"
    return "number" if space.dimension is None else "rows"


def scope(runner: Runner) -> str:
    """What was searched, in words."""
    p = runner.question.problem
    if runner.is_whole:
        count = "the only pair" if runner.pairs[EVERY] == 1 else f"all {runner.pairs[EVERY]} pairs"
        return f"{count} within {p.d_in} under {p.metric}: every pair of the space was tried"
    counted = ", ".join(f"{name} {count}" for name, count in runner.pairs.items() if count)
    small = " and ".join(_grid(p, grid) for grid in grids(p)) or "no small tables"
    every = f"all pairs of {small}" if "exhaustive" in runner.finished else "some pairs of small tables"
    left = [name for name in FAMILIES if name not in runner.finished]
    rest = f"; not finished: {', '.join(left)}" if left else ""
    rest += f"; {LATE}" if runner.is_late else ""
    return f"{runner.pairs.total()} pairs within {p.d_in} under {p.metric}: {every}; {counted}{rest}"


def _grid(p: Problem, grid: Grid) -> str:
    """A grid in words."""
    values = "all values" if p.space.row.complete and grid.values == len(p.rows) else f"{grid.values} values"
    return f"{grid.sizes[0]} to {grid.sizes[-1]} rows of {values}"
