"""`refdp export`: what is written for another prover, and what is said of it."""

import json

import pytest
from typer.testing import CliRunner

import refdp
from refdp.cli.app import app
from refdp.rocq.terms import NotInRocq, name_of, proposition, real
from refdp.spec.terms import read

run = CliRunner().invoke


def test_a_claim_that_is_whole_ends_in_its_theorem():
    done = run(app, ["export", "traps.halves_by_rank"])
    assert done.exit_code == 0, done.output
    assert "(* traps.halves_by_rank: " in done.stdout
    assert "The last theorem of this file is the claim. *)" in done.stdout
    statement = refdp.export("traps.halves_by_rank")["obligations"][0]
    assert f"SHA-256 {statement['digest']}" in done.stdout
    assert "Theorem traps__halves_by_rank__is_false :\n  ~ (forall (a added b c d : R), 0 <= added -> " in done.stdout
    assert done.stdout.endswith("Qed.\n")


def test_what_is_not_whole_names_the_rules_that_are_missing():
    found = refdp.export("discrete_laplace.sampler_law")
    assert found["status"] == "obligations"
    assert found["theorem"] is None
    assert [one["rule"] for one in found["missing"]] == ["sampler_law"]
    assert "and not the claim:" in found["text"]
    assert "sampler_law: the library's theorem is not applied to claims yet." in found["text"]


def test_nothing_to_write_ends_with_3_and_says_why():
    done = run(app, ["export", "normal_law.exact_delta", "--json"])
    assert done.exit_code == 3
    found = json.loads(done.stdout)
    assert (found["status"], found["obligations"]) == ("nothing", [])
    assert found["missing"]


def test_a_file_is_written_whole(tmp_path):
    path = tmp_path / "claim.v"
    done = run(app, ["export", "clipping.automatic_comes_close", "--out", str(path)])
    assert done.exit_code == 0, done.output
    assert f"{path}: clipping.automatic_comes_close, the claim is proved in it" in done.stdout.replace("\n", "")
    assert path.read_text(encoding="utf-8") == refdp.export("clipping.automatic_comes_close")["text"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["export", "traps.halves_by_rank", "--to", "lean"], "to must be rocq, got lean"),
        (["export", "nothing.pure"], "claim must be one of the ledger's"),
        (["export", "traps.halves_by_rank", "--out", "/nowhere/claim.v"], "/nowhere"),
    ],
)
def test_bad_input_is_one_sentence(words, said):
    done = run(app, words)
    assert done.exit_code == 2
    assert said in done.output
    assert done.output.count("\n") <= 2


def test_terms_are_written_with_the_brackets_that_rocq_needs():
    assert real(read("-x ** 2 / (2 * s ** 2)")) == "- x ^ 2 / (2 * s ^ 2)"
    assert real(read("(-x) ** 2 - (a - b)")) == "(- x) ^ 2 - (a - b)"
    assert real(read("a - b - c")) == "a - b - c"
    assert real(read("a * (b / c)")) == "a * (b / c)"
    assert real(read("-3/4 + x")) == "(- 3 / 4) + x"
    assert real(read("max(abs(x - 1), n)"), ["n"]) == "Rmax (Rabs (x - 1)) (IZR n)"
    assert proposition(read("integer(n * 2)")) == "integral (n * 2)"
    assert proposition(read("x != 0")) == "x <> 0"


def test_words_of_rocq_are_no_names():
    assert (name_of("exp"), name_of("forall"), name_of("scale")) == ("exp_", "forall_", "scale")


@pytest.mark.parametrize("text", ["x ** y", "normal_tail(x)", "arcosh(x)"])
def test_what_has_no_counterpart_is_refused(text):
    with pytest.raises((NotInRocq, ValueError)):
        real(read(text))
