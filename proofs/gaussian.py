"""gaussian: continuous noise as a density is (d_in^2 / (2 sigma^2))-zCDP; in L2 for vectors."""

from refdp.kernel.rules import additive_noise, concentrated_to_approximate, concentrated_to_renyi
from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import masses_sum_to_1, noise_error, privacy_lemmas

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


def accuracy_bound() -> Theorem:
    """(alpha + h)^2 >= alpha^2 + h^2: beyond alpha it is at most e^(-alpha^2 / (2 sigma^2)) as likely."""
    return noise_error(STEM)
