"""laplace: continuous noise as a density is (d_in / scale)-DP; in L1 for vectors."""

from refdp.kernel.rules import additive_noise, concentrated_to_renyi, pure_to_approximate, pure_to_concentrated
from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import masses_sum_to_1, privacy_lemmas

STEM = "laplace"


def pure() -> Theorem:
    """The log ratio of the densities at every point is at most the map."""
    return additive_noise(*privacy_lemmas(STEM), stem=STEM, measure="pure")


def pure_vector() -> Theorem:
    """The losses of the coordinates add up to at most the loss at their L1 distance."""
    return additive_noise(*privacy_lemmas(STEM, vector=True), stem=STEM, measure="pure", vector="yes")


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
    """The integral of exp(-|z| / scale)."""
    return masses_sum_to_1(STEM)
