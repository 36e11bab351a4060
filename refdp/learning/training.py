"""DP-SGD: lots by independent coins, clipped gradients of single rows, a sum of whole numbers, exact noise, a step.

Everything but the rows is public: the rate, the number of steps, the norm, the noise, what the sum is divided by, and
the learning rate are arguments, and none of them is worked out from the table.  An empty lot is noised as any other.

Source: ACGMM16 Alg. 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from refdp.learning.clipping import Clip
from refdp.learning.gradients import Model
from refdp.sampling.words import SYSTEM_WORDS, Source

if TYPE_CHECKING:
    from refdp.learning.clipping import Integers
    from refdp.learning.examples import Examples, Floats, Mask

NOISES = ("gaussian", "discrete_gaussian")
"""The noise that there may be: normal and rounded to the grid, or discrete Gaussian noise on the grid."""
MOST_STEPS, MOST_ROWS, MOST_MULTIPLIER = 10**6, 2**31, 10**6
MOST_MARKS = 100
"""The measure is taken after at most so many steps."""
Watch = Callable[[int, int], None]
"""Hears how many steps of how many were made."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The public numbers of a training run, all exact.

    A row is in each lot with probability `rate`.  The noise has the deviation noise_multiplier times norm on the *sum*
    of a lot, which is then divided by the public number `lot`.  Discrete Gaussian noise is for lots of all rows.
    """

    rate: Fraction
    steps: int
    noise_multiplier: Fraction
    lot: Fraction
    learning_rate: Fraction
    norm: Fraction = Fraction(1)
    granularity: Fraction = Fraction(1, 1024)
    noise: str = "gaussian"

    def __post_init__(self) -> None:
        if not 0 < self.rate <= 1:
            raise ValueError(f"rate must be > 0 and <= 1, got {self.rate}")
        if self.noise not in NOISES:
            raise ValueError(f"noise must be {' or '.join(NOISES)}, got {self.noise}")
        if self.noise == "discrete_gaussian" and self.rate != 1:
            raise ValueError(f"rate must be 1 with discrete_gaussian noise, got {self.rate}")
        if type(self.steps) is not int or not 1 <= self.steps <= MOST_STEPS:
            raise ValueError(f"steps must be a whole number from 1 to {MOST_STEPS}, got {self.steps}")
        for name in ("noise_multiplier", "lot", "learning_rate"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} must be > 0, got {getattr(self, name)}")
        if self.noise_multiplier > MOST_MULTIPLIER:
            raise ValueError(f"noise_multiplier must be at most {MOST_MULTIPLIER}, got {self.noise_multiplier}")
        if self.clip.norm * self.noise_multiplier < self.granularity:
            raise ValueError(
                f"granularity must be at most the deviation of the noise, {self.deviation}, got {self.granularity}"
            )

    @property
    def clip(self) -> Clip:
        """How gradients are clipped."""
        return Clip(self.norm, self.granularity)

    @property
    def deviation(self) -> Fraction:
        """The standard deviation of the noise on a sum."""
        return self.noise_multiplier * self.norm

    @property
    def units(self) -> Fraction:
        """The same, in units of the grid."""
        return self.deviation / self.granularity


@dataclass(frozen=True, slots=True)
class Mark:
    """How well the weights do after so many steps, and those of the same lots and gradients without noise."""

    step: int
    noisy: float
    plain: float


@dataclass(slots=True)
class Run:
    """A run as far as it has come.  `weights` are made of noisy sums alone, and nothing else here is private."""

    weights: Floats
    plain: Floats
    """Of the twin without noise: not private at all."""
    marks: list[Mark] = field(default_factory=list)
    """Measured on the table itself: not private either."""


def lot_of(plan: Plan, rows: int, source: Source = SYSTEM_WORDS) -> Mask:
    """Which rows are in a lot: an independent coin of the rate for each, exact."""
    from refdp.sampling.bulk.lanes import Lanes

    return Lanes(source).bernoulli(rows, plan.rate)


def summed(plan: Plan, model: Model, weights: Floats, examples: Examples, lot: Mask) -> Integers:
    """The sum of the clipped gradients of the rows of a lot, in units of the grid: whole numbers."""
    import numpy as np

    total, clip = np.zeros(weights.size, np.int64), plan.clip
    for row in np.flatnonzero(lot & examples.known).tolist():
        one = clip(model.gradient(weights, examples.features[row], float(examples.labels[row])))
        if one.shape != total.shape:  # a shorter one would be added to every weight
            raise ValueError(f"a gradient must have the shape {total.shape} of the weights, got {one.shape}")
        total += one
    return total


def noised(plan: Plan, total: Integers, source: Source = SYSTEM_WORDS) -> Integers:
    """The sum with the noise of the plan on each number, in units of the grid."""
    found: Integers = total + noise_of(plan.noise, plan.units, total.size, source)
    return found


def noise_of(noise: str, units: Fraction, size: int, source: Source = SYSTEM_WORDS) -> Integers:
    """So many independent draws with that deviation in units of the grid, exact.

    Normal noise is rounded to the grid: rounding after adding it to a sum on the grid would have given the same.
    """
    if noise == "discrete_gaussian":
        import numpy as np

        from refdp.mechanisms.discrete_gaussian import discrete_gaussian
        from refdp.sampling.drawing import Randomness

        drawn: Integers = Randomness(source=source).on_array(discrete_gaussian(units).subject, np.zeros(size, np.int64))
        return drawn
    from refdp.sampling.bulk.rounded_normal import rounded_normals

    return rounded_normals(units, size, source)


def stepped(plan: Plan, weights: Floats, noisy: Integers) -> Floats:
    """The weights after a step along a sum."""
    found: Floats = weights - float(plan.learning_rate * plan.granularity / plan.lot) * noisy
    return found


def trained(
    plan: Plan,
    model: Model,
    examples: Examples,
    source: Source = SYSTEM_WORDS,
    watch: Watch = lambda *_: None,
) -> Run:
    """A run from weights 0, beside its twin without noise, which has the same lots and clips as well.

    What is released may be all weights of all steps.  `watch` may raise to end the work.
    """
    import numpy as np

    if examples.size >= MOST_ROWS:
        raise ValueError(f"a table must have less than 2^31 rows, got {examples.size}")
    size = model.parameters(examples.features.shape[1])
    run = Run(np.zeros(size), np.zeros(size))
    every = max(1, -(-plan.steps // MOST_MARKS))
    run.marks.append(mark(0, run, model, examples))
    for step in range(1, plan.steps + 1):
        watch(step - 1, plan.steps)
        lot = lot_of(plan, examples.size, source)
        noisy = noised(plan, summed(plan, model, run.weights, examples, lot), source)
        run.weights = stepped(plan, run.weights, noisy)
        run.plain = stepped(plan, run.plain, summed(plan, model, run.plain, examples, lot))
        if step % every == 0 or step == plan.steps:
            run.marks.append(mark(step, run, model, examples))
    watch(plan.steps, plan.steps)
    return run


def mark(step: int, run: Run, model: Model, examples: Examples) -> Mark:
    """How well both do now."""
    return Mark(step, model.measure(run.weights, examples), model.measure(run.plain, examples))
