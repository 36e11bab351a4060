"""What a page shows of a file is the file: certificates to be read, and the library that the tutorial audits."""

import re

import pytest

from tests.meta.readme import blocks
from tests.meta.repository import ROOT

CERTIFICATE = ROOT / "docs/how_to_read_a_certificate.md"
TUTORIAL = ROOT / "docs/tutorials/audit_a_library.md"


def shown_as(page):
    """The name of the file that a block says it is the same as, and the block's text."""
    for block in blocks(page):
        if said := re.fullmatch(r"<!-- the same as (\S+) -->", block.before):
            yield said[1], "\n".join(block.lines) + "\n"


def test_certificates_are_shown_as_they_are():
    found = list(shown_as(CERTIFICATE.read_text(encoding="utf-8")))
    assert len(found) == 2
    assert [text.split() for _, text in found] == [
        (ROOT / name).read_text(encoding="utf-8").split() for name, _ in found
    ]


@pytest.mark.parametrize("path", sorted((ROOT / "examples/tinydp").glob("*.*")), ids=lambda path: path.name)
def test_the_library_of_the_tutorial_is_that_of_the_examples(path):
    page = blocks(TUTORIAL.read_text(encoding="utf-8"))
    (text,) = ["\n".join(one.lines) + "\n" for one in page if one.file == f"my_audit/{path.name}"]
    assert text == path.read_text(encoding="utf-8")
