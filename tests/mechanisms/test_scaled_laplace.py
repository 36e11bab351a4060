"""scaled_laplace: no map and no sampler; where bounds differ its loss passes every bound."""

from fractions import Fraction as F

import pytest

from refdp.kernel import rules
from refdp.mechanisms.scaled_laplace import SCALED_LAPLACE
from refdp.numerics.enclosures import enclose
from refdp.spec.obligations import privacy
from refdp.spec.samplers import sampler_obligations
from refdp.terms.reading import read
from tests.exactness.refusals import refusal


def test_scaled_laplace_has_no_map_and_no_sampler():
    assert refusal(lambda: sampler_obligations("scaled_laplace")) == "scaled_laplace has no sampler"
    assert "has no privacy map" in refusal(lambda: privacy("scaled_laplace"))


def test_scaled_laplace_has_the_loss_of_its_definition():
    """ln of (e^-|y - v| / (s S)) / (s S) over the same."""
    found = SCALED_LAPLACE.log_ratio(read("scaled_laplace(2)"), F(9), (F(1), F(3)), (F(0), F(2)))
    by_hand = enclose(read("ln(2 / 3) + 9 / 4 - 8 / 6"), {}, 96)
    loss = enclose(found, {}, 96)
    assert max(loss.lower, by_hand.lower) <= min(loss.upper, by_hand.upper)


@pytest.mark.parametrize("epsilon", ["1", "10", "100"])
def test_scaled_laplace_is_refuted_at_every_epsilon(epsilon):
    pairs = "record(field(0, reals()), field(1, above(reals(), 0)))"
    claim = f"private(scaled_laplace(1), {pairs}, smooth(2), pure({epsilon}))"
    output = str(4 * int(epsilon))
    rules.denser_elsewhere(claim=claim, a="tuple_of(0, 2)", b="tuple_of(0, 1)", output=output)
