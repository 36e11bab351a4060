"""Certificates of verdicts about a machine in the format that came before the kernel's, as refdp wrote them."""

import json
from typing import Any

from refdp.kernel.rules.machines import MachineClaim
from refdp.kernel.rules.questions import EngineQuestion
from refdp.kernel.sources import bring
from refdp.sensitivities.machine.function_certificates import question_in
from refdp.sensitivities.machine.theorems import claim_of, machine_of
from refdp.sensitivities.machine.writing import PYTHON
from refdp.spec.domains import FINITE
from tests.sensitivities.earlier import claim_json

FORMAT = "refdp-machine-function/1"
MACHINE = ("arithmetic", "sum", "python", "maximum_rows", "minimum_rows", "specials")


def earlier(content: Any) -> dict[str, Any]:
    """The certificate of the same answer in the format of then."""
    [step], _ = content["steps"], list(map(bring, content["sources"].values()))
    if step["rule"].startswith("engine"):
        asked = EngineQuestion.of(step["data"])
        claim, machine = question_in(asked)
        evidence = asked.evidence
    else:
        found = MachineClaim.of({"numbers": FINITE, **step["data"]})
        claim, machine, evidence = claim_of(found), machine_of(found), found.evidence
    parts = (machine.arithmetic, machine.total, PYTHON, str(machine.maximum_rows), str(machine.minimum_rows),
             machine.specials)  # fmt: skip
    return {
        "format": FORMAT,
        "claim": json.loads(json.dumps(claim_json(claim))),
        "machine": dict(zip(MACHINE, parts, strict=True)),
        "verdict": "PROVED" if step["rule"] in ("machine_stays_near", "engine_proves") else "REFUTED",
        "evidence": json.loads(evidence),
    }
