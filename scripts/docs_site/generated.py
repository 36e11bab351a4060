"""The pages that no file in docs/ holds: those from other folders, the licence, and the reference."""

from scripts.docs_site.places import PAGES, ROOT

LICENCE = "project/licence.md"


def pages() -> dict[str, str]:
    """The Markdown of each page, by where it goes."""
    outside = {
        site: (ROOT / path).read_text(encoding="utf-8") for path, site in PAGES.items() if (ROOT / path).is_file()
    }
    return {**outside, LICENCE: licence()}


def licence() -> str:
    """The licence as it stands, line for line."""
    return "# Licence\n\n```text\n" + (ROOT / "LICENSE").read_text(encoding="utf-8") + "```\n"
