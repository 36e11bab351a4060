"""Opacus: its accountants, by a recipe in `x`, the question.

`epsilon(accountants.RDPAccountant(), [(x[0], x[1], x[2])], x[3])`: the history is a list of noise multiplier, sample
rate and number of steps.  The accountants do not need torch: where it is missing, they are imported without the rest.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import types
import warnings
from importlib.metadata import version
from typing import Any


def load(spec: dict[str, Any], building: Any) -> dict[str, Any]:
    """The operations of the target and what it is."""
    warnings.simplefilter("ignore")
    names = {"accountants": accountants(), "epsilon": epsilon}
    recipe = spec["recipe"]
    return {
        "about": {"library": "opacus", "version": version("opacus"), "target": "a recipe in x"},
        "call": lambda x: building.built(recipe, {**names, "x": x}, "opacus"),
    }


def accountants() -> Any:
    """The accountants of the library; its other modules are left out where torch is missing."""
    if importlib.util.find_spec("torch") is None:
        found = importlib.util.find_spec("opacus")
        if found is None or found.submodule_search_locations is None:
            raise ImportError("opacus is not installed")
        package = types.ModuleType("opacus")
        package.__path__ = list(found.submodule_search_locations)
        sys.modules["opacus"] = package  # its own __init__ imports torch
        optimizers: Any = types.ModuleType("opacus.optimizers")
        optimizers.DPOptimizer = object  # the accountants name it in an annotation only
        sys.modules["opacus.optimizers"] = optimizers
    return importlib.import_module("opacus.accountants")


def epsilon(accountant: Any, history: list[tuple[float, float, int]], delta: float) -> float:
    """The epsilon of the accountant after the history of (noise multiplier, sample rate, steps)."""
    accountant.history = [(float(noise), float(rate), int(steps)) for noise, rate, steps in history]
    return float(accountant.get_epsilon(delta))
