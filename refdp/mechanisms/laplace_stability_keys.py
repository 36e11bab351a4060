"""Stability histogram with Laplace noise without its counts: the keys that occur whose noisy counts reach a threshold.

Claims: as of `laplace_stability_histogram`.
It exists to prove things about; `stability_keys` draws.
Source: KKMN09; BNS19 (stability-based histograms).
"""

from __future__ import annotations

from dataclasses import replace

from refdp.mechanisms.laplace_stability_histogram import LAPLACE_STABILITY_HISTOGRAM
from refdp.spec.registry import register

LAPLACE_STABILITY_KEYS = register(
    replace(LAPLACE_STABILITY_HISTOGRAM, stem="laplace_stability_keys", gives_counts=False)
)
