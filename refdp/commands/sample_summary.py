"""What draws look like beside their law: means and variances, those of the law enclosed."""

from __future__ import annotations

from decimal import Context
from fractions import Fraction
from typing import Any

from refdp.numerics.elementary import Undecided
from refdp.numerics.intervals import Interval
from refdp.numerics.masses import masses
from refdp.sampling.chunks import Run
from refdp.sampling.moments import Moments
from refdp.sampling.plans import Clamped, Noise, plan_of
from refdp.sampling.variances import variance
from refdp.spec import registry
from refdp.spec.selection import FlipSelection
from refdp.terms.term import TermError

DIGITS = 12
"""Significant digits of means and variances; those of a law are rounded outward."""
MOST_OUTCOMES = 1000
"""Most outcomes whose masses are added up."""
MOST_FLIPPED = 30
"""The same of permute and flip, whose masses take long to work out."""


def sample_moments(run: Run, found: Moments) -> dict[str, Any]:
    """The mean, the variance (divided by n - 1; none of a single draw), the least and the greatest draw.

    Mean and variance have DIGITS digits; `rounded` names those that are not exactly so.
    """
    n, mean = found.count, Fraction(found.total, found.count)
    spread = None if n == 1 else (found.squares - mean * found.total) / (n - 1) * run.unit**2
    ends = (run.unit * (run.constant + end) for end in (found.least, found.greatest))
    exactly = {"mean": run.unit * (run.constant + mean), "variance": spread}
    told = {name: None if x is None else decimal(x) for name, x in exactly.items()}
    return {
        **told,
        "least": str(next(ends)),
        "greatest": str(next(ends)),
        "rounded": [name for name, text in told.items() if text is not None and Fraction(text) != exactly[name]],
    }


def decimal(x: Fraction) -> str:
    """x rounded to DIGITS significant digits."""
    return _divided(x, Context(prec=DIGITS))


def law_moments(run: Run) -> dict[str, dict[str, str] | None]:
    """Enclosures of the law's mean and variance; None where none is at hand."""
    try:
        mean, spread = _moments(run)
    except (TermError, Undecided):
        return {"mean": None, "variance": None}
    return {"mean": _ends(mean), "variance": _ends(spread)}


def _ends(x: Interval | None) -> dict[str, str] | None:
    """Both ends, rounded outward."""
    return None if x is None else {"lower": rounded(x.lower, -1), "upper": rounded(x.upper, 1)}


def rounded(x: Fraction, direction: int) -> str:
    """x as a decimal of DIGITS significant digits, not above it (-1) or not below it (1)."""
    context = Context(prec=DIGITS, rounding="ROUND_FLOOR" if direction < 0 else "ROUND_CEILING")
    return _divided(x, context)


def _divided(x: Fraction, context: Context) -> str:
    """x as the context rounds it, without a power of ten where it is short without."""
    found = context.divide(x.numerator, x.denominator).normalize(context)
    return f"{found:f}" if not x or -DIGITS // 2 < found.adjusted() <= 2 * DIGITS else f"{found:e}"


def _moments(run: Run) -> tuple[Interval | None, Interval | None]:
    """Of noise by its symmetry and its weights, of few outcomes by their masses."""
    plan = run.plan if run.plan is not None else plan_of(run.subject)
    if isinstance(plan, Noise):
        spread = variance(plan.law)
        square = Interval(run.unit**2, run.unit**2)
        return Interval(run.x, run.x), None if spread is None else spread * square
    if isinstance(plan, Clamped) and plan.upper - plan.lower >= MOST_OUTCOMES:
        return None, None
    flips = isinstance(registry.kind_of(run.subject.operator), FlipSelection)
    if isinstance(run.x, tuple) and len(run.x) > (MOST_FLIPPED if flips else MOST_OUTCOMES):
        return None, None
    return _by_masses(masses(run.subject, run.x))


def _by_masses(found: dict[Any, Interval]) -> tuple[Interval, Interval]:
    """The mean, and the mean square less its square, of not too many outcomes."""
    if len(found) > MOST_OUTCOMES:
        raise Undecided("too many outcomes")
    sums = []
    for power in (1, 2):
        terms = [p * Interval(Fraction(y) ** power, Fraction(y) ** power) for y, p in found.items()]
        sums.append(sum(terms, Interval(Fraction(0), Fraction(0))))
    mean, square = sums
    spread = square - mean * mean
    return mean, Interval(max(spread.lower, Fraction(0)), spread.upper)
