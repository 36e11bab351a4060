"""scaled_gaussian: no map and no sampler; what is beyond two ends has the probability of its definition."""

from fractions import Fraction as F

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.mechanisms.scaled_gaussian import SCALED_GAUSSIAN
from refdp.numerics.enclosures import enclose
from refdp.spec.bound_laws import probability_beyond
from refdp.spec.obligations import obligations, privacy
from refdp.spec.samplers import sampler_obligations
from refdp.terms.reading import read
from refdp.terms.term import TermError
from tests.exactness.refusals import refusal
from tests.mechanisms.checks import MP, real

PAIRS = "record(field(0, reals()), field(1, above(reals(), 0)))"


def test_scaled_gaussian_has_no_map_and_no_sampler():
    assert refusal(lambda: sampler_obligations("scaled_gaussian")) == "scaled_gaussian has no sampler"
    assert "has no privacy map" in refusal(lambda: privacy("scaled_gaussian"))
    assert obligations("scaled_gaussian") == {}
    for rule in (rules.bound_noise, rules.laplace_bound_noise, rules.student_bound_noise):
        with pytest.raises(KernelError):
            rule(stem="scaled_gaussian")


def test_scaled_gaussian_has_the_loss_of_its_definition():
    """ln of the normal density of deviation s S at y - v over the other."""
    found = enclose(SCALED_GAUSSIAN.log_ratio(read("scaled_gaussian(2)"), F(9), (F(1), F(3)), (F(0), F(2))), {}, 96)
    by_hand = MP.log(real("2/3")) - MP.mpf(64) / 72 + MP.mpf(81) / 32
    assert real(found.lower) <= by_hand <= real(found.upper)


@pytest.mark.parametrize(
    ("pair", "ends"), [((F(1), F(2)), (F(-3), F(4))), ((F(0), F(1)), (F(1), F(1))), ((F(5), F(1, 3)), (F(4), F(40)))]
)
def test_scaled_gaussian_is_beyond_two_ends_as_often_as_the_normal_law(pair, ends):
    found = enclose(probability_beyond(read("scaled_gaussian(3)"), pair, ends), {}, 96)
    width = real(3 * pair[1])
    expected = MP.ncdf((real(ends[0]) - real(pair[0])) / width) + MP.ncdf((real(pair[0]) - real(ends[1])) / width)
    assert real(found.lower) <= expected <= real(found.upper)


def test_scaled_gaussian_is_not_refuted_of_the_published_parameters():
    """alpha = epsilon / (5 sqrt(2 ln(2 / delta))), ln growth = epsilon / (4 (1 + ln(2 / delta))), at 1 and 10^-6."""
    claim = f"private(scaled_gaussian(27), {PAIRS}, smooth(203/200), approximate(1, 1/1000000))"
    for end in range(1, 400):
        with pytest.raises(KernelError, match="does not break"):
            rules.likelier_far_out(
                claim=claim, a="tuple_of(1, 203/200)", b="tuple_of(0, 1)", below=str(-end), above=str(end)
            )


def test_student_noise_has_no_probability_beyond_ends():
    with pytest.raises(TermError, match="must be noise of the family laplace or normal"):
        probability_beyond(read("scaled_student(1, 3)"), (F(0), F(1)), (F(-1), F(1)))
