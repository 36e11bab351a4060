"""missing: filling in keeps every row; dropping may turn a replaced row into a removed and an added one."""

from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import rows_are_stable


def fill_add_remove() -> Theorem:
    """Row by row, and no row is dropped."""
    return rows_are_stable("fill_missing", "add_remove")


def fill_change_one() -> Theorem:
    """Row by row, and no row is dropped."""
    return rows_are_stable("fill_missing", "change_one")


def drop_add_remove() -> Theorem:
    """An added row is added or dropped."""
    return rows_are_stable("drop_missing", "add_remove")


def drop_change_one() -> Theorem:
    """A replaced row is at most one row removed and one added."""
    return rows_are_stable("drop_missing", "change_one")
