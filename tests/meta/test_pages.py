"""The pages of docs/ do what they show: console blocks in a copy of the checkout, Python examples as doctests."""

import pytest

from tests.meta.readme import blocks
from tests.meta.repository import ROOT, compiled_copy_of_checkout
from tests.meta.test_readme import disagreements, failed_examples

pytestmark = pytest.mark.once
FOLDERS = ("docs", "docs/tutorials", "docs/how_to")
PAGES = {path.relative_to(ROOT).as_posix(): path for f in FOLDERS for path in sorted((ROOT / f).glob("*.md"))}


def languages(path):
    return {block.language for block in blocks(path.read_text(encoding="utf-8")) if block.is_run and not block.file}


def shown(name):
    """The page: `make test-docs` runs its commands, as they are many and slow."""
    return pytest.param(name, marks=pytest.mark.long)


@pytest.mark.parametrize("name", [shown(name) for name, path in PAGES.items() if "console" in languages(path)])
def test_pages_do_what_they_show(name, tmp_path):
    page = PAGES[name].read_text(encoding="utf-8")
    assert "\n\n".join(disagreements(page, compiled_copy_of_checkout(tmp_path / "refdp"))) == ""


@pytest.mark.parametrize("name", [name for name, path in PAGES.items() if languages(path) & {"python", "pycon"}])
def test_pages_have_examples_that_are_true(name, tmp_path, monkeypatch):
    monkeypatch.chdir(beside_the_checkout(tmp_path))
    assert failed_examples(PAGES[name].read_text(encoding="utf-8")) == 0


def beside_the_checkout(folder):
    """The folder, with a link to each thing that stands in the checkout: what is written there stays there."""
    for there in ROOT.iterdir():
        (folder / there.name).symlink_to(there)
    return folder


def test_what_examples_write_stays_out_of_the_checkout(tmp_path, monkeypatch):
    """Certificates of a page once stood in the checkout, and were taken for its files."""
    monkeypatch.chdir(beside_the_checkout(tmp_path))
    name = "written_by_an_example"
    lines = ("import pathlib", f"pathlib.Path({name!r}).mkdir()", "print(pathlib.Path('README.md').exists())")
    page = "\n".join(["```python", *(f">>> {line}" for line in lines), "True", "", "```", ""])
    assert failed_examples(page) == 0
    assert (tmp_path / name).exists()
    assert not (ROOT / name).exists()
