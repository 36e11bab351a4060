"""A fitted model with its theorem, its noise, and how good it is beside the fit without noise."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, log, sqrt
from typing import Any

from refdp.derivations import theorem
from refdp.kernel import rules
from refdp.kernel.theorem import Theorem
from refdp.mechanisms.discrete_gaussian import discrete_gaussian
from refdp.numerics.exact import exact, upper_bound
from refdp.pipeline import Exactly, Measurement, PipelineError, Transformation
from refdp.terms.term import number, substitute
from refdp.transformations.prepared_columns import Numbers, scaled_columns
from refdp.transformations.second_moments import second_moments

STEP = Fraction(1, 256)
"""The grid of scaled columns: a table of wide bounds loses less than 1/256 of half their width."""
FINENESS = 1000
"""A sigma is a whole multiple of 1 / FINENESS."""
MOST_TRIES = 10_000
LEAST_EPSILON, LARGEST_EPSILON, LEAST_DELTA = Fraction(1, 10**12), 10**6, Fraction(1, 10**60)
MOST_BITS = 256
"""Most binary digits that numerator and denominator of an epsilon or a delta may have."""
MOST_DIMENSIONS = 200
"""Most coordinates of a row, the constant one included: the matrix has as many entries as their square."""

Record = Mapping[str, Any]
"""Column -> exact number, text, or None."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """How good the model is on the table, beside the fit without noise.  Neither number is covered by the theorem."""

    what: str
    private: float
    without_noise: float
    drawn: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """What a picture shows of the fit without noise, and of the table."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A model that was fitted to a table.

    `theorem` is of all that was released; `parts` are theorems that it stands on, of k-means that of each round.
    `released` is what the noise was added to, with it: publish it, or what follows from it alone, such as `model`,
    whose numbers are floats.  `compared` reads the table again: what it says is not private.
    """

    name: str
    theorem: Theorem
    mechanism: str
    scale: Fraction
    """Of discrete Laplace noise its scale, of discrete Gaussian noise sigma, of a random linear term 1 / rate."""
    numbers: int
    """How many noisy numbers were released."""
    released: tuple[Any, ...]
    model: Mapping[str, Any]
    compared: Callable[[], Comparison] = field(repr=False)
    parts: tuple[tuple[str, Theorem], ...] = ()
    drawn: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """What a picture of the model shows."""


def loss_of(epsilon: Exactly, name: str = "epsilon") -> Fraction:
    """The exact privacy loss; PipelineError unless 10^-12 <= epsilon <= 10^6, in at most so many digits."""
    found = exact(epsilon, name)
    if not 0 < found <= LARGEST_EPSILON:
        raise PipelineError(f"{name} must be > 0 and at most 10^6, got {epsilon}")
    _require_short(found, name, LEAST_EPSILON, "10^-12", epsilon)
    return found


def chance_of(delta: Exactly) -> Fraction:
    """The exact delta; PipelineError unless 10^-60 <= delta < 1, in at most so many digits."""
    found = exact(delta, "delta")
    if not 0 < found < 1:
        raise PipelineError(f"delta must be > 0 and < 1, got {delta}")
    _require_short(found, "delta", LEAST_DELTA, "10^-60", delta)
    return found


def _require_short(found: Fraction, name: str, least: Fraction, written: str, given: Exactly) -> None:
    """PipelineError where the number is smaller than that, or longer than a search and a certificate should bear."""
    if found < least or max(found.numerator, found.denominator).bit_length() > MOST_BITS:
        raise PipelineError(
            f"{name} must be at least {written}, with at most {MOST_BITS} binary digits on either side of its /,"
            f" got {str(given)[:40]}"
        )


def whole(value: Any, name: str, most: int, least: int = 1) -> int:
    """A whole number from least to most; PipelineError otherwise."""
    found = exact(value, name)
    if found.denominator != 1 or not least <= found <= most:
        raise PipelineError(f"{name} must be a whole number from {least} to {most}, got {value}")
    return int(found)


def exact_distance(sums: Transformation) -> Fraction:
    """How far one edit moves the sums, rounded up if irrational."""
    found = sums.map(1)
    return found if isinstance(found, Fraction) else upper_bound(found.term)


@dataclass(frozen=True, slots=True)
class Moments:
    """The noisy sum of z z^T over rows z = (1, scaled columns), with its theorem."""

    pipeline: Measurement
    theorem: Theorem
    sigma: Fraction
    released: tuple[Fraction, ...]
    exact: Callable[[], tuple[Fraction, ...]]
    """The same sum without noise."""


def noisy_moments(
    rows: Sequence[Record],
    columns: Sequence[Numbers],
    epsilon: Exactly,
    delta: Exactly,
    neighbours: str,
    norm: Exactly | None,
) -> Moments:
    """The sum of z z^T with discrete Gaussian noise, (epsilon, delta)-DP for one edit.

    Rows are clipped to the norm; without one to the length that the longest row may have, so that none is.
    """
    size = 1 + len(columns)
    if size > MOST_DIMENSIONS:
        raise PipelineError(f"columns must be at most {MOST_DIMENSIONS - 1}, got {len(columns)}")
    chance = chance_of(delta)
    length = Fraction(ceil(64 * sqrt(size)), 64) if norm is None else exact(norm, "norm")
    sums = scaled_columns(columns, STEP, 1, neighbours) >> second_moments(length, size, STEP, neighbours)
    pipeline, sigma = enough_noise(sums, STEP**2, size**2, loss_of(epsilon), chance)
    proved = rules.weaken(theorem(pipeline, 1), d_out=[str(loss_of(epsilon)), str(chance)])
    return Moments(pipeline, proved, sigma, pipeline(rows), lambda: sums(rows))


def enough_noise(
    sums: Transformation, step: Fraction, numbers: int, epsilon: Fraction, delta: Fraction
) -> tuple[Measurement, Fraction]:
    """The sums with discrete Gaussian noise of about the least sigma that is (epsilon, delta)-DP by zCDP, and sigma.

    A float guesses sigma; whether it is enough is decided exactly.
    """
    level = -log(delta)
    rho = (epsilon / (sqrt(level + epsilon) + sqrt(level))) ** 2
    guess = ceil(FINENESS * float(exact_distance(sums)) / sqrt(2 * rho))
    for tried in range(max(1, guess), guess + MOST_TRIES):
        sigma = Fraction(tried, FINENESS)
        noisy = (sums >> discrete_gaussian(sigma, step, dimension=numbers)).to_approximate(delta)
        if upper_bound(substitute(noisy.d_out[0], {"d_in": number(1)})) <= epsilon:
            return noisy, sigma
    raise PipelineError(f"epsilon must be one that a sigma near {guess // FINENESS} gives, got {epsilon}")
