"""What a test that has not refuted would have seen: certified lower bounds of its power, by Chernoff's bound.

If outcomes are independent with cell masses r_c and an arm of weight w has the masses q_c, then after n of them

    P[w product (q_c / most_c)^(n_c) <= 1 / alpha] <= e^(t T) (sum of r_c (most_c / q_c)^t)^n,  T = ln(1 / (alpha w)),

for every t >= 0, and the mixture is at least that part of it.  t is chosen in floats; the bound is enclosed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, log

from refdp.auditing.evidence.e_values import BITS
from refdp.numerics.elementary import ln_bounds
from refdp.numerics.enclosures import Balls, interval, precision

SLACK = Fraction(1, 2**20)
"""More than the width of any enclosure of ln e, which is below 2^-60 for up to 10^9 outcomes: e must exceed 1 / alpha
by it."""
EXPONENTS = [j / 64 for j in range(1, 64)]
OFTEN = Fraction(999, 1000)
"""With this probability a stated error would have been seen."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """A wrong law: upper bounds `masses` of those of the cells, the arm `bets` and its weight in the whole mixture."""

    name: str
    masses: tuple[Fraction, ...]
    bets: tuple[Fraction, ...]
    most: tuple[Fraction, ...]
    weight: Fraction

    def power(self, draws: int, alpha: Fraction) -> Fraction:
        """A lower bound of the probability that `draws` outcomes of this law refute the null at error alpha."""
        return self._power(draws, alpha, self._moments())

    def _power(self, draws: int, alpha: Fraction, moments: dict[float, float]) -> Fraction:
        """The same, where the moments are known."""
        t, threshold = self._exponent(draws, alpha, moments), ln_bounds(1 / (alpha * self.weight), BITS)[1] + SLACK
        with precision(BITS):
            balls = Balls(BITS)
            moment = balls.number(Fraction(0))
            for r, q, p in zip(self.masses, self.bets, self.most, strict=True):
                log_ratio = balls.function("ln", balls.number(p / q))
                moment += balls.number(r) * balls.function("exp", log_ratio * balls.number(t))
            exponent = balls.number(t * threshold) + balls.function("ln", moment) * draws
            missed = interval(balls.function("exp", exponent), BITS).upper
        return max(Fraction(0), 1 - missed)

    def _exponent(self, draws: int, alpha: Fraction, moments: dict[float, float]) -> Fraction:
        """About the best t."""
        threshold = -log(alpha * self.weight)
        return Fraction(min(EXPONENTS, key=lambda t: t * threshold + draws * moments[t]))

    def _moments(self) -> dict[float, float]:
        """ln of the moment at each exponent, in floats."""
        rough = [(float(r), float(p / q)) for r, q, p in zip(self.masses, self.bets, self.most, strict=True)]
        return {t: log(sum(r * x**t for r, x in rough)) for t in EXPONENTS}

    def draws_needed(self, alpha: Fraction, often: Fraction = OFTEN) -> int | None:
        """A number of draws with certified power >= `often`, nearly the least that is known; None if there is none."""
        moments, threshold = self._moments(), -log(alpha * self.weight)
        falling = {t: m for t, m in moments.items() if m < 0}
        if not falling:
            return None
        n = ceil(min((t * threshold - log(1 - often)) / -m for t, m in falling.items()))
        for _ in range(100):
            if self._power(n, alpha, moments) >= often:
                return n
            n += n // 100 + 1
        return None


def weakest(alternatives: Sequence[Alternative], alpha: Fraction) -> int | None:
    """Draws after which each would have been seen with probability OFTEN; None if one never would, or there is none."""
    needed = [a.draws_needed(alpha) for a in alternatives]
    known = [n for n in needed if n is not None]
    return max(known) if known and len(known) == len(needed) else None
