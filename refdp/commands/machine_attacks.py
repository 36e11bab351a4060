"""`refdp sensitivity --attacks`: sensitivities that hold over the numbers and fail on a machine."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any

from refdp.commands.machine_sensitivity import machine_pair
from refdp.sensitivities.machine.attack_table import AttackRow, attack_table


def machine_attacks() -> dict[str, Any]:
    """Every attack, run: statement, arithmetic, both tables as runs of equal rows, exact move and excess, script."""
    start = time.process_time()
    found = [plain(row) for row in attack_table()]
    return {"attacks": found, "seconds": f"{time.process_time() - start:.2f}"}


def plain(row: AttackRow) -> dict[str, Any]:
    """One attack as plain data, numbers as text."""
    return {
        "verdict": "REFUTED" if row.refutes else "UNKNOWN",
        "family": row.family,
        "statement": row.statement,
        "function": row.function,
        "arithmetic": row.arithmetic,
        "n": row.n,
        "ideal": str(row.ideal),
        "observed": apart(row.observed),
        "excess": apart(row.excess),
        "pair": machine_pair(row.pair, row.script),
        "seconds": f"{row.seconds:.3f}",
    }


def apart(distance: Fraction | None) -> str:
    """A distance, or infinite."""
    return "infinite" if distance is None else str(distance)
