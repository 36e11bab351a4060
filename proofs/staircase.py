"""staircase: epsilon-DP between inputs one sensitivity apart, and not beyond."""

from fractions import Fraction

from refdp.kernel.rules import level_noise, pure_to_approximate, pure_to_concentrated
from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import masses_sum_to_1
from refdp.provers.lemmas import lemmas
from refdp.provers.witnesses import refuted_by_density
from refdp.spec import obligations

STEM = "staircase"
AT_1 = {"epsilon": "1", "sensitivity": "1", "gamma": "1/2"}


def pure() -> Theorem:
    """Points at most one sensitivity apart lie on steps whose heights differ by at most one."""
    return level_noise(*lemmas(STEM, obligations.privacy(STEM)), stem=STEM)


def approximate() -> Theorem:
    """From pure DP, with delta = 0."""
    return pure_to_approximate(pure())


def concentrated() -> Theorem:
    """From pure DP."""
    return pure_to_concentrated(pure())


def normalised() -> Theorem:
    """A geometric series of steps."""
    return masses_sum_to_1(STEM)


def sensitivity_doubled(claim: str) -> Theorem:
    """False: two sensitivities apart, the heights differ by two."""
    return refuted_by_density(claim, AT_1, Fraction(0), Fraction(2), Fraction(1, 4))


def epsilon_999_thousandths(claim: str) -> Theorem:
    """False: at one quarter, inputs 0 and 1 see the heights 0 and 1."""
    return refuted_by_density(claim, AT_1, Fraction(0), Fraction(1), Fraction(1, 4))
