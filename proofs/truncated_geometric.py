"""truncated_geometric: clamp(x + Z) is (d_in / scale)-DP on every bounded grid."""

from fractions import Fraction

from refdp.kernel.rules import clamped_noise, concentrated_to_renyi, pure_to_approximate, pure_to_concentrated
from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import masses_sum_to_1, sampler_draws_the_law
from refdp.provers.lemmas import lemmas
from refdp.provers.witnesses import refuted_by_event
from refdp.spec import obligations

STEM = "truncated_geometric"


def pure() -> Theorem:
    """Inside and at the ends the mass is the weight times a factor that does not depend on the input."""
    return clamped_noise(*lemmas(STEM, obligations.privacy(STEM)), stem=STEM)


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
    """Tails telescope: an end holds what would lie at and beyond it."""
    return masses_sum_to_1(STEM)


def sampler_law() -> Theorem:
    """A discrete Laplace draw, clamped."""
    return sampler_draws_the_law(STEM)


def scale_999_thousandths(claim: str) -> Theorem:
    """False: with a thousandth less noise, at the end 0, the loss between 0 and 1 is 1000/999."""
    values = {"scale": "1", "granularity": "1", "lower": "0", "upper": "2", "d_in": "1"}
    return refuted_by_event(claim, values, map(Fraction, range(3)))
