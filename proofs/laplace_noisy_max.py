"""laplace_noisy_max: (2 d_in / scale)-DP for the winner alone, and not with its value."""

from fractions import Fraction

from refdp.kernel.rules import noisy_max
from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import masses_sum_to_1
from refdp.provers.lemmas import lemmas
from refdp.provers.witnesses import refuted_by_density, refuted_by_event
from refdp.spec import obligations

STEM = "laplace_noisy_max"


def pure() -> Theorem:
    """Given the noise of the others, the winner's noise has to move by at most 2 d_in."""
    return noisy_max(*lemmas(STEM, obligations.privacy(STEM)), stem=STEM)


def normalised() -> Theorem:
    """Some candidate wins, and no two at once."""
    return masses_sum_to_1(STEM)


def without_the_factor_2(claim: str) -> Theorem:
    """False: between the scores (0, 10) and (1, 9) the worse candidate becomes more than e^(9/5) times likelier."""
    scores = [(Fraction(0), Fraction(10)), (Fraction(1), Fraction(9))]
    return refuted_by_event(claim, {"scale": "1", "d_in": "1", "candidates": "2"}, scores)


def with_its_value(claim: str) -> Theorem:
    """False: below all scores, each of three candidates that moves by 1 makes the value e times denser."""
    low, high = (Fraction(0),) * 3, (Fraction(1),) * 3
    values = {"scale": "1", "d_in": "1", "candidates": "3"}
    return refuted_by_density(claim, values, low, high, (Fraction(0), Fraction(-1)))
