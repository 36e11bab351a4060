"""How statements are made: what is refused, in one sentence with its place, and what test functions may be."""

import ast
from fractions import Fraction

import pytest

from refdp.testing import Table, Whole, law, moves_at_most, sampler_matches, satisfies, vectors
from refdp.testing.entropy import given
from refdp.testing.refusals import StatementError
from refdp.testing.samplers import campaign_fields

ONE = law.discrete_laplace(scale=1)


def draws(n):
    return [0] * n


def outputs(x, n):
    return [x] * n


async def awaited(n):
    return [0] * n


def hypothetical(n):
    return [0] * n


hypothetical.hypothesis = object()


def greedy(n, more):
    return [more] * n


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: law.discrete_laplace(scale=0.1), 'scale must be exact, got the float 0.1; write "0.1" for 1/10'),
        (lambda: law.discrete_laplace(scale=0), "scale must be > 0, got 0"),
        (lambda: law.gaussian(sigma="-1"), "sigma must be > 0, got -1"),
        (lambda: law.discrete_gaussian(sigma=1, granularity=0), "granularity must be > 0, got 0"),
        (lambda: law.cauchy(1), "law must be one of discrete_laplace, .*, got cauchy"),
        (lambda: law.finite({}), "masses must be >= 0 and sum to 1, got none"),
        (lambda: law.finite({0: "1/2", 1: "1/3"}), "masses must be >= 0 and sum to 1, got 1/2, 1/3"),
        (lambda: law.finite({0: "3/2", 1: "-1/2"}), "masses must be >= 0 and sum to 1"),
        (lambda: law.of("a text", 0), "law.of needs a mechanism of refdp"),
        (lambda: sampler_matches("discrete_laplace"), "law must be one of refdp.testing.law"),
        (lambda: sampler_matches(ONE, resolution=1), "resolution must be > 0 and < 1, got 1"),
        (lambda: sampler_matches(ONE, samples=0), "samples must be a whole number >= 1, got 0"),
        (lambda: sampler_matches(ONE, samples=True), "samples must be a whole number >= 1, got True"),
        (lambda: sampler_matches(ONE, mutants=draws), "mutants must be a list of functions"),
        (lambda: sampler_matches(ONE, mutants=[draws, draws]), "mutants must have names that differ, got draws"),
        (lambda: sampler_matches(ONE, mutants=[3])(draws), "mutants must be plain functions, got 1"),
        (lambda: sampler_matches(ONE, mutants=[greedy])(draws), "mutant greedy must take what the test takes"),
        (lambda: sampler_matches(ONE)(awaited), "awaited must be a plain function, got an async one"),
        (lambda: sampler_matches(ONE)(hypothetical), "must not be under @given"),
        (lambda: sampler_matches(ONE)(sampler_matches(ONE)(draws)), "must make one statement, got two"),
        (lambda: sampler_matches(ONE)(int), "a statement must stand above a function, got type"),
        (lambda: sampler_matches(ONE)(lambda: 0), "must take n"),
        (lambda: satisfies(epsilon=1, pair=(0, 1))(draws), "draws must take x and n"),
        (lambda: satisfies(epsilon=0.1, pair=(0, 1)), "epsilon must be exact, got the float 0.1"),
        (lambda: satisfies(epsilon=-1, pair=(0, 1)), "epsilon must be >= 0, got -1"),
        (lambda: satisfies(epsilon=1, delta=-1, pair=(0, 1)), "delta must be >= 0 and < 1, got -1"),
        (lambda: satisfies(epsilon=1, delta=1, pair=(0, 1)), "delta must be >= 0 and < 1, got 1"),
        (lambda: satisfies(epsilon=1), "either pair or pairs must be given"),
        (lambda: satisfies(epsilon=1, pair=(0, 1), pairs=[(0, 1)]), "either pair or pairs must be given"),
        (lambda: satisfies(epsilon=1, pairs=[]), "pairs must not be empty"),
        (lambda: satisfies(epsilon=1, pair=(0, 1, 2)), "a pair must be two inputs"),
        (lambda: satisfies(epsilon=1, pair=(0, 1), views=["bits"]), "views must be a list of output, low_bits"),
        (lambda: satisfies(epsilon=1, pair=(0, 1), views="output"), "views must be a list"),
        (lambda: satisfies(epsilon=1, pair=(0, 1), detects=1), "detects must be > epsilon, got 1 and 1"),
        (lambda: satisfies(epsilon=1, pair=(0, 1), train=10), "train must be a whole number >= 128, got 10"),
        (lambda: moves_at_most(1, space=[0, 1]), "space must be a Table or a Vector"),
        (lambda: moves_at_most(0.5, space=Table(Whole(0, 1))), 'got the float 0.5; write "0.5" for 1/2'),
        (lambda: moves_at_most(-1, space=Table(Whole(0, 1))), "distances must be >= 0, got -1"),
        (lambda: moves_at_most(1, space=Table(Whole(0, 1)), metric="far"), "metric must be one of"),
        (lambda: vectors("there_is_none_test.json", against=object()), "there_is_none_test.json"),
    ],
)
def test_statements_that_cannot_be_tested_are_refused_with_their_place(make, sentence):
    with pytest.raises(StatementError, match=sentence) as caught:
        make()
    assert str(caught.value).startswith("test_statements.py:")
    assert "\n" not in str(caught.value)


def test_statements_that_are_wrong_are_one_sentence_at_collection(project):
    run = project("@satisfies(epsilon=0.1, pair=(0, 1))\ndef test_it(x, n):\n    return [x] * n\n").run()
    run.done.assert_outcomes(errors=1)
    assert 'test_it.py:18: epsilon must be exact, got the float 0.1; write "0.1" for 1/10' in run.text
    assert "Traceback" not in run.text
    assert "refusals.py" not in run.text


def test_statements_without_the_plugin_say_so():
    stated = sampler_matches(ONE)(draws)
    assert stated(3) == stated(n=3) == [0, 0, 0]
    with pytest.raises(RuntimeError, match="that pytest runs with refdp's plugin"):
        stated()


def test_statements_of_methods_parameters_and_fixtures(project):
    run = project("""
import pytest

@pytest.fixture
def library(tmp_path):
    assert tmp_path.exists()
    return laplace

class TestClass:
    scale = 1.0

    def twice(n, rng, library):
        return library(n, rng, 3.0)

    @pytest.mark.parametrize("scale", [1.0, 3.0])
    @sampler_matches(ONE, **COARSE)
    def test_method(self, n, rng, library, scale):
        return library(n, rng, self.scale * scale)

    @sampler_matches(ONE, mutants=[twice], **COARSE)
    def test_mutant_with_fixtures(self, library, n, rng):
        return library(n, rng)

@pytest.mark.skipif(True, reason="not on this machine")
@sampler_matches(ONE)
def test_skipped(n):
    return [0] * n

@sampler_matches(ONE, **COARSE)
def test_generator(n, rng):
    for _ in range(n):
        yield laplace(1, rng)[0]

@sampler_matches(law.finite({0: "1/4", "one": "1/2", None: "1/4"}), resolution="1/5")
def test_bits(n, bits):
    return [(0, "one", "one", None)[2 * bits() + bits()] for _ in range(n)]
""").run("-rs")
    assert run.outcomes() == {
        "TestClass::test_method[1.0]": "PASS",
        "TestClass::test_method[3.0]": "FAIL",
        "TestClass::test_mutant_with_fixtures": "PASS",
        "test_skipped": "SKIPPED",
        "test_generator": "PASS",
        "test_bits": "PASS",
    }
    assert "not on this machine" in run.text


def test_statements_are_given_entropy_of_their_own():
    names = ("rng", "bits", "seed", "n")
    one, same, other, later = given(names, 1, "a"), given(names, 1, "a"), given(names, 2, "a"), given(names, 1, "b")
    assert set(one) == {"rng", "bits", "seed"}
    assert one["seed"] == same["seed"]
    assert len({one["seed"], other["seed"], later["seed"]}) == 3
    assert one["rng"].random() == same["rng"].random() != later["rng"].random()
    flips = [[source["bits"]() for _ in range(64)] for source in (one, same, later)]
    assert flips[0] == flips[1] != flips[2]
    assert set(flips[0]) == {0, 1}
    assert {one["bits"](4) for _ in range(256)} == set(range(16))


def test_statements_about_refdps_own_mechanisms():
    from refdp import discrete_laplace, truncated_geometric

    assert law.of(discrete_laplace(scale="3", granularity="1/2"), 1) == law.discrete_laplace(3, 1, "1/2")
    clamped = law.of(truncated_geometric(scale="2", lower=0, upper=2), 1)
    assert [y for y, _ in clamped.masses] == [0, 1, 2]
    assert all(type(y) is int for y, _ in clamped.masses)
    assert dict(law.finite({True: "1/3", "no": "2/3"}).masses) == {True: Fraction(1, 3), "no": Fraction(2, 3)}


def test_statements_know_scales_in_the_units_of_the_output():
    """discrete_laplace(scale=1, granularity=1/2) has the ratio e^(-1/2) between neighbours: two steps a scale."""
    fields = campaign_fields(law.discrete_laplace(scale=1, granularity="1/2"))
    assert ast.literal_eval(fields["scale"]) == 2
