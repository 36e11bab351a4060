"""A regularised minimiser is stable by all of its lemmas, and only where the loss is convex and as flat as said."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

import refdp.transformations  # noqa: F401  (it registers them)
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.proofs.lemmas import minimiser_is_stable
from refdp.spec import obligations, registry
from refdp.spec.minimisers import Minimiser
from refdp.terms.reading import read
from refdp.terms.term import TermError
from refdp.transformations.clipped_vector_mean import CLIPPED_VECTOR_MEAN, MEAN_OF_SIZED
from refdp.transformations.clipping_idioms import LAYERED_CLIPPED_SUM, NEAREST_CLIPPED_SUM
from refdp.transformations.regularised_minimisers import (
    HUBER_MINIMISER,
    LINEAR_LOSS_AVERAGE_MINIMISER,
    LOGISTIC_MINIMISER,
)
from refdp.transformations.second_moments import SECOND_MOMENTS
from tests.exactness.entering import entered, written
from tests.exactness.laws import chances, share
from tests.exactness.variants import verdict, verdicts

STEMS = [s for s in registry.stems() if isinstance(registry.kind_of(s), Minimiser)]
MISSING = "the premises must be the lemmas"
FAR = {"add_remove": "(d_in * (1 * norm) + 2 * tolerance) / regularisation"}
FAR["change_one"] = "(d_in * (2 * (1 * norm)) + 2 * tolerance) / regularisation"


@pytest.mark.parametrize("neighbours", FAR)
@pytest.mark.parametrize("stem", STEMS)
def test_minimisers_lead_from_tables_of_vectors_to_vectors(stem, neighbours):
    found = minimiser_is_stable(stem, neighbours)
    claim = found.claim
    assert found.trusts == frozenset()
    assert claim.metric == {"add_remove": "symmetric", "change_one": "change_one"}[neighbours]
    assert claim.output_metric == "l2"
    assert claim.d_out == (read(FAR[neighbours]),)
    assert minimiser_is_stable(stem, neighbours, "l1").claim.d_out == (read(f"sqrt(dimension) * ({FAR[neighbours]})"),)
    for condition in ("0 < regularisation", "0 < tolerance", "1 <= dimension", "0 <= d_in"):
        assert read(condition) in claim.given


@pytest.mark.parametrize("stem", STEMS)
def test_minimisers_with_a_lemma_missing_or_one_too_many_are_refused(stem):
    found, said = minimiser_is_stable(stem, "add_remove").premises, {"stem": stem, "neighbours": "add_remove"}
    assert len(found) == 5
    for i in range(len(found)):
        with pytest.raises(KernelError, match=MISSING):
            rules.regularised_minimiser(*found[:i], *found[i + 1 :], **said)
    for wrong in ([*found, found[-1]], found[::-1], []):
        with pytest.raises(KernelError, match=MISSING):
            rules.regularised_minimiser(*wrong, **said)


def test_minimisers_by_the_lemmas_of_another_are_refused():
    found = minimiser_is_stable("linear_loss_minimiser", "add_remove").premises
    with pytest.raises(KernelError, match=MISSING):
        rules.regularised_minimiser(*found, stem="logistic_minimiser", neighbours="add_remove")


@pytest.mark.parametrize("stem", ["count", "clipped_vector_sum", "rounded_to", "gaussian", "nothing", ""])
def test_minimisers_are_of_such_a_kind(stem):
    with pytest.raises((KernelError, TermError)):
        rules.regularised_minimiser(stem=stem, neighbours="add_remove")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"neighbours": "hamming"}, "neighbours must be one of"),
        ({"neighbours": ""}, "neighbours must be one of"),
        ({"neighbours": "add_remove", "norm": "linf"}, "has no map to linf"),
        ({"neighbours": "add_remove", "norm": ""}, "has no map to"),
    ],
)
def test_minimisers_under_another_relation_or_norm_are_refused(words, said):
    found = minimiser_is_stable("logistic_minimiser", "change_one").premises
    with pytest.raises(KernelError, match=said):
        rules.regularised_minimiser(*found, stem="logistic_minimiser", **words)


@pytest.mark.parametrize(
    "condition",
    ["0 < regularisation", "0 < tolerance", "0 < granularity", "0 < norm", "integer(dimension)", "1 <= dimension"],
)
def test_minimisers_without_a_condition_are_refused(condition):
    left = tuple(c for c in LOGISTIC_MINIMISER.conditions if str(c) != condition)
    with pytest.raises(TermError, match="must have the condition"):
        replace(LOGISTIC_MINIMISER, stem="wrong", conditions=left)


@pytest.mark.parametrize(
    "clipped", [SECOND_MOMENTS, CLIPPED_VECTOR_MEAN, MEAN_OF_SIZED, LAYERED_CLIPPED_SUM, NEAREST_CLIPPED_SUM]
)
def test_minimisers_clip_row_by_row_and_towards_zero(clipped):
    with pytest.raises(TermError, match=r"must clip rows one by one|must round clipped rows towards_zero"):
        replace(LOGISTIC_MINIMISER, stem="wrong", clipped=clipped)


@pytest.mark.parametrize("kind", [LOGISTIC_MINIMISER, HUBER_MINIMISER, LINEAR_LOSS_AVERAGE_MINIMISER])
def test_minimiser_is_proved_under_another_stem(kind):
    found = verdicts(replace(kind, stem="same"))
    assert found == dict.fromkeys(found, "proved")


@pytest.mark.parametrize(
    ("body", "obligation"),
    [
        ("-2 / (1 + power)", "slope_is_within_steepness"),  # twice the logistic loss
        ("-1001 / 1000 / (1 + power)", "slope_is_within_steepness"),
        ("-1 / power", "slope_is_within_steepness"),  # the exponential loss, of boosting
        ("margin - 1", "slope_is_within_steepness"),  # the square loss
        ("1 / (1 + power)", "slope_does_not_fall"),  # what is maximised
        ("-power / (1 + power) ** 2", "slope_does_not_fall"),  # the sigmoid loss, which is not convex
        ("-margin / (1 + abs(margin))", "slope_does_not_fall"),
    ],
)
def test_losses_that_are_too_steep_or_not_convex_are_not_proved(body, obligation):
    wrong = replace(LOGISTIC_MINIMISER, stem="wrong", slope=written("slope", "margin power", body))
    assert verdict(wrong, obligation) == "disproved"


def test_a_steepness_that_is_too_small_is_not_proved():
    for body in ("999 / 1000", "1 / 2", "0", "-1"):
        wrong = replace(LOGISTIC_MINIMISER, stem="wrong", steepness=written("steepness", "", body))
        assert verdict(wrong, "slope_is_within_steepness") == "disproved"


def test_slopes_are_proved_just_where_they_keep_within_steepness_and_do_not_fall():
    """a max(-1, min(1, b margin + c)): at most |a| steep, and not falling where a b >= 0."""
    proved = 0
    for chance in chances("slopes", 200, slow=2):
        a, b, c = (F(chance.randint(-3, 3)) for _ in range(3))
        steepness = F(chance.randint(0, 3))
        kind = replace(
            LOGISTIC_MINIMISER,
            stem="t",
            slope=written("slope", "margin", f"{a} * max(-1, min(1, {b} * margin + {c}))"),
            steepness=written("steepness", "", str(steepness)),
        )
        steepest = abs(a) if b != 0 else abs(a) * min(F(1), abs(c))
        right = (steepest <= steepness, a * b >= 0)
        found = [verdict(kind, key) for key in ("slope_is_within_steepness", "slope_does_not_fall")]
        assert found == ["proved" if one else "disproved" for one in right]
        proved += all(right)
    assert proved >= share(10, slow=2)


def test_obligations_of_minimisers_are_the_same_under_both_relations():
    needed = obligations.stability("logistic_minimiser")
    assert list(needed)[-2:] == ["slope_is_within_steepness", "slope_does_not_fall"]
    with entered(replace(LOGISTIC_MINIMISER, stem="t")):
        assert list(obligations.obligations("t")) == list(needed)
