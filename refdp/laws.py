"""Laws of noise on the line around 0, Laplace and Gauss, of integers or reals: read off the mechanism's own weight.

A law has a weight (the registered `log_weight` of its stem) and a spread.  Masses of intervals are certified: they are
enclosures and carry verdicts.  Rough masses and quantiles are floats: they choose cells and alternatives only.

Masses of the discrete Gaussian law are sums where sigma is small, and integrals with proved error where it is not.
With f(x) = e^(-x^2 / (2 s^2)), w(k) = f(k), and the sum Z of all w(k):
- s <= LARGEST_SUMMED: sums; what comes after K > 0 is at most w(K + 1) / (1 - w(K + 2) / w(K + 1)), as ratios fall.
- otherwise, for 0 <= a < b, the sum of f(k) over a < k <= b is the integral of f from a + 1/2 to b + 1/2 up to an error
  of (b - a) M / 24, M being the most that |f''| takes there (midpoint rule); |f''(x)| = f(x) |x^2 / s^2 - 1| / s^2, so
  that M <= f(a + 1/2) max(1, (b + 1/2)^2 / s^2) / s^2.
- the rest after a, where a + 1/2 >= s: f is convex and falls there, so f(k) is at most its integral over
  [k - 1/2, k + 1/2] and at least that over [k, k + 1].
- Z = s sqrt(2 pi) (1 + 2 sum over j >= 1 of e^(-2 pi^2 s^2 j^2)) (Poisson summation), and for s >= 10 what is added to
  1 is positive and below 4 e^(-1900) < 2^-1000.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import erfc, exp, log, sqrt, tanh
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from refdp.numerics.arithmetic import Intervals
from refdp.numerics.enclosures import Balls, interval, precision
from refdp.numerics.exact import Exactly, positive
from refdp.numerics.intervals import Interval
from refdp.sampling.potentials import Potential, potential_of
from refdp.spec import registry
from refdp.spec.noise import AdditiveNoise
from refdp.terms.evaluation import evaluate

if TYPE_CHECKING:
    from refdp.numerics.enclosures import Ball

BITS = 128
LARGEST_SUMMED = 512
"""Largest sigma whose weights are summed one by one."""
FAR = 15
"""Sums end this many sigma out, where the weight is below 2^-162."""
LARGEST_SUMMED_ROUGHLY = 100
"""The same for sums of floats."""
HALF = Fraction(1, 2)
End = Fraction | None
"""An end of an interval; None for infinity."""
LATTICE: Mapping[str, str] = {"discrete_laplace": "scale", "discrete_gaussian": "sigma"}
REAL: Mapping[str, str] = {"laplace": "scale", "gaussian": "sigma"}
"""The stems of laws of integers and of continuous laws, and what each calls its spread."""
SPREADS: Mapping[str, str] = {**LATTICE, **REAL}
TAILS: Mapping[str, Callable[[float], float]] = {
    "laplace": lambda x: exp(-x) / 2,
    "gaussian": lambda x: erfc(x / sqrt(2)) / 2,
}
"""Rough tails of the continuous laws of spread 1."""


@dataclass(frozen=True, slots=True)
class Law:
    """The noise of a mechanism around 0, of the reals or in steps of its grid: its stem, and its scale or sigma > 0."""

    stem: str
    spread: Fraction
    """The scale or standard deviation: the unit of arguments below."""

    def __post_init__(self) -> None:
        if self.stem not in SPREADS:
            raise ValueError(f"law must be one of {', '.join(SPREADS)}, got {self.stem}")
        object.__setattr__(self, "spread", positive(self.spread, self.parameter))

    def __str__(self) -> str:
        """The law in words."""
        family = "Laplace law of scale" if self.shape == "laplace" else "Gaussian law of sigma"
        return f"the {'discrete ' if self.lattice else ''}{family} {self.spread}"

    @property
    def parameter(self) -> str:
        """What the mechanism calls its spread."""
        return SPREADS[self.stem]

    @property
    def lattice(self) -> bool:
        """Whether it is a law of integers."""
        return self.stem in LATTICE

    @property
    def shape(self) -> str:
        """The name of its family, on the lattice and on the reals."""
        return self.stem.removeprefix("discrete_")

    @property
    def noise(self) -> AdditiveNoise:
        """The formulas of the mechanism, which are the law's."""
        import refdp.mechanisms  # noqa: F401  (registers them)

        return registry.lookup(self.stem, AdditiveNoise)

    @property
    def potential(self) -> Potential:
        """-ln of the weights as samplers of integers take them; TermError for a continuous law."""
        return potential_of(self.noise, {self.parameter: self.spread, "granularity": Fraction(1)})

    def log_weight(self, z: Fraction | int) -> Fraction:
        """ln of the weight or density at z, up to a constant in z."""
        values = {self.parameter: self.spread, "z": Fraction(z)}
        return Fraction(evaluate(self.noise.log_weight.term, values))

    def rescaled(self, factor: Fraction) -> Law:
        """The law of the same family with spread times the factor."""
        return replace(self, spread=self.spread * factor)

    def mass(self, above: End, upto: End) -> Interval:
        """Enclosure of P[above < X <= upto]; neither end is strictly on the other side of 0 than the other.

        For integers, "on the side of 0" means that both are >= 0, both are <= -1, or that they are -1 and 0.
        """
        match self.stem:
            case "discrete_laplace":
                return _geometric_mass(self, above, upto)
            case "discrete_gaussian":
                return _gaussian_mass(self, *_whole(above, upto))
        a, b = mirrored(above, upto, False)
        found = _tail(self, a) if b is None else _tail(self, a) - _tail(self, b)
        return Interval(max(found.lower, Fraction(0)), found.upper, BITS)

    def rough(self, above: End, upto: End, factor: float = 1.0) -> float:
        """About P[above < factor X <= upto], for such ends."""
        match self.stem:
            case "discrete_laplace":
                return _rough_geometric(self.spread, above, upto, factor)
            case "discrete_gaussian":
                return _rough_gaussian(self.spread * Fraction(factor), *_whole(above, upto))
        a, b = mirrored(above, upto, False)
        tail = TAILS[self.shape]
        return tail(ratio(a, self.spread) / factor) - (0.0 if b is None else tail(ratio(b, self.spread) / factor))

    def below(self, x: Fraction) -> float:
        """About P[X <= x]."""
        if self.lattice:
            x = Fraction(x.numerator // x.denominator)
        return self.rough(None, x) if x < 0 else 1 - self.rough(x, None)

    def quantile(self, tail: float) -> float:
        """About the x >= 0 in units of the spread with P[X > x spread] = tail, for tail <= 1/2."""
        return -log(2 * tail) if self.shape == "laplace" else -NormalDist().inv_cdf(tail)


@dataclass(frozen=True, slots=True)
class Reference:
    """The law that outputs are compared with: location + granularity X, X of a law on the line, or a finite one."""

    line: Law | None = None
    location: Fraction = Fraction(0)
    granularity: Fraction = Fraction(1)
    masses: tuple[tuple[Hashable, Any], ...] = ()
    """Outcome and probability, exact or enclosed, of a finite law."""
    name: str = "the finite law"
    """Of a finite law."""

    def __str__(self) -> str:
        """The law as it is written in Python."""
        if self.line is None:
            return self.name
        around = f", location={self.location}" if self.location else ""
        steps = f", granularity={self.granularity}" if self.granularity != 1 else ""
        return f"{self.line.stem}({self.line.parameter}={self.spread}{around}{steps})"

    @property
    def outcomes(self) -> tuple[Hashable, ...]:
        """What a finite law gives."""
        return tuple(y for y, _ in self.masses)

    @property
    def on_line(self) -> Law:
        """The law on the line; ValueError for a finite one."""
        if self.line is None:
            raise ValueError("a finite law has no spread and no distribution function")
        return self.line

    @property
    def spread(self) -> Fraction:
        """Scale or standard deviation of the outputs."""
        return self.on_line.spread * self.granularity

    def below(self, x: Fraction) -> float:
        """About P[output <= x]."""
        return self.on_line.below((x - self.location) / self.granularity)


def laplace(scale: Exactly) -> Law:
    """The continuous Laplace law of that scale > 0."""
    return Law("laplace", positive(scale, "scale"))


def gaussian(sigma: Exactly) -> Law:
    """The normal law with mean 0 and standard deviation sigma > 0."""
    return Law("gaussian", positive(sigma, "sigma"))


def discrete_laplace(scale: Exactly) -> Law:
    """P[k] = (1 - r) / (1 + r) r^|k| on the integers, r = e^(-1 / scale), scale > 0."""
    return Law("discrete_laplace", positive(scale, "scale"))


def discrete_gaussian(sigma: Exactly) -> Law:
    """P[k] proportional to e^(-k^2 / (2 sigma^2)) on the integers, sigma > 0."""
    return Law("discrete_gaussian", positive(sigma, "sigma"))


def mirrored(above: End, upto: End, lattice: bool) -> tuple[Fraction, End]:
    """The interval of the right side that a symmetric law gives the same mass: (a, b] with 0 <= a."""
    if above is not None and above >= 0:
        return above, upto
    if upto is None or upto > (-1 if lattice else 0):
        raise ValueError(f"an interval must be on one side of 0, got ({above}, {upto}]")
    # Integers: a < X <= b is -b <= -X < -a, that is -b - 1 < -X <= -a - 1.  Else single points have no mass.
    shift = int(lattice)
    return -upto - shift, None if above is None else -above - shift


def _is_atom(above: End, upto: End) -> bool:
    """Whether the interval is {0}, for integers."""
    return above == -1 and upto == 0


def _whole(above: End, upto: End) -> tuple[int, int | None]:
    """The interval of integers on the right side; (-1, 0] is {0}."""
    if _is_atom(above, upto):
        return -1, 0
    a, b = mirrored(above, upto, True)
    return int(a), None if b is None else int(b)


def ratio(x: Fraction, unit: Fraction) -> float:
    """x / unit as a float, 1e300 where it is more."""
    found = x / unit
    return float(found) if found < 10**300 else 1e300


def _tail(law: Law, x: Fraction) -> Interval:
    """Enclosure of P[X > x] of a continuous law, for x >= 0."""
    arithmetic = Intervals(BITS)
    if law.shape == "gaussian":
        found: Interval = arithmetic.function("normal_tail", arithmetic.number(x / law.spread))
        return found
    return arithmetic.number(HALF) * arithmetic.function("exp", arithmetic.number(law.log_weight(x)))


def _geometric_mass(law: Law, above: End, upto: End) -> Interval:
    """The mass under the discrete Laplace law, with P[X > k] = r^(k + 1) / (1 + r) for k >= 0."""
    scale = law.spread
    arithmetic = Intervals(BITS + 2 * abs(scale.numerator.bit_length() - scale.denominator.bit_length()))

    def power(k: Fraction | int) -> Interval:
        """r^k, which is the weight of k."""
        found: Interval = arithmetic.function("exp", arithmetic.number(law.log_weight(k)))
        return found

    one = arithmetic.number(Fraction(1))
    if _is_atom(above, upto):
        return (one - power(1)) / (one + power(1))
    a, b = mirrored(above, upto, True)
    rest = one if b is None else one - power(b - a)
    return power(a + 1) * rest / (one + power(1))


def _rough_geometric(scale: Fraction, above: End, upto: End, factor: float) -> float:
    """About the same, of the law with its scale times the factor."""
    unit = 1 / factor
    if _is_atom(above, upto):
        return tanh(unit * ratio(Fraction(1), scale) / 2)
    a, b = mirrored(above, upto, True)
    first = exp(-unit * ratio(a + 1, scale)) / (1 + exp(-unit * ratio(Fraction(1), scale)))
    return first * (1.0 if b is None else 1 - exp(-unit * ratio(b - a, scale)))


def _gaussian_mass(law: Law, above: int, upto: int | None) -> Interval:
    """The mass under the discrete Gaussian law, for 0 <= above < upto; for {0}, above = -1 and upto = 0."""
    with precision(BITS):
        if law.spread > LARGEST_SUMMED:
            return _clipped(_by_integrals(law, above, upto))
        tails = _tails(law)
        whole = 2 * tails[0] + 1
        if above < 0:
            return interval(1 / whole, BITS)
        most = len(tails) - 1
        first = tails[min(above, most)]
        if above > most:  # the rest after `above` is positive, and less than that after `most`
            first = first.union(Balls(BITS).number(Fraction(0)))
        rest = first if upto is None or upto > most else first - tails[upto]
        if upto is not None and upto > most:
            rest = (first - tails[most]).union(first)
        return _clipped(rest / whole)


def _clipped(ball: Ball) -> Interval:
    """The enclosure of a probability."""
    found = interval(ball, BITS)
    return Interval(max(found.lower, Fraction(0)), max(found.upper, Fraction(0)), BITS)


@lru_cache(maxsize=8)
def _tails(law: Law) -> tuple[Ball, ...]:
    """The sum of w(j) over j > k, for k = 0, 1, ... to FAR sigma."""
    balls, last = Balls(BITS), int(FAR * law.spread) + 2

    def weight(k: int) -> Ball:
        return balls.function("exp", balls.number(law.log_weight(k)))

    after, next_one = weight(last + 1), weight(last + 2)
    total = after.union(after / (1 - next_one / after))
    found = [total]
    for k in range(last, 0, -1):
        total = total + weight(k)
        found.append(total)
    return tuple(reversed(found))


def _by_integrals(law: Law, above: int, upto: int | None) -> Ball:
    """The mass where sigma is large."""
    balls, sigma = Balls(BITS), law.spread

    def tail(x: Fraction) -> Ball:
        """The integral of f from x on over s sqrt(2 pi)."""
        return balls.function("normal_tail", balls.number(x / sigma))

    root = balls.function("sqrt", 2 * balls.function("pi")) * balls.number(sigma)
    excess = balls.number(Fraction(0)).union(balls.number(Fraction(1, 2**1000)))
    if above < 0:
        return 1 / root / (1 + excess)
    middle = above + HALF
    if upto is None and middle < sigma:
        raise ValueError(f"above must be at least sigma = {sigma} for a half line, got {above}")
    if upto is None:
        return tail(middle).union(tail(Fraction(above + 1))) / (1 + excess)
    found = tail(middle) - tail(upto + HALF)
    height = balls.function("exp", balls.number(law.log_weight(middle)))
    bend = max(Fraction(1), (upto + HALF) ** 2 / sigma**2) / sigma**2 * Fraction(upto - above, 24)
    slack = height * balls.number(bend) / root
    return (found - slack).union(found + slack) / (1 + excess)


def _rough_gaussian(sigma: Fraction, above: int, upto: int | None) -> float:
    """About the mass under the discrete Gaussian law, in floats."""
    if sigma <= LARGEST_SUMMED_ROUGHLY:
        tails = _rough_tails(float(sigma))
        whole, most = 2 * tails[0] + 1, len(tails) - 1
        if above < 0:
            return 1 / whole
        return (tails[min(above, most)] - (0.0 if upto is None else tails[min(upto, most)])) / whole
    if above < 0:
        return float(1 / sigma) / 2.5066282746310002
    ends = [(Fraction(2 * k + 1, 2) / sigma) for k in (above, upto) if k is not None]
    tails_at = [TAILS["gaussian"](float(min(x, Fraction(100)))) for x in ends]
    return tails_at[0] - (tails_at[1] if upto is not None else 0.0)


@lru_cache(maxsize=64)
def _rough_tails(sigma: float) -> tuple[float, ...]:
    """The sum of w(j) over j > k, for k = 0, 1, ..., in floats."""
    total, found = 0.0, [0.0]
    for k in range(int(FAR * sigma) + 2, 0, -1):
        total += exp(-k * k / (2 * sigma * sigma))
        found.append(total)
    return tuple(reversed(found))
