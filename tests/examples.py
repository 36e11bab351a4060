"""How many random examples a test tries: half of them, under `python -O`, which only drops asserts, a fifth."""

import os


def few(count: int) -> int:
    """What of `count` is tried; all of it where every instance is asked for, as `make test-long` does."""
    return count if os.environ.get("EVERY_INSTANCE") else max(1, count // (2 if __debug__ else 5))
