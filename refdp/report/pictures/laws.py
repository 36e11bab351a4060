"""The two laws of an instance as numbers to draw: midpoints of the enclosures, which are narrower than any line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, exp, inf, log
from typing import Any

from refdp.commands.witness import plain
from refdp.kernel.judgements import Private
from refdp.numerics.intervals import Interval
from refdp.numerics.masses import masses, normaliser, registry_noise, weight
from refdp.report.decimals import enclosed
from refdp.report.pictures.instances import Instance, spread
from refdp.spec import registry
from refdp.spec.noise import AdditiveNoise, exact_delta
from refdp.spec.semantics import written
from refdp.terms.term import Term, number, substitute

POINTS = 160
"""Points at which a density is drawn."""
MOST_OUTCOMES = 64
"""Most outcomes that are drawn one by one."""
WIDEST_WINDOW = 2_000
"""Most grid points that are drawn or summed."""
NEAR, FAR = 4, 30
"""How far from the inputs outcomes are drawn, and how far they are summed, in spreads of the noise."""
LARGEST_EXPONENT = 700.0
"""From there on e^x is soon no float."""


@dataclass(frozen=True, slots=True)
class Laws:
    """Outcomes with their masses (densities) under M(x) and M(x'); `labels` where outcomes are no numbers."""

    outcomes: tuple[Any, ...]
    p: tuple[float, ...]
    q: tuple[float, ...]
    is_density: bool = False

    @property
    def positions(self) -> list[float]:
        """Where each outcome stands on the axis."""
        numbers = all(isinstance(y, Fraction) for y in self.outcomes)
        return [float(y) if numbers else float(i) for i, y in enumerate(self.outcomes)]

    @property
    def labels(self) -> list[str] | None:
        """The outcomes as text where they are no numbers."""
        if all(isinstance(y, Fraction) for y in self.outcomes):
            return None
        return [plain(written(y)) for y in self.outcomes]

    @property
    def losses(self) -> list[float]:
        """ln(p / q) of each outcome; infinite, or nan, where masses are 0."""
        return [_log(a) - _log(b) for a, b in zip(self.p, self.q, strict=True)]


def _log(p: float) -> float:
    """ln(p), also of 0."""
    return log(p) if p > 0 else -inf


def middle(x: Interval) -> float:
    """The midpoint of an enclosure."""
    return float((x.lower + x.upper) / 2)


def value_of(t: Term) -> float | None:
    """A closed term as a number to draw; None where it has no enclosure."""
    found = enclosed(t)
    return None if found is None else middle(found)


def laws(found: Instance, reach: int = NEAR) -> Laws | None:
    """The two laws within so many spreads of the inputs; None where there is nothing of that kind to draw."""
    if not isinstance(found.claim, Private):
        return None
    try:
        noise = registry_noise(found.claim.subject)
        return _finite(found) if noise is None else _noisy(found, noise, reach)
    except (ValueError, ArithmeticError):
        return None


def _noisy(found: Instance, noise: AdditiveNoise, reach: int) -> Laws | None:
    """The laws of additive noise, in a window around the inputs."""
    if not (isinstance(found.x, Fraction) and isinstance(found.y, Fraction)):
        return None
    values = registry.values(noise, found.claim.subject)
    total = middle(normaliser(noise, values))
    ys = tuple(_window(found, noise, reach))
    columns = [[middle(weight(noise, y - x, values, 64)) / total for y in ys] for x in (found.x, found.y)]
    return Laws(ys, tuple(columns[0]), tuple(columns[1]), is_density=not noise.on_grid)


def _window(found: Instance, noise: AdditiveNoise, reach: int) -> Iterator[Fraction]:
    """The outcomes of noise that are drawn: around the inputs, and as far as the event."""
    values = registry.bound(noise, found.claim.subject)
    marks = [found.x, found.y, *found.event]
    around = spread(noise, values) * reach
    low, high = min(found.x, found.y) - around, max(found.x, found.y) + around
    low, high = min(low, *marks), max(high, *marks)
    step = registry.values(noise, found.claim.subject)["granularity"] if noise.on_grid else (high - low) / POINTS
    first, last = low // step, ceil(high / step)
    if last - first > WIDEST_WINDOW:
        raise ValueError(f"a window must have at most {WIDEST_WINDOW} outcomes, got {last - first}")
    yield from (step * k for k in range(first, last + 1))


def _finite(found: Instance) -> Laws | None:
    """The laws of a mechanism with few outcomes."""
    one, other = (masses(found.claim.subject, z) for z in (found.x, found.y))
    ys = tuple(dict.fromkeys((*one, *other)))
    if len(ys) > MOST_OUTCOMES:
        return None
    zero = Interval(Fraction(0), Fraction(0))
    p, q = (tuple(middle(law.get(y, zero)) for y in ys) for law in (one, other))
    return Laws(ys, p, q)


def least_deltas(found: Instance, epsilons: Sequence[Fraction]) -> list[float] | None:
    """The least delta at each epsilon: of normal noise on the reals in closed form, else from the masses; or None."""
    if not isinstance(found.claim, Private):
        return None
    noise = registry_noise(found.claim.subject)
    if noise is not None and noise.deviation is not None and not noise.on_grid:
        sigma = substitute(noise.deviation.at(), registry.bound(noise, found.claim.subject))
        deltas = [value_of(exact_delta(sigma, found.claim.d_in, number(e))) for e in epsilons]
        return None if None in deltas else [d for d in deltas if d is not None]
    both = laws(found, FAR)
    if both is None or both.is_density:
        return None
    return [hockey_stick(both, float(e)) for e in epsilons]


def hockey_stick(found: Laws, epsilon: float) -> float:
    """The least delta at that epsilon: the sum of p - e^epsilon q where that is positive."""
    return sum(max(a - _scaled(epsilon, b), 0.0) for a, b in zip(found.p, found.q, strict=True))


def _scaled(epsilon: float, mass: float) -> float:
    """e^epsilon times a probability; some number above 1 where a float would be too large."""
    if epsilon < LARGEST_EXPONENT:
        return exp(epsilon) * mass
    return exp(min(epsilon + log(mass), 1.0)) if mass > 0 else 0.0


def divergence(found: Laws, order: float) -> float:
    """The Renyi divergence of that order above 1, of p from q."""
    terms = [order * log(a) + (1 - order) * log(b) for a, b in zip(found.p, found.q, strict=True) if a > 0]
    top = max(terms)
    return (top + log(sum(exp(t - top) for t in terms))) / (order - 1)
