"""permute_and_flip: (2 d_in / scale)-DP for any finite number of candidates."""

from fractions import Fraction

from refdp.kernel.rules import concentrated_to_renyi, flip_selection, pure_to_approximate, pure_to_concentrated
from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import (
    choice_falls_short,
    choice_falls_short_by_logarithms,
    masses_sum_to_1,
    sampler_draws_the_law,
)
from refdp.provers.lemmas import lemmas
from refdp.provers.witnesses import refuted_by_event
from refdp.spec import obligations

STEM = "permute_and_flip"


def pure() -> Theorem:
    """The law is that of one-sided noise, and 2 d_in more noise is at most e^(2 d_in / scale) rarer."""
    return flip_selection(*lemmas(STEM, obligations.privacy(STEM)), stem=STEM)


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
    """S = -D by induction over the candidates, and the best one has q = 1."""
    return masses_sum_to_1(STEM)


def sampler_law() -> Theorem:
    """The mechanism is its own sampling scheme."""
    return sampler_draws_the_law(STEM)


def without_the_factor_2(claim: str) -> Theorem:
    """False: between the scores (0, 4) and (1, 3) the worse candidate becomes e^2 times likelier."""
    scores = [(Fraction(0), Fraction(4)), (Fraction(1), Fraction(3))]
    return refuted_by_event(claim, {"scale": "1", "d_in": "1", "candidates": "2"}, scores)


def accuracy() -> Theorem:
    """A candidate alpha below the best is chosen only if its flip comes up: with probability e^(-alpha / scale)."""
    return choice_falls_short(STEM)


def accuracy_in_logarithms() -> Theorem:
    """The same with beta = e^-t: ln(candidates / e^-t) = ln(candidates) + t."""
    return choice_falls_short_by_logarithms(STEM)
