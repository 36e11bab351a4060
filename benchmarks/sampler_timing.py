"""How much the time of one draw tells of its noise: the rank correlation of seconds and |noise|.

    python -m benchmarks.sampler_timing [DRAWS]

prints Markdown.  0 is what a sampler has whose time does not rise or fall with |noise|; of independent numbers, 20,000
draws give less than 0.03 in size but once in 40,000 times.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib import util

import numpy as np
from numpy.typing import NDArray

from benchmarks.cells import table
from benchmarks.noises import LAWS, measurement, opendp, reference
from benchmarks.samplers import machine

DRAWS = 20_000
SCALES = (10, 1000)
Draw = Callable[[], int]


def samplers(law: str, scale: int) -> dict[str, Draw]:
    """Functions that make one draw."""
    made, zero = measurement(law, scale), np.zeros(1, np.int64)
    made.each(np.zeros(10_000, np.int64))
    coins = reference(law, scale, 1).run
    found: dict[str, Draw] = {
        "one": lambda: made(0),
        "array of one": lambda: int(made.each(zero)[0]),
        "CKS20": lambda: int(coins()[0]),
    }
    if util.find_spec("opendp"):
        found["OpenDP"] = opendp(law, scale, 1).run
    return found


def correlation(draw: Draw, count: int) -> float:
    """Spearman's: of the ranks of nanoseconds and of |noise|."""
    noise, taken = np.empty(count), np.empty(count)
    for _ in range(count // 20):
        draw()
    for i in range(count):
        start = time.perf_counter_ns()
        drawn = draw()
        taken[i] = time.perf_counter_ns() - start
        noise[i] = abs(drawn)
    return float(np.corrcoef(ranks(noise), ranks(taken))[0, 1])


def ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The rank of each value; what is equal has the mean of its ranks."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    middle: NDArray[np.float64] = (np.cumsum(counts) - (counts - 1) / 2)[place]
    return middle


def rows(count: int) -> Iterator[Sequence[str]]:
    """A row for each law and scale."""
    for law in LAWS:
        for scale in SCALES:
            yield [law, str(scale), *(f"{correlation(draw, count):+.2f}" for draw in samplers(law, scale).values())]


def main(count: int) -> None:
    """Print the table."""
    print(f"{machine()}; {count} draws\n")
    table(("law", "scale", *samplers("laplace", 10)), rows(count))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else DRAWS)
