"""How piecewise exponential polynomials are shifted, integrated or summed, and evaluated: exactly, or in floats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb, exp, factorial

from refdp.programs.probabilities.pieces import (
    CONSTANT,
    Coefficient,
    Key,
    Piece,
    Pieces,
    Place,
    add_to,
    combined,
    times,
)
from refdp.programs.probabilities.sums import NotComputed

BASE = 1 << 10
"""Powers in a tag are digits to this base."""


@dataclass(frozen=True, slots=True)
class Calculus:
    """The calculus on the line, or on the lattice of the whole numbers."""

    unit: Coefficient
    """u, but for the factor ln b where it has one; a float makes floats of all coefficients."""
    logarithmic: bool = False
    lattice: bool = False
    steps: list[int] = field(default_factory=list)
    """The m of 1 / (1 - e^(m u)), by the place of its power in a tag."""

    @property
    def gap(self) -> int:
        """How far below a place what is summed up to before it ends."""
        return 1 if self.lattice else 0

    @property
    def one(self) -> Coefficient:
        """The number 1."""
        return 1.0 if isinstance(self.unit, float) else Fraction(1)

    def laplace(self, rate: int) -> Pieces:
        """The density rate / 2 e^(-rate |z|); on the lattice e^(-rate |z|) alone, whatever the sum of that."""
        c, tag = (self.one, 0) if self.lattice else (self.unit * rate / 2, int(self.logarithmic))
        return Pieces((0,), ({(0, rate, 0, tag): c}, {(0, -rate, 0, tag): c}))

    def exponential(self, rate: int, mirrored: bool) -> Pieces:
        """The density of the exponential distribution, or of what is minus it."""
        c, tag = self.unit * rate, int(self.logarithmic)
        parts: tuple[Piece, Piece] = ({}, {(0, -rate, 0, tag): c})
        return Pieces((0,), ({(0, rate, 0, tag): c}, {}) if mirrored else parts)

    def uniform(self, low: int, high: int) -> Pieces:
        """The mass of each whole number from low to high."""
        return Pieces((low, high + 1), ({}, {CONSTANT: self.one / (high - low + 1)}, {}))

    def within(self, f: Pieces, low: Place | None, high: Place | None) -> Pieces:
        """f between low and high, both included, and 0 elsewhere."""
        inside: Piece = {CONSTANT: self.one}
        if low is not None:
            f = times(f, Pieces((low,), ({}, inside)))
        return f if high is None else times(f, Pieces((high + self.gap,), (inside, {})))

    def shifted(self, f: Pieces, by: Place) -> Pieces:
        """z -> f(z + by)."""
        return f if by == 0 else Pieces(tuple(b - by for b in f.breaks), tuple(self._moved(p, by) for p in f.parts))

    def _moved(self, piece: Piece, by: Place) -> Piece:
        """One part shifted."""
        found: dict[Key, Coefficient] = {}
        for (j, k, a, tag), c in piece.items():
            a, c = self._raised(a, c, k * by)
            for m in range(j + 1):
                add_to(found, (m, k, a, tag), c if m == j else c * comb(j, m) * by ** (j - m))
        return found

    def _raised(self, a: int, c: Coefficient, exponent: Place) -> tuple[int, Coefficient]:
        """The a and c of c e^(a u) e^(exponent u)."""
        if isinstance(self.unit, float):
            return a, c * exp(exponent * self.unit) if exponent else c
        if not isinstance(exponent, int):
            raise TypeError(f"places must be whole numbers where coefficients are exact, got {exponent}")
        return a + exponent, c

    def value(self, piece: Piece, place: Place) -> Piece:
        """The value of a part at a place, as a constant part."""
        found: dict[Key, Coefficient] = {}
        for (j, k, a, tag), c in piece.items():
            a, c = self._raised(a, c, k * place)
            if j == 0 or place != 0:
                add_to(found, (0, 0, a, tag), c * place**j if j else c)
        return found

    def accumulated(self, f: Pieces) -> Pieces:
        """F with F(z) the integral of f, or the sum of its values, up to z."""
        if any(k <= 0 for _, k, _, _ in f.parts[0]):
            raise NotComputed("an integral has no value")
        parts = [self.antiderivative(f.parts[0])]
        for place, piece in zip(f.breaks, f.parts[1:], strict=True):
            whole, before = self.antiderivative(piece), place - self.gap
            parts.append(combined(whole, combined(self.value(parts[-1], before), self.value(whole, before), -1)))
        return Pieces(f.breaks, tuple(parts))

    def limit(self, accumulated: Pieces) -> Piece:
        """The value of F at infinity."""
        last = accumulated.parts[-1]
        if any(k > 0 or k == 0 and j > 0 for j, k, _, _ in last):
            raise NotComputed("an integral has no value")
        return {key: c for key, c in last.items() if key[1] == 0}

    def antiderivative(self, piece: Piece) -> Piece:
        """A part whose derivative, or difference to the place before, is the piece."""
        found: dict[Key, Coefficient] = {}
        for (j, k, a, tag), c in piece.items():
            for (power, _, b, more), factor in self._antiderivatives(j, k):
                raised, scaled = self._raised(a, c * factor, b)
                add_to(found, (power, k, raised, tag + more), scaled)
        return found

    def _antiderivatives(self, j: int, k: int) -> Iterator[tuple[Key, Coefficient]]:
        """The summands of the antiderivative of z^j e^(k u z), without e^(k u z)."""
        if k == 0 and not self.lattice:
            yield (j + 1, 0, 0, 0), self.one / (j + 1)
        elif k == 0:
            yield from (((power, 0, 0, 0), self.one * c) for power, c in enumerate(powers_summed(j)) if c)
        elif self.lattice:
            for power, constant in self._weighted(j, k).items():
                for (_, _, a, tag), c in constant.items():
                    yield (power, 0, a, tag), c
        else:
            for m in range(j + 1):
                factor = (-1) ** m * (factorial(j) // factorial(j - m)) / (k * self.unit) ** (m + 1)
                yield (j - m, 0, 0, -(m + 1) * self.logarithmic), factor

    def _weighted(self, j: int, k: int) -> dict[int, Piece]:
        """The coefficients of a polynomial p with p(z) e^(k u z) - p(z - 1) e^(k u (z - 1)) = z^j e^(k u z), k != 0.

        That of z^m: (1 - e^(-k u)) p_m = [m = j] + e^(-k u) sum over l > m of p_l comb(l, m) (-1)^(l - m).
        """
        found: dict[int, Piece] = {}
        for m in range(j, -1, -1):
            right: dict[Key, Coefficient] = {CONSTANT: self.one} if m == j else {}
            for later, constant in found.items():
                for (_, _, a, tag), c in constant.items():
                    raised, scaled = self._raised(a, c * comb(later, m) * (-1) ** (later - m), -k)
                    add_to(right, (0, 0, raised, tag), scaled)
            found[m] = self._divided(right, k)
        return found

    def _divided(self, piece: Piece, k: int) -> Piece:
        """A constant part over 1 - e^(-k u), k != 0."""
        if isinstance(self.unit, float):
            return {key: c / (1 - exp(-k * self.unit)) for key, c in piece.items()}
        if abs(k) not in self.steps:
            self.steps.append(abs(k))
        tag = BASE ** self.steps.index(abs(k))
        # 1 / (1 - e^(-k u)) is -e^(k u) / (1 - e^(k u)) for k > 0.
        raised, sign = (k, -1) if k > 0 else (0, 1)
        return {(0, 0, a + raised, t + tag): c * sign for (_, _, a, t), c in piece.items()}


def powers_summed(j: int) -> list[Fraction]:
    """The coefficients of a polynomial p with p(z) - p(z - 1) = z^j.

    That of z^(m - 1): m p_m = [m - 1 = j] + sum over l > m of p_l comb(l, m - 1) (-1)^(l - m + 1).
    """
    found = [Fraction(0)] * (j + 2)
    for m in range(j + 1, 0, -1):
        later = (found[k] * comb(k, m - 1) * (-1) ** (k - m + 1) for k in range(m + 1, j + 2))
        found[m] = (Fraction(m == j + 1) + sum(later, Fraction(0))) / m
    return found
