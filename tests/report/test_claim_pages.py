"""The pages of docs/claims are those that the code generates: one for each stem, with every claim of it."""

import subprocess
import sys

import pytest

from refdp.claims import ledger
from refdp.report import claim_pages
from refdp.report.claim_pages import GENERATED, certificate, pages, witness, write
from tests.meta.repository import ROOT

FOLDER = ROOT / "docs" / "claims"


@pytest.fixture(scope="module")
def generated():
    return pages()


def test_claim_pages_are_what_the_code_generates(generated):
    written = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")}
    assert written == generated, "run: python -m refdp.report.claim_pages docs/claims"


def test_claim_pages_have_every_claim_with_its_verdict(generated):
    text = "\n".join(generated.values())
    assert [c.identifier for c in ledger() if f"\n## {c.identifier}: {c.expected}\n\n{c.sentence}\n" not in text] == []


def test_claim_pages_point_at_the_line_of_the_proof():
    for claim in ledger():
        path, _, line = claim_pages.proof_of(claim).partition(":")
        source = (ROOT / path).read_text(encoding="utf-8").splitlines()[int(line) - 1]
        assert source.startswith(f"def {claim.notion}(") or source.strip().startswith("def inequality(")


def test_claim_pages_show_the_witness_of_a_refutation(generated):
    assert "- witness: inputs `0` and `1`, event `tuple_of(0)`" in generated["k_ary_randomised_response.md"]
    assert list(witness([{"rule": "additive_noise", "data": {}}])) == []


@pytest.mark.parametrize("name", ["z3 5.4.0", "z3 4.13.0.0", "cvc5 1.4.2", "sympy 1.14.0"])
def test_claim_pages_leave_out_versions(name):
    assert claim_pages.VERSION.sub("", name) == name.split()[0]


def test_claim_pages_keep_names_that_have_no_version():
    assert claim_pages.VERSION.sub("", "code: refdp.sampling") == "code: refdp.sampling"


def test_claim_pages_ask_for_a_missing_certificate(monkeypatch, tmp_path):
    monkeypatch.setattr(claim_pages, "ROOT", tmp_path)
    with pytest.raises(ValueError, match=f"{ledger()[0].identifier} must have a certificate"):
        certificate(ledger()[0])


def test_claim_pages_remove_what_the_ledger_no_longer_has(tmp_path, generated):
    (tmp_path / "withdrawn.md").write_text(f"{GENERATED}\n\n# withdrawn\n")
    (tmp_path / "notes.md").write_text("# Not generated\n")
    write(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {*generated, "notes.md"}


def test_claim_pages_command_takes_a_folder():
    command = [sys.executable, "-m", "refdp.report.claim_pages"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, "usage: python -m refdp.report.claim_pages FOLDER\n")
