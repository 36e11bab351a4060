"""Local randomisers: maps, draws, refusals and worked examples; what is of one alone stands in a file of its own."""

from fractions import Fraction as F
from itertools import product

import pytest

import refdp
from refdp.kernel.judgements import Private
from refdp.spec.semantics import law
from refdp.terms.reading import read
from tests.exactness.refusals import refusal, shows
from tests.mechanisms.checks import NOT_NUMBERS, refuted, walked

MADE = {
    "symmetric_unary_encoding": {"k": 3, "truth": "2/3"},
    "optimised_unary_encoding": {"k": 3, "ratio": 4},
    "permanent_response": {"bits": 2, "f": "1/2"},
    "rappor": {"bits": 2, "f": "1/2", "p": "1/2", "q": "3/4"},
    "d_bit_flip": {"k": 3, "d": 2, "truth": "2/3"},
    "one_bit_flip": {"k": 3, "truth": "4/5"},
    "subset_selection": {"k": 4, "d": 2, "truth": "2/3"},
    "hadamard_response": {"k": 3, "truth": "4/5"},
    "hadamard_entry_response": {"m": 4, "truth": "4/5"},
    "one_bit_mean": {"greatest": 6, "ratio": 4},
}


def made(stem, **changed):
    """The mechanism, with other parameters where they are given."""
    return getattr(refdp, stem)(**MADE[stem] | changed)


def inputs(stem):
    """Some inputs, as users give them."""
    match stem:
        case "permanent_response" | "rappor":
            return [(0, 1), (1, 0), (1, 1), (0, 0)]
        case "one_bit_mean":
            return [0, 6, F(5, 2), "1/3"]
        case "symmetric_unary_encoding" | "optimised_unary_encoding" | "d_bit_flip":
            return [-1, 0, 2]
    return [0, 2]


@pytest.mark.parametrize("stem", MADE)
def test_local_randomiser_sampler_has_the_masses_by_its_coin_flips(stem):
    subject = made(stem).subject
    for x in inputs(stem)[:2]:
        exact = tuple(map(F, x)) if isinstance(x, tuple) else F(x)
        found = walked(str(subject), exact, 14)
        assert 1 - found.unresolved >= F(9, 10)
        assert refuted(found, str(subject), exact, law(subject, exact)) == []


@pytest.mark.parametrize("stem", MADE)
def test_local_randomiser_draws_outcomes_of_its_law(stem):
    m = made(stem)
    for x in inputs(stem):
        exact = tuple(map(F, x)) if isinstance(x, tuple) else F(x)
        outcomes = law(m.subject, exact)
        assert {m(x) for _ in range(20)} <= set(outcomes)
        assert set(m.each([x, x])) <= set(outcomes)
        assert sum(m.pmf(y, x).lower for y in outcomes) == 1


@pytest.mark.parametrize("stem", MADE)
def test_local_randomiser_map_is_a_theorem(stem):
    m = made(stem)
    claim = refdp.theorem(m, 1).claim
    assert isinstance(claim, Private)
    assert (claim.subject, claim.domain, claim.metric) == (m.subject, m.input_domain, m.input_metric)
    assert m.check(1, str(claim.d_out[0]))
    assert claim.given == ()


def test_local_randomisers_of_worked_examples():
    """The numbers of the notes on deployments: e^epsilon = 4, and RAPPOR's at f = 1/2, p = 1/2, q = 3/4, h = 2."""
    for stem in set(MADE) - {"permanent_response", "rappor", "subset_selection"}:
        assert str(made(stem).map(1)) == "ln(4)", stem
    assert str(made("subset_selection", k=5, truth="8/11").map(1)) == "ln(4)"
    assert str(made("permanent_response").map(4)) == "ln(81)"
    assert str(made("rappor").map(2)) == "ln(5929/2025)"
    assert made("rappor").check(2, "1.0743")
    assert not made("rappor").check(2, "1.0742")
    assert str(made("rappor", f="3/4").map(2)) == f"ln({F(21 * 13, 19 * 11) ** 2})"
    assert made("symmetric_unary_encoding", truth="1/2").map(1) == 0
    assert made("subset_selection", d=2, truth="1/2").map(1) == 0


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: made("symmetric_unary_encoding", k=0), "k must be >= 1, got 0"),
        (lambda: made("symmetric_unary_encoding", k="5/2"), "k must be a whole number, got 5/2"),
        (lambda: made("symmetric_unary_encoding", truth="1/3"), "truth must be >= 1/2, got 1/3"),
        (lambda: made("symmetric_unary_encoding", truth=1), "truth must be < 1, got 1"),
        (lambda: made("optimised_unary_encoding", ratio="1/2"), "ratio must be >= 1, got 1/2"),
        (lambda: made("permanent_response", f=0), "f must be > 0, got 0"),
        (lambda: made("permanent_response", f=2), "f must be <= 1, got 2"),
        (lambda: made("rappor", f=-1), "f must be >= 0, got -1"),
        (lambda: made("rappor", p=0), "p must be > 0, got 0"),
        (lambda: made("rappor", q=1), "q must be < 1, got 1"),
        (lambda: made("rappor", p="4/5"), "p <= q must hold, got p = 4/5, q = 3/4"),
        (lambda: made("d_bit_flip", d=4), "d <= k must hold, got d = 4, k = 3"),
        (lambda: made("d_bit_flip", d=0), "d must be >= 1, got 0"),
        (lambda: made("subset_selection", d=4), "d <= k - 1 must hold, got d = 4, k = 4"),
        (lambda: made("subset_selection", truth="1/3"), "d <= truth * k must hold, got d = 2, k = 4, truth = 1/3"),
        (lambda: made("hadamard_response", k=-1), "k must be >= 1, got -1"),
        (lambda: made("one_bit_mean", greatest=0), "greatest must be > 0, got 0"),
        (lambda: made("one_bit_mean")(7), "the input must be a member of interval(0, 6)"),
        (lambda: made("one_bit_mean")(-1), "the input must be a member of interval(0, 6)"),
        (lambda: made("one_bit_mean")(0.5), 'input must be exact, got the float 0.5; write "0.5" for 1/2'),
        (lambda: made("symmetric_unary_encoding")(3), "the input must be a member of category(3)"),
        (lambda: made("symmetric_unary_encoding")(-2), "the input must be a member of category(3)"),
        (lambda: made("one_bit_flip")(-1), "the input must be a member of finite(3)"),
        (lambda: made("rappor")((0, 2)), "the input must be a member of vector(finite(2), 2)"),
        (lambda: made("rappor")((0, 1, 1)), "the input must be a member of vector(finite(2), 2)"),
        (lambda: made("rappor").map(-1), "d_in must be >= 0, got -1"),
        (lambda: refdp.count_mean_sketch(0, 4, "2/3"), "n must be a whole number >= 1, got 0"),
        (lambda: refdp.count_mean_sketch(2, 4, "2/3")((0,)), "the input must be a member of vector(category(4), 2)"),
        (lambda: refdp.local_hashing(2, 1, "2/3"), "k must be >= 2, got 1"),
    ],
)
def test_local_randomiser_refuses_in_one_sentence(call, said):
    assert refusal(call) == said


@pytest.mark.parametrize("stem", MADE)
@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_local_randomiser_refuses_what_is_no_exact_number(stem, value):
    for parameter in MADE[stem]:
        assert shows(refusal(lambda p=parameter: made(stem, **{p: value})), parameter, value)


@pytest.mark.parametrize("stem", MADE)
def test_local_randomiser_is_not_sampled_into_files(stem):
    """Files hold numbers, reports are none: a sentence says which mechanisms can be sampled."""
    said = refusal(lambda: refdp.sample(stem, n=1, **MADE[stem]))
    assert said.endswith(f"got {stem}")
    assert "discrete_laplace" in said


SKETCHES = {
    "count_mean_sketch": (refdp.count_mean_sketch, "2/3"),
    "hadamard_count_mean_sketch": (refdp.hadamard_count_mean_sketch, "4/5"),
    "local_hashing": (refdp.local_hashing, "4/7"),
}


@pytest.mark.parametrize("name", SKETCHES)
def test_sketch_has_the_loss_of_a_report_of_one_hash(name):
    """Every family of two hash functions of two values into four results: e^epsilon = 4 as soon as one separates."""
    make, truth = SKETCHES[name]
    sketch = make(2, 4, truth)
    assert str(sketch.map(1)) == "ln(4)"
    assert str(refdp.theorem(sketch, 1).claim.d_out[0]) == "ln(4)"
    every = list(product(map(F, range(4)), repeat=2))
    for a, b in product(every[:5], every):
        p, q = law(sketch.subject, a), law(sketch.subject, b)
        assert max(p[y] / q[y] for y in p) == (1 if a == b else 4)
    assert sketch((1, 3)) in law(sketch.subject, (F(1), F(3)))


def test_public_coordinate_of_another_metric_is_refused():
    said = "m must be pure or approximate DP between any two values, got "
    assert refusal(lambda: refdp.public_coordinate(refdp.discrete_laplace(1), 2)).startswith(said)
    assert refusal(lambda: refdp.public_coordinate(made("rappor"), 2)).startswith(said)
    assert refusal(lambda: refdp.public_coordinate(refdp.randomised_response("3/4").to_concentrated(), 2)).startswith(
        said
    )
    for n in ("1/2", 0, -3):
        assert refusal(lambda n=n: refdp.public_coordinate(made("one_bit_flip"), n)) == (
            f"n must be a whole number >= 1, got {n}"
        )


def test_public_coordinate_of_what_is_made_of_others_is_a_theorem():
    two = refdp.compose([refdp.randomised_response("3/4"), refdp.randomised_response("2/3")])
    one = refdp.public_coordinate(two.to_approximate(), 3)
    claim = refdp.theorem(one, 1).claim
    assert str(claim.subject) == str(one.subject)
    assert [str(t) for t in claim.d_out] == ["ln(6)", "0"]
    assert one((0, 1, 1))[0] in range(3)


def test_hadamard_entry_read_off_its_worked_example():
    """Sylvester's matrix of order 4, row 3: +1, -1, -1, +1; told truly with 4/5, of four rows."""
    found = [law(read("hadamard_entry_response(4, 4/5)"), F(x))[3, 0] for x in range(4)]
    assert found == [F(1, 5), F(1, 20), F(1, 20), F(1, 5)]
