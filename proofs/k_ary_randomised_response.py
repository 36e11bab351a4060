"""k_ary_randomised_response: ln(truth (k - 1) / (1 - truth))-DP between any two values, for every k."""

from fractions import Fraction

from refdp.kernel import rules
from refdp.kernel.rules import (
    concentrated_to_renyi,
    finite_law,
    mistake_tail,
    pure_to_approximate,
    pure_to_concentrated,
)
from refdp.kernel.theorem import Theorem
from refdp.mechanisms.k_ary_randomised_response import K_ARY_RANDOMISED_RESPONSE
from refdp.proofs.lemmas import masses_sum_to_1, sampler_draws_the_law
from refdp.provers.lemmas import lemmas
from refdp.provers.witnesses import refuted_by_event
from refdp.spec import obligations
from refdp.spec.accuracy import mistake_obligations

STEM = "k_ary_randomised_response"


def pure() -> Theorem:
    """No answer is more than truth (k - 1) / (1 - truth) times likelier under one value than another."""
    return finite_law(*lemmas(STEM, obligations.privacy(STEM)), stem=STEM)


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
    """The cumulative mass grows by pmf from 0 to 1, for every k."""
    return masses_sum_to_1(STEM)


def sampler_law() -> Theorem:
    """A coin of probability truth, then a uniform other value."""
    return sampler_draws_the_law(STEM)


def truth_of_the_binary(claim: str) -> Theorem:
    """False: with three values and truth 3/4, the others have 1/8 each, and 3/4 is 6 times that, not 3."""
    return refuted_by_event(claim, {"k": "3", "truth": "3/4"}, map(Fraction, range(3)))


def renyi_exact() -> Theorem:
    """The sum of p^order q^(1 - order) over the answers: the two inputs, and the others alike."""
    return rules.renyi_divergence(*lemmas(STEM, obligations.divergence(STEM)), stem=STEM)


def renyi_tight() -> Theorem:
    """The exact divergence, as a bound."""
    return rules.renyi_bound(*lemmas(STEM, obligations.divergence(STEM)), stem=STEM)


def accuracy() -> Theorem:
    """The masses sum to 1, and that of the value itself is truth."""
    return mistake_tail(*lemmas(STEM, mistake_obligations(K_ARY_RANDOMISED_RESPONSE)), stem=STEM)
