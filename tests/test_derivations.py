"""The theorem of a pipeline says what its map says, of its subject, domain and metric; for random pipelines."""

from dataclasses import replace
from fractions import Fraction as F
from random import Random

import pytest

import refdp
from refdp.derivations import sampler_theorems
from refdp.kernel.judgements import KernelError, Private, Stable
from refdp.mechanisms import (
    discrete_gaussian,
    discrete_laplace,
    exponential,
    k_ary_randomised_response,
    permute_and_flip,
    randomised_response,
    truncated_geometric,
)
from refdp.numerics.exact import decide, exact_real
from refdp.spec.registry import kind_of
from refdp.terms.term import Term, apply, number, substitute
from refdp.transformations import (
    attribute_means,
    attributes,
    binary_code,
    category_of,
    clamp,
    clamped_sum,
    column,
    count,
    drop_missing,
    fill_missing,
    filter_rows,
    histogram,
    map_rows,
    mean,
    point_count,
    threshold_count,
)

SLACK = F(1, 10**9)
"""By which part of it a loss may exceed the map where a distance on the way, such as sqrt(2), was rounded up."""


def some(chance: Random) -> F:
    """A random scale."""
    return F(chance.randint(1, 20), chance.randint(1, 20))


def positive(row):
    """A filter."""
    return row > 0


def doubled(row):
    """A row function."""
    return 2 * row


def rows_of_records(chance, neighbours, size):
    """Steps on records, and whether a filter made the number of rows private."""
    steps, now = [], (neighbours, size)
    if chance.random() < 0.4:
        steps.append(fill_missing("a", 0, *now))
    if chance.random() < 0.3:
        steps.append(drop_missing("a", *now))
        now = ("add_remove", None)
    return steps, *now


def from_records(chance, neighbours, size):
    """Steps from records to a number or a vector, and the grid of it."""
    steps, neighbours, size = rows_of_records(chance, neighbours, size)
    kind = chance.choice(["column", "category", "binary", "attributes"] if size else ["column", "category", "binary"])
    if kind == "category":
        norm = chance.choice(["l1", "l2", "linf"])
        labels = tuple("abcd"[: chance.randint(1, 4)])
        return [*steps, category_of("c", labels, neighbours, size), histogram(len(labels), neighbours, norm)], F(1)
    if kind == "attributes":
        norm, many = chance.choice(["l1", "l2", "linf"]), chance.randint(1, 3)
        columns = tuple(f"d_{i}" for i in range(many))
        return [*steps, attributes(columns, neighbours, size), attribute_means(many, size, norm)], F(1, size)
    if kind == "binary":
        steps.append(binary_code(("d_1", "d_2"), neighbours, size))
        return summed(chance, steps, neighbours, size, F(1))
    step = F(1, chance.randint(1, 4))
    return summed(chance, [*steps, column("a", step, neighbours, size)], neighbours, size, step)


def from_numbers(chance, neighbours, size):
    """Steps from a table of numbers to a number; their functions keep no public size."""
    step = F(1, chance.randint(1, 4))
    steps = [clamp(-step, 3 * step, step, neighbours)] if chance.random() < 0.5 else []
    if chance.random() < 0.3:
        steps.append(map_rows(doubled, f"grid({step})", f"grid({step})", neighbours))
    if chance.random() < 0.3:
        steps.append(filter_rows(positive, f"grid({step})", neighbours))
        neighbours = "add_remove"
    return summed(chance, steps, neighbours, None, step)


def summed(chance, steps, neighbours, size, step):
    """The steps and a sum of the rows, and its grid."""
    lower, upper = step * chance.randint(-4, 0), step * chance.randint(1, 4)
    if size and chance.random() < 0.5:
        return [*steps, mean(lower, upper, size, step)], step / size
    sums = [
        (clamped_sum(lower, upper, step, neighbours), step),
        (threshold_count(lower, step, neighbours), F(1)),
        (point_count(upper, step, neighbours), F(1)),
        (count(f"grid({step})", neighbours), F(1)),
    ]
    total, grid = chance.choice(sums)
    return [*steps, total], grid


def mechanism(chance, total, grid):
    """A mechanism that reads what the sum makes."""
    vector = total.output_domain.operator == "vector"
    dimension = total.output_domain.arguments[1].rational if vector else None
    match total.output_metric:
        case "linf":
            return chance.choice([exponential, permute_and_flip])(some(chance))
        case "l2":
            return discrete_gaussian(some(chance), grid, dimension)
        case "l1":
            return discrete_laplace(some(chance), grid, dimension)
    return chance.choice([discrete_laplace, discrete_gaussian])(some(chance), grid)


def pipeline(chance, neighbours, size):
    """A random pipeline; one in four is left without its mechanism."""
    start = from_numbers if size is None and chance.random() < 0.5 else from_records
    steps, grid = start(chance, neighbours, size)
    if chance.random() < 0.75:
        steps.append(mechanism(chance, steps[-1], grid))
    chained = steps[0]
    for step in steps[1:]:
        chained = chained >> step
    return chained


def exactly_mapped(p, d_in) -> list[Term]:
    """The map at d_in, as closed terms."""
    d_out = p.d_out if isinstance(p.d_out, tuple) else (p.d_out,)
    return [substitute(t, {"d_in": number(F(d_in))}) for t in d_out]


def assert_agrees(p, d_in):
    """The theorem is of the pipeline, and its loss is the map: equal where it is rational, else a little above."""
    claim = refdp.theorem(p, d_in).claim
    assert (claim.subject, claim.domain, claim.metric) == (p.subject, p.input_domain, p.input_metric)
    assert (claim.d_in, claim.given) == (number(F(d_in)), ())
    far = claim.output_metric if isinstance(claim, Stable) else claim.measure
    assert far == (p.output_metric if isinstance(claim, Stable) else p.measure)
    mapped = p.map(d_in)
    for loss, least, said in zip(claim.d_out, exactly_mapped(p, d_in), [mapped], strict=True):
        assert decide(least <= loss)
        assert decide(least <= exact_real(str(said)).term)
        assert exact_real(str(loss)) == said or ("sqrt" in str(least) and decide(loss <= least * (1 + SLACK)))
    return claim


@pytest.mark.parametrize(("neighbours", "size"), [("add_remove", None), ("change_one", None), ("change_one", 10)])
def test_theorem_of_a_random_pipeline_says_what_its_map_says(neighbours, size):
    kinds = {Private: 0, Stable: 0}
    for i in range(150):
        chance = Random(f"pipeline {neighbours} {size} {i}")
        p = pipeline(chance, neighbours, size)
        claim = assert_agrees(p, chance.choice([0, 1, 1, 2, F(3, 2)]))
        assert claim.domain.operator == ("sized_table" if size else "table")
        kinds[type(claim)] += 1
    assert min(kinds.values()) > 5


@pytest.mark.parametrize(
    "p",
    [
        discrete_laplace("3/2", "1/2"), discrete_laplace(2, dimension=3), truncated_geometric("1/2", 0, 1, "1/4"),
        discrete_gaussian("5/2", 3), discrete_gaussian(2, "1/4", dimension=2), truncated_geometric(2, -3, 7),
    ],
)  # fmt: skip
def test_theorem_of_noise_alone_says_what_its_map_says(p):
    for d_in in (0, 1, F(7, 3)):
        assert_agrees(p, d_in)


@pytest.mark.parametrize("p", [randomised_response("3/4"), k_ary_randomised_response(5, "2/3")])
def test_theorem_of_randomised_response_says_what_its_map_says(p):
    """Any two inputs are at distance 1, so that the loss is the same at every distance."""
    claim = refdp.theorem(p, 1).claim
    assert [exact_real(str(t)) for t in claim.d_out] == [p.map(1)]
    assert (claim.domain, claim.metric, claim.d_in) == (p.input_domain, "discrete", number(1))


@pytest.mark.parametrize("selection", [exponential, permute_and_flip])
def test_theorem_of_a_selection_holds_for_any_number_of_candidates(selection):
    claim = refdp.theorem(selection("1/3"), 2).claim
    assert claim.d_out == (number(selection("1/3").map(2)),)
    assert sorted(map(str, claim.given)) == ["1 <= candidates", "integer(candidates)"]


def test_theorem_of_compositions_adds_up_its_parts():
    """Subjects of several mechanisms have no constructor yet: the theorem of their term is the sum of the maps."""
    parts = [clamped_sum(0, 12) >> discrete_laplace(25), count("grid(1)") >> discrete_laplace(4)]
    both = replace(parts[0], subject=apply("compose", *(p.subject for p in parts)))
    assert refdp.theorem(both, 2).claim.d_out == (number(sum(p.map(2) for p in parts)),)


@pytest.mark.parametrize("neighbours", ["add_remove", "change_one"])
def test_theorem_of_parts_of_a_partition(neighbours):
    """The greatest loss of a row added or removed, twice that of a row replaced."""
    part = category_of("island", ("A", "B")).subject
    counts = [count() >> discrete_laplace(s) for s in (2, 3)]
    metric = {"add_remove": "symmetric"}.get(neighbours, neighbours)
    p = replace(counts[0], subject=apply("parallel", part, *(c.subject for c in counts)), input_metric=metric)
    assert refdp.theorem(p, 1).claim.d_out == (number(F(1, 2) if neighbours == "add_remove" else F(1)),)


def test_theorem_trusts_what_its_parts_trust():
    """A user's function adds an assumption, the package's own row functions their code, a formula nothing."""
    p = map_rows(doubled, "grid(1)", "grid(1)") >> clamped_sum(0, 5) >> discrete_laplace(1)
    assert "assumption: a user's row function reads only its row" in refdp.theorem(p, 1).trusts
    q = column("a") >> clamped_sum(0, 5) >> discrete_laplace(1)
    assert "code: refdp.transformations" in refdp.theorem(q, 1).trusts
    assert refdp.theorem(clamped_sum(0, 5), 1).trusts == frozenset()


@pytest.mark.parametrize("d_in", ["-1", -2])
def test_theorem_at_a_negative_distance_is_refused(d_in):
    with pytest.raises(KernelError, match="does not hold"):
        refdp.theorem(discrete_laplace(1), d_in)


@pytest.mark.parametrize("d_in", [0.5, float("nan"), None, "x"])
def test_theorem_at_no_exact_distance_is_refused(d_in):
    with pytest.raises(ValueError, match=r"^d_in must be"):
        refdp.theorem(discrete_laplace(1), d_in)


def test_sampler_theorems_are_of_every_mechanism_that_draws():
    p = clamped_sum(0, 12) >> discrete_laplace(25)
    subject = apply("compose", p.subject, truncated_geometric(1, 0, 3).subject, randomised_response("3/4").subject)
    found = sampler_theorems(subject)
    assert set(found) == {"discrete_laplace", "truncated_geometric", "randomised_response"}
    for stem, theorem in found.items():
        assert (theorem.claim.kind, theorem.claim.subject.operator) == ("sampler_law", stem)
        assert theorem.claim.given == kind_of(stem).conditions
