"""Noise on an array with a scale for each element: what `Measurement.each` draws where it is given scales."""

from __future__ import annotations

from typing import Any

import numpy as np

from refdp.sampling.bulk.addition import GREATEST, add, added
from refdp.sampling.bulk.drawing import checked, kept, scaled, target_of
from refdp.sampling.bulk.exponential import PerElement, Scales
from refdp.sampling.bulk.tables import Integers
from refdp.sampling.exponential import scales_of
from refdp.sampling.words import Source


def drawn(family: str, unit: int, data: Any, scales: Any, source: Source, out: Any) -> Any:
    """Each whole element plus noise of its own scale, on multiples of `unit`; `out` as in `bulk.drawing.drawn`."""
    inputs = checked(data)
    if unit > GREATEST:
        raise ValueError(f"granularity must be below 2^63 for an array, got {unit}; give a tuple")
    if unit > 1 and (inputs % unit).any():
        raise ValueError(f"every element of the array must be a multiple of {unit}")
    found = scales_in(scales, inputs, unit)
    target, direct = target_of(inputs, out)
    sampler = PerElement()
    noise = (sampler.laplace if family == "discrete_laplace" else sampler.gaussian)(found, source)
    if unit == 1:
        add(inputs.reshape(-1), noise, target)
    else:
        target[:] = scaled(added(inputs.reshape(-1) // unit, noise), unit)
    return kept(target, inputs, out, direct)


def scales_in(scales: Any, data: Integers, unit: int) -> Scales:
    """Scales in steps of the grid, one for each element; ValueError otherwise."""
    if isinstance(scales, np.ndarray) and scales.dtype.kind in "iu":
        if scales.shape != data.shape:
            raise ValueError(f"scales must be an array of shape {data.shape}, got {scales.shape}")
        numerator = checked(scales).reshape(-1)
        if numerator.size and numerator.min() <= 0:
            raise ValueError(f"scale must be > 0, got {numerator.min()}")
        return Scales(numerator, np.full(numerator.size, unit, np.int64))
    steps = [scale / unit for scale in scales_of(scales, data.size)]
    parts = [[step.numerator for step in steps], [step.denominator for step in steps]]
    if any(max(part, default=0) >= 2**63 for part in parts):
        raise ValueError("scales must have numerators and denominators of at most 2^50")
    return Scales(*(np.array(part, np.int64) for part in parts))
