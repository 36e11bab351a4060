"""diffprivlib: mechanisms, tools and models, each by a recipe, and what its functions hand to their mechanisms.

`mechanisms.Laplace(epsilon=1, sensitivity=1)` is drawn from by `randomise`; a recipe with `x` in it, such as
`models.LogisticRegression(epsilon=1).fit(x[0], x[1]).classes_`, is worked out anew for each input.

The operation `handed` runs a recipe with every mechanism replaced by one that answers 0 (or the nearest value in its
bounds) and tells what each was handed and with which sensitivity.  The answers do not depend on the data, and a
mechanism could have given them, so what is handed over must not move further than the sensitivity.
"""

from __future__ import annotations

import importlib
import warnings
from importlib.metadata import version
from typing import Any

MODULES = ("mechanisms", "tools", "models", "accountant", "utils")
"""The modules that a recipe names."""


def load(spec: dict[str, Any], building: Any) -> dict[str, Any]:
    """The operations of the target and what it is."""
    warnings.simplefilter("ignore")
    names = {name: importlib.import_module("diffprivlib." + name) for name in MODULES}
    numpy, recipe = importlib.import_module("numpy"), spec["recipe"]
    names["array"] = numpy.array
    if not building.free_names(recipe):
        target = building.built(recipe, names, "diffprivlib")
        call = target.randomise
    else:
        target = "a recipe in x"

        def call(x: Any) -> Any:
            return building.built(recipe, {**names, "x": arrays(x, numpy)}, "diffprivlib")

    return {
        "about": {"library": "diffprivlib", "version": version("diffprivlib"), "target": str(target)},
        "call": call,
        "draw": lambda request: [call(request[0]) for _ in range(request[1])],
        "handed": lambda x: handed(call, x, names["mechanisms"]),
    }


def arrays(x: Any, numpy: Any) -> Any:
    """Lists as arrays, since the library takes arrays; a tuple of lists as a tuple of arrays."""
    if isinstance(x, tuple):
        return tuple(arrays(part, numpy) for part in x)
    return numpy.array(x) if isinstance(x, list) else x


def handed(call: Any, x: Any, mechanisms: Any) -> list[tuple[str, Any, Any]]:
    """Name, sensitivity and input of each mechanism that the call uses, in order."""
    seen: list[tuple[str, Any, Any]] = []
    classes: list[Any] = [c for c in vars(mechanisms).values() if isinstance(c, type) and "randomise" in vars(c)]
    originals = [(c, vars(c)["randomise"]) for c in classes]
    for c in classes:
        c.randomise = lambda self, value, *_: record(self, value, seen)
    try:
        call(x)
    finally:
        for c, original in originals:
            c.randomise = original
    return seen


def record(mechanism: Any, value: Any, seen: list[tuple[str, Any, Any]]) -> Any:
    """An answer that does not depend on the value, which is noted together with the sensitivity."""
    seen.append((type(mechanism).__name__, getattr(mechanism, "sensitivity", None), value))
    low, high = getattr(mechanism, "lower", 0), getattr(mechanism, "upper", 0)
    return min(max(0.0, float(low)), float(high)) if low <= high else 0.0
