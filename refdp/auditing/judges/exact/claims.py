"""Claims about two exact laws, decided in both directions: (epsilon, delta), Renyi of one order, or concentrated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.auditing.evidence import enumerable
from refdp.auditing.evidence.e_values import BITS
from refdp.auditing.evidence.pairs import Claim, claim
from refdp.auditing.judges.exact.laws import Law
from refdp.auditing.judges.result import NOT_REFUTED, PROVED, REFUTED, UNKNOWN
from refdp.auditing.judges.task import Fields, TaskError
from refdp.numerics.elementary import exp_bounds
from refdp.numerics.exact import ExactReal, exact_real
from refdp.sampling.tree import PartialLaw

ORDERS = tuple(range(2, 65))
"""The orders at which a concentrated claim is tried."""
LARGEST_ORDER = 1000


@dataclass(frozen=True, slots=True)
class Decided:
    """The verdict for one pair: the number that the claim bounds, enclosed; `upper` None where nothing bounds it."""

    verdict: str
    name: str
    claimed: str
    lower: Fraction
    upper: Fraction | None
    direction: int
    event: frozenset[Any] = frozenset()
    """Outcomes that are too probable, for (epsilon, delta)."""


@dataclass(frozen=True, slots=True)
class Approximate:
    """(epsilon, delta)."""

    claim: Claim

    def decided(self, first: Law, second: Law) -> Decided:
        """The hockey stick in its greater direction."""
        found = enumerable.judge(self.claim, first, second)
        worst = found.excesses[0]
        most = max(each.delta.upper for each in found.excesses)
        name, claimed = f"delta({self.claim.epsilon})", str(self.claim.delta)
        return Decided(found.outcome.value, name, claimed, worst.delta.lower, most, worst.direction, worst.event)

    def __str__(self) -> str:
        return f"({self.claim.epsilon}, {self.claim.delta})-DP"


@dataclass(frozen=True, slots=True)
class Renyi:
    """The Renyi divergence of each order a is at most epsilon(a); `whole`: of these orders alone, so it can be proved.

    Compared as moments: the sum of P^a Q^(1 - a) with e^((a - 1) epsilon).
    """

    orders: Sequence[int]
    epsilons: Sequence[ExactReal]
    words: str
    whole: bool

    def decided(self, first: Law, second: Law) -> Decided:
        """The first order and direction that refutes; else the first that is not decided; else the last."""
        both = ((1, first, second), (-1, second, first))
        found = [
            self._at(order, epsilon, direction, p, q)
            for order, epsilon in zip(self.orders, self.epsilons, strict=True)
            for direction, p, q in both
        ]
        verdicts = (REFUTED, UNKNOWN, PROVED, NOT_REFUTED)
        return min(found, key=lambda one: verdicts.index(one.verdict))

    def _at(self, order: int, epsilon: ExactReal, direction: int, p: Law, q: Law) -> Decided:
        """The verdict at one order, in one direction."""
        low, high = power_bounds(epsilon, order - 1)
        lower, upper, infinite = moment(p, q, order)
        if infinite or lower > high:
            verdict = REFUTED
        elif upper is not None and upper <= low:
            verdict = PROVED if self.whole else NOT_REFUTED
        else:
            verdict = UNKNOWN
        name = f"e^({order - 1} D) with D the Renyi divergence of order {order}"
        return Decided(verdict, name, f"e^({order - 1} x {epsilon})", lower, upper, direction)

    def __str__(self) -> str:
        return self.words


Claimed = Approximate | Renyi


def power_bounds(epsilon: ExactReal, times: int) -> tuple[Fraction, Fraction]:
    """Bounds of e^(times epsilon), equal where that is rational."""
    low, high = exp_bounds(times * epsilon.rational, BITS) if epsilon.rational else (Fraction(1), Fraction(1))
    power = epsilon.argument**times
    return power * low, power * high


def moment(p: Law, q: Law, order: int) -> tuple[Fraction, Fraction | None, bool]:
    """Bounds of the sum of P^order Q^(1 - order), None where nothing bounds it, and whether it is infinite."""
    first, second = enumerable.known(p), enumerable.known(q)
    infinite = any(x > 0 and second.most(y) == 0 for y, x in first.lower.items())
    terms = [(x, second.most(y)) for y, x in first.lower.items() if x]
    lower = sum((x**order / most ** (order - 1) for x, most in terms if most), Fraction(0))
    open_ended = any(isinstance(law, PartialLaw) and law.unresolved for law in (p, q))
    ends = [(x, second.lower.get(y, Fraction(0))) for y, x in first.upper.items() if x]
    if infinite or open_ended or any(least == 0 for _, least in ends):
        return lower, None, infinite
    return lower, sum((x**order / least ** (order - 1) for x, least in ends), Fraction(0)), False


def claim_of(fields: Fields) -> Claimed:
    """The claim of a target; `input` and `d_in` may say in words what its pairs have in common."""
    measure = fields.one_of("measure", ("pure", "approximate", "renyi", "concentrated"), "approximate")
    for words in ("input", "d_in"):
        fields.any(words, None)
    try:
        found = _claim(fields, measure)
    except ValueError as error:
        raise TaskError(f"{fields.where}{error}" if not isinstance(error, TaskError) else str(error)) from None
    fields.done()
    return found


def _claim(fields: Fields, measure: str) -> Claimed:
    """The claim under a measure."""
    if measure == "concentrated":
        rho = fields.number("rho")
        epsilons = [exact_real(rho * order) for order in ORDERS]
        return Renyi(ORDERS, epsilons, f"{rho}-zCDP at the orders {ORDERS[0]} to {ORDERS[-1]}", whole=False)
    epsilon = exact_real(fields.any("epsilon"), "epsilon")
    if measure == "renyi":
        order = fields.whole("order", least=2)
        if order > LARGEST_ORDER:
            raise TaskError(f"{fields.where}order must be at most {LARGEST_ORDER}, got {order}")
        return Renyi([order], [epsilon], f"Renyi divergence of order {order} at most {epsilon}", whole=True)
    return Approximate(claim(epsilon, fields.number("delta", Fraction(0)) if measure == "approximate" else 0))
