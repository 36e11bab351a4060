"""mean: moves by at most (upper - lower) / size per row replaced; under add / remove there is no claim."""

from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import sum_is_stable

STEM = "mean"


def change_one() -> Theorem:
    """Two clamped rows are at most upper - lower apart, over the number of rows."""
    return sum_is_stable(STEM, "change_one")
