"""The figures of docs/why_believe_it.md: what is proved and whom it trusts, and how much is believed."""

from __future__ import annotations

import json
from pathlib import Path

from refdp.claims import ledger
from refdp.commands.trusted_base import BASE, CORE, ROOT, rows
from refdp.kernel.theorem import RULES
from refdp.report.marks import between

BEGIN, END = "<!-- begin of the generated figures -->", "<!-- end of the generated figures -->"


def figures(root: Path) -> str:
    """What is proved and what is believed, as Markdown."""
    return "\n\n".join((claims(root), believed(root)))


def claims(root: Path) -> str:
    """How many claims the kernel decided, and how many of them name nobody in `trusts`."""
    certificates = [root / "proofs" / "certificates" / f"{claim.identifier}.json" for claim in ledger()]
    alone = sum(json.loads(path.read_text(encoding="utf-8"))["trusts"] == [] for path in certificates)
    false = sum(claim.expected == "REFUTED" for claim in ledger())
    total = len(ledger())
    return (
        f"The ledger has {total} claims of the kernel: {total - false} proved and {false} refuted. "
        f"Of these {alone} trust nobody,\nand {total - alone} name somebody."
    )


def believed(root: Path) -> str:
    """How long the kernel is, and all that every theorem rests on."""
    found = list(rows(root / "refdp"))
    core, base = ([r for r in found if r[0] in some] for some in ((CORE,), BASE))
    return (
        f"The core of the kernel has {sum(r[2] for r in core)} lines, {sum(r[3] for r in core)} of them code. With all "
        f"{len(RULES)} rules, the\nspecification and exact numbers, every theorem rests on {len(base)} files, "
        f"{sum(r[2] for r in base)} lines, {sum(r[3] for r in base)} of them code."
    )


def updated(page: str, root: Path = ROOT) -> str:
    """The page with its figures made anew; ValueError where their marks are missing."""
    return between(page, BEGIN, END, lambda: figures(root))
