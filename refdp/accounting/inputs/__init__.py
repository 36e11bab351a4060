"""What users have at hand, read as events: documents, trees of other libraries, histories, maps and functions."""

from importlib import import_module
from typing import Any

HOME = {
    "measurement_event": "refdp.accounting.inputs.measurements",
    "opendp_event": "refdp.accounting.inputs.opendp",
    "profile_event": "refdp.accounting.inputs.callables",
    "trade_off_event": "refdp.accounting.inputs.callables",
}
"""The module in which each public name is defined."""


def __getattr__(name: str) -> Any:
    if name not in HOME:
        raise AttributeError(f"refdp.accounting.inputs has no {name!r}")
    return getattr(import_module(HOME[name]), name)
