"""Functions of one variable that are exponential polynomials between breakpoints, with exact coefficients or floats.

A summand is c z^j e^(k u z) e^(a u) with whole j, k and a, where u > 0 is the unit of the calculus: all rates of a
problem are multiples of it, and exact breakpoints are whole numbers.  A fourth whole number, the tag, stands for a
power of ln b where u is a multiple of ln b, and on the lattice of the whole numbers for a product of 1 / (1 - e^(m u)).
With floats e^(a u) and what the tag stands for are part of the coefficient.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb, exp, factorial

from refdp.programs.probabilities.sums import NotComputed

Coefficient = Fraction | float
Place = int | float
"""A breakpoint or a shift: whole with exact coefficients."""
Key = tuple[int, int, int, int]
"""(j, k, a, tag)."""
Piece = Mapping[Key, Coefficient]
CONSTANT: Key = (0, 0, 0, 0)
BASE = 1 << 10
"""Powers in a tag are digits to this base."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """Part i from breakpoint i - 1 on to before breakpoint i; of a continuous variable the ends do not count."""

    breaks: tuple[Place, ...]
    parts: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Calculus:
    """How such functions are shifted, integrated (or summed, on the lattice) and evaluated."""

    unit: Coefficient
    """u, but for the factor ln b where it has one; a float makes floats of all coefficients."""
    logarithmic: bool = False
    lattice: bool = False
    steps: list[int] = field(default_factory=list)
    """The m of 1 / (1 - e^(m u)), by the place of its power in a tag."""

    @property
    def gap(self) -> int:
        """How far below a place the sum up to before it ends."""
        return 1 if self.lattice else 0

    @property
    def one(self) -> Coefficient:
        """The number 1."""
        return 1.0 if isinstance(self.unit, float) else Fraction(1)

    def laplace(self, rate: int) -> Pieces:
        """The density of the Laplace distribution; on the lattice its mass but for `scaling`."""
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
        for place, keeps in ((low, (0, 1)), (None if high is None else high + self.gap, (1, 0))):
            if place is not None:
                f = times(f, Pieces((place,), tuple({CONSTANT: self.one} if kept else {} for kept in keeps)))
        return f

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
        """c e^(a u) e^(exponent u)."""
        if isinstance(exponent, int) and not isinstance(self.unit, float):
            return a + exponent, c
        return a, c * exp(exponent * self.unit) if exponent else c

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
        parts: list[Piece] = []
        constant: Piece = {}
        for i, piece in enumerate(f.parts):
            whole = self.antiderivative(piece)
            if i:
                before = f.breaks[i - 1] - self.gap
                constant = combined(self.value(parts[-1], before), self.value(whole, before), -1)
            parts.append(combined(whole, constant))
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
            if self.lattice:
                for key, factor in self._sum(j, k).items():
                    _, _, b, more = key
                    a_b, c_f = self._raised(a, c * factor, b) if b else (a, c * factor)
                    add_to(found, (key[0], k, a_b, tag + more), c_f)
            elif k == 0:
                add_to(found, (j + 1, 0, a, tag), c / (j + 1))
            else:
                rate = k * self.unit
                for m in range(j + 1):
                    factor = (-1) ** m * (factorial(j) // factorial(j - m)) / rate ** (m + 1)
                    add_to(found, (j - m, k, a, tag - (m + 1) * self.logarithmic), c * factor)
        return found

    def _sum(self, j: int, k: int) -> Piece:
        """A polynomial p with p(z) e^(k u z) - p(z - 1) e^(k u (z - 1)) = z^j e^(k u z)."""
        found: dict[Key, Coefficient] = {}
        known: dict[int, dict[Key, Coefficient]] = {}
        top = j + 1 if k == 0 else j
        # The coefficient of z^m: p_m - e^(-k u) sum over l >= m of p_l comb(l, m) (-1)^(l - m) = [m = j].
        for m in range(top, -1, -1):
            if k == 0 and m == 0:
                continue
            sums: dict[Key, Coefficient] = {}
            place = m - 1 if k == 0 else m
            for later, coefficient in known.items():
                for (_, _, a, tag), c in coefficient.items():
                    a, c = self._raised(a, c, -k)
                    add_to(sums, (0, 0, a, tag), c * comb(later, place) * (-1) ** (later - place))
            if place == j:
                add_to(sums, CONSTANT, self.one)
            known[m] = {key: c / m for key, c in sums.items()} if k == 0 else self._divided(sums, k)
            for (_, _, a, tag), c in known[m].items():
                add_to(found, (m, 0, a, tag), c)
        return found

    def _divided(self, piece: Piece, k: int) -> dict[Key, Coefficient]:
        """A constant part over 1 - e^(-k u), k != 0."""
        if isinstance(self.unit, float):
            return {key: c / (1 - exp(-k * self.unit)) for key, c in piece.items()}
        if abs(k) not in self.steps:
            self.steps.append(abs(k))
        tag = BASE ** self.steps.index(abs(k))
        # 1 / (1 - e^(-k u)) is -e^(k u) / (1 - e^(k u)) for k > 0.
        raised, c_k = (k, -1) if k > 0 else (0, 1)
        return {(0, 0, a + raised, t + tag): c * c_k for (_, _, a, t), c in piece.items()}


def merged(f: Pieces, g: Pieces, join: Callable[[Piece, Piece], Piece]) -> Pieces:
    """Part by part, on breakpoints of both."""
    breaks: list[Place] = []
    parts = [join(f.parts[0], g.parts[0])]
    i = j = 0
    while i < len(f.breaks) or j < len(g.breaks):
        here = min(f.breaks[i : i + 1] + g.breaks[j : j + 1])
        i += i < len(f.breaks) and f.breaks[i] == here
        j += j < len(g.breaks) and g.breaks[j] == here
        breaks.append(here)
        parts.append(join(f.parts[i], g.parts[j]))
    return Pieces(tuple(breaks), tuple(parts))


def times(f: Pieces, g: Pieces) -> Pieces:
    """f g."""
    return merged(f, g, product)


def difference(f: Pieces, g: Pieces) -> Pieces:
    """f - g."""
    return merged(f, g, lambda p, q: combined(p, q, -1))


def constant(value: Piece) -> Pieces:
    """A function with that value everywhere."""
    return Pieces((), (value,))


def product(f: Piece, g: Piece) -> Piece:
    """f g."""
    found: dict[Key, Coefficient] = {}
    for (j, k, a, tag), c in f.items():
        for (l, m, b, more), d in g.items():  # noqa: E741
            key = (j + l, k + m, a + b, tag + more)
            if key in found:
                found[key] += c * d
            else:
                found[key] = c * d
    return {key: c for key, c in found.items() if c}


def combined(f: Piece, g: Piece, factor: int = 1) -> Piece:
    """f + factor g."""
    found = dict(f)
    for key, c in g.items():
        add_to(found, key, c * factor)
    return found


def add_to(found: dict[Key, Coefficient], key: Key, c: Coefficient) -> None:
    """The summand is added."""
    if key in found:
        c += found[key]
    if c:
        found[key] = c
    else:
        found.pop(key, None)


def sum_of(parts: Iterable[Piece]) -> Piece:
    """The sum of constant parts."""
    found: dict[Key, Coefficient] = {}
    for part in parts:
        for key, c in part.items():
            add_to(found, key, c)
    return found
