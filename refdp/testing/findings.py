"""What a statement comes to in one run of pytest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from refdp.auditing.judges.result import Result

PASS, FAIL, INCONCLUSIVE, ERROR, SKIPPED = "PASS", "FAIL", "INCONCLUSIVE", "ERROR", "SKIPPED"


class RefdpInconclusive(UserWarning):
    """A statement was neither refuted nor tested well enough for PASS; --refdp-strict makes it a failure."""


class Disorder(Exception):
    """The tested function gave what cannot be judged: too few values, or none at all.  Its sentence says what."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A wrong function in the place of the tested one: whether the same test refuted it, after how many draws."""

    name: str
    caught: bool
    draws: int
    why: str


@dataclass(frozen=True, slots=True)
class Finding:
    """An outcome in one sentence, with what a report needs."""

    outcome: str
    sentence: str
    result: Result
    alpha: Fraction = Fraction(0)
    """The share of the budget; 0 where there are no statistics."""
    draws: int = 0
    log10_e: Fraction | None = None
    power: str = ""
    kind: str = ""
    mutants: tuple[Mutant, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)
    """The statement as a campaign file would have it; a field is None where no file can hold it."""
    record: Mapping[str, Any] = field(default_factory=dict)
    """What the verdict follows from: the opening and the chunks of a judge, where there was one."""
    overruled: bool = False
    """Whether the test asks for more than the judge does, and says UNKNOWN in its place."""

    @property
    def survivors(self) -> tuple[Mutant, ...]:
        """The mutants that were not caught."""
        return tuple(mutant for mutant in self.mutants if not mutant.caught)

    @property
    def word(self) -> str:
        """The outcome; FAIL where a mutant survived: the test would not have seen it."""
        return FAIL if self.outcome == PASS and self.survivors else self.outcome

    @property
    def told(self) -> str:
        """Why, in a sentence."""
        if self.word == self.outcome:
            return self.sentence
        names = "; ".join(f"mutant {m.name} was not caught by {m.draws} draws" for m in self.survivors)
        return f"{names}: the test would not see such an error. {self.sentence}"

    @property
    def is_replayable(self) -> bool:
        """Whether the verdict follows from the record alone."""
        return bool(self.record) and not self.overruled and None not in self.fields.values()

    def with_mutants(self, mutants: tuple[Mutant, ...]) -> Finding:
        """The finding with what became of the mutants."""
        return replace(self, mutants=mutants)

    @property
    def properties(self) -> dict[str, str]:
        """What JUnit files keep."""
        found = {"outcome": self.word}
        if self.alpha:
            found |= {"alpha": decimal(self.alpha), "draws": str(self.draws), "power": self.power}
        if self.log10_e is not None:
            found["e_value"] = power_of_ten(self.log10_e)
        if self.mutants:
            found["mutants_caught"] = f"{sum(m.caught for m in self.mutants)} of {len(self.mutants)}"
        return {f"refdp_{name}": value for name, value in found.items()}


def decimal(x: Fraction) -> str:
    """About x, to be read."""
    return f"{float(x):.3g}" if x > Fraction(1, 10**300) else str(x)


def power_of_ten(log10: Fraction) -> str:
    """A lower bound of 10^log10, to be read."""
    return f"10^{float(log10):.2f}"
