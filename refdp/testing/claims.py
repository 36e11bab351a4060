"""The statement that a function satisfies a claim of privacy, judged as `refdp audit` judges the kind `privacy`."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.auditing.evidence.pairs import Claim
from refdp.auditing.evidence.tallies import shown
from refdp.auditing.judges.drawing import LOOK
from refdp.auditing.judges.privacy.claims import DELTAS, Claimed
from refdp.auditing.judges.privacy.judge import PrivacyJudge
from refdp.auditing.judges.privacy.reading import TRAIN, Question
from refdp.auditing.judges.privacy.views import VIEWS
from refdp.auditing.judges.task import Task
from refdp.auditing.targets.workers import wire
from refdp.numerics.exact import Exactly, ExactReal, exact, exact_real
from refdp.testing.findings import PASS, Finding, Mutant
from refdp.testing.forms import Unwritten, form
from refdp.testing.pair_findings import found_by, seen_by
from refdp.testing.refusals import StatementError, refused
from refdp.testing.runs import BATCH, goal, opened, progress_of, work
from refdp.testing.samplers import whole
from refdp.testing.stating import F, named, stated
from refdp.testing.trials import Function, Source, Trial

Pair = tuple[Any, Any]


@dataclass(frozen=True, slots=True)
class Satisfies:
    """On each pair of inputs, the laws of what the function returns are within the claim of each other, both ways."""

    claim: Claim
    pairs: tuple[Pair, ...]
    samples: int | None
    train: int
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

    @property
    def identity(self) -> str:
        """The claim, all pairs in full, and how events are learned."""
        pairs = [[wire.encoded(x), wire.encoded(y)] for x, y in self.pairs]
        return json.dumps([self.sentence, pairs, self.train, list(self.views)])

    def judge(self, trial: Trial, mutants: Sequence[Source]) -> Finding:
        """The verdict on the function, then whether each mutant is refuted by the same test."""
        found = self._found(trial, trial.source)
        if found.outcome != PASS:
            return found
        return found.with_mutants(tuple(self._mutant(trial, source) for source in mutants))

    def _found(self, trial: Trial, source: Source) -> Finding:
        """What is found of a source."""
        judge = self.judge_of(trial, source)
        record = work(judge, trial, source)
        invalid = 0 if self.allow_nan else progress_of(trial, source).invalid
        return found_by(judge, record, trial, self.detects, invalid)

    def _mutant(self, trial: Trial, source: Source) -> Mutant:
        """What the test makes of a mutant."""
        judge = self.judge_of(trial, source)
        draws, refuted, why = seen_by(judge, work(judge, trial, source))
        invalid = 0 if self.allow_nan else progress_of(trial, source).invalid
        return Mutant(source.role, refuted or invalid > 0, draws, why or f"{invalid} outputs held NaN")

    def judge_of(self, trial: Trial, source: Source) -> PrivacyJudge:
        """The judge of a source."""
        samples = goal(trial, source, trial.settings.amounts(self.samples).pairs)
        claimed = Claimed(None, Fraction(1), "approximate", (self.claim.epsilon, self.claim.delta), DELTAS)
        asked = Question(
            self.pairs, claimed, "learned", (), Fraction(1), self.views, samples, self.train, "stop", BATCH
        )
        task = Task(trial.name, self.kind, None, self._fields(samples))
        return PrivacyJudge(task, trial.alpha, asked, opened(trial, source))

    def _fields(self, samples: int) -> dict[str, Any]:
        """The statement as a campaign file has it; without pairs where no file can hold them."""
        try:
            pairs = [[form(x), form(y)] for x, y in self.pairs]
        except Unwritten:
            pairs = None
        return {
            "claim": {"measure": "approximate", "epsilon": str(self.claim.epsilon), "delta": str(self.claim.delta)},
            "pairs": pairs, "views": list(self.views), "samples": samples, "train": self.train,
            "exceptions": "stop", "batch": BATCH,
        }  # fmt: skip


def _chosen(pair: Pair | None, pairs: Sequence[Pair] | None) -> tuple[Pair, ...]:
    """The pairs of inputs of a statement; StatementError unless they are given in one way."""
    if (pair is None) == (pairs is None):
        raise StatementError("either pair or pairs must be given: two inputs, or a list of such")
    chosen = tuple(_pair(one) for one in ([pair] if pairs is None else pairs))
    if not chosen:
        raise StatementError("pairs must not be empty")
    return chosen


def satisfies(
    *, epsilon: Exactly | ExactReal, delta: Exactly = 0, pair: Pair | None = None, pairs: Sequence[Pair] | None = None,
    mutants: Sequence[Function] = (), samples: int | None = None, train: int = TRAIN,
    views: Sequence[str] = tuple(VIEWS), detects: Exactly | None = None, allow_nan: bool = False,
) -> Callable[[F], F]:  # fmt: skip
    """State that test(x, n), n independent outputs on the input x, is (epsilon, delta)-private on the pairs, both ways.

    `pair` or `pairs`: neighbouring inputs.  `mutants`: wrong functions that the same test must refute.  `samples`:
    pairs of outputs for each pair of inputs, 20 times as many at night; `train`: outputs on each side from which
    events are learned first.
    `views`: by what outputs are told apart: "output", "low_bits" and "residues" of floats, "length", "type", "keys".
    `detects`: an epsilon that must have been seen for PASS, else INCONCLUSIVE.  NaN is an error unless `allow_nan`.

    Raises StatementError, which pytest shows at collection, where the statement cannot be tested.
    """
    chosen = _chosen(pair, pairs)
    if isinstance(views, str) or not views or set(views) - set(VIEWS):
        raise StatementError(f"views must be a list of {', '.join(VIEWS)}, got {views!r}")
    with refused():
        least = None if detects is None else exact(detects, "detects")
        claim = Claim(exact_real(epsilon, "epsilon"), exact(delta, "delta"))
        if least is not None and not exact_real(least) > claim.epsilon:
            raise ValueError(f"detects must be > epsilon, got {least} and {claim.epsilon}")
    statement = Satisfies(
        claim, chosen, whole("samples", samples), whole("train", train, LOOK) or TRAIN, tuple(views), least, allow_nan,
        named(mutants),
    )  # fmt: skip
    return lambda function: stated(function, statement)


def _pair(given: Any) -> Pair:
    """Two inputs; StatementError for anything else."""
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise StatementError(f"a pair must be two inputs, got {given!r}")
    return given[0], given[1]
