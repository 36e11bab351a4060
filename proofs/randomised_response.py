"""randomised_response: ln(truth / (1 - truth))-DP between any two values."""

from fractions import Fraction

from refdp.kernel.rules import concentrated_to_renyi, finite_law, pure_to_approximate, pure_to_concentrated
from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import masses_sum_to_1, privacy_lemmas, renyi_bound, renyi_divergence, sampler_draws_the_law
from refdp.provers.witnesses import refuted_by_event

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


def renyi_exact() -> Theorem:
    """The sum of p^order q^(1 - order) over the answers: the truth and the lie."""
    return renyi_divergence(STEM)


def renyi_tight() -> Theorem:
    """The exact divergence, as a bound."""
    return renyi_bound(STEM)


def truth_off_by_a_thousandth(claim: str) -> Theorem:
    """False: 751/249 is more than 3."""
    return refuted_by_event(claim, {}, map(Fraction, range(2)))
