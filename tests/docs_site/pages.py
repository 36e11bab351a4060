"""The pages of Markdown, for the tests of the site."""

import re
from pathlib import Path

from tests.meta.repository import ROOT, names

MARKDOWN = [ROOT / name for name in names() if name.endswith(".md")]
CLAIM_PAGES = [path for path in MARKDOWN if path.parent.parent == ROOT / "docs" / "claims"]
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
