"""profiles: the best composition under approximate DP, Gaussian DP, and the inequalities behind both."""

from refdp.kernel import rules
from refdp.kernel.theorem import Theorem
from refdp.proofs.lines import proved


def _response(truth: str = "3/4") -> Theorem:
    """Randomised response under approximate DP, delta = 0."""
    return rules.pure_to_approximate(rules.instantiate(proved("randomised_response.pure"), values={"truth": truth}))


def _laplace(scale: str = "scale") -> Theorem:
    """Discrete Laplace noise at sensitivity 1 under approximate DP, delta = 0."""
    values = {"granularity": "1", "d_in": "1", "scale": scale}
    return rules.pure_to_approximate(rules.instantiate(proved("discrete_laplace.pure"), values=values))


def advanced_thousand() -> Theorem:
    """A thousand answers with epsilon = 1/100 each."""
    return rules.compose_advanced(_laplace("100"), k="1000", delta="1/1000000", d_out=["1.71226", "1/1000000"])


def optimal_of_two() -> Theorem:
    """Answers with losses ln(3) and ln(2), at ln(3): exact."""
    return rules.compose_optimal(_response(), _response("2/3"), epsilon="ln(3)")


def _counted() -> Theorem:
    """A count with normal noise of deviation 2: gaussian(1/4)."""
    values = {"rows": "records()", "d_in": "1"}
    drawn = rules.instantiate(proved("profiles.noise"), values={"sigma": "2", "d_in": "1"})
    return rules.chain(rules.instantiate(proved("count.add_remove"), values=values), drawn)


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
