"""Wrong programs fall, and quickly; tight true claims never do."""

from dataclasses import replace
from fractions import Fraction
from math import inf

import pytest

from refdp import work
from refdp.programs.counterexample import Counterexample, confirmed
from refdp.programs.probabilities import approximately, sign, text
from refdp.programs.refuting import laws
from refdp.programs.refuting.brackets import bracket_lower
from refdp.programs.refuting.search import Tried, refute
from refdp.programs.syntax import Claim, Program
from refdp.terms.leaves import rational
from tests.programs.refuting.programs import claims, library, numbers, read, released

LENGTHS = {
    "bad_gap_sparse_vector": 5, "bad_partial_sum": 1, "bad_smart_sum": 2, "chen": 3, "lee_clifton": 2,
    "noisy_max_exponential_value": 1, "noisy_max_value": 3, "partial_sum": 2, "prefix_sum": 2, "roth": 3,
    "smart_sum": 2, "sparse_vector_monotone": 3, "stoddard": 2,
}  # fmt: skip
"""The fewest data with which the literature refutes a program."""
SUPPORT = {"noisy_max_exponential_value", "stoddard", "bad_smart_sum"}
"""Programs with events that are possible with one of two neighbours only."""
WRONG = list(claims("REFUTED"))
SECONDS = 60.0
"""What a search may take; the slowest needs 2 s."""


@pytest.mark.parametrize(("program", "claim"), WRONG, ids=[f"{p.name}-{c.line}" for p, c in WRONG])
def test_every_wrong_program_falls(program: Program, claim: Claim) -> None:
    found = refute(program, claim, SECONDS)
    assert isinstance(found, Counterexample), found
    assert confirmed(program, claim, found)
    assert len(found.old) <= LENGTHS.get(program.name, len(found.old))
    if program.name in SUPPORT:
        assert sign(found.new_probability) == 0
        assert approximately(found.old_probability) > 0.3


TIGHT = [
    "lee_clifton", "sparse_vector", "sparse_vector_monotone", "partial_sum", "bounded_sum", "smart_sum",
    "noisy_histogram_scale_epsilon", "laplace_parallel", "geometric_mechanism", "noisy_max_exponential",
    "randomised_response", "randomised_response_linear", "one_time_rappor", "exponential_mechanism",
]  # fmt: skip


@pytest.mark.parametrize("name", TIGHT)
def test_tight_true_claims_are_not_refuted(name: str) -> None:
    for claim in library()[name].claims:
        if claim.expected == "PROVED":
            assert isinstance(refute(library()[name], claim, 0.4), Tried)


def test_the_likelier_event_is_preferred() -> None:
    """Of Lee and Clifton's program an event of probability 0.142, twenty times the literature's 0.0076."""
    program = library()["lee_clifton"]
    found = refute(program, next(c for c in program.claims if c.expected == "REFUTED"), SECONDS)
    assert isinstance(found, Counterexample)
    assert approximately(found.old_probability) > 0.14


def test_a_search_without_time_says_so() -> None:
    program, claim = next((p, c) for p, c in WRONG if p.name == "bad_gap_sparse_vector")
    start = work.spent()
    found = refute(program, claim, 0.05)
    assert isinstance(found, Tried)
    assert "the time is spent" in found.text
    assert work.spent() - start < 1


DELTA = """
@claim(epsilon="1/2", delta="{delta}", adjacency=ONE)
def program(q):
    return sum(q) + laplace(1)
"""


def test_deltas_are_refuted_up_to_the_true_one() -> None:
    """The true delta at epsilon 1/2 of noise of scale 1 is 1 - e^(-1/4) = 0.2212."""
    for delta, wrong in (("1/10", True), ("0.22", True), ("0.2213", False)):
        program = read(DELTA.format(delta=delta))
        assert isinstance(refute(program, program.claims[0], SECONDS if wrong else 2.0), Counterexample) == wrong


GAUSSIAN = """
@claim({claim}, adjacency=ALL)
def program(x: float):
    return x + gaussian(1)
"""


@pytest.mark.parametrize(
    ("claim", "wrong"),
    [
        ("rho='1/4'", True),
        ("rho='1/2'", False),
        ("epsilon='1', delta='0.126'", True),
        ("epsilon='1', delta='0.127'", False),
        ("epsilon='1'", True),
    ],
)
def test_normal_noise_has_its_rho_and_delta_and_no_epsilon(claim: str, wrong: bool) -> None:
    """rho = 1/2, and delta = 0.12694 at epsilon 1."""
    program = read(GAUSSIAN.format(claim=claim))
    assert isinstance(refute(program, program.claims[0], SECONDS if wrong else 3.0), Counterexample) == wrong


RESPONSE = """
@claim(epsilon="{epsilon}", adjacency=ALL)
def program(bit: bool):
    return bit != bernoulli(1 / 4)
"""


@pytest.mark.parametrize(
    ("epsilon", "wrong"), [("ln(3)", False), ("ln(3) - 1/1000", True), ("1/2*ln(9)", False), ("ln(2 + exp(1)/3)", True)]
)
def test_ties_with_logarithms_are_decided(epsilon: str, wrong: bool) -> None:
    program = read(RESPONSE.format(epsilon=epsilon))
    assert isinstance(refute(program, program.claims[0], SECONDS if wrong else 2.0), Counterexample) == wrong


def test_a_relation_of_one_direction_is_not_turned_round() -> None:
    text = """
def below(x, y):
    return x <= y <= x + 1

@claim(epsilon="{epsilon}", adjacency=below)
def program(x: float):
    return x + exponential(1)
"""
    wrong, right = (read(text.format(epsilon=epsilon)) for epsilon in ("1/2", "1"))
    found = refute(wrong, wrong.claims[0], SECONDS)
    assert isinstance(found, Counterexample)
    assert found.old[0] <= found.new[0]
    assert isinstance(refute(right, right.claims[0], SECONDS), Counterexample)  # new lies above: old has more support


@pytest.mark.parametrize(("name", "least", "most"), [("lee_clifton", "1.7499", "1.75"), ("sparse_vector", "0.99", "1")])
def test_lower_bounds_are_near_the_truth_and_certified(name: str, least: str, most: str) -> None:
    program = library()[name]
    claim = replace(program.claims[0], given={}, adjacency=library()["sparse_vector"].claims[0].adjacency)
    found = bracket_lower(program, claim, 20.0)
    assert found is not None
    assert found.level is not None
    assert Fraction(least) <= found.level < Fraction(most)
    assert confirmed(program, found.found.claim, found.found)


def test_a_program_without_any_epsilon_has_no_level() -> None:
    program = library()["stoddard"]
    found = bracket_lower(program, program.claims[0], 10.0)
    assert found is not None
    assert found.level is None
    assert inf > approximately(found.found.old_probability) > 0


def test_the_counterexample_to_lee_clifton_at_27_50_is_the_literatures() -> None:
    """The data and the event of which DiPC stores the closed forms."""
    program = library()["lee_clifton"]
    claim = next(c for c in program.claims if c.expected == "REFUTED")
    found = refute(program, replace(claim, given={"epsilon": rational(Fraction(27, 50))}), SECONDS)
    assert isinstance(found, Counterexample)
    assert (found.old, found.new, found.events) == (numbers(-1, 0), numbers(0, -1), (released(False, True),))
    assert text(found.old_probability) == "(56 - 63*e^(-27/200) + 26*e^(-81/200) - 9*e^(-27/50))/112"
    assert text(found.new_probability) == "(19*e^(-81/200) - 9*e^(-27/50))/112"


def test_a_claim_about_nothing_that_is_tried_says_so() -> None:
    text = (
        '@claim(epsilon="1", adjacency=ALL, where="epsilon > 1000")\ndef program(q, epsilon):\n    return laplace(1)\n'
    )
    program = read(text)
    found = refute(program, program.claims[0], SECONDS)
    assert isinstance(found, Tried)
    assert "nothing that the claim allows" in found.text


BESIDE = """
@claim(epsilon="1/2", adjacency=ONE)
def program(q, epsilon):
    noise = {noise}
    for x in q:
        if x + {other} >= noise:
            yield True
            break
        else:
            yield False
"""


@pytest.mark.parametrize(
    ("noise", "other"),
    [
        ("laplace(1/10**6)", "laplace(1/10**6)"),
        ("laplace(1/10**320)", "laplace(1/10**320)"),
        ("gaussian(1/10**7)", "gaussian(1/10**7)"),
        ("discrete_laplace(10**8)", "discrete_laplace(10**8)"),
    ],
)
def test_noise_far_from_the_scale_of_the_data_is_no_reason_to_take_all_memory(noise, other, monkeypatch):
    """A grid of cells as narrow as the noise, or of the integers that it reaches, was made of it: of millions."""
    sizes = []
    real = laws.Grid.__init__

    def counted(self, nodes, *rest):
        sizes.append(len(nodes))
        real(self, nodes, *rest)

    monkeypatch.setattr(laws.Grid, "__init__", counted)
    program = read(BESIDE.format(noise=noise, other=other))
    assert isinstance(refute(program, program.claims[0], SECONDS), Tried)
    assert max(sizes, default=0) <= 6 * laws.MOST_CELLS


@pytest.mark.parametrize(("noise", "other"), [("laplace(1/10**6)", "laplace(1)"), ("laplace(1)", "laplace(1/10**6)")])
def test_hardly_any_noise_beside_some_is_refuted(noise, other):
    """What is summed over is the one whose grid is none of millions."""
    program = read(BESIDE.format(noise=noise, other=other))
    found = refute(program, program.claims[0], SECONDS)
    assert isinstance(found, Counterexample), found
    assert confirmed(program, program.claims[0], found)
