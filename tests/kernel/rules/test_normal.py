"""Normal noise: its exact delta and the classical theorem come from just their premises, and from no near miss."""

from dataclasses import replace

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.mechanisms import GAUSSIAN
from refdp.spec import classical, obligations
from refdp.terms.reading import read
from refdp.terms.term import TermError
from tests.exactness.entering import written
from tests.kinds import believed, instead, lemmas, noise

CALIBRATED = "private(gaussian({sigma}), reals(), absolute({d_in}), {measure}({d_out}))"


def needed(stem="gaussian"):
    return lemmas(stem, obligations.exact_delta(stem))


def exact(vector="no"):
    return rules.normal_noise(*needed(), stem="gaussian", vector=vector)


def inequalities(region):
    return [believed(f"{classical.STEM}.{key}") for key in classical.inequalities(region)]


def theorem(region, vector="no", first=None, more=None):
    first = exact(vector) if first is None else first
    more = inequalities(region) if more is None else more
    return rules.classical_noise(first, *more, stem="gaussian", region=region, vector=vector)


def exceeds(sigma="2", d_in="1", measure="approximate", d_out="1, 1/1000", claim=None):
    claim = claim or CALIBRATED.format(sigma=sigma, d_in=d_in, measure=measure, d_out=d_out)
    return rules.normal_noise_exceeds(*needed(), claim=claim)


def test_normal_noise_has_its_exact_delta():
    claim = exact().claim
    assert claim.d_out[1] == read(
        "normal_tail(epsilon * sigma / d_in - d_in / (2 * sigma)) - exp(epsilon) *"
        " normal_tail(epsilon * sigma / d_in + d_in / (2 * sigma))"
    )
    assert [str(c) for c in claim.given] == ["0 < sigma", "0 < d_in", "0 <= epsilon"]
    assert (claim.metric, claim.measure) == ("absolute", "approximate")
    vector = exact("yes").claim
    assert (str(vector.domain), vector.metric, vector.d_out) == ("vector(reals(), dimension)", "l2", claim.d_out)
    assert [str(c) for c in vector.given[3:]] == ["integer(dimension)", "1 <= dimension"]


def test_normal_noise_takes_just_its_lemmas():
    lacking = needed()[1:]
    for premises in ([], lacking, [*needed(), *needed()], needed()[::-1]):
        with pytest.raises(KernelError, match="the premises must be the lemmas"):
            rules.normal_noise(*premises, stem="gaussian")


@pytest.mark.parametrize("stem", ["laplace", "discrete_gaussian", "discrete_laplace"])
def test_normal_noise_is_on_the_reals_and_has_a_deviation(stem):
    with pytest.raises(KernelError, match="is not normal noise on the reals"):
        rules.normal_noise(stem=stem)


def test_noise_on_a_grid_has_no_normal_delta_even_with_a_deviation():
    from refdp.mechanisms.discrete_gaussian import DISCRETE_GAUSSIAN

    with (
        instead(replace(DISCRETE_GAUSSIAN, deviation=written("deviation", "sigma", "sigma"))),
        pytest.raises(TermError, match="is not normal noise on the reals"),
    ):
        obligations.exact_delta("discrete_gaussian")


@pytest.mark.parametrize("region", classical.REGIONS)
def test_classical_noise_holds_on_its_region_and_says_so(region):
    claim, r = theorem(region).claim, classical.region(region)
    assert str(claim.subject) == f"gaussian(d_in * sqrt(2 * ln({r.constant} / delta)) / epsilon)"
    given = ["0 < d_in", "0 < epsilon", f"epsilon <= {r.largest_epsilon}", "0 < delta", f"delta <= {r.largest_delta}"]
    assert [str(c) for c in claim.given] == given
    assert [str(t) for t in claim.d_out] == ["epsilon", "delta"]
    many = theorem(region, "yes").claim
    assert (many.metric, str(many.domain)) == ("l2", "vector(reals(), dimension)")
    assert [str(c) for c in many.given] == [*given, "integer(dimension)", "1 <= dimension"]


def test_classical_noise_takes_the_exact_delta_and_the_inequalities_of_its_region():
    with pytest.raises(KernelError, match="the first premise must be the exact delta of gaussian"):
        theorem("half", first=noise("gaussian", "concentrated"))
    with pytest.raises(KernelError, match="the first premise must be the exact delta of gaussian"):
        theorem("half", first=rules.instantiate(exact(), values={"epsilon": "1"}))
    with pytest.raises(KernelError, match="the first premise must be the exact delta of gaussian"):
        theorem("half", vector="yes", first=exact())
    for other in (inequalities("small_delta"), inequalities("half")[:2], []):
        with pytest.raises(KernelError, match="the premises must be the lemmas"):
            theorem("half", more=other)
    with pytest.raises(KernelError, match="region must be one of elementary, half"):
        theorem("whole", more=[])
    with pytest.raises(KernelError, match="expected yes or no"):
        rules.classical_noise(exact(), *inequalities("half"), stem="gaussian", region="half", vector="maybe")


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"deviation": written("deviation", "sigma", "2 * sigma")}, "must be its parameter"),
        ({"conditions": (read("1 < sigma"),), "example": {"sigma": read("2")}}, "for every deviation > 0"),
        ({"conditions": (read("0 < sigma"), read("sigma < 9"))}, "for every deviation > 0"),
    ],
)
def test_classical_noise_is_about_any_deviation(changes, why):
    with instead(replace(GAUSSIAN, **changes)), pytest.raises(KernelError, match=why):
        theorem("half")


def test_every_region_has_a_positive_c():
    assert all(0 < r.largest_delta < r.constant for r in classical.REGIONS.values())


def test_an_exact_delta_that_is_larger_refutes():
    assert str(exceeds().claim.claim.d_out[1]) == "1/1000"
    assert exceeds(measure="pure", d_out="10").claim.claim.measure == "pure"
    assert exceeds(sigma="sqrt(2 * ln(5/2)) / 5", d_out="5, 1/2")
    assert exceeds(sigma="2 * ln(3)", d_in="ln(9)", d_out="0, 1/4")


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"d_out": "1, 1/10"}, "is not more than 1/10"),
        ({"claim": "private(gaussian(sigma), reals(), absolute(1), approximate(1, 0))"}, "expected a closed claim"),
        ({"claim": "private(gaussian(1), reals(), absolute(1), approximate(1, 0), 1 <= 2)"}, "expected a closed claim"),
        ({"measure": "concentrated", "d_out": "1/100"}, "under pure or approximate DP"),
        ({"claim": "stable(gaussian(1), reals(), absolute(1), reals(), absolute(0))"}, "under pure or approximate DP"),
        ({"sigma": "-1"}, "breaks 0 < sigma"),
        ({"sigma": "0"}, "breaks 0 < sigma"),
        ({"sigma": "1, 1"}, "is not gaussian"),
        ({"d_in": "0"}, "d_in must be > 0"),
        ({"d_in": "-1"}, "d_in must be > 0"),
        ({"claim": "private(gaussian(1), grid(1), absolute(1), approximate(1, 0))"}, "expected numbers by distance"),
        ({"claim": "private(gaussian(1), reals(), linf(1), approximate(1, 0))"}, "expected numbers by distance"),
    ],
)
def test_an_exact_delta_refutes_closed_claims_about_numbers_only(changes, why):
    with pytest.raises(KernelError, match=why):
        exceeds(**changes)


def test_an_exact_delta_refutes_with_just_its_lemmas():
    claim = CALIBRATED.format(sigma="2", d_in="1", measure="approximate", d_out="1, 1/1000")
    with pytest.raises(KernelError, match="the premises must be the lemmas"):
        rules.normal_noise_exceeds(*needed()[:-1], claim=claim)
    with pytest.raises(KernelError, match="is not normal noise"):
        rules.normal_noise_exceeds(*needed(), claim=claim.replace("gaussian", "laplace"))
