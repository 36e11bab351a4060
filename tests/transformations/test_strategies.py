"""Named strategies have the sensitivities and errors of hand computation, and decoders make their workloads."""

from fractions import Fraction as F
from math import comb

import numpy as np
import pytest

import refdp
from refdp import strategies
from refdp.pipeline import PipelineError
from refdp.spec.linear import product_of
from tests.exactness.laws import chances

LENGTHS = (1, 2, 3, 4, 5, 7, 8, 13, 16)


@pytest.mark.parametrize("n", LENGTHS)
def test_every_decoder_makes_the_prefix_sums(n):
    nodes, wanted = strategies.tree(n), strategies.prefixes(n)
    assert product_of(strategies.tree_decoder(n), nodes) == wanted
    assert product_of(strategies.honaker_decoder(n), nodes) == wanted
    best = strategies.least_squares(nodes, wanted)
    assert product_of(best, nodes) == wanted
    root = strategies.square_root(n)
    assert product_of(root, root) == wanted
    errors = [strategies.squared_error(b) for b in (best, strategies.honaker_decoder(n), strategies.tree_decoder(n))]
    assert errors == sorted(errors)
    assert errors[2] == sum(t.bit_count() for t in range(1, n + 1))


def test_honaker_weighs_a_node_of_height_i_by_its_variance():
    """The last prefix of 2^i entries has the variance 2^i / (2^(i + 1) - 1)."""
    for height in range(5):
        last = strategies.honaker_decoder(2**height)[-1]
        assert sum(w * w for w in last) == F(2**height, 2 ** (height + 1) - 1)


@pytest.mark.parametrize("n", LENGTHS)
def test_a_tree_has_as_many_levels_above_an_entry_as_are_complete(n):
    for branching in (2, 3, 5):
        levels = next(i for i in range(1, 9) if branching**i > n)
        nodes = strategies.tree(n, branching)
        columns = [sum(column) for column in zip(*nodes, strict=True)]
        assert columns[0] == levels == max(columns)
        assert columns == [sum((t // branching**i + 1) * branching**i <= n for i in range(levels)) for t in range(n)]
        assert strategies.sensitivity(nodes).bound == strategies.sensitivity(nodes, norm="l2").bound == levels


@pytest.mark.parametrize(
    ("n", "sets"),
    [
        (4, {(1, 1): 3, (2, 1): 10, (2, 2): 8}),
        (7, {(2, 1): 10, (2, 2): 8, (2, 4): 5, (4, 2): 11}),
        (8, {(1, 3): 4, (2, 1): 14, (2, 2): 12, (2, 4): 10, (4, 2): 32}),
    ],
)
def test_participations_in_a_tree_have_the_greatest_squared_count_of_nodes(n, sets):
    """Against counts of entries in each node, over all patterns: no column, no Gram matrix."""
    nodes = strategies.tree(n)
    for (most, gap), squared in sets.items():
        for relation in ("apart", "spaced"):
            found = strategies.sensitivity(nodes, f"{relation}_{most}_{gap}", "l2")
            assert found.is_attained
            assert found.bound == squared


def test_banded_square_root_has_a_squared_sensitivity_for_each_participation():
    """The figures of a table computed elsewhere: bands of 1, 2, 4 and 8 of 16, once, four times and twice."""
    for bands, figures in {2: (F(5, 4), 5, F(5, 2)), 4: (F(381, 256), F(381, 64), F(381, 128))}.items():
        c = strategies.square_root(16, bands)
        relations = ("one_coordinate", "spaced_4_4", "spaced_2_8")
        assert tuple(strategies.sensitivity(c, r, "l2").bound for r in relations) == figures
    assert strategies.sensitivity(strategies.square_root(8), norm="l2").bound == F(7207405, 4194304)
    assert float(strategies.sensitivity(strategies.square_root(16), "apart_2_8", "l2").bound) == pytest.approx(
        4.7701, abs=1e-4
    )


def test_square_root_has_the_l1_norm_of_the_closed_form():
    for n in LENGTHS:
        expected = F((2 * n - 1) * comb(2 * n - 2, n - 1), 4 ** (n - 1))
        assert strategies.sensitivity(strategies.square_root(n)).bound == expected


@pytest.mark.parametrize("n", [1, 2, 4, 8, 16])
def test_wavelet_has_one_norm_for_all_columns(n):
    rows = strategies.wavelet(n)
    assert len(rows) == n
    for column in zip(*rows, strict=True):
        assert sum(map(abs, column)) == sum(c * c for c in column) == n.bit_length()


@pytest.mark.parametrize(
    ("strategy", "workload", "pure", "concentrated"),
    [
        ("identity", "prefixes", 10, 10),
        ("prefixes", "identity", 112, 28),
        ("tree", "prefixes", F(162, 7), F(54, 7)),
        ("wavelet", "ranges", 54, 18),
        ("ranges", "prefixes", F(288, 5), F(48, 5)),
        ("tree", "identity", F(156, 7), F(52, 7)),
    ],
)
def test_total_error_of_four_cells_is_that_of_the_textbook_table(strategy, workload, pure, concentrated):
    c, w = (getattr(strategies, name)(4) for name in (strategy, workload))
    assert strategies.total_error(c, w, norm="l1") == pure
    assert strategies.total_error(c, w) == concentrated


def test_least_squares_is_never_worse_than_another_decoder():
    """A random decoder that differs from it by what the strategy does not see."""
    for chance in chances("least squares", 300):
        n, m = chance.randint(1, 3), chance.randint(3, 4)
        c = tuple(tuple(F(chance.randint(-2, 2)) for _ in range(n)) for _ in range(m))
        w = tuple(tuple(F(chance.randint(-2, 2)) for _ in range(n)) for _ in range(2))
        try:
            best = strategies.least_squares(c, w)
        except PipelineError as error:
            assert "independent columns" in str(error)  # noqa: PT017
            continue
        assert product_of(best, c) == w
        projected = product_of(c, strategies.least_squares(c, strategies.identity(n)))
        other = tuple(tuple(F(chance.randint(-2, 2)) for _ in range(m)) for _ in range(2))
        unseen = product_of(other, projected)
        changed = tuple(
            tuple(b + o - u for b, o, u in zip(*rows, strict=True)) for rows in zip(best, other, unseen, strict=True)
        )
        assert product_of(changed, c) == w
        assert strategies.squared_error(changed) >= strategies.squared_error(best)


@pytest.mark.parametrize("matrix", [strategies.prefixes(4), strategies.tree(5), strategies.wavelet(4)])
def test_from_l2_to_l2_the_bound_is_the_greatest_singular_value_but_for_a_rounding(matrix):
    found = strategies.sensitivity(matrix, "l2", "l2")
    greatest = np.linalg.norm(np.array(matrix, dtype=float), 2) ** 2
    assert not found.is_attained
    assert abs(float(found.bound) - greatest) <= 1e-6 * greatest
    assert strategies.total_error(matrix, matrix, neighbours="l2") == found.bound * strategies.squared_error(
        strategies.least_squares(matrix, matrix)
    )


@pytest.mark.parametrize(
    "make",
    [strategies.identity, strategies.prefixes, strategies.ranges, strategies.total, strategies.tree, strategies.wavelet,
     strategies.square_root, strategies.tree_decoder, strategies.honaker_decoder, lambda n: strategies.blocks(n, "2")],
)  # fmt: skip
def test_a_length_may_be_any_exact_number(make):
    assert make("4") == make(F(4)) == make(4)


def test_marginals_hierarchies_and_stacks_list_their_queries():
    assert strategies.marginals([2, 2], 1) == tuple(
        tuple(map(F, row)) for row in ([1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0], [0, 1, 0, 1])
    )
    assert strategies.marginals([2, 3], 0) == strategies.total(6)
    assert strategies.marginals([2, 3], 2) == strategies.identity(6)
    assert strategies.sensitivity(strategies.marginals([2, 3, 2], 2)).bound == comb(3, 2)
    regions = {"north": {"a": None, "b": None}, "south": {"c": None}}
    assert strategies.sensitivity(strategies.hierarchy(regions)).bound == 3
    assert strategies.stacked(strategies.identity(3), strategies.total(3))[3] == (1, 1, 1)
    assert strategies.blocks(5, 2)[5:] == ((1, 1, 0, 0, 0), (0, 0, 1, 1, 0))


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (lambda: strategies.tree(0), "n must be a whole number from 1"),
        (lambda: strategies.tree(4, 1), "branching must be"),
        (lambda: strategies.wavelet(6), "n must be a power of 2, got 6"),
        (lambda: strategies.blocks(4, 0), "block must be"),
        (lambda: strategies.square_root(4, 0), "bands must be"),
        (lambda: strategies.marginals([], 0), "order must be"),
        (lambda: strategies.marginals([2], 2), "order must be"),
        (lambda: strategies.identity("1/2"), "n must be"),
        (lambda: strategies.least_squares([[1, 1]], [[1, 1]]), "independent columns"),
        (lambda: strategies.least_squares([[1]], [[1, 1]]), "do not meet"),
        (
            lambda: strategies.total_error([[1]], [[1]], decoder=[[1, 2]]),
            "decoder must have a column for each",
        ),
        (lambda: strategies.stacked(3), "strategies must be a list of rows"),
        (lambda: strategies.marginals((2, 2), True), "order must be from 0 to 2"),
        (lambda: strategies.marginals(3, 1), "shape must be a list of numbers of values"),
        (lambda: strategies.marginals((2, 2), 1.5), "order must be from 0 to 2"),
        (lambda: strategies.hierarchy({"north": ["a", "b"]}), r"regions must map .* got \['a', 'b'\]"),
        (lambda: strategies.hierarchy({"north": {}}), "regions must map"),
        (lambda: strategies.hierarchy({"a": 3}), "regions must map"),
        (lambda: strategies.sensitivity(3), "strategy must be a list of rows, each a list of numbers, got the int 3"),
        (lambda: strategies.sensitivity(None), "strategy must be a list of rows"),
        (lambda: strategies.sensitivity([[1]], 3), "neighbours must be the name of a relation, got 3"),
        (lambda: strategies.sensitivity([[1]], "window_1000000"), "whole numbers of at most 6 digits"),
        (lambda: refdp.linear(None), "matrix must be a list of rows"),
        (lambda: refdp.toeplitz(5), "coefficients must be a list of numbers, got the int 5"),
        (lambda: strategies.total_error([[1]], [[2]], decoder=[[1]]), "the decoder times the strategy must be"),
        (lambda: strategies.sensitivity([[1], [1, 2]]), "rows of one length"),
        (lambda: strategies.sensitivity([]), "at least one"),
        (lambda: strategies.sensitivity([[1]], "symmetric"), "the input metric must be"),
        (lambda: strategies.sensitivity([[1]], norm="linf"), "norm must be l1 or l2, got 'linf'"),
        (lambda: strategies.squared_error(["12"]), "must be a list of rows"),
    ],
)
def test_what_is_no_strategy_is_refused(call, reason):
    with pytest.raises(PipelineError, match=reason):
        call()
