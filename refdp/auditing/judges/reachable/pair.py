"""A pair of inputs of a sampler, what is claimed of it, and what was tried of each, as it was recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.auditing.evidence.binomial import at_least
from refdp.auditing.evidence.pairs import Claim
from refdp.auditing.evidence.reachability import Noise
from refdp.auditing.judges.task import Record

MOST = 4096
"""With more k to try, an output is left undecided."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two inputs, the noise that the sampler adds, and the claim; u = k / 2^bits + shift."""

    inputs: tuple[float, float]
    noise: Noise
    shift: Fraction
    claim: Claim
    samples: int
    alpha: Fraction

    def tries(self, chunks: Sequence[Record], side: int | None = None) -> list[Mapping[str, Any]]:
        """What was tried, of one side or of both."""
        sides = (0, 1) if side is None else (side,)
        return [one for chunk in chunks for s in sides if s < len(chunk["found"]) for one in chunk["found"][s]]

    def least(self, chunks: Sequence[Record], side: int) -> Fraction:
        """A lower bound of P[an output that only this input gives]: at error alpha / 2 if all samples were taken."""
        tried = self.tries(chunks, side)
        if len(tried) < self.samples:
            return Fraction(0)
        return at_least(len(tried), sum(map(alone, tried)), self.alpha / 2)

    def uniform(self, k: int) -> float:
        """The uniform number, exactly."""
        return float(Fraction(k, 2**self.noise.bits) + self.shift)


def alone(tried: Mapping[str, Any]) -> bool:
    """Whether the output never comes of the other input."""
    return bool(tried["y"]) and tried["by"] is None and tried["tried"] <= MOST
