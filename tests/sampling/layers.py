"""The law of a sampler, layer by layer: its own code is run, and calls of the layer below are branches of a tree.

A call that is answered branches by the law that is stated for it, not by its flips, so the tree is small and nearly all
of it is walked.  That the stated law is the callee's is what the walk of the callee shows: uniform and bernoulli on
flips, bernoulli_exp on bernoulli, geometric_exp on uniform and bernoulli_exp, the mechanisms on these.

Masses are integers, units of 2^-BITS, rounded down at each step: lower bounds, so that what they leave to 1 bounds
every error.  Attempts of `until` are independent and alike, so one of them is walked: if it gives k with probability at
least m(k) and nothing with probability at least r, then k comes first with probability at least m(k) (1 + r + r^2 +
...) = m(k) / (1 - r).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from types import MethodType
from typing import Any, TypeVar, cast

from refdp.numerics.elementary import exp_bounds
from refdp.sampling.coins import Coins
from refdp.sampling.tree import PartialLaw

Outcome = TypeVar("Outcome", bound=Hashable)
Options = list[tuple[Any, int]]
"""Answers of a call, each with a lower bound of its probability in units."""
BITS = 160
UNIT = 1 << BITS
DEFAULT_CUT = 64
"""Paths of probability below 2^-DEFAULT_CUT are cut."""


class Cut(Exception):
    """The path is too improbable to be followed."""


@dataclass(slots=True)
class _Place:
    """A call on the path: what was asked, the answers there are, and which one is tried."""

    call: Hashable
    options: Options
    index: int = 0


class _Walk:
    """The path at hand through the tree of calls, with its probability in units."""

    __slots__ = ("cut", "mass", "places", "used")

    def __init__(self, cut: int) -> None:
        self.places: list[_Place] = []
        self.used, self.mass, self.cut = 0, UNIT, UNIT >> cut

    def answer(self, call: Hashable, options: Callable[[], Options]) -> Any:
        """The answer on this path; Cut where the path becomes too improbable."""
        if self.used == len(self.places):
            self.places.append(_Place(call, options()))
        place = self.places[self.used]
        self.used += 1
        if place.call != call:
            raise ValueError(f"run must be a function of its answers alone, got {call} for {place.call}")
        found, probability = place.options[place.index] if place.options else (None, 0)
        self.mass = self.mass * probability >> BITS
        if self.mass < self.cut:
            raise Cut
        return found

    def advance(self) -> bool:
        """Go to the next path; False after the last one."""
        while self.places and self.places[-1].index + 1 >= len(self.places[-1].options):
            self.places.pop()
        if self.places:
            self.places[-1].index += 1
        self.used, self.mass = 0, UNIT
        return bool(self.places)


class Calls:
    """Stands in for `Coins`: calls of the methods in `answered` branch, all others run the code of `Coins`."""

    def __init__(self, answered: Collection[str], cut: int = DEFAULT_CUT) -> None:
        unknown = sorted(set(answered) - set(STATED))
        if unknown:
            raise ValueError(f"answered must be among {', '.join(STATED)}, got {unknown[0]}")
        self._answered, self._cut, self._walks = frozenset(answered), cut, list[_Walk]()

    def __getattr__(self, name: str) -> Any:
        if name not in self._answered:
            return MethodType(getattr(Coins, name), self)
        return lambda *arguments: self._walks[-1].answer((name, arguments), lambda: STATED[name](*arguments, self._cut))

    def until(self, attempt: Callable[[], Any]) -> Any:
        """The answer of a call whose law is that of `attempt`, given that it is not None."""
        return self._walks[-1].answer("until", lambda: first_success(self.masses(attempt)))

    def masses(self, run: Callable[[], Any]) -> Counter[Any]:
        """Outcome -> a lower bound of its probability, in units, by every path that is not cut."""
        found = Counter[Any]()
        self._walks.append(walk := _Walk(self._cut))
        try:
            while True:
                try:
                    outcome = run()
                except Cut:
                    pass
                else:
                    found[outcome] += walk.mass
                if not walk.advance():
                    return found
        finally:
            self._walks.pop()


def first_success(masses: Counter[Any]) -> Options:
    """The law of the first outcome that is not None, by the masses of one attempt."""
    again = UNIT - masses.pop(None, 0)
    return [(outcome, mass * UNIT // again) for outcome, mass in masses.items()] if again else []


def law_by_calls(
    run: Callable[[Coins], Outcome], answered: Collection[str], cut: int = DEFAULT_CUT
) -> PartialLaw[Outcome]:
    """The law of the outcome of `run(coins)` if the calls in `answered` have their stated laws.

    Paths of probability below 2^-cut are left open.  `run` must be a function of the answers alone.  Raises ValueError
    for a call that has no stated law.
    """
    calls = Calls(answered, cut)
    masses = calls.masses(lambda: run(cast(Coins, calls)))
    law = {outcome: Fraction(mass, UNIT) for outcome, mass in masses.items() if mass}
    return PartialLaw(law, 1 - sum(law.values(), Fraction(0)))


@lru_cache(maxsize=4096)
def exp_minus(gamma: Fraction) -> tuple[int, int]:
    """Integers with lower <= 2^BITS e^-gamma <= upper, where gamma >= 0."""
    lower, upper = (Fraction(end) * UNIT for end in exp_bounds(-Fraction(gamma), BITS))
    return int(lower), min(UNIT, -int(-upper // 1))


def _flip(_: int) -> Options:
    """0 or 1, each with probability 1/2."""
    return [(0, UNIT >> 1), (1, UNIT >> 1)]


def _bernoulli(p: Fraction, _: int) -> Options:
    """True with probability p."""
    return [(True, p.numerator * UNIT // p.denominator), (False, (1 - p).numerator * UNIT // p.denominator)]


def _bernoulli_exp(gamma: Fraction, _: int) -> Options:
    """True with probability e^-gamma."""
    lower, upper = exp_minus(gamma)
    return [(True, lower), (False, UNIT - upper)]


def _geometric_exp(gamma: Fraction, cut: int) -> Options:
    """k with probability (1 - e^-gamma) e^(-gamma k), as far as that is 2^-cut or more."""
    return list(_geometric_masses(*exp_minus(gamma), UNIT >> cut))


def _geometric_masses(lower: int, upper: int, least: int) -> Iterator[tuple[int, int]]:
    """Lower bounds of (1 - r) r^k for the r between the two, while at least `least`."""
    k, mass = 0, UNIT - upper
    while mass >= least:
        yield k, mass
        k, mass = k + 1, mass * lower >> BITS


def _uniform(n: int, _: int) -> Options:
    """Each k below n with probability 1/n."""
    return [(k, UNIT // n) for k in range(n)]


STATED: dict[str, Callable[..., Options]] = {
    "flip": _flip,
    "_is_below": _bernoulli,
    "bernoulli": _bernoulli,
    "_bernoulli_exp_to_one": _bernoulli_exp,
    "bernoulli_exp": _bernoulli_exp,
    "geometric_exp": _geometric_exp,
    "uniform": _uniform,
}
"""Method of `Coins` -> the law that its docstring states; the last argument is where masses are too small to list."""
