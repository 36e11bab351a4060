"""The probability that one Laplace noise, with a head start, exceeds every one of some others: exactly.

Between any two neighbours among 0 and the leads, changed in sign, the integrand is a sum of c e^(m z).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from refdp.terms.evaluation import Arithmetic

HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Race:
    """P[Z + lead > Z_j for each lead], Z and the Z_j independent with the density e^-|z| / 2.

    It is the integral over z of e^-|z| / 2 times the product over the leads of P[Z_j < z + lead], which is
    e^(z + lead) / 2 below z = -lead and 1 - e^-(z + lead) / 2 above.
    """

    leads: tuple[Fraction, ...]
    arithmetic: Arithmetic

    def probability(self) -> Any:
        """The sum of the integrals between neighbouring cuts; None stands for no bound."""
        cuts = [None, *sorted({Fraction(0), *(-g for g in self.leads)}), None]
        pieces = [self.piece(low, high) for low, high in pairwise(cuts)]
        return sum(pieces[1:], pieces[0])

    def piece(self, low: Fraction | None, high: Fraction | None) -> Any:
        """The integral between two cuts that have no other cut between them."""
        terms = {self.rises(Fraction(0), high): self.number(HALF)}
        for g in self.leads:
            terms = self.product(terms, self.factor(g, self.rises(-g, high)))
        return sum((self.integral(m, c, low, high) for m, c in terms.items()), self.number(Fraction(0)))

    def rises(self, cut: Fraction, high: Fraction | None) -> int:
        """1 if the piece that ends at `high` lies below the cut, else -1."""
        return 1 if high is not None and high <= cut else -1

    def factor(self, lead: Fraction, rises: int) -> dict[int, Any]:
        """P[Z_j < z + lead] as m -> c of a sum of c e^(m z)."""
        if rises == 1:
            return {1: self.exponential(lead) * self.number(HALF)}
        return {0: self.number(Fraction(1)), -1: -self.exponential(-lead) * self.number(HALF)}

    def product(self, a: Mapping[int, Any], b: Mapping[int, Any]) -> dict[int, Any]:
        """The product of two such sums."""
        found: dict[int, Any] = {}
        for m, c in a.items():
            for n, d in b.items():
                found[m + n] = found[m + n] + c * d if m + n in found else c * d
        return found

    def integral(self, m: int, c: Any, low: Fraction | None, high: Fraction | None) -> Any:
        """The integral of c e^(m z) from low to high; m > 0 where low is absent, m < 0 where high is."""
        if m == 0 and low is not None and high is not None:
            return c * self.number(high - low)
        nothing = self.number(Fraction(0))
        upper = nothing if high is None else self.exponential(m * high)
        lower = nothing if low is None else self.exponential(m * low)
        return c * (upper - lower) * self.number(Fraction(1, m))

    def exponential(self, x: Fraction) -> Any:
        """e^x."""
        return self.arithmetic.function("exp", self.number(x))

    def number(self, x: Fraction) -> Any:
        """The rational number in the arithmetic at hand."""
        return self.arithmetic.number(x)


def won_with_laplace(leads: Sequence[Fraction], arithmetic: Arithmetic) -> Any:
    """P[Z + lead > Z_j for each lead], for independent Laplace noises of scale 1."""
    return Race(tuple(leads), arithmetic).probability()
