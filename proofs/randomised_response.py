"""randomised_response: ln(truth / (1 - truth))-DP between any two values."""

from refdp.kernel.rules import concentrated_to_renyi, finite_law, pure_to_approximate, pure_to_concentrated
from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import masses_sum_to_1, privacy_lemmas, sampler_draws_the_law

STEM = "randomised_response"


def pure() -> Theorem:
    """No answer is more than truth / (1 - truth) times likelier under one bit than the other."""
    return finite_law(*privacy_lemmas(STEM), stem=STEM)


def approximate() -> Theorem:
    """From pure DP, with delta = 0."""
    return pure_to_approximate(pure())


def concentrated() -> Theorem:
    """From pure DP."""
    return pure_to_concentrated(pure())


def renyi() -> Theorem:
    """From zCDP, for every order above 1."""
    return concentrated_to_renyi(concentrated())


def normalised() -> Theorem:
    """truth + (1 - truth)."""
    return masses_sum_to_1(STEM)


def sampler_law() -> Theorem:
    """A coin of probability truth."""
    return sampler_draws_the_law(STEM)
