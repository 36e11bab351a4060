"""Programs that take their coin flips from outside: every path of flips down to a depth, walked in the worker.

A function of that kind is `f(x, bits)`; `bits()` gives the next flip, 0 or 1, and `bits(k)` the next k as a whole
number.  It must be a function of x and of the flips that it asks for.
"""

from __future__ import annotations

import json
from typing import Any


class OutOfBits(BaseException):
    """A path is longer than the depth; no Exception, so that a program does not catch it by chance."""


class Branch:
    """A path of the tree: its flips so far, prolonged by `first` on demand, down to `depth`."""

    def __init__(self, depth: int, first: int) -> None:
        self.depth, self.first, self.used, self.over = depth, first, 0, False
        self.path: list[int] = []

    def __call__(self, count: int = 1) -> int:
        """The next `count` flips of this path, as a whole number below 2^count."""
        found = 0
        for _ in range(count):
            if self.used == self.depth:
                self.over = True
                raise OutOfBits
            if self.used == len(self.path):
                self.path.append(self.first)
            found = 2 * found + self.path[self.used]
            self.used += 1
        return found

    def advance(self) -> bool:
        """Go to the next path in lexicographic order, from the first or from the last; False after all of them."""
        while self.path and self.path[-1] != self.first:
            self.path.pop()
        if not self.path:
            return False
        self.path[-1], self.used, self.over = 1 - self.first, 0, False
        return True


def tapes(operations: dict[str, Any], request: Any, wire: Any) -> tuple[int, list[tuple[Any, int]]]:
    """For (x, depth, first): of the 2^depth tapes, how many are too short, and how many lead to each outcome.

    They are walked from those that begin with the flip `first`: whoever keeps a state gives itself away by another law.
    """
    x, depth, first = request
    program, branch, short = operations["program"], Branch(depth, first), 0
    counts: dict[str, list[Any]] = {}
    while True:
        try:
            outcome = program(x, branch)
        except OutOfBits:
            short += 1
        else:
            if branch.over:
                raise ValueError("the program must end where there are no more flips: it caught what told it so")
            found = counts.setdefault(json.dumps(wire.encoded(outcome)), [outcome, 0])
            found[1] += 1 << (depth - branch.used)
        if branch.used != len(branch.path):
            raise ValueError("the program must be a function of its flips alone: it asked for others on the same path")
        if not branch.advance():
            return short, [(outcome, n) for _, (outcome, n) in sorted(counts.items())]
