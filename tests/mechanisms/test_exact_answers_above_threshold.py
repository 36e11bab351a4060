"""exact_answers_above_threshold: no noise on the answers: it tells which is greater; what is claimed of it is false."""

from fractions import Fraction as F

from refdp.spec.obligations import privacy
from refdp.spec.samplers import sampler_obligations
from tests.exactness.refusals import refusal
from tests.mechanisms.checks import MP, encloses, finite_masses, real


def test_exact_answers_above_threshold_tell_which_is_greater():
    """The noisy threshold lies in (1, 2], at most at 1, or beyond 2."""
    found = finite_masses("exact_answers_above_threshold(0, 1, 2)", (F(1), F(2)))
    tails = [MP.exp(-real(x) / 2) / 2 for x in (1, 2)]
    expected = {(F(0),): 1 - tails[0], (F(1),): tails[0] - tails[1], (): tails[1]}
    assert all(encloses(found[y], p) for y, p in expected.items())
    swapped = finite_masses("exact_answers_above_threshold(0, 1, 2)", (F(2), F(1)))
    assert swapped[F(1),].upper == 0


def test_exact_answers_above_threshold_has_no_map_and_no_sampler():
    assert (
        refusal(lambda: sampler_obligations("exact_answers_above_threshold"))
        == "exact_answers_above_threshold has no sampler"
    )
    assert "has no privacy map" in refusal(lambda: privacy("exact_answers_above_threshold"))
