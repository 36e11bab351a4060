"""Whatever a user has at hand, read as events under a neighbouring relation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from refdp.accounting import events
from refdp.accounting.events import Event
from refdp.accounting.inputs.relations import Relation
from refdp.accounting.inputs.spec import read_event


def events_of(value: Any, neighbours: Relation) -> list[Event]:
    """The events in it: Events, mechanisms, an event's data, an Opacus history or dp_accounting's trees; or a list.

    Raises LossError or NoTheorem for what is none of these.
    """
    if isinstance(value, Event):
        return [value]
    if isinstance(value, events.Mechanism):
        return [Event(value)]
    if isinstance(value, Mapping) and "mechanism" in value and "history" not in value:
        return [read_event(value)]
    if isinstance(value, Mapping) or isinstance(getattr(value, "history", None), list):
        from refdp.accounting.inputs.opacus import read_history

        return read_history(value, neighbours)
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        return [event for one in value for event in events_of(one, neighbours)]
    from refdp.accounting.inputs.dp_events import read_tree

    return read_tree(value, neighbours)
