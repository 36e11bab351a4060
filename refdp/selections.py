"""Several candidates of one vector of scores, made of selections of one."""

from __future__ import annotations

from refdp.mechanisms.exponential import EXPONENTIAL
from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Measurement, PipelineError, Recipe, measurement
from refdp.spec.signatures import mechanism_signature, monotone_signature
from refdp.terms.term import apply, number


def top_k(k: Exactly, scale: Exactly, monotone: bool = False) -> Measurement:
    """scores -> k candidates in order, each named by the exponential mechanism among those that are left.

    The same law as k greatest scores with Gumbel noise of that scale on each; k >= 1 whole, at most the number of
    candidates, scale > 0, exact, in the scores' unit.  With `monotone` the map is for scores none of which rises while
    another falls.  Raises ValueError for others.

    >>> top_k(3, scale=12).map(1), top_k(3, scale=12, monotone=True).map(1)
    (Fraction(1, 2), Fraction(1, 4))
    """
    count = exact(k, "k")
    if count.denominator != 1 or count < 1:
        raise PipelineError(f"k must be a whole number >= 1, got {count}")
    if not isinstance(monotone, bool):
        raise PipelineError(f"monotone must be True or False, got {monotone!r}")
    signature = monotone_signature(EXPONENTIAL) if monotone else mechanism_signature(EXPONENTIAL)
    one = measurement(EXPONENTIAL, signature, scale=exact(scale, "scale"))
    times = number(count)
    losses = tuple(times * loss for loss in one.d_out)
    recipe = Recipe("peeled", (one,), {"k": times})
    return Measurement(
        apply("peeled", one.subject, times), one.input_domain, one.input_metric, one.measure, losses, recipe
    )
