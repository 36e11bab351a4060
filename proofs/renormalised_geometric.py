"""renormalised_geometric: not (d_in / scale)-DP, because its normaliser depends on the input."""

from fractions import Fraction

from refdp.kernel.theorem import Theorem
from refdp.provers.witnesses import refuted_by_event


def pure(claim: str) -> Theorem:
    """False: on {0, 1, 2}, the input 1 in the middle has a larger normaliser than the input 0 at the end."""
    return refuted_by_event(claim, {"scale": "1", "upper": "2", "d_in": "1"}, map(Fraction, range(3)))
