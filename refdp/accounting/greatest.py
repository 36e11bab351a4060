"""The least epsilon at delta = 0: the greatest loss of the product, the sum of those of its pairs.

Lemma 1.26 of docs/accounting_proofs.md.  Each is a rational number and logarithms of numbers a + b e^-c, all rational.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from refdp.accounting import losses
from refdp.accounting.losses import Base, Loss
from refdp.accounting.stated.bounds import StatedPoints
from refdp.numerics.cancellation import size
from refdp.numerics.elementary import exp_bounds, ln_bounds
from refdp.numerics.exact import ExactReal

LONGEST = 256
"""An exact number is shown where its logarithm's argument has at most so many binary digits."""
COMPARED = 256
"""Binary digits with which losses are compared."""
NONE = Fraction(0)


@dataclass(frozen=True, slots=True)
class Log:
    """sign * ln(plus + weight e^-exponent); plus, weight, exponent >= 0, and one of plus and weight > 0."""

    sign: int
    plus: Fraction
    weight: Fraction = NONE
    exponent: Fraction = NONE

    def ends(self, bits: int) -> tuple[Fraction, Fraction]:
        """Bounds of it, with about so many binary digits."""
        small, great = exp_bounds(-self.exponent, bits) if self.weight else (NONE, NONE)
        low = ln_bounds(self.plus + self.weight * small, bits)[0]
        high = ln_bounds(self.plus + self.weight * great, bits)[1]
        return (low, high) if self.sign > 0 else (-high, -low)


@dataclass(frozen=True, slots=True)
class Greatest:
    """The greatest loss of a pair."""

    rational: Fraction
    logs: tuple[Log, ...] = ()

    def ends(self, bits: int) -> tuple[Fraction, Fraction]:
        """Bounds of it, never below 0; the number itself, twice, where it is rational."""
        found = [log.ends(bits) for log in self.logs]
        low = self.rational + sum((one for one, _ in found), NONE)
        return max(low, NONE), max(self.rational + sum((one for _, one in found), NONE), NONE)

    def exact(self, count: int) -> ExactReal | None:
        """The multiple as a + ln b; None where it is not of that form, or too long to be shown."""
        logs = [log for log in self.logs if log.plus != 1 or log.weight]
        if any(log.weight for log in logs) or sum(count * size(log.plus) for log in logs) > LONGEST:
            return None
        argument = Fraction(1)
        for log in logs:
            argument *= log.plus ** (log.sign * count)
        return ExactReal(self.rational * count, argument) if size(self.rational * count) <= LONGEST else None


@dataclass(frozen=True, slots=True)
class Selected:
    """At least the greatest loss of the best of several runs: the lesser of two bounds of Lemma 1.23."""

    sides: tuple[tuple[tuple[Greatest, int], ...], ...]
    """The greatest losses of the pairs of one run, in each direction, and how often each comes."""
    factor: Fraction | None
    """The loss of a run times this, or None if that is no bound."""
    shift: Fraction
    """The loss of a run and this."""

    def ends(self, bits: int) -> tuple[Fraction, Fraction]:
        """Bounds of it, with about so many binary digits; a run's loss is that of its dearer direction."""
        run = [NONE, NONE]
        for side in self.sides:
            found = [(one.ends(bits), count) for one, count in side]
            for end in (0, 1):
                run[end] = max(run[end], sum((count * ends[end] for ends, count in found), NONE))
        low, high = (
            one + self.shift if self.factor is None else min(one + self.shift, one * self.factor) for one in run
        )
        return low, high

    def exact(self, count: int) -> None:
        """It is a bound, and no number that is attained."""


@dataclass(frozen=True, slots=True)
class Unbounded:
    """The loss is greater than any number with positive probability, or may be; the sentence says why."""

    why: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """No bound of the losses is known from above; the sentence says of what."""

    why: str


Found = Greatest | Selected | Unbounded | Unknown


class BestOfRuns:
    """The profile of the best of several runs, which knows its greatest loss: `repeated.Selected`."""

    __slots__ = ()

    def __call__(self, epsilon: Fraction) -> Fraction:
        """At least delta, which is never more than 1."""
        return Fraction(1)

    def greatest(self) -> Found:
        """At least the greatest loss, or why none is known."""
        return Unknown("of the best of several runs no bound of the losses is known")


def greatest_loss(loss: Loss) -> Found:
    """The least epsilon at which the pair, or the worst mechanism within the bounds, has delta = 0."""
    match loss:
        case losses.Sampled(base, rate, "remove") | losses.FixedSize(base, rate):
            return removed(of_base(base), rate)
        case losses.Sampled(base, rate, "add"):
            return added(of_base(reverse(base)), rate)
        case losses.Sampled(base, rate):
            return replaced(of_base(base), rate)
        case losses.Profile(name=name, upper=StatedPoints(points)):
            return of_points(name, points)
        case losses.Profile(name=name, upper=upper):
            if isinstance(upper, BestOfRuns):
                return upper.greatest()
            return Unknown(f"of {name} no bound of the losses is known, and so no epsilon at delta 0")
        case losses.Concentrated():
            return Unbounded("Gaussian noise is rho-zCDP, and its losses are unbounded")
        case losses.Renyi(bounds):
            if any(epsilon == 0 for _, epsilon in bounds):
                return Greatest(NONE)
            return Unbounded("Gaussian noise of some scale is within the Renyi bounds, and its losses are unbounded")
        case losses.BoundedRange(epsilon):
            return Greatest(epsilon.rational, (Log(1, epsilon.argument),))
        case losses.Mixture(parts):
            return of_mixture([greatest_loss(part) for _, part in parts])
    return of_base(loss)


def of_mixture(parts: list[Found]) -> Found:
    """The greatest of the parts' greatest losses: the outcome tells which part it is, and each may be."""
    least = [one for one in parts if not isinstance(one, Greatest)]
    if least:
        return next((one for one in least if isinstance(one, Unbounded)), least[0])
    known = [one for one in parts if isinstance(one, Greatest)]
    found = max(known, key=lambda one: one.ends(COMPARED)[0])
    if any(one != found and one.ends(COMPARED)[1] > found.ends(COMPARED)[0] for one in known):
        return Unknown("which of several losses of a mixture is greatest is not decided")
    return found


def of_base(base: Base) -> Found:
    """ln of the greatest P(y) / Q(y)."""
    match base:
        case losses.Normal():
            return Unbounded("Gaussian noise has unbounded losses")
        case losses.DiscreteGaussian():
            return Unbounded("discrete Gaussian noise has unbounded losses")
        case losses.Laplace(epsilon):
            return Greatest(epsilon)
        case losses.DiscreteLaplace(epsilon, shift):
            return Greatest(epsilon * shift)
        case losses.Response(epsilon=epsilon, delta=delta):
            if delta:
                return Unbounded(f"what is private but for a delta of {delta} may then tell everything")
            return Greatest(epsilon.rational, (Log(1, epsilon.argument),))
        case losses.Finite(outcomes):
            if any(p and not q for p, q in outcomes):
                return Unbounded("an outcome is possible for one of two neighbours alone")
            return Greatest(NONE, (Log(1, max(p / q for p, q in outcomes if q)),))
    raise TypeError(f"a pair must be one of refdp.accounting.losses, got {type(base).__name__}")


def reverse(base: Base) -> Base:
    """(Q, P), or a pair with the same law of the loss: all but finite laws are like their reverse."""
    return losses.Finite(tuple((q, p) for p, q in base.outcomes)) if isinstance(base, losses.Finite) else base


def removed(base: Found, rate: Fraction) -> Found:
    """ln(1 + rate (e^m - 1)) = m + ln(rate + (1 - rate) e^-m), m being the greatest loss of the base."""
    if not isinstance(base, Greatest):
        return base
    return Greatest(base.rational, (*base.logs, mixed(1, rate, base)))


def added(base: Found, rate: Fraction) -> Found:
    """-ln(1 - rate + rate e^-m), m being the greatest loss of the reverse of the base; m may be infinite."""
    if not isinstance(base, Greatest):
        return Greatest(NONE, (Log(-1, 1 - rate),))
    return Greatest(NONE, (mixed(-1, 1 - rate, base),))


def replaced(base: Found, rate: Fraction) -> Found:
    """ln((1 - rate + rate e^m) / (1 - rate + rate e^-m)), m being the greatest loss of the noise."""
    if not isinstance(base, Greatest):
        return base
    return Greatest(base.rational, (*base.logs, mixed(1, rate, base), mixed(-1, 1 - rate, base)))


def mixed(sign: int, share: Fraction, base: Greatest) -> Log:
    """sign * ln(share + (1 - share) e^-m); m = a + ln b is the greatest loss of a base."""
    weight = 1 - share
    for log in base.logs:
        weight /= log.plus
    if base.rational == 0:
        return Log(sign, share + weight)
    return Log(sign, share, weight, base.rational)


def of_points(name: str, points: tuple[tuple[Fraction, Fraction], ...]) -> Found:
    """The least epsilon that is stated with delta = 0."""
    ends = [epsilon for epsilon, delta in points if delta == 0]
    if not ends:
        return Unbounded(f"of {name} none has delta 0, so that everything may be told with the least of their deltas")
    return Greatest(min(ends))
