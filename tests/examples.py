"""How many random examples a test tries: a thousand stay a thousand, of fewer half, and under `python -O` a fifth."""

import os

THOUSAND = 1000
"""What is held against the truth on so many instances is in every run, but under -O, which only drops asserts."""


def few(count: int) -> int:
    """What of `count` is tried; all of it where every instance is asked for, as `make test-long` does."""
    if os.environ.get("EVERY_INSTANCE") or (__debug__ and count >= THOUSAND):
        return count
    return max(1, count // (2 if __debug__ else 5))


LOT = 50


def lots(count: int) -> list[range]:
    """The seeds of so many instances in lots: to run a test takes longer than most instances do."""
    return [range(first, min(first + LOT, count)) for first in range(0, count, LOT)]
