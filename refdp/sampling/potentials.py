"""Potentials: log-concave weights exp(-q(k)) on the integers, q a polynomial in |k| with rational coefficients.

The coefficients are those of a mechanism's own formula `log_weight`, read exactly; nobody types them again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import zip_longest

from refdp.sampling.lazy import Enclosure, exp_minus
from refdp.spec.noise import AdditiveNoise
from refdp.terms.evaluation import RATIONALS, evaluate
from refdp.terms.term import Term, TermError

HIGHEST_DEGREE = 8
"""Largest degree of a potential: the error bound of `slots.check` is worked out up to here."""


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


def potential_of(noise: AdditiveNoise, values: Mapping[str, Fraction]) -> Potential:
    """-log_weight(granularity k) of a registered noise, as a polynomial in |k|.

    TermError if it is none, or not the same on both sides of 0.
    """
    if not noise.on_grid:
        raise TermError(f"{noise.stem} does not live on a grid")
    right = _on_one_side(noise, values, values["granularity"])
    if not is_even(noise.log_weight.term) and right != _on_one_side(noise, values, -values["granularity"]):
        raise TermError(f"the weights of {noise.stem} differ on both sides of 0")
    return Potential(tuple(-c for c in right[1:]))


@lru_cache(maxsize=64)
def is_even(formula: Term) -> bool:
    """Whether a formula is seen to be the same at z and -z: z stands in |z| and in even powers only."""
    match formula.operator, formula.arguments:
        case "name", _:
            return formula.value != "z"
        case "abs", (Term("name", (), "z"),):
            return True
        case "**", (Term("name", (), "z"), exponent) if exponent.rational % 2 == 0:
            return True
    return all(map(is_even, formula.arguments))


def _on_one_side(noise: AdditiveNoise, values: Mapping[str, Fraction], step: Fraction) -> tuple[Fraction, ...]:
    """The coefficients of log_weight at z = step n, as a polynomial in n >= 0."""
    at = {key: NoisePolynomial((value,)) for key, value in values.items()} | {"z": NoisePolynomial((Fraction(0), step))}
    try:
        found: NoisePolynomial = evaluate(noise.log_weight.term, at, IN_THE_NOISE)
    except TermError as error:
        raise TermError(f"the weights of {noise.stem} make no potential: {error}") from None
    return found.coefficients


@dataclass(frozen=True, slots=True)
class NoisePolynomial:
    """c_0 + c_1 n + c_2 n^2 + ..., where n >= 0 is any whole number; the last of several coefficients is not 0."""

    coefficients: tuple[Fraction, ...]

    @staticmethod
    def of(coefficients: Sequence[Fraction]) -> NoisePolynomial:
        """The polynomial, without what is 0 at its end; TermError if it is too large."""
        size = len(coefficients)
        while size > 1 and not coefficients[size - 1]:
            size -= 1
        if size > HIGHEST_DEGREE + 1:
            raise TermError(f"a potential must have degree <= {HIGHEST_DEGREE}, got {size - 1}")
        return NoisePolynomial(tuple(coefficients[:size]))

    def __neg__(self) -> NoisePolynomial:
        return NoisePolynomial(tuple(-c for c in self.coefficients))

    def __add__(self, other: NoisePolynomial) -> NoisePolynomial:
        pairs = zip_longest(self.coefficients, other.coefficients, fillvalue=Fraction(0))
        return NoisePolynomial.of([a + b for a, b in pairs])

    def __sub__(self, other: NoisePolynomial) -> NoisePolynomial:
        return self + -other

    def __mul__(self, other: NoisePolynomial) -> NoisePolynomial:
        found = [Fraction(0)] * (len(self.coefficients) + len(other.coefficients) - 1)
        for i, a in enumerate(self.coefficients):
            for j, b in enumerate(other.coefficients):
                if a and b:
                    found[i + j] += a * b
        return NoisePolynomial.of(found)

    def __truediv__(self, other: NoisePolynomial) -> NoisePolynomial:
        divisor = other.constant("a divisor")
        return NoisePolynomial(tuple(c / divisor for c in self.coefficients))

    def __pow__(self, exponent: int) -> NoisePolynomial:
        found = self if exponent else NoisePolynomial((Fraction(1),))
        for _ in range(exponent - 1):
            found = found * self
        return found

    def __abs__(self) -> NoisePolynomial:
        """|c n^i| = |c| n^i; TermError for a sum, whose sign may change."""
        if sum(map(bool, self.coefficients)) > 1:
            raise TermError("the absolute value of a sum is no polynomial")
        return NoisePolynomial(tuple(map(abs, self.coefficients)))

    def constant(self, what: str) -> Fraction:
        """c_0; TermError if n takes part."""
        if len(self.coefficients) > 1:
            raise TermError(f"{what} must not depend on the noise")
        return self.coefficients[0]


class InTheNoise:
    """The arithmetic of polynomials in n; what is constant may be compared, and put into functions that stay exact."""

    def number(self, value: Fraction) -> NoisePolynomial:
        return NoisePolynomial((value,))

    def function(self, name: str, *arguments: NoisePolynomial) -> NoisePolynomial:
        constants = (a.constant(f"the argument of {name}") for a in arguments)
        return NoisePolynomial((RATIONALS.function(name, *constants),))

    def holds(self, comparison: str, a: NoisePolynomial, b: NoisePolynomial) -> bool:
        return RATIONALS.holds(comparison, a.constant("what is compared"), b.constant("what is compared"))


IN_THE_NOISE = InTheNoise()
