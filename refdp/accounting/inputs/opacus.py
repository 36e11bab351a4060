"""Histories of Opacus accountants: (noise_multiplier, sample_rate, steps), Poisson-sampled Gaussian noise.

Opacus clips each row's gradient to norm C and adds noise of noise_multiplier times C, so a row that is added moves the
sum by C.  Its own accountants speak of add_remove; a row replaced is accounted for here, too, by two mixtures.  A float
is taken as its shortest decimal.
Source: opacus 1.6.0, accountants/accountant.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from refdp.accounting.events import Event, Gaussian, Poisson, unmasked
from refdp.accounting.inputs.relations import Relation
from refdp.accounting.losses import LossError, require
from refdp.accounting.numbers import LARGEST_COUNT, number, shown, whole


def read_history(value: Any, neighbours: Relation) -> list[Event]:
    """The events of an accountant, of its state_dict, or of its history; LossError where it is none."""
    return [event for row in rows_of(value, neighbours) for event in events_of_row(row, neighbours)]


def rows_of(value: Any, neighbours: Relation) -> list[Any] | tuple[Any, ...]:
    """The rows of an accountant, of its state_dict, or of its history; LossError where there are none."""
    if neighbours.relation == "none":
        raise LossError("neighbours must be add_remove or change_one for an Opacus history, got none")
    found = value.get("history") if isinstance(value, Mapping) else getattr(value, "history", value)
    if not isinstance(found, list | tuple):
        raise LossError(f"history must be a list of (noise_multiplier, sample_rate, steps), got {shown(found)}")
    return found


def events_of_row(row: Any, neighbours: Relation) -> list[Event]:
    """One row of a history."""
    if not isinstance(row, list | tuple) or len(row) != 3:
        raise LossError(f"a row of a history must be (noise_multiplier, sample_rate, steps), got {_told(row)}")
    sigma, rate = number(_decimal(row[0]), "noise_multiplier"), number(_decimal(row[1]), "sample_rate")
    require(sigma >= 0, "noise_multiplier", ">= 0", sigma)
    require(0 <= rate <= 1, "sample_rate", "between 0 and 1", rate)
    steps = whole(row[2], "steps", LARGEST_COUNT)
    if rate == 0:
        return []
    if sigma == 0:
        return [Event(unmasked(rate, neighbours.relation), steps)]
    return [Event(Gaussian(sigma), steps, Poisson(rate))]


def _decimal(x: Any) -> Any:
    """A float as its shortest decimal: what its owner wrote, 0.01 and not the dyadic number beside it."""
    return repr(float(x)) if isinstance(x, float) else x


def _told(row: Any) -> str:
    """The row as it is written: what was read of a document are decimals."""
    return f"[{', '.join(str(x)[:20] for x in row[:4])}]" if isinstance(row, list | tuple) else shown(row)
