"""Pages of Markdown from the ledger, the code and the certificates: an index, one for each stem, one for each claim.

    python -m refdp.report.claim_pages docs/claims

The derivation of each claim is drawn beside its page; the pictures of what claims say are made by
`refdp.report.pictures`.  Versions are left out, so that a page changes only where a claim does.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path

from refdp.claims import BOOKS, Claim, general, ledger
from refdp.kernel.theorem import Theorem
from refdp.report.arguments import arguments
from refdp.report.certificates import ROOT, theorem_of
from refdp.report.claim_page import GENERATED, claim_page, code, trusted
from refdp.report.generality import SOUNDNESS
from refdp.report.paths import FOLDER, INDEX, general_path, link_from, page_path, stem_path, tree_path
from refdp.report.tree_svg import GENERATED_TREE, tree_svg
from refdp.rocq.lock import standing
from refdp.spec.primitives import Primitive
from refdp.spec.registry import kind_of, stems

PRIMITIVES = "refdp/spec/primitives.py"
ABOUT_ALL = (
    "No theorem of the kernel is about all mechanisms. Each of these claims is a theorem of Rocq, with variables for",
    "the mechanisms, whatever their outcomes are (`refdp export`). It is PROVED where that theorem is one which Rocq",
    "has checked, by `proofs/rocq/rules.lock`, and a rule of the kernel, applied to the hypotheses as they stand,",
    "concludes the conclusion as it stands; else it is UNKNOWN. The false claims beside them are about one mechanism",
    "each.",
)
"""What a claim about all mechanisms is worth."""


def pages() -> dict[str, str]:
    """File name, from the folder of the pages -> text: every page, and every drawing of a derivation."""
    theorems = {claim.identifier: theorem_of(claim) for claim in ledger()}
    found = {INDEX: index(theorems)}
    for stem in dict.fromkeys(claim.stem for claim in ledger()):
        found[stem_path(stem)] = stem_page(stem, theorems)
    for stem in dict.fromkeys(claim.stem for claim in general()):
        found[stem_path(stem)] = "\n".join(general_page(stem)) + "\n"
    for claim in ledger():
        theorem = theorems[claim.identifier]
        found[page_path(claim.identifier)] = claim_page(claim, theorem)
        found[tree_path(claim.identifier)] = tree_svg(theorem, f"Derivation of {claim.identifier}")
    return {path.removeprefix(f"{FOLDER}/"): text for path, text in found.items()}


def index(theorems: dict[str, Theorem]) -> str:
    """The page of every claim, book by book."""
    proved, refuted = (sum(c.expected == v for c in ledger()) for v in ("PROVED", "REFUTED"))
    found = [GENERATED, "", "# Every claim", ""]
    found += [f"{len(ledger())} claims: {proved} proved, {refuted} false and refuted.", ""]
    for book in BOOKS:
        claims = [c for c in ledger() if c.book == book]
        if claims:
            found += [f"## {book[0].upper()}{book[1:]}", "", *table(INDEX, claims, theorems), ""]
    found += ["## All mechanisms", "", *ABOUT_ALL, "", "| claim | what it says | rule |", "|---|---|---|"]
    for c in general():
        name = f"[{c.identifier}]({link_from(INDEX, general_path(c.identifier))})"
        found.append(f"| {name} | {cell(c.sentence)} | {written(c, INDEX)} |")
    return "\n".join([*found, ""])


def written(claim: Claim, page: str) -> str:
    """The rule that says a claim about all mechanisms, as a link to its proof."""
    return f"[{claim.rule}]({link_from(page, SOUNDNESS)}#{claim.rule})"


def general_page(stem: str) -> Iterator[str]:
    """The lines of the page of the claims about all mechanisms."""
    page = stem_path(stem)
    yield from (GENERATED, "", "# Claims about all mechanisms", "", *ABOUT_ALL, "")
    for c in (one for one in general() if one.stem == stem):
        yield from (f"## {c.notion}", "", cell(c.sentence), "", *code(c.formal), "")
        instances = [one.identifier for one in ledger() if one.rule == c.rule and one.expected == "PROVED"]
        shown = ", ".join(f"[{one}]({link_from(page, page_path(one))})" for one in instances)
        false = ", ".join(f"[{one}]({link_from(page, page_path(one))})" for one in c.siblings)
        found = standing(c)
        told = f"trusted: {trusted(list(found.trusts))}" if found.verdict == "PROVED" else found.reason
        yield f"{found.verdict}: {told}. Rule {written(c, page)}. Source: {c.source}."
        yield from ([f"Theorems that the rule made: {shown}."] if shown else [])
        yield from ([f"False, and refuted: {false}."] if false else [])
        yield ""
    yield f"[Every claim]({link_from(page, INDEX)})."


def stem_page(stem: str, theorems: dict[str, Theorem]) -> str:
    """The page of one stem: what it is, and its claims."""
    claims = [claim for claim in ledger() if claim.stem == stem]
    path = stem_path(stem)
    found = [GENERATED, "", f"# {stem}", "", heading(stem), "", *table(path, claims, theorems), ""]
    return "\n".join([*found, f"[Every claim]({link_from(path, INDEX)}).", ""])


def table(page: str, claims: Sequence[Claim], theorems: dict[str, Theorem]) -> Iterator[str]:
    """The claims with their verdicts, sentences and what they trust."""
    yield from ("| claim | verdict | what it says | trusts |", "|---|---|---|---|")
    for c in claims:
        name = f"[{c.identifier}]({link_from(page, page_path(c.identifier))})"
        whom = trusted(sorted(theorems[c.identifier].trusts)).replace("nothing beyond the kernel", "nothing")
        yield f"| {name} | {c.expected} | {cell(c.sentence)} | {whom} |"


def cell(sentence: str) -> str:
    """The sentence as it can stand in a table and is not read as markup."""
    return sentence.replace("|", r"\|").replace("*", r"\*")


def heading(stem: str) -> str:
    """What the stem is, in the first line of its definition or else of its proofs, and where both stand."""
    page, first = stem_path(stem), stem
    books = dict.fromkeys(f"refdp/ledger/{c.book}.toml" for c in ledger() if c.stem == stem and c.proof)
    proofs = [*books, *([found] if (ROOT / (found := f"proofs/{stem}.py")).exists() else [])]
    said = [f"proved in {' and '.join(f'[{path}]({link_from(page, path)})' for path in proofs)}"]
    modules = []
    for package in ("mechanisms", "transformations", "statements"):
        defined = f"refdp/{package}/{stem}.py"
        if (ROOT / defined).exists():
            said.insert(0, f"defined in [{defined}]({link_from(page, defined)})")
            modules.append(f"refdp.{package}.{stem}")
    modules += [f"refdp.proofs.{stem}"] if f"proofs/{stem}.py" in proofs else []
    if modules:
        first = (inspect.getdoc(import_module(modules[0])) or stem).splitlines()[0]
    if stem in stems() and isinstance(primitive := kind_of(stem), Primitive):
        said.insert(0, f"defined in [{PRIMITIVES}]({link_from(page, PRIMITIVES)})")
        first = f"{stem}({', '.join(primitive.parameters)}): {primitive.draws}."
    where = ", ".join(said)
    return f"{first}\n\n{where[0].upper()}{where[1:]}."


def write(folder: Path) -> None:
    """Write every page and drawing, and remove those of claims that the ledger no longer has."""
    found = pages()
    for old in (*folder.rglob("*.md"), *folder.rglob("*.tree.svg")):
        made = old.read_text(encoding="utf-8").startswith((GENERATED, GENERATED_TREE))
        if made and old.relative_to(folder).as_posix() not in found:
            old.unlink()
    for name, text in found.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    (folder,) = arguments("claim_pages", __doc__, "FOLDER")
    write(Path(folder))
