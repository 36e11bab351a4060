"""What tests are given to draw with: a seed, a generator, fair bits; the same for the same seed of the run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256
from random import Random
from typing import Any

SEED_BYTES = 16
GIVEN = ("rng", "bits", "seed")
"""Names of parameters that a statement's function may have, filled anew for each call."""


class SeededBits:
    """Fair flips of a seeded generator: a call gives 0 or 1, as refdp's samplers take them, or the next so many."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def __call__(self, count: int = 1) -> int:
        """The next `count` flips, as a whole number below 2^count."""
        return self._random.getrandbits(count)


def given(takes: Iterable[str], seed: int, label: str) -> dict[str, Any]:
    """The arguments among GIVEN that are taken; those of different labels have nothing to do with each other."""
    own = int.from_bytes(sha256(f"refdp {seed} {label}".encode()).digest()[:SEED_BYTES])
    makers: dict[str, Callable[[int], Any]] = {"seed": int, "rng": Random, "bits": SeededBits}
    return {name: makers[name](own) for name in takes if name in makers}
