"""Products of laws on a lattice as products of integer polynomials, every rounding down."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from refdp import work
from refdp.accounting.balls import digit_steps
from refdp.accounting.curves import Effort, OutOfReach

if TYPE_CHECKING:
    from flint import arb, fmpz, fmpz_poly

OVERHEAD = 64
"""Bytes that a coefficient takes besides its digits."""
COPIES = 8
"""Arrays as long as a product that exist at the same time, at most."""
SECONDS_PER_BIT = 1e-8
"""About the work that a product takes for each binary digit of the result."""


@dataclass(frozen=True, slots=True)
class Masses:
    """2^-bits polynomial[i] <= mass of the lattice point start + i, for all i together (Lemma 3.4)."""

    start: int
    polynomial: fmpz_poly
    bits: int

    def coefficients(self) -> list[int]:
        """The lower bounds, in units of 2^-bits."""
        return [int(c) for c in self.polynomial.coeffs()]


def masses(atoms: Iterable[tuple[int, arb]], spread: int, bits: int, effort: Effort) -> Masses:
    """The atoms (i, mass), at spread * i, rounded down to units of 2^-bits."""
    from flint import fmpz_poly

    unit = 1 << bits
    floors = {i: below(mass * unit) for i, mass in atoms}
    work.step(len(floors) * (1 + digit_steps(bits)))
    least, most = min(floors), max(floors)
    check_size((most - least) * spread + 1, bits, effort)
    coefficients = [0] * ((most - least) * spread + 1)
    for i, floor in floors.items():
        coefficients[(i - least) * spread] = floor
    return Masses(least * spread, fmpz_poly(coefficients), bits)


def below(x: arb) -> int:
    """An integer <= each number in the ball, and >= 0."""
    floor = x.lower().floor().unique_fmpz()
    return max(0, int(floor)) if floor is not None else 0


def check_size(length: int, bits: int, effort: Effort) -> None:
    """Counts the work for so many coefficients; OutOfReach if they take more of it, or of memory, than there is."""
    if length * (bits // 8 + OVERHEAD) * COPIES > effort.memory:
        raise OutOfReach(f"{length} lattice points with {bits} binary digits each take more memory than allowed")
    seconds = length * bits * SECONDS_PER_BIT
    effort.afford(seconds, f"a product with {length} lattice points takes more work than is left")


def product(a: Masses, b: Masses, effort: Effort) -> Masses:
    """Lower bounds of the masses of a sum of independent losses, rounded down, its ends cut off (Lemma 3.4)."""
    check_size(a.polynomial.length() + b.polynomial.length(), a.bits, effort)
    return trimmed(Masses(a.start + b.start, a.polynomial * b.polynomial // (1 << a.bits), a.bits))


def trimmed(found: Masses) -> Masses:
    """Both ends cut off as long as each loses no more units than there are coefficients, as rounding does."""
    from flint import fmpz_poly

    coefficients = found.polynomial.coeffs()
    left, right = cut(coefficients), cut(coefficients[::-1])
    kept = coefficients[left : max(left, len(coefficients) - right)]
    return Masses(found.start + left, fmpz_poly(kept), found.bits)


def cut(coefficients: list[fmpz]) -> int:
    """How many coefficients sum to at most their number."""
    lost, allowed = 0, len(coefficients)
    for i, c in enumerate(coefficients):
        lost += int(c)
        if lost > allowed:
            return i
    return allowed


def power(base: Masses, count: int, effort: Effort) -> Masses:
    """The masses of the sum of `count` independent losses."""
    found = base
    for digit in bin(count)[3:]:
        found = product(found, found, effort)
        if digit == "1":
            found = product(found, base, effort)
    return found
