"""columns: reading a column, a category, attributes or a binary code is row by row, so d_out = d_in."""

from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import rows_are_stable


def column_add_remove() -> Theorem:
    """Row by row, and no row is dropped."""
    return rows_are_stable("column", "add_remove")


def column_change_one() -> Theorem:
    """Row by row, and no row is dropped."""
    return rows_are_stable("column", "change_one")


def category_of_add_remove() -> Theorem:
    """Row by row, and no row is dropped."""
    return rows_are_stable("category_of", "add_remove")


def category_of_change_one() -> Theorem:
    """Row by row, and no row is dropped."""
    return rows_are_stable("category_of", "change_one")


def attributes_add_remove() -> Theorem:
    """Row by row, and no row is dropped."""
    return rows_are_stable("attributes", "add_remove")


def attributes_change_one() -> Theorem:
    """Row by row, and no row is dropped."""
    return rows_are_stable("attributes", "change_one")


def binary_code_add_remove() -> Theorem:
    """Row by row, and no row is dropped."""
    return rows_are_stable("binary_code", "add_remove")


def binary_code_change_one() -> Theorem:
    """Row by row, and no row is dropped."""
    return rows_are_stable("binary_code", "change_one")
