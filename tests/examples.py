"""How many random examples a test tries: a quarter of them in every run, all of them in `make test-long`."""

import os

SHARE = 1 if os.environ.get("EVERY_INSTANCE") else 4 if __debug__ else 10
"""One of so many is tried; fewer under `python -O`, which only drops asserts."""


def few(count: int) -> int:
    """What of `count` is tried; all of it where every instance is asked for, as `make test-long` does."""
    return max(1, count // SHARE)


LOT = 50


def lots(count: int) -> list[range]:
    """The seeds of so many instances in lots: to run a test takes longer than most instances do."""
    return [range(first, min(first + LOT, count)) for first in range(0, count, LOT)]
