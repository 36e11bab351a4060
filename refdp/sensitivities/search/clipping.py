"""Help for vectors that are scaled down to a length: |s v| <= C where s |v| <= C (untrusted).

With r = sqrt(sum of v_k^2):  0 <= s r <= C;  so (s r)^2 <= C^2;  and (s r)^2 = the sum of (s v_k)^2.
"""

from __future__ import annotations

from dataclasses import dataclass

from refdp.logic.operations import at_most, conjunction, equal, multiply, total
from refdp.logic.polynomials import polynomial
from refdp.logic.substitution import substitute
from refdp.logic.terms import ZERO, Term, parts


@dataclass(frozen=True, slots=True)
class Clipped:
    """A vector scale * v, and the length of v."""

    scale: Term
    length: Term

    def steps(self, record: dict[Term, Term], claim: Term, squares: Term) -> list[tuple[Term, tuple[int, ...]]]:
        """Statements, each with the places of those that it follows from; the last one bounds the squares."""
        scale, length = substitute(self.scale, record), substitute(self.length, record)
        scaled = multiply(scale, length)
        most = multiply(claim, claim)
        return [
            (conjunction(at_most(ZERO, scaled), at_most(scaled, claim)), ()),
            (at_most(multiply(scaled, scaled), most), (0,)),
            (equal(multiply(scaled, scaled), squares), ()),
            (at_most(squares, most), (1, 2)),
        ]


def clipped(gained: tuple[Term, ...]) -> Clipped | None:
    """The scale and the length of a vector, each of whose coordinates is scale * v_k."""
    factors = [_factors(gain) for gain in gained]
    shared = set.intersection(*map(set, factors)) if all(factors) else set()
    for scale in shared:
        rest = [next((f for f in found if f is not scale), None) for found in factors]
        if any(one is None for one in rest):
            continue
        squares = polynomial(total(multiply(one, one) for one in rest if one is not None))
        for part in parts(scale):
            if part.operator == "root" and polynomial(part.arguments[0]) == squares:
                return Clipped(scale, part)
    return None


def _factors(gain: Term) -> tuple[Term, ...]:
    """The two factors of a product."""
    found = polynomial(gain).coefficients
    if len(found) != 1:
        return ()
    ((monomial, coefficient),) = found.items()
    return tuple(a for a, power in monomial if power == 1) if coefficient == 1 and len(monomial) == 2 else ()
