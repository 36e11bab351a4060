"""Subset selection: a report is d of the k values, with the value among them with probability `truth`.

Claim: ln(truth (k - d) / ((1 - truth) d))-DP between any two values; truth = d e^epsilon / (d e^epsilon + k - d).
Source: YB18.
"""

from __future__ import annotations

from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Measurement, measurement
from refdp.spec.formulas import Real, formula
from refdp.spec.registry import register
from refdp.spec.samplers import SupportFirst, draws
from refdp.spec.signatures import mechanism_signature
from refdp.spec.supported import SupportedLaw
from refdp.terms.reading import read
from refdp.terms.term import term


@formula
def size(k: Real) -> Real:
    """The number of values."""
    return k


@formula
def chosen(d: Real) -> Real:
    """How many values are reported."""
    return d


@formula
def told(truth: Real) -> Real:
    """With what probability the value is among them."""
    return truth


@formula
def ratio_bound(k: Real, d: Real, truth: Real) -> Real:
    """e^epsilon: d / k of all subsets hold any one value."""
    return truth * (k - d) / ((1 - truth) * d)


SUBSET_SELECTION = register(
    SupportedLaw(
        stem="subset_selection",
        parameters=("k", "d", "truth"),
        conditions=(
            read("integer(k)"),
            read("integer(d)"),
            read("1 <= d"),
            read("d <= k - 1"),
            read("d <= truth * k"),
            read("truth < 1"),
        ),
        example={"k": term(5), "d": term(2), "truth": read("8/11")},
        support="subset",
        size=size,
        told=told,
        ratio_bound=ratio_bound,
        chosen=chosen,
    )
)
draws("subset_selection", SupportFirst())


def subset_selection(k: Exactly, d: Exactly, truth: Exactly) -> Measurement:
    """value -> d of the values 0, ..., k - 1 in order; 1 <= d < k whole, d/k <= truth < 1, exact.

    Raises ValueError for others.

    >>> str(subset_selection(5, 2, "8/11").map(1))
    'ln(4)'
    """
    return measurement(
        SUBSET_SELECTION,
        mechanism_signature(SUBSET_SELECTION),
        k=exact(k, "k"),
        d=exact(d, "d"),
        truth=exact(truth, "truth"),
    )
