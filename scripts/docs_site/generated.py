"""The pages that no file in docs/ holds: those from other folders, the licence, and the reference."""

from scripts.docs_site import command_pages, house, python_pages
from scripts.docs_site.places import PAGES, ROOT, origin

LICENCE = "project/licence.md"
INDEX = {
    "command_line.md": ("The command line", "what holds for every command: exit codes, verdicts, options"),
    "reference/commands.md": ("The help of the commands", "of each, as `--help` prints it"),
    "reference/json.md": ("JSON", "the object that each command prints with `--json`"),
    "reference/python.md": ("The names of refdp", "what `import refdp` gives"),
    "reference/testing.md": ("Tests of your own code", "`refdp.testing`, for pytest"),
    "reference/rules.md": ("Rules of the kernel", "every rule with its inference line and its written proof"),
    "reference/spec.md": ("What the words mean", "metrics, measures, domains, obligations"),
    "reference/accounting.md": ("Accounting", "accounts, accountants, events, curves"),
    house.PAGE: ("How the house is built", "packages, what imports what, and three rules"),
    "project/vectors.md": ("Test vectors", "their files, types and fields"),
}
"""The pages of the reference, each with its name and what it holds."""


def pages() -> dict[str, str]:
    """The Markdown of each page, by where it goes."""
    outside = {
        site: (ROOT / path).read_text(encoding="utf-8") for path, site in PAGES.items() if (ROOT / path).is_file()
    }
    return {**outside, **reference(), LICENCE: licence()}


def reference() -> dict[str, str]:
    """The pages made from docstrings and help, and their index."""
    return {
        **python_pages.pages(),
        "reference/commands.md": command_pages.page(),
        house.PAGE: house.page(),
        "reference/index.md": index(),
    }


def index() -> str:
    """The first page of the reference: what it has, as far as it is there."""
    there = {page: row for page, row in INDEX.items() if page != "command_line.md" or (ROOT / "docs" / page).is_file()}
    rows = [f"| [{name}]({linked(page)}) | {holds} |" for page, (name, holds) in there.items()]
    return "\n".join(["# Reference", "", "| page | holds |", "|---|---|", *rows, ""])


def linked(page: str) -> str:
    """The page, as linked from docs/reference/."""
    return page.removeprefix("reference/") if page.startswith("reference/") else f"../../{origin(page)}"


def licence() -> str:
    """The licence as it stands, line for line."""
    return "# Licence\n\n```text\n" + (ROOT / "LICENSE").read_text(encoding="utf-8") + "```\n"
