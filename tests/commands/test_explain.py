"""explain walks every claim: each place it names exists, and what it prints is what the code says."""

import json
import sys
from collections import defaultdict
from pathlib import Path

import pytest

import refdp
from refdp.claims import SUGGESTIONS, ledger
from refdp.cli.app import app
from refdp.commands.replay_cost import tracer
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


def test_explain_counts_the_believed_lines_of_a_replay():
    """Of an identity the kernel alone, of a claim about boxes exact numbers too, of one by solvers their encoder."""
    assert refdp.explain("discrete_laplace.pure")["cost"] is None
    found = refdp.explain("discrete_laplace.pure", cost=True)["cost"]
    assert found["verdict"] == "PROVED"
    by_file = {one["file"]: one for one in found["files"]}
    assert all(0 < one["ran"] <= 2 * one["of"] for one in found["files"])
    assert found["lines"] == sum(one["ran"] for one in found["files"])
    assert {"refdp/kernel/theorem.py", "refdp/kernel/rules/algebra.py", "refdp/numerics/polynomials.py"} <= set(by_file)
    assert by_file["refdp/kernel/rules/algebra.py"]["group"].startswith("identities")
    assert not [
        name for name in by_file if name.startswith(("refdp/provers/smt/", "refdp/cli/", "refdp/sensitivities/"))
    ]
    assert 300 < found["lines"] < sum(one["of"] for one in found["files"])


def test_explain_counts_what_a_certificate_takes_and_no_more():
    """A claim decided by intervals runs their files, and one that a solver vouches for its encoder."""
    boxes = refdp.explain("scaled_laplace.published", cost=True)["cost"]
    assert "refdp/numerics/elementary.py" in {one["file"] for one in boxes["files"]}
    solved = refdp.explain("sampled_rows.pointwise_one_row_replaced", cost=True)["cost"]
    assert [one for one in solved["files"] if one["file"].startswith("refdp/provers/smt/")]


def test_a_line_of_a_function_is_counted_once_and_for_an_import_never():
    """Neither what a module or a class body runs, nor the functions that these call; nor after one that fails."""
    package = str(Path(refdp.__file__).parent)
    ran = defaultdict(set)
    code = "def f(n):\n    t = 0\n    for i in range(n):\n        t += i\n    return t\n\nclass C:\n    a = f(3)\n"
    names, broken = {}, "def g():\n    return 1 / 0\n\ng()\n"
    sys.settrace(tracer(ran, package))
    try:
        exec(compile(code, f"{package}/made/up.py", "exec"), names)
        with pytest.raises(ZeroDivisionError):
            exec(compile(broken, f"{package}/made/broken.py", "exec"), {})
        assert ran == {}
        found = names["f"](2) + names["f"](3)
    finally:
        sys.settrace(None)
    assert (found, names["C"].a) == (4, 3)
    assert dict(ran) == {"made/up.py": {2, 3, 4, 5}}


def test_explain_as_latex_has_no_cost():
    done = run(app, ["explain", "discrete_laplace.pure", "--latex", "--cost"])
    assert (done.exit_code, done.stderr) == (2, "refdp: cost must be left out with latex, got both\n")


def test_explain_prints_the_cost():
    printed = run(app, ["explain", "discrete_laplace.pure", "--cost"]).stdout
    rows = [line.split() for line in printed.splitlines() if line.startswith(("the core", "in all"))]
    assert [row[:2] for row in rows] == [["the", "core"], ["in", "all"]]
    assert int(rows[1][-2].replace(",", "")) > int(rows[0][-2].replace(",", "")) > 20


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
