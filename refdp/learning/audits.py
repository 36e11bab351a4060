"""Audits of a training step, in the order of what they can see: pairs, noise, lots, set-up, and canaries last.

The judges are those of `refdp.auditing.judges.training`, which other people's steps go past, too.  A REFUTED of pairs
and set-up is exact; one of noise and lots holds but for a chance of `error` in all, and one of canaries but for a
chance of `canary_error`: with less, they show nothing.  NOT_REFUTED tells what was looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from refdp.auditing.judges.training.canaries import canary_runs, one_run
from refdp.auditing.judges.training.judges import Finding, on_lots, on_noise, on_pairs, on_setup
from refdp.auditing.judges.training.loops import Claimed, Loop


@dataclass(frozen=True, slots=True)
class Effort:
    """With which error, over all judges of a loop, and how many trainings and canaries."""

    error: Fraction = Fraction(1, 10**9)
    canary_error: Fraction = Fraction(1, 20)
    runs: int = 100
    canaries: int = 1000
    guesses: int = 200

    def __post_init__(self) -> None:
        for name in ("error", "canary_error"):
            if not 0 < getattr(self, name) < 1:
                raise ValueError(f"{name} must be > 0 and < 1, got {getattr(self, name)}")
        if self.runs < 2:
            raise ValueError(f"runs must be at least 2, got {self.runs}")
        if not 2 <= self.guesses <= self.canaries or self.guesses % 2:
            raise ValueError(f"guesses must be even, and from 2 to the number of canaries, got {self.guesses}")


def audited(
    loop: Loop,
    claim: Claimed,
    effort: Effort = Effort(),
    many_runs: bool = True,
) -> Iterator[Finding]:
    """What each judge finds, in order; judges that count share their error.  `many_runs`: the slowest judge as well."""
    error = effort.error / 2
    yield on_pairs(loop)
    yield on_noise(loop, error)
    yield on_lots(loop, error)
    yield on_setup(loop)
    error = effort.canary_error / 2
    yield Finding("one run", *one_run(loop, claim, effort.canaries, effort.guesses, error))
    if many_runs:
        yield Finding("many runs", *canary_runs(loop, claim, effort.runs, error))
