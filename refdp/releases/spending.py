"""What a release spends: an amount under a measure, and what of it each query gets.

pure          epsilon, in parts by sums                    noise: discrete Laplace
concentrated  rho, in parts by sums                        noise: discrete Gaussian
approximate   epsilon and delta: of a rho that is within   noise: discrete Gaussian, by an account where that is less
renyi         epsilon at an order: of a rho, likewise      noise: discrete Gaussian
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from refdp.numerics.exact import decide, exact, lower_bound
from refdp.releases.account import AMOUNTS, Account, converted_epsilon
from refdp.releases.errors import InputError
from refdp.terms.term import Term, apply, ln, number, sqrt

MOST = 10**6
"""Greatest epsilon, or rho: beyond that nothing is private."""


@dataclass(frozen=True, slots=True)
class Spending:
    """So much is spent, under a measure."""

    measure: str
    amount: Fraction
    delta: Fraction | None = None
    """Under approximate."""
    order: Fraction | None = None
    """Under renyi."""

    @property
    def text(self) -> str:
        """The amount in words: epsilon 1 and delta 1/1000."""
        said = f"{AMOUNTS[self.measure]} {self.amount}"
        if self.delta is not None:
            return f"{said} and delta {self.delta}"
        return said if self.order is None else f"{said} at order {self.order}"

    @property
    def loss(self) -> Term:
        """The amount as a term: pure(1), renyi(8, 1/2)."""
        parts = [part for part in (self.order, self.amount, self.delta) if part is not None]
        return apply(self.measure, *map(number, parts))

    @property
    def divided(self) -> Fraction:
        """What is shared out among the queries: epsilon under pure, else rho."""
        if self.measure == "renyi" and self.order is not None:
            return self.amount / self.order
        if self.measure == "approximate" and self.delta is not None:
            return promised_total("concentrated", self.amount, self.delta, None)
        return self.amount


def read_spending(epsilon: object = None, rho: object = None, delta: object = None, order: object = None) -> Spending:
    """What is spent; InputError unless it is epsilon, rho, epsilon and delta, or epsilon at an order."""
    if epsilon is None and rho is None:
        raise InputError("epsilon must be given, or rho: what the release spends; got neither")
    if rho is not None and epsilon is not None:
        raise InputError("epsilon must be left out where rho is spent, got both")
    if rho is not None:
        if delta is not None or order is not None:
            raise InputError("rho must be spent alone, without a delta or an order")
        return Spending("concentrated", positive(rho, "rho"))
    amount = positive(epsilon, "epsilon")
    if delta is None and order is None:
        return Spending("pure", amount)
    if order is None:
        found = positive(delta, "delta")
        if found >= 1:
            raise InputError(f"delta must be < 1, got {found}")
        return Spending("approximate", amount, found)
    if delta is not None:
        raise InputError("delta must be left out where an epsilon at an order is spent: a budget promises it")
    at = positive(order, "order")
    if at <= 1:
        raise InputError(f"order must be > 1, got {at}")
    return Spending("renyi", amount, None, at)


def positive(value: object, parameter: str) -> Fraction:
    """An exact number > 0 and at most MOST."""
    found = exact(value, parameter)
    if found <= 0:
        raise InputError(f"{parameter} must be > 0, got {found}")
    if found > MOST:
        raise InputError(f"{parameter} must be at most {MOST}, got {str(value)[:60]}")
    return found


def promised_total(measure: str, epsilon: Fraction, delta: Fraction, order: Fraction | None) -> Fraction:
    """The greatest total of rho, or of epsilon at an order, that is within epsilon at delta: 12 digits, from below."""
    within, logarithm = number(epsilon), ln(1 / number(delta))
    if order is None:  # rho + 2 sqrt(rho L) = epsilon has the solution (sqrt(epsilon + L) - sqrt(L))^2
        found = lower_bound((sqrt(within + logarithm) - sqrt(logarithm)) ** 2)
    else:
        found = lower_bound(within - logarithm / number(order - 1))
    if found <= 0 or not decide(converted_epsilon(measure, found, order, delta) <= within):
        raise InputError(f"epsilon of {epsilon} must be large enough for delta {delta}: nothing may be spent within it")
    return found


def terms_of(
    spent: Spending, neighbours: str, data: str, total: Fraction | None, total_delta: Fraction | None,
    promise: tuple[Fraction, Fraction] | None, kept: Account | None,
) -> Account:  # fmt: skip
    """What a budget file must say: what is given, else what the file says, else what this release spends."""
    if promise is not None and spent.measure == "approximate":
        raise InputError(
            "promise must be left out where epsilon and delta are spent: a budget adds them up, as no account may be "
            "run again over releases chosen in view of answers"
        )
    if promise is not None and spent.measure not in ("concentrated", "renyi"):
        raise InputError(f"promise must be left out of a budget under {spent.measure}, which it is not converted from")
    if total_delta is not None and spent.measure != "approximate":
        raise InputError(f"total_delta must be left out of a budget under {spent.measure}")
    same = kept is not None and kept.measure == spent.measure
    delta, promised = (kept.delta, kept.promised) if same and kept is not None else (spent.delta, None)
    if promise is not None:
        promised, delta = promise
    if spent.measure == "approximate":
        delta = total_delta or delta
    agreed = total
    if agreed is None and same and kept is not None and promise in (None, (kept.promised, kept.delta)):
        agreed = kept.total
    if agreed is None and promise is not None:
        agreed = promised_total(spent.measure, *promise, spent.order)
    return Account(neighbours, data, agreed or spent.amount, (), spent.measure, delta, spent.order, promised)
