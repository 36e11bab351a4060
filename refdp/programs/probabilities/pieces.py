"""Functions of one variable that are exponential polynomials between breakpoints, with exact coefficients or floats.

A summand is c z^j e^(k u z) e^(a u) with whole j, k and a, where u > 0 is the unit of the calculus: all rates of a
problem are multiples of it, and exact breakpoints are whole numbers.  A fourth whole number, the tag, stands for a
power of ln b where u is a multiple of ln b, and on the lattice of the whole numbers for a product of 1 / (1 - e^(m u)).
With floats e^(a u) and what the tag stands for are part of the coefficient.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

Coefficient = Fraction | float
Place = int | float
"""A breakpoint or a shift: whole with exact coefficients."""
Key = tuple[int, int, int, int]
"""(j, k, a, tag)."""
Piece = Mapping[Key, Coefficient]
CONSTANT: Key = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Pieces:
    """Part i from breakpoint i - 1 on to before breakpoint i; of a continuous variable the ends do not count."""

    breaks: tuple[Place, ...]
    parts: tuple[Piece, ...]


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
        for (i, m, b, more), d in g.items():
            key = (j + i, k + m, a + b, tag + more)
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
