"""Values as campaign files write them, so that a report's record can be read back by `refdp audit --replay`."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from refdp.auditing.judges.inputs import FORMS


class Unwritten(ValueError):
    """A value that no campaign file can hold: what rests on it is not replayed elsewhere."""


def form(value: Any) -> Any:
    """The value in the form that `refdp.auditing.judges.inputs.read` reads; Unwritten for a value that has none."""
    kind = type(value)
    if kind in (bool, int, str):
        return value
    if kind is float:
        return {"float": value.hex()}
    if kind is Fraction:
        return {"fraction": str(value)}
    if value is None:
        return {"none": True}
    if kind in (list, tuple):
        items = [form(one) for one in value]
        return items if kind is list else {"tuple": items}
    named = kind is dict and all(isinstance(key, str) for key in value)
    if named and not (len(value) == 1 and set(value) & set(FORMS)):
        return {key: form(one) for key, one in value.items()}
    raise Unwritten(f"a {kind.__name__} has no form in a campaign file")
