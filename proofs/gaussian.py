"""gaussian: continuous noise as a density is (d_in^2 / (2 sigma^2))-zCDP; in L2 for vectors."""

from fractions import Fraction

from refdp.kernel.rules import additive_noise, concentrated_to_approximate, concentrated_to_renyi
from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import loss_is_unbounded, masses_sum_to_1, noise_error, privacy_lemmas, renyi_divergence
from refdp.provers.witnesses import refuted_by_density, refuted_by_divergence

STEM = "gaussian"


def concentrated() -> Theorem:
    """Completing the square: p^alpha q^(1 - alpha) is a shifted weight times e^(alpha (alpha - 1) rho)."""
    return additive_noise(*privacy_lemmas(STEM, "concentrated"), stem=STEM, measure="concentrated")


def concentrated_vector() -> Theorem:
    """The losses of the coordinates add up to the loss at their L2 distance."""
    needed = privacy_lemmas(STEM, "concentrated", vector=True)
    return additive_noise(*needed, stem=STEM, measure="concentrated", vector="yes")


def renyi() -> Theorem:
    """From zCDP, for every order above 1."""
    return concentrated_to_renyi(concentrated())


def approximate() -> Theorem:
    """From zCDP, for every delta in (0, 1)."""
    return concentrated_to_approximate(concentrated())


def normalised() -> Theorem:
    """The integral of exp(-z^2 / (2 sigma^2))."""
    return masses_sum_to_1(STEM)


def unbounded_loss() -> Theorem:
    """The loss between 0 and d_in is linear in the output: at -sigma^2 bound / d_in and below it exceeds the bound."""
    return loss_is_unbounded(STEM)


def pure(claim: str) -> Theorem:
    """False: the loss grows with the output, beyond every epsilon."""
    values = {"sigma": "1", "d_in": "1", "epsilon": "10"}
    return refuted_by_density(claim, values, Fraction(0), Fraction(1), Fraction(-10))


def renyi_exact() -> Theorem:
    """The shifted weight integrates to the same, so the exponent is the divergence."""
    return renyi_divergence(STEM)


def renyi_at_999_thousandths(claim: str) -> Theorem:
    """False: the divergence of order 2 at sigma = d_in is 1."""
    return refuted_by_divergence(claim, {"sigma": "1", "d_in": "1", "order": "2"}, renyi_exact())


def accuracy_bound() -> Theorem:
    """(alpha + h)^2 >= alpha^2 + h^2: beyond alpha it is at most e^(-alpha^2 / (2 sigma^2)) as likely."""
    return noise_error(STEM)
