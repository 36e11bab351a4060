"""declared: moving each cell of a record into its domain is row by row, so d_out = d_in."""

from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import rows_are_stable


def columns_add_remove() -> Theorem:
    """Row by row, and no row is dropped."""
    return rows_are_stable("declared_columns", "add_remove")


def columns_change_one() -> Theorem:
    """Row by row, and no row is dropped."""
    return rows_are_stable("declared_columns", "change_one")


def column_add_remove() -> Theorem:
    """Row by row, and no row is dropped."""
    return rows_are_stable("declared_column", "add_remove")


def column_change_one() -> Theorem:
    """Row by row, and no row is dropped."""
    return rows_are_stable("declared_column", "change_one")
