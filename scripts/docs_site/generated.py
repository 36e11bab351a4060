"""The pages that no file in docs/ holds: those from other folders, the licence, and the reference."""

from scripts.docs_site import command_pages, python_pages
from scripts.docs_site.places import PAGES, ROOT

LICENCE = "project/licence.md"
INDEX = """# Reference

| page | holds |
|---|---|
| [The command line](commands.md) | the help of every command |
| [Exit codes](exit_codes.md) | what 0, 1, 2 and 3 say |
| [JSON](json.md) | the object that each command prints with `--json` |
| [The names of refdp](python.md) | what `import refdp` gives |
| [Tests of your own code](testing.md) | `refdp.testing`, for pytest |
| [Rules of the kernel](rules.md) | every rule with its inference line and its written proof |
| [What the words mean](spec.md) | metrics, measures, domains, obligations |
| [Accounting](accounting.md) | accounts, accountants, events, curves |

Formats of files: [test vectors](../../vectors/README.md), [audits](../how_to/audit.md),
[accounts](../how_to/account.md).
"""


def pages() -> dict[str, str]:
    """The Markdown of each page, by where it goes."""
    outside = {
        site: (ROOT / path).read_text(encoding="utf-8") for path, site in PAGES.items() if (ROOT / path).is_file()
    }
    return {**outside, **reference(), LICENCE: licence()}


def reference() -> dict[str, str]:
    """The pages made from docstrings and help, and their index."""
    return {**python_pages.pages(), "reference/commands.md": command_pages.page(), "reference/index.md": INDEX}


def licence() -> str:
    """The licence as it stands, line for line."""
    return "# Licence\n\n```text\n" + (ROOT / "LICENSE").read_text(encoding="utf-8") + "```\n"
