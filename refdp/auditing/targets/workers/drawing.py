"""What is asked of any target that can be drawn from: how long a draw takes, and what its noise depends on.

Each operation is a function of the target's operations and of a request; `serve` offers them beside the target's own.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from typing import Any

WARMING = 20
"""Draws before the first that is timed: caches are filled, tables are built."""


def timed(operations: dict[str, Any], request: Any, wire: Any) -> tuple[list[int], list[Any]]:
    """For (x, n): the nanoseconds that each of n draws took, and what was drawn."""
    del wire
    x, n = request
    draw, clock, times, outputs = operations["draw"], time.perf_counter_ns, [], []
    for _ in range(min(n, WARMING)):
        draw((x, 1))
    for _ in range(n):
        start = clock()
        drawn = draw((x, 1))
        times.append(clock() - start)
        outputs.append(drawn[0])
    return times, outputs


def seeded(operations: dict[str, Any], request: Any, wire: Any) -> list[list[Any]]:
    """For (x, n, seeds): n draws after each seed has been given to the global generators; None leaves them alone.

    Draws during which a module of generators was loaded are made again: its generator had no seed when they began.
    """
    del wire
    x, n, seeds = request
    found = []
    for seed in seeds:
        known = None
        while known != loaded():
            known = loaded()
            if seed is not None:
                plant(seed)
            drawn = list(operations["draw"]((x, n)))
        found.append(drawn)
    return found


def loaded() -> tuple[str, ...]:
    """The modules with global generators that are loaded by now, beside Python's own."""
    return tuple(name for name in ("numpy.random", "torch") if name in sys.modules)


def plant(seed: int) -> None:
    """Give the seed to Python's global generator, and to those of numpy and torch where the target has loaded them."""
    random.seed(seed)
    if "numpy.random" in sys.modules:
        sys.modules["numpy.random"].seed(seed)
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(seed)


def forked(operations: dict[str, Any], request: Any, wire: Any) -> list[list[Any]]:
    """For (x, n, rounds): in each round, n draws of each of two processes that were forked from this one."""
    x, n, rounds = request
    return [[child(operations, (x, n), wire) for _ in range(2)] for _ in range(rounds)]


def child(operations: dict[str, Any], request: Any, wire: Any) -> Any:
    """The draws of a process that is forked from this one, and ends; RuntimeError where it gives none."""
    source, sink = os.pipe()
    number = os.fork()
    if number == 0:
        status = 1
        try:
            os.close(source)
            with os.fdopen(sink, "w", encoding="utf-8") as file:
                file.write(json.dumps(wire.encoded(list(operations["draw"](request)))))
            status = 0
        finally:
            os._exit(status)  # nothing that this process has open may be flushed twice
    os.close(sink)
    with os.fdopen(source, encoding="utf-8") as file:
        text = file.read()
    ended = os.waitpid(number, 0)[1]
    if ended:
        raise RuntimeError(f"a forked process ended with status {ended}")
    return wire.decoded(json.loads(text))
