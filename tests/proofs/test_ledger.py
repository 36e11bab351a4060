"""The ledger and the proofs are about the same claims; what the proofs conclude is what is locked."""

import inspect
import pkgutil
from importlib import import_module

import pytest

import refdp.proofs
from refdp.claims import ledger, programs, verdict
from refdp.kernel.certificate import certificate, parsed, replay, text_of
from refdp.proofs.lines import prove
from scripts import certificates_lock as lock
from tests.kinds import BELIEVER, believing
from tests.made import FOLDER, certificate_of, certificate_text, certificates
from tests.meta.repository import ROOT

CLAIMS = {c.identifier: c for c in ledger()}
HELPERS = {"lemmas", "lines"}
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
    assert sorted(proofs()) == sorted(i for i, c in CLAIMS.items() if not c.proof)
    assert sum(c.proof != "" for c in CLAIMS.values()) > 0.8 * len(CLAIMS)


def test_ledger_has_thirty_claims_and_six_false_ones_at_least():
    assert len(CLAIMS) >= 30
    assert sum(c.expected == "REFUTED" for c in CLAIMS.values()) >= 6


@pytest.mark.parametrize("identifier", CLAIMS)
def test_certificate_replays_and_concludes_the_claim(identifier):
    claim, found = CLAIMS[identifier], certificate_of(identifier)
    replayed = replay(parsed(text_of(found)), believing)
    assert verdict(replayed.theorem.claim, claim.formal) == claim.expected
    assert str(replayed.theorem.claim.term) == found["conclusion"]
    assert ("oracle" in {s["rule"] for s in found["steps"]}) == (BELIEVER in replayed.trusts)


@pytest.mark.parametrize("identifier", list(CLAIMS)[::12])
def test_proof_makes_the_same_certificate_again(identifier):
    """Byte for byte, by the same versions of solvers: the ledger is proved once, and what it makes is the same."""
    assert text_of(certificate(prove(CLAIMS[identifier]), identifier)) == certificate_text(identifier)


def test_every_certificate_is_of_a_claim():
    names = {path.relative_to(FOLDER).as_posix() for path in certificates() if path.suffix == ".json"}
    assert names == {*(f"{i}.json" for i in CLAIMS), *(f"programs/{c.identifier}.json" for c in programs())}


def test_every_claim_has_a_sentence_and_every_true_one_a_source():
    for claim in CLAIMS.values():
        assert claim.sentence.endswith("."), claim.identifier
        assert (claim.source == "") == (claim.expected == "REFUTED"), claim.identifier


def exported():
    """The statements as SMT-LIB texts, as their files."""
    return sorted(path for path in certificates() if path.suffix == ".smt2")


def test_exported_statements_are_those_of_the_package():
    from refdp.kernel.rules.logic import obligation
    from refdp.provers.smt.encode import smt_lib

    assert len(exported()) >= 90
    for path in exported():
        assert path.read_text(encoding="utf-8") == smt_lib(obligation(path.name.removesuffix(".smt2"))), path.name


@pytest.mark.parametrize(("step", "seconds"), [(40, 1), pytest.param(1, 10, marks=pytest.mark.long)])
def test_exported_statements_are_unsatisfiable_for_another_solver(step, seconds):
    """The texts as they stand in the files, asked of cvc5: no negation of a theorem has a model, and most have none."""
    from refdp.provers.smt.solvers import ask

    texts = [path.read_text(encoding="utf-8") for path in exported()[::step]]
    answers = [ask("cvc5", text, "default", seconds)["answer"] for text in texts]
    assert "sat" not in answers
    assert answers.count("unsat") > 0.7 * len(answers)


LOCK = ROOT / "proofs" / "certificates.lock"


def test_lock_says_what_the_certificates_do():
    assert list(lock.differences(lock.blocks(), lock.read_lock(LOCK))) == [], "if they are right: make lock"
    assert LOCK.read_text(encoding="utf-8") == lock.text_of(lock.blocks())


def test_lock_has_every_claim_and_no_version():
    found = lock.read_lock(LOCK)
    assert list(found) == [*CLAIMS, *(c.identifier for c in programs())]
    assert all(list(one) == ["concludes", "trusts", "statement"] for one in found.values())
    assert {word for one in found.values() for word in one["trusts"].split() if word[0].isdigit()} == set()


def test_lock_names_the_claims_that_a_changed_formula_is_in(monkeypatch):
    """A change of one formula changes what is digested of the claims about it, and of no other."""
    real = lock.formulas_of

    def changed(kind):
        return [*real(kind), "another"] if kind.stem == "laplace" else real(kind)

    monkeypatch.setattr(lock, "formulas_of", changed)
    found = list(lock.differences(lock.blocks(), lock.read_lock(LOCK)))
    assert found
    assert all(": statement " in line for line in found)
    of_it = {i for i, c in CLAIMS.items() if c.stem == "laplace" and "laplace(" in c.formal}
    assert of_it <= {line.partition(":")[0] for line in found}
    assert not any(line.startswith(("count.", "discrete_laplace.", "gaussian.")) for line in found)


ONE = {"concludes": "a", "trusts": "nobody", "statement": "1"}


@pytest.mark.parametrize(
    ("made", "locked", "said"),
    [
        ({"x.y": ONE}, {"x.y": ONE}, []),
        ({"x.y": ONE}, {}, ["x.y: not locked; it concludes a"]),
        ({}, {"x.y": ONE}, ["x.y: locked, and there is no certificate of it"]),
        ({"x.y": ONE | {"trusts": "z3"}}, {"x.y": ONE}, ["x.y: trusts z3, locked is nobody"]),
    ],
)
def test_lock_names_the_claim_that_differs(made, locked, said):
    assert list(lock.differences(made, locked)) == said


def test_lock_is_read_as_it_is_written(tmp_path):
    path = tmp_path / "a.lock"
    path.write_text(lock.text_of({"x.y": ONE, "x.z": ONE}), encoding="utf-8")
    assert lock.read_lock(path) == {"x.y": ONE, "x.z": ONE}
    assert lock.read_lock(tmp_path / "none.lock") == {}


def test_lock_of_a_program_leaves_out_the_other_claims_of_its_file():
    source = '"""Two."""\n\nN = 1\n\n\n@claim(1)\ndef one():\n    return N\n\n\n@claim(2)\ndef two():\n    return 2\n'
    assert lock.apart(source, "one") == '"""Two."""\nN = 1\n@claim(1)\ndef one():\n    return N'
