"""Composition and chain against their definition: random mechanisms of arbitrary laws, all neighbours, exactly."""

from fractions import Fraction as F
from itertools import product
from math import comb
from random import Random

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError, Stable
from refdp.kernel.theorem import Theorem
from refdp.numerics.exact import decide
from refdp.spec.distances import metric
from refdp.spec.semantics import law as law_of
from refdp.terms.reading import read
from refdp.terms.term import apply, ln, name, number
from tests.exactness.claims import MEASURES, least_impossible, private, stable, tight
from tests.exactness.definition import (
    concentration,
    is_true,
    least_loss,
    near,
    pairs_of,
    satisfied,
    worst_moment,
    worst_ratio,
)
from tests.exactness.entering import entered, exactly, given, lookup, post_map, row_map
from tests.exactness.laws import chances, image, joint, random_laws, share, tables

pytestmark = pytest.mark.usefixtures("nameless")

DOMAIN = "table(finite(2))"


def greatest(losses):
    """The greatest in each column of closed losses."""
    columns = [list(column) for column in zip(*losses, strict=True)]
    return tuple(next(t for t in column if all(decide(u <= t) for u in column)) for column in columns)


@pytest.mark.parametrize("measure", [*MEASURES, "loss_tail"])
def test_compose_is_never_exceeded_by_the_joint_law(measure):
    """Two or three mechanisms on {0, 1, 2}; the greatest loss instead of the sum would often be exceeded."""
    sharp = 0
    for chance in chances(f"compose {measure}"):
        many, inputs = chance.choice([2, 2, 2, 3]), tuple(range(3))
        near_metric, d_in = chance.choice([("discrete", 1), ("absolute", 1), ("absolute", 2)])
        laws = [random_laws(chance, inputs, 2, least_impossible(measure)) for _ in range(many)]
        close = near(inputs, near_metric, d_in)
        # One Renyi order, so that the claims compose; under approximate DP each has its own epsilon.
        choices = (
            [Random(chance.random()) for _ in laws] if measure in ("approximate", "loss_tail") else [Last()] * many
        )
        losses = [tight(measure, pairs_of(one, close), choice) for one, choice in zip(laws, choices, strict=True)]
        claims = [private(f"m_{i}()", "finite(3)", near_metric, d_in, measure, loss) for i, loss in enumerate(losses)]
        claim = rules.compose(*map(given, claims)).claim
        together = {x: joint([one[x] for one in laws]) for x in inputs}
        assert satisfied(measure, claim.d_out, pairs_of(together, close))
        with entered(*(lookup(f"m_{i}", "finite(3)", one) for i, one in enumerate(laws))):
            assert all(law_of(claim.subject, F(x)) == together[x] for x in inputs)
        sharp += not satisfied(measure, greatest(losses), pairs_of(together, close))
    assert sharp > share(30 if measure == "loss_tail" else 150)


def test_compose_failures_is_never_exceeded_and_reached_by_independent_failures():
    sharp = 0
    for chance in chances("compose failures"):
        many, inputs = chance.choice([1, 2, 2, 3]), tuple(range(3))
        close = near(inputs, "absolute", 1)
        if chance.random() < 0.2:  # nothing, or the input
            failures = [F(chance.randint(0, 4), 8) for _ in range(many)]
            laws = [{x: {-1: 1 - d, x: d} for x in inputs} for d in failures]
        else:
            laws = [random_laws(chance, inputs, 2, 0) for _ in range(many)]
        losses = [tight("approximate", pairs_of(one, close), Random(chance.random())) for one in laws]
        claims = [private(f"m_{i}()", "finite(3)", "absolute", 1, "approximate", d) for i, d in enumerate(losses)]
        claim, added = (rule(*map(given, claims)).claim for rule in (rules.compose_failures, rules.compose))
        together = pairs_of({x: joint([one[x] for one in laws]) for x in inputs}, close)
        assert satisfied("approximate", claim.d_out, together)
        assert (claim.subject, claim.d_out[0]) == (added.subject, added.d_out[0])
        assert claim.d_out[1].rational <= added.d_out[1].rational
        less = number(claim.d_out[1].rational * F(999, 1000))
        sharp += less != number(0) and not satisfied("approximate", (claim.d_out[0], less), together)
    assert sharp > share(100)


class Last(Random):
    """Chooses the last of the options."""

    def choice(self, options):
        return options[-1]


def test_compose_of_different_orders_is_refused():
    claims = [given(private("m()", "finite(2)", "discrete", 1, "renyi", (number(n), number(9)))) for n in (2, 3)]
    with pytest.raises(KernelError, match="orders"):
        rules.compose(*claims)
    assert rules.compose(claims[0], claims[0]).claim.d_out == (number(2), number(18))


ROWS = tuple(range(3))
TABLES = tables(ROWS, 3)


@pytest.mark.parametrize(("neighbours", "measure"), [*product(["add_remove"], MEASURES), ("change_one", "pure")])
def test_parallel_is_never_exceeded_on_the_parts_of_a_partition(neighbours, measure):
    """Arbitrary laws of the number of rows in a part; some rows are in no part.

    Under add_remove the greatest loss is often reached, and under change_one half of what is claimed exceeded.
    """
    sharp = 0
    for chance in chances(f"parallel {neighbours} {measure}"):
        parts = chance.choice([1, 2, 2])
        images = {r: chance.randint(-1, parts - 1) for r in ROWS}
        laws = [random_laws(chance, range(3), 2, least_impossible(measure)) for _ in range(parts)]
        fixed = Last() if measure == "renyi" else chance  # one order, so that the claims are of one kind
        claims = [of_the_number(f"m_{i}()", one, measure, fixed) for i, one in enumerate(laws)]
        kinds = [lookup(f"m_{i}", "table(finite(3))", one, at_most_two) for i, one in enumerate(laws)]
        with entered(row_map("part_of", "finite(3)", f"category({parts})", images), *kinds):
            claim = rules.parallel(*map(given, claims), partition="part_of()", neighbours=neighbours).claim
            found = [law_of(claim.subject, exactly(t)) for t in TABLES[::6]]
        states = {t: tuple(min(sum(images[r] == i for r in t), 2) for i in range(parts)) for t in TABLES}
        joints = {s: joint([one[n] for one, n in zip(laws, s, strict=True)]) for s in set(states.values())}
        together = {t: joints[s] for t, s in states.items()}
        assert found == [together[t] for t in TABLES[::6]]
        assert (claim.metric, claim.d_in) == ({"add_remove": "symmetric"}.get(neighbours, neighbours), number(1))
        assert is_true(claim, together.__getitem__, TABLES)
        reached = greatest([c.d_out for c in claims])
        assert neighbours == "change_one" or claim.d_out == reached
        sharp += not satisfied(measure, reached, pairs_of(together, near(TABLES, claim.metric, 1)))
    assert (sharp > share(200)) == (neighbours == "change_one")


def at_most_two(table):
    """The number of rows, 2 standing for more."""
    return min(len(table), 2)


def of_the_number(subject, laws, measure, chance):
    """The tight claim about a mechanism of the number of rows, 2 standing for more: rows are added one at a time."""
    steps = [(0, 1), (1, 0), (1, 2), (2, 1)]
    return private(subject, "table(finite(3))", "symmetric", 1, measure, tight(measure, pairs_of(laws, steps), chance))


def test_parallel_without_a_partition_into_these_parts_is_refused():
    """Rows of another domain, other numbers of parts, no category, a filter: no partition of these rows."""
    claim = private("m()", "table(finite(3))", "symmetric", 1, "pure", (number(1),))
    images = dict.fromkeys(ROWS, 0)
    right = row_map("part_of", "finite(3)", "category(1)", images)
    wrong = [
        row_map("part_of", "finite(2)", "category(1)", images),
        row_map("part_of", "finite(3)", "category(2)", images),
        row_map("part_of", "finite(3)", "finite(1)", images),
        row_map("part_of", "finite(3)", "category(1)", {**images, 0: None}),
    ]
    with entered(right):
        assert isinstance(rules.parallel(given(claim), partition="part_of()", neighbours="add_remove"), Theorem)
    for kind in wrong:
        with entered(kind), pytest.raises(KernelError, match="part_of"):
            rules.parallel(given(claim), partition="part_of()", neighbours="add_remove")


UNSIZED, SIZED = tables(tuple(range(2)), 3), tables(tuple(range(2)), 3, 3)


@pytest.mark.parametrize("measure", ["pure", "approximate"])
def test_group_is_never_exceeded_k_edits_away(measure):
    """Arbitrary laws of tables of at most three rows of 0 and 1, or of just three."""
    sharp = 0
    for chance in chances(f"group {measure}"):
        sized, k, d_in = chance.random() < 0.4, chance.randint(1, 3), chance.choice([1, 1, 2])
        inputs, domain = (SIZED, "sized_table(finite(2), 3)") if sized else (UNSIZED, DOMAIN)
        near_metric = "change_one" if sized or chance.random() < 0.3 else "symmetric"
        laws = random_laws(chance, inputs, 2, least_impossible(measure))
        loss = tight(measure, pairs_of(laws, near(inputs, near_metric, d_in)), chance)
        claim = rules.group(given(private("m()", domain, near_metric, d_in, measure, loss)), k=str(k)).claim
        far = pairs_of(laws, near(inputs, near_metric, k * d_in))
        assert (claim.domain, claim.metric, claim.d_in) == (read(domain), near_metric, number(k * d_in))
        assert satisfied(measure, claim.d_out, far)
        sharp += not satisfied(measure, loss, far)
    assert sharp > share(100)


def test_group_reaches_its_bound_where_each_edit_doubles_the_odds():
    for n in range(2, 7):
        laws = {x: {0: F(2**x, 2**n), 1: 1 - F(2**x, 2**n)} for x in range(n)}
        assert worst_ratio([(laws[x + 1], laws[x]) for x in range(n - 1)]) == 2
        claim = given(private("m()", "table(finite(1))", "symmetric", 1, "pure", (ln(2),)))
        assert rules.group(claim, k=str(n - 1)).claim.d_out == (ln(worst_ratio([(laws[n - 1], laws[0])])),)


@pytest.mark.parametrize(
    ("domain", "near_metric"),
    [("sized_table(finite(2), 4)", "symmetric"), ("finite(3)", "discrete"), ("grid(1)", "absolute"),
     ("vector(grid(1), 2)", "l1"), ("table(finite(2))", "hamming")],
)  # fmt: skip
def test_group_off_a_geodesic_domain_is_refused(domain, near_metric):
    claim = private("m()", domain, near_metric, 1, "pure", (number(1),))
    with pytest.raises(KernelError, match="geodesic"):
        rules.group(given(claim), k="2")


def test_group_of_a_concentrated_loss_is_never_exceeded_k_edits_away():
    """Tilted binomials, of which the loss over k edits is nearly k^2 times that of one; k times is often exceeded."""
    sharp = 0
    for chance in chances("group concentrated"):
        n, odds, k = chance.randint(1, 4), F(chance.randint(11, 16), 10), chance.randint(2, 3)
        tilts = {x: [comb(n, y) * odds ** (x * y) for y in range(n + 1)] for x in range(k + 1)}
        laws = {x: {y: m / sum(ms) for y, m in enumerate(ms)} for x, ms in tilts.items()}
        rho = concentration(pairs_of(laws, near(tuple(laws), "absolute", 1)))
        found = given(private("m()", "table(finite(1))", "symmetric", 1, "concentrated", (number(rho),)))
        claim = rules.group(found, k=str(k)).claim
        assert claim.d_out == (number(k * k * rho),)
        far = pairs_of(laws, near(tuple(laws), "absolute", k))
        assert satisfied("concentrated", claim.d_out, far)
        sharp += not satisfied("concentrated", (number(k * rho),), far)
    assert sharp > share(500)


def test_group_of_a_renyi_loss_is_never_exceeded_two_edits_away():
    """Tilted binomials from order 4 to order 2: 7/3 of the divergence suffices, 4/3 often does not."""
    sharp = 0
    for chance in chances("group renyi"):
        n, odds = chance.randint(1, 4), F(chance.randint(11, 40), 10)
        tilts = {x: [comb(n, y) * odds ** (x * y) for y in range(n + 1)] for x in range(3)}
        laws = {x: {y: m / sum(ms) for y, m in enumerate(ms)} for x, ms in tilts.items()}
        loss = least_loss(worst_moment(pairs_of(laws, near(tuple(laws), "absolute", 1)), 4), 3)
        premise = given(private("m()", "table(finite(1))", "symmetric", 1, "renyi", (number(4), loss)))
        claim, far = rules.group_renyi(premise).claim, pairs_of(laws, near(tuple(laws), "absolute", 2))
        assert (claim.d_in, claim.d_out) == (number(2), (number(2), number(loss.rational * F(7, 3))))
        assert satisfied("renyi", claim.d_out, far)
        sharp += not satisfied("renyi", (number(2), number(loss.rational * F(4, 3))), far)
    assert sharp > share(100)


def test_replaced_rows_cost_at_most_two_edits():
    """Arbitrary laws of tables of at most three rows of 0 and 1; the loss of one edit is often exceeded."""
    sharp = 0
    for chance in chances("replaced rows"):
        measure, d_in = chance.choice([*MEASURES, "loss_tail", "ratio"]), chance.choice([2, 2, 3, 4])
        laws = random_laws(chance, UNSIZED, 2, least_impossible(measure))
        loss = tight(measure, pairs_of(laws, near(UNSIZED, "symmetric", d_in)), chance)
        claim = rules.replaced_rows(given(private("m()", DOMAIN, "symmetric", d_in, measure, loss))).claim
        assert (claim.metric, claim.d_in, claim.d_out) == ("change_one", number(F(d_in, 2)), loss)
        replaced = pairs_of(laws, near(UNSIZED, "change_one", F(d_in, 2)))
        assert satisfied(measure, claim.d_out, replaced)
        one = tight(measure, pairs_of(laws, near(UNSIZED, "symmetric", 1)), Last())
        sharp += not satisfied(measure, one, replaced)
    assert sharp > share(100)


@pytest.mark.parametrize("measure", [*MEASURES, "ratio"])
def test_post_process_is_never_exceeded_by_a_function_of_the_output(measure):
    merged = 0
    for chance in chances(f"post_process {measure}"):
        inputs, outcomes = tuple(range(3)), chance.randint(2, 4)
        laws = random_laws(chance, inputs, outcomes, least_impossible(measure))
        images = {y: chance.randint(0, 2) for y in tuple(range(outcomes))}
        close = near(inputs, "absolute", 1)
        premise = private("m()", "finite(3)", "absolute", 1, measure, tight(measure, pairs_of(laws, close), chance))
        with entered(lookup("m", "finite(3)", laws), post_map("f", images)):
            claim = rules.post_process(given(premise), function="f()").claim
            after = {x: image(laws[x], images) for x in inputs}
            assert all(law_of(claim.subject, F(x)) == after[x] for x in inputs)
        assert satisfied(measure, claim.d_out, pairs_of(after, close))
        merged += len(set(images.values())) < outcomes
    assert merged > share(300)


def test_post_process_of_what_is_no_registered_function_is_refused():
    claim = given(private("m()", "finite(2)", "discrete", 1, "pure", (number(1),)))
    for function in ("f()", "clamp_output(1, 0)", "m()", "count(records())"):
        with pytest.raises(KernelError):
            rules.post_process(claim, function=function)


PAIRS, GRID = tables(tuple(range(2)), 2), tuple(range(-2, 5))


@pytest.mark.parametrize("measure", MEASURES)
def test_chain_of_transformation_and_mechanism_is_never_exceeded(measure):
    """Sums of arbitrary contributions, then arbitrary laws of the sum, for a d' that is sometimes more than needed."""
    slack = 0
    for chance in chances(f"chain {measure}"):
        near_metric, d_in = chance.choice(["symmetric", "change_one"]), chance.randint(1, 2)
        worth = {r: chance.randint(-1, 2) for r in tuple(range(2))}
        sums = {t: sum(worth[r] for r in t) for t in PAIRS}
        close = near(PAIRS, near_metric, d_in)
        moved = max(abs(sums[a] - sums[b]) for a, b in close)
        reach = moved + chance.randint(0, 1)
        laws = random_laws(chance, GRID, 2, least_impossible(measure))
        loss = tight(measure, pairs_of(laws, near(GRID, "absolute", reach)), chance)
        first = stable("t()", DOMAIN, near_metric, d_in, "grid(1)", "absolute", moved)
        claim = rules.chain(given(first), given(private("m()", "grid(1)", "absolute", reach, measure, loss))).claim
        assert (claim.subject, claim.domain) == (apply("chain", read("t()"), read("m()")), read(DOMAIN))
        assert (claim.metric, claim.d_in) == (near_metric, number(d_in))
        assert satisfied(measure, claim.d_out, pairs_of({t: laws[s] for t, s in sums.items()}, close))
        slack += reach > moved
    assert slack > share(300)


TRIPLES = tables(ROWS, 2)


def test_chain_of_transformations_is_never_exceeded():
    """Arbitrary row functions, filters among them, then sums of arbitrary contributions."""
    reached = 0
    for chance in chances("chain of transformations"):
        near_metric = chance.choice(["symmetric", "change_one"])
        images = {r: chance.choice([0, 1, 2, None]) for r in ROWS}
        between = {t: tuple(sorted(images[r] for r in t if images[r] is not None)) for t in TRIPLES}
        worth = {r: chance.randint(-2, 2) for r in ROWS}
        sums = {t: sum(worth[r] for r in t) for t in TRIPLES}
        far = "symmetric" if None in images.values() else near_metric
        close = near(TRIPLES, near_metric, 1)
        moved = max(whole_distance(far, between[a], between[b]) for a, b in close)
        after = max(abs(sums[a] - sums[b]) for a, b in near(TRIPLES, far, moved))
        first = stable("s()", "table(finite(3))", near_metric, 1, "table(finite(3))", far, moved)
        second = stable("t()", "table(finite(3))", far, moved, "grid(1)", "absolute", after)
        claim = rules.chain(given(first), given(second)).claim
        worst = max(abs(sums[between[a]] - sums[between[b]]) for a, b in close)
        assert (claim.metric, claim.d_in, claim.output_metric) == (near_metric, number(1), "absolute")
        assert worst <= claim.d_out[0].rational
        reached += worst == claim.d_out[0].rational > 0
    assert reached > share(300)


def whole_distance(name_of_metric, u, v):
    """The least whole distance between two tables."""
    return next(d for d in range(9) if metric(name_of_metric).within(u, v, F(d)))


def test_chain_without_a_common_domain_metric_and_reach_is_refused():
    """Each way in which the middle does not meet, one at a time; the good one is accepted."""
    second = given(private("m()", "grid(1)", "absolute", 2, "pure", (number(1),)))
    first = given(stable("t()", DOMAIN, "symmetric", 1, "grid(1)", "absolute", 2))
    assert isinstance(rules.chain(first, second), Theorem)
    for outputs, far, d_out in [
        ("grid(2)", "absolute", 2),
        ("grid(1/2)", "absolute", 2),
        ("reals()", "absolute", 2),
        ("grid(1)", "discrete", 2),
        ("grid(1)", "absolute", F(2001, 1000)),
    ]:
        with pytest.raises(KernelError, match=r"does not lie in|is not the input metric|does not cover"):
            rules.chain(given(stable("t()", DOMAIN, "symmetric", 1, outputs, far, d_out)), second)
    reach = Stable(read("t()"), read(DOMAIN), "symmetric", name("d_in"), read("grid(1)"), "absolute", (name("d"),))
    with pytest.raises(KernelError, match="does not cover"):
        rules.chain(given(reach), second)
