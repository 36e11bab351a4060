"""exponential: the exponential mechanism is (2 d_in / scale)-DP for any finite number of candidates."""

from fractions import Fraction

from refdp.kernel.rules import (
    concentrated_to_renyi,
    likelier_error,
    pure_to_approximate,
    pure_to_concentrated,
    weighted_selection,
)
from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import (
    choice_falls_short,
    choice_falls_short_by_logarithms,
    masses_sum_to_1,
    sampler_draws_the_law,
)
from refdp.provers.lemmas import lemmas
from refdp.provers.witnesses import refuted_by_event, refuted_by_tail
from refdp.spec import obligations

STEM = "exponential"


def pure() -> Theorem:
    """The weight takes half of the map, the sum of the weights the other half."""
    return weighted_selection(*lemmas(STEM, obligations.privacy(STEM)), stem=STEM)


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
    """Weights over their sum."""
    return masses_sum_to_1(STEM)


def sampler_law() -> Theorem:
    """A uniform candidate, accepted with its weight relative to the best."""
    return sampler_draws_the_law(STEM)


def without_the_factor_2(claim: str) -> Theorem:
    """False: between the scores (0, 4) and (1, 3) each moves by 1, and the odds by e^2."""
    scores = [(Fraction(0), Fraction(4)), (Fraction(1), Fraction(3))]
    return refuted_by_event(claim, {"scale": "1", "d_in": "1", "candidates": "2"}, scores)


def scale_999_thousandths(claim: str) -> Theorem:
    """False: with a thousandth less noise, between the scores (0, 10) and (1, 9) the loss is more than 2."""
    scores = [(Fraction(0), Fraction(10)), (Fraction(1), Fraction(9))]
    return refuted_by_event(claim, {"scale": "1", "d_in": "1", "candidates": "2"}, scores)


def accuracy() -> Theorem:
    """Each candidate alpha below the best has at most e^(-alpha / scale) of its weight; there are `candidates`."""
    return choice_falls_short(STEM)


def accuracy_in_logarithms() -> Theorem:
    """The same with beta = e^-t: ln(candidates / e^-t) = ln(candidates) + t."""
    return choice_falls_short_by_logarithms(STEM)


def accuracy_without_the_candidates(claim: str) -> Theorem:
    """False: three candidates 1 below the best are together likelier than it."""
    values = {"scale": "1", "candidates": "4", "beta": "1/2"}
    return refuted_by_tail(claim, values, likelier_error, at="tuple_of(1, 0, 0, 0)")
