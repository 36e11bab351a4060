"""Noise that repeats, each in its own way: what a judge of entropy must see before it says that a target's does not."""

from __future__ import annotations

import os
import random

FIXED = random.Random(7)
PER_PROCESS = random.Random(os.urandom(16))


def from_seed(x: object) -> float:
    """Of Python's global generator."""
    return random.random()


def from_numpy(x: object) -> float:
    """Of numpy's, which the first draw loads; of Python's where there is no numpy."""
    try:
        import numpy as np
    except ImportError:
        return random.random()
    return float(np.random.random())


def from_program(x: object) -> float:
    """The same in every process."""
    return FIXED.random()


def from_state(x: object) -> float:
    """Another in each process, but for those that are forked."""
    return PER_PROCESS.random()
