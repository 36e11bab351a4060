"""Potentials: log-concave weights exp(-q(k)) on the integers, q a polynomial in |k| with rational coefficients.

The coefficients are those of a mechanism's own formula `log_weight`, read exactly; nobody types them again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from refdp.numerics.exact import Exactly, positive
from refdp.numerics.polynomials import NotPolynomial, Polynomial, Workshop
from refdp.sampling.lazy import Enclosure, exp_minus
from refdp.spec.noise import AdditiveNoise
from refdp.spec.terms import Term, TermError, name, number, substitute

HIGHEST_DEGREE = 8
"""Largest degree of a potential: the error bound of `slots.check` is worked out up to here."""
WORK = 10_000
"""Products of coefficients that reading a formula may take."""


@dataclass(frozen=True, slots=True)
class Potential:
    """q(k) = c_1 |k| + c_2 |k|^2 + ... on the integers, or on k >= 0 only; every c_i >= 0 and one is > 0.

    So q is convex, 0 at 0 and rising away from it: the weights e^-q(k) are log-concave, and their sum is finite.
    """

    coefficients: tuple[Fraction, ...]
    two_sided: bool = True

    def __post_init__(self) -> None:
        exactly = all(isinstance(c, Fraction) for c in self.coefficients)
        if not exactly or any(c < 0 for c in self.coefficients) or not any(self.coefficients):
            raise ValueError(f"coefficients must be Fractions >= 0, one of them > 0, got {self.coefficients}")
        if len(self.coefficients) > HIGHEST_DEGREE:
            raise ValueError(f"a potential must have degree <= {HIGHEST_DEGREE}, got {len(self.coefficients)}")

    def __call__(self, k: int) -> Fraction:
        """q(k)."""
        n = abs(k)
        return sum((c * n**i for i, c in enumerate(self.coefficients, 1) if c), Fraction(0))

    def weight(self, k: int) -> Enclosure:
        """w(k) = e^-q(k)."""
        return exp_minus(self(k))

    def slope(self, n: int) -> Fraction:
        """q(n + 1) - q(n) > 0, where n >= 0."""
        return sum((c * ((n + 1) ** i - n**i) for i, c in enumerate(self.coefficients, 1)), Fraction(0))


def laplace(scale: Exactly) -> Potential:
    """|k| / scale, where scale > 0."""
    return Potential((1 / positive(scale, "scale"),))


def gaussian(sigma: Exactly) -> Potential:
    """k^2 / (2 sigma^2), where sigma > 0."""
    return Potential((Fraction(0), 1 / (2 * positive(sigma, "sigma") ** 2)))


def potential_of(noise: AdditiveNoise, values: Mapping[str, Fraction]) -> Potential:
    """-log_weight(granularity k) of a registered noise, as a polynomial in |k|.

    TermError if it is none, or not the same on both sides of 0.
    """
    if not noise.on_grid:
        raise TermError(f"{noise.stem} does not live on a grid")
    closed = substitute(noise.log_weight.term, {p: number(v) for p, v in values.items()})
    right, left = (_on_one_side(noise, closed, values["granularity"] * sign) for sign in (1, -1))
    if right != left:
        raise TermError(f"the weights of {noise.stem} differ on both sides of 0")
    degree = max((exponent for (_, exponent), *_ in filter(None, right)), default=0)
    return Potential(tuple(-right.get((("n", i),), Fraction(0)) for i in range(1, degree + 1)))


def _on_one_side(noise: AdditiveNoise, log_weight: Term, step: Fraction) -> Polynomial:
    """log_weight at z = step n as a polynomial in n >= 0, where |z| is |step| n."""
    try:
        return Workshop(WORK).polynomial(_put(log_weight, name("n") * number(step), name("n") * number(abs(step))))
    except NotPolynomial as error:
        raise TermError(f"the weights of {noise.stem} make no potential: {error}") from None


def _put(t: Term, z: Term, magnitude: Term) -> Term:
    """`t` with z and |z| replaced."""
    if t in (name("z"), abs(name("z"))):
        return z if t.operator == "name" else magnitude
    return Term(t.operator, tuple(_put(a, z, magnitude) for a in t.arguments), t.value)
