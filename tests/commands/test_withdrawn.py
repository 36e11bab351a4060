"""A claim that was withdrawn is not believed again: by its name, by its certificate, by what it says, or in a part."""

import json
from hashlib import sha256

import pytest

from refdp import claims
from refdp.commands.certificates import write_certificate
from refdp.commands.check import replayed_file
from refdp.commands.explain import explain
from refdp.kernel.theorem import RULES
from refdp.report.certificates import theorem_of
from tests.kinds import CERTIFICATES

PURE = CERTIFICATES / "discrete_laplace.pure.json"
HALF = CERTIFICATES / "discrete_laplace.half_noise.json"
PROGRAM = CERTIFICATES / "programs" / "noisy_max.all.json"
SENTENCE = "was withdrawn in 9.1 (wrong in 8.0 to 9.0): a made-up reason"


@pytest.fixture
def withdraw(monkeypatch):
    """Withdraws a claim of the ledger: its entry is moved, and what the ledger read before is forgotten."""
    forget = [claims.ledger, claims.programs, claims.withdrawn, claims._by_name]

    def run(identifier, certificates=(), stays=False):
        entries = claims._entries
        listed = [entry for book in claims.BOOKS for entry in entries(book)]
        found = next((e for e in listed if e[0] == identifier), (identifier, {"sentence": "", "formal": "no claim"}))
        more = {"wrong_in": "8.0 to 9.0", "since": "9.1", "reason": "a made-up reason", "certificates": certificates}

        def edited(book):
            if book == claims.WITHDRAWN:
                return [(identifier, found[1] | more)]
            return [e for e in entries(book) if stays or e[0] != identifier]

        monkeypatch.setattr(claims, "_entries", edited)
        for cached in forget:
            cached.cache_clear()
        return claims.withdrawn()

    yield run
    monkeypatch.undo()
    for cached in forget:
        cached.cache_clear()


def digest(path):
    return sha256(path.read_bytes()).hexdigest()


def rejected(path):
    judged = replayed_file(path, "z3", None, 20.0)
    assert judged["verdict"] == "REJECTED"
    return judged["reason"]


def test_withdrawn_claims_are_none_of_the_ledgers():
    """Unless they are now refuted, or say something else."""
    standing = {(c.identifier, c.formal, c.expected) for c in (*claims.ledger(), *claims.programs())}
    gone = {(w.claim.identifier, w.claim.formal, w.claim.expected) for w in claims.withdrawn()}
    assert standing & gone == set()


@pytest.mark.parametrize("path", [PURE, HALF], ids=["proved", "refuted"])
def test_withdrawn_claims_certificates_are_rejected_by_name(withdraw, path, tmp_path):
    withdraw(path.stem)
    assert rejected(path) == f"{path.stem} {SENTENCE}"


def test_withdrawn_claims_are_rejected_under_another_name_and_none(withdraw, tmp_path):
    withdraw(PURE.stem)
    for name in ("laplace.pure", ""):
        other = tmp_path / "other.json"
        other.write_text(json.dumps(json.loads(PURE.read_text()) | {"claim": name}))
        assert rejected(other) == f"{PURE.stem} {SENTENCE}"


def test_withdrawn_claims_are_rejected_with_other_variables(withdraw, tmp_path):
    """Names that are swapped say the same; distinct names that become one say less, which rests on it all the same."""
    theorem, other = theorem_of(claims.claim(PURE.stem)), tmp_path / "other.json"
    refuted = theorem_of(claims.claim(HALF.stem))
    swapped = RULES["instantiate"](theorem, values={"scale": "granularity", "granularity": "scale"})
    (gone,) = withdraw(PURE.stem)
    assert gone.says(theorem.claim)
    assert gone.says(swapped.claim)
    assert not gone.says(refuted.claim)
    assert not gone.says(RULES["instantiate"](theorem, values={"granularity": "scale"}).claim)
    write_certificate(swapped, other)
    assert rejected(other) == f"{PURE.stem} {SENTENCE}"


def test_certificates_that_rest_on_withdrawn_claims_are_rejected(withdraw, tmp_path):
    other = tmp_path / "other.json"
    instance = {"scale": "2", "granularity": "1", "d_in": "1"}
    write_certificate(RULES["instantiate"](theorem_of(claims.claim(PURE.stem)), values=instance), other)
    assert replayed_file(other, "z3", None, 20.0)["verdict"] == "PROVED"
    withdraw(PURE.stem)
    assert rejected(other) == f"{PURE.stem} {SENTENCE}"


def test_withdrawn_claims_that_are_stated_again_stay_withdrawn(withdraw):
    withdraw(PURE.stem, stays=True)
    assert rejected(PURE) == f"{PURE.stem} {SENTENCE}"


@pytest.mark.parametrize("path", [PURE, PROGRAM], ids=["kernel", "program"])
def test_withdrawn_certificates_are_rejected_by_their_digest(withdraw, path):
    withdraw("gone.claim", [digest(path)])
    assert rejected(path) == f"gone.claim {SENTENCE}"


def test_withdrawn_proofs_leave_refutations_and_other_claims_alone(withdraw):
    """A false claim that was said to be proved is refuted from then on."""
    withdraw(PURE.stem, [digest(PURE)])
    assert replayed_file(HALF, "z3", None, 20.0)["verdict"] == "REFUTED"
    assert replayed_file(CERTIFICATES / "laplace.pure.json", "z3", None, 20.0)["verdict"] == "PROVED"


def test_withdrawn_proof_and_refutation_of_the_same_claim_are_told_apart(withdraw, monkeypatch):
    withdraw(HALF.stem, stays=True)
    (gone,) = claims.withdrawn()
    proved = claims.Withdrawal(
        claims.Claim(HALF.stem, "", gone.claim.formal, "", "PROVED", claims.WITHDRAWN), "8", "9", "it is false", ()
    )
    monkeypatch.setattr("refdp.commands.check.withdrawn", lambda: (proved,))
    assert replayed_file(HALF, "z3", None, 20.0)["verdict"] == "REFUTED"


def test_withdrawn_claims_are_explained_by_their_withdrawal(withdraw):
    withdraw(PURE.stem)
    with pytest.raises(claims.UnknownClaim, match=r"was withdrawn in 9\.1"):
        explain(PURE.stem)
