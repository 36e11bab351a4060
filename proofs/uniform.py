"""uniform(n): flips appended to a number until it is below n."""

from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import called_draws_its_law


def sampler_law() -> Theorem:
    """By its steps, and the laws of the primitives that it calls."""
    return called_draws_its_law("uniform")
