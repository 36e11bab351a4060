"""propose_test_release: a median that is tested before it is given."""

from refdp.kernel import rules
from refdp.kernel.theorem import Theorem
from refdp.proofs.lines import proved


def median() -> Theorem:
    """The noise is for the bound that the distance is about."""
    noise = rules.instantiate(proved("discrete_laplace.pure"), values={"scale": "2 * bound", "d_in": "bound"})
    tested = rules.propose_test_release(
        noise, scale="2", threshold="27", d_out=["1/2 + bound / (2 * bound)", "1/1000000"]
    )
    return rules.chain(proved("median_with_distance.add_remove"), tested)
