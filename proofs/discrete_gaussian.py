"""discrete_gaussian: x + Z is (d_in^2 / (2 sigma^2))-zCDP; in L2 for vectors."""

from fractions import Fraction

from refdp.kernel.rules import (
    additive_noise,
    concentrated_to_approximate,
    concentrated_to_renyi,
    grid_noise,
    likelier_noise,
    noise_tail,
)
from refdp.kernel.theorem import Theorem
from refdp.mechanisms.discrete_gaussian import DISCRETE_GAUSSIAN
from refdp.proofs.lemmas import loss_is_unbounded, masses_sum_to_1, sampler_draws_the_law
from refdp.provers.lemmas import lemmas
from refdp.provers.witnesses import refuted_by_output, refuted_by_sums, refuted_by_tail
from refdp.spec import obligations
from refdp.spec.accuracy import noise_obligations

STEM = "discrete_gaussian"


def concentrated() -> Theorem:
    """Completing the square: p^alpha q^(1 - alpha) is a shifted weight times e^(alpha (alpha - 1) rho)."""
    return additive_noise(*lemmas(STEM, obligations.privacy(STEM, "concentrated")), stem=STEM, measure="concentrated")


def concentrated_vector() -> Theorem:
    """The losses of the coordinates add up to the loss at their L2 distance."""
    needed = lemmas(STEM, obligations.privacy(STEM, "concentrated", vector=True))
    return additive_noise(*needed, stem=STEM, measure="concentrated", vector="yes")


def renyi() -> Theorem:
    """From zCDP, for every order above 1."""
    return concentrated_to_renyi(concentrated())


def approximate() -> Theorem:
    """From zCDP, for every delta in (0, 1)."""
    return concentrated_to_approximate(concentrated())


def approximate_exact() -> Theorem:
    """The worst event is a half line, whose masses are enclosed by sums and a geometric bound of the rest."""
    delta = "7248776846/1000000000000"
    return grid_noise(
        *lemmas(STEM, obligations.log_concavity(STEM)),
        claim=f"private(discrete_gaussian(2, 1), grid(1), absolute(1), approximate(1, {delta}))",
    )


def approximate_a_hair_below(claim: str) -> Theorem:
    """False: the sums come to more."""
    return refuted_by_sums(claim, lemmas(STEM, obligations.log_concavity(STEM)))


def approximate_with_a_thousandth_less(claim: str) -> Theorem:
    """False: the sums come to more."""
    return refuted_by_sums(claim, lemmas(STEM, obligations.log_concavity(STEM)))


def normalised() -> Theorem:
    """The tail bound by which the sum of the weights is enclosed."""
    return masses_sum_to_1(STEM)


def sampler_law() -> Theorem:
    """A discrete Laplace draw, accepted so that proposal times acceptance is the weight."""
    return sampler_draws_the_law(STEM)


def pure(claim: str) -> Theorem:
    """False: the loss grows with the output, beyond every epsilon."""
    near = [Fraction(0), Fraction(1)]
    values = {"sigma": "1", "granularity": "1", "d_in": "1", "epsilon": "10"}
    return refuted_by_output(claim, values, near, [Fraction(-10), Fraction(10)])


def unbounded_loss() -> Theorem:
    """The loss between 0 and d_in is linear in the output, and there are grid points below every number."""
    return loss_is_unbounded(STEM)


def accuracy() -> Theorem:
    """(alpha + h)^2 >= alpha^2 + h^2, and both sides of 0: at most twice the weight's fall."""
    needed = lemmas(STEM, noise_obligations(DISCRETE_GAUSSIAN, exactly=False, inverted=False))
    return noise_tail(*needed, stem=STEM, event="at_least", exactly="no", inverted="no")


def accuracy_beyond() -> Theorem:
    """Beyond the grid point alpha the weights are at most e^(-alpha^2 / (2 sigma^2)) times those beyond 0."""
    needed = lemmas(STEM, noise_obligations(DISCRETE_GAUSSIAN, exactly=False, inverted=False))
    return noise_tail(*needed, stem=STEM, event="more_than", exactly="no", inverted="no")


def accuracy_as_the_continuous(claim: str) -> Theorem:
    """False: with sigma = 1/2 on the whole numbers, |Z| >= 1 has a probability above 1/5, and e^-2 is below 1/7."""
    values = {"sigma": "1/2", "granularity": "1", "alpha": "1"}
    return refuted_by_tail(claim, values, likelier_noise, points="1")
