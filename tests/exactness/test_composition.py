"""Composition rules against their definition: random mechanisms of arbitrary laws, all neighbouring inputs, exactly."""

from collections import Counter
from fractions import Fraction as F
from itertools import product

import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError, Private, Stable
from refdp.kernel.theorem import Theorem
from refdp.spec.metrics import metric
from refdp.spec.semantics import law as law_of
from refdp.spec.terms import Term, apply, ln, name, number, read
from tests.exactness.definition import ORDERS, exp_bounds, is_true, near, satisfied, worst_excess, worst_ratio
from tests.exactness.entering import entered, fractions, given, lookup, post_map, row_map
from tests.exactness.laws import chances, image, joint, random_law, random_laws, tables

MEASURES = ("pure", "approximate", "concentrated", "renyi")


def least_loss(moment: F, times: int) -> Term:
    """A rational number not much above ln(moment) / times."""
    step, k = F(1, 1000), 0
    while exp_bounds(k * step * times, 128)[0] < moment:
        k += 1
    return number(k * step)


def tight(measure: str, pairs, chance) -> tuple[Term, ...]:
    """The least loss under the measure (Renyi and concentrated: rounded up by at most 1/1000), by definition."""
    if measure == "pure":
        return (ln_of(worst_ratio(pairs)),)
    if measure == "approximate":
        factor = F(chance.randint(4, 9), 4)
        return ln_of(factor), number(worst_excess(pairs, factor))
    from tests.exactness.definition import worst_moment

    if measure == "renyi":
        order = 3
        return number(order), least_loss(worst_moment(pairs, order), order - 1)
    found = [least_loss(worst_moment(pairs, n), n * (n - 1)) for n in ORDERS]
    return (max(found, key=lambda t: t.rational),)


def ln_of(x: F) -> Term:
    return number(0) if x == 1 else ln(x)


def private(subject: str, domain: str, near_metric: str, d_in: int, measure: str, d_out) -> Private:
    return Private(read(subject), read(domain), near_metric, number(d_in), measure, tuple(d_out))


def pairs_of(laws, found) -> list:
    return [(laws[a], laws[b]) for a, b in found]


@pytest.mark.parametrize("measure", MEASURES)
def test_compose_is_never_exceeded_by_the_joint_law(measure):
    """Two or three mechanisms on {0, 1, 2}; the greatest loss instead of the sum would often be exceeded."""
    sharp = 0
    for chance in chances(f"compose {measure}"):
        many, inputs = chance.choice([2, 2, 3]), fractions(3)
        near_metric, d_in = chance.choice([("discrete", 1), ("absolute", 1), ("absolute", 2)])
        least = 0 if measure == "approximate" else 1
        laws = [random_laws(chance, inputs, chance.randint(2, 3), least) for _ in range(many)]
        close = near(inputs, near_metric, d_in)
        kinds = [lookup(f"m_{i}", one) for i, one in enumerate(laws)]
        losses = [tight(measure, pairs_of(one, close), chance) for one in laws]
        premises = [
            given(private(f"m_{i}()", "finite(3)", near_metric, d_in, measure, loss)) for i, loss in enumerate(losses)
        ]
        claim = rules.compose(*premises).claim
        together = {x: joint([one[x] for one in laws]) for x in inputs}
        assert satisfied(measure, claim.d_out, pairs_of(together, close))
        with entered(*kinds):
            assert all(law_of(claim.subject, x) == together[x] for x in inputs)
        greatest = tuple(max(column, key=value) for column in zip(*losses, strict=True))
        sharp += not satisfied(measure, greatest, pairs_of(together, close))
    assert sharp > 300


def value(t: Term) -> float:
    """Roughly the number, to compare with."""
    from refdp.numerics.exact import enclose

    return enclose(t).lower


def test_compose_under_renyi_keeps_the_order():
    laws = random_laws(next(chances("orders")), fractions(2), 2)
    claims = [private("m()", "finite(2)", "discrete", 1, "renyi", (number(order), number(9))) for order in (2, 3)]
    assert laws
    with pytest.raises(KernelError, match="orders"):
        rules.compose(*map(given, claims))
    assert rules.compose(given(claims[0]), given(claims[0])).claim.d_out == (number(2), number(18))


ROWS = fractions(3)
TABLES = tables(ROWS, 3)


def split_state(parts: int, images, table):
    """The rows of each part."""
    return [tuple(r for r in table if images[r] == i) for i in range(parts)]


@pytest.mark.parametrize(("neighbours", "measure"), [*product(["add_remove"], MEASURES[:3]), ("change_one", "pure")])
def test_parallel_is_never_exceeded_on_the_parts_of_a_partition(neighbours, measure):
    """Mechanisms of the number of rows in a part, rows of no part among them; the greatest loss alone would not do
    under change_one, nor half of it under add_remove."""
    sharp = 0
    for chance in chances(f"parallel {neighbours} {measure}"):
        parts = chance.choice([1, 2, 2])
        images = {r: F(chance.randint(-1, parts - 1)) for r in ROWS}
        laws = [random_laws(chance, range(3), 2, int(measure != "approximate")) for _ in range(parts)]
        claims = [counting_claim(f"m_{i}", one, measure, chance) for i, one in enumerate(laws)]
        kinds = [lookup(f"m_{i}", one, lambda table: min(len(table), 2)) for i, one in enumerate(laws)]
        partition = row_map("part_of", "finite(3)", f"category({parts})", images)
        with entered(partition, *kinds):
            theorem = rules.parallel(*map(given, claims), partition="part_of()", neighbours=neighbours)
            claim = theorem.claim
            found = {t: law_of(claim.subject, t) for t in TABLES}
        together = {
            t: joint([one[min(len(p), 2)] for one, p in zip(laws, split_state(parts, images, t), strict=True)])
            for t in TABLES
        }
        assert found == together
        assert claim.metric == {"add_remove": "symmetric", "change_one": "change_one"}[neighbours]
        assert claim.d_in == number(1)
        assert is_true(claim, together.__getitem__, TABLES)
        if measure == "pure":
            less = claim.d_out[0].arguments[0].rational if claim.d_out[0].operator == "ln" else F(1)
            worst = worst_ratio(pairs_of(together, near(TABLES, claim.metric, 1)))
            sharp += worst**2 > less if neighbours == "change_one" else worst == less
    assert measure != "pure" or sharp > 300


def counting_claim(stem: str, laws, measure: str, chance) -> Private:
    """The tight claim about a mechanism of the number of rows, the same beyond 2: rows are added one at a time."""
    steps = [(0, 1), (1, 0), (1, 2), (2, 1), (0, 0)]
    return private(f"{stem}()", "table(finite(3))", "symmetric", 1, measure, tight(measure, pairs_of(laws, steps), chance))


def test_parallel_without_a_partition_into_these_parts_is_refused():
    """Rows of another domain, other numbers of parts, a filter, a user's function: no partition of these rows."""
    claim = private("m()", "table(finite(3))", "symmetric", 1, "pure", (number(1),))
    images = {r: F(0) for r in ROWS}
    wrong = [
        row_map("part_of", "finite(2)", "category(1)", images),
        row_map("part_of", "finite(3)", "category(2)", images),
        row_map("part_of", "finite(3)", "finite(1)", images),
        row_map("part_of", "finite(3)", "category(1)", {**images, F(0): None}),
    ]
    for kind in wrong:
        with entered(kind), pytest.raises(KernelError, match="part_of"):
            rules.parallel(given(claim), partition="part_of()", neighbours="add_remove")


SMALL = tables(fractions(2), 4)
SIZED = tables(fractions(2), 4, 4)


@pytest.mark.parametrize("measure", ["pure", "approximate"])
def test_group_is_never_exceeded_k_edits_away(measure):
    """Arbitrary laws of tables of at most 4 rows (beyond, the first 4 of each row decide), or of just 4 rows."""
    sharp = 0
    for chance in chances(f"group {measure}"):
        sized, k, d_in = chance.random() < 0.5, chance.randint(1, 4), chance.choice([1, 1, 2])
        inputs, domain = (SIZED, "sized_table(finite(2), 4)") if sized else (SMALL, "table(finite(2))")
        near_metric = "change_one" if sized or chance.random() < 0.3 else "symmetric"
        laws = random_laws(chance, inputs, 2, int(measure == "pure"))
        loss = tight(measure, pairs_of(laws, near(inputs, near_metric, d_in)), chance)
        claim = rules.group(given(private("m()", domain, near_metric, d_in, measure, loss)), k=str(k)).claim
        assert claim.d_in == number(k * d_in)
        assert is_true(claim, laws.__getitem__, inputs)
        sharp += k > 1 and not is_true(private("m()", domain, near_metric, k * d_in, measure, loss), laws.__getitem__, inputs)
    assert sharp > 100


def test_group_reaches_the_bound_where_each_edit_doubles_the_odds():
    """Mass 2^n / 3 on one outcome for n = 0, 1: nothing less than k epsilon would do."""
    for n in range(1, 6):
        laws = {x: {F(0): F(2) ** x / 2**n, F(1): 1 - F(2) ** x / 2**n} for x in range(n)}
        assert worst_ratio([(laws[n - 1], laws[0])]) == 2 ** (n - 1)
        claim = private("m()", "table(finite(1))", "symmetric", 1, "pure", (ln(2),))
        assert rules.group(given(claim), k=str(n)).claim.d_out == (ln(2**n),)


@pytest.mark.parametrize(
    ("domain", "near_metric"),
    [("sized_table(finite(2), 4)", "symmetric"), ("finite(3)", "discrete"), ("grid(1)", "absolute"),
     ("vector(grid(1), 2)", "l1"), ("table(finite(2))", "hamming")],
)  # fmt: skip
def test_group_off_a_geodesic_domain_is_refused(domain, near_metric):
    claim = private("m()", domain, near_metric, 1, "pure", (number(1),))
    with pytest.raises(KernelError, match="geodesic"):
        rules.group(given(claim), k="2")


@pytest.mark.parametrize("measure", MEASURES)
def test_post_process_is_never_exceeded_by_a_function_of_the_output(measure):
    merged = 0
    for chance in chances(f"post_process {measure}"):
        inputs, outcomes = fractions(3), chance.randint(2, 4)
        laws = random_laws(chance, inputs, outcomes, int(measure != "approximate"))
        images = {y: F(chance.randint(0, 2)) for y in fractions(outcomes)}
        close = near(inputs, "absolute", 1)
        loss = tight(measure, pairs_of(laws, close), chance)
        with entered(lookup("m", laws), post_map("f", images)):
            premise = given(private("m()", "finite(3)", "absolute", 1, measure, loss))
            claim = rules.post_process(premise, function="f()").claim
            after = {x: image(laws[x], images) for x in inputs}
            assert all(law_of(claim.subject, x) == after[x] for x in inputs)
        assert satisfied(measure, claim.d_out, pairs_of(after, close))
        merged += len(set(images.values())) < outcomes
    assert merged > 300


def stable(subject: str, domain: str, near_metric: str, outputs: str, far: str, d_in: int, d_out: F | int) -> Stable:
    return Stable(read(subject), read(domain), near_metric, number(d_in), read(outputs), far, (number(F(d_out)),))


@pytest.mark.parametrize("measure", MEASURES)
def test_chain_of_transformation_and_mechanism_is_never_exceeded(measure):
    """Sums of arbitrary contributions, then arbitrary laws of the sum: d' may be larger than what the sum moves."""
    slack = 0
    for chance in chances(f"chain {measure}"):
        inputs, near_metric, d_in = tables(fractions(2), 2), chance.choice(["symmetric", "change_one"]), chance.randint(1, 2)
        worth = {r: F(chance.randint(-1, 2)) for r in fractions(2)}
        sums = {t: sum((worth[r] for r in t), F(0)) for t in inputs}
        close = near(inputs, near_metric, d_in)
        moved = max(abs(sums[a] - sums[b]) for a, b in close)
        reach = moved + chance.randint(0, 1)
        grid = fractions(7, -2)
        laws = random_laws(chance, grid, 2, int(measure != "approximate"))
        loss = tight(measure, pairs_of(laws, near(grid, "absolute", reach)), chance)
        first = given(stable("t()", "table(finite(2))", near_metric, "grid(1)", "absolute", d_in, moved))
        second = given(private("m()", "grid(1)", "absolute", int(reach), measure, loss))
        claim = rules.chain(first, second).claim
        assert (claim.metric, claim.d_in, claim.domain) == (near_metric, number(d_in), read("table(finite(2))"))
        assert satisfied(measure, claim.d_out, [(laws[sums[a]], laws[sums[b]]) for a, b in close])
        slack += reach > moved
    assert slack > 300


def test_chain_of_transformations_is_never_exceeded():
    """Arbitrary row functions, filters among them, then sums of arbitrary contributions, or another row function."""
    sharp = 0
    for chance in chances("chain of transformations"):
        inputs, near_metric = tables(fractions(3), 2), chance.choice(["symmetric", "change_one"])
        images = {r: chance.choice([F(0), F(1), F(2), None]) for r in fractions(3)}
        between = {t: tuple(images[r] for r in t if images[r] is not None) for t in inputs}
        worth = {r: F(chance.randint(-2, 2)) for r in fractions(3)}
        sums = {t: sum((worth[r] for r in t), F(0)) for t in tables(fractions(3), 2)}
        close, far = near(inputs, near_metric, 1), "symmetric" if None in images.values() else near_metric
        moved = max(d for d in range(5) for a, b in close if first_distance(far, between[a], between[b]) == d)
        after = max(abs(sums[tuple(sorted(a))] - sums[tuple(sorted(b))]) for a, b in near(sums, far, moved))
        first = given(stable("s()", "table(finite(3))", near_metric, "table(finite(3))", far, 1, moved))
        second = given(stable("t()", "table(finite(3))", far, "grid(1)", "absolute", moved, after))
        claim = rules.chain(first, second).claim
        assert claim.subject == apply("chain", read("s()"), read("t()"))
        worst = max(abs(sums[tuple(sorted(between[a]))] - sums[tuple(sorted(between[b]))]) for a, b in close)
        assert metric(claim.output_metric).within(worst, F(0), claim.d_out[0].rational)
        sharp += claim.d_out[0].rational == worst > 0
    assert sharp > 300


def first_distance(name_of_metric: str, u, v) -> int:
    """The least whole distance between two tables."""
    return next(d for d in range(9) if metric(name_of_metric).within(u, v, F(d)))


def test_chain_without_a_common_domain_metric_and_reach_is_refused():
    """Each way in which the middle does not meet, one at a time; the good one is accepted."""
    base = ("table(grid(1))", "symmetric", "grid(1)", "absolute", 1, 2)
    second = given(private("m()", "grid(1)", "absolute", 2, "pure", (number(1),)))
    assert isinstance(rules.chain(given(stable("t()", *base)), second), Theorem)
    wrong = [
        (*base[:2], "grid(2)", *base[3:]),
        (*base[:2], "reals()", *base[3:]),
        (*base[:3], "discrete", *base[4:]),
        (*base[:5], F(2001, 1000)),
    ]
    for one in wrong:
        with pytest.raises(KernelError):
            rules.chain(given(stable("t()", *one)), second)
    with pytest.raises(KernelError, match="does not cover"):
        open_ended = Stable(read("t()"), read(base[0]), "symmetric", name("d_in"), read("grid(1)"), "absolute", (name("d"),))
        rules.chain(given(open_ended), second)


def test_post_process_of_an_unregistered_function_is_refused():
    claim = given(private("m()", "finite(2)", "discrete", 1, "pure", (number(1),)))
    for function in ("f()", "clamp_output(1, 0)", "m()", "count(records())"):
        with pytest.raises(KernelError):
            rules.post_process(claim, function=function)


def test_random_laws_are_laws():
    """The tests above would hold of nothing if these were not."""
    found = Counter(sum(random_law(chance, fractions(3), 0).values()) for chance in chances("laws", 200))
    assert found == {F(1): 200}
