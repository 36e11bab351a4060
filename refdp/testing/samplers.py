"""The statement that a sampler has a law, judged as `refdp audit` judges the kind `law`."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from refdp.auditing.evidence.law_tests import finite_test
from refdp.auditing.evidence.sampler_tests import Outcome, SamplerVerdict
from refdp.auditing.judges.law.judge import LawJudge
from refdp.auditing.judges.law.reading import Case, JudgedLaw, Question, law_of
from refdp.auditing.judges.result import UNSEEING
from refdp.auditing.judges.task import Record, Task
from refdp.auditing.targets.workers import wire
from refdp.laws import Reference
from refdp.numerics.exact import Exactly, exact, integer_of
from refdp.testing.findings import ERROR, INCONCLUSIVE, PASS, Finding, Mutant
from refdp.testing.forms import Unwritten, form
from refdp.testing.refusals import StatementError, refused
from refdp.testing.runs import BATCH, goal, opened, work
from refdp.testing.stating import F, named, stated
from refdp.testing.trials import Function, Source, Trial
from refdp.verdicts import UNKNOWN


def campaign_fields(law: Reference) -> dict[str, Any] | None:
    """The law as a campaign file has it, None for one that no file can hold."""
    if law.line is not None:
        found = {"name": law.line.stem, "scale": str(law.line.spread), "location": str(law.location)}
        return found | ({"granularity": str(law.granularity)} if law.line.lattice else {})
    try:
        outcomes = [form(y) for y in law.outcomes]
    except Unwritten:
        return None
    if not all(isinstance(p, Fraction) for _, p in law.masses):
        return None
    return {"name": "finite", "outcomes": outcomes, "masses": [str(p) for _, p in law.masses]}


@lru_cache(maxsize=64)
def judged(law: Reference, alpha: Fraction, resolution: Fraction) -> JudgedLaw:
    """The law as `refdp audit` judges it; PASS speaks of a spread that is off by `resolution`.

    Its cells take a while to be bounded, and are the same for every test of the law in a run.
    """
    table = campaign_fields(law)
    if table is not None:
        return law_of(table, alpha, resolution)
    return JudgedLaw(finite_test(dict(law.masses), alpha, law.name, resolution), law)


@dataclass(frozen=True, slots=True)
class SamplerMatches:
    """The values that a function returns are independent draws of the law."""

    law: Reference
    samples: int | None
    resolution: Fraction
    mutants: tuple[tuple[str, Function], ...]
    own = ("n",)
    statistical = True
    kind = "law"

    @property
    def sentence(self) -> str:
        """What is claimed."""
        return f"draws have the law {self.law}"

    @property
    def identity(self) -> str:
        """The law with all its outcomes, and the resolution."""
        masses = [[wire.encoded(y), str(p)] for y, p in self.law.masses]
        return json.dumps([self.sentence, masses, str(self.resolution)])

    def judge(self, trial: Trial, mutants: Sequence[Source]) -> Finding:
        """The verdict on the function, then whether each mutant is refuted by the same test."""
        judge = self.judge_of(trial, trial.source)
        opening, chunks = work(judge, trial, trial.source)
        result, verdict = judge.result(opening, chunks), last(judge, chunks)
        unseeing = result.verdict == UNKNOWN and result.reason.startswith(UNSEEING)
        outcome = INCONCLUSIVE if unseeing else ERROR if result.verdict == UNKNOWN else verdict.outcome.value
        told = result.sentence if unseeing else result.reason or result.sentence
        caught = tuple(self._mutant(trial, source) for source in mutants) if outcome == PASS else ()
        return Finding(
            outcome, told, result, trial.alpha, verdict.draws, verdict.e_value.log10,
            power(verdict), self.kind, caught, judge.task.fields, {"opening": opening, "chunks": list(chunks)},
        )  # fmt: skip

    def judge_of(self, trial: Trial, source: Source) -> LawJudge:
        """The judge of a source; a mutant need not be drawn from beyond the verdict."""
        on = trial.settings.nightly and not source.role
        samples = goal(trial, source, trial.settings.amounts(self.samples).draws)
        law = judged(self.law, trial.alpha, self.resolution)
        enough = samples if on else min(samples, law.test.draws_needed or samples)
        case = Case("1", law, 0, None, enough)
        fields = {
            "law": campaign_fields(self.law), "samples": samples, "resolution": str(self.resolution), "batch": BATCH,
            "stop": "samples" if on else "power",
        }  # fmt: skip
        asked = Question((case,), BATCH, 0, samples, self.resolution)
        read = exactly_whole if self.law.line is None else lambda value: value
        return LawJudge(Task(trial.name, self.kind, None, fields), trial.alpha, asked, opened(trial, source, read))

    def _mutant(self, trial: Trial, source: Source) -> Mutant:
        """What the test makes of a mutant."""
        judge = self.judge_of(trial, source)
        verdict = last(judge, work(judge, trial, source)[1])
        return Mutant(source.role, verdict.outcome in CAUGHT, verdict.draws, verdict.reason)


CAUGHT = (Outcome.FAIL, Outcome.ERROR)


def last(judge: LawJudge, chunks: Sequence[Record]) -> SamplerVerdict:
    """The verdict at the first look that ends the drawing, else at the last one."""
    return judge.histories(chunks)[0].verdict()


def exactly_whole(value: Any) -> Any:
    """A whole Fraction, as refdp draws them, as other libraries give it."""
    return int(value) if type(value) is Fraction and value.denominator == 1 else value


def power(verdict: SamplerVerdict) -> str:
    """What the verdict would have seen, with what probability, rounded down."""
    return "; ".join(f"{name}: {int(p * 10_000) / 10_000:.4f}" for name, p in verdict.power)


def sampler_matches(
    law: Reference, *, mutants: Sequence[Function] = (), samples: int | None = None, resolution: Exactly = "1/20"
) -> Callable[[F], F]:
    """State that test(n) returns n independent draws of the law; PASS tells what would have been seen.

    `mutants`: wrong samplers that the same test must refute.  `samples`: most draws in a run, 5 times as many at
    night.  `resolution`: PASS says that a scale (or the probability of an outcome) off by this part would have been
    seen with probability 0.999.

    Raises StatementError, which pytest shows at collection, where the statement cannot be tested.
    """
    if not isinstance(law, Reference):
        raise StatementError(f"law must be one of refdp.testing.law, such as law.discrete_laplace, got {law!r}")
    with refused():
        part = exact(resolution, "resolution")
        if not 0 < part < 1:
            raise ValueError(f"resolution must be > 0 and < 1, got {part}")
    statement = SamplerMatches(law, whole("samples", samples), part, named(mutants))
    return lambda function: stated(function, statement)


def whole(parameter: str, value: Any, least: int = 1) -> int | None:
    """A whole number that is not less than `least`, or None; StatementError otherwise."""
    found = integer_of(value)
    if value is not None and (found is None or found < least):
        raise StatementError(f"{parameter} must be a whole number >= {least}, got {value!r}")
    return found
