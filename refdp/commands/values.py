"""Values of parameters, as callers give them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from refdp.numerics.exact import exact


def written(value: object, parameter: str) -> str:
    """An exact number, or the text of one; a float is refused with what to write instead."""
    if isinstance(value, float):
        exact(value, parameter)
    return str(value)


def listed(given: str | Sequence[str]) -> list[str]:
    """The texts that were given; a text alone is one of them, not its letters."""
    return [given] if isinstance(given, str) else list(given)


def by_name(given: object, parameter: str) -> dict[str, str]:
    """Names with what is written of their values; ValueError unless a dict or nothing was given."""
    if given is not None and not isinstance(given, Mapping):
        raise ValueError(f"{parameter} must be a dict of names and values, got {given!r}")
    return {name: written(value, name) for name, value in (given or {}).items()}


def pair(given: object, parameter: str) -> tuple[str, str]:
    """The lower and the upper of two numbers; ValueError unless two were given."""
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise ValueError(f"{parameter} must be a pair (L, U), got {given!r}")
    return written(given[0], parameter), written(given[1], parameter)
