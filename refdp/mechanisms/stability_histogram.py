"""Stability histogram: the keys that occur and their counts with discrete Laplace noise, if these reach a threshold.

The list of keys need not be known.  Claims, with delta the probability that the count of a key that occurs once reaches
the threshold: (1 / scale, delta)-DP for a row added or removed, (2 / scale, delta)-DP for a row replaced.
Source: KKMN09; BNS19 (stability-based histograms).
"""

from __future__ import annotations

from dataclasses import replace

from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Measurement, measurement, row_domain
from refdp.spec.formulas import Real, formula
from refdp.spec.registry import register
from refdp.spec.samplers import KeyByKey, draws
from refdp.spec.signatures import unknown_keys_signature
from refdp.spec.unknown_keys import ThresholdedCounts
from refdp.terms.reading import read
from refdp.terms.term import Term, term


@formula
def noise_scale(scale: Real) -> Real:
    """The scale of the noise on each count."""
    return scale


@formula
def least_count(threshold: Real) -> Real:
    """The least noisy count that is given."""
    return threshold


@formula
def count_loss(d_in: Real, scale: Real) -> Real:
    """The loss when one count moves by at most d_in."""
    return d_in / scale


@formula
def rate(scale: Real) -> Real:
    """ln of the factor by which one step of the noise is rarer than the one before."""
    return 1 / scale


STABILITY_HISTOGRAM = register(
    ThresholdedCounts(
        stem="stability_histogram",
        parameters=("rows", "scale", "threshold"),
        conditions=(read("0 < scale"), read("integer(threshold)"), read("1 <= threshold")),
        example={"rows": read("grid(1)"), "scale": term(1), "threshold": term(15)},
        noise="discrete_laplace",
        scale=noise_scale,
        threshold=least_count,
        loss=count_loss,
        gives_counts=True,
    )
)
draws("stability_histogram", KeyByKey(rate))


def stability_histogram(
    scale: Exactly, threshold: Exactly, rows: Term | str = "grid(1)", neighbours: str = "add_remove"
) -> Measurement:
    """table of keys -> the keys whose noisy counts are at least the threshold, each with that count, in order.

    Rows are numbers or texts, members of the domain `rows`; scale > 0, exact, in rows; threshold >= 1 whole.  The map
    is (epsilon, delta) for one row.  Raises ValueError for others.

    >>> stability_histogram(scale=1, threshold=15)
    stability_histogram(grid(1), 1, 15): table(grid(1)), symmetric -> approximate
    """
    found = measurement(
        STABILITY_HISTOGRAM,
        unknown_keys_signature(STABILITY_HISTOGRAM, neighbours),
        rows=row_domain(rows, "rows"),
        scale=exact(scale, "scale"),
        threshold=exact(threshold, "threshold"),
    )
    return replace(found, at_one=True)
