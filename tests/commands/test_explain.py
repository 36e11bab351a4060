"""explain walks every claim: each place it names exists, and what it prints is what the code says."""

import json
from pathlib import Path

import pytest

import refdp
from refdp.claims import SUGGESTIONS, ledger
from refdp.cli.app import app
from tests.command_line import CliRunner

ROOT = Path(refdp.__file__).resolve().parents[1]
IDENTIFIERS = [c.identifier for c in ledger() if c.expected == "PROVED"]
REFUTED = [c.identifier for c in ledger() if c.expected == "REFUTED"]
run = CliRunner().invoke


def places(found):
    """Every file:line of the walk."""
    yield found["proof"]["where"]
    yield from (f["where"] for f in found["formulas"])
    yield from (d["where"] for d in found["definitions"])
    pending = [found["derivation"]]
    while pending:
        node = pending.pop()
        yield node["where"]
        pending += node["premises"]


@pytest.mark.parametrize("identifier", [*REFUTED[::6], *IDENTIFIERS[::6]])
def test_explain_names_places_that_exist(identifier):
    found = refdp.explain(identifier)
    assert found["verdict"] in ("PROVED", "REFUTED")
    for place in places(found):
        name, _, line = place.partition(":")
        lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
        assert not line or int(line) <= len(lines), place
    assert (ROOT / found["certificate"]).exists()
    assert bool(found["witness"]) == (found["verdict"] == "REFUTED" and "finite_sensitivity" not in identifier)


def test_explain_shows_the_formula_where_it_stands():
    [weight] = [f for f in refdp.explain("discrete_laplace.pure")["formulas"] if f["formula"].startswith("log_weight")]
    name, _, line = weight["where"].partition(":")
    assert "def log_weight(z" in "".join((ROOT / name).read_text().splitlines()[int(line) - 1 : int(line) + 1])


def test_explain_shows_a_witness_in_numbers():
    found = refdp.explain("k_ary_randomised_response.truth_of_the_binary")
    assert found["witness"][0] == "where k = 3, truth = 3/4"
    assert "= 3/4 and P[M(b) in (0)] = 1/8" in found["witness"][-1]


def test_explain_walk_and_json_agree():
    walk, found = (run(app, ["explain", "mean.change_one", *more]) for more in ([], ["--json"]))
    assert walk.exit_code == found.exit_code == 0
    assert "|- stable(mean(" in walk.stdout
    assert json.loads(found.stdout)["claim"] == "mean.change_one"


@pytest.mark.parametrize("identifier", IDENTIFIERS[::7])
def test_explain_prints_balanced_latex(identifier):
    printed = run(app, ["explain", identifier, "--latex"]).stdout
    printed = printed.replace(r"\\[", "[")  # the height of a line is no formula
    for opening, closing in (("{", "}"), (r"\[", r"\]"), (r"\left", r"\right")):
        assert printed.count(opening) == printed.count(closing), opening


def test_explain_says_where_a_statement_fails():
    found = refdp.explain("traps.halves_by_rank")["witness"]
    assert found[0] == "where added = 0, a = 1, b = 1, c = 1, d = 1"
    assert found[1].endswith("<= 1 would say that 2 <= 1")
    assert refdp.explain("composition.sampled_epsilon_in_proportion")["witness"][1].endswith(
        "[2.718281828, 2.718281829]"
    )


def test_explain_of_an_unknown_claim_is_refused():
    done = run(app, ["explain", "nothing.pure"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "claim must be one of the ledger's" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("discrete_laplace", "near it: discrete_laplace.pure, discrete_laplace.pure_vector, "),
        ("exponential mechanism gumbel", "gumbel_noisy_max.law_of_exponential"),
        ("laplac.pur", "laplace.pure"),
        ("?", "refdp verify lists them"),
        ("xyzzy", "refdp verify lists them"),
    ],
)
def test_explain_of_an_unknown_claim_names_those_that_may_have_been_meant(asked, near):
    done = run(app, ["explain", asked])
    assert (done.exit_code, done.stdout) == (2, "")
    assert near in done.stderr


def test_explain_names_a_few_of_many_claims_and_says_how_many_more():
    ids = [c.identifier for c in ledger() if "discrete_laplace" in f"{c.identifier} {c.sentence}"]
    done = run(app, ["explain", "discrete_laplace"])
    assert f"{', '.join(ids[:SUGGESTIONS])} and {len(ids) - SUGGESTIONS} more\n" in done.stderr


def test_explain_lists_each_obligation_once_with_who_vouches():
    found = refdp.explain("composition.sequential_pure")["obligations"]
    assert [o["name"] for o in found] == ["discrete_laplace.tail_is_geometric", "discrete_laplace.loss_is_bounded"]
    assert all(o["statement"].startswith("for all real ") and o["rule"] in ("algebra", "oracle") for o in found)
    assert refdp.explain("composition.finite_mechanism")["obligations"] == []


def test_explain_says_what_each_primitive_of_a_sampler_draws():
    words = {d["word"]: d["means"] for d in refdp.explain("permutation.sampler_law")["definitions"]}
    assert words["uniform(n)"] == "k with probability 1/n, 0 <= k < n"
    assert "permutation(n)" in words
    assert "tests/sampling/test_coins.py" in refdp.explain("uniform.sampler_law")["tests"]


def test_explain_shows_a_part_of_the_derivation_once():
    said = run(app, ["explain", "discrete_gaussian.sampler_law"]).stdout
    assert said.count("with stem = bernoulli_exp\n") == 1
    assert said.count("as shown above") == 2  # bernoulli_exp and bernoulli are called by geometric_exp, too
