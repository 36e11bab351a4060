"""Values of parameters, as callers give them."""

from __future__ import annotations

from refdp.numerics.exact import exact


def written(value: object, parameter: str) -> str:
    """An exact number, or the text of one; a float is refused with what to write instead."""
    if isinstance(value, float):
        exact(value, parameter)
    return str(value)
