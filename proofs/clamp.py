"""clamp: row by row, so stable with d_out = d_in; and it stays on the grid, inside its bounds."""

from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import rows_are_stable


def add_remove() -> Theorem:
    """An added row is one added row after clamping."""
    return rows_are_stable("clamp", "add_remove")


def change_one() -> Theorem:
    """A replaced row is at most one replaced row after clamping."""
    return rows_are_stable("clamp", "change_one")
