"""permutation(n): the Fisher-Yates shuffle."""

from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import called_draws_its_law


def sampler_law() -> Theorem:
    """By its steps, and the laws of the primitives that it calls."""
    return called_draws_its_law("permutation")
