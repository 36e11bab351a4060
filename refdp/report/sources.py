"""One page for each source document: its statements in order, refdp's verdict, the claims, one sentence.

    python -m refdp.report.sources docs/sources

With a second folder, that of the documents themselves, it first checks that they are those that were judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from refdp.claims import GENERAL as ABOUT_ALL
from refdp.claims import Claim, general, ledger
from refdp.report.arguments import arguments
from refdp.report.documents import VERDICTS, Document, DocumentError, Entry, differences, documents
from refdp.report.generality import GENERAL, NUMBERS, OF_A_RULE, OF_OUTCOMES, SOUNDNESS, reach
from refdp.report.paths import general_path, link_from, page_path

GENERATED = "<!-- Made by `python -m refdp.report.sources docs/sources`; changes belong in the ledger. -->"
FOLDER = "docs/sources"
WHAT_SHOWS = (
    "In the column of claims, *proved* is for all values of a claim's names, and *proved of all mechanisms* is by a",
    "theorem of [Rocq](../rocq.md#claims-about-all-mechanisms). No theorem of the kernel is about all of them: where",
    "a *rule* shows the statement, that is by its written proof, and the claims are instances of it.",
    "A claim *of outcomes* is the inequality of a few outcomes from which such a proof, or the definition, goes on.",
    "A claim *in numbers* is about those numbers, and shows a statement only where they are the document's; where",
    "nothing but the remark shows it, its last sentence is the proof.",
)
"""What the column of claims says."""
JUDGED = ("TRUE", "FALSE", "REPAIRED", "AMBIGUOUS")
"""The verdicts that claims show."""


def pages() -> dict[str, str]:
    """File name -> text, one page for each document and one that lists them."""
    found = {f"{d.stem}.md": "\n".join(page(d)) + "\n" for d in documents()}
    return {"index.md": "\n".join(index()) + "\n", **found}


def index() -> Iterator[str]:
    """The lines of the page that lists the documents, with their counts."""
    yield from (GENERATED, "", "# The source documents, statement by statement", "")
    yield f"| document | title | statements | {' | '.join(VERDICTS)} |"
    yield f"|---|---|{'--:|' * (1 + len(VERDICTS))}"
    for d in documents():
        counts = " | ".join(str(d.count(v)) for v in VERDICTS)
        yield f"| [{d.stem}]({d.stem}.md) | {d.title} | {len(d.statements)} | {counts} |"
    everything = [e for d in documents() for e in d.statements]
    totals = " | ".join(str(sum(d.count(v) for d in documents())) for v in VERDICTS)
    yield f"| all | | {len(everything)} | {totals} |"
    yield ""
    yield from (f"- {verdict}: {meaning}." for verdict, meaning in VERDICTS.items())


def page(d: Document) -> Iterator[str]:
    """The lines of the page of one document."""
    counts = ", ".join(f"{d.count(v)} {v}" for v in VERDICTS if d.count(v))
    yield from (GENERATED, "", f"# {d.stem}: {d.title}", "", f"{len(d.statements)} statements: {counts}.", "")
    yield from (f"Every one of its {d.lines} lines is in the table once; passages that state nothing say why.", "")
    yield from (*WHAT_SHOWS, "", "SHA-256 of the text:", "", f"    {d.digest}", "")
    yield from ("| lines | what it says | verdict | claims | in one sentence |", "|---|---|---|---|---|")
    yield from map(row, d.entries)


def row(e: Entry) -> str:
    """The row of one entry: excerpts in quotation marks."""
    lines = str(e.first) if e.first == e.last else f"{e.first}-{e.last}"
    words = f"\u201c{e.words}\u201d" if e.is_excerpt else e.words
    said = f"{e.sentence} {e.reason}".strip()
    cells = (lines, f"{cell(words)} ({e.kind})", e.verdict, "; ".join(shown(e)), cell(said))
    return f"| {' | '.join(cells)} |"


def cell(text: str) -> str:
    """The text as it stands in a table of Markdown: no bar ends the cell, no sign begins a tag or emphasis."""
    for sign, written in (("\\", "\\\\"), ("|", "\\|"), ("<", "&lt;"), ("*", "\\*"), ("_", "\\_"), ("$", "\\$")):
        text = text.replace(sign, written)
    return text


def shown(e: Entry) -> Iterator[str]:
    """What shows the verdict: claims that are proved for all values, rules with instances, and what is beside them."""
    if e.verdict not in JUDGED:
        yield from filter(None, [links(e.claims)])
        return
    cited = [claims()[identifier] for identifier in e.claims]
    of_all = [c for c in cited if c.book == ABOUT_ALL]
    proved = [c for c in cited if c.expected == "PROVED" and c.book != ABOUT_ALL]
    reached = {one: [c for c in proved if reach(c) == one] for one in (GENERAL, OF_A_RULE, OF_OUTCOMES, NUMBERS)}
    general, instances, outcomes, numbers = reached.values()
    if general:
        yield f"proved: {links(c.identifier for c in general)}"
    if of_all:
        yield f"proved of all mechanisms: {links(c.identifier for c in of_all)}"
    for rule in dict.fromkeys(c.rule for c in instances):
        shown = links(c.identifier for c in instances if c.rule == rule)
        where = link_from(f"{FOLDER}/index.md", SOUNDNESS)
        yield f"rule [{rule}]({where}#{rule}), written proof; instances: {shown}"
    if outcomes:
        yield f"of outcomes: {links(c.identifier for c in outcomes)}"
    if numbers:
        yield f"in numbers: {links(c.identifier for c in numbers)}"
    if refuted := [c.identifier for c in cited if c.expected == "REFUTED"]:
        yield links(refuted)


def links(identifiers: Iterable[str]) -> str:
    """The claims as links, with commas."""
    return ", ".join(map(claim_link, identifiers))


@cache
def claims() -> dict[str, Claim]:
    """Every claim of the kernel, or about all mechanisms, by its name."""
    return {c.identifier: c for c in (*ledger(), *general())}


def claim_link(identifier: str) -> str:
    """The claim as a link to its page, marked where the ledger refutes it."""
    found = claims()[identifier]
    mark = " (refuted)" if found.expected == "REFUTED" else ""
    path = general_path(identifier) if found.book == ABOUT_ALL else page_path(identifier)
    return f"[{identifier}]({link_from(f'{FOLDER}/index.md', path)}){mark}"


def write(folder: Path) -> None:
    """Write every page, and remove pages of documents that the ledger no longer has."""
    folder.mkdir(parents=True, exist_ok=True)
    found = pages()
    for old in folder.glob("*.md"):
        if old.name not in found and old.read_text(encoding="utf-8").startswith(GENERATED):
            old.unlink()
    for name, text in found.items():
        (folder / name).write_text(text, encoding="utf-8")


def require_documents(folder: Path) -> None:
    """The documents in the folder are those that were judged; DocumentError otherwise."""
    for d in documents():
        for problem in differences(d, (folder / f"{d.stem}.txt").read_bytes()):
            raise DocumentError(f"{d.stem}: {problem}")


if __name__ == "__main__":
    folder, *documents_folders = arguments("sources", __doc__, "FOLDER", "[DOCUMENTS]")
    for documents_folder in documents_folders:
        require_documents(Path(documents_folder))
    write(Path(folder))
