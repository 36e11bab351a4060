"""CHANGELOG.md lists every claim of the ledger, and no other that was not withdrawn; and why each of those was."""

import re
from collections.abc import Iterable

import pytest

from refdp.claims import WITHDRAWN, Claim, Withdrawal, general, ledger, programs, withdrawn
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


def unsaid(page: str, gone: Iterable[Withdrawal]) -> list[str]:
    """What the sections *Withdrawn* do not say of claims that were withdrawn, or say of others."""
    said, gone = claims(page, "Withdrawn"), list(gone)
    texts = " ".join(" ".join(re.findall(r"^### Withdrawn\n(.*?)(?=^##|\Z)", page, re.MULTILINE | re.DOTALL)).split())
    names = [w.claim.identifier for w in gone]
    wanted = [text for w in gone for text in (w.wrong_in, w.since, w.reason, *w.certificates)]
    return [*sorted(set(said) ^ set(names)), *(text for text in wanted if text not in texts)]


def test_changelog_says_of_every_withdrawn_claim_where_and_why_it_was_wrong():
    assert unsaid((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), withdrawn()) == []


def test_changelog_has_the_kinds_of_changes():
    page = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = page.split("\n## ")[1:]
    kinds = ["Added", "Strengthened", "Withdrawn"]
    assert [re.findall(r"^### (.*)", version, re.MULTILINE) for version in versions] == [kinds] * len(versions)
    assert versions


def test_changelog_lists_every_claim_of_the_ledger():
    page = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert standing(page) == sorted(claim.identifier for claim in (*ledger(), *general(), *programs()))


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


GONE = Withdrawal(Claim("a.y", "", "", "", "PROVED", WITHDRAWN), "0.1 to 0.2", "0.3", "It was false.", ("0f3c",))


@pytest.mark.parametrize(
    ("page", "gone", "lacking"),
    [
        (
            "### Withdrawn\n- `a`: y\n\n  Wrong in 0.1 to 0.2, until 0.3: It\n  was false. 0f3c\n",
            [GONE],
            [],
        ),
        ("### Withdrawn\n\nNothing yet.\n", [GONE], ["a.y", "0.1 to 0.2", "0.3", "It was false.", "0f3c"]),
        ("### Withdrawn\n- `a`: y\n", [], ["a.y"]),
        ("### Withdrawn\n- `a`: y\n\n  Wrong in 0.1 to 0.2, until 0.3: It was false.\n## 1\n0f3c", [GONE], ["0f3c"]),
        ("### Withdrawn\n\nNothing yet.\n", [], []),
    ],
)
def test_changelog_check_finds_what_is_not_said_of_a_withdrawal(page, gone, lacking):
    assert unsaid(page, gone) == lacking
