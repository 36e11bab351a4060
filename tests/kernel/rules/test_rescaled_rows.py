"""A sum of rescaled rows is stable by all of its lemmas, and only as far as its factor lets it be."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

import refdp.transformations  # noqa: F401  (it registers them)
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.proofs.lemmas import rescaled_sum_is_stable
from refdp.spec import obligations, registry
from refdp.spec.rescaled import RescaledSum
from refdp.spec.semantics import value
from refdp.terms.reading import read
from refdp.terms.term import TermError
from refdp.transformations.clipped_vector_mean import CLIPPED_VECTOR_MEAN, MEAN_BY_COUNT, MEAN_OF_SIZED
from refdp.transformations.clipped_vector_sum import CLIPPED_VECTOR_SUM
from refdp.transformations.clipping_idioms import AUTOMATIC_CLIPPED_SUM, LAYERED_CLIPPED_SUM, NEAREST_CLIPPED_SUM
from tests.exactness.entering import entered, written
from tests.exactness.variants import verdict, verdicts

STEMS = [s for s in registry.stems() if isinstance(registry.kind_of(s), RescaledSum)]
NEIGHBOURS = {"add_remove": "symmetric", "change_one": "change_one"}
EDITS = [(s, n) for s in STEMS for n in NEIGHBOURS if (s, n) != ("clipped_mean_of_sized", "add_remove")]
MISSING = "the premises must be the lemmas"


@pytest.mark.parametrize(("stem", "neighbours"), EDITS)
def test_rescaled_rows_lead_from_tables_of_vectors_to_l2(stem, neighbours):
    claim = rescaled_sum_is_stable(stem, neighbours).claim
    assert (claim.metric, claim.output_metric) == (NEIGHBOURS[neighbours], "l2")
    assert claim.domain.arguments[0] == read("vector(reals(), dimension)")
    assert rescaled_sum_is_stable(stem, neighbours).trusts == frozenset()


@pytest.mark.parametrize(("stem", "neighbours"), EDITS)
def test_rescaled_rows_with_a_lemma_missing_or_one_too_many_are_refused(stem, neighbours):
    found, said = rescaled_sum_is_stable(stem, neighbours).premises, {"stem": stem, "neighbours": neighbours}
    for i in range(len(found)):
        with pytest.raises(KernelError, match=MISSING):
            rules.rescaled_rows(*found[:i], *found[i + 1 :], **said)
    with pytest.raises(KernelError, match=MISSING):
        rules.rescaled_rows(*found, found[-1], **said)
    with pytest.raises(KernelError, match=MISSING):
        rules.rescaled_rows(*found[::-1], **said)


def test_rescaled_rows_by_the_lemmas_of_another_sum_or_relation_are_refused():
    """The lemmas of the automatic one are no lemmas of the clipped one, nor those of one row added of one replaced."""
    found = rescaled_sum_is_stable("automatic_clipped_sum", "add_remove").premises
    with pytest.raises(KernelError, match=MISSING):
        rules.rescaled_rows(*found, stem="guarded_clipped_sum", neighbours="add_remove")
    added = rescaled_sum_is_stable("clipped_vector_sum", "add_remove").premises
    with pytest.raises(KernelError, match=MISSING):
        rules.rescaled_rows(*added, stem="clipped_vector_sum", neighbours="change_one")


@pytest.mark.parametrize("stem", ["count", "clamped_vector_sum", "rounded_to", "gaussian", "nothing", ""])
def test_rescaled_rows_are_of_such_a_sum(stem):
    with pytest.raises(KernelError):
        rules.rescaled_rows(stem=stem, neighbours="add_remove")


@pytest.mark.parametrize("neighbours", ["", "symmetric", "hamming", "l2"])
def test_rescaled_rows_under_another_relation_are_refused(neighbours):
    found = rescaled_sum_is_stable("clipped_vector_sum", "change_one").premises
    with pytest.raises(KernelError, match="neighbours must be one of"):
        rules.rescaled_rows(*found, stem="clipped_vector_sum", neighbours=neighbours)


def test_rescaled_rows_of_public_number_have_no_neighbours_where_one_is_added():
    found = rescaled_sum_is_stable("clipped_mean_of_sized", "change_one").premises
    with pytest.raises(KernelError, match="the claim would be empty"):
        rules.rescaled_rows(*found[:3], stem="clipped_mean_of_sized", neighbours="add_remove")


def without(kind, *conditions):
    """The kind without some of its conditions."""
    left = tuple(c for c in kind.conditions if str(c) not in conditions)
    return replace(kind, stem="wrong", conditions=left)


@pytest.mark.parametrize(
    ("kind", "condition"),
    [
        (CLIPPED_VECTOR_SUM, "0 < granularity"),
        (CLIPPED_VECTOR_SUM, "integer(dimension)"),
        (CLIPPED_VECTOR_SUM, "1 <= dimension"),
        (LAYERED_CLIPPED_SUM, "integer(layers)"),
        (LAYERED_CLIPPED_SUM, "1 <= layers"),
        (LAYERED_CLIPPED_SUM, "multiple(dimension, layers)"),
        (MEAN_OF_SIZED, "integer(size)"),
        (MEAN_OF_SIZED, "1 <= size"),
    ],
)
def test_rescaled_rows_without_a_condition_on_sizes_are_refused(kind, condition):
    with entered(without(kind, condition)), pytest.raises(TermError, match="must have the condition"):
        obligations.stability("wrong", "change_one")
    with entered(without(kind, condition)), pytest.raises(KernelError, match="must have the condition"):
        rules.rescaled_rows(stem="wrong", neighbours="change_one")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"rounding": "up"}, "must round towards_zero or nearest"),
        ({"stage": "columns"}, "rescale rows or total or average or moments"),
        ({"stage": "moments", "divisor": written("ten", "", "10")}, "neither layers nor a divisor"),
        ({"stage": "moments", "layers": written("two", "", "2")}, "neither layers nor a divisor"),
        ({"stage": "moments", "rounding": "nearest"}, "must round towards_zero"),
        ({"stage": "average", "divisor": written("ten", "", "10")}, "one divisor"),
        ({"stage": "average", "is_sized": True}, "one divisor"),
    ],
)
def test_rescaled_sums_are_of_a_known_shape(words, said):
    with pytest.raises(TermError, match=said):
        replace(CLIPPED_VECTOR_SUM, stem="wrong", **words)


@pytest.mark.parametrize("stem", STEMS)
def test_rescaled_sum_is_proved_under_another_stem(stem):
    found = verdicts(replace(registry.lookup(stem, RescaledSum), stem="same"))
    assert found == dict.fromkeys(found, "proved")


@pytest.mark.parametrize(
    "body",
    [
        "1",  # no clipping
        "norm / max(norm, square)",  # by the square: vectors shorter than 1 stay longer than norm
        "norm / root",  # 0 / 0 at the vector 0
        "norm / (norm + root) * 2",  # twice the automatic factor
        "indicator(square <= norm) + indicator(norm < square) * norm / max(norm, root)",
        "indicator(square <= 2 * norm ** 2) + indicator(2 * norm ** 2 < square) * norm / max(norm, root)",
        "norm * 1001 / 1000 / max(norm, root)",
        "max(1, norm / max(norm, root))",
    ],
)
def test_factor_that_does_not_keep_the_norm_is_not_proved(body):
    wrong = replace(CLIPPED_VECTOR_SUM, stem="wrong", factor=written("factor", "square root norm", body))
    assert verdict(wrong, "factor_keeps_the_square") == "disproved"


@pytest.mark.parametrize("body", ["norm / 2", "norm * 999 / 1000", "norm - 1 / 1000", "1", "norm ** 2"])
def test_reach_that_is_too_short_is_not_proved(body):
    wrong = replace(CLIPPED_VECTOR_SUM, stem="wrong", reach=written("reach", "norm", body))
    assert verdict(wrong, "factor_keeps_the_square") == "disproved"


@pytest.mark.parametrize("body", ["-norm", "norm - 2"])
def test_reach_below_0_is_not_proved(body):
    wrong = replace(CLIPPED_VECTOR_SUM, stem="wrong", reach=written("reach", "norm", body))
    assert verdict(wrong, "lengths_are_not_negative") == "disproved"


@pytest.mark.parametrize("body", ["norm / root", "norm / (root - guard)", "(norm + guard) / (root + guard)", "1"])
def test_automatic_factor_without_its_guard_is_not_proved(body):
    wrong = replace(AUTOMATIC_CLIPPED_SUM, stem="wrong", factor=written("factor", "root norm guard", body))
    assert verdict(wrong, "factor_keeps_the_root") == "disproved"


def test_divisor_that_may_be_0_or_negative_is_not_proved():
    for body in ("lot - 1", "-lot", "0"):
        wrong = replace(CLIPPED_VECTOR_MEAN, stem="wrong", divisor=written("divisor", "lot", body))
        assert verdict(wrong, "lengths_are_not_negative") == "disproved"
    assert verdict(without(CLIPPED_VECTOR_MEAN, "0 < lot"), "lengths_are_not_negative") == "disproved"


def test_factor_or_divisor_of_what_it_may_not_read_is_refused():
    """A factor sees a row through its square and root alone; a divisor no row at all."""
    for words in (
        {"factor": written("factor", "row norm", "norm / max(norm, row)")},
        {"factor": written("factor", "coordinate", "1 / coordinate")},
        {"divisor": written("divisor", "rows", "rows")},
        {"reach": written("reach", "square", "square")},
    ):
        with (
            pytest.raises(TermError, match="must not read"),
            entered(replace(CLIPPED_VECTOR_SUM, stem="wrong", **words)),
        ):
            pass


EXTRA = {"layered_clipped_sum": "2, ", "guarded_clipped_sum": "1, ", "automatic_clipped_sum": "1, "}
EXTRA |= {"clipped_vector_mean": "7, ", "clipped_mean_of_sized": "1, "}


@pytest.mark.parametrize("stem", STEMS)
def test_sum_over_no_rows_is_0_and_rows_of_another_dimension_are_refused(stem):
    subject = read(f"{stem}(5, {EXTRA.get(stem, '')}2, 1)")
    if stem != "clipped_mean_of_sized":
        assert set(value(subject, ())) == {0}
    for row in ((F(1),), (F(1),) * 3, (), F(1)):
        with pytest.raises(TermError, match="reads vectors of 2 coordinates"):
            value(subject, (row,))
    with pytest.raises(TermError, match="reads tables of 1 rows"):
        value(read("clipped_mean_of_sized(5, 1, 2, 1)"), ())


def test_rounding_to_the_nearest_needs_its_own_lemmas():
    """With the lemmas of rounding towards zero it has no bound."""
    zero = rescaled_sum_is_stable("clipped_vector_sum", "add_remove").premises
    assert str(NEAREST_CLIPPED_SUM.length) == "norm + sqrt(dimension) * (granularity / 2)"
    with pytest.raises(KernelError, match=MISSING):
        rules.rescaled_rows(*zero, stem="nearest_clipped_sum", neighbours="add_remove")


def test_average_needs_the_lemma_about_averages():
    assert "average_moves_no_farther" in obligations.stability(MEAN_BY_COUNT.stem, "add_remove")
    found = rescaled_sum_is_stable("clipped_vector_sum", "change_one").premises
    with pytest.raises(KernelError, match=MISSING):
        rules.rescaled_rows(*found, stem="clipped_mean_by_count", neighbours="change_one")
