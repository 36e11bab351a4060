"""`refdp account --calibrate`: the parameter that provably meets epsilon at delta, and one beside it that does not."""

from __future__ import annotations

import time
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from refdp.accounting.accounts import Limits
from refdp.accounting.calibrating import FALLING, FREE, RISING, Calibration, calibrate, filled, free_names
from refdp.accounting.inputs.spec import data_of
from refdp.accounting.losses import LossError

KNOWN = (*FALLING, *RISING)


def calibrated(
    spec: Any, name: str, epsilon: list[object], delta: list[object], digits: int, limits: Limits
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """What was found of the parameter as plain data, and the spec with the value that meets the target, if any does."""
    if len(epsilon) != 1 or len(delta) != 1:
        raise LossError(f"calibrate must have one epsilon and one delta, got {len(epsilon)} and {len(delta)}")
    began, marked = time.monotonic(), with_mark(stated(spec), name)
    found = calibrate(marked, epsilon[0], delta[0], digits=digits, limits=limits)
    told = plain(found, epsilon[0], delta[0]) | {"seconds": f"{time.monotonic() - began:.2f}"}
    return told, None if found.meets is None else filled(marked, written(found.meets, name))


def stated(spec: Any) -> dict[str, Any]:
    """The data of a spec, or of its file; LossError for anything else."""
    found = data_of(spec)
    if not isinstance(found, Mapping) or not isinstance(found.get("events"), list | tuple):
        raise LossError("spec must be a file or its data, with neighbours and events, to be calibrated")
    return dict(found)


def with_mark(spec: dict[str, Any], name: str) -> dict[str, Any]:
    """The spec with "?" for the parameter: where it stands already, else in every event that has the parameter."""
    if name not in KNOWN:
        raise LossError(f"calibrate must be one of {', '.join(KNOWN)}, got {name}")
    if free_names(spec):
        if free_names(spec) != [name]:
            raise LossError(f'calibrate must be the parameter with "?", {" and ".join(free_names(spec))}, got {name}')
        return spec
    events = [marked(one, name) for one in spec["events"]]
    if not any(free_names(one) for one in events):
        raise LossError(f"calibrate must be a parameter of an event of the spec, got {name}")
    return spec | {"events": events}


def marked(event: Any, name: str) -> Any:
    """The event with "?" for its parameter, or for that of its sampling."""
    if not isinstance(event, Mapping):
        return event
    return {
        key: FREE if key == name else marked(value, name) if key == "sampling" else value
        for key, value in event.items()
    }


def plain(found: Calibration, epsilon: object, delta: object) -> dict[str, Any]:
    """What was found, numbers as text."""
    told: dict[str, Any] = {"parameter": found.parameter, "epsilon": str(epsilon), "delta": str(delta)}
    told |= {key: None if value is None else decimal_text(value) for key, value in ends(found).items()}
    reason = found.reason or (None if found.meets is not None else "none of the values that are looked at does")
    return told if reason is None else told | {"reason": reason}


def ends(found: Calibration) -> dict[str, Fraction | None]:
    """Both values."""
    return {"meets": found.meets, "fails": found.fails}


def decimal_text(x: Fraction) -> str:
    """A number of few digits, as they are."""
    from refdp.commands.sample_files import number_text

    return number_text(x)


def written(value: Fraction, name: str) -> Any:
    """The value as a spec has it."""
    return int(value) if name == "count" else decimal_text(value)
