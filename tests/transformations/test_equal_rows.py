"""Sums over rows: what equal rows contribute is worked out once, and is what they contribute one by one."""

from fractions import Fraction as F
from random import Random

import pytest

from refdp import attribute_means, clamped_sum, count, histogram, mean
from refdp.spec import registry
from refdp.spec.rows import RowSum
from refdp.terms.evaluation import evaluate
from refdp.transformations import rank_scores

SUMS = {
    "clamped sum": (clamped_sum("-1/2", "5/2", granularity="1/2"), lambda r: F(r.randint(-9, 9), 2)),
    "count": (count("grid(1)"), lambda r: F(r.randint(-3, 3))),
    "histogram": (histogram(4), lambda r: F(r.randint(-1, 3))),
    "mean": (mean(0, 3, size=30), lambda r: F(r.randint(-3, 9))),
    "rank scores": (rank_scores(5), lambda r: F(r.randint(-1, 5))),
    "means of attributes": (attribute_means(3, 30), lambda r: tuple(F(r.randint(0, 1)) for _ in range(3))),
}
"""The rows of the last are vectors, of which several have the same entry in one place and not in another."""


def one_by_one(kind, subject, table):
    """The definition: the contribution of each row, added up."""
    values = registry.values(kind, subject)

    def total(**more):
        rows = [row[int(more["coordinate"])] if isinstance(row, tuple) else row for row in table]
        found = sum((F(evaluate(kind.contribution.term, {**values, **more, "row": row})) for row in rows), F(0))
        return found if kind.finish is None else F(evaluate(kind.finish.term, {**values, "total": found}))

    if not kind.is_vector:
        return total()
    return tuple(total(coordinate=F(j)) for j in range(int(values["dimension"])))


@pytest.mark.parametrize("name", SUMS)
def test_sums_are_those_of_the_rows_one_by_one(name):
    t, row = SUMS[name]
    kind, chance = registry.kind_of(t.subject.operator), Random(name)
    assert isinstance(kind, RowSum)
    for _ in range(100):
        n = 30 if name.startswith("mean") else chance.choice((0, 1, 30))
        table = tuple(row(chance) for _ in range(n))
        assert kind.apply(t.subject, table) == one_by_one(kind, t.subject, table)


def test_few_contributions_are_worked_out(monkeypatch):
    asked = []
    monkeypatch.setattr("refdp.spec.rows.evaluate", lambda term, values: asked.append(1) or evaluate(term, values))
    assert clamped_sum(0, 9)(tuple(F(k % 5) for k in range(1000))) == 2000
    assert count("grid(1)")(tuple(F(k) for k in range(1000))) == 1000
    assert len(asked) <= 12
