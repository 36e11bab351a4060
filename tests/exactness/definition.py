"""What a claim means, by exact enumeration: worst ratios, excesses and moments over neighbouring inputs.

Losses are a + ln(b) with rational a and b, so that e^loss = b e^a; e^a is irrational unless a = 0 and is enclosed by
Arb, apart from the package's own intervals.  Every answer is exact or raises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import floor, log
from typing import Any

from flint import arb, ctx, fmpq

from refdp.kernel.judgements import Private
from refdp.spec.distances import Law, greatest_ratio, hockey_stick, loss_tail, metric, renyi_moment
from refdp.terms.term import Term, number

ORDERS = (2, 3)
"""The whole Renyi orders at which concentrated claims are held against the definition."""
PRECISIONS = (64, 256, 1024)

Pairs = Iterable[tuple[Law, Law]]


def natural(loss: Term) -> tuple[Fraction, Fraction]:
    """(a, b) with loss = a + ln(b)."""
    match loss.operator, loss.arguments:
        case "number", ():
            return loss.rational, Fraction(1)
        case "ln", (b,):
            return Fraction(0), b.rational
        case "+", (first, second):
            (a, b), (c, d) = natural(first), natural(second)
            return a + c, b * d
    raise ValueError(f"{loss} is not of the form a + ln(b)")


def exp_bounds(a: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Rational numbers around e^a."""
    before, ctx.prec = ctx.prec, bits
    try:
        ball = arb(fmpq(a.numerator, a.denominator)).exp()
        return _rational(ball.lower()), _rational(ball.upper())
    finally:
        ctx.prec = before


def _rational(end: arb) -> Fraction:
    """The exact number that is the middle of a ball of radius 0, or nearest to it."""
    mantissa, exponent = end.mid().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def at_most(x: Fraction, loss: Term, times: int = 1) -> bool:
    """Whether x <= e^(times loss), exactly."""
    a, b = natural(loss)
    a, b = a * times, b**times
    if a == 0:
        return x <= b
    for bits in PRECISIONS:
        low, high = exp_bounds(a, bits)
        if x <= b * low or x > b * high:
            return x <= b * low
    raise ValueError(f"{x} <= e^({times} * ({loss})) is not decided")


def excess_at_most(pairs: list[tuple[Law, Law]], epsilon: Term, delta: Fraction) -> bool:
    """Whether no event exceeds e^epsilon times its probability under the other law by more than delta, exactly."""
    a, b = natural(epsilon)
    if a == 0:
        return all(hockey_stick(p, q, b) <= delta for p, q in pairs)
    for bits in PRECISIONS:
        low, high = exp_bounds(a, bits)
        if all(hockey_stick(p, q, b * low) <= delta for p, q in pairs):
            return True
        if any(hockey_stick(p, q, b * high) > delta for p, q in pairs):
            return False
    raise ValueError(f"an excess over e^({epsilon}) of {delta} is not decided")


def tail_at_most(pairs: list[tuple[Law, Law]], epsilon: Term, delta: Fraction) -> bool:
    """Whether the loss is more than epsilon with probability at most delta, exactly."""
    a, b = natural(epsilon)
    for bits in PRECISIONS:
        low, high = exp_bounds(a, bits) if a else (Fraction(1),) * 2
        if all(loss_tail(p, q, b * low) <= delta for p, q in pairs):
            return True
        if any(loss_tail(p, q, b * high) > delta for p, q in pairs):
            return False
    raise ValueError(f"a loss of more than {epsilon} is not decided")


def satisfied(measure: str, d_out: tuple[Term, ...], pairs: Pairs) -> bool:
    """Whether each pair of laws is within d_out under the measure; concentrated: at the whole ORDERS."""
    laws = list(pairs)
    match measure:
        case "pure":
            ratio = worst_ratio(laws)
            return ratio is not None and at_most(ratio, d_out[0])
        case "approximate":
            return excess_at_most(laws, d_out[0], d_out[1].rational)
        case "loss_tail":
            return tail_at_most(laws, d_out[0], d_out[1].rational)
        case "ratio":
            ratio = worst_ratio(laws)
            return ratio is not None and at_most(ratio - d_out[1].rational, d_out[0])
        case "gaussian":
            return all(tests_at_most(p, q, d_out[0].rational) for p, q in laws)
        case "concentrated":
            return all(moment_at_most(laws, n, d_out[0], n * (n - 1)) for n in ORDERS)
        case "renyi":
            order = d_out[0].rational
            if order.denominator != 1:
                raise ValueError(f"order must be whole, got {order}")
            return moment_at_most(laws, int(order), d_out[1], int(order) - 1)
    raise ValueError(f"no such measure: {measure}")


def tests_at_most(p: Law, q: Law, mu_squared: Fraction) -> bool:
    """Whether P(S) <= P[Z > z - mu] for Q(S) = P[Z > z], at the corners of the best tests: enough, by concavity."""
    order = sorted(p, key=lambda y: (q.get(y, 0) > 0, -p[y] / q[y] if q.get(y, 0) else 0))
    first, second = Fraction(0), Fraction(0)
    for y in order:
        first, second = first + p[y], second + q.get(y, Fraction(0))
        if first > 0 and second == 0:
            return False
        if 0 < second < 1 and not _below_the_curve(first, second, mu_squared):
            return False
    return True


def _below_the_curve(first: Fraction, second: Fraction, mu_squared: Fraction) -> bool:
    """Whether Q^-1(second) - Q^-1(first) <= mu; ValueError where balls do not decide it."""
    if first == 1:
        return False
    before, ctx.prec = ctx.prec, 200
    try:
        gap = ((_ball(2 * first) - 1).erfinv() - (_ball(2 * second) - 1).erfinv()) * arb(2).sqrt()
        mu = _ball(mu_squared).sqrt()
        if gap <= mu or first <= second:
            return True
        if gap > mu:
            return False
    finally:
        ctx.prec = before
    raise ValueError(f"a test of {first} and {second} is not decided")


def worst_ratio(pairs: Pairs) -> Fraction | None:
    """The greatest ratio of two masses; None for infinity."""
    ratios = [greatest_ratio(p, q) for p, q in pairs]
    return None if None in ratios else max(r for r in ratios if r is not None)


def worst_excess(pairs: Pairs, factor: Fraction) -> Fraction:
    """The greatest hockey-stick divergence at that factor."""
    return max(hockey_stick(p, q, factor) for p, q in pairs)


def worst_tail(pairs: Pairs, factor: Fraction) -> Fraction:
    """The greatest probability of a loss of more than ln(factor)."""
    return max(loss_tail(p, q, factor) for p, q in pairs)


STEPS = [Fraction(n, 4) for n in (4, 5, 6, 7, 8, 10, 12, 16, 24, 48)]


def concentration(pairs: Pairs) -> Fraction:
    """A rho that holds at every real order: the divergence grows with it, so that between two orders of STEPS it is
    at most that at the upper one; beyond the last it is at most the log of the greatest ratio."""
    found = [arb(0)]
    for p, q in pairs:
        greatest = greatest_ratio(p, q)
        if greatest is None:
            raise ValueError("some outcome is possible under one law only")
        found.append(_ball(greatest).log() / _ball(STEPS[-1]))
        for lower, upper in pairwise(STEPS):
            moment = sum((_ball(p[y]) * (_ball(p[y] / q[y]).log() * _ball(upper - 1)).exp() for y in p), arb(0))
            found.append(moment.log() / _ball(upper - 1) / _ball(lower))
    return Fraction(max(int((rho * 10**6).upper().ceil().unique_fmpz()) for rho in found), 10**6)


def _ball(x: Fraction) -> arb:
    """A ball around the rational x."""
    return arb(fmpq(x.numerator, x.denominator))


def worst_moment(pairs: Pairs, order: int) -> Fraction | None:
    """The greatest e^((order - 1) D_order); None for infinity."""
    moments = [renyi_moment(p, q, order) for p, q in pairs]
    return None if None in moments else max(m for m in moments if m is not None)


def moment_at_most(pairs: Pairs, order: int, loss: Term, times: int) -> bool:
    """Whether e^((order - 1) D_order) <= e^(times loss) for each pair."""
    moment = worst_moment(pairs, order)
    return moment is not None and at_most(moment, loss, times)


def least_loss(moment: Fraction, times: int) -> Term:
    """A rational number at most 2/1000 above ln(moment) / times."""
    found = Fraction(floor(log(moment) / times * 1000), 1000)
    while not at_most(moment, number(found), times):
        found += Fraction(1, 1000)
    return number(found)


@cache
def near(inputs: tuple[Any, ...], name: str, distance: Fraction | int) -> list[tuple[Any, Any]]:
    """Every ordered pair of inputs at most `distance` apart under the metric."""
    within, d = metric(name).within, Fraction(distance)
    return [(a, b) for a, b in product(inputs, repeat=2) if within(a, b, d)]


def pairs_of(laws: Mapping[Any, Law], close: Iterable[tuple[Any, Any]]) -> list[tuple[Law, Law]]:
    """The laws of each pair of inputs, each two different laws once."""
    found = {(id(laws[a]), id(laws[b])): (laws[a], laws[b]) for a, b in close}
    return [(p, q) for p, q in found.values() if p != q] or list(found.values())[:1]


def is_true(claim: Private, law: Callable[[Any], Law], inputs: tuple[Any, ...]) -> bool:
    """Whether the closed claim holds of the mechanism `law` on these inputs, by its definition."""
    laws = {x: law(x) for x in inputs}
    return satisfied(claim.measure, claim.d_out, pairs_of(laws, near(inputs, claim.metric, claim.d_in.rational)))
