"""The pages of Markdown, for the tests of the site."""

import re
from pathlib import Path

from refdp.claims import ledger
from refdp.report import docket_pages, sources
from refdp.report.paths import INDEX, page_path, stem_path
from tests.meta.repository import ROOT, names

CLAIM_PAGES = [ROOT / page_path(c.identifier) for c in ledger()]
OF_FOLDERS = {f"{made.FOLDER}/{name}" for made in (docket_pages, sources) for name in made.pages()}
LISTS = {INDEX, *(stem_path(c.stem) for c in ledger()), *OF_FOLDERS}
"""The other pages that are made of the code: of a stem, a document, a deployment, and of all."""
MARKDOWN = sorted(ROOT / name for name in {*LISTS, *(name for name in names() if name.endswith(".md"))})
WRITTEN = [path for path in MARKDOWN if path not in CLAIM_PAGES]
"""The pages that are not of one claim each."""
FORMULA = re.compile(r"^```math\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def formulas(markdown: str) -> list[str]:
    """What stands in fences marked `math`."""
    return FORMULA.findall(markdown)


def name(path: Path) -> str:
    """The path from the root, as a name of a test."""
    return path.relative_to(ROOT).as_posix()
