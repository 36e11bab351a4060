"""A transformation is stable only by all of its lemmas, under a relation and a norm that it has a bound for."""

from dataclasses import replace

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.stability import ROW_ASSUMPTION, ROW_CODE
from refdp.spec import obligations, registry
from refdp.spec.rows import RowFunction, RowSum
from refdp.transformations.user_rows import MAP_ROWS
from tests.kinds import believed, lemmas, noise, registered, rowwise, summed

SUMS = [(s, *edit) for s in registry.stems() if isinstance(k := registry.kind_of(s), RowSum) for edit in k.edits]
FUNCTIONS = [s for s in registry.stems() if isinstance(registry.kind_of(s), RowFunction)]
METRIC = {"add_remove": "symmetric", "change_one": "change_one"}


@pytest.mark.parametrize(("stem", "neighbours", "norm"), SUMS)
def test_sum_of_rows_is_stable_under_the_relations_it_has_a_bound_for(stem, neighbours, norm):
    claim = summed(stem, neighbours, norm).claim
    assert (claim.metric, claim.output_metric) == (METRIC[neighbours], norm)
    assert claim.domain.operator == ("sized_table" if registry.lookup(stem, RowSum).is_sized else "table")


@pytest.mark.parametrize(("stem", "neighbours", "norm"), SUMS)
def test_sum_of_rows_with_a_lemma_missing_or_one_too_many_is_refused(stem, neighbours, norm):
    found = summed(stem, neighbours, norm).premises
    said = {"stem": stem, "neighbours": neighbours, "norm": norm}
    for i in range(len(found)):
        with pytest.raises(KernelError, match="the premises must be the lemmas"):
            rules.sum_of_rows(*found[:i], *found[i + 1 :], **said)
    with pytest.raises(KernelError, match="the premises must be the lemmas"):
        rules.sum_of_rows(*found, found[-1], **said)


def test_sum_of_rows_by_the_lemmas_of_another_relation_or_norm_is_refused():
    """A replaced row moves a histogram by 2 in L1; the lemmas say 1 of an added or removed one."""
    added = summed("histogram", "add_remove", "l1").premises
    with pytest.raises(KernelError, match="the premises must be the lemmas"):
        rules.sum_of_rows(*added, stem="histogram", neighbours="change_one", norm="l1")
    with pytest.raises(KernelError, match="the premises must be the lemmas"):
        rules.sum_of_rows(*added, stem="histogram", neighbours="add_remove", norm="l2")


@pytest.mark.parametrize(
    ("stem", "neighbours", "norm"),
    [
        ("mean", "add_remove", "absolute"),
        ("attribute_means", "add_remove", "l1"),
        ("unclamped_sum", "add_remove", "absolute"),
        ("histogram", "add_remove", "absolute"),
        ("count", "add_remove", "l1"),
        ("count", "hamming", "absolute"),
        ("count", "symmetric", "absolute"),
        ("count", "", ""),
    ],
)
def test_sum_of_rows_without_a_bound_is_refused(stem, neighbours, norm):
    with pytest.raises(KernelError, match="has no stability map"):
        rules.sum_of_rows(stem=stem, neighbours=neighbours, norm=norm)


@pytest.mark.parametrize("stem", ["clamp", "discrete_laplace", "composition"])
def test_sum_of_rows_of_what_is_none_is_refused(stem):
    with pytest.raises(KernelError):
        rules.sum_of_rows(stem=stem, neighbours="add_remove", norm="absolute")


@pytest.mark.parametrize("stem", FUNCTIONS)
def test_row_by_row_keeps_the_distance_and_names_whose_code_is_trusted(stem):
    kind = registry.lookup(stem, RowFunction)
    for neighbours in METRIC:
        theorem = rowwise(stem, neighbours)
        trusts = {"a test"} if kind.formula else {ROW_ASSUMPTION} if kind.is_user_code else {ROW_CODE}
        assert theorem.trusts == trusts
        kept = kind.keeps_rows or neighbours == "add_remove"
        assert str(theorem.claim.d_out[0]) == ("d_in" if kept else "2 * d_in")
        assert theorem.claim.output_metric == (METRIC[neighbours] if kept else "symmetric")


@pytest.mark.parametrize("stem", FUNCTIONS)
def test_row_by_row_on_tables_of_a_public_size_loses_the_size_where_rows_are_dropped(stem):
    claim = rowwise(stem, "change_one", "yes").claim
    keeps = registry.lookup(stem, RowFunction).keeps_rows
    assert (claim.domain.operator, claim.output_domain.operator) == (
        "sized_table", "sized_table" if keeps else "table",
    )  # fmt: skip


@pytest.mark.parametrize("stem", FUNCTIONS)
def test_row_by_row_of_sized_tables_under_add_remove_is_refused(stem):
    """Such tables have no neighbours: every claim would hold."""
    with pytest.raises(KernelError, match="the claim would be empty"):
        rowwise(stem, "add_remove", "yes")


@pytest.mark.parametrize("neighbours", ["hamming", "symmetric", "any", ""])
def test_row_by_row_under_an_unknown_relation_is_refused(neighbours):
    with pytest.raises(KernelError, match="neighbours must be one of"):
        rowwise("column", neighbours)


@pytest.mark.parametrize("sized", ["maybe", "", "true"])
def test_row_by_row_of_tables_neither_sized_nor_not_is_refused(sized):
    with pytest.raises(KernelError, match="expected yes or no"):
        rowwise("column", "change_one", sized)


def test_row_by_row_without_its_lemmas_is_refused():
    with pytest.raises(KernelError, match="must be the lemmas rows_stay_on_the_grid, rows_stay_inside of clamp"):
        rules.row_by_row(stem="clamp", neighbours="add_remove")
    with pytest.raises(KernelError, match="must be the lemmas none of column"):
        rules.row_by_row(believed("composition.weaken"), stem="column", neighbours="add_remove")


@pytest.mark.parametrize("stem", ["count", "discrete_laplace", "clamp_output", "nothing"])
def test_row_by_row_of_what_is_none_is_refused(stem):
    with pytest.raises(KernelError):
        rules.row_by_row(stem=stem, neighbours="add_remove")


def test_row_by_row_of_a_users_function_names_the_assumption_under_any_stem():
    with registered(replace(MAP_ROWS, stem="mine")):
        assert rowwise("mine").trusts == {ROW_ASSUMPTION}


def test_row_exceeds_every_bound_refutes_every_finite_sensitivity():
    needed = lemmas("unclamped_sum", obligations.unbounded("unclamped_sum"))
    theorem = rules.row_exceeds_every_bound(*needed, stem="unclamped_sum")
    assert str(theorem.claim.term) == "refuted(finite_sensitivity(unclamped_sum(granularity), 0 < granularity))"


def test_row_exceeds_every_bound_without_a_lemma_is_refused():
    needed = lemmas("unclamped_sum", obligations.unbounded("unclamped_sum"))
    for one in needed:
        with pytest.raises(KernelError, match="the premises must be the lemmas"):
            rules.row_exceeds_every_bound(one, stem="unclamped_sum")
    with pytest.raises(KernelError, match="the premises must be the lemmas"):
        rules.row_exceeds_every_bound(*reversed(needed), stem="unclamped_sum")


@pytest.mark.parametrize("stem", ["count", "clamped_sum", "histogram", "mean"])
def test_row_exceeds_every_bound_of_a_bounded_sum_is_refused(stem):
    with pytest.raises(KernelError, match="has no row that exceeds every bound"):
        rules.row_exceeds_every_bound(stem=stem)


def test_stability_of_a_mechanism_is_refused(monkeypatch):
    """A signature without an output domain is of a mechanism, and cannot become a stable claim."""
    from refdp.spec import signatures

    mechanism = signatures.noise_signature(registry.kind_of("discrete_laplace"), "pure")
    monkeypatch.setattr(signatures, "function_signature", lambda *ignored: mechanism)
    with pytest.raises(KernelError, match="is not a transformation"):
        rowwise("column")
    assert noise().claim.subject == mechanism.subject
