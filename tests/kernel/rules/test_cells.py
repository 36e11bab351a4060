"""A sum in cells is stable by all of its lemmas, and only as far as the cells of a row let it be."""

from dataclasses import replace

import pytest

import refdp.transformations  # noqa: F401  (it registers them)
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.proofs.lemmas import cells_are_stable
from refdp.spec import obligations, registry
from refdp.spec.cells import CellSum
from refdp.spec.semantics import value
from refdp.terms.reading import read
from refdp.terms.term import TermError
from refdp.transformations.class_counts import CLASS_COUNTS
from refdp.transformations.cluster_sums import CLUSTER_SUMS
from tests.exactness.entering import entered, written
from tests.exactness.variants import verdict, verdicts

STEMS = [s for s in registry.stems() if isinstance(registry.kind_of(s), CellSum)]
NEIGHBOURS = {"add_remove": "symmetric", "change_one": "change_one"}
EDITS = [(s, n, norm) for s in STEMS for n in NEIGHBOURS for norm in ("l1", "l2")]
MISSING = "the premises must be the lemmas"


@pytest.mark.parametrize(("stem", "neighbours", "norm"), EDITS)
def test_sums_in_cells_lead_from_tables_of_vectors_to_their_norm(stem, neighbours, norm):
    found = cells_are_stable(stem, neighbours, norm)
    assert (found.claim.metric, found.claim.output_metric) == (NEIGHBOURS[neighbours], norm)
    assert found.claim.domain.arguments[0].operator == "vector"
    assert found.trusts == frozenset()


@pytest.mark.parametrize(("stem", "neighbours", "norm"), EDITS)
def test_sums_in_cells_with_a_lemma_missing_or_one_too_many_are_refused(stem, neighbours, norm):
    found = cells_are_stable(stem, neighbours, norm).premises
    said = {"stem": stem, "neighbours": neighbours, "norm": norm}
    assert len(found) >= 2
    for i in range(len(found)):
        with pytest.raises(KernelError, match=MISSING):
            rules.sums_in_cells(*found[:i], *found[i + 1 :], **said)
    for wrong in ((), (*found, found[-1]), found[::-1]):
        with pytest.raises(KernelError, match=MISSING):
            rules.sums_in_cells(*wrong, **said)


def test_sums_in_cells_by_the_lemmas_of_another_relation_norm_or_sum_are_refused():
    added = cells_are_stable("cluster_sums", "add_remove", "l1").premises
    for stem, neighbours, norm in EDITS:
        if (stem, neighbours, norm) != ("cluster_sums", "add_remove", "l1"):
            with pytest.raises(KernelError, match=MISSING):
                rules.sums_in_cells(*added, stem=stem, neighbours=neighbours, norm=norm)


@pytest.mark.parametrize("stem", ["count", "histogram", "clipped_vector_sum", "rounded_to", "gaussian", "nothing", ""])
def test_sums_in_cells_are_of_such_a_sum(stem):
    with pytest.raises(KernelError):
        rules.sums_in_cells(stem=stem, neighbours="add_remove", norm="l1")


@pytest.mark.parametrize(
    ("neighbours", "norm"), [("add_remove", "linf"), ("add_remove", "absolute"), ("hamming", "l1"), ("", "l2")]
)
def test_sums_in_cells_have_no_other_maps(neighbours, norm):
    with pytest.raises(KernelError, match="no stability map"):
        rules.sums_in_cells(stem="class_counts", neighbours=neighbours, norm=norm)


def without(kind, condition):
    """The kind without one of its conditions."""
    left = tuple(c for c in kind.conditions if str(c) != condition)
    if len(left) == len(kind.conditions):
        raise ValueError(f"{kind.stem} has no condition {condition}")
    return replace(kind, stem="wrong", conditions=left)


@pytest.mark.parametrize(
    ("kind", "condition"),
    [
        (CLUSTER_SUMS, "has_length(centres, clusters)"),
        (CLUSTER_SUMS, "integer(clusters)"),
        (CLUSTER_SUMS, "1 <= clusters"),
        (CLUSTER_SUMS, "integer(dimension)"),
        (CLUSTER_SUMS, "1 <= dimension"),
        (CLUSTER_SUMS, "0 < granularity"),
        (CLUSTER_SUMS, "multiple(1, granularity)"),
        (CLASS_COUNTS, "integer(classes)"),
        (CLASS_COUNTS, "1 <= classes"),
        (CLASS_COUNTS, "integer(values)"),
        (CLASS_COUNTS, "1 <= values"),
        (CLASS_COUNTS, "integer(dimension)"),
        (CLASS_COUNTS, "1 <= dimension"),
    ],
)
def test_sums_in_cells_without_a_condition_on_sizes_are_refused(kind, condition):
    with entered(without(kind, condition)), pytest.raises(TermError, match="must have the condition"):
        obligations.stability("wrong", "add_remove", "l1")
    with entered(without(kind, condition)), pytest.raises(KernelError, match="must have the condition"):
        rules.sums_in_cells(stem="wrong", neighbours="add_remove", norm="l1")


def test_sums_in_cells_whose_cap_is_on_no_grid_are_not_proved():
    wrong = without(CLUSTER_SUMS, "multiple(cap, granularity)")
    assert verdict(wrong, "sum_stays_on_the_grid") != "proved"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"placed": "anywhere"}, "must place rows by"),
        ({"input_rows": read("grid(1)")}, "must read vectors of its dimension"),
        ({"input_rows": read("vector(reals(), dimension)")}, "must read vectors of its dimension on a grid"),
        ({"input_rows": read("vector(grid(1), 3)")}, "must read vectors of its dimension"),
        ({"units": None}, "a contribution and its units"),
    ],
)
def test_sums_in_cells_are_of_a_known_shape(words, said):
    with pytest.raises(TermError, match=said):
        replace(CLUSTER_SUMS, stem="wrong", **words)


def test_sums_in_cells_must_say_by_how_much_two_rows_differ():
    edits = {("change_one", "l1"): replace(CLASS_COUNTS.edits["change_one", "l1"], together=None)}
    with entered(replace(CLASS_COUNTS, stem="wrong", edits=edits)), pytest.raises(KernelError, match="must say"):
        rules.sums_in_cells(stem="wrong", neighbours="change_one", norm="l1")


@pytest.mark.parametrize("stem", STEMS)
def test_sums_in_cells_are_proved_under_another_stem(stem):
    found = verdicts(replace(registry.lookup(stem, CellSum), stem="same"))
    assert found == dict.fromkeys(found, "proved")


CHANGED = {
    "alone": {
        "alone_starts_at_1": "coordinate * cap",
        "alone_grows_by_the_row": "1 + coordinate * cap / 2",
        "alone_ends_at_the_bound": "1 + coordinate * (cap + 1)",
    },
    "together": {
        "together_starts_at_0": "coordinate * (2 * cap) - 1",
        "together_grows_by_two_rows": "coordinate * cap",
        "together_ends_at_the_bound": "coordinate * (2 * cap + 3)",
    },
}


@pytest.mark.parametrize(("part", "key"), [(part, key) for part, keys in CHANGED.items() for key in keys])
def test_each_part_of_a_sum_in_cells_is_needed(part, key):
    """One formula changed to the unsafe side breaks just the obligation that speaks of it."""
    edit = CLUSTER_SUMS.edits["change_one", "l1"]
    changed = replace(edit, **{part: written(part, "coordinate cap", CHANGED[part][key])})
    wrong = replace(CLUSTER_SUMS, stem="wrong", edits={("change_one", "l1"): changed})
    broken = {name.split(".")[0] for name, said in verdicts(wrong).items() if said != "proved"}
    assert broken == {key}


@pytest.mark.parametrize(
    ("norm", "bound"), [("l1", "2 * (1 + dimension * cap) - 1/1000"), ("l2", "2 * (1 + dimension * cap ** 2)")]
)
def test_bound_that_is_too_small_is_not_proved(norm, bound):
    """In L2 it holds for a row that joins another cluster, and not for one that goes to the opposite corner."""
    edit = replace(CLUSTER_SUMS.edits["change_one", norm], bound=written("bound", "dimension cap", bound))
    wrong = replace(CLUSTER_SUMS, stem="wrong", edits={("change_one", norm): edit})
    broken = {name.split(".")[0] for name, said in verdicts(wrong).items() if said == "disproved"}
    assert broken == {"alone_ends_at_the_bound" if norm == "l1" else "together_ends_at_the_bound"}


def test_sums_in_cells_of_nothing_are_0_and_rows_of_another_dimension_are_refused():
    for subject, size in (("class_counts(2, 3, 2)", 8), ("cluster_sums(tuple_of(tuple_of(0)), 1, 2, 1, 1)", 2)):
        assert value(read(subject), ()) == (0,) * size
        with pytest.raises(TermError, match="reads vectors of"):
            value(read(subject), ((1, 1, 1),))


def test_sums_in_cells_count_no_centre_twice():
    """Of equal centres the first one gets the row; a centre's missing numbers are 0, further ones are not read."""
    assert value(read("cluster_sums(tuple_of(tuple_of(1), tuple_of(1)), 2, 2, 1, 1)"), ((1,),)) == (1, 1, 0, 0)
    subject = read("cluster_sums(tuple_of(tuple_of(1, 9), tuple_of(0, 0)), 2, 2, 1, 1)")
    assert value(subject, ((1,),)) == (1, 1, 0, 0)
    with pytest.raises(TermError, match="breaks has_length"):
        value(read("cluster_sums(tuple_of(tuple_of(1)), 2, 2, 1, 1)"), ((1,),))
