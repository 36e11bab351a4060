"""Certificates of how far functions move in the format that came before the kernel's, as refdp wrote them."""

import json
from typing import Any

from refdp.sensitivities.checking.certificate import FORMAT, claim_json
from refdp.sensitivities.writing import written_in


def earlier(certificate: str) -> dict[str, Any]:
    """The certificate of the same answer in the format of then."""
    said = written_in(certificate)
    found = {"format": FORMAT, "claim": claim_json(said.claim), "verdict": said.verdict, "evidence": said.evidence}
    return dict(json.loads(json.dumps(found)))
