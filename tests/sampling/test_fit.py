"""Draws fit their laws: 10^6 on fixed digits, and 10^8 on the system's in the long tests; and what is wrong is noticed.

Every family is held against wrong laws, of which counts are simulated: a scale too large by 1 in 500, a shift, a zero
that is drawn twice as often, a tail that is a tenth too heavy.  At 10^8 draws a scale too large by 1.0003 is 3 to 4
standard deviations, of which no test with a false-alarm rate of 1e-9 can be sure; 1.5 10^9 draws show it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from functools import lru_cache
from itertools import accumulate
from math import inf

import numpy as np
import pytest
from mpmath import log, mpf, workdps

from refdp.sampling.bulk.exponential import PerElement
from refdp.sampling.bulk.lookup import bulk_lookup
from refdp.sampling.bulk.slots import bulk_slots
from refdp.sampling.lookup import Exponentials, Masses
from refdp.sampling.potentials import Potential
from refdp.sampling.words import SYSTEM_WORDS, Source
from tests.sampling.cells import DIGITS, Weights, cells, finite_masses
from tests.sampling.families import LAWS, SCALES, SLOTS, scales
from tests.sampling.fit import RATE, Fit, divergence, simulated
from tests.sampling.noises import gaussian, laplace
from tests.sampling.streams import Stream

CHUNK = 1_000_000
LEVELS = [F(j, 10) for j in range(1, 20)] + [F(j, 2) for j in range(4, 25)] + [F(14), F(16)]
MANY = 10**8
WIDER, LITTLE_WIDER = F(501, 500), F(10003, 10000)
HEAVY = F(8)
"""Where q is above this, the tail is made a tenth too heavy."""
CLEAR = 60
"""A wrong law is noticed for sure where draws from it are e^60 times as likely under it, in the mean."""
GROUPS = 100
Law = tuple[mpf, ...]
Sample = Callable[[int, Source], np.ndarray]


def per_element(kind: str, scale: F) -> Sample:
    """Draws of an array whose elements all have this scale."""
    return lambda n, source: getattr(PerElement(), kind)(scales(str(scale), n), source)


def by_slots(q: Potential) -> Sample:
    """Draws by slots, made when they are drawn from, as every process that collects this file would make them."""
    return lambda n, source: bulk_slots(q).sample(n, source)


def by_lookup(law: Masses | Exponentials) -> Sample:
    """Draws by a table, which is made when it is drawn from."""
    return lambda n, source: bulk_lookup(law).sample(n, source)


@dataclass(frozen=True, eq=False)
class Case:
    """Draws, how many of them the long test makes, and the law that they must have."""

    sample: Sample
    law: Weights | Masses | Exponentials
    draws: int = MANY

    @property
    def edges(self) -> list[int]:
        if isinstance(self.law, Weights):
            return self.law.edges(LEVELS)
        return list(range(1, self.law.size, -(-self.law.size // GROUPS)))

    def counts(self, n: int, source: Source) -> list[int]:
        """How many of n draws lie in each cell; a chunk of them is in memory at a time."""
        edges = np.array(self.edges, np.int64)
        found = np.zeros(edges.size + 1, np.int64)
        for i in range(0, n, CHUNK):
            cell = np.searchsorted(edges, self.sample(min(CHUNK, n - i), source), side="right")
            found += np.bincount(cell, minlength=found.size)
        return found.tolist()

    def right(self) -> Law:
        """The probabilities of the cells."""
        return right(self)

    def probabilities(self) -> Law:
        """The same, worked out."""
        if isinstance(self.law, Weights):
            return tuple(cells(self.law.mass, self.edges))
        return self._grouped(self._each())

    def _each(self) -> list[mpf]:
        assert not isinstance(self.law, Weights)
        return finite_masses(list(getattr(self.law, "masses", ())), list(getattr(self.law, "exponents", ())))

    def _grouped(self, masses: Sequence[mpf]) -> Law:
        with workdps(DIGITS):
            return tuple(sum(masses[a:b], mpf(0)) for a, b in zip([0, *self.edges], [*self.edges, None], strict=True))

    def wrong(self, factor: F = WIDER) -> dict[str, Law]:
        """Wrong laws that so many draws can tell from the right one."""
        return wrong(self, factor)

    def telling(self, factor: F) -> dict[str, Law]:
        """The same, worked out."""
        made = self._wrong_weights(factor) if isinstance(self.law, Weights) else self._wrong_masses()
        return {name: q for name, q in made.items() if self.draws * information(q, self.right()) > CLEAR}

    def _wrong_masses(self) -> dict[str, Law]:
        each, right = self._each(), self.right()
        with workdps(DIGITS):
            order = sorted(range(len(right)), key=lambda i: right[i])
            sums = accumulate(right[i] for i in order)
            lighter = {i for i, total in zip(order, sums, strict=True) if total <= mpf(3) / 4}
            tilted = normalised([p if i in lighter else p * mpf("1.005") for i, p in enumerate(right)])
        return {"the next value": self._grouped([*each[-1:], *each[:-1]]), "tilted": tilted}

    def _wrong_weights(self, factor: F) -> dict[str, Law]:
        law, right, firsts = self.law, self.right(), [-inf, *self.edges]
        assert isinstance(law, Weights)
        step, far = max(1, law.reach(F(1)) // 250), law.reach(HEAVY)
        with workdps(DIGITS):
            zero = law.mass(0, 1)
            doubled = [p + zero if a == 0 else p for a, p in zip(firsts, right, strict=True)]
            doubled[0] += 0 if law.two_sided else zero  # there, the first cell is below 1
            heavy = [p * mpf("1.1") if a >= far else p for a, p in zip(firsts, right, strict=True)]
            return {
                "wide": tuple(cells(law.wider(factor).mass, self.edges)),
                "shifted": tuple(cells(lambda a, b: law.mass(a - step, b - step), self.edges)),
                "zero doubled": normalised(doubled),
                "heavy tail": normalised(heavy),
            }


@lru_cache(maxsize=256)
def right(case: Case) -> Law:
    return case.probabilities()


@lru_cache(maxsize=256)
def wrong(case: Case, factor: F) -> dict[str, Law]:
    return case.telling(factor)


def normalised(weights: Sequence[mpf]) -> Law:
    total = sum(weights, mpf(0))
    return tuple(w / total for w in weights)


def information(q: Law, p: Law) -> float:
    """The mean of ln(q / p) under q."""
    with workdps(DIGITS):
        return float(sum((a * log(a / b) if b else inf for a, b in zip(q, p, strict=True) if a), mpf(0)))


def weights_of(q: Potential) -> Weights:
    return Weights(q.coefficients, q.two_sided)


KINDS = {"geometric": lambda t: Weights((1 / t,), False), "laplace": lambda t: Weights((1 / t,))} | {
    "gaussian": lambda t: Weights((F(0), 1 / (2 * t**2)))
}
COSTLY = {F(10**12) + F(1, 3): 10**7, F(2**48): 10**6}
"""Most elements with scales like these need exact arithmetic: a hundred microseconds each."""
CASES = (
    {f"slots: {name}": Case(by_slots(q), weights_of(q)) for name, q in SLOTS.items()}
    | {f"finite: {name}": Case(by_lookup(law), law) for name, law in LAWS.items()}
    | {
        f"each: {kind} {t}": Case(per_element(kind, t), law(t), COSTLY.get(t, MANY))
        for kind, law in KINDS.items()
        for t in SCALES
    }
)
QUICK = [name for name in CASES if "k^8" not in name and "10^4" not in name]
CERTAIN = {name for name in CASES if "1/1000" in name or "one value" in name or "alone" in name or "nearly" in name}
"""One value has all of the probability, nearly; nothing but that is to be seen."""


@lru_cache(maxsize=256)
def fit_of(name: str) -> Fit:
    return Fit(CASES[name].right(), tuple(CASES[name].wrong().values()))


@pytest.mark.parametrize("name", QUICK)
def test_draws_fit_their_law(name: str) -> None:
    """Digits are fixed.  Chosen at random, they would raise a false alarm with probability at most 1e-9."""
    n = 1_000 if CASES[name].draws == 10**6 else 20_000 if "each" in name else 200_000
    assert fit_of(name).alarm(CASES[name].counts(n, Stream(3))) == ""


@pytest.mark.parametrize("name", QUICK)
def test_wrong_laws_are_noticed(name: str) -> None:
    """With as many draws as the long test makes; counts from the right law raise no alarm."""
    case, fit = CASES[name], fit_of(name)
    assert fit.alarm(simulated(case.right(), case.draws, 1)) == ""
    for wrong in case.wrong().values():
        assert fit.alarm(simulated(wrong, case.draws, 2)) != ""


def test_wrong_laws_that_are_tried() -> None:
    """Where the law is no certainty: another scale and a shift; a doubled zero unless 0 is rare."""
    for name in QUICK:
        tried = set(CASES[name].wrong())
        if name.startswith("finite"):
            assert "tilted" in tried or name in CERTAIN
        elif name not in CERTAIN and CASES[name].draws == MANY:
            assert {"wide", "shifted"} <= tried
            assert "zero doubled" in tried or any(
                huge in name for huge in ("3000000000001/3", "2^48", "281474976710656")
            )


@pytest.mark.long
@pytest.mark.parametrize("name", CASES)
def test_many_draws_fit_their_law(name: str) -> None:
    """The system's digits: 10^8 draws, or as many as `Case.draws` says.  False-alarm rate at most 1e-9 each."""
    assert fit_of(name).alarm(CASES[name].counts(CASES[name].draws, SYSTEM_WORDS)) == ""


@pytest.mark.long
@pytest.mark.parametrize("potential", [laplace(1000), gaussian(1000)], ids=["laplace", "gaussian"])
def test_very_many_draws_tell_a_scale_too_large_by_three_in_ten_thousand(potential: Potential) -> None:
    """1.5 10^9 draws.  False-alarm rate at most 1e-9 each."""
    case = Case(bulk_slots(potential).sample, weights_of(potential), 15 * 10**8)
    wrong = case.wrong(LITTLE_WIDER)["wide"]
    fit = Fit(case.right(), (wrong,))
    assert fit.alarm(simulated(wrong, case.draws, 2)) != ""
    assert fit.alarm(case.counts(case.draws, SYSTEM_WORDS)) == ""


@pytest.mark.parametrize(("n", "p"), [(20, F(1, 3)), (50, F(1, 100)), (7, F(9, 10))])
def test_the_bound_on_counts_holds(n: int, p: F) -> None:
    """P(n D(N/n) >= t) <= 2 e^-t, by the binomial law, at every t that it takes."""
    from math import comb, exp

    q = mpf(p.numerator) / p.denominator
    found = [(float(divergence(k, n, q)), comb(n, k) * p**k * (1 - p) ** (n - k)) for k in range(n + 1)]
    assert sum(mass for _, mass in found) == 1
    for t, _ in found:
        assert sum(mass for d, mass in found if d >= t) <= 2 * exp(-t) * (1 + 1e-12)


def test_bets_have_mean_one() -> None:
    """The sum over all outcomes of two draws."""
    p, q = [F(1, 2), F(1, 3), F(1, 6)], [F(1, 4), F(1, 4), F(1, 2)]
    pairs = [(i, j) for i in range(3) for j in range(3)]
    assert sum(p[i] * p[j] * (q[i] / p[i]) * (q[j] / p[j]) for i, j in pairs) == 1


def test_what_cannot_be_raises_an_alarm() -> None:
    fit = Fit((mpf(1), mpf(0)))
    assert RATE <= 1e-9
    assert fit.alarm([10, 0]) == ""
    assert fit.alarm([10, 1]) != ""
    assert Fit((mpf(1) / 2, mpf(1) / 2)).alarm([100, 0]) != ""
    assert Fit((mpf(1) / 2, mpf(1) / 2)).alarm([55, 45]) == ""
