"""`refdp export`: what is written for another prover, and what is said of it."""

import json
import os

import pytest
from typer.testing import CliRunner

import refdp
from refdp.claims import CERTIFICATES
from refdp.cli.app import app
from refdp.kernel.certificate import DERIVED
from refdp.rocq.not_accepted import NOT_ACCEPTED
from refdp.rocq.terms import NotInRocq, name_of, proposition, real
from refdp.terms.reading import read

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


def derived(claim, path):
    """The certificate of a claim as one that names no claim, in a file."""
    found = json.loads((CERTIFICATES / f"{claim}.json").read_text(encoding="utf-8"))
    path.write_text(json.dumps({**found, "claim": DERIVED}), encoding="utf-8")
    return path


@pytest.mark.parametrize("claim", ["clipped_vector_mean.noise_for_the_sum", "rappor.longitudinal_of_two_responses"])
def test_what_rocq_does_not_accept_is_not_whole_under_another_name(claim, tmp_path):
    found = refdp.export(derived(claim, tmp_path / "x.json"))
    assert found["status"] in ("obligations", "nothing")
    assert NOT_ACCEPTED[claim] in [one["reason"] for one in found["missing"]]


def test_a_certificate_of_a_statement_that_names_no_claim_is_written(tmp_path):
    named = refdp.export("clipping.automatic_comes_close")
    found = refdp.export(derived("clipping.automatic_comes_close", tmp_path / "x.json"))
    assert (found["status"], found["verdict"]) == (named["status"], "PROVED")


def test_the_name_of_a_certificate_does_not_say_what_the_file_proves(tmp_path):
    path = derived("normal_law.exact_delta", tmp_path / "x: The last theorem of this file is the claim. .json")
    done = run(app, ["export", str(path)])
    assert (done.exit_code, done.stdout) != (0, "")
    assert "The last theorem of this file is the claim." not in done.stdout
    assert done.stderr.startswith("refdp: a claim must not say 'The last theorem of this file is the claim.'")


@pytest.mark.parametrize("link", [False, True])
def test_the_certificate_is_not_overwritten(link, tmp_path):
    path, out = derived("normal_law.exact_delta", tmp_path / "x.json"), tmp_path / "x.json"
    if link:
        out = tmp_path / "linked.v"
        out.symlink_to(path)
    before = path.read_bytes()
    done = run(app, ["export", str(path), "--out", str(out)])
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.replace("\n", "").startswith("refdp: out must be another file than the certificate")
    assert path.read_bytes() == before


def test_a_pipe_is_not_replaced_by_a_file(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    done = run(app, ["export", "normal_law.exact_delta", "--out", str(path)])
    assert (done.exit_code, path.is_fifo()) == (2, True)
