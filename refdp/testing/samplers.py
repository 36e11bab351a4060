"""The statement that a sampler has a law."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.auditing.evidence.sampler_tests import SamplerTest, Verdict
from refdp.auditing.judges.result import Counterexample, Evidence, Result
from refdp.numerics.exact import Exactly, exact
from refdp.testing import sampler_runs
from refdp.testing.findings import ERROR, FAIL, PASS, Finding, Mutant, decimal
from refdp.testing.law import Law
from refdp.testing.refusals import StatementError, refused
from refdp.testing.reporting import VERDICTS, ledger_line, wealth
from refdp.testing.sampler_runs import Drawn
from refdp.testing.stating import F, named, stated
from refdp.testing.trials import Function, Source, Trial


@dataclass(frozen=True, slots=True)
class SamplerMatches:
    """The values that a function returns are independent draws of the law."""

    law: Law
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

    def judge(self, trial: Trial, mutants: Sequence[Source] = ()) -> Finding:
        """The verdict on the function, then whether each mutant is refuted by the same test."""
        test = self.law.test(trial.alpha, self.resolution)
        drawn = self._drawn(test, trial, trial.source)
        verdict = test.judge(drawn.tally)
        found = tuple(self._mutant(test, trial, mutant) for mutant in mutants) if verdict.outcome.value == PASS else ()
        return self._finding(trial, verdict, drawn, found)

    def _drawn(self, test: SamplerTest, trial: Trial, source: Source) -> Drawn:
        """The draws of the function or of a mutant; a mutant need not be drawn from beyond its verdict."""
        on = trial.settings.nightly and not source.role
        return sampler_runs.draw(test, trial, source, self.budget(trial), on)

    def budget(self, trial: Trial) -> int:
        """The most draws of this run."""
        return trial.settings.samples or self.samples or trial.settings.amounts.draws

    def _mutant(self, test: SamplerTest, trial: Trial, source: Source) -> Mutant:
        """What the test makes of a mutant."""
        verdict = test.judge(self._drawn(test, trial, source).tally)
        return Mutant(source.role, sampler_runs.is_caught(verdict), verdict.draws, verdict.reason)

    def _finding(self, trial: Trial, verdict: Verdict, drawn: Drawn, mutants: tuple[Mutant, ...]) -> Finding:
        """The verdict as a finding."""
        outcome, power = verdict.outcome.value, sampler_runs.power(verdict)
        e = verdict.e_value.log10 if outcome != ERROR else None
        result = Result(
            VERDICTS[outcome], self.sentence, verdict.reason,
            witness=verdict.reason[:80] if outcome == FAIL else "",
            reason="" if outcome in (PASS, FAIL) else verdict.reason,
            error=verdict.error, power=power, samples=verdict.draws,
            scope=(f"{verdict.draws} draws of the test function",),
            not_tested=(*NOT_TESTED, LOW_BITS) if self.law.is_continuous else NOT_TESTED,
            evidence=Evidence(
                counterexample=_counterexample(self.sentence, verdict) if outcome == FAIL else None,
                wealth=wealth(drawn.path, trial.alpha),
                ledger=(ledger_line(trial.name, self.sentence, trial.alpha, verdict.draws, e),),
            ),
        )  # fmt: skip
        return Finding(
            outcome, verdict.reason, result, trial.alpha, verdict.draws, e, power, self.kind, mutants,
            {"law": str(self.law), "resolution": str(self.resolution), **sampler_runs.as_json(drawn.tally)},
        )  # fmt: skip


NOT_TESTED = ("whether draws are independent of each other", "laws that are wrong in another way than those named")
LOW_BITS = "the low bits of floats"


def _counterexample(claim: str, verdict: Verdict) -> Counterexample:
    """The cell that betrays the sampler, or the value that the law never gives."""
    if verdict.witness is None:
        return Counterexample((), (), claim, verdict.reason)
    w = verdict.witness
    return Counterexample(
        (), (), f"at most {decimal(w.expected)} of {verdict.draws} draws in {w.cell}", f"{w.count}",
        w.cell, (f"{w.count} of {verdict.draws}",),
    )  # fmt: skip


def sampler_matches(
    law: Law, *, mutants: Sequence[Function] = (), samples: int | None = None, resolution: Exactly = "1/20"
) -> Callable[[F], F]:
    """State that test(n) returns n independent draws of the law; PASS tells what would have been seen.

    `mutants`: wrong samplers that the same test must refute.  `samples`: most draws in a run.  `resolution`: PASS says
    that a scale (or the probability of an outcome) off by this part would have been seen with probability 0.999.

    Raises StatementError, which pytest shows at collection, where the statement cannot be tested.
    """
    if not isinstance(law, Law):
        raise StatementError(f"law must be one of refdp.testing.law, such as law.discrete_laplace, got {law!r}")
    with refused():
        part = exact(resolution, "resolution")
        if not 0 < part < 1:
            raise ValueError(f"resolution must be > 0 and < 1, got {part}")
    statement = SamplerMatches(law, whole("samples", samples), part, named(mutants))
    return lambda function: stated(function, statement)


def whole(parameter: str, value: Any) -> int | None:
    """A whole number >= 1, or None; StatementError otherwise."""
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
        raise StatementError(f"{parameter} must be a whole number >= 1, got {value!r}")
    found: int | None = value
    return found
