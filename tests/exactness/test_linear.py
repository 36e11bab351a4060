"""Rules about linear maps, against their definitions: random small matrices, all neighbours of a grid of vectors."""

from fractions import Fraction as F
from itertools import combinations, permutations, product

import pytest

import refdp.derivations  # noqa: F401  (it registers the transformations)
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.spec.column_norms import greatest_move, is_bound_in_l2
from refdp.spec.contributions import position_sets, within
from refdp.spec.distances import l1_distance, l2_distance_squared, metric
from refdp.spec.linear import gram, is_positive_semidefinite
from refdp.spec.semantics import value
from refdp.terms.reading import read
from refdp.terms.term import apply, name, number, sqrt
from tests.exactness.laws import chances, share

ENTRIES = (F(0), F(0), F(1), F(-1), F(2), F(-3), F(1, 2), F(-2, 3), F(3, 4))
NEAR = (
    "one_coordinate", "l1", "linf", "window_1", "window_2", "window_9", "apart_1_1", "apart_2_1", "apart_2_2",
    "apart_3_2", "apart_9_9", "spaced_2_1", "spaced_2_2", "spaced_9_2", "spaced_3_3",
)  # fmt: skip


def random_matrix(chance, rows=3, columns=4):
    """Entries negative, zero and fractional; rows and columns of zeros now and then; one by one, too."""
    m, n = chance.randint(1, rows), chance.randint(1, columns)
    kept = [chance.random() < 0.9 for _ in range(n)]
    pick = chance.choice([ENTRIES, ENTRIES, (F(0), F(1)), (F(0),), (F(1), F(3, 2))])
    return tuple(tuple(chance.choice(pick) if keep else F(0) for keep in kept) for _ in range(m))


def written(matrix):
    return apply("linear", apply("tuple_of", *(apply("tuple_of", *map(number, row)) for row in matrix)))


def step_of(matrix):
    """A step that goes into every entry."""
    return F(1, 12)


def moved(far, u, v):
    """The distance of two images, squared under l2."""
    return l1_distance(u, v) if far == "l1" else l2_distance_squared(u, v)


@pytest.mark.parametrize("far", ["l1", "l2"])
def test_linear_map_is_never_exceeded_and_is_attained(far):
    """All moves of every entry by -1, 0 or 1, and by halves, that the definition of the relation allows."""
    signed = 0
    for chance in chances(f"linear_map {far}"):
        matrix, near = random_matrix(chance), chance.choice(NEAR)
        n, subject = len(matrix[0]), written(matrix)
        family = rules.linear_map(subject=subject, near=near, far=far, step=step_of(matrix)).claim
        assert family.domain == read(f"vector(grid(granularity), {n})")
        bound = greatest_move(matrix, near, far)
        assert family.d_out[0] == name("d_in") * (sqrt(number(bound.bound)) if far == "l2" else number(bound.bound))
        related, origin = metric(near).within, (F(0),) * n
        worst = F(0)
        for x in product((F(-1), F(0), F(1)), repeat=n):
            for scaled in (x, tuple(v / 2 for v in x)):
                if related(origin, scaled, F(1)) and related(scaled, origin, F(1)):
                    images = value(subject, origin), value(subject, scaled)
                    worst = max(worst, moved(far, *images))
        assert worst <= bound.bound
        assert bound.is_attained
        assert worst == bound.bound
        signed += min(entry for row in matrix for entry in row) < 0
    assert signed > share(300)


def test_linear_map_keeps_the_grid_that_it_states():
    for chance in chances("linear_map grid"):
        matrix, step, g = (
            random_matrix(chance),
            chance.choice([F(1, 12), F(1, 2), F(1), F(1, 5), F(3), F(1, 4)]),
            F(1, chance.randint(1, 3)),
        )
        fits = all((entry / step).denominator == 1 for row in matrix for entry in row)
        words = {"subject": written(matrix), "near": "one_coordinate", "far": "l1", "step": step}
        if not fits:
            with pytest.raises(KernelError, match="whole multiple"):
                rules.linear_map(**words)
            continue
        claim = rules.instantiate(rules.linear_map(**words), values={"granularity": g, "d_in": "1"}).claim
        x = tuple(g * chance.randint(-5, 5) for _ in matrix[0])
        assert claim.output_domain == read(f"vector(grid({number(g * step)}), {len(matrix)})")
        assert all((y / (g * step)).denominator == 1 for y in value(claim.subject, x))
        assert value(claim.subject, x) == tuple(sum(c * v for c, v in zip(row, x, strict=True)) for row in matrix)


def determinant(rows):
    """By the definition: the signed sum over permutations."""
    n, found = len(rows), F(0)
    for order in permutations(range(n)):
        sign = (-1) ** sum(a > b for a, b in combinations(order, 2))
        part = F(sign)
        for i, j in enumerate(order):
            part *= rows[i][j]
        found += part
    return found


def test_positive_semidefinite_is_that_all_principal_minors_are_at_least_0():
    seen = {True: 0, False: 0}
    for chance in chances("semidefinite", 2_000):
        n = chance.randint(1, 4)
        products = gram(random_matrix(chance, 3, n))
        n = len(products)
        less = chance.choice([F(0), F(1), F(1, 2), F(-1), F(2)])
        if chance.random() < 0.5:  # a multiple of the identity less the products, as the rule takes it
            tried = tuple(tuple((less * 4 if i == j else F(0)) - products[i][j] for j in range(n)) for i in range(n))
        else:
            tried = tuple(tuple(products[i][j] - (less if i == j else F(0)) for j in range(n)) for i in range(n))
        minors = [
            determinant([[tried[i][j] for j in chosen] for i in chosen])
            for size in range(1, n + 1)
            for chosen in combinations(range(n), size)
        ]
        expected = all(minor >= 0 for minor in minors)
        assert is_positive_semidefinite(tried) == expected
        seen[expected] += 1
    assert min(seen.values()) > share(200)


def test_linear_map_from_l2_to_l2_is_never_exceeded():
    """A bound that is stated holds of all vectors tried; one that a vector breaks is refused."""
    proved = 0
    for chance in chances("linear_map l2 l2"):
        matrix = random_matrix(chance)
        n = len(matrix[0])
        vectors = [v for v in product((F(-2), F(-1), F(0), F(1), F(2)), repeat=n) if any(v)]
        zero = (F(0),) * n
        subject = written(matrix)
        ratios = [moved("l2", value(subject, v), value(subject, zero)) / sum(a * a for a in v) for v in vectors]
        squared = max(ratios) + chance.choice([F(0), F(1, 4), F(2), F(-1, 1000)])
        words = {"subject": subject, "near": "l2", "far": "l2", "step": step_of(matrix), "squared": squared}
        if not is_bound_in_l2(matrix, squared):
            with pytest.raises(KernelError, match="does not bound"):
                rules.linear_map(**words)
            continue
        claim = rules.linear_map(**words).claim
        assert squared >= max(ratios)
        assert claim.d_out[0] == name("d_in") * sqrt(number(squared))
        proved += 1
    assert proved > share(300)


LEVELS = {
    "tree_sums": [(b, h, b ** (h - 1)) for b in (2, 3, 4) for h in (1, 2, 3)],
    "wavelet_sums": [(h, 2 ** (h - 1)) for h in (1, 2, 3, 4)],
    "two_level_sums": [(b, k) for b in (1, 2, 3) for k in (1, 2, 3)],
    "prefix_sums": [(n,) for n in range(1, 9)],
}


@pytest.mark.parametrize(("stem", "parameters"), [(s, p) for s, ps in LEVELS.items() for p in ps])
@pytest.mark.parametrize("far", ["l1", "l2"])
@pytest.mark.parametrize("near", ["one_coordinate", "l1"])
def test_level_sums_have_columns_of_the_stated_norm(stem, parameters, far, near):
    """The map is linear, each unit vector is at most the bound away from 0, and one of them just as far."""
    subject = apply(stem, *map(number, parameters))
    names = {"tree_sums": ("branching", "levels", "leaves"), "wavelet_sums": ("levels", "leaves"),
             "two_level_sums": ("block", "blocks"), "prefix_sums": ("entries",)}[stem]  # fmt: skip
    values = {key: str(v) for key, v in zip(names, parameters, strict=True)}
    levels = {"two_level_sums": 2}.get(stem) or dict(zip(names, parameters, strict=True)).get("levels") or parameters[0]
    closed = {**values, "granularity": "1/2", "d_in": "1"}
    bounds = {"d_out": [str(levels)]} if far == "l2" else {}
    claim = rules.instantiate(rules.level_sums(stem=stem, near=near, far=far), values=closed, **bounds).claim
    assert claim.subject == subject
    n, m = (int(d.arguments[1].rational) for d in (claim.domain, claim.output_domain))
    units = [tuple(F(int(i == j)) for j in range(n)) for i in range(n)]
    images = [value(subject, u) for u in units]
    zero = value(subject, (F(0),) * n)
    assert all(len(image) == m for image in images)
    assert max(moved(far, image, zero) for image in images) == levels
    for x in (tuple(F(3 * i * i - 7, 2) for i in range(n)),):
        assert value(subject, x) == tuple(sum(x[i] * images[i][j] for i in range(n)) for j in range(m))


def test_squared_error_is_the_mean_over_independent_signs():
    """Z of independent fair signs has mean 0 and variance 1: the mean over all of them is the error, at every x."""
    true = 0
    for chance in chances("squared_error"):
        strategy = random_matrix(chance, 3, 2)
        decoder = tuple(tuple(chance.choice(ENTRIES) for _ in strategy) for _ in range(chance.randint(1, 2)))
        workload = tuple(
            tuple(sum(b * c for b, c in zip(row, column, strict=True)) for column in zip(*strategy, strict=True))
            for row in decoder
        )
        c, b, w = map(written, (strategy, decoder, workload))
        claim = rules.squared_error(strategy=c, decoder=b, workload=w).claim
        x = tuple(F(chance.randint(-3, 3)) for _ in strategy[0])
        signs = list(product((F(-1), F(1)), repeat=len(strategy)))
        wanted, answered = value(w, x), value(c, x)
        errors = [
            l2_distance_squared(value(b, tuple(a + z for a, z in zip(answered, sign, strict=True))), wanted)
            for sign in signs
        ]
        assert claim.said[2] == number(sum(errors, F(0)) / len(signs))
        other = number(claim.said[2].rational + 1)
        false = rules.another_squared_error(claim=apply("squared_error", c, b, w, other)).claim
        assert false.claim.said[2] == other
        with pytest.raises(KernelError, match="the claim is true"):
            rules.another_squared_error(claim=claim.term)
        changed = (tuple(v + 1 for v in workload[0]), *workload[1:])
        with pytest.raises(KernelError, match="is not the workload"):
            rules.squared_error(strategy=c, decoder=b, workload=written(changed))
        assert rules.another_squared_error(claim=apply("squared_error", c, b, written(changed), claim.said[2]))
        true += 1
    assert true >= share(1000)


@pytest.mark.parametrize("near", [one for one in NEAR if "_" in one and one != "one_coordinate"])
def test_listed_sets_of_positions_are_what_the_relation_allows(near):
    """Each set listed is allowed whole, and each allowed set lies in one that is listed."""
    for n in range(1, 7):
        listed = [frozenset(s) for s in position_sets(near, n)]
        zero = [F(0)] * n
        for size in range(n + 1):
            for chosen in combinations(range(n), size):
                allowed = within(near, zero, [F(int(i in chosen)) for i in range(n)], F(1))
                assert allowed == any(set(chosen) <= s for s in listed)
