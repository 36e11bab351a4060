"""Certificates of how far functions move in the format that came before the kernel's, as refdp wrote them."""

import json
from typing import Any

from refdp.sensitivities.checking.certificate import Claim, question_json
from refdp.sensitivities.writing import written_in

FORMAT = "refdp-sensitivity/1"


def claim_json(claim: Claim) -> dict[str, Any]:
    """A claim as certificates had it then, with the text of the function."""
    return {"source": claim.source, "function": claim.function, **question_json(claim)}


def written(claim: Claim, verdict: str, evidence: Any) -> dict[str, Any]:
    """A certificate in the format of then."""
    found = {"format": FORMAT, "claim": claim_json(claim), "verdict": verdict, "evidence": evidence}
    return dict(json.loads(json.dumps(found)))


def earlier(certificate: str) -> dict[str, Any]:
    """The certificate of the same answer in the format of then."""
    said = written_in(certificate)
    return written(said.claim, said.verdict, said.evidence)
