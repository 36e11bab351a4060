"""Other ways to write an event, and events that lose more privacy: what metamorphic laws compare.

Three kinds of events are known by their shape alone: mappings (the objects of a refdp spec), dataclasses, and
classes made with attrs, as dp_accounting's are.  Of any other event there are no variants.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from refdp.accounting.judging.readings import Unreadable, extended

NOISE = ("noise_multiplier", "sigma", "scale", "standard_deviation")
"""Parameters of which less is louder."""
LOSS = ("sensitivity", "epsilon", "rho", "xi", "count", "sample_size", "sample")
"""Parameters of which more is louder."""
SHARE = ("rate", "sampling_probability", "delta", "truth")
"""Parameters of which more is louder, below 1."""
ROWS = {"sample_size": "source_dataset_size", "sample": "rows"}
"""Sizes of samples, each with the parameter that bounds it."""
PARTS = ("event", "sampling", "events", "mechanism")
"""Fields that hold events, or how they are sampled."""


def fields(event: Any) -> dict[str, Any]:
    """The parameters of an event by name; none where its kind is not known."""
    if isinstance(event, Mapping):
        return dict(event)
    if dataclasses.is_dataclass(event):
        return {field.name: getattr(event, field.name) for field in dataclasses.fields(event)}
    attributes = getattr(type(event), "__attrs_attrs__", ())
    return {attribute.name: getattr(event, attribute.name) for attribute in attributes}


def changed(event: Any, name: str, value: object) -> Any:
    """The same event with one parameter changed."""
    parameters = fields(event) | {name: value}
    if isinstance(event, Mapping):
        return parameters
    return type(event)(**{key.lstrip("_"): parameter for key, parameter in parameters.items()})


def louder(event: Any) -> Iterator[tuple[str, Any]]:
    """Events that are at least as lossy under every neighbouring relation, each with the parameter that was moved."""
    for name, value in fields(event).items():
        if name in PARTS:
            yield from ((f"{name}.{inner}", changed(event, name, part)) for inner, part in _louder_part(value))
        else:
            moved = _moved(name, value, event)
            if moved is not None:
                yield name, changed(event, name, moved)


def _louder_part(value: Any) -> Iterator[tuple[str, Any]]:
    """The same inside an event, or inside one of several."""
    if isinstance(value, list | tuple):
        for i, part in enumerate(value):
            for name, other in louder(part):
                yield f"{i}.{name}", type(value)([*value[:i], other, *value[i + 1 :]])
    elif value is not None:
        yield from louder(value)


def _moved(name: str, value: Any, event: Any) -> Any:
    """The louder value: half the noise, twice the loss, half-way from the share to 1; None if it is none of these."""
    if isinstance(value, bool):
        return None
    try:
        number = extended(Fraction(value) if isinstance(value, str) else value)
    except (Unreadable, ValueError):
        return None
    if name in NOISE:
        return _alike(Fraction(number) / 2, value)
    if name in SHARE and 0 < number < 1:
        return _alike((Fraction(number) + 1) / 2, value)
    if name not in LOSS or number <= 0:
        return None
    whole = ROWS.get(name)
    rows = extended(fields(event).get(whole, 2 * number)) if whole else 2 * number
    return _alike(min(2 * number, rows), value)


def _alike(number: Any, value: Any) -> Any:
    """The number in the type of the value: text remains text."""
    if isinstance(value, str):
        return str(Fraction(number))
    if isinstance(value, int):
        return int(number) if number == int(number) else Fraction(number)
    return type(value)(number)


def nested(event: Any, count: int) -> Iterator[Any]:
    """One event that composes `count` of this one, in each way that its kind has."""
    home = sys.modules.get(type(event).__module__)
    if home is not None and hasattr(home, "SelfComposedDpEvent"):
        yield home.SelfComposedDpEvent(event, count)
        yield home.ComposedDpEvent([event] * count)
    elif isinstance(event, Mapping) or "count" in fields(event):
        before = fields(event).get("count", 1)
        if isinstance(before, int):
            yield changed(event, "count", before * count)


def written(item: Any) -> str:
    """An event, or a pair of one and its count, in words."""
    if isinstance(item, tuple) and len(item) == 2 and isinstance(item[1], int):
        return f"{item[1]} x {item[0]}"
    return str(item)
