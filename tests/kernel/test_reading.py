"""Claims are read back from terms; a metric, measure or domain that is not registered is refused."""

import pytest

from refdp.kernel.judgements import KernelError
from refdp.kernel.reading import relation, well_formed
from refdp.spec.distances import DistanceError
from refdp.terms.reading import read

CLAIMS = [
    "private(m(x), grid(g), absolute(d), pure(d / x), 0 < x)",
    "private(m(), vector(reals(), n), l2(1), concentrated(1/2))",
    "private(m(), table(rows), symmetric(1), approximate(1, 0))",
    "private(m(), sized_table(vector(bounded(1, 0, 1), n), k), change_one(1), renyi(2, 1))",
    "stable(t(), table(records()), hamming(d), table(category(3)), symmetric(2 * d), 0 <= d, integer(d))",
    "stable(t(), finite(2), discrete(1), grid(1), linf(1))",
]


@pytest.mark.parametrize("text", CLAIMS)
def test_claim_read_is_the_claim_written(text):
    assert str(relation(read(text)).term) == text


@pytest.mark.parametrize(
    "text",
    [
        "private(m(), grid(1), absolute(1))",
        "private(m(), grid(1), absolute(1, 2), pure(1))",
        "private(m(), grid(1), absolute, pure(1))",
        "stable(t(), grid(1), absolute(1), grid(1))",
        "stable(t(), grid(1), absolute(1), grid(1), absolute(1, 2))",
        "stable(t(), grid(1), absolute(1), grid(1), absolute())",
        "normalised(m())",
        "refuted(private(m(), grid(1), absolute(1), pure(1)))",
        "holds('m.n', 'd')",
        "x",
        "1 < 2",
    ],
)
def test_claim_of_another_shape_is_refused(text):
    with pytest.raises(KernelError, match="not a private or stable claim"):
        relation(read(text))


@pytest.mark.parametrize(
    "text",
    [
        "private(m(), grid(1), distance(1), pure(1))",
        "private(m(), grid(1), pure(1), pure(1))",
        "stable(t(), grid(1), absolute(1), grid(1), distance(1))",
        "stable(t(), grid(1), mine(1), grid(1), absolute(1))",
        "stable(t(), grid(1), absolute(1), grid(1), pure(1))",
    ],
)
def test_claim_under_an_unregistered_metric_is_refused(text):
    with pytest.raises(DistanceError, match="metric must be one of symmetric"):
        relation(read(text))


@pytest.mark.parametrize("measure", ["loss(1)", "absolute(1)", "max_divergence(1)"])
def test_claim_under_an_unregistered_measure_is_refused(measure):
    with pytest.raises(DistanceError, match="measure must be one of pure"):
        relation(read(f"private(m(), grid(1), absolute(1), {measure})"))


@pytest.mark.parametrize("measure", ["pure()", "pure(1, 2)", "approximate(1)", "concentrated(1, 2)", "renyi(2)"])
def test_claim_with_a_loss_of_another_shape_is_refused(measure):
    with pytest.raises(KernelError, match="d_out under"):
        relation(read(f"private(m(), grid(1), absolute(1), {measure})"))


@pytest.mark.parametrize(
    "domain",
    ["x", "5", "set()", "grid()", "grid(1, 2)", "table(5)", "table(table(5))", "vector(5, 3)", "sized_table(grid(1))",
     "table('rows')", "vector(vector(grid(), 2), 2)"],
)  # fmt: skip
def test_claim_on_an_unregistered_domain_is_refused(domain):
    with pytest.raises(KernelError, match="is not a domain"):
        relation(read(f"private(m(), {domain}, absolute(1), pure(1))"))
    with pytest.raises(KernelError, match="is not a domain"):
        relation(read(f"stable(m(), grid(1), absolute(1), {domain}, absolute(1))"))


def test_claim_that_is_well_formed_stays_what_it_is():
    claim = relation(read(CLAIMS[0]))
    assert well_formed(claim) is claim
