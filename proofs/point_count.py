"""point_count: moves by at most 1 per edit."""

from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import sum_is_stable

STEM = "point_count"


def add_remove() -> Theorem:
    """A row adds 0 or 1."""
    return sum_is_stable(STEM, "add_remove")


def change_one() -> Theorem:
    """Two rows differ by at most 1."""
    return sum_is_stable(STEM, "change_one")
