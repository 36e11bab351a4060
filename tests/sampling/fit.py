"""Whether counts fit a law, with a false-alarm rate that is proved for every number of draws: no asymptotics.

Let N be the number of n independent draws that lie in a set of probability p.  Hoeffding (1963, Theorem 1):
P(N >= x) <= e^(-n D(x/n)) for x >= n p, and P(N <= x) <= e^(-n D(x/n)) for x <= n p, where
D(y) = y ln(y / p) + (1 - y) ln((1 - y) / (1 - p)).  As D falls up to p and rises from there,
P(n D(N/n) >= t) <= 2 e^-t.

*Sets.*  With M of them, some n D(N/n) is t = ln(2 M / rate) or more with probability at most `rate`: the union bound.
The sets are the cells, and the unions of the first ones.

*Bets.*  Let cell j have probability p_j, and let q be another law of cells: a wrong one that is to be noticed.  The
product over the draws of q_j / p_j has mean sum p_j (q_j / p_j) <= 1, since draws are independent; so has the average
over several q.  By Markov's inequality it is 1 / rate or more with probability at most `rate`.

Half of RATE is for the sets, half for the bets; so all goes wrong with probability at most RATE if the law is right.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import inf, log

import numpy as np
from mpmath import log as mp_log
from mpmath import mpf, workdps

RATE = 1e-9
"""The false-alarm rate of one `alarm`."""
DIGITS = 40


def divergence(count: int, n: int, p: mpf) -> mpf:
    """n D(count / n)."""
    if not 0 < p < 1:
        return mpf(0) if count == (n if p >= 1 else 0) else mpf(inf)
    hit = count * mp_log(count / (n * p)) if count else mpf(0)
    rest = n - count
    return hit + (rest * mp_log(rest / (n * (1 - p))) if rest else mpf(0))


@dataclass(frozen=True)
class Fit:
    """Probabilities of cells, and those under wrong laws."""

    masses: tuple[mpf, ...]
    wrong: tuple[tuple[mpf, ...], ...] = ()

    def alarm(self, counts: Sequence[int]) -> str:
        """What does not fit, in words, or ""."""
        with workdps(DIGITS):
            return self._sets([int(c) for c in counts]) or self._bets([int(c) for c in counts])

    def _sets(self, counts: list[int]) -> str:
        n = sum(counts)
        sets = [*zip(counts, self.masses, strict=True), *zip(accumulate(counts), accumulate(self.masses), strict=True)]
        sets.pop()  # the union of all cells
        found = [divergence(count, n, p) for count, p in sets]
        worst = max(range(len(sets)), key=lambda i: found[i])
        if found[worst] < log(2 * len(sets) / (RATE / 2)):
            return ""
        return f"{sets[worst][0]} of {n} draws are in a set of probability {float(sets[worst][1])} (set {worst})"

    def _bets(self, counts: list[int]) -> str:
        for i, wrong in enumerate(self.wrong):
            pairs = [(c, q, p) for c, q, p in zip(counts, wrong, self.masses, strict=True) if c]
            won = sum((c * mp_log(q / p) for c, q, p in pairs if q), mpf(0))
            if all(q for _, q, _ in pairs) and won >= log(len(self.wrong) / (RATE / 2)):  # so the average is as large
                return f"the draws are e^{float(won):.1f} times as likely under wrong law {i}"
        return ""


def simulated(masses: Sequence[mpf], n: int, seed: int) -> list[int]:
    """Counts of n draws from a law of cells, by numpy's floats: to see what `alarm` notices."""
    p = np.array([float(m) for m in masses])
    return np.random.default_rng(seed).multinomial(n, p / p.sum()).tolist()
