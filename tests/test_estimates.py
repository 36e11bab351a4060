"""Estimates from reports: counts are those by definition, errors are certified, and what gives none is refused."""

from fractions import Fraction as F
from itertools import product
from math import comb

import numpy as np
import pytest

import refdp
from refdp.estimates import EstimateError, _error, _hoeffding, _Rates
from refdp.sampling.bulk.counting import greatest_excess
from refdp.spec import registry
from refdp.spec.estimates import answer, answers, has
from refdp.spec.semantics import law
from refdp.terms.evaluation import evaluate
from tests.exactness.refusals import refusal
from tests.sampling.streams import Stream

FILTERS = [[i >> j & 1 for j in range(5)] for i in range(32)] * 20
VALUES = [i * i % 5 for i in range(600)]
CASES = [
    (refdp.symmetric_unary_encoding(5, "2/3"), VALUES),
    (refdp.symmetric_unary_encoding(70, "2/3"), [-1, 0, 69, 64] * 50),
    (refdp.optimised_unary_encoding(5, 4), VALUES),
    (refdp.permanent_response(5, "1/2"), FILTERS),
    (refdp.rappor(5, "1/2", "1/2", "3/4"), FILTERS),
    (refdp.d_bit_flip(5, 2, "2/3"), VALUES),
    (refdp.d_bit_flip(5, 5, "2/3"), VALUES),
    (refdp.one_bit_flip(5, "4/5"), VALUES),
    (refdp.subset_selection(5, 2, "8/11"), VALUES),
    (refdp.subset_selection(5, 4, "9/10"), VALUES),
    (refdp.hadamard_response(5, "4/5"), VALUES),
    (refdp.hadamard_response(7, "4/5"), VALUES),
    (refdp.hadamard_entry_response(8, "4/5"), VALUES),
    (refdp.k_ary_randomised_response(5, "1/2"), VALUES),
    (refdp.randomised_response("3/4"), [0, 1, 1] * 100),
]
SKETCHES = [
    refdp.count_mean_sketch(6, 4, "2/3"),
    refdp.hadamard_count_mean_sketch(6, 4, "4/5"),
    refdp.local_hashing(6, 4, "1/2"),
]
HASHES = np.array([[(v * v + 3 * j * v + j) % 7 % 4 for j in range(6)] for v in range(5)])


def kind_of(m):
    return registry.kind_of(m.subject.operator)


def rates(m):
    """own, other and share in numbers."""
    kind = kind_of(m)
    found, values = answers(kind), registry.values(kind, m.subject)
    return _Rates(*(F(evaluate(t, values)) for t in (found.own, found.other, found.share)))


@pytest.mark.parametrize(("m", "inputs"), CASES, ids=lambda one: getattr(one, "subject", ""))
def test_estimates_are_the_sums_of_what_each_report_adds(m, inputs):
    reports, kind, r = m.reports(inputs, source=Stream(1)), kind_of(m), rates(m)
    found = refdp.estimate(reports)
    for v, told in enumerate(found.values):
        answered = [a for a in (answer(kind, y, v) for y in reports) if a is not None]
        assert told == sum(a - r.other for a in answered) / (r.share * (r.own - r.other))
    assert (found.count, found.failure, found.bias) == (len(inputs), F(1, 1000), 0)


@pytest.mark.parametrize(("m", "inputs"), CASES, ids=lambda one: getattr(one, "subject", ""))
def test_answers_have_the_probabilities_that_are_derived(m, inputs):
    """By enumeration of the law: the mean and the variance of what a report adds, for each input and value."""
    kind, r = kind_of(m), rates(m)
    if kind.stem == "symmetric_unary_encoding" and m.subject.arguments[0].rational > 5:
        pytest.skip("the law has too many outcomes to be listed")
    values, size = registry.values(kind, m.subject), len(refdp.estimate(m.reports(inputs)).values)
    for x, v in product({tuple(x) if isinstance(x, list) else x for x in inputs}, range(size)):
        exact = tuple(map(F, x)) if isinstance(x, tuple) else F(x)
        added = {}
        for y, mass in law(m.subject, exact).items():
            said = answer(kind, y, v)
            z = F(0) if said is None else (said - r.other) / (r.share * (r.own - r.other))
            added[z] = added.get(z, 0) + mass
        mean = sum(z * mass for z, mass in added.items())
        assert mean == has(kind, exact, v)
        variance = answers(kind).variance_with if mean else answers(kind).variance_without
        assert sum((z - mean) ** 2 * mass for z, mass in added.items()) == evaluate(variance, values)


@pytest.mark.parametrize("failure", ["1/10", "1/1000"])
@pytest.mark.parametrize(("own", "other", "share"), [("4/5", "1/5", 1), ("1/2", "1/10", 1), ("2/3", "1/3", "1/2")])
@pytest.mark.parametrize("n", [1, 2, 10, 60])
def test_error_is_exceeded_no_more_often_than_is_said(own, other, share, n, failure):
    """The exact law of the estimate of one value, for each number of inputs that have it."""
    r = _Rates(F(own), F(other), F(share))
    error, unit = _error(r, n, 1, F(failure)), 1 / (r.share * (r.own - r.other))
    for having in {0, n // 3, n}:
        laws = [{0: F(1)}]
        for p, count in ((r.own, having), (r.other, n - having)):
            laws.append({})
            for yes, asked in product(range(count + 1), repeat=2):
                if yes <= asked:
                    mass = (
                        comb(count, asked) * r.share**asked * (1 - r.share) ** (count - asked)
                        * comb(asked, yes) * p**yes * (1 - p) ** (asked - yes)
                    )  # fmt: skip
                    z = unit * (yes - r.other * asked)
                    laws[-1][z] = laws[-1].get(z, 0) + mass
        assert sum(laws[1].values()) == sum(laws[2].values()) == 1
        far = sum(p * q for a, p in laws[1].items() for b, q in laws[2].items() if abs(a + b - having) > error)
        assert far <= F(failure)


def test_error_is_hoeffdings_or_bernsteins_whichever_is_smaller():
    asked, rarely = _Rates(F(2, 3), F(1, 3), F(1)), _Rates(F(2, 3), F(1, 3), F(1, 256))
    assert _error(asked, 20, 10, F(1, 1000)) == _hoeffding(F(3), 20, 10, F(1, 1000))
    assert _error(asked, 10**4, 10, F(1, 1000)) < _hoeffding(F(3), 10**4, 10, F(1, 1000))
    assert _error(rarely, 10**6, 1024, F(1, 1000)) < _hoeffding(F(768), 10**6, 1024, F(1, 1000)) / 5
    assert (
        _hoeffding(F(1), 200, 1, F(1, 2)) ** 2
        > 100 * F("1.3862943611")
        > F("0.9999") * _hoeffding(F(1), 200, 1, F(1, 2)) ** 2
    )  # 100 ln(4)


def test_errors_hold_of_what_is_drawn():
    """Twenty cases with a failure of 10^-9 each, together below 10^-7; in practice never."""
    for m, inputs in CASES:
        kind, found = kind_of(m), refdp.estimate(m.reports(inputs), "1e-9")
        assert found.values
        for v, told in enumerate(found.values):
            truth = sum(has(kind, x, v) for x in inputs)
            assert abs(told - truth) <= found.error
    for m in SKETCHES:
        found = refdp.estimate(m.reports(VALUES, HASHES), "1e-9", hashes=HASHES)
        assert len(found.values) == len(HASHES)
        assert all(abs(told - VALUES.count(v)) <= found.error for v, told in enumerate(found.values))
    found = refdp.estimate(refdp.one_bit_mean(4, 9).reports(VALUES), "1e-9")
    assert abs(found.values[0] - F(sum(VALUES), len(VALUES))) <= found.error < 1


@pytest.mark.parametrize("m", SKETCHES, ids=str)
def test_estimates_of_hashes_are_the_sums_of_what_each_report_adds(m):
    inner = m.subject.arguments[0]
    kind = registry.kind_of(inner.operator)
    found, values = answers(kind), registry.values(kind, inner)
    own, raised = (F(evaluate(t, values)) for t in (found.own, found.other))
    other = raised + (own - raised) / 4
    reports = m.reports(VALUES, HASHES, source=Stream(2))
    got = refdp.estimate(reports, hashes=HASHES)
    assert len(got.values) == len(HASHES)
    for v, told in enumerate(got.values):
        yes = sum(bool(answer(kind, y, HASHES[v][j])) for j, y in reports)
        assert told == (yes - len(VALUES) * other) / (own - other)
    assert refdp.estimate(reports, hashes=HASHES.tolist()) == got


@pytest.mark.parametrize("m", SKETCHES, ids=str)
def test_bias_bounds_what_collisions_do_to_the_mean(m):
    """For these functions, by enumeration of the reports of each value: the mean is off, by no more than the bias."""
    inner = m.subject.arguments[0]
    kind = registry.kind_of(inner.operator)
    found, values = answers(kind), registry.values(kind, inner)
    own, raised = (F(evaluate(t, values)) for t in (found.own, found.other))
    other = raised + (own - raised) / 4
    rows = [tuple(map(F, row.tolist())) for row in HASHES]
    off = 0
    for x, v in product(range(len(rows)), repeat=2):
        yes = sum(p for (j, y), p in law(m.subject, rows[x]).items() if answer(kind, y, int(rows[v][j])))
        mean = (yes - other) / (own - other)
        assert mean == 1 if x == v else True
        off = max(off, abs(mean - (x == v)))
    got = refdp.estimate(m.reports(VALUES, HASHES), hashes=HASHES)
    assert got.bias == off * len(VALUES) > 0
    assert refdp.estimate(m.reports([0, 0], HASHES[:1]), hashes=HASHES[:1]).bias == 0


def test_collisions_are_counted_by_definition():
    table = HASHES
    same = [int((table[i] == table[j]).sum()) for i in range(5) for j in range(i)]
    assert greatest_excess(table, 4) == (max(same), min(same))
    assert greatest_excess(np.array([[1, 2], [1, 2]]), 4) == (2, 2)


SUE = refdp.symmetric_unary_encoding(3, "2/3")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: refdp.estimate([(0, 1, 0)]), "reports must be what Measurement.reports gives, got [(0, 1, 0)]"),
        (lambda: refdp.estimate(SUE.reports([])), "reports must be at least one, got none"),
        (lambda: refdp.estimate(SUE.reports([0]), 0), "failure must be in (0, 1), got 0"),
        (lambda: refdp.estimate(SUE.reports([0]), 1), "failure must be in (0, 1), got 1"),
        (
            lambda: refdp.estimate(SUE.reports([0]), 0.1),
            'failure must be exact, got the float 0.1; write "0.1" for 1/10',
        ),
        (
            lambda: refdp.estimate(refdp.symmetric_unary_encoding(3, "1/2").reports([0])),
            "reports of symmetric_unary_encoding(3, 1/2) must say something: what an input has is told no likelier",
        ),
        (
            lambda: refdp.estimate(refdp.one_bit_mean(3, 1).reports([0])),
            "reports of one_bit_mean(3, 1) must say something: the rate is the same at both ends",
        ),
        (
            lambda: refdp.estimate(refdp.hadamard_entry_response(3, "4/5").reports([0])),
            "the number of rows must be a power of 2 for an estimate, got 3",
        ),
        (
            lambda: refdp.estimate(SKETCHES[0].reports([0], HASHES)),
            "hashes must be given for a choice of functions, and for nothing else, got public_coordinate(",
        ),
        (
            lambda: refdp.estimate(SUE.reports([0]), hashes=HASHES),
            "hashes must be given for a choice of functions, and for nothing else, got symmetric_unary_encoding(",
        ),
        (
            lambda: refdp.estimate(SKETCHES[0].reports([0], HASHES), hashes=HASHES[:, :2]),
            "hashes must be what the reports were drawn with, got the shape (5, 2)",
        ),
        (
            lambda: refdp.estimate(SKETCHES[0].reports([0], HASHES - 1), hashes=HASHES - 1),
            "every hash must be from 0 to 3",
        ),
        (
            lambda: refdp.estimate(SKETCHES[0].reports([0], HASHES), hashes=HASHES * 0.5),
            "an array must hold whole numbers of at most 64 digits, got float64",
        ),
        (
            lambda: refdp.public_coordinate(refdp.one_bit_mean(3, 4), 2).reports([0], [[1, 2]]),
            "the functions of reports in bulk must have values as results, got public_coordinate(one_bit_mean(",
        ),
        (
            lambda: refdp.estimate(
                refdp.public_coordinate(refdp.one_bit_flip(3, "4/5"), 2).reports([0], [[1, 2]]), hashes=[[1, 2]]
            ),
            "reports of one function must speak of every result, got those of one_bit_flip(3, 4/5)",
        ),
    ],
)
def test_estimates_are_refused_in_one_sentence(call, said):
    assert refusal(call).startswith(said)
    assert issubclass(EstimateError, ValueError)
