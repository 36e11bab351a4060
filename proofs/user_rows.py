"""user_rows: a user's row function, on the named assumption that it reads only its row."""

from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import rows_are_stable


def map_add_remove() -> Theorem:
    """Row by row."""
    return rows_are_stable("map_rows", "add_remove")


def map_change_one() -> Theorem:
    """Row by row."""
    return rows_are_stable("map_rows", "change_one")


def filter_add_remove() -> Theorem:
    """An added row is added or dropped."""
    return rows_are_stable("filter_rows", "add_remove")


def filter_change_one() -> Theorem:
    """A replaced row is at most one row removed and one added."""
    return rows_are_stable("filter_rows", "change_one")
