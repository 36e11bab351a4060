"""all_above_threshold: no limit: all answers are compared; what is claimed of it is false."""

from fractions import Fraction as F

from refdp.spec.obligations import privacy
from refdp.spec.samplers import sampler_obligations
from tests.exactness.refusals import refusal
from tests.mechanisms.checks import finite_masses


def test_all_above_threshold_is_above_threshold_with_as_many_positives_as_answers():
    answers = (F(1), F(-1), F(1, 2))
    found = finite_masses("all_above_threshold(0, 2, 3)", answers)
    limited = finite_masses("above_threshold(0, 3, 2, 3)", answers)
    assert len(found) == 8
    assert all(max(p.lower, limited[y].lower) <= min(p.upper, limited[y].upper) for y, p in found.items())
    assert found.keys() == limited.keys()


def test_all_above_threshold_has_no_map_and_no_sampler():
    assert refusal(lambda: sampler_obligations("all_above_threshold")) == "all_above_threshold has no sampler"
    assert "has no privacy map" in refusal(lambda: privacy("all_above_threshold"))
