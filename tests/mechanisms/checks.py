"""What the tests of mechanisms share: laws by their definition in mpmath, at 200 digits, and walks of samplers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from mpmath import MPContext

from refdp.numerics.intervals import Interval
from refdp.numerics.masses import mass, masses
from refdp.sampling.coins import Coins
from refdp.sampling.entropy import Bits
from refdp.sampling.schemes import draw
from refdp.sampling.tree import PartialLaw, law_of
from refdp.spec.registry import Kind
from refdp.spec.samplers import Scheme
from refdp.terms.reading import read
from refdp.terms.term import Term
from tests.exactness.entering import entered

MP = MPContext()
MP.dps = 200
TINY = MP.mpf(10) ** -150
"""Far above what 200 digits lose in these tests, far below what they look for."""
NOT_NUMBERS = (float("nan"), float("inf"), float("-inf"), 0.5, None, True, "nan", "1/0", "one", (1,))
"""What is no exact number."""


def real(x: Fraction | int | str) -> Any:
    """An exact number in mpmath."""
    exact = Fraction(x)
    return MP.mpf(exact.numerator) / exact.denominator


def encloses(found: Interval, expected: Any) -> bool:
    """Whether the interval holds the number, as far as 200 digits tell, and is narrow: its ends agree to 2^-50."""
    low, high = real(found.lower), real(found.upper)
    return bool(low - TINY <= expected <= high + TINY and high - low <= expected * MP.mpf(2) ** -50 + TINY)


def misses(subject: str, x: Any, law: Mapping[Any, Any]) -> list[Any]:
    """The outcomes whose enclosed mass is not the one that the law says."""
    found = read(subject)
    return [y for y, p in law.items() if not encloses(mass(found, y, x), p)]


def worst_loss(first: Mapping[Any, Any], second: Mapping[Any, Any]) -> Any:
    """The greatest log ratio of two masses, either way round."""
    return max(abs(MP.log(first[y] / second[y])) for y in first.keys() & second.keys())


def renyi(first: Mapping[Any, Any], second: Mapping[Any, Any], order: Fraction | int) -> Any:
    """The Renyi divergence of an order above 1."""
    n = real(order)
    moment = sum(p**n * second[y] ** (1 - n) for y, p in first.items() if y in second)
    return MP.log(moment) / (n - 1)


def walked(subject: str, x: Any, depth: int, kind: Kind | None = None, scheme: Scheme | None = None) -> PartialLaw[Any]:
    """The law of the sampler of a subject, of a variant's where one is given, by its coin-flip tree."""
    found = read(subject)
    if kind is None:
        return law_of(lambda bits: draw(found, x, Coins(bits)), depth)
    with entered(kind, schemes={} if scheme is None else {kind.stem: scheme}):
        return law_of(lambda bits: draw(found, x, Coins(bits)), depth)


def program(run_it: Callable[[Coins], Any], depth: int) -> PartialLaw[Any]:
    """The law of a sampler that a test writes itself."""

    def run_on(bits: Bits) -> Any:
        return run_it(Coins(bits))

    return law_of(run_on, depth)


def refuted(found: PartialLaw[Any], subject: str, x: Any, outcomes: Iterable[Any] = ()) -> list[Any]:
    """The outcomes that cannot have the mass under the walked law that they have by the formulas."""
    seen, term = [*found.masses, *outcomes], read(subject)
    expected = {y: mass(term, y, x) for y in dict.fromkeys(seen)}
    return [y for y, p in expected.items() if not found.admits(y, p.lower, p.upper)]


def finite_masses(subject: str | Term, x: Any) -> dict[Any, Interval]:
    """Outcome -> enclosure."""
    return masses(read(subject) if isinstance(subject, str) else subject, x)


def one_number(domain: str) -> str:
    """How a mechanism on single numbers refuses a tuple of one."""
    ways = "for one vector give the mechanism a dimension, for independent draws, one of each number, call `each`"
    return f"the input must be one number, a member of {domain}, got 1: {ways}"
