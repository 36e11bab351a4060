"""Processor time of a training step of 10^5 numbers: gradients, and exact noise; python -m benchmarks.training"""

from __future__ import annotations

import time
from fractions import Fraction

import numpy as np

from refdp.learning.examples import Examples
from refdp.learning.gradients import Logistic
from refdp.learning.training import Plan, noised, summed

SIZE, ROWS = 100_000, 64


def main() -> None:
    """Print both, of one step after one that is not counted."""
    plan = Plan(Fraction(1), 1, Fraction(2), Fraction(ROWS), Fraction(1))
    features = np.random.default_rng(0).normal(size=(ROWS, SIZE))
    examples = Examples(features, np.ones(ROWS), np.ones(ROWS, np.bool_))
    for _ in range(2):
        began = time.process_time()
        total = summed(plan, Logistic(), np.zeros(SIZE), examples, np.ones(ROWS, np.bool_))
        between = time.process_time()
        noised(plan, total)
        spent = between - began, time.process_time() - between
    print(f"{SIZE} numbers: gradients of {ROWS} rows {spent[0]:.4f} s, exact noise {spent[1]:.4f} s")


if __name__ == "__main__":
    main()
