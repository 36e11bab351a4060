"""Fitted models: their theorem, their exact noise, that they follow from what was released, and that noise matters."""

import importlib
from fractions import Fraction as F
from math import isclose, log

import numpy as np
import pytest

from refdp.models import (
    Labels,
    Numbers,
    arrays,
    k_means,
    linear_regression,
    logistic_regression,
    naive_bayes,
    principal_components,
)
from refdp.models.fitting import STEP
from refdp.models.k_means import cells_of, mean_square_distance, moved, spread_evenly, without_noise
from refdp.models.logistic_regression import share_right
from refdp.models.naive_bayes import accuracy, likeliest, weights
from refdp.releases.tables import Missing, read_table
from refdp.terms.term import number
from tests.exactness.refusals import refusal
from tests.meta.repository import ROOT

PENGUINS = ROOT / "refdp" / "releases" / "examples" / "penguins.csv"
BILL, DEPTH = Numbers("bill_length_mm", 30, 60), Numbers("bill_depth_mm", 13, 22)
FLIPPER, MASS = Numbers("flipper_length_mm", 170, 235), Numbers("body_mass_g", 2500, 6500)
SEX, SPECIES = Labels("sex", ("female", "male")), Labels("species", ("Adelie", "Chinstrap", "Gentoo"))
HUGE = 10**6
"""An epsilon at which noise is next to nothing."""


@pytest.fixture(scope="module")
def penguins():
    numbers = [one.column for one in (BILL, DEPTH, FLIPPER, MASS)]
    found = read_table(
        PENGUINS, decimals=numbers, labels=["sex", "species"], missing=Missing(frozenset({"NA"}), "drop")
    )
    cells = {**found.decimal_columns, **found.label_columns}
    return [dict(zip(cells, row, strict=True)) for row in zip(*cells.values(), strict=True)]


def floats(rows, *columns):
    """The rows of these columns, scaled to [-1, 1], a missing number as the middle, in floats."""

    def scaled(x, c):
        return 0.0 if x is None else 2 * float((x - c.lower) / (c.upper - c.lower)) - 1

    return np.array([[scaled(row[one.column], one) for one in columns] for row in rows])


def losses(found):
    return tuple(one.rational for one in found.theorem.claim.d_out)


@pytest.mark.parametrize(("neighbours", "times"), [("add_remove", 1), ("change_one", 2)])
def test_naive_bayes_has_its_theorem_and_just_the_noise_that_it_needs(penguins, neighbours, times):
    found = naive_bayes(penguins, SEX, [BILL, SPECIES], "1/2", bins=4, neighbours=neighbours)
    assert losses(found) == (F(1, 2),)
    assert found.scale == 3 * 2 * times  # the class and two features, over epsilon
    assert found.theorem.trusts == {"code: refdp.transformations"}
    assert found.numbers == len(found.released) == 2 * (1 + 2 * 4)
    assert all(one.denominator == 1 for one in found.released)


def test_naive_bayes_follows_from_the_released_counts(penguins):
    found = naive_bayes(penguins, SEX, [BILL, SPECIES], 1, bins=4)
    prior, parts = weights(found.released, 2, 4, (4, 3))
    assert list(found.model["classes"].values()) == prior
    assert isclose(sum(prior), 1)
    assert all(isclose(sum(part), 1) for feature in parts for part in feature)
    assert [len(feature[0]) for feature in parts] == [4, 3]
    assert found.model["features"]["species"]["male"] == dict(zip(SPECIES.labels, parts[1][1], strict=True))


def test_naive_bayes_with_next_to_no_noise_is_the_classifier_by_the_exact_counts(penguins):
    found = naive_bayes(penguins, SEX, [BILL, DEPTH, FLIPPER, MASS], HUGE)
    beside = found.compared()
    assert beside.private == beside.without_noise > 0.85
    males = sum(row["sex"] == "male" for row in penguins)
    assert found.released[:2] == (sum(row["sex"] == "female" for row in penguins), males)


def test_naive_bayes_by_hand():
    """Two classes, one feature of three labels; counts below 0 count as 0, and one is added to each."""
    by = weights((F(2), F(3), F(1), F(0), F(-7), F(0), F(3), F(0)), 2, 3, (3,))
    assert by == ([3 / 7, 4 / 7], [[[2 / 4, 1 / 4, 1 / 4], [1 / 6, 4 / 6, 1 / 6]]])
    assert likeliest((F(0), F(1)), by) == 1
    assert likeliest((F(1), F(-1)), by) == 1  # no value: by the class alone
    assert accuracy([(F(1), F(1)), (F(1), F(0))], by) == 1 / 2
    assert accuracy([], by) == 0


def test_naive_bayes_of_no_rows_has_a_model_and_no_feature_is_allowed_to_lie_beyond_its_bins():
    found = naive_bayes([], SEX, [BILL], HUGE, bins=2)
    assert set(found.released) == {0}
    assert found.compared().private == 0
    rows = [{"sex": "male", "bill_length_mm": x} for x in (-999, 30, 45, 60, 999, None)] + [{"sex": "none"}]
    assert naive_bayes(rows, SEX, [BILL], HUGE, bins=2).released == (0, 6, 0, 0, 2, 3)


@pytest.mark.parametrize(("neighbours", "times"), [("add_remove", 1), ("change_one", 2)])
def test_k_means_has_a_theorem_of_all_rounds_and_one_of_each(penguins, neighbours, times):
    found = k_means(penguins, [BILL, DEPTH], 3, "6/5", rounds=4, neighbours=neighbours)
    assert losses(found) == (F(6, 5),)
    assert str(found.theorem.claim.subject) == "rounds(pure(3/10), pure(3/10), pure(3/10), pure(3/10))"
    assert found.theorem.trusts == frozenset()
    assert [name for name, _ in found.parts] == ["round_1", "round_2", "round_3", "round_4"]
    for _, part in found.parts:
        assert part.claim.d_out[0].rational == F(3, 10)
        for shape in ("domain", "metric", "d_in", "measure"):
            assert getattr(part.claim, shape) == getattr(found.theorem.claim, shape)
    assert found.scale == times * 3 / F(3, 10)  # a size and two sums of numbers from -1 to 1
    assert found.numbers == sum(map(len, found.released)) == 4 * 3 * 3


def test_k_means_begins_at_the_same_centres_whatever_the_table_is_and_goes_on_from_what_was_released(penguins):
    """The centres of each round, as its theorem names them, follow from the noisy answers before it."""
    found = k_means(penguins, [BILL, DEPTH], 3, 1, rounds=3)
    at = spread_evenly(3, 2)
    for (_, part), answer in zip(found.parts, found.released, strict=True):
        written = ", ".join(f"tuple_of({', '.join(map(str, centre))})" for centre in at)
        assert f"cluster_sums(tuple_of({written}), 3, 1, 2, 1/256)" in str(part.claim.subject)
        at = moved(at, answer)
    assert found.drawn["centres"] == at
    assert k_means([], [BILL, DEPTH], 3, 1).drawn["start"] == spread_evenly(3, 2)


def test_k_means_with_next_to_no_noise_is_that_of_the_exact_sums(penguins):
    found = k_means(penguins, [BILL, DEPTH], 3, HUGE)
    beside = found.compared()
    assert beside.private == beside.without_noise
    assert found.drawn["centres"] == beside.drawn["centres"]
    points = floats(penguins, BILL, DEPTH)
    centres = np.array([[float(x) for x in c] for c in found.drawn["centres"]])
    far = ((points[:, None, :] - centres[None]) ** 2).sum(axis=2).min(axis=1).mean()
    assert abs(far - beside.private) < 0.02  # rows lie on a grid of 1/256


def test_k_means_does_not_move_a_cluster_of_too_few_rows_and_clamps_means():
    start = ((F(1, 2),), (F(-1, 2),), (F(0),))
    assert moved(start, (F(1, 2), F(9), F(2), F(9), F(4), F(-1))) == ((F(1, 2),), (F(1),), (F(-1, 4),))
    assert moved(start, (F(-3), F(1), F(0), F(0), F(1), F(-9))) == ((F(1, 2),), (F(-1, 2),), (F(-1),))
    assert cells_of((1, 2, 3, 4), 2) == [(1, 2), (3, 4)]
    assert without_noise((), start, 3) == start
    assert mean_square_distance((), start) == 0


def test_k_means_of_given_centres_and_its_refusals(penguins):
    found = k_means(penguins, [BILL], 2, 1, rounds=1, centres=[["-1/3"], [1]])
    assert found.drawn["start"] == ((F(-1, 3),), (F(1),))
    three = "centres must be 2 points of 1 coordinates from -1 to 1"
    for wrong in ([[0]], [[0], [2]], [[0, 0], [1, 1]]):
        assert refusal(lambda wrong=wrong: k_means(penguins, [BILL], 2, 1, centres=wrong)) == three


@pytest.mark.parametrize(("neighbours", "root"), [("add_remove", 1), ("change_one", 2)])
def test_moments_have_their_theorem_and_little_more_noise_than_they_need(penguins, neighbours, root):
    found = principal_components(penguins, [BILL, DEPTH, MASS], 2, 1, "1e-6", neighbours=neighbours)
    assert losses(found) == (F(1), F(1, 10**6))
    assert found.theorem.trusts == {"code: refdp.transformations"}
    assert found.numbers == len(found.released) == 16
    assert all((one / STEP**2).denominator == 1 for one in found.released)
    rho = root * 2.0**4 / (2 * float(found.scale) ** 2)  # rows are of norm 2 at most
    assert 0.998 < rho + 2 * (rho * np.log(10**6)) ** 0.5 <= 1 + 1e-9


def test_principal_components_with_next_to_no_noise_are_those_of_the_covariance(penguins):
    found = principal_components(penguins, [BILL, DEPTH, FLIPPER, MASS], 2, HUGE, "1/2")
    beside = found.compared()
    points = floats(penguins, BILL, DEPTH, FLIPPER, MASS)
    values, vectors = np.linalg.eigh(np.cov(points.T))
    assert isclose(beside.private, values[-2:].sum() / values.sum(), rel_tol=0.01)
    assert isclose(beside.private, beside.without_noise, rel_tol=0.001)
    first = np.array(list(found.model["components"][0].values()))
    assert abs(first @ vectors[:, -1]) > 0.999


def test_linear_regression_with_next_to_no_noise_is_least_squares(penguins):
    whole = [row for row in penguins if row["body_mass_g"] is not None]
    found = linear_regression(whole, MASS, [BILL, FLIPPER], HUGE, "1/2")
    x = np.array([[1, float(row["bill_length_mm"]), float(row["flipper_length_mm"])] for row in whole])
    y = np.array([float(row["body_mass_g"]) for row in whole])
    best = np.linalg.lstsq(x, y, rcond=None)[0]
    got = [found.model["intercept"], *found.model["coefficients"].values()]
    assert np.allclose(got, best, rtol=0.05, atol=1)
    beside = found.compared()
    assert isclose(beside.private, np.sqrt(((y - x @ best) ** 2).mean()), rel_tol=0.02)
    assert beside.without_noise <= beside.private + 1e-9


def test_logistic_regression_with_next_to_no_noise_is_the_minimum(penguins):
    """The gradient of the loss, by numpy, vanishes there; and it is better than chance."""
    whole = [row for row in penguins if row["sex"] in SEX.labels]
    found = logistic_regression(whole, SEX, [BILL, DEPTH, MASS], HUGE, "1/2", regularisation=2)
    columns = [(c, float(c.lower), float(c.upper)) for c in (BILL, DEPTH, MASS)]
    x = np.array([[1, *(2 * (float(row[c.column]) - low) / (up - low) - 1 for c, low, up in columns)] for row in whole])
    y = np.array([1.0 if row["sex"] == "male" else -1.0 for row in whole])
    w = np.array([float(one) for one in found.released])
    gradient = 2 * w - (y / (1 + np.exp(y * (x @ w)))) @ x
    assert np.abs(gradient).max() < 0.6  # columns are on a grid of 1/256, which n rows feel
    beside = found.compared()
    right = float(((x @ w) * y > 0).mean())
    assert isclose(beside.private, right, abs_tol=0.02)
    assert right > 0.8
    odds = found.model["intercept"] + sum(
        float(whole[0][c]) * found.model["coefficients"][c] for c in found.model["coefficients"]
    )
    assert isclose(odds, x[0] @ w, abs_tol=1e-6)
    assert found.model["label"] == "male"


@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
@pytest.mark.parametrize("delta", [None, "1e-6"])
def test_logistic_regression_has_noise_for_its_loss(neighbours, delta):
    rows = [{"x": 3, "s": "a"}, {"x": 9, "s": "b"}, {"x": None, "s": "b"}, {"x": 1, "s": None}, {}]
    found = logistic_regression(rows, S, [X, Y], "1/2", delta, neighbours=neighbours, regularisation=4)
    assert found.mechanism == ("discrete_laplace" if delta is None else "discrete_gaussian")
    assert [t.rational for t in found.theorem.claim.d_out] == [F(1, 2), *([] if delta is None else [F(delta)])]
    assert found.theorem.claim.metric == {"add_remove": "symmetric", "change_one": "change_one"}[neighbours]
    less = logistic_regression(rows, S, [X, Y], "1/2", delta, neighbours=neighbours, regularisation=40)
    assert less.scale < found.scale / 9
    if delta is None:  # (3^(1/2) norm / regularisation) / epsilon, norm = 3^(1/2)
        assert 3 / F(4) * 2 <= found.scale / (1 if neighbours == "add_remove" else 2) <= F(101, 100) * 3 / F(4) * 2


@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
def test_logistic_regression_with_a_perturbed_objective_spends_its_loss(neighbours):
    rows = [{"x": 3, "s": "a"}, {"x": 9, "s": "b"}, {"x": None, "s": "b"}, {"x": 1, "s": None}, {}]
    words = {"neighbours": neighbours, "regularisation": 4, "perturb": "objective"}
    found = logistic_regression(rows, S, [X, Y], "1/2", **words)
    assert found.mechanism == "rounded_logistic_objective"
    assert found.theorem.claim.d_out == (number(F(1, 2)),)
    assert found.theorem.claim.metric == {"add_remove": "symmetric", "change_one": "change_one"}[neighbours]
    moved = {"add_remove": 1, "change_one": 2}[neighbours] * 1.734375  # the norm, 3^(1/2) rounded up
    assert isclose(moved / found.scale + log(1 + 1.734375**2 / 16), 0.5, abs_tol=1e-4)


def test_logistic_regression_with_a_perturbed_objective_is_right_at_a_great_epsilon(penguins):
    whole = [row for row in penguins if row["sex"] in SEX.labels]
    found = logistic_regression(whole, SEX, [BILL, DEPTH, MASS], 10**5, perturb="objective")
    plain = logistic_regression(whole, SEX, [BILL, DEPTH, MASS], 10**5)
    assert all(isclose(a, b, abs_tol=0.01) for a, b in zip(found.released, plain.released, strict=True))
    beside = found.compared()
    assert isclose(beside.private, beside.without_noise, abs_tol=0.02)


def test_logistic_regression_of_no_rows_and_of_one_label():
    assert logistic_regression([], S, [X], 1, "1e-6").compared().private == 0
    one = logistic_regression([{"x": 9, "s": "b"}] * 60, S, [X], HUGE, regularisation="1/10")
    assert one.compared().without_noise == 1
    assert share_right([], (F(1),)) == 0


def test_ridge_lifts_the_least_eigenvalue_of_a_noisy_matrix():
    moments = np.array([[4.0, 0, 2], [0, -9, 0], [2, 0, 5]])
    coefficients, weight = arrays.ridge_solution(moments, 3.0)
    assert isclose(weight, 9 + (2 * 2) ** 0.5 * 3)
    assert np.allclose(coefficients, [2 / (4 + weight), 0])
    assert arrays.ridge_solution(np.diag([4.0, 2.0, 1.0]), 0.0)[1] == 0
    assert np.allclose(arrays.ridge_solution(np.zeros((3, 3)), 0.0)[0], 0)


def test_arrays_of_degenerate_matrices():
    assert np.allclose(arrays.covariance(np.zeros((3, 3))), 0)
    assert arrays.share_explained(np.zeros((2, 2)), np.eye(2)) == 1
    assert np.allclose(arrays.symmetric([F(1), F(3), F(5), F(7)], 2), [[1, 4], [4, 7]])
    assert arrays.mean_square(np.zeros((2, 2)), np.array([1.0])) == 0


def test_moments_of_no_rows_make_models_all_the_same():
    assert principal_components([], [BILL, DEPTH], 1, 1, "1e-6").compared().without_noise == 1
    assert linear_regression([], MASS, [BILL], 1, "1e-6").compared().without_noise >= 0


def test_clipped_rows_need_less_noise(penguins):
    wide = principal_components(penguins, [BILL, DEPTH], 1, 1, "1e-6").scale
    assert principal_components(penguins, [BILL, DEPTH], 1, 1, "1e-6", norm="1/2").scale < wide / 10


ROWS = [{"x": 1, "y": 2, "s": "a"}]
X, Y, S = Numbers("x", 0, 9), Numbers("y", 0, 9), Labels("s", ("a", "b"))
TOO_LITTLE = "epsilon must be at least 10^-12, with at most 256 binary digits on either side of its /, got "
TOO_LITTLE_DELTA = TOO_LITTLE.replace("epsilon", "delta").replace("10^-12", "10^-60")
NOTHING_LEFT = (
    "epsilon must be greater where the objective is perturbed: no regularisation up to 10^6 leaves any of it, got "
)
REFUSED = [
    (lambda: naive_bayes(ROWS, X, [Y], 1), "target must be a column of labels for naive_bayes"),
    (lambda: naive_bayes(ROWS, S, [], 1), None),
    (lambda: naive_bayes(ROWS, S, [X], 0), "epsilon must be > 0 and at most 10^6, got 0"),
    (lambda: naive_bayes(ROWS, S, [X], -1), "epsilon must be > 0 and at most 10^6, got -1"),
    (lambda: naive_bayes(ROWS, S, [X], 0.5), 'epsilon must be exact, got the float 0.5; write "0.5" for 1/2'),
    (lambda: naive_bayes(ROWS, S, [X], 1, bins=0), "bins must be a whole number from 1 to 1000, got 0"),
    (lambda: naive_bayes(ROWS, S, [S], 1), "columns must be different ones, got s, s"),
    (
        lambda: naive_bayes(ROWS, S, [X], 1, neighbours="l1"),
        "neighbours must be one of add_remove, change_one, got l1",
    ),
    (lambda: logistic_regression(ROWS, X, [Y], 1), "target must be a column of two labels, got none"),
    (
        lambda: logistic_regression(ROWS, Labels("s", ("a", "b", "c")), [Y], 1),
        "target must be a column of two labels, got 3",
    ),
    (lambda: logistic_regression(ROWS, S, [], 1), None),
    (lambda: logistic_regression(ROWS, S, [S], 1), None),
    (lambda: logistic_regression(ROWS, S, [X], 0), "epsilon must be > 0 and at most 10^6, got 0"),
    (lambda: logistic_regression(ROWS, S, [X], 1, 0), "delta must be > 0 and < 1, got 0"),
    (lambda: logistic_regression(ROWS, S, [X], 1, 1), "delta must be > 0 and < 1, got 1"),
    (lambda: logistic_regression(ROWS, S, [X], 1, norm=0), "norm must be > 0, got 0"),
    (
        lambda: logistic_regression(ROWS, S, [X], 1, regularisation=0),
        "regularisation must be from 1/1000 to 10^6, got 0",
    ),
    (
        lambda: logistic_regression(ROWS, S, [X], 1, regularisation=10**7),
        "regularisation must be from 1/1000 to 10^6, got 10000000",
    ),
    (
        lambda: logistic_regression(ROWS, S, [X], 1, "1e-6", perturb="objective"),
        "delta must be left out where the objective is perturbed, got 1e-6",
    ),
    (lambda: logistic_regression(ROWS, S, [X], 1, perturb="input"), "perturb must be output or objective, got input"),
    (lambda: logistic_regression(ROWS, S, [X], 1, perturb=""), "perturb must be output or objective, got nothing"),
    *(
        (lambda e=epsilon, p=perturb: logistic_regression(ROWS, S, [X], e, perturb=p), f"{TOO_LITTLE}{epsilon}")
        for epsilon in ("1e-400", "1e-310", "1e-13")
        for perturb in ("output", "objective")
    ),
    (lambda: logistic_regression(ROWS, S, [X], 1 + F(1, 2**300)), None),
    *(
        (lambda d=delta: logistic_regression(ROWS, S, [X], 1, d), f"{TOO_LITTLE_DELTA}{delta}")
        for delta in ("1e-400", "1e-61")
    ),
    (lambda: principal_components(ROWS, [X], 1, 1, "1e-400"), f"{TOO_LITTLE_DELTA}1e-400"),
    (lambda: logistic_regression(ROWS, S, [X], "1e-9", perturb="objective"), f"{NOTHING_LEFT}1/1000000000"),
    (lambda: k_means(ROWS, [X], 0, 1), "clusters must be a whole number from 1 to 100, got 0"),
    (lambda: k_means(ROWS, [X], 2, 1, rounds="3/2"), "rounds must be a whole number from 1 to 100, got 3/2"),
    (lambda: k_means(ROWS, [S], 2, 1), None),
    (lambda: principal_components(ROWS, [X], 2, 1, "1e-6"), "components must be a whole number from 1 to 1, got 2"),
    (lambda: principal_components(ROWS, [X], 1, 1, 0), "delta must be > 0 and < 1, got 0"),
    (lambda: principal_components(ROWS, [X], 1, 1, 1), "delta must be > 0 and < 1, got 1"),
    (lambda: principal_components(ROWS, [X], 1, 1, "1e-6", norm=0), "norm must be > 0, got 0"),
    (lambda: linear_regression(ROWS, S, [X], 1, "1e-6"), "target must be a column of numbers for linear_regression"),
    (lambda: linear_regression(ROWS, X, [X], 1, "1e-6"), "columns must be different ones, got x, x"),
    (lambda: Numbers("x", 1, 1), "lower of x must be < upper, got 1 and 1"),
    (lambda: Numbers("x", "nan", 1), None),
    (lambda: Labels("s", ()), "labels of s must be one text or several different ones"),
    (lambda: Labels("s", ("a", "a")), "labels of s must be one text or several different ones"),
]  # fmt: skip


@pytest.mark.parametrize("place", range(len(REFUSED)))
def test_models_refuse_in_one_sentence(place):
    call, said = REFUSED[place]
    if said is None and place == 1:  # the classes alone are a model
        assert call().numbers == 2
    else:
        assert refusal(call) == (said or refusal(call))


def test_models_need_numpy_where_they_say_so(monkeypatch):
    monkeypatch.setitem(importlib.import_module("sys").modules, "numpy", None)
    assert "needs numpy" in refusal(lambda: principal_components(ROWS, [X], 1, 1, "1e-6"))
    assert naive_bayes(ROWS, S, [X], 1).numbers == 18
