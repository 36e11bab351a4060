"""dp_accounting: events and accountants, by a recipe in `x`, the question.

`rdp.RdpAccountant().compose(GaussianDpEvent(x[0]), x[1]).get_epsilon(x[2])` is worked out anew for each question.
"""

from __future__ import annotations

import importlib
from importlib.metadata import version
from typing import Any


def load(spec: dict[str, Any], building: Any) -> dict[str, Any]:
    """The operations of the target and what it is."""
    package = importlib.import_module("dp_accounting")
    names = {key: value for key, value in vars(package).items() if key[0] != "_"}
    names.update((name, importlib.import_module("dp_accounting." + name)) for name in ("pld", "rdp"))
    recipe = spec["recipe"]
    return {
        "about": {"library": "dp_accounting", "version": version("dp-accounting"), "target": "a recipe in x"},
        "call": lambda x: building.built(recipe, {**names, "x": x}, "dp_accounting"),
    }
