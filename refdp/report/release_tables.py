"""What `refdp release` prints: the answers, the theorem they satisfy, and what is assumed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from refdp.report.tables import console, facts, short


def print_release(found: Mapping[str, Any]) -> None:
    """The answers of `refdp release`, the theorem they satisfy, and what is assumed."""
    out = console()
    for a in found["answers"]:
        spent = next(f"{name} {a[name]}" for name in ("epsilon", "rho") if name in a)
        out.print(f"[bold]{a['query']}[/bold]  ({spent})", highlight=False)
        values = a["answer"] if isinstance(a["answer"], dict) else {"": a["answer"]}
        for label, value in values.items():
            within = f"  +- {a['accuracy']}" if "accuracy" in a else ""
            out.print(f"  {label + ': ' if label else ''}{value}{within}", highlight=False, markup=False)
    t, left = found["theorem"], found["budget"]
    said = {
        "accuracy": f"each number is within +- of the true one with probability at least {found['confidence']}",
        "theorem": f"{t['metric']}({t['d_in']}) |-> {t['measure']}({', '.join(t['d_out'])})",
        "claim": t["claim"],
        "samplers": ", ".join(found["samplers"]),
        "trusts": short(t["trusts"]),
        "assumes": "; ".join(found["assumptions"]),
        "certificate": found["certificate"],
        "answers": found["answers_file"] or f"not kept in a file: {found['not_kept']}",
        "budget": "not kept" if left is None else f"{left['left']} left in {left['file']}",
    }
    if "together" in found:
        said["together"] = f"{found['together']}: whatever is released within the budget, in view of what was"
    out.print()
    out.print(facts(said))
