"""From one measure to another, as numbers rounded up.  Each names the kernel rule whose proof it rests on."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from refdp.accounting.theorems.composition import DIGITS, term
from refdp.accounting.theorems.guarantees import Guarantee, Number, rational, require
from refdp.numerics.exact import decide, exact, exact_real, upper_bound
from refdp.spec.noise import exact_delta
from refdp.terms.term import Term, exp, ln, normal_tail, number, sqrt

FINEST = 10**4
"""Renyi orders that floats choose are rounded to fractions with at most this denominator."""


def _under(g: Guarantee, *measures: str) -> tuple[Number, ...]:
    """The loss of a guarantee under one of the measures."""
    require(g.measure in measures, f"expected a guarantee under {' or '.join(measures)} DP, got {g.measure}")
    return g.loss


def _chance(delta: object) -> Fraction:
    """A probability strictly between 0 and 1."""
    found = exact(delta, "delta")
    require(0 < found < 1, f"delta must be strictly between 0 and 1, got {found}")
    return found


def pure_to_approximate(g: Guarantee, epsilon: object = None) -> Guarantee:
    """(e, 0), or (epsilon, (e^e - e^epsilon) / (e^e + 1)) at 0 <= epsilon <= e.  Rule `pure_to_approximate`."""
    (e,) = _under(g, "pure")
    if epsilon is None:
        return replace(g, measure="approximate", loss=(e, Fraction(0)))
    less = exact_real(epsilon, "epsilon")
    require(0 <= less <= e, f"epsilon must be from 0 to {e}, got {less}")
    delta = (exp(term(e)) - exp(less.term)) / (exp(term(e)) + 1)
    return replace(g, measure="approximate", loss=(less, upper_bound(delta, DIGITS)))


def pure_to_concentrated(g: Guarantee) -> Guarantee:
    """rho = e^2 / 2.  Rule `pure_to_concentrated`."""
    (e,) = _under(g, "pure")
    exactly = e if isinstance(e, Fraction) else e.rational if e.argument == 1 else None
    rho = exactly**2 / 2 if exactly is not None else upper_bound(term(e) ** 2 / 2, DIGITS)
    return replace(g, measure="concentrated", loss=(rho,))


def pure_to_renyi(g: Guarantee, order: object) -> Guarantee:
    """ln((e^(a e) + e^((1 - a) e)) / (1 + e^e)) / (a - 1): that of randomised response.  Rule `pure_to_renyi`."""
    (e,), a = _under(g, "pure"), _order(order)
    moment = (exp(a * term(e)) + exp((1 - a) * term(e))) / (1 + exp(term(e)))
    return replace(g, measure="renyi", loss=(a, upper_bound(ln(moment) / number(a - 1), DIGITS)))


def _order(order: object) -> Fraction:
    """A Renyi order."""
    a = exact(order, "order")
    require(a > 1, f"order must be > 1, got {a}")
    return a


def pure_to_gaussian(g: Guarantee, mu_squared: object) -> Guarantee:
    """mu^2, if (1 + e^e) Q(mu / 2) <= 1; HypothesisError if not.  Rule `pure_to_gaussian`."""
    (e,), squared = _under(g, "pure"), exact(mu_squared, "mu_squared")
    require(squared >= 0, f"mu_squared must be >= 0, got {squared}")
    enough = decide((1 + exp(term(e))) * normal_tail(sqrt(squared) / 2) <= number(1))
    require(enough, f"mu^2 = {squared} is too small for {e}-DP")
    return replace(g, measure="gaussian", loss=(squared,))


def concentrated_to_renyi(g: Guarantee, order: object) -> Guarantee:
    """rho times the order.  Rule `concentrated_to_renyi`."""
    (rho,), a = _under(g, "concentrated"), _order(order)
    return replace(g, measure="renyi", loss=(a, rational(rho) * a))


def gaussian_to_concentrated(g: Guarantee) -> Guarantee:
    """mu^2 / 2.  Rule `gaussian_to_concentrated`."""
    (squared,) = _under(g, "gaussian")
    return replace(g, measure="concentrated", loss=(rational(squared) / 2,))


def gaussian_to_approximate(g: Guarantee, epsilon: object) -> Guarantee:
    """Q(epsilon / mu - mu / 2) - e^epsilon Q(epsilon / mu + mu / 2), the least.  Rule `gaussian_to_approximate`."""
    (squared,), e = _under(g, "gaussian"), exact(epsilon, "epsilon")
    require(e >= 0, f"epsilon must be >= 0, got {e}")
    if squared == 0:
        return replace(g, measure="approximate", loss=(e, Fraction(0)))
    delta = exact_delta(number(1), sqrt(rational(squared)), number(e))
    return replace(g, measure="approximate", loss=(e, upper_bound(delta, DIGITS)))


def renyi_at_smaller_order(g: Guarantee, order: object) -> Guarantee:
    """The same bound, at an order from 1 to its own.  Rule `renyi_at_smaller_order`."""
    (a, e), less = _under(g, "renyi"), _order(order)
    require(less <= a, f"order must be at most {a}, got {less}")
    return replace(g, loss=(less, e))


def _simple(a: Fraction, e: Term, d: Term) -> Term:
    """e + ln(1/delta) / (a - 1).  Source: Mir17 Prop 3."""
    return e + ln(1 / d) / (number(a) - 1)


def _sharp(a: Fraction, e: Term, d: Term) -> Term:
    """e + ln((a - 1) / a) + ln(1 / (a delta)) / (a - 1).  Source: CKS20."""
    return e + ln(number((a - 1) / a)) + ln(1 / (number(a) * d)) / (number(a) - 1)


RENYI_FORMS: Mapping[str, Callable[[Fraction, Term, Term], Term]] = {"simple": _simple, "sharp": _sharp}


def renyi_to_approximate(g: Guarantee, delta: object, form: str = "sharp") -> Guarantee:
    """epsilon at delta, by the simple or the sharp form; a negative one is given as 0.  Rule `renyi_to_approximate`."""
    (a, e), d = _under(g, "renyi"), _chance(delta)
    require(form in RENYI_FORMS, f"form must be {' or '.join(RENYI_FORMS)}, got {form}")
    epsilon = upper_bound(RENYI_FORMS[form](rational(a), term(e), number(d)), DIGITS)
    return replace(g, measure="approximate", loss=(max(epsilon, Fraction(0)), d))


def concentrated_to_approximate(g: Guarantee, delta: object) -> Guarantee:
    """rho + 2 sqrt(rho ln(1/delta)), or less at the best order found.  Rules of `concentrated` and `renyi`."""
    (rho,), d = _under(g, "concentrated"), _chance(delta)
    simple = upper_bound(term(rho) + 2 * sqrt(term(rho) * ln(1 / number(d))), DIGITS)
    orders = _good_orders(float(rational(rho)), float(math.log(1 / float(d) if d > Fraction(1, 10**300) else 1e300)))
    found = [renyi_to_approximate(concentrated_to_renyi(g, a), d).loss[0] for a in orders]
    return replace(g, measure="approximate", loss=(min([simple, *found]), d))


def _good_orders(rho: float, log_inverse: float) -> Sequence[Fraction]:
    """Orders near the best one: floats choose them, any order is sound."""
    if rho == 0:
        return ()
    around = 1 + math.sqrt(log_inverse / rho)

    def bound(a: float) -> float:
        return a * rho + math.log((a - 1) / a) + (log_inverse - math.log(a)) / (a - 1)

    tried = [1 + (around - 1) * 2 ** (i / 32) for i in range(-96, 33)]
    best = sorted(tried, key=bound)[:2]
    return [1 + Fraction(a - 1).limit_denominator(FINEST) for a in best if a - 1 > 1 / FINEST]
