"""Every part of an obligation is needed: variants that break just one part of it, each of them false by definition."""

from dataclasses import replace

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.mechanisms.discrete_gaussian import DISCRETE_GAUSSIAN, log_acceptance, log_constant, proposal_scale
from refdp.mechanisms.discrete_laplace import DISCRETE_LAPLACE, geometric_rate
from refdp.mechanisms.exponential import EXPONENTIAL
from refdp.mechanisms.randomised_response import RANDOMISED_RESPONSE, probability_of_truth
from refdp.proofs.lemmas import masses_sum_to_1, sampler_draws_the_law, sum_is_stable
from refdp.provers.lemmas import NotProved, lemmas
from refdp.spec.obligations import privacy
from refdp.spec.samplers import ClampedDraw, Rejection, SignedGeometric, TruthOrOther, UniformRejection
from refdp.terms.reading import read
from refdp.terms.term import TermError
from refdp.transformations.count import COUNT
from tests.exactness.entering import entered, written

LAPLACE = replace(DISCRETE_LAPLACE, stem="wrong")
GAUSSIAN = replace(DISCRETE_GAUSSIAN, stem="wrong")
RESPONSE = replace(RANDOMISED_RESPONSE, stem="wrong")


def noise(kind, log_weight):
    """The noise with another log weight."""
    parameter = kind.parameters[0]
    return replace(kind, log_weight=written("log_weight", f"z {parameter}", log_weight))


def on(kind, *conditions):
    """The kind under these conditions alone."""
    return replace(kind, conditions=tuple(map(read, conditions)))


LAWS = {
    "the grid has no step above 0": on(LAPLACE, "0 < scale"),
    "the scale may be below 0": on(LAPLACE, "0 < granularity", "-1 < scale"),
    "weights that fall more slowly later are not log-concave": noise(GAUSSIAN, "-min(2 * abs(z), abs(z) + 1) / sigma"),
    "weights of one side are not those of the other": noise(GAUSSIAN, "-max(z, -2 * z) / sigma"),
    "weights that do not fall have no sum": noise(GAUSSIAN, "0 * z / sigma"),
}


@pytest.mark.parametrize("why", LAWS)
def test_a_law_that_does_not_exist_is_not_normalised(why):
    with entered(LAWS[why]), pytest.raises(NotProved):
        masses_sum_to_1("wrong")


PRIVACY = {
    "the grid has no step above 0": on(LAPLACE, "0 < scale"),
    "the weights do not fall": replace(
        noise(LAPLACE, "0 * z / scale"), tail_rate=written("rate", "scale", "0 * scale")
    ),
    "the tail is below the weights": replace(LAPLACE, tail_offset=written("offset", "scale", "-1 + 0 * scale")),
    "the ratio may be below 1": on(RESPONSE, "0 < truth", "truth < 1"),
    "masses may be below 0": on(RESPONSE, "1/2 <= truth"),
}


@pytest.mark.parametrize("why", PRIVACY)
def test_a_mechanism_with_one_wrong_part_is_not_private(why):
    with entered(PRIVACY[why]), pytest.raises(NotProved):
        lemmas("wrong", privacy("wrong"))


def rejection(acceptance, constant, proposal="discrete_laplace"):
    """A scheme with these formulas in place of the right ones."""
    names = "z sigma proposal_scale"
    return Rejection(
        proposal,
        log_acceptance if acceptance is None else written("log_acceptance", names, acceptance),
        log_constant if constant is None else written("log_constant", "sigma proposal_scale", constant),
        proposal_scale,
    )


RIGHT = f"{log_acceptance.term} "
SAMPLERS = {
    "its rate is 0": (noise(LAPLACE, "0 * z / scale"), SignedGeometric(written("rate", "scale", "0 * scale"))),
    "its rate is negative": (noise(LAPLACE, "abs(z) / scale"), SignedGeometric(written("rate", "scale", "-1 / scale"))),
    "its signs are not fair": (noise(LAPLACE, "-max(z, -2 * z) / scale"), SignedGeometric(geometric_rate)),
    "it accepts with more than 1": (GAUSSIAN, rejection(f"{RIGHT} + 1", f"{log_constant.term} + 1")),
    "it accepts too much of some": (GAUSSIAN, rejection(f"({RIGHT}) / 2", None)),
    "its constant is another": (GAUSSIAN, rejection(None, f"{log_constant.term} - 1")),
    "it accepts the worst for certain": (
        replace(EXPONENTIAL, stem="wrong", log_weight=written("log_weight", "score scale", "-score / scale")),
        UniformRejection(written("log_acceptance", "score best scale", "(best - score) / scale")),
    ),
    "its truth may be more than 1": (on(RESPONSE, "1/2 <= truth"), TruthOrOther(probability_of_truth)),
    "it tells the truth less often": (RESPONSE, TruthOrOther(written("truth", "truth", "truth * 999 / 1000"))),
}


@pytest.mark.parametrize("why", SAMPLERS)
def test_a_sampler_with_one_wrong_part_draws_no_law(why):
    kind, scheme = SAMPLERS[why]
    with entered(kind, schemes={"wrong": scheme}), pytest.raises(NotProved):
        sampler_draws_the_law("wrong")


def test_a_sum_on_a_grid_without_a_step_is_not_stable():
    """Nothing is a multiple of the step 0: the grid would not be one."""
    nothing = written("nothing", "", "0")
    wrong = replace(COUNT, stem="wrong", contribution=nothing, units=nothing, output_step=nothing)
    with entered(wrong), pytest.raises(NotProved, match="sum_stays_on_the_grid"):
        sum_is_stable("wrong", "add_remove")


MISFITS = {
    "noise without a grid is not drawn": (DISCRETE_GAUSSIAN, rejection(None, None, "laplace")),
    "no noise is drawn by itself": (DISCRETE_GAUSSIAN, rejection(None, None, "discrete_gaussian")),
    "noise is not clamped": (DISCRETE_LAPLACE, ClampedDraw("discrete_laplace")),
    "noise is no selection": (DISCRETE_LAPLACE, UniformRejection(log_acceptance)),
    "a finite law is no noise": (RANDOMISED_RESPONSE, SignedGeometric(geometric_rate)),
    "the constant of a rejection reads no draw": (
        DISCRETE_GAUSSIAN,
        replace(rejection(None, None), log_constant=written("log_constant", "z", "z")),
    ),
}


@pytest.mark.parametrize("why", MISFITS)
def test_a_scheme_that_does_not_fit_its_mechanism_is_refused(why):
    kind, scheme = MISFITS[why]
    with entered(replace(kind, stem="wrong"), schemes={"wrong": scheme}):
        with pytest.raises((KernelError, TermError)):
            sampler_draws_the_law("wrong")
        with pytest.raises(KernelError):
            rules.sampler_law(stem="wrong")


def test_the_right_ones_are_proved_under_another_stem():
    """So that what the variants above are refused for is what they change."""
    for kind, scheme in [
        (LAPLACE, SignedGeometric(geometric_rate)),
        (GAUSSIAN, rejection(None, None)),
        (RESPONSE, TruthOrOther(probability_of_truth)),
    ]:
        with entered(kind, schemes={"wrong": scheme}):
            assert sampler_draws_the_law("wrong").claim.kind == "sampler_law"
            assert masses_sum_to_1("wrong").claim.kind == "normalised"
            assert lemmas("wrong", privacy("wrong", "concentrated" if kind is GAUSSIAN else "pure"))
