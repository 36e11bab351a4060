"""No mechanism and no transformation chooses the yardstick that it is measured by: each way to try is refused.

Each test holds what the proof in docs/soundness.md needs and a definition could have got around.
"""

from dataclasses import replace
from fractions import Fraction

import pytest

from refdp.mechanisms.discrete_gaussian import DISCRETE_GAUSSIAN
from refdp.mechanisms.discrete_laplace import DISCRETE_LAPLACE
from refdp.mechanisms.k_ary_randomised_response import K_ARY_RANDOMISED_RESPONSE
from refdp.mechanisms.truncated_geometric import TRUNCATED_GEOMETRIC
from refdp.provers.oracles import run
from refdp.sampling.coins import Coins
from refdp.sampling.schemes import draw
from refdp.spec import obligations
from refdp.spec.formulas import Real, formula
from refdp.spec.rows import Edit
from refdp.spec.samplers import SCHEMES, ClampedDraw, Rejection, SignedGeometric, TruthOrOther
from refdp.terms.reading import read
from refdp.terms.term import TermError, name, term
from refdp.transformations.clamped_sum import CLAMPED_SUM
from refdp.transformations.count import COUNT
from refdp.transformations.histogram import HISTOGRAM
from refdp.transformations.mean import MEAN
from refdp.transformations.unclamped_sum import UNCLAMPED_SUM
from tests.kinds import registered

SCHEME = SCHEMES["discrete_gaussian"]


@formula
def always(z: Real) -> Real:
    """ln 1: every draw is accepted."""
    return 0 * z


@formula
def laplace_over_gaussian(z: Real, sigma: Real, proposal_scale: Real) -> Real:
    """No constant: it makes a discrete Laplace draw pass for a discrete Gaussian one."""
    return -abs(z) / proposal_scale + z**2 / (2 * sigma**2)


@formula
def gaussian_rate(k: Real, sigma: Real, granularity: Real) -> Real:
    """No rate: it reads the number of steps."""
    return k * granularity**2 / (2 * sigma**2)


@formula
def half_the_rate(scale: Real, granularity: Real) -> Real:
    return granularity / (2 * scale)


@formula
def nothing(granularity: Real) -> Real:
    return 0 * granularity


@formula
def one(row: Real) -> Real:
    return 1 + 0 * row


@formula
def beyond(bound: Real, granularity: Real) -> Real:
    return granularity + 0 * bound


@formula
def beyond_in_steps(bound: Real) -> Real:
    return 1 + 0 * bound


@formula
def to_one(row: Real) -> Real:
    return max(0, min(1, row))


@formula
def to_one_in_steps(row: Real, granularity: Real) -> Real:
    return max(0, min(1, granularity * row))


@formula
def below_zero_without_categories(dimension: Real) -> Real:
    return 1 + dimension


def test_sampler_law_refuses_a_constant_that_is_none(monkeypatch):
    wrong = replace(DISCRETE_GAUSSIAN, stem="wrong_gaussian")
    monkeypatch.setitem(SCHEMES, wrong.stem, replace(SCHEME, log_acceptance=always, log_constant=laplace_over_gaussian))
    with registered(wrong), pytest.raises(TermError, match="must not read z"):
        obligations.sampler(wrong.stem)


def test_sampler_law_refuses_a_rate_that_reads_what_is_drawn(monkeypatch):
    wrong = replace(DISCRETE_GAUSSIAN, stem="wrong_gaussian")
    monkeypatch.setitem(SCHEMES, wrong.stem, SignedGeometric(gaussian_rate))
    with registered(wrong), pytest.raises(TermError, match="must not read k"):
        obligations.sampler(wrong.stem)


def test_sampler_law_needs_the_law_of_what_it_draws_from(monkeypatch):
    inner, outer = (replace(k, stem=f"wrong_{k.stem}") for k in (DISCRETE_LAPLACE, DISCRETE_GAUSSIAN))
    monkeypatch.setitem(SCHEMES, inner.stem, SignedGeometric(half_the_rate))
    monkeypatch.setitem(SCHEMES, outer.stem, replace(SCHEME, proposal=inner.stem))
    with registered(inner, outer):
        needed = obligations.sampler(outer.stem)
    assert run("z3", needed[f"sampler.{inner.stem}.draws_have_the_weights"]).verdict == "disproved"
    assert run("z3", needed["sampler.draws_have_the_weights"]).verdict == "proved"


def test_sampler_law_needs_the_conditions_of_what_it_draws_from(monkeypatch):
    fewer = tuple(c for c in TRUNCATED_GEOMETRIC.conditions if c != read("0 < scale"))
    wrong = replace(TRUNCATED_GEOMETRIC, stem="wrong_geometric", conditions=fewer)
    monkeypatch.setitem(SCHEMES, wrong.stem, ClampedDraw("discrete_laplace"))
    with registered(wrong), pytest.raises(TermError, match="must not be drawn where 0 < scale need not hold"):
        obligations.sampler(wrong.stem)


def test_sampler_law_needs_a_whole_number_of_values(monkeypatch):
    fewer = tuple(c for c in K_ARY_RANDOMISED_RESPONSE.conditions if c != read("integer(k)"))
    wrong = replace(K_ARY_RANDOMISED_RESPONSE, stem="wrong_response", conditions=fewer)
    scheme = SCHEMES["k_ary_randomised_response"]
    assert isinstance(scheme, TruthOrOther)
    monkeypatch.setitem(SCHEMES, wrong.stem, scheme)
    with registered(wrong), pytest.raises(TermError, match="not integer-valued"):
        obligations.sampler(wrong.stem)


@pytest.mark.parametrize("scale", [0, -1])
def test_sampler_refuses_a_proposal_that_has_no_law(monkeypatch, scale):
    assert isinstance(SCHEME, Rejection)
    monkeypatch.setitem(SCHEMES, "discrete_gaussian", replace(SCHEME, choose_scale=lambda values: Fraction(scale)))
    with pytest.raises(TermError, match=f"proposal_scale must be > 0, got {scale}"):
        draw(read("discrete_gaussian(1, 1)"), Fraction(0), Coins())


def test_no_finite_sensitivity_needs_a_step_above_0():
    """A constant contribution exceeds 0 times any bound, and has a finite sensitivity all the same."""
    wrong = replace(
        UNCLAMPED_SUM, stem="wrong_sum", contribution=one, units=one, output_step=nothing,
        unbounded_row=beyond, unbounded_units=beyond_in_steps,
    )  # fmt: skip
    with registered(wrong):
        needed = obligations.unbounded(wrong.stem)
    assert run("z3", needed["row_exceeds_every_bound"]).verdict == "disproved"


@pytest.mark.parametrize(
    "change",
    [
        {"input_rows": read("bounded(granularity, 0, granularity)")},
        {"input_rows": read("category(3)")},
        {"is_sized": True, "parameters": ("granularity", "size"), "example": {"granularity": term(1), "size": term(2)}},
    ],
)
def test_no_finite_sensitivity_needs_every_point_of_a_grid_as_a_row(change):
    wrong = replace(UNCLAMPED_SUM, stem="wrong_sum", **change)
    with registered(wrong), pytest.raises(TermError, match="has no row that exceeds every bound"):
        obligations.unbounded(wrong.stem)


def test_sum_is_on_no_grid_by_a_step_that_counts_itself():
    """The granularity is a whole multiple of itself, but no whole number: 1/2 is not on grid(1)."""
    conditions = (read("0 < granularity"), read("multiple(granularity, granularity)"))
    wrong = replace(
        COUNT, stem="wrong_sum", parameters=("granularity",), conditions=conditions, example={"granularity": term(1)},
        input_rows=read("grid(granularity)"), contribution=to_one, units=to_one_in_steps,
    )  # fmt: skip
    with registered(wrong), pytest.raises(TermError, match="not integer-valued by its shape: granularity"):
        obligations.stability(wrong.stem, "add_remove", "absolute")


@pytest.mark.parametrize("rows", [name("rows"), read("records()")])
def test_contribution_reads_numbers_and_vectors_only(rows):
    """A row that may be a vector has another entry in each coordinate: a bound for one number is none for it."""
    wrong = replace(
        HISTOGRAM, stem="wrong_histogram", input_rows=rows, parameters=("dimension", "rows"),
        example={"dimension": term(3), "rows": read("grid(1)")},
    )  # fmt: skip
    with pytest.raises(TermError, match="must not read row"), registered(wrong):
        pass


def test_prefix_of_vectors_reads_no_row():
    wrong = replace(HISTOGRAM, stem="wrong_histogram", input_rows=read("vector(grid(1), dimension)"))
    with pytest.raises(TermError, match="prefix_of_row of wrong_histogram must not read row"), registered(wrong):
        pass


@pytest.mark.parametrize("edits", [{("add_remove", "linf"): Edit(below_zero_without_categories)}, HISTOGRAM.edits])
@pytest.mark.parametrize("lost", ["1 <= dimension", "integer(dimension)"])
def test_sum_of_categories_needs_a_category(edits, lost):
    """A bound below 0 would be broken by two equal tables."""
    kept = tuple(c for c in HISTOGRAM.conditions if c != read(lost))
    wrong = replace(HISTOGRAM, stem="wrong_histogram", conditions=kept, edits=edits)
    with registered(wrong), pytest.raises(TermError, match="must have the condition"):
        obligations.stability(wrong.stem, "add_remove", "linf")


@pytest.mark.parametrize("kind", [CLAMPED_SUM, MEAN])
def test_parameters_count_grid_steps_only_where_the_conditions_say_so(kind):
    kept = tuple(c for c in kind.conditions if c != read("multiple(lower, granularity)"))
    wrong = replace(kind, stem="wrong_sum", conditions=kept)
    with registered(wrong), pytest.raises(TermError, match="not integer-valued by its shape: lower"):
        obligations.stability(wrong.stem, "change_one", "absolute")
