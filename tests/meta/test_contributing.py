"""CONTRIBUTING.md can be followed: its seven steps, taken in a copy of the checkout, add a claim that is proved."""

import re
from pathlib import Path

import pytest

from tests.meta.readme import Block, blocks
from tests.meta.repository import ROOT, copy_of_checkout
from tests.meta.test_readme import disagreements

pytestmark = pytest.mark.once

MARK = re.compile(r"<!-- (file|add to): (\S+) -->")


def page() -> str:
    return (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def take(block: Block, folder: Path) -> str | None:
    """Write the file that a block is, or the lines that it adds to one; the name of the file, if it is either."""
    mark = MARK.fullmatch(block.before)
    if mark is None:
        return None
    path, text = folder / mark[2], "\n".join(block.lines) + "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text if mark[1] == "file" else path.read_text(encoding="utf-8") + text, encoding="utf-8")
    return mark[2]


@pytest.mark.long
def test_contributing_example_adds_a_claim(tmp_path):
    folder = copy_of_checkout(tmp_path / "refdp", proved=True)
    taken = [name for block in blocks(page()) if (name := take(block, folder))]
    assert len(taken) == 4
    assert disagreements(page().replace("$ git add -A\n", ""), folder) == []
    pages = folder / "docs" / "claims"
    assert "# range_count.add_remove: PROVED" in (pages / "range_count" / "add_remove.md").read_text(encoding="utf-8")
    assert (pages / "range_count" / "unmoved_by_replacement.svg").exists()


def test_contributing_has_seven_steps():
    assert re.findall(r"^### (\d)\. ", page(), flags=re.MULTILINE) == list("1234567")


def test_contributing_example_is_new():
    """What the page adds is not there already, or a reader could not add it."""
    files = [m[2] for b in blocks(page()) if (m := MARK.fullmatch(b.before)) and m[1] == "file"]
    assert files
    assert [name for name in files if (ROOT / name).exists()] == []


@pytest.mark.parametrize(("mark", "text"), [("file", "new\n"), ("add to", "old\nnew\n")])
def test_contributing_blocks_are_whole_files_or_additions(mark, text, tmp_path):
    (tmp_path / "a.txt").write_text("old\n")
    assert take(Block("text", ("new",), f"<!-- {mark}: a.txt -->"), tmp_path) == "a.txt"
    assert (tmp_path / "a.txt").read_text() == text
