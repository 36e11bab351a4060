"""What the steps of a certificate say of users' texts, in words, with all that is assumed: for `refdp check`.

Each rule loads the engine that it names, and no other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def told(certificate: Mapping[str, Any]) -> list[str]:
    """What the steps about programs, about machines and in the words of an engine say, each once."""
    found: dict[str, None] = {}
    for step in certificate["steps"]:
        if step["rule"] in ("machine_stays_near", "machine_moves_too_far"):
            from refdp.sensitivities.machine.writing import told as told_of_machine

            found[told_of_machine(step["rule"], step["data"])] = None
        if step["rule"] in ("program_is_private", "program_exceeds"):
            from refdp.kernel.rules.programs import ProgramClaim
            from refdp.programs.certificates.replaying import sentence_about
            from refdp.programs.theorems import read

            found[sentence_about(*read(ProgramClaim.of(step["data"])))] = None
        if step["rule"] in ("engine_proves", "engine_refutes"):
            from refdp.kernel.rules.questions import EngineQuestion, engine

            asked = EngineQuestion.of(step["data"])
            said = engine(asked.kind).sentence(asked)
            in_full = f"; in full: {asked.question}" if "..." in said else ""  # a long term is cut off
            found[said + in_full] = None
    return list(found)
