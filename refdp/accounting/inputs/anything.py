"""Whatever a user has at hand, read as events under a neighbouring relation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from refdp.accounting import events
from refdp.accounting.events import NEIGHBOURS, Event
from refdp.accounting.inputs.spec import read_event
from refdp.accounting.losses import LossError
from refdp.accounting.numbers import shown


@dataclass(frozen=True, slots=True)
class Relation:
    """A neighbouring relation; special: a row is replaced by a record that adds nothing to any sum."""

    relation: str
    special: bool = False


NAMES: dict[str, Relation] = {
    **{str(name): Relation(name) for name in NEIGHBOURS},
    "ADD_OR_REMOVE_ONE": Relation("add_remove"),
    "REPLACE_ONE": Relation("change_one"),
    "REPLACE_SPECIAL": Relation("add_remove", special=True),
}
"""The relations by refdp's names and by dp_accounting's."""


def neighbours_of(value: object) -> Relation:
    """The relation by its name, or by a member of an enumeration of such names; LossError for others."""
    if isinstance(value, Relation):
        return value
    name = value if isinstance(value, str) else getattr(value, "name", None)
    if not isinstance(name, str) or name not in NAMES:
        raise LossError(f"neighbours must be one of {', '.join(NAMES)}, got {shown(value)}")
    return NAMES[name]


def events_of(value: Any, neighbours: Relation) -> list[Event]:
    """The events in it: an Event, a mechanism, an event's data, or a tree of dp_accounting's events."""
    if isinstance(value, Event):
        return [value]
    if isinstance(value, events.Mechanism):
        return [Event(value)]
    if isinstance(value, Mapping):
        return [read_event(value)]
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        return [event for one in value for event in events_of(one, neighbours)]
    from refdp.accounting.inputs.dp_events import read_tree

    return read_tree(value, neighbours)
