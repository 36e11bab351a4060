"""One page for each entry of the docket, and one that lists them and what does not add up.

    python -m refdp.report.docket_pages docs/docket

Verdicts are those of the certificates: a page proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from refdp import claims
from refdp.claims import Claim, claim
from refdp.docket import CERTAINTIES, VERDICTS, Entry, decimal, entries, verdict
from refdp.report.arguments import arguments
from refdp.report.certificates import theorem_of
from refdp.report.paths import link_from, page_path
from refdp.report.sources import cell

GENERATED = "<!-- Made by `python -m refdp.report.docket_pages docs/docket`; changes belong in refdp/docket. -->"
FOLDER = "docs/docket"
INDEX = f"{FOLDER}/index.md"
HOLDS = {True: "holds", False: "**does not hold**"}
ADDS_UP: Mapping[bool | None, str] = {True: "yes", False: "**no**", None: "no parts published"}
UNCONFIRMED = "yes, of unconfirmed parts"


def pages() -> dict[str, str]:
    """File name -> text: a page for each entry, and the index."""
    found = {f"{one.slug}.md": "\n".join(page(one)) + "\n" for one in entries()}
    return {"index.md": "\n".join(index()) + "\n", **found}


def said_of(listed: Claim) -> str:
    """What the claim's certificate says of it: PROVED, REFUTED or UNKNOWN."""
    return claims.verdict(theorem_of(listed).claim, listed.formal) or "UNKNOWN"


def index() -> Iterator[str]:
    """The lines of the page that lists the entries."""
    judged = [(one, verdict(one, said_of)) for one in entries()]
    yield from (GENERATED, "", "# The docket of deployments", "")
    yield f"{len(judged)} published deployments of differential privacy, each with what is claimed and refdp's verdict."
    yield from ("", "Only what is publicly reported stands here, with how sure it is.", "")
    yield from ("| verdict | entries | it means |", "|---|--:|---|")
    for word, meaning in VERDICTS.items():
        yield f"| {word} | {sum(said == word for _, said in judged)} | {meaning} |"
    yield from ("", "| deployment | of | published | for | verdict | parts add up |", "|---|---|---|---|---|---|")
    for one, said in judged:
        who = ", ".join(one.blocks["basic"]["data_curators"])
        cells = (f"[{cell(one.name)}]({one.slug}.md)", who, published(one), one.said["per"], said)
        yield f"| {' | '.join([cells[0], *map(cell, cells[1:])])} | {adds_up(one)} |"
    yield from ("", "## What does not add up", "", "| deployment | what |", "|---|---|")
    for one, _ in judged:
        for failure in one.failures():
            yield f"| [{cell(one.name)}]({one.slug}.md) | {cell(failure)} |"
    yield from ("", f"The claims: [docket]({link_from(INDEX, 'docs/claims/docket.md')}).")


def adds_up(one: Entry) -> str:
    """Whether the parts add up to the published number, and where they do and a part is unconfirmed, that it is."""
    unconfirmed = one.sum_checked and any(p.certainty == "u" for p in one.parts)
    return UNCONFIRMED if unconfirmed else ADDS_UP[one.sum_checked]


def published(one: Entry) -> str:
    """The published numbers in one line."""
    return ", ".join(f"{key} {value}" for key, value in one.parameters.items()) or "none"


def page(one: Entry) -> Iterator[str]:
    """The lines of the page of one entry."""
    said, word = one.said, verdict(one, said_of)
    yield from (GENERATED, "", f"# {one.name}", "", cell(one.blocks["basic"]["description"]), "")
    yield from (f"**{word}**: {VERDICTS[word]}.", "")
    yield from bullets("", [said[key] for key in ("other_numbers", "no_words") if said.get(key)])
    yield from bullets("Missing", said.get("missing", ()))
    yield from conditions(one)
    yield from ("## What is claimed", "", "| | |", "|---|---|")
    yield from (f"| {name} | {cell(text)} |" for name, text in facts(one) if text)
    yield ""
    yield from parts(one)
    yield from theorems("The claims that state it", one.said.get("formal", ()))
    yield from theorems("Claims beside it", one.said.get("beside", ()))
    yield from bullets("Assumed", said.get("assumes", ()))
    yield from bullets("Not claimed", said["not_claimed"])
    yield from checks(one)
    yield from bullets("Unconfirmed", one.blocks["administrative"].get("unconfirmed", ()))
    yield from ("## Sources", "")
    for source in one.blocks["administrative"]["sources"]:
        yield f"- {cell(source['title'])}, {cell(source['section'])}: {CERTAINTIES[source['certainty']]}."
    yield from ("", "[The docket](index.md).")


def facts(one: Entry) -> Iterator[tuple[str, str]]:
    """The rows of what is claimed: of whom, of what, by which mechanism."""
    blocks, said = one.blocks, one.said
    bound: Mapping[str, Any] = said.get("bound", {})
    yield "who", ", ".join(blocks["basic"]["data_curators"])
    yield "published", f"{published(one)} ({CERTAINTIES[said['certainty']]})"
    yield "period", f"{said['period']}: {said['per']}"
    yield "unit of the record", blocks["privacy_loss"]["privacy_unit"]
    yield "neighbours", blocks["privacy_loss"].get("privacy_unit_details", "")
    yield "bound of a contribution", ", ".join(bound[key] for key in ("k", "norm") if key in bound)
    yield "mechanism", blocks["implementation"]["mechanisms"]
    yield "model", blocks["deployment_model"]["model_name"]
    yield "variant", blocks["dp_variant"]["variant_name"]
    yield "unprotected", blocks["dp_variant"].get("unprotected_quantities", "")
    yield "composition", blocks["accounting"].get("composition", "")
    yield "post-processing", blocks["accounting"].get("post_processing", "")
    yield "notes", blocks["administrative"].get("notes", "")


def parts(one: Entry) -> Iterator[str]:
    """The table of the parts and their sum."""
    if not one.parts:
        return
    yield from ("## Parts", "", f"| part | mechanism | {one.summed} | times | how sure |", "|---|---|--:|--:|---|")
    for p in one.parts:
        cells = (cell(p.name), cell(p.mechanism), decimal(p.loss), str(p.multiplicity), CERTAINTIES[p.certainty])
        yield f"| {' | '.join(cells)} |"
    agrees = f"which is the published {one.summed}" if one.sum_checked else f"**and {decimal(one.total)} is published**"
    yield from ("", f"They add up to {decimal(one.sum)}, {agrees}.", "")


def conditions(one: Entry) -> Iterator[str]:
    """The conditions, each with the claim that is refuted without it."""
    found = one.said.get("conditions", ())
    yield from ("## Condition", "") if found else ()
    for condition in found:
        yield f"- {cell(condition['says'])} Without it: {link(condition['refuted'])} is refuted."
    yield from ("",) if found else ()


def checks(one: Entry) -> Iterator[str]:
    """The table of the statements about printed numbers."""
    if one.checks:
        yield from ("## Arithmetic", "", "| what | statement | |", "|---|---|---|")
        yield from (f"| {cell(c.says)} | `{c.statement}` | {HOLDS[c.holds]} |" for c in one.checks)
        yield ""


def theorems(title: str, identifiers: Iterable[str]) -> Iterator[str]:
    """A list of claims with their verdicts and sentences."""
    found = [claim(identifier) for identifier in identifiers]
    if found:
        yield from (f"## {title}", "", "| claim | verdict | what it says |", "|---|---|---|")
        yield from (f"| {link(c.identifier)} | {said_of(c)} | {cell(c.sentence)} |" for c in found)
        yield ""


def link(identifier: str) -> str:
    """The claim as a link to its page."""
    return f"[{identifier}]({link_from(INDEX, page_path(identifier))})"


def bullets(title: str, sentences: Iterable[str]) -> Iterator[str]:
    """A list under its title, or nothing where it is empty."""
    found = list(sentences)
    if found:
        yield from (f"## {title}", "") if title else ()
        yield from (*(f"- {cell(one)}" for one in found), "")


def write(folder: Path) -> None:
    """Write every page, and remove pages of entries that are no more."""
    folder.mkdir(parents=True, exist_ok=True)
    found = pages()
    for old in folder.glob("*.md"):
        if old.name not in found and old.read_text(encoding="utf-8").startswith(GENERATED):
            old.unlink()
    for name, text in found.items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    (given,) = arguments("docket_pages", __doc__, "FOLDER")
    write(Path(given))
