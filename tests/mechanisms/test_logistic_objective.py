"""logistic_objective: its claims, what is refuted beside them, and refusals; its law by definition: tests/exactness."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

import refdp.transformations  # noqa: F401  (it registers them)
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.mechanisms.logistic_objective import LOGISTIC_OBJECTIVE, ROWS
from refdp.proofs.lemmas import objective_is_private
from refdp.provers.witnesses import refuted_by_density
from refdp.spec import registry
from refdp.spec.densities import log_ratio
from refdp.spec.derivatives import derivative
from refdp.spec.minimisers import Minimiser
from refdp.spec.rescaled import RescaledSum
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from refdp.terms.term import TermError
from tests.exactness.entering import written
from tests.exactness.variants import verdict, verdicts

MISSING = "the premises must be the lemmas"
LOSS = "d_in * (rate * (1 * norm) + ln(1 + 1/4 * norm ** 2 / regularisation))"
CLAIM = (
    "private(logistic_objective(norm, regularisation, rate, dimension, granularity), "
    "table(vector(reals(), dimension)), symmetric(d_in), pure(LOSS), 0 < norm, integer(dimension), 1 <= dimension, "
    "0 < granularity, 0 < regularisation, "
    "0 < rate, 0 <= d_in)"
)
AT = {"norm": "1", "regularisation": "1/10", "rate": "1/10", "dimension": "1", "granularity": "1", "d_in": "1"}


def test_logistic_objective_has_its_loss_by_all_of_its_lemmas():
    found = objective_is_private("logistic_objective", "add_remove")
    assert found.claim.d_out == (read(LOSS),)
    assert found.trusts == frozenset()
    replaced = objective_is_private("logistic_objective", "change_one").claim
    assert replaced.d_out == (read(LOSS.replace("(1 * norm)", "(2 * (1 * norm))")),)
    premises = found.premises
    assert len(premises) == 5
    said = {"stem": "logistic_objective", "neighbours": "add_remove"}
    for i in range(5):
        with pytest.raises(KernelError, match=MISSING):
            rules.perturbed_objective(*premises[:i], *premises[i + 1 :], **said)
    for wrong in ([], premises[::-1], [*premises, premises[0]]):
        with pytest.raises(KernelError, match=MISSING):
            rules.perturbed_objective(*wrong, **said)
    with pytest.raises(KernelError, match="neighbours must be one of"):
        rules.perturbed_objective(*premises, stem="logistic_objective", neighbours="hamming")
    with pytest.raises((KernelError, TermError)):
        rules.perturbed_objective(*premises, stem="laplace", neighbours="add_remove")


def test_logistic_objective_is_not_refuted_where_its_claim_is_nearly_attained():
    """The near misses that are refuted, and what is true beside them at the same points."""
    for loss, a, b, w, values in (
        ("d_in * (rate * (1 * norm))", ((1,),), (), (2,), AT),
        (LOSS.replace("1/4", "1/8"), ((1,),), (), (0,), {**AT, "rate": "1/1000"}),
        (LOSS.replace("(1 * norm)", "(norm / 2)"), (), ((1,),), (-10,), {**AT, "regularisation": "10", "rate": "1"}),
    ):
        refuted_by_density(CLAIM.replace("LOSS", loss), values, a, b, w)
        for pair in ((a, b), (b, a)):
            with pytest.raises(KernelError, match="does not break"):
                refuted_by_density(CLAIM.replace("LOSS", LOSS), values, *pair, w)


@pytest.mark.parametrize(
    ("slope", "obligation"),
    [
        ("-2 / (1 + power)", "slope_is_within_steepness"),
        ("-1 / (1 + power) ** 2", "slope_rises_within_curving"),  # up to 8/27
        ("1 / (1 + power)", "slope_rises_within_curving"),  # falls
        ("-power / (1 + power) ** 2", "slope_rises_within_curving"),  # not convex
        ("margin / 5", "slope_is_within_steepness"),
        ("-1 / (1 + power ** 2)", "slope_rises_within_curving"),  # twice as fast
    ],
)
def test_losses_that_are_too_steep_or_curved_are_not_proved(slope, obligation):
    wrong = replace(LOGISTIC_OBJECTIVE, stem="wrong", slope=written("slope", "margin power", slope))
    assert verdict(wrong, obligation) == "disproved"


@pytest.mark.parametrize("curving", ["249 / 1000", "1 / 8", "0"])
def test_a_curving_that_is_too_small_is_not_proved(curving):
    wrong = replace(LOGISTIC_OBJECTIVE, stem="wrong", curving=written("curving", "", curving))
    assert verdict(wrong, "slope_rises_within_curving") == "disproved"


def test_logistic_objective_has_the_rows_and_the_loss_of_the_minimiser():
    """A mechanism imports no transformation: what both say is said twice, and is the same."""
    clipped = registry.lookup("clipped_vector_sum", RescaledSum)
    minimiser = registry.lookup("logistic_minimiser", Minimiser)
    for own, other in ((ROWS.factor, clipped.factor), (ROWS.reach, clipped.reach)):
        assert own.term == other.term
    for own, other in (
        (LOGISTIC_OBJECTIVE.slope, minimiser.slope),
        (LOGISTIC_OBJECTIVE.steepness, minimiser.steepness),
    ):
        assert own.term == other.term
    assert LOGISTIC_OBJECTIVE.curving.term == minimiser.rise.term
    assert ROWS.conditions == clipped.conditions


def test_logistic_objective_is_proved_under_another_stem():
    found = verdicts(replace(LOGISTIC_OBJECTIVE, stem="same"))
    assert found == dict.fromkeys(found, "proved")


@pytest.mark.parametrize(
    "slope",
    ["-min(1, max(0, 1 - margin))", "abs(margin)", "exp(margin)", "-1 / (1 + exp(margin))", "ln(power)"],
)
def test_losses_that_are_not_smooth_by_their_shape_are_refused(slope):
    with pytest.raises(TermError, match="has no derivative"):
        replace(LOGISTIC_OBJECTIVE, stem="wrong", slope=written("slope", "margin power", slope))


@pytest.mark.parametrize("condition", ["0 < regularisation", "0 < rate", "0 < granularity", "integer(dimension)"])
def test_objectives_without_a_condition_are_refused(condition):
    left = tuple(c for c in LOGISTIC_OBJECTIVE.conditions if str(c) != condition)
    with pytest.raises(TermError, match="must have the condition"):
        replace(LOGISTIC_OBJECTIVE, stem="wrong", conditions=left)


@pytest.mark.parametrize(
    "words", [{"stage": "total"}, {"stage": "moments"}, {"rounding": "nearest"}, {"layers": written("two", "", "2")}]
)
def test_objectives_clip_row_by_row_and_towards_zero(words):
    with pytest.raises(TermError, match=r"must clip rows one by one|must round clipped rows towards_zero"):
        replace(LOGISTIC_OBJECTIVE, stem="wrong", clipped=replace(ROWS, **words))


@pytest.mark.parametrize(
    ("subject", "output", "a"),
    [
        ("logistic_objective(1, 1, 1, 2, 1)", (F(0), F(0)), ((F(1), F(0)),)),  # two dimensions
        ("logistic_objective(1, 1, 1, 1, 1)", F(0), ((F(1),),)),
        ("logistic_objective(1, 1, 1, 1, 1)", (F(0),), (F(1),)),
        ("logistic_objective(1, 1, 1, 1, 1)", (F(0),), ((F(1), F(1)),)),
        ("logistic_objective(1, 0, 1, 1, 1)", (F(0),), ((F(1),),)),
        ("logistic_objective(1, 1, 0, 1, 1)", (F(0),), ((F(1),),)),
    ],
)
def test_densities_that_are_not_known_are_refused(subject, output, a):
    with pytest.raises(TermError):
        log_ratio(read(subject), output, a, ())


def test_derivatives_are_those_of_the_rules_of_calculus():
    for text, at, expected in (
        ("-1 / (1 + power)", {"power": F(3)}, F(3, 16)),
        ("(margin ** 3 - power * margin) / 2", {"margin": F(2), "power": F(5)}, (12 - 15) / F(2)),
        ("-(a * margin) + a", {"margin": F(2), "a": F(7)}, F(-7)),
        ("3", {}, F(0)),
        ("margin / (power + a)", {"margin": F(2), "power": F(1), "a": F(1)}, F(0)),
    ):
        assert evaluate(derivative(read(text)), at) == expected
