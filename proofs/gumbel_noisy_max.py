"""gumbel_noisy_max: the law, hence the privacy, of the exponential mechanism."""

from fractions import Fraction

from refdp.kernel.rules import by_the_same_law, same_law
from refdp.kernel.theorem import Theorem
from refdp.proofs import exponential
from refdp.proofs.lemmas import masses_sum_to_1, sampler_draws_the_law
from refdp.provers.lemmas import lemmas
from refdp.provers.witnesses import refuted_by_event
from refdp.spec import obligations

STEM = "gumbel_noisy_max"


def law_of_exponential() -> Theorem:
    """The integral over v = e^(-z / scale) of the product of the others' distribution functions."""
    return same_law(*lemmas(STEM, obligations.same_law(STEM)), stem=STEM)


def pure() -> Theorem:
    """As the exponential mechanism, whose law it has."""
    return by_the_same_law(exponential.pure(), law_of_exponential())


def sampler_law() -> Theorem:
    """Its draws are those of exponential."""
    return sampler_draws_the_law(STEM)


def normalised() -> Theorem:
    """Some candidate wins, and no two at once."""
    return masses_sum_to_1(STEM)


def without_the_factor_2(claim: str) -> Theorem:
    """False: between the scores (0, 4) and (1, 3) each moves by 1, and the odds by e^2."""
    scores = [(Fraction(0), Fraction(4)), (Fraction(1), Fraction(3))]
    return refuted_by_event(claim, {"scale": "1", "d_in": "1", "candidates": "2"}, scores)
