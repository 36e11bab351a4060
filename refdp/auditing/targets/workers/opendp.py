"""OpenDP 0.3 and later: measurements, transformations, and pipelines that it has serialised.

The recipe is what a user would write: `t.make_sum(vector_domain(atom_domain(bounds=(0, 10)), size=3),
symmetric_distance())`, with t, m, c, domains, metrics and measures; or a text that `serialize` made.  A recipe with `x`
in it is worked out anew for each question, such as a distance and an epsilon.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from typing import Any

MODULES = {
    "t": ("opendp.transformations", "opendp.trans"), "m": ("opendp.measurements", "opendp.meas"),
    "c": ("opendp.combinators", "opendp.comb"), "domains": ("opendp.domains",), "metrics": ("opendp.metrics",),
    "measures": ("opendp.measures",), "dp": ("opendp.prelude",), "typing": ("opendp.typing",),
}  # fmt: skip
"""Name in a recipe -> the module, as the versions have called it."""
OPEN = ("domains", "metrics", "measures", "typing")
"""Modules whose names are offered without a prefix."""
FEATURES = ("contrib", "floating-point", "honest-but-curious")
"""What is switched on: a claim under audit is often one that the library offers on request."""
STEPS = 200
"""Most questions `check` is asked in order to find the least distance that it accepts."""


def load(spec: dict[str, Any], building: Any) -> dict[str, Any]:
    """The operations of the target and what it is."""
    importlib.import_module("opendp.mod").enable_features(*spec.get("features", FEATURES))
    if "serialised" in spec:
        target = importlib.import_module("opendp.prelude").deserialize(spec["serialised"])
    else:
        names = offered(building.names_in(spec["recipe"]))
        if building.free_names(spec["recipe"]):
            return of_questions(spec["recipe"], names, building)
        target = building.built(spec["recipe"], names, "opendp")
    return {
        "about": {"library": "opendp", "version": version(), "target": str(target), **words(target)},
        "call": target,
        "draw": lambda request: [target(request[0]) for _ in range(request[1])],
        "map": lambda d_in: claimed(target, d_in),
        "check": lambda pair: bool(target.check(*pair)),
    }


def of_questions(recipe: Any, names: dict[str, Any], building: Any) -> dict[str, Any]:
    """The operations of a recipe in x, the question, which is worked out anew for each."""
    return {
        "about": {"library": "opendp", "version": version(), "target": "a recipe in x"},
        "call": lambda x: building.built(recipe, {**names, "x": x}, "opendp"),
    }


def offered(used: set[str]) -> dict[str, Any]:
    """The names that a recipe may use; other modules are not imported, as the prelude loads scikit-learn and polars."""
    found: dict[str, Any] = {}
    for name, choices in MODULES.items():
        module = first(choices) if name in used or name in OPEN else None
        if module is not None:
            found[name] = module
            if name in OPEN:
                found.update((key, value) for key, value in vars(module).items() if key[0] != "_" and callable(value))
    return found


def first(choices: tuple[str, ...]) -> Any:
    """The first of the modules that this version has, or None."""
    for choice in choices:
        try:
            return importlib.import_module(choice)
        except ImportError:
            continue
    return None


def version() -> str:
    """The version that is installed."""
    from importlib.metadata import version

    return version("opendp")


def words(target: Any) -> dict[str, str]:
    """What the library says of the metrics and the measure, as it names them itself."""
    found = {}
    for key in ("input_metric", "output_metric", "output_measure", "input_distance_type", "output_distance_type"):
        try:
            found[key] = str(getattr(target, key))
        except Exception:
            continue
    return found


def claimed(target: Any, d_in: Any) -> Any:
    """The distance that the library's map gives; where it only has `check`, the least that it was seen to accept."""
    if hasattr(target, "map"):
        return target.map(d_in)
    try:
        return least(lambda d: target.check(d_in, d), 0, 1)
    except Exception:
        return least(lambda d: target.check(d_in, d), 0.0, 1.0)


def least(accepts: Callable[[Any], bool], zero: Any, one: Any) -> Any:
    """The least distance that is accepted, if acceptance is monotone; one that is accepted, whatever acceptance is."""
    if accepts(zero):
        return zero
    low, high = zero, one
    for _ in range(STEPS):
        if accepts(high):
            break
        low, high = high, high * 2
    else:
        raise OverflowError("no distance was accepted")
    for _ in range(STEPS):
        middle = (low + high) // 2 if isinstance(one, int) else (low + high) / 2
        if middle in (low, high) or not math.isfinite(middle):
            break
        low, high = (low, middle) if accepts(middle) else (middle, high)
    return high
