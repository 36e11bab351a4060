"""A sampler judged: draws, looks, and the verdict with its power.  What was drawn is kept over reruns and nights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from refdp.auditing.evidence.sampler_tests import Outcome, SamplerTest, Verdict
from refdp.auditing.evidence.tallies import Tally
from refdp.testing.trials import Source, Trial

FIRST_LOOK = 128
MOST_AT_ONCE = 2**17


@dataclass(slots=True)
class Drawn:
    """The tallies of earlier nights and of this run, and e-values at some looks."""

    earlier: Tally
    now: Tally
    path: list[tuple[int, float]] = field(default_factory=list)

    @property
    def tally(self) -> Tally:
        """All draws."""
        return self.earlier + self.now

    def looked(self, test: SamplerTest) -> None:
        """Keep the e-value for the picture where draws have doubled; it is worked out again for any verdict."""
        counted, last = self.tally, self.path[-1][0] if self.path else 0
        if counted.draws >= 2 * last and not counted.impossible and not counted.malformed:
            self.path.append((counted.draws, float(test.e_value(counted).log10)))


def draw(test: SamplerTest, trial: Trial, source: Source, budget: int, on: bool) -> Drawn:
    """Draw until the verdict stands: FAIL, ERROR, PASS (unless `on`) or `budget` draws in this run.

    Looks are after 128 draws and after each eighth more.
    """
    known: Drawn | None = trial.memory.kept.get(source.role)
    if known is None:
        known = trial.memory.kept[source.role] = _begun(test, trial, source)
    needed, most = test.draws_needed, known.earlier.draws + budget
    while True:
        counted = known.tally
        n = counted.draws
        enough = needed is not None and n >= needed and not on
        if n >= most or enough or test.is_over(counted):
            return known
        goal = min(most, n + MOST_AT_ONCE, max(FIRST_LOOK, n + n // 8 + 1))
        goal = needed if needed is not None and n < needed < goal else goal
        known.now = known.now + test.tally(trial.values(source, goal - n, {}))
        if not source.role and trial.account is not None:
            trial.account.keep(as_json(known.now))
        known.looked(test)


def _begun(test: SamplerTest, trial: Trial, source: Source) -> Drawn:
    """Where to begin: with the tally of earlier nights, for the tested function itself."""
    earlier = test.empty
    if not source.role and trial.account is not None:
        for record in trial.account.earlier:
            earlier = earlier + from_json(record)
    return Drawn(earlier, test.empty)


def as_json(tally: Tally) -> dict[str, Any]:
    """The tally as plain JSON."""
    return {
        "counts": [list(counts) for counts in tally.counts],
        "impossible": dict(tally.impossible),
        "malformed": dict(tally.malformed),
    }


def from_json(record: Mapping[str, Any]) -> Tally:
    """The tally that the JSON stands for."""
    return Tally(tuple(map(tuple, record["counts"])), dict(record["impossible"]), dict(record["malformed"]))


def power(verdict: Verdict) -> str:
    """What the verdict would have seen, in words."""
    return "; ".join(f"{name}: {_floored(p)}" for name, p in verdict.power)


def _floored(p: Fraction) -> str:
    """A probability rounded down to four places."""
    return f"{int(p * 10_000) / 10_000:.4f}"


def is_caught(verdict: Verdict) -> bool:
    """Whether the verdict tells that the sampler is wrong."""
    return verdict.outcome in (Outcome.FAIL, Outcome.ERROR)
