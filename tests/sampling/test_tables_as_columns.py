"""Tables of one column in arrays: what transformations make of them is what they make of a tuple of the rows."""

import random
from fractions import Fraction as F

import numpy as np
import pytest

from refdp import clamp, clamped_sum, count, discrete_laplace, histogram, mean, pipeline
from refdp.pipeline import PipelineError
from refdp.sampling.bulk import columns
from refdp.sampling.bulk.columns import Column, Unfit, worked_out
from refdp.spec import registry
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError
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
    assert fits > few(300) / 3


def test_what_need_not_be_whole_or_an_int64_is_unfit():
    one = {"a": Column(np.array([1, 2]), 1, 2), "half": F(1, 2)}
    for text in ("a / 2", "exp(a)", "a + 1/2", "half * a", "a * 9223372036854775807", "sqrt(a)", "unknown"):
        with pytest.raises(Unfit):
            worked_out(read(text), one)


def extremes(text, ends):
    """The least and the greatest value of a formula of whole numbers within these ends."""
    values = [
        evaluate(read(text), {"a": F(a), "b": F(b)})
        for a in range(ends[0], ends[1] + 1)
        for b in range(ends[2], ends[3] + 1)
    ]
    return min(values), max(values)


@pytest.mark.parametrize(
    "text", ["-a", "abs(a)", "a + b", "a - b", "a * b", "min(a, b)", "max(a, b)", "indicator(a <= b)"]
)
def test_the_ends_of_one_operation_are_reached(text):
    """Wider ones would make fit columns unfit."""
    for ends in ((-3, 2, -1, 5), (1, 4, -2, 1), (-5, -2, -7, -3), (0, 3, -4, 0), (2, 2, 1, 6), (-6, 0, 0, 0)):
        known = {"a": Column(np.array(ends[:2]), *ends[:2]), "b": Column(np.array(ends[2:]), *ends[2:])}
        found = worked_out(read(text), known)
        reached = (0, 1) if "indicator" in text else extremes(text, ends)
        assert (found.least, found.greatest) == reached


def test_formulas_of_constants_are_numbers():
    known = {"a": Column(2, 2, 2), "b": Column(3, 3, 3)}
    for text, wanted in (("max(a, b)", 3), ("min(a, b)", 2), ("abs(a - 5)", 3), ("indicator(a < b)", 1), ("a * b", 6)):
        found = worked_out(read(text), known)
        assert type(found.numbers) is int
        assert found.numbers == wanted


@pytest.mark.parametrize("operator", ["min", "max", "+"])
def test_what_is_no_function_of_one_number_is_unfit(operator):
    with pytest.raises(Unfit, match="of one number"):
        worked_out(Term(operator, (read("a"),)), {"a": Column(np.array([1]), 1, 1)})


@pytest.mark.parametrize(
    ("rows", "members", "others"),
    [
        ("grid(5/2)", [0, 5, -10], [0, 2]),
        ("grid(1/3)", [0, 1, 7], None),
        ("grid(2/3)", [0, 2, -4], [0, 2, 3]),
        (f"grid({2**63})", [0], [1]),
        (f"grid({2**62})", [0, 2**62], [2**61]),
        ("bounded(5/2, 0, 5)", [0, 5], [0, 10]),
        ("bounded(1, -2, 3)", [-2, 3], [-3]),
        ("finite(3)", [0, 2], [-1]),
        ("finite(3)", [1], [3]),
        ("category(3)", [-1, 2], [-2]),
        ("category(3)", [0], [3]),
        ("reals()", [-MOST, MOST], None),
    ],
)
def test_members_of_a_domain_are_told_from_others(rows, members, others):
    domain = read(f"table({rows})")
    assert columns.is_member(domain, np.array(members, np.int64))
    assert others is None or not columns.is_member(domain, np.array(others, np.int64))


def test_a_sum_that_may_pass_int64_is_unfit():
    """Though this one would not: of two rows, one is half of the greatest number more than is sure."""
    half = 2**62
    for ends, fits in (((0, half - 1), True), ((0, half), False), ((-half, -1), True), ((-half - 1, -1), False)):
        x = np.array(ends, np.int64)
        if fits:
            assert columns.summed(*summing(), x) == sum(ends)
        else:
            with pytest.raises(Unfit):
                columns.summed(*summing(), x)


def summing():
    """A sum of rows that are clamped to all of int64."""
    subject = clamped_sum(-MOST - 1, MOST).subject
    return registry.kind_of(subject.operator), subject


def test_values_are_counted_where_they_span_few_numbers():
    found, counts = columns.counted(np.array([5, 3, 5, 5]))
    assert (found.tolist(), counts.tolist()) == ([3, 5], [1, 3])
    assert columns.counted(np.array([], np.int64))[1] is None
    assert columns.counted(np.array([0, columns.FEW_VALUES - 1]))[1] is not None
    assert columns.counted(np.array([0, columns.FEW_VALUES]))[1] is None
