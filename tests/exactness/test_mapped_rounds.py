"""Rounds on rows that are mapped singly, by definition: each map is chosen in view of the outcomes before."""

from fractions import Fraction as F
from itertools import product

import pytest

from refdp.kernel import rules
from refdp.terms.term import ln
from tests.exactness.claims import least_impossible, private, tight
from tests.exactness.definition import near, pairs_of, satisfied
from tests.exactness.entering import given
from tests.exactness.laws import chances, random_laws, share, tables

pytestmark = pytest.mark.usefixtures("nameless")

OUTCOMES = (0, 1)
METRICS = ("symmetric", "change_one")


def together(laws, table, maps, k, path=(), mass=F(1)):
    """The law of the outcomes of k rounds, by its definition: `maps` holds the images of the rows after each path."""
    if len(path) == k:
        return {path: mass}
    mapped, found = tuple(sorted(maps[path][row] for row in table)), {}
    for y, p in laws[mapped].items():
        found |= together(laws, table, maps, k, (*path, y), mass * p)
    return found


def chosen(chance, rows, images, k):
    """A map of the rows for each tuple of less than k outcomes."""
    paths = [path for n in range(k) for path in product(OUTCOMES, repeat=n)]
    return {path: {row: chance.randrange(images) for row in range(rows)} for path in paths}


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("measure", ["pure", "approximate", "concentrated", "renyi"])
def test_mapped_rounds_are_never_exceeded_by_the_joint_law(measure, metric):
    """Arbitrary laws of tables of at most two rows; one round's loss alone would often be exceeded."""
    sharp = 0
    for chance in chances(f"mapped rounds {measure} {metric}", slow=2):
        images, rows, k = chance.choice([1, 2, 2]), chance.choice([1, 2, 3]), chance.choice([1, 2, 2, 3])
        inner, outer = tables(range(images), 2), tables(range(rows), 2)
        laws = random_laws(chance, inner, len(OUTCOMES), least_impossible(measure))
        loss = tight(measure, pairs_of(laws, near(inner, metric, 1)), chance)
        m = given(private("m()", f"table(finite({images}))", metric, 1, measure, loss))
        claim = rules.mapped_rounds(m, domain=f"table(finite({rows}))", k=str(k)).claim
        maps = chosen(chance, rows, images, k)
        found = {table: together(laws, table, maps, k) for table in outer}
        assert all(sum(one.values()) == 1 for one in found.values())
        pairs = pairs_of(found, near(outer, metric, 1))
        assert satisfied(measure, claim.d_out, pairs)
        sharp += not satisfied(measure, loss, pairs)
    assert sharp > share(50, slow=2)


def test_a_map_that_reads_another_row_would_break_the_claim():
    """Counts of ones, each outcome at most 2 times as likely for one row more; all rows mapped to the first of them."""
    laws = {n: {0: F(2**n, 2**n + 1), 1: F(1, 2**n + 1)} for n in range(4)}
    assert all(laws[n][y] <= 2 * laws[n + s][y] for n in (1, 2) for s in (-1, 1) for y in OUTCOMES)
    m = given(private("m()", "table(finite(2))", "symmetric", 1, "pure", (ln(2),)))
    assert str(rules.mapped_rounds(m, domain="table(finite(2))", k="1").claim.d_out[0]) == "ln(2)"
    counts = {table: sum(table[0] for _ in table) for table in ((0, 0), (1, 0, 0))}
    assert max(laws[counts[a]][y] / laws[counts[b]][y] for a in counts for b in counts for y in OUTCOMES) > 2
