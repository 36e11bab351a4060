"""The statement that a function moves its outputs by at most so much: an exact search among neighbouring inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from refdp.auditing.judges.result import Counterexample, Evidence, Result
from refdp.auditing.neighbours import Settings, Table, Vector
from refdp.auditing.neighbours.families import problem
from refdp.auditing.neighbours.judging import scope
from refdp.auditing.neighbours.running import Question, Runner, Scored
from refdp.auditing.neighbours.searching import furthest
from refdp.auditing.neighbours.shrinking import shrunk
from refdp.auditing.neighbours.spaces import Space
from refdp.auditing.targets import Claim
from refdp.auditing.targets.outcomes import VALUE
from refdp.numerics.exact import Exactly, exact
from refdp.testing.calls import Calls
from refdp.testing.findings import ERROR, FAIL, PASS, Finding, Mutant
from refdp.testing.refusals import StatementError, refused
from refdp.testing.reporting import VERDICTS
from refdp.testing.samplers import whole
from refdp.testing.stating import F, named, stated
from refdp.testing.trials import Function, Source, Trial

SECONDS = 60.0
"""Longest search; the number of pairs ends it before, so that it is the same each time."""
UNREACHED = "pairs that the search did not reach"
NOT_TESTED = ("inputs outside the space", UNREACHED, "time, memory and other side channels")


@dataclass(frozen=True, slots=True)
class MovesAtMost:
    """Inputs of the space within d_in have outputs within d_out."""

    claim: Claim
    bound: Fraction
    space: Space
    samples: int | None
    mutants: tuple[tuple[str, Function], ...]
    own = ("x",)
    statistical = False
    kind = "stability"

    @property
    def sentence(self) -> str:
        """What is claimed."""
        c = self.claim
        return f"inputs within {c.d_in} under {c.input_metric} have outputs within {self.bound} under {c.output}"

    def judge(self, trial: Trial, mutants: Sequence[Source]) -> Finding:
        """The verdict on the function, then whether a pair is found for each mutant."""
        runner, worst, unsteady = self._searched(trial, trial.source)
        refuted = worst is not None and runner.exceeds(worst)
        outcome = FAIL if refuted else PASS
        text = told(worst, self.bound) if refuted and worst is not None else f"not refuted by {scope(runner)}"
        if unsteady:
            outcome, text = ERROR, unsteady
        caught = tuple(self._mutant(trial, source) for source in mutants) if outcome == PASS else ()
        shown = counterexample(worst, runner, self.bound) if outcome == FAIL and worst is not None else None
        not_tested = tuple(one for one in NOT_TESTED if not (runner.is_whole and one == UNREACHED))
        result = Result(
            VERDICTS[outcome], self.sentence, text, witness=text[:80] if outcome == FAIL else "",
            reason=text if outcome == ERROR else "", samples=runner.calls, not_tested=not_tested,
            scope=(scope(runner),), evidence=Evidence(shown),
        )  # fmt: skip
        return Finding(outcome, text, result, draws=runner.calls, kind=self.kind, mutants=caught)

    def _searched(self, trial: Trial, source: Source) -> tuple[Runner, Scored | None, str]:
        """The search, the worst pair, made small, and why it does not count, if it does not."""
        calls = Calls(trial, source)
        pairs = trial.settings.amounts(self.samples).neighbours
        question = Question(
            problem(self.space, self.claim.input_metric, self.claim.d_in), "call", self.claim.output, self.bound
        )
        runner = Runner(calls, question, Settings(SECONDS, pairs))  # type: ignore[arg-type]
        worst = furthest(runner)
        if all(outcome.kind != VALUE for outcome in runner.known.values()) and calls.error is not None:
            raise calls.error
        if worst is None or not runner.exceeds(worst):
            return runner, worst, "" if runner.pairs.total() else "the search found no two neighbouring inputs"
        worst = shrunk(runner, worst)
        inputs = [self.space.as_input(rows) for rows in worst.pair]
        return runner, worst, calls.differs(inputs, worst.outcomes)

    def _mutant(self, trial: Trial, source: Source) -> Mutant:
        """What the search makes of a mutant."""
        runner, worst, unsteady = self._searched(trial, source)
        caught = bool(unsteady) or worst is not None and runner.exceeds(worst)
        return Mutant(source.role, caught, runner.calls, unsteady or scope(runner))


def told(found: Scored, bound: Fraction) -> str:
    """A pair in words."""
    first, second = found.outcomes
    u, v = (str(list(rows)) for rows in found.pair)
    return f"{u} gives {first}, its neighbour {v} gives {second}: {found.distance} apart, where {bound} is claimed"


def counterexample(found: Scored, runner: Runner, bound: Fraction) -> Counterexample:
    """The pair for a report."""
    inputs = tuple(repr(runner.question.problem.space.as_input(rows)) for rows in found.pair)
    outputs = tuple(str(outcome) for outcome in found.outcomes)
    return Counterexample(inputs, outputs, f"at most {bound} under {runner.question.output}", str(found.distance))


def moves_at_most(
    d_out: Exactly, *, space: Space, d_in: Exactly = 1, metric: str = "symmetric", output: str = "absolute",
    mutants: Sequence[Function] = (), samples: int | None = None,
) -> Callable[[F], F]:  # fmt: skip
    """State that test(x), a deterministic function, has outputs within d_out for inputs of the space within d_in.

    `metric` of inputs and `output` are refdp's words: symmetric, change_one, hamming, absolute, l1, l2, linf, discrete.
    `space` is a Table or a Vector.  Outputs are compared exactly, floats as the rational numbers that they are; an
    exception, no number, another length or NaN on one side alone is infinitely far.  `samples`: most pairs tried, 10
    times as many at night.

    Raises StatementError, which pytest shows at collection, where the statement cannot be tested.
    """
    if not isinstance(space, Table | Vector):
        raise StatementError(f"space must be a Table or a Vector of refdp.testing, got {space!r}")
    with refused():
        bound = exact(d_out, "d_out")
        claim = Claim(metric, exact(d_in, "d_in"), output, (bound,))
    statement = MovesAtMost(claim, bound, space, whole("samples", samples), named(mutants))
    return lambda function: stated(function, statement)
