"""The pages of docs/claims: one for each claim, one for each stem, one for all; those in git are examples."""

import subprocess
import sys
from xml.etree import ElementTree as ET

import pytest

from refdp.claims import ledger
from refdp.commands.explain import proof_of
from refdp.report import certificates
from refdp.report.certificates import theorem_of
from refdp.report.claim_page import GENERATED, trusted
from refdp.report.claim_pages import pages, write
from refdp.report.paths import FOLDER, page_path, stem_path, tree_path
from scripts.made_once import EXAMPLES
from tests.made import pages as pages_made
from tests.meta.repository import ROOT

PAGES = ROOT / FOLDER


@pytest.fixture(scope="module")
def generated():
    return pages()


def page(generated, identifier):
    return generated[page_path(identifier).removeprefix(f"{FOLDER}/")]


@pytest.mark.parametrize("name", [n for n in EXAMPLES if n.endswith((".md", ".tree.svg"))])
def test_claim_pages_in_git_are_what_the_code_generates(generated, name):
    assert (ROOT / name).read_text(encoding="utf-8") == generated[name.removeprefix(f"{FOLDER}/")], "run: make pages"


def test_claim_pages_are_made_of_every_claim(generated):
    made = {path.relative_to(PAGES).as_posix() for path in pages_made() if path.is_relative_to(PAGES)}
    drawn = {name for name in made if name.endswith(".svg") and not name.endswith(".tree.svg")}
    examples = {name.removeprefix(f"{FOLDER}/") for name in EXAMPLES}
    assert made - drawn == generated.keys() - examples
    assert (PAGES / "index.md").read_text(encoding="utf-8") == generated["index.md"]


def test_claim_pages_have_every_claim_with_its_verdict(generated):
    for c in ledger():
        text = page(generated, c.identifier)
        assert text.startswith(f"{GENERATED}\n\n# {c.identifier}: {c.expected}\n\n{c.sentence}\n")
        assert ("## The witness, by hand\n" in text) == (c.expected == "REFUTED")
        assert "```math\n" in text


def test_claim_pages_list_every_claim_once(generated):
    for c in ledger():
        row = f"]({c.stem}/{c.notion}.md) | {c.expected} | "
        assert generated["index.md"].count(row) == 1
        assert generated[stem_path(c.stem).removeprefix(f"{FOLDER}/")].count(row) == 1


def test_claim_pages_point_at_the_line_of_the_proof():
    for c in ledger():
        path, _, line = proof_of(c)["where"].partition(":")
        source = (ROOT / path).read_text(encoding="utf-8").splitlines()[int(line) - 1]
        assert source.startswith(f"[{c.identifier}]" if c.proof else f"def {c.notion}(")


def test_claim_pages_name_whoever_is_trusted(generated):
    for c in ledger():
        names = trusted(sorted(theorem_of(c).trusts))
        assert f"Trusted: {names}." in page(generated, c.identifier)


def test_claim_pages_show_each_obligation_of_the_certificate(generated):
    text = page(generated, "laplace.pure")
    for name in ("tail_is_geometric", "loss_is_bounded"):
        assert f"\n### laplace.{name}\n" in text
        assert f"(#laplace{name})" in text
    assert text.count("\nDischarged by the rule `") == 2


def test_claim_pages_work_the_witness_out(generated):
    text = page(generated, "k_ary_randomised_response.truth_of_the_binary")
    assert "Take `k = 3`, `truth = 3/4`." in text
    assert "| `P[M(x') in E]` | `1/8` | 0.125 |" in text
    assert "it is more: `3/4` > `3/8`." in text


def test_claim_pages_have_a_drawing_of_each_derivation(generated):
    for c in ledger():
        drawn = generated[tree_path(c.identifier).removeprefix(f"{FOLDER}/")]
        texts = [e.text for e in ET.fromstring(drawn).iter() if e.text]
        assert f"Derivation of {c.identifier}" in texts
        assert len(drawn) < 40_000


@pytest.mark.parametrize("name", ["z3 5.4.0", "z3 4.13.0.0", "cvc5 1.4.2", "sympy 1.14.0"])
def test_claim_pages_leave_out_versions(name):
    assert trusted([name]) == name.split()[0]


def test_claim_pages_keep_names_that_have_no_version():
    assert trusted(["code: refdp.sampling", "z3 1.0", "z3 2.0"]) == "code: refdp.sampling, z3"
    assert trusted([]) == "nothing beyond the kernel"


def test_claim_pages_ask_for_a_missing_certificate(monkeypatch, tmp_path):
    monkeypatch.setattr(certificates, "CERTIFICATES", tmp_path)
    with pytest.raises(ValueError, match=f"{ledger()[0].identifier} must have a certificate"):
        theorem_of(ledger()[0])


def test_claim_pages_remove_what_the_ledger_no_longer_has(tmp_path, generated, monkeypatch):
    monkeypatch.setattr("refdp.report.claim_pages.pages", lambda: generated)
    (tmp_path / "withdrawn").mkdir()
    (tmp_path / "withdrawn" / "pure.md").write_text(f"{GENERATED}\n\n# withdrawn.pure\n")
    (tmp_path / "notes.md").write_text("# Not generated\n")
    write(tmp_path)
    assert {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*.*")} == {*generated, "notes.md"}


def test_claim_pages_command_takes_a_folder():
    command = [sys.executable, "-m", "refdp.report.claim_pages"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("usage: python -m refdp.report.claim_pages [-h] FOLDER\n")
