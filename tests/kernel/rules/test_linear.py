"""Rules about linear maps refuse what does not meet their side conditions."""

from fractions import Fraction as F

import pytest

from refdp import strategies
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError, Law
from refdp.kernel.judgements import require_well_formed as well_formed
from refdp.spec.column_norms import _of_orthogonal_columns, greatest_move
from refdp.spec.linear import LARGEST_SIDE, written_matrix
from refdp.spec.semantics import value
from refdp.terms.reading import read
from refdp.terms.term import TermError, apply

ONE = "linear(tuple_of(tuple_of(1, 0), tuple_of(0, 1)))"
BACK = "linear(tuple_of(tuple_of(1, 0), tuple_of(-1, 1)))"
PREFIXES = "linear(tuple_of(tuple_of(1, 0), tuple_of(1, 1)))"


def mapped(subject=PREFIXES, near="one_coordinate", far="l1", **more):
    return rules.linear_map(subject=subject, near=near, far=far, **more).claim


def test_linear_map_says_what_the_matrix_of_prefixes_moves():
    claim = mapped()
    assert str(claim.term) == (
        f"stable({PREFIXES}, vector(grid(granularity), 2), one_coordinate(d_in), vector(grid(granularity), 2), "
        "l1(d_in * 2), 0 < granularity, 0 <= d_in)"
    )
    assert str(mapped(far="l2").d_out[0]) == "d_in * sqrt(2)"
    assert str(mapped(near="apart_2_1", far="l2").d_out[0]) == "d_in * sqrt(5)"
    assert str(mapped(near="linf").d_out[0]) == "d_in * 3"
    assert str(mapped(step="1/2").output_domain) == "vector(grid(granularity * (1/2)), 2)"


@pytest.mark.parametrize(
    "subject",
    ["linear(tuple_of())", "linear(tuple_of(tuple_of()))", "linear(tuple_of(tuple_of(1), tuple_of(1, 1)))",
     "linear(tuple_of(1, 1))", "linear(tuple_of(tuple_of(a)))", "linear(tuple_of(tuple_of(sqrt(2))))",
     "linear(tuple_of(tuple_of('1')))", "linear(list_of(tuple_of(1)))", "linear(tuple_of(list_of(1)))", "linear(x)",
     "linear(1)", "linear()", "linear(tuple_of(tuple_of(1)), 1)", "toeplitz(tuple_of())", "toeplitz(tuple_of(a))",
     "toeplitz(tuple_of(tuple_of(1)))", "toeplitz(1)", "count(records())", "nothing(1)", "linear",
     "chain(linear(tuple_of(tuple_of(1))), linear(tuple_of(tuple_of(1))))"],
)  # fmt: skip
def test_linear_map_of_no_matrix_is_refused(subject):
    for near, far, more in (("one_coordinate", "l1", {}), ("l2", "l2", {"squared": "9"})):
        with pytest.raises(KernelError):
            mapped(subject, near, far, **more)


@pytest.mark.parametrize(
    ("near", "far"),
    [("symmetric", "l1"), ("l2", "l1"), ("l2", "l2"), ("one_coordinate", "linf"), ("one_coordinate", "absolute"),
     ("monotone", "l1"), ("discrete", "l1"), ("window_0", "l1"), ("window_01", "l1"), ("window_-1", "l1"),
     ("window", "l1"), ("apart_2", "l1"), ("apart_0_2", "l1"), ("apart_2_0", "l2"), ("spaced_2", "l2"),
     ("window_2_3", "l1"), ("apart_2_2_2", "l1"), ("window_1_", "l1"), ("window_1\u0663", "l1"),
     ("", "l1"), ("one_coordinate", "")],
)  # fmt: skip
def test_linear_map_between_other_metrics_is_refused(near, far):
    with pytest.raises(KernelError):
        mapped(near=near, far=far)


@pytest.mark.parametrize("step", ["0", "-1", "2", "3/2", "1/0", "a", "sqrt(2)", ""])
def test_linear_map_to_a_grid_that_an_entry_is_not_on_is_refused(step):
    with pytest.raises(KernelError):
        mapped(step=step)


def test_linear_map_from_l2_takes_just_what_bounds_it():
    assert str(mapped(near="l2", far="l2", squared="3").d_out[0]) == "d_in * sqrt(3)"  # (3 + sqrt(5)) / 2 = 2.618...
    for squared in ("2", "26/10", "0", "-3", "a"):
        with pytest.raises(KernelError):
            mapped(near="l2", far="l2", squared=squared)
    for near, far in (("one_coordinate", "l2"), ("l1", "l1"), ("l2", "l1")):
        with pytest.raises(KernelError, match="from l2 to l2 only"):
            mapped(near=near, far=far, squared="9")


def test_linear_map_of_a_zero_matrix_moves_nothing():
    zeros = "linear(tuple_of(tuple_of(0, 0)))"
    assert str(mapped(zeros).d_out[0]) == "d_in * 0"
    assert str(mapped(zeros, "l2", "l2", squared="0").d_out[0]) == "d_in * sqrt(0)"


def test_linear_map_with_wrong_names_is_refused():
    with pytest.raises(KernelError):
        rules.linear_map(read(PREFIXES), subject=PREFIXES, near="l1", far="l1")
    with pytest.raises(KernelError):
        rules.linear_map(subject=PREFIXES, near="l1")


def test_too_many_sets_of_positions_are_refused_unless_columns_so_far_apart_are_orthogonal():
    whole, banded = strategies.square_root(60), strategies.square_root(60, 4)
    with pytest.raises(TermError, match="are not orthogonal"):
        greatest_move(whole, "apart_9_4", "l2")
    with pytest.raises(TermError, match="more than 100000 sets"):
        greatest_move(banded, "apart_9_4", "l1")
    with pytest.raises(TermError, match="are not orthogonal"):
        greatest_move(banded, "apart_9_3", "l2")
    assert greatest_move(banded, "apart_9_4", "l2").bound == 9 * F(381, 256)
    for most, gap in ((4, 4), (3, 5), (9, 2)):  # against all sets, where they can be listed
        small = strategies.square_root(16, min(gap, 3))
        columns = [sum(row[j] ** 2 for row in small) for j in range(16)]
        found = _of_orthogonal_columns(small, f"apart_{most}_{gap}", "l2", "")
        assert found == greatest_move(small, f"apart_{most}_{gap}", "l2")
        assert found.bound <= most * max(columns)


def test_signs_at_many_positions_give_an_upper_bound_that_is_not_said_to_be_attained():
    """Differences of neighbouring entries: at 10 positions all signs are tried, at 12 all are taken to be the worst."""
    for n in (10, 12):
        differences = tuple(tuple(F((i == j) - (i == j + 1)) for j in range(n)) for i in range(n))
        for far, bound in (("l1", 2 * n - 1), ("l2", 4 * n - 3)):
            assert greatest_move(differences, "linf", far).bound == bound  # met by 1, -1, 1, ...
            assert greatest_move(differences, "linf", far).is_attained == (n == 10)


@pytest.mark.parametrize("stem", ["count", "linear", "rounded_to", "nothing", ""])
def test_only_sums_by_levels_are_level_sums(stem):
    with pytest.raises(KernelError, match="is not a registered LevelSums"):
        rules.level_sums(stem=stem, near="l1", far="l1")


@pytest.mark.parametrize(
    ("near", "far"), [("linf", "l1"), ("l2", "l2"), ("window_2", "l1"), ("l1", "linf"), ("symmetric", "l1"), ("", "")]
)
def test_level_sums_between_other_metrics_are_refused(near, far):
    with pytest.raises(KernelError, match="has no map from"):
        rules.level_sums(stem="tree_sums", near=near, far=far)


@pytest.mark.parametrize(
    "values",
    [{"branching": "1", "levels": "3", "leaves": "1"}, {"branching": "2", "levels": "3", "leaves": "8"},
     {"branching": "2", "levels": "5/2", "leaves": "4"}, {"branching": "2", "levels": "0", "leaves": "1/2"},
     {"branching": "2", "levels": "3", "leaves": "3"}, {"branching": "3", "levels": "3", "leaves": "4"},
     {"branching": "5/2", "levels": "2", "leaves": "5/2"}, {"branching": "-2", "levels": "3", "leaves": "4"},
     {"branching": "2", "levels": "3", "leaves": "4", "granularity": "0"}],
)  # fmt: skip
def test_a_tree_that_is_not_perfect_is_refused(values):
    with pytest.raises(KernelError):
        rules.instantiate(rules.level_sums(stem="tree_sums", near="l1", far="l1"), values=values)


@pytest.mark.parametrize(
    "subject",
    ["tree_sums(2, 3, 8)", "tree_sums(1, 3, 1)", "tree_sums(2, 5/2, 4)", "tree_sums(2, 0, 1)", "wavelet_sums(3, 3)",
     "two_level_sums(0, 4)", "two_level_sums(1/2, 8)", "prefix_sums(0)", "prefix_sums(3)", "tree_sums(2, 10**12, 4)"],
)  # fmt: skip
def test_sums_of_vectors_of_another_length_have_no_value(subject):
    with pytest.raises(TermError):
        value(read(subject), (F(1),) * 4)


def test_squared_error_of_sides_that_do_not_meet_is_refused():
    one, two = (f"linear({written_matrix(rows)})" for rows in ([[1]], [[1, 0], [0, 1]]))
    for c, b, w in ((one, two, two), (two, one, two), (two, two, one)):
        with pytest.raises(KernelError):
            rules.squared_error(strategy=c, decoder=b, workload=w)
    biased = (f"squared_error({one}, {one}, linear(tuple_of(tuple_of(2))), {k})" for k in ("ln(0)", "sqrt(-1)", "a"))
    for claim in (f"squared_error({one}, {two}, {two}, 1)", f"squared_error({one}, {one}, {one})", "count(records())",
                  f"squared_error({one}, {one}, {one}, a)", f"squared_error({one}, {one}, {one}, sqrt(2))",
                  *biased, f"squared_error(count(records()), {one}, {one}, 2)"):  # fmt: skip
        with pytest.raises(KernelError):
            rules.another_squared_error(claim=claim)
    tall, wide = (f"linear({written_matrix(rows)})" for rows in ([[1, 0], [0, 1], [1, 1]], [[1, 0]]))
    for decoder, workload in ((two, wide), (tall, two), (two, one), (two, tall)):
        with pytest.raises(KernelError, match="must have the shape"):
            rules.another_squared_error(claim=f"squared_error({two}, {decoder}, {workload}, 1)")
    assert str(rules.squared_error(strategy=two, decoder=two, workload=two).claim.term).endswith(", 2)")


def test_matrices_have_a_greatest_side():
    with pytest.raises(TermError, match="at most"):
        written_matrix([[1] * (LARGEST_SIDE + 1)])
    with pytest.raises(KernelError):
        mapped(str(apply("toeplitz", apply("tuple_of", *[read("1")] * (LARGEST_SIDE + 1)))))


def test_another_squared_error_refutes_what_is_false_and_nothing_else():
    found = rules.another_squared_error(claim=f"squared_error({PREFIXES}, {BACK}, {PREFIXES}, 1)")
    assert str(found.claim.term).startswith("refuted(squared_error(")
    with pytest.raises(KernelError, match="true"):
        rules.another_squared_error(claim=f"squared_error({PREFIXES}, {ONE}, {PREFIXES}, 2)")
    assert rules.another_squared_error(claim=f"squared_error({PREFIXES}, {ONE}, {PREFIXES}, 3)")


@pytest.mark.parametrize("said", [(), (read(ONE),), (read(ONE), read(ONE)), (read(ONE),) * 2 + (read("2"),) * 2])
def test_squared_error_is_of_a_decoder_a_workload_and_a_number(said):
    with pytest.raises(TermError, match="says 3 things of its subject"):
        well_formed(Law("squared_error", read(ONE), (), said))
