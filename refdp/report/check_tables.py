"""What `refdp check` prints: certificate, verdict, trusts, seconds."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.text import Text

from refdp.report.differences import differences
from refdp.report.tables import console, grid, last_line, print_judged_again, print_reasons, short, verdict

QUESTIONS = ("engine_claim(", "refuted(engine_claim(")
"""How conclusions begin that are said in words instead."""


def about(certificate: Mapping[str, Any]) -> str:
    """What a certificate is of, where the name of its file does not say so; of a question in words."""
    if "reason" in certificate or Path(certificate["path"]).stem == certificate["claim"]:
        return ""
    if is_question(certificate):
        return differences(" ".join(certificate["said"]))
    return differences(certificate["claim"] or certificate["conclusion"])


def is_question(certificate: Mapping[str, Any]) -> bool:
    """Whether a certificate that replayed is about a question of an engine's."""
    return str(certificate.get("conclusion", "")).startswith(QUESTIONS)


def print_replays(found: Mapping[str, Any]) -> None:
    """The table of `refdp check`."""
    table, out = grid("certificate", "verdict", "trusts", "seconds"), console()
    for c in found["certificates"]:
        table.add_row(Text(c["path"]), verdict(c["verdict"]), Text(short(c["trusts"])), c["seconds"])
    out.print(table)
    print_reasons(out, ((c["path"], {"reason": about(c)} | c) for c in found["certificates"]))
    alone = sum("without_smt_lib" in c for c in found["certificates"])
    out.print()
    if len(found["certificates"]) == 1 and (rules := found["certificates"][0].get("rules")):
        out.print(f"rules (written proof): {', '.join(rules)}", highlight=False, markup=False)
    texts = {key: text for c in found["certificates"] for key, text in c.get("texts", {}).items()}
    others = [c for c in found["certificates"] if not is_question(c)]
    for said in dict.fromkeys(said for c in others for said in c.get("said", ())):
        out.print(differences(said), highlight=False, markup=False)
    for key, text in texts.items():
        out.print(f"{key[:12]}... is the text with the {text}", highlight=False, markup=False)
    for c in found["certificates"]:
        for statement in c.get("without_smt_lib", ()):
            out.print(f"  {c['claim']}: {statement}", highlight=False, markup=False)
    more = [f"{alone} with an obligation that has no SMT-LIB text and was asked of sympy"] if alone else []
    verdicts = [c["verdict"] for c in found["certificates"]]
    print_judged_again(out, found["certificates"])
    out.print(last_line("certificate", verdicts, *more, seconds=found["seconds"]))
