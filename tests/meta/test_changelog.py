"""CHANGELOG.md lists every claim of the ledger, and no other that was not withdrawn."""

import re

import pytest

from refdp.claims import ledger, programs
from tests.meta.repository import ROOT


def claims(page: str, kind: str) -> list[str]:
    """The claims that the sections of that kind list: `- ``stem``: notion, notion; refuted: notion`."""
    sections = re.findall(rf"^### {kind}\n(.*?)(?=^##|\Z)", page, flags=re.MULTILINE | re.DOTALL)
    entries = [entry for body in sections for entry in re.findall(r"^- `(\w+)`: (.*(?:\n  .*)*)", body, re.MULTILINE)]
    return [f"{stem}.{notion}" for stem, text in entries for notion in re.findall(r"\b(?!refuted:)\w+", text)]


def standing(page: str) -> list[str]:
    """What was added and not withdrawn."""
    withdrawn = claims(page, "Withdrawn")
    return sorted(claim for claim in claims(page, "Added") if claim not in withdrawn)


def test_changelog_lists_every_claim_of_the_ledger():
    page = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert standing(page) == sorted(claim.identifier for claim in (*ledger(), *programs()))


@pytest.mark.parametrize(
    ("page", "found"),
    [
        ("## 2\n### Added\n- `a`: x, y\n  z; refuted: w\n### Withdrawn\n", ["a.w", "a.x", "a.y", "a.z"]),
        ("### Added\n- `a`: x, y\n### Withdrawn\n- `a`: y\n\n  It was false.\n", ["a.x"]),
        ("### Added\n- `a`: refuted: x\n## 1\n### Added\n- `b`: y\n", ["a.x", "b.y"]),
        ("### Strengthened\n- `a`: x\n", []),
    ],
)
def test_changelog_check_finds_what_is_listed(page, found):
    assert standing(page) == found
