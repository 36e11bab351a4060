"""Smooth sensitivity of order statistics, against enumeration of all tables on small domains."""

import json
from collections import Counter
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from statistics import median as python_median
from statistics import median_high, median_low

import pytest

from refdp.kernel.rules.questions import EngineQuestion
from refdp.sensitivities.smooth import smooth_sensitivity
from refdp.sensitivities.smoothing.believing import unproved_lemmas
from refdp.sensitivities.smoothing.certificates import BadCertificate, Stretch, certificate_in, restated
from refdp.sensitivities.smoothing.lemmas import lemmas, undecided
from refdp.sensitivities.smoothing.parts import parts
from refdp.sensitivities.smoothing.windows import FAMILIES, SortedTable

LEAST, GREATEST = 0, 4
ORDER = {
    "median": python_median,
    "median_low": median_low,
    "median_high": median_high,
    "minimum": min,
    "maximum": max,
    "rank 2": lambda rows: sorted(rows)[1],
    "trimmed_mean 1": lambda rows: Fraction(sum(sorted(rows)[1:-1]), len(rows) - 2),
    "quantile 3/4": lambda rows: min(v for v in rows if 4 * sum(r <= v for r in rows) >= 3 * len(rows)),
}


def tables(size, greatest=GREATEST):
    """Every multiset of that size, in order."""
    return [tuple(map(Fraction, t)) for t in combinations_with_replacement(range(LEAST, greatest + 1), size)]


@cache
def distance(x, y):
    """Rows to add or remove to make y of x."""
    a, b = Counter(x), Counter(y)
    return sum(((a - b) + (b - a)).values())


def within(x, tables, most):
    """The tables at most that far from x."""
    return [y for y in tables if distance(x, y) <= most]


def local(function, near):
    """For each table the farthest that the function is at a table next to it."""
    values = {t: Fraction(function(t)) for t in near}
    return {t: max(abs(values[t] - values[s]) for s in others) for t, others in near.items()}


@cache
def fixed_size(statistic, size):
    """Local sensitivity of each table of a size, one row changed."""
    found = tables(size)
    near = {t: [s for s in found if distance(s, t) == 2] for t in found}
    return local(ORDER[statistic], near)


NEEDS = {"rank 2": 2, "trimmed_mean 1": 3}
"""The least number of rows of which a statistic is one, if more than 1."""
QUICK = [
    (name, n) for name in ORDER for n in range(NEEDS.get(name, 1), 5) if n < 4 or name in ("median", "quantile 3/4")
]
LONG = [pytest.param(name, n, marks=pytest.mark.long) for name in ORDER for n in (4, 5) if (name, n) not in QUICK]


@pytest.mark.parametrize(
    ("statistic", "size"),
    [*QUICK, *LONG],
)
def test_smooth_reach_is_the_greatest_local_sensitivity_within_each_distance(statistic, size):
    known = fixed_size(statistic, size)
    for x in known:
        table = SortedTable(x, Fraction(LEAST), Fraction(GREATEST))
        (part,) = parts(statistic, "change_one", table, None)
        for k in range(size + 2):
            assert part.reach(table, k).value == max(known[y] for y in within(x, known, 2 * k))


@cache
def every_size(statistic, empty, most=5, greatest=2):
    """Local sensitivity of each table of at most that many rows, one row added or removed."""
    found = [t for n in range(most + 2) for t in tables(n, greatest)]

    def neighbours(t):
        more = [tuple(sorted((*t, Fraction(v)))) for v in range(greatest + 1)]
        return more + [t[:i] + t[i + 1 :] for i in range(len(t))]

    values = {t: Fraction(ORDER[statistic](t)) if t else Fraction(empty) for t in found}
    small = [t for t in found if len(t) <= most]
    return {t: max(abs(values[t] - values[s]) for s in neighbours(t)) for t in small}


@pytest.mark.parametrize(
    ("statistic", "empty"),
    [("median_low", 0), ("median_high", 2), ("minimum", 2), ("maximum", 0)],
)
def test_smooth_reach_is_exact_where_rows_are_added_and_removed(statistic, empty):
    known = every_size(statistic, empty)
    for x in known:
        table = SortedTable(x, Fraction(0), Fraction(2))
        (part,) = parts(statistic, "add_remove", table, Fraction(empty))
        for k in range(5 - len(x) + 1):
            assert part.reach(table, k).value == max(known[y] for y in within(x, known, k))


@pytest.mark.parametrize("empty", [0, 1, 2])
@pytest.mark.parametrize("statistic", ["median", "median_low", "median_high", "minimum", "maximum"])
def test_smooth_bound_holds_for_every_value_of_the_empty_table(statistic, empty):
    known = every_size(statistic, empty)
    for x in known:
        table = SortedTable(x, Fraction(0), Fraction(2))
        found = parts(statistic, "add_remove", table, Fraction(empty))
        for k in range(5 - len(x) + 1):
            mean = sum(part.reach(table, k).value for part in found) / len(found)
            assert mean >= max(known[y] for y in within(x, known, k))


def exponential(exponent):
    """e to a rational number, to 60 digits."""
    return (Decimal(exponent.numerator) / exponent.denominator).exp()


def decimal(value):
    return Decimal(value.numerator) / value.denominator


@pytest.mark.parametrize("statistic", ["median", "minimum", "quantile 3/4", "trimmed_mean 1"])
@pytest.mark.parametrize("beta", [Fraction(1, 10), Fraction(3, 2)])
def test_smooth_sensitivity_is_the_discounted_maximum_over_all_tables(statistic, beta):
    known = fixed_size(statistic, 4)
    found = {x: smooth_sensitivity(statistic, x, LEAST, GREATEST, beta) for x in known}
    with localcontext(prec=60):
        discount = [exponential(-beta * k) for k in range(5)]
        for x, one in found.items():
            truth = max(discount[distance(x, y) // 2] * decimal(known[y]) for y in known)
            assert one.is_least
            assert one.reason == ""
            assert decimal(one.lower) <= truth + Decimal("1e-50")
            assert decimal(one.upper) >= truth - Decimal("1e-50")
            assert one.upper - one.lower <= one.upper / 10**24


@pytest.mark.parametrize(
    ("statistic", "neighbours", "empty"),
    [("median", "change_one", None), ("quantile 3/4", "change_one", None), ("median_low", "add_remove", 0),
     ("median", "add_remove", 1), ("maximum", "add_remove", 2)],
)  # fmt: skip
def test_smooth_upper_ends_are_smooth_and_bound_the_local_sensitivity(statistic, neighbours, empty):
    beta = Fraction(1, 5)
    known = fixed_size(statistic, 4) if neighbours == "change_one" else every_size(statistic, empty, 4)
    top = GREATEST if neighbours == "change_one" else 2
    upper = {x: smooth_sensitivity(statistic, x, 0, top, beta, neighbours, empty).upper for x in known}
    apart = 2 if neighbours == "change_one" else 1
    with localcontext(prec=60):
        base = exponential(beta)
        for x in known:
            assert upper[x] >= known[x]
            assert all(decimal(upper[x]) <= base * decimal(upper[y]) for y in known if distance(x, y) == apart)


@pytest.mark.parametrize("zeros", [3, 4, 5])
def test_smooth_median_of_zeros_and_ones_falls_with_the_distance_to_a_jump(zeros):
    """NRS07: with the median of five numbers in [0, L] at 0, L can be reached after zeros - 3 changes and one more."""
    rows, width, beta = [0] * zeros + [7] * (5 - zeros), 7, Fraction(1, 3)
    found = smooth_sensitivity("median", rows, 0, width, beta)
    assert found.reaches == ((zeros - 3, Fraction(width)),)
    assert found.local == (width if zeros == 3 else 0)
    with localcontext(prec=60):
        truth = width * exponential(-beta * (zeros - 3))
        assert abs(decimal(found.upper) - truth) < Decimal("1e-24")


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
@pytest.mark.parametrize("name", FAMILIES)
def test_smooth_lemmas_of_every_family_are_proved_by_both_solvers(name, solver):
    assert undecided(lemmas(FAMILIES[name]), solver, 5) == ()


MEAN, LOW = FAMILIES["order_mean"], FAMILIES["median_low"]
WRONG = {
    "the low rank is one too high": replace(MEAN, low=replace(MEAN.low, one=MEAN.low.one + 2)),
    "the high rank is one too low": replace(MEAN, high=replace(MEAN.high, one=MEAN.high.one - 2)),
    "the last window is left out": replace(MEAN, last=replace(MEAN.last, one=0)),
    "the windows of distance k - 1": replace(MEAN, low=replace(MEAN.low, one=0), last=replace(MEAN.last, one=0)),
    "windows that do not grow": replace(MEAN, low=replace(MEAN.low, k=0)),
    "the count is forgotten": replace(MEAN, high=replace(MEAN.high, count=0, one=0)),
    "change-one windows of the middle under add_remove": replace(MEAN, neighbours="add_remove", first=LOW.first),
    "half the growth": replace(LOW, low=replace(LOW.low, k=0)),
    "the other median's rank": replace(LOW, first=FAMILIES["median_high"].first),
    "the median without its last row": replace(LOW, high=replace(LOW.high, one=0)),
    "the minimum without the rows below": replace(FAMILIES["minimum"], last=replace(MEAN.last, k=0, one=0)),
    "the maximum of one row fewer": replace(FAMILIES["maximum"], high=replace(FAMILIES["maximum"].high, one=0)),
}


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
@pytest.mark.parametrize("what", WRONG)
def test_smooth_lemmas_of_wrong_windows_are_not_proved(what, solver):
    assert undecided(lemmas(WRONG[what]), solver, 1) != ()


def test_smooth_lemmas_are_named_where_they_are_not_proved():
    assert unproved_lemmas("median", "add_remove", 5) == {"z3": (), "cvc5": ()}


@pytest.fixture(name="data")
def _data():
    asked = smooth_sensitivity("median", [0, 0, 0, 1, 3, 9, 10], 0, 10, Fraction(1, 4)).certificate.question()
    return {
        "statistic": asked.function, "rows": asked.text.split(), **json.loads(asked.question),
        **json.loads(asked.evidence),
    }  # fmt: skip


def asked_of(data):
    """The question of which these are the parts."""
    rest = {key: part for key, part in data.items() if key not in ("statistic", "rows", "parts")}
    brought = json.dumps({"parts": data["parts"]})
    return EngineQuestion("smooth_sensitivity", " ".join(data["rows"]), data["statistic"], json.dumps(rest), brought)


def read_certificate(data):
    return certificate_in(asked_of(data))


def test_smooth_certificate_says_what_it_establishes(data):
    read_certificate(data).check()
    assert "smooth bound of the sensitivity of median under change_one is at most" in read_certificate(data).sentence


def test_smooth_certificate_too_small_by_one_in_a_million_is_refused(data):
    less = Fraction(data["bound"]) * (1 - Fraction(1, 10**6))
    with pytest.raises(BadCertificate, match="bound must be at least"):
        read_certificate(data | {"bound": str(less)}).check()


def ends_without_bounds(rows, rank):
    """The mistake of taking the least and the greatest row for the bounds."""
    return rows[min(max(rank, 1), len(rows)) - 1]


def test_smooth_certificate_without_the_bounds_at_the_ends_is_refused():
    honest = smooth_sensitivity("median", [4, 5, 6], 0, 10, Fraction(1, 4)).certificate
    narrow = [Stretch(k, k, max(ends_without_bounds([4, 5, 6], 2 + t) - ends_without_bounds([4, 5, 6], 1 + t - k)
                                for t in range(k + 2)) * Fraction(1)) for k in range(4)]  # fmt: skip
    with pytest.raises(BadCertificate, match="A_1 must be 5, got 2"):
        replace(honest, parts=((*narrow, Stretch(4, None, Fraction(10))),)).check()


@pytest.mark.parametrize("factor", [Fraction(1, 2), Fraction(9, 10)])
def test_smooth_certificate_for_a_smaller_beta_is_refused(data, factor):
    """A bound for beta is too small for half of beta, where distance counts less."""
    with pytest.raises(BadCertificate, match="bound must be at least"):
        read_certificate(data | {"beta": str(Fraction(data["beta"]) * factor)}).check()


def test_smooth_certificate_for_another_table_is_refused(data):
    with pytest.raises(BadCertificate, match=r"A_\d must be"):
        read_certificate(data | {"rows": ["0", "0", "0", "0", "9", "9", "10"]}).check()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"statistic": "mean"}, "order statistic must be one of"),
        ({"beta": "0"}, "beta must be > 0"),
        ({"beta": "-1/4"}, "beta must be > 0"),
        ({"rows": ["3", "1"]}, "rows must be in order"),
        ({"bounds": ["0", "9"]}, "rows must be in order"),
        ({"neighbours": "swap"}, "is needed"),
        ({"more": "1"}, "must have the keys"),
        ({"bound": 0.5}, "no text"),
        ({"bound": "0.5"}, "must be p/q"),
        ({"bounds": ["0"]}, "two numbers"),
        ({"parts": []}, "1 part"),
        ({"parts": [[]]}, "last stretch"),
        ({"parts": [[["1", None, "10", "0"]]]}, "from 0 on"),
        ({"parts": [[["0", "0", "2", "1"]]]}, "no end"),
        ({"parts": [[["0", "0", "2", "1"], ["2", None, "10", "0"]]]}, "got 2 for 1"),
        ({"parts": [[["0", None, "9", "0"]]]}, "bound to bound"),
        ({"parts": [[["0", "1000", "10", "0"], ["1001", None, "10", "0"]]]}, "at most the number of rows"),
        ({"parts": [[["0", "0", "1", "1"], ["1", None, "10", "0"]]]}, "A_0 must be 2, got 1 of window 1"),
        ({"parts": [[["0", "0", "2", "0"], ["1", None, "10", "0"]]]}, "A_0 must be 2, got 2 of window 0"),
        ({"parts": [[[True, None, "10", "0"]]]}, "must be p/q"),
        ({"parts": [[["0", None]]]}, "a stretch must be"),
    ],
)
def test_smooth_certificate_that_is_not_one_is_refused(data, change, message):
    with pytest.raises(ValueError, match=message):
        read_certificate(data | change).check()


def test_smooth_certificate_replays_from_its_data(data):
    asked = asked_of(data)
    assert read_certificate(data).question() == asked
    assert restated(asked) == asked.question
    with pytest.raises(ValueError, match="written in order"):
        restated(replace(asked, text="0  0 0 1 3 9 10"))


def test_smooth_bound_of_a_large_table_has_a_short_certificate():
    rows = [(i * i * 7919) % 10**6 for i in range(3000)]
    found = smooth_sensitivity("median", rows, 0, 10**6, Fraction(1, 20))
    assert len(found.certificate.parts[0]) < 60
    assert found.reason == ""


def test_smooth_bound_that_is_not_enclosed_well_must_not_be_used():
    rows = [0] * 40 + [100] * 41
    assert smooth_sensitivity("minimum", rows, 0, 100, "1/100", seconds=0).reason.startswith("the bound is enclosed")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("mean", [1], 0, 4, 1), "order statistic must be one of"),
        (("median 2", [1], 0, 4, 1), "order statistic must be one of"),
        (("rank", [1], 0, 4, 1), "order statistic must be one of"),
        (("median", [], 0, 4, 1), "enough rows"),
        (("rank 3", [1, 2], 0, 4, 1), "enough rows"),
        (("rank 0", [1, 2], 0, 4, 1), "whole number >= 1"),
        (("quantile 0", [1, 2], 0, 4, 1), "level of a quantile"),
        (("trimmed_mean 1", [1, 2], 0, 4, 1), "enough rows"),
        (("median", [5], 0, 4, 1), "rows must be between 0 and 4, got 5"),
        (("median", [1], 0, 4, 0), "beta must be at least"),
        (("median", [1], 5, 4, 1), "rows must be between"),
        (("median", [0.5], 0, 4, 1), "must be exact"),
        (("median", [1], 0, 4, 1, "add_remove"), "answer on the empty table"),
        (("median", [1], 0, 4, 1, "add_remove", 5), "between 0 and 4, got 5"),
        (("quantile 1/2", [1], 0, 4, 1, "add_remove", 0), "under add_remove must be one of"),
    ],
)
def test_smooth_sensitivity_says_what_it_does_not_know(arguments, message):
    with pytest.raises(ValueError, match=message):
        smooth_sensitivity(*arguments)
