"""Stability histogram without counts: the keys that occur whose counts with discrete Laplace noise reach a threshold.

Claims: as of `stability_histogram`; (1 / scale, delta)-DP for a row added or removed, (2 / scale, delta)-DP for a row
replaced, with delta the probability that the count of a key that occurs once reaches the threshold.
Source: KKMN09; BNS19 (stability-based histograms).
"""

from __future__ import annotations

from dataclasses import replace

from refdp.mechanisms.stability_histogram import STABILITY_HISTOGRAM, rate
from refdp.numerics.exact import exact
from refdp.pipeline import Exactly, Measurement, measurement, row_domain
from refdp.spec.registry import register
from refdp.spec.samplers import KeyByKey, draws
from refdp.spec.signatures import unknown_keys_signature
from refdp.terms.term import Term

STABILITY_KEYS = register(replace(STABILITY_HISTOGRAM, stem="stability_keys", gives_counts=False))
draws("stability_keys", KeyByKey(rate))


def stability_keys(
    scale: Exactly, threshold: Exactly, rows: Term | str = "grid(1)", neighbours: str = "add_remove"
) -> Measurement:
    """table of keys -> the keys whose noisy counts are at least the threshold, in order; as `stability_histogram`.

    Raises ValueError for others.

    >>> stability_keys(scale=1, threshold=15)
    stability_keys(grid(1), 1, 15): table(grid(1)), symmetric -> approximate
    """
    found = measurement(
        STABILITY_KEYS,
        unknown_keys_signature(STABILITY_KEYS, neighbours),
        rows=row_domain(rows, "rows"),
        scale=exact(scale, "scale"),
        threshold=exact(threshold, "threshold"),
    )
    return replace(found, at_one=True)
