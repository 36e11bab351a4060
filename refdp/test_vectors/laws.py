"""Mechanisms of test vectors, by stem: their constructors, and enclosures of P[M(x) = y] and P[M(x) <= y]."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.mechanisms import (
    discrete_gaussian,
    discrete_laplace,
    exponential,
    k_ary_randomised_response,
    permute_and_flip,
    randomised_response,
    truncated_geometric,
)
from refdp.numerics.intervals import Interval
from refdp.numerics.lattice import tail_sum
from refdp.numerics.masses import masses, normaliser, registry_noise, weight
from refdp.pipeline import Measurement
from refdp.spec import registry
from refdp.spec.noise import AdditiveNoise
from refdp.test_vectors.numbers import BITS, VectorError, rational, shown

LONGEST_PARAMETER = 80
"""Most characters of a parameter."""
MOST_VALUES = 200
"""Most outcomes of a finite law, and most candidates of `exponential`."""
MOST_FLIPS = 12
"""Most candidates of `permute_and_flip`, whose law sums over sets of them."""
MOST_STEPS = 400
"""Largest sigma in grid steps: the sums take so many times 15 summands."""
FARTHEST = 4000
"""Most decimal digits of 1 / P[M(x) = y]."""
ONE, NONE = Interval(Fraction(1), Fraction(1), BITS), Interval(Fraction(0), Fraction(0), BITS)


@dataclass(frozen=True, slots=True)
class Family:
    """A mechanism's constructor, its parameters, and what its inputs are."""

    build: Callable[..., Measurement]
    parameters: tuple[str, ...]
    optional: tuple[str, ...] = ()
    scores: bool = False


FAMILIES: Mapping[str, Family] = {
    "discrete_laplace": Family(discrete_laplace, ("scale",), ("granularity",)),
    "discrete_gaussian": Family(discrete_gaussian, ("sigma",), ("granularity",)),
    "truncated_geometric": Family(truncated_geometric, ("scale", "lower", "upper"), ("granularity",)),
    "randomised_response": Family(randomised_response, ("truth",)),
    "k_ary_randomised_response": Family(k_ary_randomised_response, ("k", "truth")),
    "exponential": Family(exponential, ("scale",), scores=True),
    "permute_and_flip": Family(permute_and_flip, ("scale",), scores=True),
}
Values = dict[str, Fraction]
Input = Fraction | tuple[Fraction, ...]


def family(stem: Any) -> Family:
    """The mechanism of that stem; VectorError if there is none."""
    if not isinstance(stem, str) or stem not in FAMILIES:
        raise VectorError(f"algorithm must be one of {', '.join(FAMILIES)}, got {shown(stem)}")
    return FAMILIES[stem]


def values_of(stem: Any, parameters: Any) -> Values:
    """The parameters as numbers; VectorError unless they are those of the mechanism, and of few digits."""
    known = family(stem)
    if not isinstance(parameters, dict) or not set(known.parameters) <= set(parameters):
        raise VectorError(f"params of {stem} must have {', '.join(known.parameters)}, got {shown(parameters)}")
    if not set(parameters) <= {*known.parameters, *known.optional}:
        raise VectorError(f"params of {stem} must have no others, got {shown(parameters)}")
    if any(not isinstance(text, str) or len(text) > LONGEST_PARAMETER for text in parameters.values()):
        raise VectorError(f"params must be texts of at most {LONGEST_PARAMETER} characters, got {shown(parameters)}")
    return {name: rational(text, name) for name, text in parameters.items()}


def _require_small(stem: str, values: Values) -> None:
    """VectorError where the law takes long to work out."""
    step = values.get("granularity", Fraction(1))
    if step <= 0:
        raise VectorError(f"granularity must be > 0, got {step}")
    if stem == "discrete_gaussian" and not values["sigma"] / step <= MOST_STEPS:
        raise VectorError(f"sigma must be at most {MOST_STEPS} grid steps, got {values['sigma'] / step}")
    if stem == "truncated_geometric" and not (values["upper"] - values["lower"]) / step < MOST_VALUES:
        raise VectorError(f"upper - lower must be less than {MOST_VALUES} grid steps")
    if stem == "k_ary_randomised_response" and not values["k"] <= MOST_VALUES:
        raise VectorError(f"k must be at most {MOST_VALUES}, got {values['k']}")


def input_of(stem: str, text: Any) -> Input:
    """The input, a number or scores; VectorError for others."""
    if not family(stem).scores:
        return rational(text, "input")
    most = MOST_FLIPS if stem == "permute_and_flip" else MOST_VALUES
    if not isinstance(text, list) or not 1 <= len(text) <= most:
        raise VectorError(f"input of {stem} must be 1 to {most} scores, got {shown(text)}")
    return tuple(rational(one, "a score") for one in text)


def measurement_of(stem: str, values: Values) -> Measurement:
    """The mechanism; ValueError where a parameter breaks a condition."""
    return family(stem).build(**values)


def pmf(stem: str, values: Values, x: Input, y: Fraction) -> Interval:
    """Enclosure of P[M(x) = y]."""
    _require_near(stem, values, x, y)
    return measurement_of(stem, values).pmf(y, x, BITS)


def cdf(stem: str, values: Values, x: Input, y: Fraction) -> Interval:
    """Enclosure of P[M(x) <= y]."""
    _require_near(stem, values, x, y)
    subject = measurement_of(stem, values).subject
    noise = registry_noise(subject)
    if noise is None:
        return within_one(total(p for k, p in masses(subject, x, BITS).items() if k <= y))
    if not isinstance(x, Fraction):
        raise VectorError(f"input of {stem} must be a number")
    return _noise_cdf(noise, registry.values(noise, subject), y - x)


def _require_near(stem: str, values: Values, x: Input, y: Fraction) -> None:
    """VectorError where the probability has too many zeros, or takes long to work out."""
    _require_small(stem, values)
    width = values.get("scale", values.get("sigma", Fraction(1)))
    if width <= 0:
        raise VectorError(f"scale and sigma must be > 0, got {width}")
    spread = max(x) - min(x) if isinstance(x, tuple) else abs(y - x)
    far = (spread / width) ** 2 / 2 if stem == "discrete_gaussian" else spread / width
    if ("scale" in values or "sigma" in values) and far > 2 * FARTHEST:
        raise VectorError(f"output must have a probability above 10^-{FARTHEST}, got {shown(str(y))}")


def total(parts: Any) -> Interval:
    """The sum, 0 of none."""
    found = NONE
    for part in parts:
        found = found + part
    return found


def _noise_cdf(noise: AdditiveNoise, values: Mapping[str, Fraction], z: Fraction) -> Interval:
    """P[Z <= z]: the tail on the side of z, by the closed form of geometric weights or by its sum."""
    k = z / values["granularity"]
    steps = k.numerator // k.denominator
    below = _upper_tail(noise, values, -steps) if steps < 0 else ONE - _upper_tail(noise, values, steps + 1)
    return within_one(below)


def within_one(found: Interval) -> Interval:
    """The part of the interval within [0, 1], where a probability is."""
    return Interval(max(found.lower, Fraction(0)), min(found.upper, Fraction(1)), BITS)


def _upper_tail(noise: AdditiveNoise, values: Mapping[str, Fraction], n: int) -> Interval:
    """P[Z >= n steps], where n >= 1: the noise is symmetric, so this is P[Z <= -n steps] too."""
    whole = normaliser(noise, values, BITS)

    def at(k: int) -> Interval:
        """The weight k steps from the middle."""
        return weight(noise, k * values["granularity"], values, BITS)

    if noise.normaliser is not None:  # geometric: w(n) + w(n) r + w(n) r^2 + ...
        return at(n) / (ONE - at(1)) / whole
    return tail_sum(at, n, BITS) / whole
