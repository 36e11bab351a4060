"""rank_scores: 1 per row added or removed, 2 per row replaced, in Linf; then a median by the exponential mechanism."""

from refdp.kernel.rules import chain, instantiate
from refdp.kernel.theorem import Theorem
from refdp.proofs import exponential
from refdp.proofs.lemmas import sum_is_stable

STEM = "rank_scores"


def add_remove() -> Theorem:
    """One row more, above or below a candidate."""
    return sum_is_stable(STEM, "add_remove", "linf")


def change_one() -> Theorem:
    """A row below a candidate that goes above it."""
    return sum_is_stable(STEM, "change_one", "linf")


def median() -> Theorem:
    """The scores, then the exponential mechanism."""
    scores = instantiate(add_remove(), values={"dimension": "candidates", "d_in": "1"})
    return chain(scores, instantiate(exponential.pure(), values={"d_in": "1"}))
