"""The statement that a function satisfies a claim of privacy on given pairs of neighbours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.auditing.evidence.pairs import Claim
from refdp.auditing.evidence.tallies import shown
from refdp.numerics.exact import Exactly, ExactReal, exact, exact_real
from refdp.testing.findings import FAIL, PASS, Finding, Mutant
from refdp.testing.pair_results import finding
from refdp.testing.pair_runs import VIEWS, Met, draw, verdict_of
from refdp.testing.refusals import StatementError, refused
from refdp.testing.samplers import whole
from refdp.testing.stating import F, named, stated
from refdp.testing.trials import Function, Source, Trial

Pair = tuple[Any, Any]
TRAIN = 4
"""One part in so many of the pairs is set aside for learning, unless the statement says otherwise."""


@dataclass(frozen=True, slots=True)
class Satisfies:
    """On each pair of inputs, the laws of what the function returns are within the claim of each other, both ways."""

    claim: Claim
    pairs: tuple[Pair, ...]
    samples: int | None
    train: int | None
    views: tuple[str, ...]
    detects: Fraction | None
    allow_nan: bool
    mutants: tuple[tuple[str, Function], ...]
    own = ("x", "n")
    statistical = True
    kind = "privacy"

    @property
    def sentence(self) -> str:
        """What is claimed."""
        told = " and ".join(f"{shown(x)}, {shown(y)}" for x, y in self.pairs[:3])
        more = f" and {len(self.pairs) - 3} more pairs" if len(self.pairs) > 3 else ""
        return f"{self.claim} between outputs on {told}{more}"

    def judge(self, trial: Trial, mutants: Sequence[Source]) -> Finding:
        """The verdict on the function, then whether each mutant is refuted by the same test."""
        met = draw(self.question(trial), trial, trial.source)
        found = finding(self, trial, met)
        if found.outcome != PASS:
            return found
        return finding(self, trial, met, tuple(self._mutant(trial, source) for source in mutants))

    def question(self, trial: Trial) -> Question:
        """What is asked of each source of outputs."""
        samples = trial.settings.samples or self.samples or trial.settings.amounts.pairs
        train = self.train or max(1, samples // TRAIN)
        return Question(self.claim, self.pairs, trial.alpha / len(self.pairs), samples, train, self.views)

    def _mutant(self, trial: Trial, source: Source) -> Mutant:
        """What the test makes of a mutant."""
        met = draw(self.question(trial), trial, source)
        verdict = verdict_of(met)
        return Mutant(source.role, verdict.refuted, met.pairs, verdict.reason)
