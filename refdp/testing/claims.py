"""The statement that a function satisfies a claim of privacy on given pairs of neighbours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.auditing.evidence.pairs import Claim
from refdp.auditing.evidence.tallies import shown
from refdp.numerics.exact import Exactly, ExactReal, exact, exact_real
from refdp.testing.findings import ERROR, FAIL, PASS, Finding, Mutant
from refdp.testing.pair_results import finding, judged
from refdp.testing.pair_runs import VIEWS, Question, watch
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
        question = self.question(trial)
        known = watch(question, trial, trial.source)
        found = judged(question, known, self.detects, self.allow_nan)
        caught = tuple(self._mutant(question, trial, source) for source in mutants) if found.outcome == PASS else ()
        return finding(self.sentence, self.kind, trial, question, known, found, caught)

    def question(self, trial: Trial) -> Question:
        """What is asked of each source of outputs."""
        samples = trial.settings.samples or self.samples or trial.settings.amounts.pairs
        train = self.train or max(1, samples // TRAIN)
        return Question(self.claim, self.pairs, trial.alpha / len(self.pairs), samples, train, self.views)

    def _mutant(self, question: Question, trial: Trial, source: Source) -> Mutant:
        """What the test makes of a mutant."""
        known = watch(question, trial, source)
        found = judged(question, known, self.detects, self.allow_nan)
        return Mutant(source.role, found.outcome in (FAIL, ERROR), sum(one.pairs for one in known), found.reason)


def satisfies(
    *, epsilon: Exactly | ExactReal, delta: Exactly = 0, pair: Pair | None = None, pairs: Sequence[Pair] | None = None,
    mutants: Sequence[Function] = (), samples: int | None = None, train: int | None = None,
    views: Sequence[str] = tuple(VIEWS), detects: Exactly | None = None, allow_nan: bool = False,
) -> Callable[[F], F]:  # fmt: skip
    """State that test(x, n), n independent outputs on the input x, is (epsilon, delta)-private on the pairs, both ways.

    `pair` or `pairs`: neighbouring inputs.  `mutants`: wrong functions that the same test must refute.  `samples`:
    pairs of outputs for each pair of inputs; `train`: outputs on each side from which events are learned first, a
    quarter of that unless given.  `views`: by what outputs are told apart, "output" and, of floats, "low_bits".
    `detects`: an epsilon that must have been seen for PASS, else INCONCLUSIVE.  NaN is an error unless `allow_nan`.

    Raises StatementError, which pytest shows at collection, where the statement cannot be tested.
    """
    if (pair is None) == (pairs is None):
        raise StatementError("either pair or pairs must be given: two inputs, or a list of such")
    chosen = tuple(_pair(one) for one in ([pair] if pairs is None else pairs))
    if not chosen:
        raise StatementError("pairs must not be empty")
    if isinstance(views, str) or not views or set(views) - set(VIEWS):
        raise StatementError(f"views must be a list of {', '.join(VIEWS)}, got {views!r}")
    with refused():
        least = None if detects is None else exact(detects, "detects")
        claim = Claim(exact_real(epsilon, "epsilon"), exact(delta, "delta"))
        if least is not None and not exact_real(least) > claim.epsilon:
            raise ValueError(f"detects must be > epsilon, got {least} and {claim.epsilon}")
    statement = Satisfies(
        claim, chosen, whole("samples", samples), whole("train", train), tuple(views), least, allow_nan, named(mutants)
    )
    return lambda function: stated(function, statement)


def _pair(given: Any) -> Pair:
    """Two inputs; StatementError for anything else."""
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise StatementError(f"a pair must be two inputs, got {given!r}")
    return given[0], given[1]
