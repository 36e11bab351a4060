"""count: moves by 1 per row added or removed, not at all per row replaced."""

from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import sum_is_stable

STEM = "count"


def add_remove() -> Theorem:
    """A row adds 1."""
    return sum_is_stable(STEM, "add_remove")


def change_one() -> Theorem:
    """A replaced row adds what it took away."""
    return sum_is_stable(STEM, "change_one")
