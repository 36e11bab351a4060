"""Any Python callable, named `module:function` and imported because the user asks for it.

The function takes the input; `draw` calls it with the input and the number of draws if the target says so
(`batched`), else as often as draws are wanted.  A function that takes its coin flips from outside is `f(x, bits)`, and
is asked by `tapes`.
"""

from __future__ import annotations

import importlib
import sys
from functools import reduce
from typing import Any


def load(spec: dict[str, Any], building: Any) -> dict[str, Any]:
    """The operations of the target and what it is."""
    del building
    sys.path[:0] = spec.get("search", [])
    target, claimed = named(spec["function"]), spec.get("map")
    batched = bool(spec.get("batched"))
    found = {
        "about": {"library": spec["function"].split(".")[0].split(":")[0], "version": "", "target": spec["function"]},
        "call": (lambda x: target(x, 1)[0]) if batched else target,
        "program": target,
        "draw": lambda request: target(*request) if batched else [target(request[0]) for _ in range(request[1])],
    }
    return {**found, "map": named(claimed)} if claimed else found


def named(text: str) -> Any:
    """The object that `module:attribute.attribute` names."""
    module, _, path = text.partition(":")
    return reduce(getattr, path.split("."), importlib.import_module(module))
