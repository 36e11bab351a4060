"""gaussian: continuous noise as a density is (d_in^2 / (2 sigma^2))-zCDP; its exact delta; the classical theorem."""

from fractions import Fraction

from refdp.kernel import rules
from refdp.kernel.rules import (
    additive_noise,
    another_probability,
    branch_and_bound,
    classical_noise,
    concentrated_to_approximate,
    concentrated_to_renyi,
    decided,
    instantiate,
    noise_tail,
    normal_noise,
)
from refdp.kernel.rules.logic import obligation
from refdp.kernel.theorem import Theorem
from refdp.mechanisms.gaussian import GAUSSIAN
from refdp.proofs.lemmas import loss_is_unbounded, masses_sum_to_1
from refdp.provers.lemmas import lemma, lemmas
from refdp.provers.witnesses import refuted_by_density, refuted_by_divergence, refuted_by_exact_delta, refuted_by_tail
from refdp.spec import classical as classical_region
from refdp.spec import obligations
from refdp.spec.accuracy import noise_obligations
from refdp.spec.terms import name

STEM = "gaussian"


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


def normalised() -> Theorem:
    """The integral of exp(-z^2 / (2 sigma^2))."""
    return masses_sum_to_1(STEM)


def analytic() -> Theorem:
    """The worst event is a half line, and its probabilities are normal tails."""
    return normal_noise(*lemmas(STEM, obligations.exact_delta(STEM)), stem=STEM, vector="no")


def analytic_vector() -> Theorem:
    """Turned so that the inputs differ in one coordinate, vectors are numbers."""
    return normal_noise(*lemmas(STEM, obligations.exact_delta(STEM)), stem=STEM, vector="yes")


def analytic_calibrated() -> Theorem:
    """sigma was found by `analytic_sigma`; here its exact delta is decided to be small enough."""
    values = {"sigma": "42247/10000", "d_in": "1", "epsilon": "1"}
    return instantiate(analytic(), values=values, d_out=["1", "1/1000000"])


def analytic_with_a_thousandth_less(claim: str) -> Theorem:
    """False: the exact delta is more than 10^-6."""
    return refuted_by_exact_delta(claim, {}, lemmas(STEM, obligations.exact_delta(STEM)))


def _classical(region: str) -> Theorem:
    """|- sigma = d_in sqrt(2 ln(constant / delta)) / epsilon gives (epsilon, delta)-DP on the region."""
    return classical_noise(analytic(), *_inequalities(region), stem=STEM, region=region, vector="no")


def _inequalities(region: str) -> list[Theorem]:
    """What bounds the exact delta on the region: each by the kernel alone where it can, else by an oracle."""
    return [_inequality(f"{classical_region.STEM}.{key}") for key in classical_region.inequalities(region)]


def _inequality(identifier: str) -> Theorem:
    """|- a named inequality: by the kernel alone where it is closed or its names are bounded, else by an oracle."""
    statement = obligation(identifier)
    if not statement.variables:
        return decided(obligation=identifier, digest=statement.digest)
    bounded = {b for g in statement.given for b in g.arguments[:1]}
    if all(name(v) in bounded for v in statement.variables):
        return branch_and_bound(obligation=identifier, digest=statement.digest)
    return lemma(identifier)


def classical() -> Theorem:
    """Branch and bound on the exact delta where c is at most 3, monotonicity beyond."""
    return _classical("half")


def classical_vector() -> Theorem:
    """As for numbers."""
    return classical_noise(analytic_vector(), *_inequalities("half"), stem=STEM, region="half", vector="yes")


def classical_elementary() -> Theorem:
    """Two lines: the exact delta is at most Q(a) <= e^(-a^2 / 2) / 2."""
    return _classical("elementary")


def classical_at_small_delta() -> Theorem:
    """Branch and bound where c is at most 6, monotonicity beyond."""
    return _classical("small_delta")


def classical_at_every_delta() -> Theorem:
    """Branch and bound where c is at most 3, monotonicity beyond."""
    return _classical("every_delta")


def classical_with_constant_6_5_at_small_epsilon() -> Theorem:
    """The same two lines with the smaller constant."""
    return _classical("constant_6_5")


def _refuted(claim: str, epsilon: str, delta: str) -> Theorem:
    """The claim fails at that epsilon and delta, for inputs at distance 1."""
    return refuted_by_exact_delta(
        claim, {"epsilon": epsilon, "delta": delta, "d_in": "1"}, lemmas(STEM, obligations.exact_delta(STEM))
    )


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
    return rules.renyi_divergence(*lemmas(STEM, obligations.divergence(STEM)), stem=STEM)


def renyi_at_999_thousandths(claim: str) -> Theorem:
    """False: the divergence of order 2 at sigma = d_in is 1."""
    return refuted_by_divergence(claim, {"sigma": "1", "d_in": "1", "order": "2"}, renyi_exact())


def accuracy() -> Theorem:
    """In units of sigma the noise is standard normal."""
    needed = lemmas(STEM, noise_obligations(GAUSSIAN, exactly=True, inverted=False))
    return noise_tail(*needed, stem=STEM, event="at_least", exactly="yes", inverted="no")


def accuracy_with_half_the_bound(claim: str) -> Theorem:
    """False: e^(-alpha^2 / (2 sigma^2)) / 2 bounds one side only; both together are above it at alpha = sigma / 2."""
    exact = instantiate(accuracy(), values={"sigma": "1", "alpha": "1/2"})
    return refuted_by_tail(claim, {"sigma": "1", "alpha": "1/2"}, another_probability, exact, at="0")


def accuracy_bound() -> Theorem:
    """(alpha + h)^2 >= alpha^2 + h^2: beyond alpha it is at most e^(-alpha^2 / (2 sigma^2)) as likely."""
    needed = lemmas(STEM, noise_obligations(GAUSSIAN, exactly=False, inverted=False))
    return noise_tail(*needed, stem=STEM, event="at_least", exactly="no", inverted="no")
