"""A model of a solver as rational numbers; several of them approximate one whose values are irrational."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

DIGITS = (2, 10, 40)
"""Decimal digits to which an irrational value is approximated, one model each."""


def models(
    values: Mapping[str, Any], is_irrational: Callable[[Any], bool], rational: Callable[[Any, int], str]
) -> list[dict[str, str]]:
    """The model, or rational approximations of it."""
    precisions = DIGITS if any(map(is_irrational, values.values())) else DIGITS[:1]
    return [{symbol: rational(value, digits) for symbol, value in values.items()} for digits in precisions]
