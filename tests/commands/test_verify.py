"""verify proves the true claims, refutes the false ones, and says so when something surprises."""

import json
from dataclasses import replace

import pytest

import refdp
from refdp import claims
from refdp.claims import UnknownClaim
from refdp.cli.app import app
from refdp.commands import verify as module
from refdp.commands.verify import certificate_folder, judgement
from refdp.kernel.rules.logic import obligation
from refdp.provers.lemmas import NotProved
from refdp.terms.reading import read
from tests.command_line import CliRunner
from tests.meta.repository import ROOT

run = CliRunner().invoke


def test_verify_proves_a_true_claim_and_writes_its_certificate(tmp_path):
    found = refdp.verify("discrete_laplace.pure", certificates=tmp_path)
    [claim] = found["claims"]
    assert (claim["verdict"], claim["expected"]) == ("PROVED", "PROVED")
    assert (found["as_expected"], found["surprises"]) == (1, 0)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["discrete_laplace.pure.json", "smt_lib"]
    exported = {"discrete_laplace.loss_is_bounded.smt2", "discrete_laplace.tail_is_geometric.smt2"}
    assert {p.name for p in (tmp_path / "smt_lib").iterdir()} == exported
    assert set(claim) == {"id", "statement", "expected", "verdict", "trusts", "seconds", "certificate", "claim",
                          "obligations"}  # fmt: skip


def test_verify_refutes_every_false_claim_with_a_witness(tmp_path):
    false = [c for c in claims.ledger() if c.expected == "REFUTED"]
    assert len(false) >= 6
    for claim in false:
        assert judgement(claim, tmp_path)["verdict"] == "REFUTED", claim.identifier
        conclusion = json.loads((tmp_path / f"{claim.identifier}.json").read_text())["conclusion"]
        assert formal(read(conclusion).arguments[0]) == claim.formal


def formal(judgement):
    """What is said to be false: the statement, where the judgement names one."""
    return str(obligation(judgement.arguments[0].value)) if judgement.operator == "holds" else str(judgement)


def test_verify_json_is_one_object_of_text_numbers(tmp_path):
    done = run(app, ["verify", "count.*", "--certificates", str(tmp_path), "--json"])
    found = json.loads(done.stdout, parse_float=lambda _: pytest.fail("a float in the output"))
    assert done.exit_code == 0
    assert list(found) == ["claims", "as_expected", "surprises", "trusts", "obligations", "seconds"]


def test_verify_table_counts_claims_and_surprises(tmp_path):
    done = run(app, ["verify", "histogram.*", "--certificates", str(tmp_path)])
    assert done.exit_code == 0
    assert "7 claims: 6 PROVED, 1 REFUTED; 7 as expected, 0 surprises" in done.stdout


def test_verify_of_a_pattern_without_claims_is_refused(tmp_path):
    with pytest.raises(UnknownClaim, match=r"pattern must match a claim of the ledger, got nothing\.\*"):
        refdp.verify("nothing.*", certificates=tmp_path)
    refused = run(app, ["verify", "nothing.*"])
    assert (refused.exit_code, refused.stdout) == (2, "")


def surprising(monkeypatch, **changes):
    """A ledger of one claim that says something else than its proof."""
    changed = replace(claims.claim("count.add_remove"), **changes)
    monkeypatch.setattr(module, "matching", lambda pattern: (changed,))


def test_verify_is_surprised_by_a_claim_that_its_proof_does_not_conclude(monkeypatch, tmp_path):
    formal = claims.claim("count.add_remove").formal.replace("d_in * 1", "d_in * 0")
    surprising(monkeypatch, formal=formal)
    done = run(app, ["verify", "--certificates", str(tmp_path)])
    assert done.exit_code == 1
    assert "1 UNKNOWN; 0 as expected, 1 surprise" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_verify_exits_1_on_a_verdict_that_was_not_expected(monkeypatch, tmp_path):
    surprising(monkeypatch)
    monkeypatch.setattr(
        module, "judgement", lambda claim, folder: {**module._undecided(claim, ""), "verdict": "REFUTED"}
    )
    done = run(app, ["verify", "--certificates", str(tmp_path)])
    assert done.exit_code == 1
    assert "1 surprise;" in done.stdout


def test_verify_says_why_a_claim_is_unknown(monkeypatch, tmp_path):
    def no_proof(claim):
        raise NotProved("count.lemma is false at row = 1")

    monkeypatch.setattr(module, "prove", no_proof)
    found = refdp.verify("count.add_remove", certificates=tmp_path)
    assert (found["claims"][0]["verdict"], found["surprises"]) == ("UNKNOWN", 1)
    assert found["claims"][0]["reason"] == "count.lemma is false at row = 1"


def test_verify_keeps_what_it_decided_when_it_is_interrupted(monkeypatch, tmp_path):
    real = module.judgement

    def interrupted(claim, folder):
        if claim.identifier == "count.change_one":
            raise KeyboardInterrupt
        return real(claim, folder)

    monkeypatch.setattr(module, "judgement", interrupted)
    found = refdp.verify("count.*", certificates=tmp_path)
    assert [c["verdict"] for c in found["claims"]] == ["PROVED", "UNKNOWN"]
    assert found["claims"][1]["reason"] == "interrupted"


def test_verify_has_a_timeout_for_every_obligation(tmp_path, monkeypatch):
    """No obligation with names in it can be decided in a millionth of a second: unknown, and no certificate."""
    from refdp.provers import lemmas

    monkeypatch.setattr(lemmas, "_PROVED", {})
    found = refdp.verify("clamp.add_remove", certificates=tmp_path, timeout=1e-6)
    assert (found["claims"][0]["verdict"], found["as_expected"], found["surprises"]) == ("UNKNOWN", 0, 0)
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr(lemmas, "_PROVED", {})
    unanswered = run(app, ["verify", "clamp.add_remove", "--certificates", str(tmp_path), "--timeout", "0.1", "--json"])
    assert unanswered.exit_code in (0, 3)


def test_certificates_go_to_the_working_folder_where_the_package_cannot_be_written(monkeypatch):
    monkeypatch.setattr(module.os, "access", lambda *_: False)
    assert str(certificate_folder(None)) == "refdp-certificates"
    assert str(certificate_folder("x")) == "x"


def test_certificates_go_beside_the_proofs_of_a_checkout_and_not_into_an_installation(monkeypatch, tmp_path):
    assert certificate_folder(None).resolve() == (ROOT / "proofs" / "certificates").resolve()
    (tmp_path / "proofs" / "certificates").mkdir(parents=True)
    monkeypatch.setattr(module, "CERTIFICATES", tmp_path / "proofs" / "certificates")
    assert str(certificate_folder(None)) == "refdp-certificates"
