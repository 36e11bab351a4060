"""Outputs of a program on two neighbours against its claim (epsilon, delta): e-processes of counts of pairs.

For an event S that is fixed beforehand and independent draws X on one neighbour, Y on the other, let

    Z = 1[X in S] - e^epsilon 1[Y in S] - delta,   capital = product of (1 + l Z),   0 <= l < 1 / (e^epsilon + delta).

If P(S) <= e^epsilon Q(S) + delta, the capital is a supermartingale >= 0 that starts at 1, for any l, and so is a
mixture over l, over events and over directions.  It is a function of four counts an event.  (docs/audit_statistics.md)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from refdp.auditing.evidence.e_values import BITS, EValue, average, declared, error, mixture
from refdp.numerics.elementary import exp_bounds
from refdp.numerics.enclosures import Balls, precision
from refdp.numerics.exact import Exactly, ExactReal, exact, exact_real

if TYPE_CHECKING:
    from refdp.numerics.enclosures import Ball

BETS = tuple(Fraction(n, 100) for n in (1, 2, 4, 7, 11, 17, 25, 35, 48, 62, 78, 94))
"""Bets l as parts of the largest."""
DIRECTIONS = (1, -1)
"""1: the first neighbour's output should be in the event more often; -1: the second one's."""
Counts = Mapping[tuple[int, int], int]
"""(events that X is in, events that Y is in), as bit masks -> how many pairs."""
Factors = Callable[[Fraction, Fraction, Fraction], tuple[Fraction, ...]]
"""e^epsilon, delta and a bet -> what the capital is multiplied by for each of the four."""


@dataclass(frozen=True, slots=True)
class Claim:
    """P(S) <= e^epsilon Q(S) + delta for every event S, both ways; epsilon >= 0 and 0 <= delta < 1."""

    epsilon: ExactReal
    delta: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", exact_real(self.epsilon, "epsilon"))
        object.__setattr__(self, "delta", exact(self.delta, "delta"))
        if not self.epsilon >= 0:
            raise ValueError(f"epsilon must be >= 0, got {self.epsilon}")
        if not 0 <= self.delta < 1:
            raise ValueError(f"delta must be >= 0 and < 1, got {self.delta}")

    @property
    def factor(self) -> Fraction:
        """A rational number at or a little above e^epsilon: the claim with it is weaker, and refuting it is more."""
        return exponential_above(self.epsilon)

    def __str__(self) -> str:
        return f"(epsilon = {self.epsilon}, delta = {self.delta})"


def claim(epsilon: Exactly | ExactReal, delta: Exactly = 0) -> Claim:
    """The claim that a program is (epsilon, delta)-differentially private."""
    return Claim(exact_real(epsilon, "epsilon"), exact(delta, "delta"))


def exponential_above(x: ExactReal) -> Fraction:
    """A rational number >= e^x, nearly it."""
    if x.rational == 0:
        return x.argument
    return x.argument * exp_bounds(x.rational, BITS)[1]


@dataclass(frozen=True, slots=True)
class Event:
    """A set of outputs, a direction and its weight."""

    name: str
    contains: Callable[[Any], bool]
    direction: int
    weight: Fraction

    def __post_init__(self) -> None:
        if self.direction not in DIRECTIONS:
            raise ValueError(f"direction must be 1 or -1, got {self.direction}")


@dataclass(frozen=True, slots=True)
class Four:
    """How many pairs (X, Y) had both, X alone, Y alone and neither in the event; X is the one that should be more."""

    both: int
    first: int
    second: int
    neither: int

    @property
    def pairs(self) -> int:
        """How many pairs."""
        return self.both + self.first + self.second + self.neither


def count(events: Sequence[Event], pairs: Iterable[tuple[Any, Any]]) -> dict[tuple[int, int], int]:
    """The counts of the pairs."""
    found: dict[tuple[int, int], int] = {}
    for pair in pairs:
        key = (mask(events, pair[0]), mask(events, pair[1]))
        found[key] = found.get(key, 0) + 1
    return found


def mask(events: Sequence[Event], output: Any) -> int:
    """The events that the output is in, event i as the bit 2^i."""
    return sum(1 << i for i, event in enumerate(events) if event.contains(output))


def merged(*parts: Counts) -> dict[tuple[int, int], int]:
    """The counts of all pairs together; associative and commutative."""
    found: dict[tuple[int, int], int] = {}
    for part in parts:
        for key, n in part.items():
            found[key] = found.get(key, 0) + n
    return found


def four(counts: Counts, place: int, direction: int) -> Four:
    """The four counts of event `place`, its pairs swapped for direction -1."""
    found = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    for (x, y), n in counts.items():
        found[bool(x >> place & 1), bool(y >> place & 1)] += n
    alone = [found[True, False], found[False, True]][::direction]
    return Four(found[True, True], alone[0], alone[1], found[False, False])


def factors(factor: Fraction, delta: Fraction, bet: Fraction) -> tuple[Fraction, ...]:
    """1 + l Z for both, X alone, Y alone and neither; each > 0 for a bet in (0, 1), l = bet / (factor + delta)."""
    part = bet / (factor + delta)
    return tuple(1 + part * z for z in (1 - factor - delta, 1 - delta, -factor - delta, -delta))


def falling_factors(factor: Fraction, delta: Fraction, bet: Fraction) -> tuple[Fraction, ...]:
    """No more than those, for factor >= 1, and not rising with the factor: the last one is that of factor 1."""
    return (*factors(factor, delta, bet)[:3], 1 - bet * delta / (1 + delta))


def capital(counts: Four, factor: Fraction, delta: Fraction, rule: Factors = factors) -> EValue:
    """The mean over BETS of the capital, all bets having the same weight."""
    numbers = (counts.both, counts.first, counts.second, counts.neither)
    with precision(BITS):
        parts = []
        for logarithms in _logarithms(rule, factor, delta):
            total = Balls(BITS).number(Fraction(0))
            for n, ln in zip(numbers, logarithms, strict=True):
                total += ln * n
            parts.append((Fraction(1, len(BETS)), total))
        return mixture(parts)


@lru_cache(maxsize=64)
def _logarithms(rule: Factors, factor: Fraction, delta: Fraction) -> list[list[Ball]]:
    """ln of the factors of each bet; called inside `precision(BITS)`."""
    balls = Balls(BITS)
    return [[balls.number(x).log() for x in rule(factor, delta, bet)] for bet in BETS]


@dataclass(frozen=True, slots=True)
class PairTest:
    """The claim, the events with weights that sum to at most 1, and the error alpha for all of it."""

    claim: Claim
    events: tuple[Event, ...]
    alpha: Fraction

    def __post_init__(self) -> None:
        error(self.alpha)
        declared([e.weight for e in self.events])

    def e_value(self, counts: Counts, factor: Fraction | None = None, rule: Factors = factors) -> EValue:
        """The weighted sum of the events' capitals, against e^epsilon = factor: that of the claim unless given."""
        at = self.claim.factor if factor is None else factor
        each = [capital(four(counts, i, e.direction), at, self.claim.delta, rule) for i, e in enumerate(self.events)]
        return average(each, [e.weight for e in self.events])

    def refutes(self, counts: Counts) -> bool:
        """Whether the claim is refuted at error alpha, at a stop that does not see the future."""
        return self.e_value(counts).refutes(self.alpha)
