"""histogram: 1 per row added or removed in every norm; 2, sqrt(2) and 1 in L1, L2 and Linf per row replaced."""

from fractions import Fraction

from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import sum_is_stable
from refdp.provers.witnesses import refuted_by_tables

STEM = "histogram"


def add_remove_l1() -> Theorem:
    """One category moves by 1."""
    return sum_is_stable(STEM, "add_remove", "l1")


def add_remove_l2() -> Theorem:
    """One category moves by 1."""
    return sum_is_stable(STEM, "add_remove", "l2")


def add_remove_linf() -> Theorem:
    """No category moves by more than 1."""
    return sum_is_stable(STEM, "add_remove", "linf")


def change_one_l1() -> Theorem:
    """Two categories move by 1 each."""
    return sum_is_stable(STEM, "change_one", "l1")


def change_one_l2() -> Theorem:
    """Two squares of 1."""
    return sum_is_stable(STEM, "change_one", "l2")


def change_one_linf() -> Theorem:
    """No category moves by more than 1."""
    return sum_is_stable(STEM, "change_one", "linf")


def add_remove_bound_under_change_one(claim: str) -> Theorem:
    """False: a row replaced moves two categories."""
    rows = [Fraction(0), Fraction(1)]
    return refuted_by_tables(claim, {"dimension": "2", "d_in": "1"}, rows)
