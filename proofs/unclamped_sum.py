"""unclamped_sum: no finite sensitivity."""

from refdp.kernel.rules import row_exceeds_every_bound
from refdp.kernel.theorem import Theorem
from refdp.provers.lemmas import lemmas
from refdp.spec import obligations

STEM = "unclamped_sum"


def finite_sensitivity(claim: str) -> Theorem:
    """False: for every bound there is a row beyond it."""
    return row_exceeds_every_bound(*lemmas(STEM, obligations.unbounded(STEM)), stem=STEM)
