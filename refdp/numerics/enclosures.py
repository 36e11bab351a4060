"""Enclosures on Arb (python-flint): the same facts as `intervals` in less time.  The kernel does not use them.

flint keeps one precision for the whole process, not one per thread.  Whatever it is, a ball holds its number; here it
is set under a lock and restored, so that results do not depend on what other threads of this package do.  A forked
child has neither the lock nor the precision of a thread that it left behind.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from threading import RLock
from typing import TYPE_CHECKING

from refdp.numerics.elementary import LARGEST_EXPONENT, Undecided, down, up
from refdp.numerics.exact import resolve
from refdp.numerics.intervals import Interval
from refdp.terms.evaluation import evaluate
from refdp.terms.term import Term, TermError, number, substitute

if TYPE_CHECKING:
    from flint import acb, arb, fmpz

    Ball = arb
    """Balls of real numbers, by the name under which other modules know their type."""
    Disc = acb
    """Balls of complex numbers, likewise."""

GUARD = 32
"""Additional binary digits with which sums are worked out."""
MOST_SUMMANDS = 1_000_000
"""A sum that needs more than these is Undecided."""
_PRECISION = RLock()
_BEFORE: list[int] = []
"""The precisions to return to, the outermost first; written by the thread that holds the lock."""


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Inside, Arb works with `bits` binary digits; before and after, with what it did.  Other threads wait outside."""
    from flint import ctx

    with _PRECISION:
        _BEFORE.append(ctx.prec)
        try:
            ctx.prec = bits
            yield
        finally:
            ctx.prec = _BEFORE[-1]
            _BEFORE.pop()


def _leave_behind() -> None:
    """In a forked child: a lock that another thread held would never be released; what this thread holds, it keeps."""
    global _PRECISION
    if _PRECISION.acquire(blocking=False):
        _PRECISION.release()
        return
    from flint import ctx

    _PRECISION = RLock()
    if _BEFORE:
        ctx.prec = _BEFORE[0]
        _BEFORE.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_behind)


@dataclass(frozen=True, slots=True)
class Balls:
    """Arb's ball arithmetic, as an arithmetic of `refdp.terms.evaluation`.

    Numbers and functions have `bits` binary digits.  The operators of balls have those of the `precision` around them.
    """

    bits: int = 64

    def number(self, value: Fraction) -> arb:
        from flint import arb, fmpq

        with precision(self.bits):
            return arb(fmpq(value.numerator, value.denominator))

    def function(self, name: str, *arguments: arb) -> arb:
        from flint import arb

        with precision(self.bits):
            match name, arguments:
                case "pi", ():
                    return arb.pi()
                case "min", (x, y):
                    return x.min(y)
                case "max", (x, y):
                    return x.max(y)
                case "exp", (x,):
                    return finite(x.exp())
                case "ln", (x,):
                    return finite(x.log())
                case "sqrt", (x,):
                    return finite(x.sqrt())
                case "normal_tail", (x,):
                    return finite(normal_tail(x.upper()).union(normal_tail(x.lower())))  # it falls
        raise TermError(f"{name} of {len(arguments)} argument(s) has no enclosure")

    def holds(self, comparison: str, a: arb, b: arb) -> bool:
        """True or False only if that holds for every number in a and every number in b; Undecided otherwise."""
        always, never = {
            "<=": (a <= b, a > b),
            "<": (a < b, a >= b),
            "==": (a == b, a != b),
            "!=": (a != b, a == b),
        }[comparison]  # Arb's comparisons are True only where they are certain
        if not always and not never:
            raise Undecided(f"the enclosures do not decide {comparison}")
        return bool(always)


def normal_tail(x: arb) -> arb:
    """P[N(0, 1) > x] = erfc(x / sqrt(2)) / 2, at the precision that is set."""
    from flint import arb

    return (x / arb(2).sqrt()).erfc() / 2


def finite(ball: arb) -> arb:
    """The ball; Undecided if Arb could not bound it."""
    if not ball.is_finite():
        raise Undecided("a number has no finite enclosure: its argument may be outside the domain, or too large")
    return ball


def interval(ball: arb, bits: int = 64) -> Interval:
    """The ball as an interval with rational endpoints, rounded outward to about `bits` binary digits."""
    lower, upper = _dyadic(*finite(ball).mid().man_exp())
    mantissa, exponent = _dyadic(*ball.rad().man_exp())[1]
    low, high = _sum(lower, (-mantissa, exponent)), _sum(upper, (mantissa, exponent))
    return Interval(down(*low, bits), up(*high, bits), bits)


Dyadic = tuple[int, int]
"""m 2^e as (m, e)."""


def _dyadic(mantissa: fmpz, exponent: fmpz) -> tuple[Dyadic, Dyadic]:
    """Bounds of mantissa 2^exponent: itself, unless it is too small to be worth writing out."""
    m, e = int(mantissa), int(exponent)
    if m == 0:
        return (0, 0), (0, 0)
    size = m.bit_length() + e  # |m 2^e| < 2^size
    if size > LARGEST_EXPONENT:
        raise Undecided(f"a number exceeds 2^{LARGEST_EXPONENT}")
    if size < -LARGEST_EXPONENT:
        tiny = -LARGEST_EXPONENT
        return ((0, 0), (1, tiny)) if m > 0 else ((-1, tiny), (0, 0))
    return (m, e), (m, e)


def _sum(a: Dyadic, b: Dyadic) -> tuple[int, int]:
    """Numerator and denominator of a sum; both are whole numbers, of which Python's fractions take much longer."""
    (m, e), (n, f) = a, b
    least = min(e, f)
    total = (m << e - least) + (n << f - least)
    return (total << least, 1) if least >= 0 else (total, 1 << -least)


def enclose(t: Term, values: Mapping[str, Fraction], bits: int = 64) -> Interval:
    """An interval that holds `t` where its names have the rational `values`; Undecided if none is found."""
    closed = resolve(substitute(t, {name: number(value) for name, value in values.items()}))
    with precision(bits):
        return interval(evaluate(closed, {}, Balls(bits)), bits)


def log_concave_sum(weight: Callable[[int], arb | Interval], bits: int = 64) -> Interval:
    """Enclosure of the sum of weight(|k|) over all integers k, for log-concave weight(0), weight(1), ... > 0.

    The width is about 2^-bits of the sum if the weights are that narrow; `weight` is called inside `precision`.  That
    it is log-concave is the caller's to prove: only a certain contradiction is refused (ValueError).
    """
    with precision(bits + GUARD):
        before, here = (_ball(weight(k), bits + GUARD) for k in (0, 1))
        total, small = before, Balls(bits).number(Fraction(1, 2**bits))
        for k in range(1, MOST_SUMMANDS):
            after = _ball(weight(k + 1), bits + GUARD)
            if here * here < before * after:
                raise ValueError(f"weight must be log-concave, got weight({k})^2 < weight({k - 1}) weight({k + 1})")
            # Log-concave: the ratios w(j + 1) / w(j) do not increase.  With r = w(k + 1) / w(k), w(k + i) <= w(k) r^i,
            # so that the terms from k on sum to at most w(k) / (1 - r) where r < 1; they are > 0.  Both sides: twice.
            tail = 2 * here / (1 - after / here)
            if after < here and tail < small * total:
                return Interval(interval(total, bits).lower, interval(total + tail, bits).upper, bits)
            before, here, total = here, after, total + 2 * here
    raise Undecided(f"a sum needs more than {MOST_SUMMANDS} summands")


def geometric(first: arb, ratio: arb, terms: int | None = None) -> arb:
    """A ball that reaches up to first (ratio + ratio^2 + ...), of so many terms or of all, and from below likewise.

    For first > 0 and 0 < ratio <= 1; without end where all terms are wanted and the ratio may be 1.
    """
    from flint import arb

    if not ratio < 1:
        return first * ratio * (arb("inf") if terms is None else arb(0).union(arb(terms)))
    return first * ratio * (1 if terms is None else 1 - ratio**terms) / (1 - ratio)


def log_gamma(x: Fraction, bits: int = 64) -> arb:
    """A ball that holds ln Gamma(x), for x > 0."""
    with precision(bits):
        return finite(Balls(bits).number(x).lgamma())


def integral(function: Callable[[acb], acb], low: arb, high: arb, bits: int = 64) -> arb:
    """A ball that holds the integral from low to high of a function without singularities in the complex plane."""
    from flint import acb

    with precision(bits + GUARD):
        return finite(acb.integral(lambda z, _: function(z), acb(low), acb(high)).real)


def _ball(x: arb | Interval, bits: int) -> arb:
    """A ball that holds x."""
    if not isinstance(x, Interval):
        return x
    return Balls(bits).number(x.lower).union(Balls(bits).number(x.upper))
