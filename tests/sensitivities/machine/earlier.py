"""Certificates of verdicts about a machine in the format that came before the kernel's, as refdp wrote them."""

import json
from typing import Any

from refdp.kernel.rules.machines import MachineClaim
from refdp.kernel.sources import bring
from refdp.sensitivities.checking.certificate import claim_json
from refdp.sensitivities.machine.function_certificates import FORMAT, MACHINE, PYTHON
from refdp.sensitivities.machine.theorems import claim_of, machine_of
from refdp.spec.domains import FINITE


def earlier(content: Any) -> dict[str, Any]:
    """The certificate of the same answer in the format of then."""
    [step], _ = content["steps"], list(map(bring, content["sources"].values()))
    found = MachineClaim.of({"numbers": FINITE, **step["data"]})
    machine = machine_of(found)
    parts = (machine.arithmetic, machine.total, PYTHON, str(machine.maximum_rows), str(machine.minimum_rows),
             machine.specials)  # fmt: skip
    return {
        "format": FORMAT,
        "claim": json.loads(json.dumps(claim_json(claim_of(found)))),
        "machine": dict(zip(MACHINE, parts, strict=True)),
        "verdict": "PROVED" if step["rule"] == "machine_stays_near" else "REFUTED",
        "evidence": json.loads(found.evidence),
    }
