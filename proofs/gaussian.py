"""gaussian: continuous noise as a density is (d_in^2 / (2 sigma^2))-zCDP; its exact delta; the classical theorem."""

from fractions import Fraction

from refdp.kernel.rules import (
    additive_noise,
    another_probability,
    concentrated_to_approximate,
    concentrated_to_renyi,
    instantiate,
)
from refdp.kernel.theorem import Theorem
from refdp.proofs.lemmas import (
    classical_theorem,
    exact_delta,
    exact_delta_lemmas,
    loss_is_unbounded,
    masses_sum_to_1,
    noise_error,
    privacy_lemmas,
    renyi_divergence,
)
from refdp.provers.witnesses import refuted_by_density, refuted_by_divergence, refuted_by_exact_delta, refuted_by_tail

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


def analytic() -> Theorem:
    """The worst event is a half line, and its probabilities are normal tails."""
    return exact_delta(STEM)


def analytic_vector() -> Theorem:
    """Turned so that the inputs differ in one coordinate, vectors are numbers."""
    return exact_delta(STEM, vector="yes")


def analytic_calibrated() -> Theorem:
    """sigma was found by `analytic_sigma`; here its exact delta is decided to be small enough."""
    values = {"sigma": "42247/10000", "d_in": "1", "epsilon": "1"}
    return instantiate(analytic(), values=values, d_out=["1", "1/1000000"])


def analytic_with_a_thousandth_less(claim: str) -> Theorem:
    """False: the exact delta is more than 10^-6."""
    return refuted_by_exact_delta(claim, {}, exact_delta_lemmas(STEM))


def classical() -> Theorem:
    """Branch and bound on the exact delta where c is at most 3, monotonicity beyond."""
    return classical_theorem(STEM, "half")


def classical_vector() -> Theorem:
    """As for numbers."""
    return classical_theorem(STEM, "half", vector="yes")


def classical_elementary() -> Theorem:
    """Two lines: the exact delta is at most Q(a) <= e^(-a^2 / 2) / 2."""
    return classical_theorem(STEM, "elementary")


def classical_at_small_delta() -> Theorem:
    """Branch and bound where c is at most 6, monotonicity beyond."""
    return classical_theorem(STEM, "small_delta")


def classical_at_every_delta() -> Theorem:
    """Branch and bound where c is at most 3, monotonicity beyond."""
    return classical_theorem(STEM, "every_delta")


def classical_with_constant_6_5_at_small_epsilon() -> Theorem:
    """The same two lines with the smaller constant."""
    return classical_theorem(STEM, "constant_6_5")


def _refuted(claim: str, epsilon: str, delta: str) -> Theorem:
    """The claim fails at that epsilon and delta, for inputs at distance 1."""
    return refuted_by_exact_delta(claim, {"epsilon": epsilon, "delta": delta, "d_in": "1"}, exact_delta_lemmas(STEM))


def classical_without_condition_on_epsilon(claim: str) -> Theorem:
    """False: at epsilon = 10 and delta = 10^-5 the exact delta is 2.2653744 10^-5."""
    return _refuted(claim, "10", "1/100000")


def classical_just_outside(claim: str) -> Theorem:
    """False: at epsilon = 4.466 and delta = 1/2."""
    return _refuted(claim, "2233/500", "1/2")


def classical_at_small_delta_outside(claim: str) -> Theorem:
    """False: at epsilon = 20 and delta = 10^-6."""
    return _refuted(claim, "20", "1/1000000")


def classical_at_every_delta_just_outside(claim: str) -> Theorem:
    """False: at epsilon = 3.788 and delta = 9/10."""
    return _refuted(claim, "947/250", "9/10")


def classical_with_constant_6_5(claim: str) -> Theorem:
    """False: at epsilon = 4.4 and delta = 1/2."""
    return _refuted(claim, "22/5", "1/2")


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


def accuracy() -> Theorem:
    """In units of sigma the noise is standard normal."""
    return noise_error(STEM, exactly="yes")


def accuracy_with_half_the_bound(claim: str) -> Theorem:
    """False: e^(-alpha^2 / (2 sigma^2)) / 2 bounds one side only; both together are above it at alpha = sigma / 2."""
    exact = instantiate(accuracy(), values={"sigma": "1", "alpha": "1/2"})
    return refuted_by_tail(claim, {"sigma": "1", "alpha": "1/2"}, another_probability, exact, at="0")


def accuracy_bound() -> Theorem:
    """(alpha + h)^2 >= alpha^2 + h^2: beyond alpha it is at most e^(-alpha^2 / (2 sigma^2)) as likely."""
    return noise_error(STEM)
