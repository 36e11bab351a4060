"""A history of Opacus as a spec with "?" for the parameter to find: in the last row, or where "?" is written.

The rows before the last are what was run already, so that they stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from refdp.accounting.calibrating import FREE
from refdp.accounting.events import Event, Finite, Gaussian, Poisson
from refdp.accounting.inputs.opacus import events_of_row, rows_of
from refdp.accounting.inputs.relations import Relation
from refdp.accounting.losses import LossError, require
from refdp.accounting.numbers import shown

COLUMNS = {"sigma": 0, "rate": 1, "count": 2}
"""The parameter of a spec -> its place in a row (noise_multiplier, sample_rate, steps)."""


def marked_history(value: Any, sought: str, neighbours: Relation) -> dict[str, Any]:
    """The spec of the history, with "?" for what is sought: in its last row if no "?" is written.

    Raises LossError where it is no history, has no rows, or has a "?" elsewhere than in a column that can be found.
    """
    rows = [list(row) if isinstance(row, list | tuple) else row for row in rows_of(value, neighbours)]
    require(sought in COLUMNS, "calibrate", "sigma (noise multiplier), rate or count (steps) with a history", sought)
    require(len(rows) > 0, "history", "of one row or more to be calibrated", "none")
    if not any(isinstance(row, list) and FREE in row for row in rows):
        require(
            isinstance(rows[-1], list) and len(rows[-1]) == 3, "a row of a history", "of three numbers", shown(rows[-1])
        )
        rows[-1][COLUMNS[sought]] = FREE
    return {
        "neighbours": neighbours.relation,
        "events": [event for row in rows for event in _stated(row, neighbours)],
    }


def _stated(row: Any, neighbours: Relation) -> list[dict[str, Any]]:
    """The events of one row as a spec has them."""
    if not isinstance(row, list) or FREE not in row:
        return [stated_event(event) for event in events_of_row(row, neighbours)]
    known = [1 if value == FREE else value for value in row]
    found = events_of_row(known, neighbours)
    if len(found) != 1 or not isinstance(found[0].mechanism, Gaussian):
        raise LossError("the row that is calibrated must have a noise_multiplier and a sample_rate > 0, got a 0")
    event = stated_event(found[0])
    marks = [name for name, place in COLUMNS.items() if row[place] == FREE]
    sampling = event["sampling"] | ({"rate": FREE} if "rate" in marks else {})
    return [event | {name: FREE for name in marks if name != "rate"} | {"sampling": sampling}]


def stated_event(event: Event) -> dict[str, Any]:
    """The event of a row of a history as a spec has it."""
    match event.mechanism, event.sampling:
        case Gaussian(sigma), Poisson(rate):
            sampling: Mapping[str, Any] = {"scheme": "poisson", "rate": rate}
            return {"mechanism": "gaussian", "sigma": sigma, "count": event.count, "sampling": sampling}
        case Finite(outcomes), None:
            return {"mechanism": "finite", "outcomes": [list(pair) for pair in outcomes], "count": event.count}
    raise LossError(f"a row of a history must be Gaussian noise on Poisson samples, got {event.name}")
