"""docs/sources.bib has every source that a docstring or the ledger names, and no other."""

import ast
import re
import tomllib
from collections.abc import Iterator

import pytest

from tests.meta.repository import ROOT, python_files, tree

KEY = re.compile(r"\b[A-Z][A-Za-z]{1,4}\d{2}\b|\b\d{3}_[0-9a-f]{16}\.txt\b")
BIBLIOGRAPHY = ROOT / "docs" / "sources.bib"
MUST_HAVE = {
    "inproceedings": {"author", "title", "booktitle", "year"},
    "article": {"author", "title", "journal", "year"},
}


def entries(text: str) -> list[tuple[str, str, set[str]]]:
    """Kind, key and fields of each entry."""
    found = re.findall(r"^@(\w+)\{([^,\s]+),\n(.*?)^\}", text, flags=re.MULTILINE | re.DOTALL)
    return [(kind, key, set(re.findall(r"^  (\w+) ", body, flags=re.MULTILINE))) for kind, key, body in found]


def source_lines(module: ast.Module) -> Iterator[str]:
    """What stands after `Source:` in the docstrings of the module, up to the end of the paragraph."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    for node in ast.walk(module):
        text = (ast.get_docstring(node) or "") if isinstance(node, kinds) else ""
        yield from re.findall(r"Source: (.+?)(?:\n\n|\Z)", text, flags=re.DOTALL)


def ledger_sources() -> Iterator[tuple[str, str]]:
    """Each claim of the ledger with its source."""
    for book in (ROOT / "refdp" / "ledger").glob("*.toml"):
        for stem, notions in tomllib.loads(book.read_text(encoding="utf-8")).items():
            for notion, entry in notions.items():
                yield f"{stem}.{notion}", entry.get("source", "")


def named() -> set[str]:
    """Every key that a docstring or the ledger names."""
    said = [line for name in python_files("refdp/", "proofs/") for line in source_lines(tree(name))]
    return {key for line in (*said, *dict(ledger_sources()).values()) for key in KEY.findall(line)}


def test_sources_are_those_that_are_named():
    keys = [key for _, key, _ in entries(BIBLIOGRAPHY.read_text(encoding="utf-8"))]
    assert sorted(keys) == sorted(named())


def test_sources_say_where_to_find_them():
    found = entries(BIBLIOGRAPHY.read_text(encoding="utf-8"))
    assert {key: lacking for kind, key, has in found if (lacking := MUST_HAVE.get(kind, {"title"}) - has)} == {}


def test_sources_of_true_claims_are_given():
    """A true claim names a source; a false one need not: it is nobody's."""
    books = [tomllib.loads(b.read_text(encoding="utf-8")) for b in (ROOT / "refdp" / "ledger").glob("*.toml")]
    claims = [(f"{s}.{n}", entry) for book in books for s, notions in book.items() for n, entry in notions.items()]
    assert [c for c, e in claims if "expected" not in e and not KEY.search(e.get("source", ""))] == []


@pytest.mark.parametrize(
    ("docstring", "keys"),
    [
        ("A.\n\n    Source: CKS20 Alg. 2; DR14 (the\n    book); 001_e5b0b5b677e886f3.txt.\n\n    XYZ99\n    ",
         ["CKS20", "DR14", "001_e5b0b5b677e886f3.txt"]),
        ("Source: McS09 Thm 4.", ["McS09"]),
        ("CKS20 is no source here.", []),
    ],
)  # fmt: skip
def test_sources_check_finds_what_a_docstring_names(docstring, keys):
    module = ast.parse(f'def f():\n    """{docstring}"""')
    assert [key for line in source_lines(module) for key in KEY.findall(line)] == keys


def test_sources_check_reads_entries():
    assert entries("@misc{A20,\n  title     = {T},\n  year      = {2020},\n}\n") == [("misc", "A20", {"title", "year"})]
