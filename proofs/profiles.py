"""profiles: the best composition under approximate DP, Gaussian DP, and the inequalities behind both."""

from collections.abc import Callable
from fractions import Fraction

from refdp.kernel import rules
from refdp.kernel.theorem import Theorem
from refdp.proofs import count, discrete_laplace, randomised_response
from refdp.proofs.lemmas import false_at
from refdp.provers.lemmas import lemma, lemmas
from refdp.provers.witnesses import refuted_by_event
from refdp.spec import obligations


def _pointwise(key: str) -> Callable[[], Theorem]:
    """The proof of one inequality."""

    def inequality() -> Theorem:
        return lemma(f"profiles.{key}")

    return inequality


pointwise_below_the_chord = _pointwise("below_the_chord")
pointwise_reflected = _pointwise("reflected")
pointwise_below_the_kink = _pointwise("below_the_kink")


def pointwise_below_half_the_chord(claim: str) -> Theorem:
    """False: on a chord that the profile touches."""
    return false_at("profiles.not_below_half_the_chord", p="2", q="0", k="1", s="1", t_1="1", t_2="1")


def _response(truth: str = "3/4") -> Theorem:
    """Randomised response under approximate DP, delta = 0."""
    return rules.pure_to_approximate(rules.instantiate(randomised_response.pure(), values={"truth": truth}))


def _laplace(scale: str = "scale") -> Theorem:
    """Discrete Laplace noise at sensitivity 1 under approximate DP, delta = 0."""
    values = {"granularity": "1", "d_in": "1", "scale": scale}
    return rules.pure_to_approximate(rules.instantiate(discrete_laplace.pure(), values=values))


def advanced() -> Theorem:
    """k draws, for every k, scale and delta."""
    return rules.compose_advanced(_laplace())


def advanced_thousand() -> Theorem:
    """A thousand answers with epsilon = 1/100 each."""
    return rules.compose_advanced(_laplace("100"), k="1000", delta="1/1000000", d_out=["1.71226", "1/1000000"])


def optimal_response() -> Theorem:
    """Four answers at twice the loss of one: exact."""
    return rules.compose_many_optimal(_response(), k="4", epsilon="2*ln(3)")


def optimal_of_two() -> Theorem:
    """Answers with losses ln(3) and ln(2), at ln(3): exact."""
    return rules.compose_optimal(_response(), _response("2/3"), epsilon="ln(3)")


def optimal_hundred() -> Theorem:
    """A hundred draws of discrete Laplace noise with epsilon = 1/10 each, at epsilon = 2."""
    return rules.compose_many_optimal(_laplace("10"), k="100", epsilon="2", d_out=["2", HUNDRED])


HUNDRED = "100701/5000000"
"""Their delta, rounded up."""


def noise() -> Theorem:
    """Normal noise is gaussian(d_in^2 / sigma^2)."""
    return rules.gaussian_noise(*lemmas("gaussian", obligations.exact_delta("gaussian")), stem="gaussian")


def noise_of_vectors() -> Theorem:
    """Independent normal noise on the coordinates, at L2 distance d_in."""
    premises = lemmas("gaussian", obligations.exact_delta("gaussian"))
    return rules.gaussian_noise(*premises, stem="gaussian", vector="yes")


def sequential_gaussian() -> Theorem:
    """Two draws: mu^2 adds up."""
    return rules.compose(noise(), rules.instantiate(noise(), values={"sigma": "other_sigma"}))


def repeated_gaussian() -> Theorem:
    """k draws: k mu^2."""
    return rules.compose_many(noise())


def _counted() -> Theorem:
    """A count with normal noise of deviation 2: gaussian(1/4)."""
    values = {"rows": "records()", "d_in": "1"}
    drawn = rules.instantiate(noise(), values={"sigma": "2", "d_in": "1"})
    return rules.chain(rules.instantiate(count.add_remove(), values=values), drawn)


def group_gaussian() -> Theorem:
    """Three rows: 9 mu^2."""
    return rules.group(_counted(), k="3")


def parallel_gaussian() -> Theorem:
    """An added row falls into one part."""
    partition = "category_of('island', list_of('A', 'B'), 2)"
    return rules.parallel(_counted(), _counted(), partition=partition, neighbours="add_remove")


def gaussian_to_approximate() -> Theorem:
    """Ten counts with deviation 2 at epsilon = 5: the exact delta, rounded up."""
    ten = rules.compose_many(_counted(), k="10")
    return rules.gaussian_to_approximate(ten, epsilon="5", d_out=["5", TEN])


TEN = "31223/10000000"
"""Their delta, rounded up."""


def gaussian_to_concentrated() -> Theorem:
    """mu^2 / 2: what normal noise has by its Renyi divergences, too."""
    return rules.gaussian_to_concentrated(noise())


def response_is_gaussian() -> Theorem:
    """mu = 2 Q^-1(1/4), rounded up: mu^2 = 1.82."""
    response = rules.instantiate(randomised_response.pure(), values={"truth": "3/4"})
    return rules.pure_to_gaussian(response, mu_squared="18198/10000")


def optimal_a_hair_below(claim: str) -> Theorem:
    """False: four answers of randomised response reach the delta."""
    return refuted_by_event(claim, {}, map(Fraction, range(2)))


optimal_of_two_a_hair_below = optimal_a_hair_below
"""False: one answer of each kind reaches it."""


def advanced_without_the_mean(claim: str) -> Theorem:
    """False: six answers of randomised response drift away, as the mean of the loss is positive."""
    return refuted_by_event(claim, {}, map(Fraction, range(2)))
