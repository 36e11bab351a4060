"""Stability histogram with Laplace noise: the keys that occur whose noisy counts reach a threshold, with these counts.

Claims: (1 / scale, delta)-DP for a row added or removed, (2 / scale, delta)-DP for a row replaced, with delta =
exp(-(threshold - 1) / scale) / 2.
It exists to prove things about; `stability_histogram` draws.
Source: KKMN09; BNS19 (stability-based histograms).
"""

from __future__ import annotations

from dataclasses import replace

from refdp.mechanisms.stability_histogram import STABILITY_HISTOGRAM
from refdp.spec.registry import register
from refdp.terms.reading import read

LAPLACE_STABILITY_HISTOGRAM = register(
    replace(
        STABILITY_HISTOGRAM,
        stem="laplace_stability_histogram",
        conditions=(read("0 < scale"), read("1 <= threshold")),
        noise="laplace",
    )
)
