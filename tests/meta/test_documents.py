"""The documents: their links lead somewhere, their numbers are those of the code, their spelling is British."""

import inspect
import re
from pathlib import Path

import pytest

from refdp.commands.trusted_base import LARGEST_CORE, all_lines
from refdp.kernel.rules.privacy import LARGEST_ENUMERATION
from refdp.numerics import exact
from refdp.releases.release import CONFIDENCE
from tests.meta.repository import ROOT, names

LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#L(\d+))?\)")
FILE_NAME = re.compile(r"\[[\w/.-]+\.md\]\(")
FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
NAME = re.compile(r"`[^`\s]+`")
AMERICAN = re.compile(r"\b\w*(?:behavior|neighbor|randomiz|normaliz|privatiz|honor|color|favor|summariz)\w*", re.I)


def documents() -> list[str]:
    """Every page of Markdown."""
    return [name for name in names() if name.endswith(".md")]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def broken(text: str, folder: Path) -> list[str]:
    """The links of a page in the folder that lead to no file, or beyond its last line; blocks of code have none."""
    found = [(path, int(line or 0)) for path, line in LINK.findall(FENCED.sub("", text)) if "://" not in path]
    return [p for p, line in found if not (folder / p).exists() or line and line > all_lines((folder / p).read_text())]


def test_documents_have_links_that_lead_somewhere():
    assert {name: b for name in documents() if (b := broken(read(name), (ROOT / name).parent))} == {}


def test_documents_say_in_words_what_page_a_link_leads_to():
    """A page of the site has no file name; one in the type of code is meant as the name of a file."""
    assert {name: found for name in documents() if (found := FILE_NAME.findall(FENCED.sub("", read(name))))} == {}


def test_a_link_whose_text_is_the_name_of_a_page_is_found():
    assert FILE_NAME.findall("[a](a.md), [a/b.md](a/b.md#c), [`a.md`](a.md)") == ["[a/b.md]("]


def test_documents_are_in_british_spelling():
    """Names of code, which may be another project's, are spelt as they are."""
    assert {name: found for name in documents() if (found := AMERICAN.findall(NAME.sub("", read(name))))} == {}


def test_documents_keep_lines_short():
    """At most 120 characters wide; only tables and generated pages are wider."""
    prose = [
        n
        for n in documents()
        if n.startswith(("docs/", "CONTRIBUTING", "CHANGELOG", "SECURITY")) and "/claims/" not in n
    ]
    lines = [(f"{name}:{i}", line) for name in prose for i, line in enumerate(read(name).splitlines(), 1)]
    assert [place for place, line in lines if len(line) > 120 and not line.startswith("|")] == []


def test_documents_begin_no_line_with_a_sign():
    """A line of a formula that begins with + or a number and a full stop would be shown as a list."""
    lines = [(f"docs/soundness.md:{i}", line) for i, line in enumerate(read("docs/soundness.md").splitlines(), 1)]
    listed = [(place, line) for place, line in lines if re.match(r"([+=>]|\d+\.) ", line)]
    assert [place for place, line in listed if not re.match(r"\d\. [A-Z`p(]", line)] == []


def test_documents_state_the_numbers_of_the_code():
    limits, trust = read("docs/limits.md"), read("docs/trust.md")
    assert f"{exact.PRECISIONS[-1]} binary digits" in limits
    assert "at most a million probabilities" in limits
    assert LARGEST_ENUMERATION == 10**6
    assert f"probability at least {CONFIDENCE}" in limits
    assert f"of {inspect.signature(exact.upper_bound).parameters['digits'].default} digits" in limits
    assert f"kept to {LARGEST_CORE} lines" in trust


def test_documents_name_every_layer():
    """The note on layers has those of pyproject.toml, no other package of refdp/."""
    packages = {p.name for p in (ROOT / "refdp").iterdir() if (p / "__init__.py").exists()}
    named = set(re.findall(r"`(\w+)`", read("docs/decisions/0003-layers.md").split("\n\n- ")[0]))
    assert packages <= named <= packages | {"pipeline", "derivations", "claims"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[a](b.md)", []),
        ("[a](c.md)", ["c.md"]),
        ("[a](b.md#L2)", ["b.md"]),
        ("[a](https://example.org)", []),
        ("```python\n[f](x)\n```\n[a](c.md)", ["c.md"]),
    ],
)
def test_documents_check_finds_broken_links(text, found, tmp_path):
    (tmp_path / "b.md").write_text("one line\n")
    assert broken(text, tmp_path) == found


def test_documents_check_finds_american_spelling():
    assert AMERICAN.findall("Randomized behavior of neighbours") == ["Randomized", "behavior"]
