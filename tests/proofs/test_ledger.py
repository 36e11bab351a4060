"""The ledger and the proofs are about the same claims, and the committed certificates are those that proofs make."""

import inspect
import json
import pkgutil
from importlib import import_module
from pathlib import Path

import pytest

import refdp
import refdp.proofs
from refdp.claims import ledger, verdict
from refdp.commands.verify import prove
from refdp.kernel.certificate import certificate, parsed, replay, text_of
from tests.kinds import BELIEVER, believing, committed

CERTIFICATES = Path(refdp.__file__).parent / "proofs" / "certificates"
CLAIMS = {c.identifier: c for c in ledger()}
HELPERS = {"lemmas"}
"""Modules of proofs/ that are about no claim."""


def proofs():
    """STEM.NOTION of every public function of the proofs that takes nothing or a claim."""
    for module in pkgutil.iter_modules(refdp.proofs.__path__):
        if module.name in HELPERS:
            continue
        found = import_module(f"refdp.proofs.{module.name}")
        for name, value in vars(found).items():
            own = inspect.isfunction(value) and value.__module__ == found.__name__
            if own and not name.startswith("_"):
                yield f"{module.name}.{name}"


def test_every_proof_is_of_a_claim_and_every_claim_has_a_proof():
    assert sorted(proofs()) == sorted(CLAIMS)


def test_ledger_has_thirty_claims_and_six_false_ones_at_least():
    assert len(CLAIMS) >= 30
    assert sum(c.expected == "REFUTED" for c in CLAIMS.values()) >= 6


@pytest.mark.parametrize("identifier", CLAIMS)
def test_proof_concludes_the_claim_and_makes_the_committed_certificate(identifier):
    claim = CLAIMS[identifier]
    theorem = prove(claim)
    assert verdict(theorem.claim, claim.formal) == claim.expected
    committed = json.loads((CERTIFICATES / f"{identifier}.json").read_text(encoding="utf-8"))
    made = json.loads(text_of(certificate(theorem, identifier)))
    assert without_versions(made) == without_versions(committed)


def without_versions(found):
    """The certificate with solver versions left out: another version of a solver is as good."""
    names = ("z3 ", "cvc5 ", "sympy ")
    return json.loads(
        json.dumps(found),
        object_hook=lambda o: {
            key: [next((n for n in names if t.startswith(n)), t) for t in value] if key in ("by", "trusts") else value
            for key, value in o.items()
        },
    )


@pytest.mark.parametrize("identifier", sorted(path.stem for path in CERTIFICATES.glob("*.json")))
def test_committed_certificate_replays(identifier):
    found = committed(identifier)
    replayed = replay(parsed(text_of(found)), believing)
    assert str(replayed.theorem.claim.term) == found["conclusion"]
    assert ("oracle" in {s["rule"] for s in found["steps"]}) == (BELIEVER in replayed.trusts)


def test_every_committed_certificate_is_of_a_claim():
    assert {p.stem for p in CERTIFICATES.glob("*.json")} == set(CLAIMS)


def test_every_claim_has_a_sentence_and_every_true_one_a_source():
    for claim in CLAIMS.values():
        assert claim.sentence.endswith("."), claim.identifier
        assert (claim.source == "") == (claim.expected == "REFUTED"), claim.identifier


EXPORTED = sorted((CERTIFICATES / "smt_lib").glob("*.smt2"))


def test_exported_statements_are_those_of_the_package():
    from refdp.kernel.rules.logic import obligation
    from refdp.provers.smt.encode import smt_lib

    assert len(EXPORTED) >= 90
    for path in EXPORTED:
        assert path.read_text(encoding="utf-8") == smt_lib(obligation(path.name.removesuffix(".smt2"))), path.name


@pytest.mark.parametrize(("step", "seconds"), [(12, 1), pytest.param(1, 10, marks=pytest.mark.long)])
def test_exported_statements_are_unsatisfiable_for_another_solver(step, seconds):
    """The texts as they stand in the files, asked of cvc5: no negation of a theorem has a model, and most have none."""
    from refdp.provers.smt.solvers import ask

    texts = [path.read_text(encoding="utf-8") for path in EXPORTED[::step]]
    answers = [ask("cvc5", text, "default", seconds)["answer"] for text in texts]
    assert "sat" not in answers
    assert answers.count("unsat") > 0.7 * len(answers)
