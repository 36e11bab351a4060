"""Opacus: its accountants, by a recipe in `x`, the question.

`epsilon(accountants.RDPAccountant(), [(x[0], x[1], x[2])], x[3])`: the history is a list of noise multiplier, sample
rate and number of steps.
"""

from __future__ import annotations

import importlib
import warnings
from importlib.metadata import version
from typing import Any


def load(spec: dict[str, Any], building: Any) -> dict[str, Any]:
    """The operations of the target and what it is."""
    warnings.simplefilter("ignore")
    names = {"accountants": importlib.import_module("opacus.accountants"), "epsilon": epsilon}
    recipe = spec["recipe"]
    return {
        "about": {"library": "opacus", "version": version("opacus"), "target": "a recipe in x"},
        "call": lambda x: building.built(recipe, {**names, "x": x}, "opacus"),
    }


def epsilon(accountant: Any, history: list[tuple[float, float, int]], delta: float) -> float:
    """The epsilon of the accountant after the history of (noise multiplier, sample rate, steps)."""
    accountant.history = [(float(noise), float(rate), int(steps)) for noise, rate, steps in history]
    return float(accountant.get_epsilon(delta))
