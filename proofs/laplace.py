"""laplace: continuous noise as a density is (d_in / scale)-DP; in L1 for vectors."""

from fractions import Fraction

from refdp.kernel import rules
from refdp.kernel.rules import (
    additive_noise,
    another_probability,
    concentrated_to_renyi,
    instantiate,
    noise_tail,
    pure_to_approximate,
    pure_to_concentrated,
    tail_of_many,
    wrong_normaliser,
)
from refdp.kernel.theorem import Theorem
from refdp.mechanisms.laplace import LAPLACE
from refdp.proofs.lemmas import masses_sum_to_1
from refdp.provers.lemmas import lemma, lemmas
from refdp.provers.witnesses import refuted_by_density, refuted_by_divergence, refuted_by_tail
from refdp.spec import obligations
from refdp.spec.accuracy import noise_obligations

STEM = "laplace"
AT_1 = {"scale": "1", "d_in": "1"}


def pure() -> Theorem:
    """The log ratio of the densities at every point is at most the map."""
    return additive_noise(*lemmas(STEM, obligations.privacy(STEM)), stem=STEM, measure="pure")


def pure_vector() -> Theorem:
    """The losses of the coordinates add up to at most the loss at their L1 distance."""
    return additive_noise(
        *lemmas(STEM, obligations.privacy(STEM, vector=True)), stem=STEM, measure="pure", vector="yes"
    )


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


def renyi_exact() -> Theorem:
    """The integral of p^order q^(1 - order), part by part."""
    return rules.renyi_divergence(*lemmas(STEM, obligations.divergence(STEM)), stem=STEM)


def renyi_tight() -> Theorem:
    """The exact divergence, which grows with the distance."""
    return rules.renyi_bound(*lemmas(STEM, obligations.divergence(STEM)), stem=STEM)


def half_noise(claim: str) -> Theorem:
    """False: at output 0, inputs 0 and 1 have loss 1 / scale, twice what is claimed."""
    return refuted_by_density(claim, AT_1, Fraction(0), Fraction(1), Fraction(0))


def scale_999_thousandths(claim: str) -> Theorem:
    """False: with a thousandth less noise, at output 0, the loss is 1000/999."""
    return refuted_by_density(claim, AT_1, Fraction(0), Fraction(1), Fraction(0))


def sensitivity_doubled(claim: str) -> Theorem:
    """False: at output 0, inputs 0 and 2 have loss 2 / scale."""
    return refuted_by_density(claim, AT_1, Fraction(0), Fraction(2), Fraction(0))


def l2_for_vectors(claim: str) -> Theorem:
    """False: from (0, 0) to (3, 4), at L2 distance 5, the losses of the coordinates add up to 7 / scale."""
    values = {"scale": "1", "d_in": "5"}
    origin, far = (Fraction(0), Fraction(0)), (Fraction(3), Fraction(4))
    return refuted_by_density(claim, values, origin, far, origin)


def density_without_its_half(claim: str) -> Theorem:
    """False: exp(-|z| / scale) integrates to 2 scale, not to scale."""
    found = lemma("laplace.integral_is_the_normaliser")
    return wrong_normaliser(found, stem="laplace_without_half", of=STEM, values={"scale": "1"})


def renyi_at_999_thousandths(claim: str) -> Theorem:
    """False: at order 2 the divergence between inputs one scale apart is ln(2 e / 3 + e^-2 / 3), and no less."""
    return refuted_by_divergence(claim, {"scale": "1", "d_in": "1", "order": "2"}, renyi_exact())


def accuracy() -> Theorem:
    """The noise has no memory: from alpha on it is e^(-alpha / scale) times as likely as from 0 on."""
    needed = lemmas(STEM, noise_obligations(LAPLACE, exactly=True, inverted=True))
    return noise_tail(*needed, stem=STEM, event="at_least", exactly="yes", inverted="yes")


def accuracy_vector() -> Theorem:
    """Independent coordinates: none is off with probability (1 - beta)^dimension."""
    return tail_of_many(accuracy(), exactly="yes")


def accuracy_vector_union() -> Theorem:
    """The union bound."""
    return tail_of_many(accuracy())


def accuracy_of_a_mean() -> Theorem:
    """A mean of n numbers in [0, 1] has sensitivity 1 / n: a scale of 1 / (n epsilon), an error that falls with n."""
    return instantiate(accuracy(), values={"scale": "1 / (n * epsilon)"})


def accuracy_of_a_count_falls_with_n(claim: str) -> Theorem:
    """False: the noise of a count does not shrink; for n = 2 the error is ln(10/7) or more with probability 7/10."""
    exact = instantiate(accuracy(), values={"scale": "1", "beta": "7/10"})
    return refuted_by_tail(claim, {"epsilon": "1", "n": "2", "beta": "1/2"}, another_probability, exact, at="0")


def accuracy_with_half_the_probability(claim: str) -> Theorem:
    """False: ln(1 / (2 beta)) is reached with probability 2 beta."""
    exact = instantiate(accuracy(), values={"scale": "1", "beta": "1/2"})
    return refuted_by_tail(claim, {"scale": "1", "beta": "1/4"}, another_probability, exact, at="0")
