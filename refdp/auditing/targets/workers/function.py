"""Any Python callable, named `module:function` and imported because the user asks for it.

The function takes the input; `draw` calls it with the input and the number of draws if the target says so
(`batched`), else as often as draws are wanted.  Where bits are replayed, its last argument is `bits`: `bits(k)` gives
the next k bits as an int, `bits()` the next one; each input has a stream of its own.  A function `f(x, bits)` whose
flips are all to be walked is asked by `tapes`.  Where the module has a table ABOUT, that says whose code this is.
"""

from __future__ import annotations

import hashlib
import importlib
import sys
from functools import reduce
from typing import Any


def load(spec: dict[str, Any], building: Any) -> dict[str, Any]:
    """The operations of the target and what it is."""
    del building
    sys.path[:0] = spec.get("search", [])
    target, claimed = named(spec["function"]), spec.get("map")
    program = target
    batched = bool(spec.get("batched"))
    if spec.get("bits"):
        target = with_bits(target, bytes.fromhex(spec["bits"]))
    home = spec["function"].partition(":")[0]
    about = {"library": home.split(".")[0], "version": "", "target": spec["function"]}
    found = {
        "about": {**about, **getattr(sys.modules[home], "ABOUT", {})},
        "call": (lambda x: target(x, 1)[0]) if batched else target,
        "program": program,
        "draw": lambda request: target(*request) if batched else [target(request[0]) for _ in range(request[1])],
    }
    return {**found, "map": named(claimed)} if claimed else found


def named(text: str) -> Any:
    """The object that `module:attribute.attribute` names."""
    module, _, path = text.partition(":")
    return reduce(getattr, path.split("."), importlib.import_module(module))


def with_bits(target: Any, seed: bytes) -> Any:
    """The function with its bits as the last argument; a stream for each input, which goes on from call to call."""
    streams: dict[str, Bits] = {}

    def run(x: Any, *more: Any) -> Any:
        return target(x, *more, streams.setdefault(repr(x), Bits(seed, repr(x))))

    return run


class Bits:
    """The bits of SHAKE-256(seed, input, 0), SHAKE-256(seed, input, 1), ..., most significant first."""

    BLOCK = 4096
    """Octets of each."""

    def __init__(self, seed: bytes, text: str) -> None:
        self.prefix = seed + hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        self.block, self.rest, self.left = 0, 0, 0

    def __call__(self, count: int = 1) -> int:
        """The next `count` bits as a whole number below 2^count."""
        while self.left < count:
            octets = hashlib.shake_256(self.prefix + self.block.to_bytes(8, "big")).digest(self.BLOCK)
            self.rest, self.left = (
                (self.rest << 8 * self.BLOCK) | int.from_bytes(octets, "big"),
                self.left + 8 * self.BLOCK,
            )
            self.block += 1
        self.left -= count
        found, self.rest = self.rest >> self.left, self.rest & ((1 << self.left) - 1)
        return found
