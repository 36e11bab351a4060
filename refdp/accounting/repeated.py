"""The best of a random number of runs: delta of it from delta of one run.  Lemma 1.23 of docs/accounting_proofs.md."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from refdp.accounting import greatest
from refdp.accounting.balls import ball
from refdp.accounting.curves import Curve, Effort, OutOfReach
from refdp.accounting.events import RepeatAndSelect
from refdp.accounting.losses import Composition
from refdp.accounting.runs import mean_runs
from refdp.numerics.elementary import Undecided
from refdp.numerics.enclosures import interval, precision

BITS = 256
EFFORT = Effort(Fraction(1, 10**4), Fraction(1, 10**15))
"""How narrow the curve of one run is to be."""
TRIED = (Fraction(0), *(Fraction(2) ** i * (1 + Fraction(j, 4)) for i in range(-8, 5) for j in range(4)))
"""The epsilons of one run by which the best run may become likelier; any gives a true bound."""


@dataclass(frozen=True, slots=True)
class Selected(greatest.BestOfRuns):
    """epsilon -> delta of the best run, either way round."""

    run: tuple[Composition, ...]
    """One run in each direction."""
    numbers: RepeatAndSelect

    def __call__(self, epsilon: Fraction) -> Fraction:
        most = self.greatest()
        if isinstance(most, greatest.Selected) and epsilon >= most.ends(BITS)[1]:
            return Fraction(0)
        shift, mean = shifted(self.run, self.numbers)
        if epsilon < shift:
            return Fraction(1)
        return min(Fraction(1), mean * one_run(self.run, epsilon - shift))

    def greatest(self) -> greatest.Found:
        """At least the greatest loss, by Lemma 1.23 with delta 0 of one run; why it is infinite or not known."""
        return greatest_of(self.run, self.numbers)


@lru_cache(maxsize=64)
def greatest_of(run: tuple[Composition, ...], numbers: RepeatAndSelect) -> greatest.Found:
    """(2 + shape) times the greatest loss of one run, or that loss and c, if that is less; a Poisson number has c."""
    sides = list[tuple[tuple[greatest.Greatest, int], ...]]()
    for one in run:
        known = list[tuple[greatest.Greatest, int]]()
        for loss, count in one.parts:
            found = greatest.greatest_loss(loss)
            if isinstance(found, greatest.Selected):
                return greatest.Unknown(
                    "of the best of runs that are the best of others no bound of the losses is known"
                )
            if not isinstance(found, greatest.Greatest):
                return greatest.Unknown(f"of the best of several runs no epsilon is known at delta 0: {found.why}")
            known.append((found, count))
        sides.append(tuple(known))
    factor = None if numbers.shape is None else 2 + numbers.shape
    return greatest.Selected(tuple(sides), factor, shifted(run, numbers)[0])


def one_run(run: tuple[Composition, ...], epsilon: Fraction) -> Fraction:
    """At least delta of one run at epsilon >= 0, in both directions."""
    return max(min((_upper(curve, epsilon) for curve in curves(one)), default=Fraction(1)) for one in run)


def _upper(curve: Curve, epsilon: Fraction) -> Fraction:
    """The upper end of an enclosure."""
    with suppress(Undecided):
        return min(Fraction(1), curve.delta(epsilon).upper)
    return Fraction(1)


@lru_cache(maxsize=64)
def curves(run: Composition) -> tuple[Curve, ...]:
    """The first curve of the first engine that has one, and the loose one."""
    return tuple(_curves(run))


def _curves(run: Composition) -> Iterator[Curve]:
    from refdp.accounting.engines import engines
    from refdp.accounting.loose import ENGINE as LOOSE

    if LOOSE.why_not(run) is None:
        yield from LOOSE.curves(run, EFFORT)
    for engine in engines():
        if engine.why_not(run) is None:
            with suppress(OutOfReach, StopIteration):
                yield next(iter(engine.curves(run, EFFORT)))
                return


@lru_cache(maxsize=64)
def shifted(run: tuple[Composition, ...], numbers: RepeatAndSelect) -> tuple[Fraction, Fraction]:
    """(at least c, at least the mean number of runs): delta(epsilon + c) <= mean * delta of one run at epsilon."""
    if numbers.shape is None:
        mean = numbers.mean or Fraction(0)
        return mean * one_run(run, Fraction(0)), mean
    with precision(BITS):
        found = [_growth(numbers, epsilon, one_run(run, epsilon)) for epsilon in (*TRIED, *ends(run))]
    return min(found), mean_runs(numbers.shape, numbers.gamma or Fraction(1)).upper


def ends(run: tuple[Composition, ...]) -> list[Fraction]:
    """Where the losses of one run end, if they do."""
    from refdp.accounting.loose import LooseCurve

    found = [curve.cost.epsilon for one in run for curve in curves(one) if isinstance(curve, LooseCurve)]
    return [epsilon for epsilon in found if epsilon is not None]


def _growth(numbers: RepeatAndSelect, epsilon: Fraction, delta: Fraction) -> Fraction:
    """(shape + 1) ln(e^epsilon + delta (1 - gamma) / gamma), rounded up."""
    shape, gamma = numbers.shape or Fraction(0), numbers.gamma or Fraction(1)
    excess = ball(epsilon).exp() + ball(delta * (1 - gamma) / gamma)
    return interval(ball(shape + 1) * excess.log(), BITS).upper
