"""What a loss becomes under another measure, or on a sample of the rows: the formulas of rules and of pipelines."""

from __future__ import annotations

from refdp.terms.term import Term, exp, ln, sqrt


def concentrated_of_pure(epsilon: Term) -> Term:
    """The rho of epsilon-DP: epsilon^2 / 2.  BS16 Prop 1.4."""
    return epsilon**2 / 2


def epsilon_of_concentrated(rho: Term, delta: Term) -> Term:
    """The epsilon of rho-zCDP at delta: rho + 2 sqrt(rho ln(1 / delta)).  BS16 Prop 1.3."""
    return rho + 2 * sqrt(rho * ln(1 / delta))


def epsilon_of_renyi(order: Term, epsilon: Term, delta: Term) -> Term:
    """The epsilon of Renyi DP at delta: epsilon + ln(1 / delta) / (order - 1).  Mir17 Prop 3."""
    return epsilon + ln(1 / delta) / (order - 1)


def amplified(rate: Term, epsilon: Term) -> Term:
    """The epsilon on a sample with that rate: ln(1 + rate (e^epsilon - 1))."""
    return ln(1 + rate * (exp(epsilon) - 1))
