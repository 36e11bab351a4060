"""Published defects of released libraries are found, and their clean twins are not refuted.

Run by `make test-long` after `make audit-envs`; each search has at most ten seconds.
"""

from fractions import Fraction
from pathlib import Path

import pytest

from refdp.auditing.neighbours import Choice, Real, Record, Settings, Table, Vector, Whole, judge
from refdp.auditing.targets import Claim, function, of_library
from tests.auditing.environments import python_of

pytestmark = pytest.mark.long

HIGH, HIGHER = 2.0**50, 2.0**52
ONE, TWO = Fraction(1), Fraction(2)
SIZED = "t.make_sized_bounded_sum(size, bounds)"
BOTH = Claim("symmetric", TWO, "absolute")
REORDERED = Claim("symmetric", Fraction(0), "absolute")
LINEAR = "models.LinearRegression(bounds_X=(0, 100), bounds_y=(0, 1)).fit(x[0], x[1])"
LOGISTIC = "models.LogisticRegression(data_norm=10.0).fit(x[0], x[1]).classes_"
# A little more than one sensitivity, so that the rounding of a mean does not count.
HANDED = Claim("change_one", ONE, "diffprivlib:handed", (Fraction(1001, 1000),))
LABELS = Claim("change_one", ONE, "discrete", (Fraction(0),))


def opendp(text, space, claim, version="0.16.0", **values):
    return f"opendp-{version}", "opendp", text, values, space, claim


DEFECTS = {
    "opendp issue 2923": opendp(
        "t.make_sum_of_squared_deviations(vector_domain(atom_domain(bounds=bounds, nan=False), size=1024), "
        "symmetric_distance())",
        Table(Real(HIGH, HIGH + 1), 1024), BOTH, bounds=(HIGH, HIGH + 1),
    ),
    "opendp issue 2926": opendp(
        "t.make_metric_bounded(vector_domain(atom_domain(T=int), size=3), insert_delete_distance())",
        Table(Whole(), 3), Claim("opendp:InsertDeleteDistance", TWO, "hamming"),
    ),
    "opendp issue 2924": opendp(
        "t.make_b_ary_tree(vector_domain(atom_domain(T=int)), l2_distance(T=int), leaf_count=4, branching_factor=4)",
        Vector(Whole(0, 1000), 4), Claim("l2", TWO, "l2"),
    ),
    "opendp issue 314": opendp(SIZED, Table(Whole(0, 1), 2), BOTH, "0.3.0", size=2, bounds=(0, 1)),
    "Casacuberta et al. 2022, values": opendp(
        SIZED, Table(Real(HIGHER, HIGHER + 1), 1000), BOTH, "0.4.0", size=1000, bounds=(HIGHER, HIGHER + 1)
    ),
    "Casacuberta et al. 2022, orders": opendp(
        SIZED, Table(Real(0.0, 10.0), 3), REORDERED, "0.4.0", size=3, bounds=(0.0, 10.0)
    ),
    "diffprivlib issue 105": (
        "diffprivlib-0.6.6", "diffprivlib", LINEAR, {},
        Table(Record((Record((Real(0.0, 100.0),)), Real(0.0, 1.0))), columns=True, least=2), HANDED,
    ),
    "diffprivlib issue 106": (
        "diffprivlib-0.6.6", "diffprivlib", LOGISTIC, {},
        Table(Record((Record((Real(0.0, 1.0),)), Choice((0, 1, 7)))), columns=True, least=2), LABELS,
    ),
}  # fmt: skip

CLEAN = {
    "sized sum of integers": opendp(
        "t.make_sum(vector_domain(atom_domain(bounds=(0, 10)), size=3), symmetric_distance())",
        Table(Whole(0, 10), 3), BOTH,
    ),
    "sum of integers": opendp(
        "t.make_sum(vector_domain(atom_domain(bounds=(-5, 10))), symmetric_distance())",
        Table(Whole(-5, 10)), Claim("symmetric", ONE, "absolute"),
    ),
    "clamp": opendp(
        "t.make_clamp(vector_domain(atom_domain(T=float, nan=False)), symmetric_distance(), (-1.0, 1.0))",
        Table(Real()), Claim("symmetric", TWO, "symmetric"),
    ),
    "count": opendp(
        "t.make_count(vector_domain(atom_domain(T=int)), symmetric_distance())",
        Table(Whole()), Claim("symmetric", Fraction(3), "absolute"),
    ),
    "count by categories": opendp(
        "t.make_count_by_categories(vector_domain(atom_domain(T=str)), symmetric_distance(), categories=['a', 'b'])",
        Table(Choice(("a", "b", "c", ""))), Claim("symmetric", TWO, "l1"),
    ),
    "mean": opendp(
        "t.make_mean(vector_domain(atom_domain(bounds=(0.0, 10.0), nan=False), size=5), symmetric_distance())",
        Table(Real(0.0, 10.0), 5), BOTH,
    ),
    "sum of floats": opendp(
        "t.make_sum(vector_domain(atom_domain(bounds=bounds, nan=False), size=1000), symmetric_distance())",
        Table(Real(HIGHER, HIGHER + 1), 1000), BOTH, bounds=(HIGHER, HIGHER + 1),
    ),
    "sized sum of floats, 0.5.0": opendp(
        SIZED, Table(Real(HIGHER, HIGHER + 1), 1000), BOTH, "0.5.0", size=1000, bounds=(HIGHER, HIGHER + 1)
    ),
    "orders, 0.5.0": opendp(
        SIZED, Table(Real(0.0, 10.0), 3), REORDERED, "0.5.0", size=3, bounds=(0.0, 10.0)
    ),
    "sized sum of integers, 0.4.0": opendp(SIZED, Table(Whole(0, 1), 2), BOTH, "0.4.0", size=2, bounds=(0, 1)),
}  # fmt: skip


def judged(case):
    environment, family, text, values, space, claim = case
    target = of_library(family, text, python_of(environment), **values)
    return judge(target, space, claim, Settings(exceptions=family != "diffprivlib"))


@pytest.mark.parametrize("case", DEFECTS.values(), ids=DEFECTS)
def test_published_defects_are_refuted_by_a_pair(case):
    found = judged(case)
    assert found.verdict == "REFUTED", found
    assert found.witness.distance.exceeds(found.witness.bound)


@pytest.mark.parametrize("case", CLEAN.values(), ids=CLEAN)
def test_clean_transformations_are_not_refuted(case):
    found = judged(case)
    assert found.verdict == "NOT_REFUTED", found
    assert not found.stopped


def test_opendp_issue_2938_is_refuted_by_a_missing_value_that_a_free_count_tells():
    here, python = str(Path(__file__).parent), python_of("opendp-0.16.0")
    target = function("polars_queries:counted_after_cast", python, search=(here,))
    space = Table(Real(0.0, 10.0, nan=True), size=3)
    found = judge(target, space, LABELS, Settings(seconds=5.0, exceptions=False))
    assert found.verdict == "REFUTED", found
    assert [outcome.value[0] for outcome in found.witness.outcomes] == [0.0, 0.0]  # claimed to cost nothing
