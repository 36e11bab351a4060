"""Parameters for a target (epsilon, delta): one value that provably meets it, and one beside it that provably does not.

The parameter to find stands as "?" in a spec: {"mechanism": "gaussian", "sigma": "?", "count": 1000}.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from refdp import work
from refdp.accounting.accounts import ABOVE, Account, Limits, Question
from refdp.accounting.curves import CLOCK, WORK
from refdp.accounting.estimating import Estimate, estimate
from refdp.accounting.inputs.spec import read_spec
from refdp.accounting.inversion import Bounds, interpolated
from refdp.accounting.losses import LossError, require
from refdp.accounting.numbers import LARGEST_COUNT, exponent_of_ten, number
from refdp.numerics.elementary import ln_bounds

FREE = "?"
FALLING = ("sigma", "scale")
"""More of these costs less privacy; more of the others costs more."""
RISING = ("count", "rate", "sensitivity", "epsilon", "rho")
WHOLE = ("count",)
LEAST, MOST = Fraction(1, 10**12), Fraction(10**12)
"""Parameters are looked for between these; a rate up to 1, a count from 1 to LARGEST_COUNT."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """`meets` provably meets the target and `fails` provably does not; None where no such value was found."""

    parameter: str
    meets: Fraction | None
    fails: Fraction | None
    reason: str | None = None
    """Why the two are further apart than asked for."""


def calibrate(
    spec: Mapping[str, Any], epsilon: object, delta: object, *, digits: int = 4, limits: Limits | None = None
) -> Calibration:
    """Values of the parameter that is "?" in the spec, next to each other with that many significant digits.

    Every "?" stands for the same value.  Raises LossError where there is none or where two parameters have one.
    """
    require(1 <= digits <= 12, "digits", "1 to 12", digits)
    name = free_parameter(spec)
    whole = name in WHOLE

    def stated(value: Fraction) -> Account:
        found = read_spec(filled(spec, int(value) if whole else value))
        return Account(found.neighbours, found.events)

    most, at = number(epsilon, "epsilon"), number(delta, "delta")
    Question(epsilon=most)
    pure = at == 0  # then epsilon is worked out, and compared with what is asked for; else delta is
    asked, limit = (Question(at), most) if pure else (Question(at, most), at)
    return _Search(name, stated, asked, limit, digits, limits or Limits()).calibration()


def free_parameter(spec: Any) -> str:
    """The one name under which "?" stands."""
    names = free_names(spec)
    known = (*FALLING, *RISING)
    require(len(names) == 1, "spec", 'one with "?" for one parameter', " and ".join(names) or "none")
    require(names[0] in known, 'the parameter with "?"', f"one of {', '.join(known)}", names[0])
    return names[0]


def free_names(spec: Any) -> list[str]:
    """The names under which "?" stands, each once."""
    return sorted(set(_free(spec)))


def _free(spec: Any) -> list[str]:
    """The keys whose value is "?"."""
    if isinstance(spec, Mapping):
        return [key for key, value in spec.items() if value == FREE] + [n for v in spec.values() for n in _free(v)]
    return [name for value in spec for name in _free(value)] if isinstance(spec, list | tuple) else []


def filled(spec: Any, value: Fraction | int) -> Any:
    """The spec with the value for every "?"."""
    if isinstance(spec, Mapping):
        return {key: filled(one, value) for key, one in spec.items()}
    if isinstance(spec, list | tuple):
        return [filled(one, value) for one in spec]
    return value if isinstance(spec, str) and spec == FREE else spec


@dataclass(slots=True)
class _Search:
    """The search for the two values."""

    name: str
    stated: Callable[[Fraction], Account]
    asked: Question
    """Which side of the target delta is, or at delta 0, which epsilon holds."""
    limit: Fraction
    """What the answer must be at most."""
    digits: int
    limits: Limits
    found: dict[Fraction, Bounds] = field(default_factory=dict)
    end: float = 0.0
    reason: str | None = None
    estimate: Estimate | None = None
    """Where a count is looked for first."""
    unsure: dict[Fraction, str] = field(default_factory=dict)
    """Values at which the bound misses the target, and why that does not show that the mechanism does."""

    def calibration(self) -> Calibration:
        with work.patient(self.limits.timeout):
            return self._calibration()

    def _calibration(self) -> Calibration:
        self.end = work.until(self.limits.timeout)
        try:
            self.estimate = self._estimate() if self.name in WHOLE else None
            self._searched(self._start())
            if self.reason and self.estimate is not None:  # not decided near the answer: perhaps it is farther off
                self.estimate, self.reason = None, None
                self.found.clear()
                self.unsure.clear()
                self._searched(self._start())
        except KeyboardInterrupt:
            self.reason = "interrupted"
        good, bad = self._nearest()
        if bad in self.unsure:
            return Calibration(self.name, good, None, self.reason or self.unsure[bad])
        return Calibration(self.name, good, bad, self.reason)

    def _searched(self, value: Fraction | None) -> None:
        """Tries value after value, from this one on."""
        low, high = self._range()
        while value is not None:
            self._try(value)
            value = None if self.reason else self._next(low, high)

    def _start(self) -> Fraction:
        """Which value is tried first."""
        if self.estimate is not None:
            return Fraction(self.estimate.count_at(0.0))
        return Fraction(1, 100) if self.name == "rate" else Fraction(1)

    def _estimate(self) -> Estimate | None:
        """About how delta grows with the count."""
        once, twice = (self.stated(Fraction(count)).compositions for count in (1, 2))
        sides = [(product, twice[side]) for side, product in once.items() if side in twice]
        if self.asked.delta is None or self.asked.epsilon is None:  # pure accounts cost nothing
            return None
        return estimate(sides, self.asked.epsilon, self.asked.delta)

    def _range(self) -> tuple[Fraction, Fraction]:
        """Where the parameter is looked for."""
        if self.name in WHOLE:
            return Fraction(1), Fraction(LARGEST_COUNT)
        return LEAST, Fraction(1) if self.name == "rate" else MOST

    def _try(self, value: Fraction) -> None:
        """What the target costs there."""
        left = self.end - work.spent()
        if left <= 0:
            self.reason = CLOCK if work.stopped_by_clock() else WORK
            return
        share = left if self.estimate is None else left / 2  # what is left over is for the search without it
        limits = Limits(self.limits.width, share, self.limits.memory)
        (answer,) = self.stated(value).answers([self.asked], limits, partial=False)
        self.found[value] = answer.bounds
        if not self._meets(value) and not self._fails(value):
            if answer.reason is not None and answer.reason.startswith(ABOVE):
                self.unsure[value] = answer.reason  # the search goes on: what meets the target is known
                return
            self.reason = f"at {self.name} = {float(value):.6g} it is not decided: {answer.reason}"

    def _meets(self, value: Fraction) -> bool:
        upper = self.found[value].upper
        return upper is not None and upper <= self.limit

    def _fails(self, value: Fraction) -> bool:
        lower = self.found[value].lower
        return lower is None or lower > self.limit or value in self.unsure

    def _nearest(self) -> tuple[Fraction | None, Fraction | None]:
        """The best values so far that meet the target and that do not."""
        good = [value for value in self.found if self._meets(value)]
        bad = [value for value in self.found if self._fails(value)]
        if self.name in FALLING:
            return min(good, default=None), max(bad, default=None)
        return max(good, default=None), min(bad, default=None)

    def _next(self, low: Fraction, high: Fraction) -> Fraction | None:
        """Where to look next; None when the two are neighbours or the range ends."""
        good, bad = self._nearest()
        if good is None or bad is None:
            upward = (good is None) == (self.name in FALLING)
            last = max(self.found) if upward else min(self.found)
            if last == (high if upward else low):
                return None
            if self.estimate is not None:
                return min(max(low, self._stepped(self.estimate, last, upward)), high)
            return min(high, last * 4) if upward else max(low, self._rounded(last / 4))
        a, b = min(good, bad), max(good, bad)
        if b - a <= self._unit(a):
            return None
        guess = self._rounded(self._guess(a, b))
        middle = self._rounded((a + b) / 2)
        return guess if a < guess < b else middle if a < middle < b else None

    def _stepped(self, estimate: Estimate, last: Fraction, upward: bool) -> Fraction:
        """Beyond where the target is likely crossed; ever farther, as long as it is not."""
        found = Fraction(estimate.beyond(int(last), float(self._height(last)), upward))
        apart = max(self.found) - min(self.found)
        return max(found, last + 4 * apart) if upward else min(found, last - 4 * apart)

    def _guess(self, a: Fraction, b: Fraction) -> Fraction:
        """Interpolation of ln delta, or the middle."""
        points = sorted(((x, self._height(x)) for x in self.found), key=lambda point: abs(point[1]))
        near = interpolated(points[:3], self._unit(a))
        if near is None or len(self.found) % 4 == 3:
            return (a + b) / 2
        root, error = near
        return root + error if b - root > root - a else root - error

    def _height(self, value: Fraction) -> Fraction:
        """About ln(what was found there / the limit)."""
        bounds, limit = self.found[value], self.limit or Fraction(1)
        if bounds.lower is None:
            return Fraction(10**6)
        low, high = bounds.lower or Fraction(0), Fraction(1) if bounds.upper is None else bounds.upper
        near = self.estimate is not None and low > limit  # once it is known to fail, no better upper bound is sought
        middle = low if near else (low + high) / 2
        return ln_bounds(middle / limit, 96)[0] if middle > 0 else Fraction(-(10**6))

    def _unit(self, value: Fraction) -> Fraction:
        """The last digit."""
        if self.name in WHOLE:
            return Fraction(1)
        return Fraction(10) ** (exponent_of_ten(value) + 1 - self.digits)

    def _rounded(self, value: Fraction) -> Fraction:
        """The value with few digits."""
        unit = self._unit(value) if value > 0 else Fraction(1)
        return value // unit * unit


__all__ = ["Calibration", "LossError", "calibrate", "filled", "free_names", "free_parameter"]
