"""The figures of docs/why_believe_it.md: what is proved and whom it trusts, what is believed, an hour's reading.

python -m refdp.report.reading_list docs/why_believe_it.md
"""

from __future__ import annotations

import json
from pathlib import Path

from refdp.claims import ledger
from refdp.kernel.theorem import RULES
from refdp.report.marks import between, rewrite
from refdp.report.trusted_base import BASE, CORE, ROOT, all_lines, rows

BEGIN, END = "<!-- begin of the generated figures -->", "<!-- end of the generated figures -->"
HOUR = (
    (8, "docs/trust.md", "What you must believe, and how a replay works. Skip the table of files."),
    (2, "refdp/mechanisms/discrete_laplace.py", "Is this the mechanism? It knows no proof and no measure."),
    (7, "refdp/spec/distances.py", "Are these your neighbours, and is this your definition of privacy?"),
    (8, "refdp/spec/noise.py", "Who says what additive noise must meet? Not the mechanism."),
    (5, "refdp/kernel/judgements.py", "What can a theorem say at all?"),
    (6, "refdp/kernel/theorem.py", "Who can make one, and where do the names in `trusts` come from?"),
    (4, "refdp/kernel/rules/logic.py", "The one way in for a solver."),
    (
        6,
        "refdp/kernel/rules/privacy.py",
        "A rule: inference line, side conditions; then its proof in soundness.md.",
    ),
    (6, "refdp/kernel/certificate.py", "What a file can make a replay do."),
    (8, "docs/limits.md", "What is not proved."),
)
"""Minutes, file, and the question to bring: an hour, in this order."""


def figures(root: Path) -> str:
    """What is proved, what is believed, and what to read, as Markdown."""
    return "\n\n".join((claims(root), believed(root), reading(root)))


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


def reading(root: Path) -> str:
    """The hour's reading, with the lengths of files."""
    lines = ["| minutes | read | lines | and ask |", "|--:|---|--:|---|"]
    for minutes, name, question in HOUR:
        place = name.removeprefix("docs/") if name.startswith("docs/") else f"../{name}"
        text = (root / name).read_text(encoding="utf-8")
        shown, length = (name, str(all_lines(text))) if name.endswith(".py") else (heading(text), "")
        lines.append(f"| {minutes} | [{shown}]({place}) | {length} | {question} |")
    return "\n".join(lines)


def heading(text: str) -> str:
    """The first heading of a page.

    >>> heading("# Limits\\n\\nFor whoever ...")
    'Limits'
    """
    return text.partition("\n")[0].removeprefix("# ")


def updated(page: str, root: Path = ROOT) -> str:
    """The page with its figures made anew; ValueError where their marks are missing."""
    return between(page, BEGIN, END, lambda: figures(root))


if __name__ == "__main__":
    rewrite("reading_list", __doc__, updated)
