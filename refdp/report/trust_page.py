"""The table of docs/trust.md: every file that is believed, for what, with its length."""

from __future__ import annotations

from pathlib import Path

from refdp.commands.trusted_base import BASE, GROUPS, OTHERS, Row, all_lines, groups, rows
from refdp.report.marks import between

BEGIN, END = "<!-- begin of the generated table -->", "<!-- end of the generated table -->"


def table(package: Path) -> str:
    """The lengths of each group and file and what they come to, then of what need not be believed, as Markdown."""
    found, out = list(rows(package)), ["| what is believed | file | lines | of code |", "|---|---|--:|--:|"]
    for group in GROUPS:
        mine = [r for r in found if r[0] == group]
        out.append(total(group, "", mine))
        out += [f"| | [{shown(name)}](../{name}) | {lines} | {code} |" for _, name, lines, code in mine]
    base = [r for r in found if r[0] in BASE]
    out.append(total(f"the trusted base of every theorem: {', '.join(BASE)}", f"{len(base)} files", base))
    out.append(total("all of the above", f"{len(found)} files", found))
    out += ["", "| what need not be believed | files | lines |", "|---|--:|--:|"]
    for group, paths in groups(package).items():
        if group in OTHERS:
            lengths = [all_lines(path.read_text(encoding="utf-8")) for path in paths]
            out.append(f"| {group} | {len(lengths)} | {sum(lengths)} |")
    return "\n".join(out)


def shown(name: str) -> str:
    """The name as Markdown shows it: two underscores would begin bold type."""
    return name.replace("__", r"\_\_")


def total(what: str, files: str, some: list[Row]) -> str:
    """A row of the table with the sums over some of its files."""
    return f"| **{what}** | {files} | **{sum(r[2] for r in some)}** | **{sum(r[3] for r in some)}** |"


def updated(page: str, package: Path) -> str:
    """The page with its table made anew; ValueError where the marks of the table are missing."""
    return between(page, BEGIN, END, lambda: table(package))
