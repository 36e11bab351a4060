"""How many random examples a test tries: under `python -O`, which only drops asserts, a fifth of them."""

import os


def few(count: int) -> int:
    """`count`, or a fifth of it under -O unless every instance is asked for."""
    return count if __debug__ or os.environ.get("EVERY_INSTANCE") else max(1, count // 5)
