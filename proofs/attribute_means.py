"""attribute_means: dimension / size, sqrt(dimension) / size and 1 / size in L1, L2 and Linf per row replaced."""

from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import sum_is_stable

STEM = "attribute_means"


def change_one_l1() -> Theorem:
    """Each attribute moves by at most 1 / size."""
    return sum_is_stable(STEM, "change_one", "l1")


def change_one_l2() -> Theorem:
    """Each attribute adds at most 1 / size^2 to the square."""
    return sum_is_stable(STEM, "change_one", "l2")


def change_one_linf() -> Theorem:
    """Each attribute moves by at most 1 / size."""
    return sum_is_stable(STEM, "change_one", "linf")
