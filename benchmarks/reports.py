"""A million reports of each local randomiser: seconds of the processor, what is estimated, and the certified error.

    python -m benchmarks.reports [N]

prints Markdown.  Every report is drawn; to draw how many reports say what, at once, would not count.  Values are those
of a fixed skew: value v of k in proportion to 1 / (v + 1), so that how many have the first is known.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

import refdp
from benchmarks.cells import table
from benchmarks.samplers import machine

REPORTS = 1_000_000
SIZE = 1024
FUNCTIONS = 1024
FAILURE = "1/1000"


@dataclass(frozen=True, slots=True)
class Case:
    """A randomiser at e^epsilon = 4, whose inputs are values below `size`, and the seconds that it may take."""

    name: str
    measurement: Any
    size: int
    target: float
    hashes: Any = None
    inputs: Callable[[Any], Any] = lambda values: values
    truth: Callable[[Any], Fraction] | None = None
    """What values[0] estimates; how many inputs are the value 0 unless it is given."""


def cases() -> Iterator[Case]:
    """Every local randomiser."""
    yield Case("symmetric unary encoding, 1,024 bits", refdp.symmetric_unary_encoding(SIZE, "2/3"), SIZE, 30)
    yield Case("optimised unary encoding, 1,024 bits", refdp.optimised_unary_encoding(SIZE, 4), SIZE, 30)
    own: dict[str, Any] = {"size": 128, "target": 15, "inputs": filters, "truth": first_bit}
    yield Case("RAPPOR's permanent response, 128 bits", refdp.permanent_response(128, "1/2"), **own)
    yield Case("RAPPOR, one report, 128 bits", refdp.rappor(128, "1/2", "1/2", "3/4"), **own)
    yield Case("RAPPOR, a report of a permanent response", refdp.rappor(128, 0, "1/2", "3/4"), **own | PERMANENT)
    yield Case("subset selection, 13 of 64", refdp.subset_selection(64, 13, "1/2"), 64, 20)
    yield Case("subset selection, 32 of 64", refdp.subset_selection(64, 32, "4/5"), 64, 20)
    yield Case("dBitFlip, 16 of 1,024", refdp.d_bit_flip(SIZE, 16, "2/3"), SIZE, 5)
    yield Case("dBitFlip, 1 of 1,024", refdp.one_bit_flip(SIZE, "4/5"), SIZE, 5)
    yield Case("Hadamard response, 1,024 values", refdp.hadamard_response(SIZE, "4/5"), SIZE, 5)
    yield Case("an entry of a Hadamard matrix, 1,024 values", refdp.hadamard_entry_response(SIZE, "4/5"), SIZE, 5)
    truth = Fraction(4, 4 + SIZE - 1)
    yield Case("k-ary randomised response, 1,024 values", refdp.k_ary_randomised_response(SIZE, truth), SIZE, 5)
    yield Case("1BitMean, 0 to 1,023", refdp.one_bit_mean(SIZE - 1, 4), SIZE, 5, truth=mean)
    table_of_hashes = np.random.default_rng(1).integers(0, SIZE, (SIZE, FUNCTIONS))
    yield Case(
        "count mean sketch, 1,024 bits", refdp.count_mean_sketch(FUNCTIONS, SIZE, "2/3"), SIZE, 30, table_of_hashes
    )
    sketch = refdp.hadamard_count_mean_sketch(FUNCTIONS, SIZE, "4/5")
    yield Case("Hadamard count mean sketch, 1,024 rows", sketch, SIZE, 5, table_of_hashes)
    yield Case("local hashing, 5 results", refdp.local_hashing(FUNCTIONS, 5, "1/2"), SIZE, 5, table_of_hashes % 5)


def values(n: int, size: int) -> Any:
    """n values below `size`, in proportion to 1 / (v + 1)."""
    weights = 1 / np.arange(1, size + 1)
    ends = np.cumsum(weights) / weights.sum() * n
    return np.minimum(np.searchsorted(ends, np.arange(n) + 0.5), size - 1)


def filters(data: Any) -> Any:
    """Filters of 128 bits of which each value sets two."""
    found = np.zeros((data.size, 128), np.uint8)
    found[np.arange(data.size), data] = 1
    found[np.arange(data.size), (37 * data + 11) % 128] = 1
    return found


def permanent(data: Any) -> Any:
    """Permanent responses to them, which the reports are of."""
    return refdp.permanent_response(128, "1/2").reports(filters(data)).bits()


def first_bit(data: Any) -> Fraction:
    """How many inputs set the first bit."""
    return Fraction(int(data[:, 0].sum()))


def mean(data: Any) -> Fraction:
    """The mean of the inputs."""
    return Fraction(int(data.sum()), data.size)


PERMANENT: dict[str, Any] = {"inputs": permanent}


def row(case: Case, n: int) -> Sequence[str]:
    """What one randomiser takes and tells."""
    inputs = case.inputs(values(n, case.size))
    start = time.process_time()
    reports = case.measurement.reports(inputs, case.hashes)
    drawn = time.process_time()
    found = refdp.estimate(reports, FAILURE, hashes=case.hashes)
    decoded = time.process_time()
    truth = case.truth(inputs) if case.truth is not None else Fraction(int((inputs == 0).sum()))
    within = "yes" if abs(found.values[0] - truth) <= found.error else "**no**"
    shown = [f"{float(x):.6g}" for x in (truth, found.values[0], found.error)]
    return [case.name, f"{drawn - start:.2f}", f"{case.target:g}", f"{decoded - drawn:.2f}", *shown, within]


def main(n: int) -> None:
    """Print the table."""
    print(f"{machine()}\n")
    print(f"### {n} reports of each, e^epsilon = 4 but for RAPPOR; an error fails with probability {FAILURE} at most\n")
    columns = ("reports", "s", "target s", "decoding s", "truth of the first", "estimate", "certified error", "within")
    table(columns, (row(case, n) for case in cases()))


if __name__ == "__main__":
    if len(sys.argv) > 2 or not all(argument.isdigit() and int(argument) for argument in sys.argv[1:]):
        sys.exit("usage: python -m benchmarks.reports [N]")
    main(int(sys.argv[1]) if len(sys.argv) == 2 else REPORTS)
