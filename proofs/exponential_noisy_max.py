"""exponential_noisy_max: (2 d_in / scale)-DP; the law of permute and flip; and not with the winner's value."""

from fractions import Fraction

from refdp.kernel.rules import noisy_max
from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import has_the_same_law, masses_sum_to_1, sampler_draws_the_law
from refdp.provers.lemmas import lemmas
from refdp.provers.witnesses import refuted_by_density, refuted_by_event
from refdp.spec import obligations

STEM = "exponential_noisy_max"


def pure() -> Theorem:
    """Given the noise of the others, the winner's noise has to move by at most 2 d_in, against its falling density."""
    return noisy_max(*lemmas(STEM, obligations.privacy(STEM)), stem=STEM)


def law_of_permute_and_flip() -> Theorem:
    """The flip of a candidate is what is left of the noise above its gap."""
    return has_the_same_law(STEM)


def sampler_law() -> Theorem:
    """Its draws are those of permute and flip."""
    return sampler_draws_the_law(STEM)


def normalised() -> Theorem:
    """Some candidate wins, and no two at once."""
    return masses_sum_to_1(STEM)


def without_the_factor_2(claim: str) -> Theorem:
    """False: between the scores (0, 4) and (1, 3) the worse candidate becomes e^2 times likelier."""
    scores = [(Fraction(0), Fraction(4)), (Fraction(1), Fraction(3))]
    return refuted_by_event(claim, {"scale": "1", "d_in": "1", "candidates": "2"}, scores)


def with_its_value(claim: str) -> Theorem:
    """False for every epsilon: the noisy score of the one candidate is never below its score."""
    values = {"scale": "1", "d_in": "1", "candidates": "1"}
    low, high = (Fraction(0),), (Fraction(1),)
    return refuted_by_density(claim, values, low, high, (Fraction(0), Fraction(1, 2)))
