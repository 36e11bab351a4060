"""randomised_response: ln(truth / (1 - truth))-DP between any two values."""

from fractions import Fraction

from refdp.kernel import rules
from refdp.kernel.rules import (
    concentrated_to_renyi,
    estimate_tail,
    finite_law,
    instantiate,
    likelier_error,
    mistake_tail,
    pure_to_approximate,
    pure_to_concentrated,
    tail_restated,
)
from refdp.kernel.theorem import Theorem
from refdp.mechanisms.randomised_response import RANDOMISED_RESPONSE
from refdp.proofs.lemmas import masses_sum_to_1, sampler_draws_the_law
from refdp.provers.lemmas import lemma, lemmas
from refdp.provers.witnesses import refuted_by_event, refuted_by_tail
from refdp.spec import obligations
from refdp.spec.accuracy import estimate_obligations, mistake_obligations

STEM = "randomised_response"


def pure() -> Theorem:
    """No answer is more than truth / (1 - truth) times likelier under one bit than the other."""
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
    """truth + (1 - truth)."""
    return masses_sum_to_1(STEM)


def sampler_law() -> Theorem:
    """A coin of probability truth."""
    return sampler_draws_the_law(STEM)


def renyi_exact() -> Theorem:
    """The sum of p^order q^(1 - order) over the answers: the truth and the lie."""
    return rules.renyi_divergence(*lemmas(STEM, obligations.divergence(STEM)), stem=STEM)


def renyi_tight() -> Theorem:
    """The exact divergence, as a bound."""
    return rules.renyi_bound(*lemmas(STEM, obligations.divergence(STEM)), stem=STEM)


def truth_off_by_a_thousandth(claim: str) -> Theorem:
    """False: 751/249 is more than 3."""
    return refuted_by_event(claim, {}, map(Fraction, range(2)))


def accuracy() -> Theorem:
    """Hoeffding: the estimate is a mean of n independent numbers, each one of two that are a width apart."""
    return estimate_tail(*lemmas(STEM, estimate_obligations(RANDOMISED_RESPONSE)), stem=STEM)


def accuracy_in_epsilon() -> Theorem:
    """truth = e^epsilon / (1 + e^epsilon): the width is (1 + e^epsilon) / (e^epsilon - 1)."""
    at_epsilon = instantiate(accuracy(), values={"truth": "exp(epsilon) / (1 + exp(epsilon))"})
    return tail_restated(at_epsilon, lemma("accuracy.width_in_epsilon"), values={"t": "exp(epsilon)"})


def accuracy_of_one_answer() -> Theorem:
    """An answer is wrong with probability 1 - truth."""
    return mistake_tail(*lemmas(STEM, mistake_obligations(RANDOMISED_RESPONSE)), stem=STEM)


def accuracy_with_4_n(claim: str) -> Theorem:
    """False: with 4 n in place of 2 n; one answer is wrong, and its estimate 3/2 off, with probability 1/4."""
    values = {"truth": "3/4", "n": "1", "beta": "11/50"}
    return refuted_by_tail(claim, values, likelier_error, at="tuple_of(1)")
