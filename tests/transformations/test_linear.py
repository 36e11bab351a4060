"""linear, toeplitz and the sums by levels in pipelines: their maps, theorems, draws and refusals."""

from fractions import Fraction as F

import pytest

import refdp
from refdp import strategies
from refdp.claims import claim
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError, Private, Stable
from refdp.pipeline import PipelineError
from refdp.proofs.lines import prove
from refdp.provers.witnesses import NoWitness, refuted_by_output
from refdp.spec.column_norms import is_bound_in_l2
from refdp.transformations.linear import squared_factor

TREE = strategies.tree(4)


def test_linear_in_a_pipeline_has_the_theorem_of_its_map():
    found = refdp.linear(TREE) >> refdp.discrete_laplace(3, dimension=7)
    assert found.map(1) == 1
    said = refdp.theorem(found, 2).claim
    assert isinstance(said, Private)
    assert (str(said.d_in), str(said.d_out[0]), said.metric) == ("2", "2", "one_coordinate")


def test_linear_reads_a_histogram():
    found = refdp.histogram(4) >> refdp.linear(TREE, "l1") >> refdp.discrete_laplace(3, dimension=7)
    assert found.map(1) == 1
    assert str(refdp.theorem(found, 1).claim.d_out[0]) == "1"


def test_toeplitz_joins_gaussian_noise_on_the_grid_of_its_answers_only():
    root = refdp.toeplitz(strategies.square_root_coefficients(4), norm="l2")
    found = root >> refdp.discrete_gaussian(5, "1/16", dimension=4)
    assert F(381, 256) / 50 <= found.map(1) <= F(381, 256) / 50 + F(1, 10**10)
    assert refdp.theorem(found, 1).claim.measure == "concentrated"
    for step in (1, "1/8", "1/12"):
        with pytest.raises(PipelineError, match="does not lie in the input domain"):
            root >> refdp.discrete_gaussian(5, step, dimension=4)
    with pytest.raises(PipelineError, match="does not lie in the input domain"):
        root >> refdp.discrete_gaussian(5, "1/16", dimension=5)
    with pytest.raises(PipelineError, match="output metric l2 is not the input metric l1"):
        root >> refdp.discrete_laplace(5, "1/16", dimension=4)


@pytest.mark.parametrize("near", ["window_2", "apart_2_2", "spaced_2_3", "linf", "l1"])
def test_linear_under_a_relation_of_streams_has_its_theorem(near):
    for norm in ("l1", "l2"):
        claim = refdp.theorem(refdp.linear(TREE, near, norm), 1).claim
        assert isinstance(claim, Stable)
        squared = strategies.sensitivity(TREE, near, norm).bound
        bound = claim.d_out[0].rational
        assert bound == squared if norm == "l1" else squared <= bound**2 <= squared + F(1, 10**10)


def test_linear_from_l2_has_a_factor_that_is_checked():
    for rows in (TREE, strategies.prefixes(5), strategies.square_root(3), ((F(0), F(0)),)):
        squared = squared_factor(rows)
        assert is_bound_in_l2(rows, squared)
        assert not is_bound_in_l2(rows, squared - F(1, 2**30))
    assert squared_factor(strategies.tree(8)) == 15  # the all-ones vector: 1 + 2 + 4 + 8
    assert refdp.theorem(refdp.linear(TREE, "l2", "l2"), 1).claim.output_metric == "l2"


def test_decoded_answers_have_the_map_of_the_answers():
    found = refdp.tree_sums(3) >> refdp.discrete_laplace(3, dimension=7)
    decoded = found >> refdp.decode_output(strategies.honaker_decoder(4))
    assert decoded.map(1) == found.map(1) == 1
    theorem = refdp.theorem(decoded, 1)
    assert theorem.trusts == {"code: refdp.transformations"}
    assert len(decoded((1, 0, 2, 0))) == 4
    with pytest.raises(ValueError, match="matrix must have a column for each of the 7 numbers it gets, got 2"):
        (found >> refdp.decode_output([[1, 1]]))((1, 0, 2, 0))


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (lambda: refdp.linear([]), "at least one row"),
        (lambda: refdp.linear([[]]), "at least one row and one column"),
        (lambda: refdp.linear([[1], [1, 2]]), "rows of one length"),
        (lambda: refdp.linear([[0.5]]), "must be exact|write"),
        (lambda: refdp.linear([[1]], granularity=0), "granularity must be > 0, got 0"),
        (lambda: refdp.linear([[1]], "event"), "input metric must be"),
        (lambda: refdp.linear([[1]], norm="l3"), "output metric must"),
        (lambda: refdp.linear([[1]], "l2", "l1"), "input metric must be"),
        (lambda: refdp.linear(["12"]), "list of rows"),
        (lambda: refdp.linear(strategies.prefixes(100)), "written in at most"),
        (lambda: refdp.toeplitz([]), "coefficients"),
        (lambda: refdp.tree_sums(0), "levels must be"),
        (lambda: refdp.tree_sums(3, 1), "branching must be"),
        (lambda: refdp.tree_sums("5/2"), "levels must be"),
        (lambda: refdp.tree_sums(30), "levels must be such"),
        (lambda: refdp.tree_sums(2, norm="linf"), "has no map"),
        (lambda: refdp.wavelet_sums(0), "levels must be"),
        (lambda: refdp.two_level_sums(0, 1), "block must be"),
        (lambda: refdp.two_level_sums(10**6, 10**6), "must be at most"),
        (lambda: refdp.prefix_sums(-1), "entries must be"),
        (lambda: refdp.prefix_sums(2, granularity="-1"), "granularity must be > 0"),
        (lambda: refdp.decode_output([]), "matrix must be"),
        (lambda: refdp.decode_output(5), "matrix must be"),
        (lambda: refdp.decode_output([[1], []]), "matrix must be"),
    ],
)
def test_what_is_no_matrix_and_no_tree_is_refused(call, reason):
    with pytest.raises(ValueError, match=reason):
        call()


@pytest.mark.parametrize("other", [refdp.decode_output([[1, 0], [0, 1]]), refdp.clamp_output(0, 1), 5, None])
def test_what_cannot_follow_a_map_is_refused_in_one_sentence(other):
    with pytest.raises(PipelineError, match="what follows a transformation must be one, too, or a measurement, got"):
        refdp.tree_sums(4) >> other


def in_l2(rows=((1, 0), (1, 1))):
    return refdp.linear(rows, "one_coordinate", "l2")


CHAINED = {
    "a matrix after a matrix": lambda: in_l2() >> refdp.linear([[2, 1], [1, 1]], "l2", "l2"),
    "grouped the other way": lambda: (
        in_l2() >> (refdp.linear([[2, 1], [1, 1]], "l2", "l2") >> refdp.linear([[1, 1], [1, 2]], "l2", "l2"))
    ),
    "rounded": lambda: in_l2() >> refdp.rounded_to(1, 2, "l2"),
    "in L1 first": lambda: refdp.linear([[1, 0], [1, 1]]) >> refdp.linear([[2, 1], [1, 1]], "l1", "l2"),
    "levels": lambda: refdp.tree_sums(3, norm="l2") >> refdp.linear([[1] * 7], "l2", "l2"),
}


@pytest.mark.parametrize("name", CHAINED)
def test_theorem_of_a_chain_is_its_map_in_the_metric_of_its_output(name):
    """A subject does not say in which metric its parts meet; of two derivations that of the other metric is no map."""
    chain = CHAINED[name]()
    dimension = chain.output_domain.arguments[1].rational
    claim = refdp.theorem(chain, 2).claim
    assert (claim.output_metric, claim.output_domain) == (chain.output_metric, chain.output_domain)
    far, told = claim.d_out[0].rational, chain.map(2)
    assert abs(float(far) - float(told)) <= 1e-9 * float(far)
    noisy = chain >> refdp.discrete_gaussian(2, dimension=int(dimension))
    loss, told = refdp.theorem(noisy, 2).claim.d_out[0].rational, noisy.map(2)
    assert abs(float(loss) - float(told)) <= 1e-9 * float(loss)


def test_regions_by_level_are_refuted_no_further_than_they_lose():
    """One who moves costs 4/3, which is attained and not refuted; one who is added half, and no less is proved."""
    listed = claim("linear.regions_of_one_who_moves").formal
    witness = ({}, [(F(0),), (F(2),)], [tuple(map(F, (1, 1, 0, 1, 0, 0, 0)))])
    refuted_by_output(listed.replace("pure(1)", "pure(1333/1000)"), *witness)
    with pytest.raises(NoWitness):
        refuted_by_output(listed.replace("pure(1)", "pure(4/3)"), *witness)
    added = prove(claim("linear.regions_by_level"))
    assert rules.weaken(added, d_out=["1/2"]).claim == added.claim
    with pytest.raises(KernelError):
        rules.weaken(added, d_out=["499/1000"])
