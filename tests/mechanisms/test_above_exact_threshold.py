"""above_exact_threshold: no noise on the threshold: its law is a product; what is claimed of it is false."""

from fractions import Fraction as F

from refdp.spec.obligations import privacy
from refdp.spec.samplers import sampler_obligations
from tests.exactness.refusals import refusal
from tests.mechanisms.checks import MP, encloses, finite_masses, real


def test_above_exact_threshold_is_a_product_of_tails():
    """Each answer has noise of its own, and nothing else: e^-x / 2 is the tail beyond x."""
    found = finite_masses("above_exact_threshold(0, 1, 2)", (F(-1), F(2)))
    first, second = (MP.exp(-real(x) / 2) / 2 for x in (1, 2))
    expected = {(F(0),): first, (F(1),): (1 - first) * (1 - second), (): (1 - first) * second}
    assert all(encloses(found[y], p) for y, p in expected.items())


def test_above_exact_threshold_has_no_map_and_no_sampler():
    assert refusal(lambda: sampler_obligations("above_exact_threshold")) == "above_exact_threshold has no sampler"
    assert "has no privacy map" in refusal(lambda: privacy("above_exact_threshold"))
