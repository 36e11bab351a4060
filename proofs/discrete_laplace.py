"""discrete_laplace: x + Z is (d_in / scale)-DP; in L1 for vectors; and what follows under the other measures."""

from fractions import Fraction

from refdp.kernel.rules import (
    additive_noise,
    concentrated_to_renyi,
    grid_noise,
    likelier_noise,
    noise_tail,
    pure_to_approximate,
    pure_to_concentrated,
    tail_of_many,
)
from refdp.kernel.theorem import Theorem
from refdp.mechanisms.discrete_laplace import DISCRETE_LAPLACE
from refdp.proofs.lemmas import masses_sum_to_1, sampler_draws_the_law
from refdp.provers.lemmas import lemmas
from refdp.provers.witnesses import refuted_by_output, refuted_by_sums, refuted_by_tail
from refdp.spec import obligations
from refdp.spec.accuracy import noise_obligations

STEM = "discrete_laplace"
AT_ONE_HALF = {"scale": "1", "granularity": "1", "beta": "1/2"}
"""Where the continuous tail is wrong for the discrete noise."""


def pure() -> Theorem:
    """The loss at every output is at most the map, and the weights have a finite sum."""
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


def approximate_below_its_epsilon() -> Theorem:
    """The worst event is a half line, whose masses are enclosed by sums and a geometric bound of the rest."""
    delta = "137687516632/1000000000000"
    return grid_noise(
        *lemmas(STEM, obligations.log_concavity(STEM)),
        claim=f"private(discrete_laplace(2, 1), grid(1), absolute(1), approximate(1/4, {delta}))",
    )


def approximate_below_its_epsilon_with_half_the_delta(claim: str) -> Theorem:
    """False: the sums come to more."""
    return refuted_by_sums(claim, lemmas(STEM, obligations.log_concavity(STEM)))


def normalised() -> Theorem:
    """A geometric series."""
    return masses_sum_to_1(STEM)


def sampler_law() -> Theorem:
    """A geometric magnitude with a fair sign and no minus zero."""
    return sampler_draws_the_law(STEM)


def half_noise(claim: str) -> Theorem:
    """False: at output 0, inputs 0 and 1 have loss 1 / scale, twice what is claimed."""
    near = [Fraction(0), Fraction(1)]
    return refuted_by_output(claim, {"scale": "1", "granularity": "1", "d_in": "1"}, near, near)


def scale_999_thousandths(claim: str) -> Theorem:
    """False: with a thousandth less noise, at output 0, the loss is 1000/999."""
    near = [Fraction(0), Fraction(1)]
    return refuted_by_output(claim, {"scale": "1", "granularity": "1", "d_in": "1"}, near, near)


def sensitivity_doubled(claim: str) -> Theorem:
    """False: at output 0, inputs 0 and 2 have loss 2 / scale."""
    far = [Fraction(0), Fraction(2)]
    return refuted_by_output(claim, {"scale": "1", "granularity": "1", "d_in": "1"}, far, far)


def l2_for_vectors(claim: str) -> Theorem:
    """False: from (0, 0) to (3, 4), at L2 distance 5, the losses of the coordinates add up to 7 / scale."""
    ends = [(Fraction(0), Fraction(0)), (Fraction(3), Fraction(4))]
    return refuted_by_output(claim, {"scale": "1", "granularity": "1", "d_in": "5"}, ends, ends)


def accuracy() -> Theorem:
    """A geometric series from the grid point alpha on."""
    needed = lemmas(STEM, noise_obligations(DISCRETE_LAPLACE, exactly=True, inverted=False))
    return noise_tail(*needed, stem=STEM, event="at_least", exactly="yes", inverted="no")


def accuracy_beyond() -> Theorem:
    """Beyond the grid point alpha the weights are at most e^(-alpha / scale) times those beyond 0."""
    needed = lemmas(STEM, noise_obligations(DISCRETE_LAPLACE, exactly=False, inverted=False))
    return noise_tail(*needed, stem=STEM, event="more_than", exactly="no", inverted="no")


def accuracy_radius() -> Theorem:
    """From alpha on the noise is at most 2 e^(-alpha / scale) likely, on the grid or off it."""
    needed = lemmas(STEM, noise_obligations(DISCRETE_LAPLACE, exactly=False, inverted=True))
    return noise_tail(*needed, stem=STEM, event="at_least", exactly="no", inverted="yes")


def accuracy_vector() -> Theorem:
    """Independent coordinates: none is off with the dimension-th power of the probability of one."""
    return tail_of_many(accuracy(), exactly="yes")


def accuracy_vector_union() -> Theorem:
    """The union bound."""
    return tail_of_many(accuracy_radius())


def accuracy_as_an_equality(claim: str) -> Theorem:
    """False: with scale 1 on the whole numbers, |Z| >= ln(2) says |Z| >= 1, which is more likely than 1/2."""
    return refuted_by_tail(claim, AT_ONE_HALF, likelier_noise, points="4")


def accuracy_as_a_bound(claim: str) -> Theorem:
    """False, for the same reason: beta is not even an upper bound."""
    return refuted_by_tail(claim, AT_ONE_HALF, likelier_noise, points="4")
