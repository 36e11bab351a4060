"""Tables of one column in arrays: what transformations make of them is what they make of a tuple of the rows."""

import random
from fractions import Fraction as F

import numpy as np
import pytest

from refdp import clamp, clamped_sum, count, discrete_laplace, histogram, mean, pipeline
from refdp.pipeline import PipelineError
from refdp.sampling.bulk import columns
from refdp.sampling.bulk.columns import Column, Unfit, worked_out
from refdp.spec.evaluation import evaluate
from refdp.spec.terms import TermError, read
from refdp.transformations import point_count, rank_scores, threshold_count
from tests.examples import few

MOST = 2**63 - 1
TRANSFORMATIONS = {
    "clamp": (clamp(-3, 9), (-20, 20)),
    "clamped sum": (clamped_sum(-3, 9), (-20, 20)),
    "clamped sum on a grid of 5": (clamped_sum(-10, 15, granularity=5), None),
    "clamped sum on a fine grid": (clamped_sum("-1/2", "5/2", granularity="1/2"), (-20, 20)),
    "huge bounds": (clamped_sum(-(2**80), 2**80), (-(2**62), 2**62)),
    "count": (count("grid(1)"), (-20, 20)),
    "threshold count": (threshold_count(3), (-20, 20)),
    "point count": (point_count(1), (-2, 2)),
    "rank scores": (rank_scores(9), (-1, 10)),
    "histogram": (histogram(7), (-1, 6)),
    "histogram of many": (histogram(300), (-1, 299)),
    "mean": (mean(0, 12, size=9), (-20, 20)),
    "clamp, then sum": (clamp(-3, 9) >> clamped_sum(0, 5), (-20, 20)),
    "clamp twice": (clamp(-3, 9) >> clamp(0, 5), (-20, 20)),
}


def column(name, chance):
    """A random table of a transformation."""
    ends = TRANSFORMATIONS[name][1]
    n = 9 if name == "mean" else chance.choice((0, 1, 2, 30))
    if ends is None:
        return np.array([5 * chance.randint(-5, 5) for _ in range(n)], np.int64)
    return np.array([chance.randint(*ends) for _ in range(n)], np.int64)


@pytest.mark.parametrize("name", TRANSFORMATIONS)
def test_a_column_gives_what_its_rows_give(name):
    """The oracle is the value row by row, in Fractions."""
    t, chance = TRANSFORMATIONS[name][0], random.Random(name)
    for _ in range(few(10 if name == "histogram of many" else 100)):
        x = column(name, chance)
        found, wanted = t(x), t(tuple(x.tolist()))
        assert (tuple(map(F, found.tolist())) if isinstance(found, np.ndarray) else found) == wanted


def test_most_columns_are_worked_out_in_arrays(monkeypatch):
    """Or else these tests would see the same way twice."""
    monkeypatch.setattr(pipeline, "value", lambda *_: pytest.fail("worked out row by row"))
    for name, (t, _) in TRANSFORMATIONS.items():
        if name not in ("clamped sum on a fine grid", "huge bounds", "mean"):
            t(column(name, random.Random(3)))


@pytest.mark.parametrize(
    ("t", "x", "said"),
    [
        (histogram(3), [0, 3], "the input must be a member of table(category(3))"),
        (clamped_sum(0, 10, granularity=5), [5, 6], "the input must be a member of table(grid(5))"),
        (mean(0, 1, size=3), [1, 0], "the input must be a member of sized_table(grid(1), 3)"),
        (clamped_sum(0, 1), [[1, 0]], "the input must be a member of table(grid(1))"),
    ],
)
def test_columns_that_are_no_tables_of_the_domain_are_refused(t, x, said):
    with pytest.raises((PipelineError, ValueError, TermError)) as caught:
        t(np.array(x))
    assert said in str(caught.value)


def test_a_pipeline_draws_from_a_column_what_it_draws_from_its_rows():
    x = np.arange(-40, 60)
    for m in (clamped_sum(0, 10) >> discrete_laplace("1/10000"), count("grid(1)") >> discrete_laplace("1/10000")):
        assert m(x) == m(tuple(x.tolist()))
    counts = histogram(5) >> discrete_laplace("1/10000", dimension=5)
    assert counts(np.array([0, 1, 2, 2, 4, -1])) == (1, 1, 2, 0, 1)
    assert (clamp(0, 3) >> (clamped_sum(0, 3) >> discrete_laplace("1/10000")))(x) == 1 + 2 + 57 * 3


FORMULAS = ["a + b * a", "a - b", "max(a, min(b, 7))", "abs(a) - b", "-a * b", "indicator(a <= b) + indicator(a == b)"]


@pytest.mark.parametrize("text", FORMULAS)
def test_formulas_in_arrays_are_those_of_numbers_or_are_unfit(text):
    """On small numbers and on the ends of int64, where a result that might wrap is refused."""
    chance, fits = random.Random(text), 0
    for _ in range(few(300)):
        wide = chance.random() < 0.5
        ends = (-MOST - 1, MOST) if wide else (-9, 9)
        a, b = ([chance.choice((chance.randint(*ends), *ends)) for _ in range(4)] for _ in range(2))
        known = {name: columns.column(np.array(x, np.int64)) for name, x in (("a", a), ("b", b))}
        try:
            found = worked_out(read(text), known)
        except Unfit:
            assert wide
            continue
        fits += 1
        wanted = [evaluate(read(text), {"a": F(x), "b": F(y)}) for x, y in zip(a, b, strict=True)]
        assert found.numbers.tolist() == wanted
        assert found.least <= min(wanted) <= max(wanted) <= found.greatest
    assert fits > 50


def test_what_need_not_be_whole_or_an_int64_is_unfit():
    one = {"a": Column(np.array([1, 2]), 1, 2), "half": F(1, 2)}
    for text in ("a / 2", "exp(a)", "a + 1/2", "half * a", "a * 9223372036854775807", "sqrt(a)", "unknown"):
        with pytest.raises(Unfit):
            worked_out(read(text), one)
