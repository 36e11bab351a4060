"""delta(epsilon) of a product of pairs with atoms, one continuous pair and another of known profile: Lemma 9.1."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING

from flint import acb, arb

from refdp import work
from refdp.accounting.balls import ball
from refdp.accounting.closed_forms.formula import probability
from refdp.accounting.curves import Effort, OutOfReach
from refdp.accounting.quadrature.densities import Density, Piece
from refdp.accounting.quadrature.profiles import Analytic
from refdp.numerics.elementary import Undecided
from refdp.numerics.enclosures import precision
from refdp.numerics.intervals import Interval

if TYPE_CHECKING:
    from refdp.accounting.closed_forms.single import Profile

VALUE = 15
"""Steps of work that a value of an integrand counts as: a value takes about 30 us."""
LONG = 256
"""Binary digits of a value for which it counts as one more."""
VALUES = 3
"""So many values of a profile at a number count as one of an integrand, which is complex."""
MOST_SECONDS = 60.0
MOST_VALUES = 100_000
"""At most so many values of integrands are worked out for one delta, over all sums and pieces: some seconds."""


class TooManyValues(OutOfReach, Undecided):
    """One delta would take more values of integrands than are worked out."""


@dataclass(frozen=True, slots=True)
class QuadratureCurve:
    """delta(x) = I + the sum of p D(x q / p) over atoms (p, q) + the integral of the same over densities, at e^eps = x.

    D is the profile of the last pair; the atoms (p, q) are those of the discrete pairs, each of them taken with every
    atom and with the densities of one continuous pair.
    """

    engine: str
    atoms: list[tuple[arb, arb]]
    density: Density
    profile: Profile
    analytic: Analytic
    infinite: arb
    missing: arb
    """The P-mass of finite losses that is in none of the atoms and pieces, at least."""
    tolerance: arb
    precision: int
    accuracy: int
    end: float = inf
    """`work.spent()` at which no more values are worked out."""
    trusts: frozenset[str] = field(default=frozenset({"Arb"}))

    @property
    def cost(self) -> int:
        """Steps of work that a value counts as."""
        return VALUE * (1 + self.precision // LONG)

    def delta(self, epsilon: Fraction) -> Interval:
        """Enclosure of delta at any rational epsilon."""
        with precision(self.precision):
            x, total, before = ball(epsilon).exp(), arb(0), work.COUNT.steps
            work.step(len(self.atoms) * len(self.density.atoms) * self.cost // VALUES)
            for p, q in self.atoms:
                for r, s in self.density.atoms:
                    total += self.excess(p * r, q * s, x)
                for piece in self.density.pieces:
                    # Arb does not come back from an integral before its limit, so that each has what others left.
                    left = MOST_VALUES - (work.COUNT.steps - before) // self.cost
                    if left <= 0:
                        raise TooManyValues(f"one delta takes more than {MOST_VALUES} values of integrands")
                    Effort(end=self.end).check()
                    left = min(left, int(min(self.end - work.spent(), MOST_SECONDS) * work.STEPS) // self.cost + 1)
                    total += p * self.integral(piece, x * q / p, self.tolerance / p, max(left, 1))
            return probability(self.infinite + total.union(total + self.missing), self.accuracy)

    def excess(self, p: arb, q: arb, x: arb) -> arb:
        """p D(x q / p)."""
        return p * self.bounded(x * q / p)

    def bounded(self, x: arb) -> arb:
        """D, which is between 0 and 1 and does not increase, at all x > 0 of a ball."""
        found = self.profile(x)
        if not found.is_finite():  # the ball may be on both sides of a bend, where its ends are not
            found = self.profile(arb(x.lower())).union(self.profile(arb(x.upper()))) if x > 0 else found
        return found.max(arb(0)).min(arb(1)) if found.is_finite() else arb(0).union(arb(1))

    def integral(self, piece: Piece, x: arb, tolerance: arb, most: int = MOST_VALUES) -> arb:
        """The integral of w D(x v / w), w and v being the densities of P and Q (Lemma 9.1), from `most` values.

        It holds the truth with however few values, and is wide then.
        """

        def integrand(y: acb, is_analytic: bool) -> acb:
            work.step(self.cost)
            density, ratio = piece.densities(y)
            return density * self.value(x * ratio, is_analytic)

        found = acb.integral(
            integrand, piece.start, piece.end, rel_tol=arb(2) ** -self.precision, abs_tol=tolerance,
            eval_limit=most,
        )  # fmt: skip
        return found.real

    def value(self, x: acb, is_analytic: bool) -> acb:
        """D on a disc; not finite if it must be analytic there and is not found to be."""
        here = x.real
        found = self.analytic(x, here) if here > 0 else None
        if found is not None:
            return found
        if is_analytic or not x.imag.is_zero():
            return acb(arb.nan())
        return acb(self.bounded(here) if here > 0 else arb(0).union(arb(1)))
