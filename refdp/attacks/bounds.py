"""How often a secret can be guessed from private answers: bounds that hold for every guess, whatever its author knows.

The secret Z is one of k values, each as likely, and independent of all else; x_z is the table in which it is z, and any
two of these are neighbours.  A guess is a function of the answers, coins included, and E_z is the event that it is z.

    P_z(E_z) <= e^epsilon P_w(E_z) + delta    for w other than z, where the answers are (epsilon, delta)-DP

Take the mean over w, then the sum over z.  Each P_w(E_z) with z other than w stands there once, and for one w they add
up to 1 - P_w(E_w).  So, with S = the mean over z of P_z(E_z), which is the probability that the guess is right,

    k S <= e^epsilon (k - k S) / (k - 1) + k delta,
    S <= (e^epsilon + (k - 1) delta) / (e^epsilon + k - 1).

It holds at every epsilon >= 0 with its delta, so that one may take the least.  At epsilon = 0, delta(0) is the greatest
total variation between two such tables, and of two values S <= (1 + delta(0)) / 2: no other epsilon gives less then, as
the likelihood test attains it on a pair of laws with that profile.  At delta = 0, S <= e^epsilon / (e^epsilon + k - 1).

Of n secrets the bound holds for each, given the others, and so for the mean share of those that are guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.accounting.accounts import Account, Limits, Question
from refdp.accounting.inputs.anything import events_of
from refdp.accounting.inputs.relations import neighbours_of
from refdp.numerics.elementary import exp_bounds

BITS = 80
"""Binary digits of e^epsilon, which is rounded up."""
WIDTH = Fraction(1, 10**7)
"""How far the two ends of a delta may be apart, relative to it; the upper end is taken, however far."""


@dataclass(frozen=True, slots=True)
class GuessBound:
    """No guess is right with a greater probability; and the (epsilon, delta) that it was worked out from."""

    probability: Fraction
    epsilon: Fraction
    delta: Fraction
    engine: str
    trusts: frozenset[str]


def guess_probability(values: int, epsilon: Fraction, delta: Fraction) -> Fraction:
    """(e^epsilon + (k - 1) delta) / (e^epsilon + k - 1), k = `values` >= 2, e^epsilon rounded up.

    Rounded up: for 0 <= delta <= 1 it does not fall with e^epsilon.

    >>> guess_probability(2, Fraction(0), Fraction(1, 2)), guess_probability(4, Fraction(0), Fraction(0))
    (Fraction(3, 4), Fraction(1, 4))
    """
    if epsilon < 0:
        raise ValueError(f"epsilon must be >= 0, got {epsilon}")
    return guess_probability_by_factor(values, Fraction(1) if epsilon == 0 else exp_bounds(epsilon, BITS)[1], delta)


def guess_probability_by_factor(values: int, factor: Fraction, delta: Fraction) -> Fraction:
    """(t + (k - 1) delta) / (t + k - 1), exactly: t = `factor` >= 1 stands for e^epsilon, k = `values` >= 2."""
    if values < 2 or factor < 1 or not 0 <= delta <= 1:
        raise ValueError(f"values must be >= 2, factor >= 1 and delta from 0 to 1, got {values}, {factor}, {delta}")
    return (factor + (values - 1) * delta) / (factor + values - 1)


def account_of_noise(events: Iterable[Mapping[str, Any]], neighbours: str) -> Account:
    """The account of these events, written as in a spec."""
    return Account(neighbours, tuple(events_of([dict(one) for one in events], neighbours_of(neighbours))))


def guess_bound(account: Account, values: int, epsilons: Iterable[Fraction] = (), timeout: float = 60.0) -> GuessBound:
    """The least of the bounds at epsilon = 0 and at these others."""
    found = [bound_at(account, values, epsilon, timeout) for epsilon in dict.fromkeys((Fraction(0), *epsilons))]
    return min(found, key=lambda one: one.probability)


def bound_of_noise(
    scale: Fraction, neighbours: str, timeout: float, *, count: int = 1, sensitivity: int = 1
) -> GuessBound:
    """The bound of a secret of two values, between which so many noisy answers move by at most the sensitivity."""
    event = {"mechanism": "discrete_laplace", "scale": scale, "sensitivity": sensitivity, "count": count}
    return guess_bound(account_of_noise([event] if count else [], neighbours), 2, timeout=timeout)


def bound_at(account: Account, values: int, epsilon: Fraction, timeout: float = 60.0) -> GuessBound:
    """The bound at one epsilon, from the upper end of delta(epsilon); an interrupt is not answered but raised."""
    (answer,) = account.answers([Question(epsilon=epsilon)], Limits(WIDTH, timeout), partial=False)
    delta = Fraction(1) if answer.bounds.upper is None else min(Fraction(1), answer.bounds.upper)
    probability = guess_probability(values, epsilon, delta)
    return GuessBound(probability, epsilon, delta, answer.engine, answer.trusts)
