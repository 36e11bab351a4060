"""The median and what is known of it, against the definitions: every table of few rows, and random neighbours."""

from fractions import Fraction as F
from functools import cache
from itertools import combinations_with_replacement

import refdp.derivations  # noqa: F401  (it registers the transformations)
from refdp.kernel import rules
from refdp.spec.distances import change_one_distance, metric
from refdp.spec.domains import contains
from refdp.spec.median_bounds import distance, smooth_bound
from refdp.spec.semantics import value
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from refdp.terms.term import substitute
from tests.claimed import median_with_distance, median_with_smooth_bound
from tests.exactness.laws import chances, share

LOWER, UPPER = F(0), F(3)


def median(table):
    """The lower one of the rows in the middle; the lower end where there is none."""
    return sorted(table)[(len(table) - 1) // 2] if table else LOWER


def replaced(table):
    """Every table with one row replaced by one of the grid."""
    rows = [F(i) for i in range(int(LOWER), int(UPPER) + 1)]
    return [(*table[:i], row, *table[i + 1 :]) for i in range(len(table)) for row in rows]


@cache
def local(table):
    """How far the median moves at most if one row is replaced."""
    return max((abs(median(table) - median(other)) for other in replaced(table)), default=F(0))


@cache
def tables(size):
    """Every table of so many rows of the grid: the rows of the worst neighbours are rows that are there, or ends."""
    return list(combinations_with_replacement([F(i) for i in range(int(LOWER), int(UPPER) + 1)], size))


def test_the_smooth_bound_is_that_of_its_definition():
    """The greatest local sensitivity of any table, divided by growth to the power of its distance."""
    for chance in chances("smooth median"):
        growth = chance.choice([F(1), F(11, 10), F(3, 2), F(2), F(5)])
        table = chance.choice(tables(chance.choice([1, 3, 3, 5])))
        by_definition = max(
            local(other) / growth ** int(change_one_distance(table, other)) for other in tables(len(table))
        )
        assert smooth_bound(sorted(table), LOWER, UPPER, growth) == by_definition
        found = value(read(f"median_with_smooth_bound({LOWER}, {UPPER}, {growth})"), table)
        assert found == (median(table), by_definition)


def test_the_distance_is_that_of_its_definition():
    for chance in chances("distance of the median"):
        bound, table = F(chance.randint(0, 3)), chance.choice(tables(chance.choice([1, 3, 3, 5])))
        far = [change_one_distance(table, other) for other in tables(len(table)) if local(other) > bound]
        by_definition = min(far, default=F(len(table) + 1))
        assert distance(sorted(table), LOWER, UPPER, bound) == by_definition
        found = value(read(f"median_with_distance({LOWER}, {UPPER}, {bound}, 1)"), table)
        assert found == (by_definition, median(table))


def edited(chance, neighbours, row):
    """A random table and a neighbour, in any order."""
    table = [row() for _ in range(chance.randint(0 if neighbours == "add_remove" else 1, 9))]
    other = list(table)
    if neighbours == "add_remove":
        other.insert(chance.randint(0, len(other)), row())
    else:
        other[chance.randrange(len(other))] = row()
    chance.shuffle(other)
    pair = [tuple(table), tuple(other)]
    return pair if chance.random() < 0.5 else pair[::-1]


def ranges(chance):
    """The ends of a range, and rows in it, often at its ends or equal."""
    lower = F(chance.randint(-5, 5))
    upper = lower + F(chance.randint(1, 12))
    inner = [F(chance.randint(int(lower), int(upper))) for _ in range(2)]
    return lower, upper, lambda: chance.choice([lower, upper, *inner, F(chance.randint(int(lower), int(upper)))])


def test_one_row_moves_the_median_and_its_smooth_bound_within_the_claims():
    claims = {n: getattr(median_with_smooth_bound, n)().claim for n in ("add_remove", "change_one")}
    for neighbours, claim in claims.items():
        reached = grown = 0
        for chance in chances(f"smooth bound {neighbours}"):
            lower, upper, row = ranges(chance)
            growth = 1 + F(chance.randint(0, 16), 8)
            values = {"lower": lower, "upper": upper, "growth": growth}
            a, b = edited(chance, neighbours, row)
            assert metric(claim.metric).within(a, b, F(evaluate(claim.d_in, {})))
            subject = read(f"median_with_smooth_bound({lower}, {upper}, {growth})")
            u, v = value(subject, a), value(subject, b)
            far = evaluate(claim.d_out[0], values)
            assert far == growth
            assert metric(claim.output_metric).within(u, v, far)
            assert contains(claim.output_domain, u)
            assert u[1] > 0
            reached += abs(u[0] - v[0]) == min(u[1], v[1])
            grown += u[1] == growth * v[1] or v[1] == growth * u[1]
        assert min(reached, grown) > share(100)


def test_one_row_moves_the_median_and_its_distance_within_the_claims():
    claims = {n: getattr(median_with_distance, n)().claim for n in ("add_remove", "change_one")}
    for neighbours, claim in claims.items():
        reached = jumps = 0
        for chance in chances(f"tested median {neighbours}"):
            lower, upper, row = ranges(chance)
            bound = F(chance.randint(0, 8))
            a, b = edited(chance, neighbours, row)
            subject = read(f"median_with_distance({lower}, {upper}, {bound}, 1)")
            u, v = value(subject, a), value(subject, b)
            assert evaluate(claim.d_out[0], {"bound": bound}) == bound
            assert metric(claim.output_metric).within(u, v, bound)
            assert all(contains(substitute(claim.output_domain, {"granularity": read("1")}), pair) for pair in (u, v))
            reached += max(u[0], v[0]) > 0 and abs(u[1] - v[1]) == bound > 0
            jumps += abs(u[1] - v[1]) > bound
        assert min(reached, jumps) > share(20)


def test_the_relation_of_tested_pairs_is_its_sentence():
    related = 0
    for chance in chances("tested pairs"):
        d = F(chance.randint(-1, 3))
        u, v = ((F(chance.randint(-1, 2)), F(chance.randint(0, 4))) for _ in range(2))
        near = abs(u[1] - v[1]) <= d or (u[0] <= 0 and v[0] <= 0)
        within = metric("tested").within(u, v, d)
        assert within == metric("tested").within(v, u, d) == (d >= 0 and abs(u[0] - v[0]) <= 1 and near)
        related += within
    assert share(100) < related


def test_both_rules_are_of_one_row():
    for stem in ("median_with_smooth_bound", "median_with_distance"):
        for neighbours, near in (("add_remove", "symmetric"), ("change_one", "change_one")):
            claim = rules.median_bounds(stem=stem, neighbours=neighbours).claim
            assert (claim.metric, str(claim.d_in)) == (near, "1")
