"""clamped_sum: max(|lower|, |upper|) per row added or removed, upper - lower per row replaced."""

from fractions import Fraction

from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import sum_is_stable
from refdp.provers.witnesses import refuted_by_tables

STEM = "clamped_sum"


def add_remove() -> Theorem:
    """A clamped row is at most max(|lower|, |upper|) from 0."""
    return sum_is_stable(STEM, "add_remove")


def change_one() -> Theorem:
    """Two clamped rows are at most upper - lower apart."""
    return sum_is_stable(STEM, "change_one")


def width_under_add_remove(claim: str) -> Theorem:
    """False: with bounds [5, 6] the width is 1, but one row added adds 5 or more."""
    values = {"lower": "5", "upper": "6", "granularity": "1", "d_in": "1"}
    return refuted_by_tables(claim, values, [Fraction(5), Fraction(6)])
