"""A text that comes to be read otherwise is another query: then the reader's version is raised, the digest made anew.

The digest of a query's text depends on that version, so that no certificate speaks of a reading that is no more.
"""

from hashlib import sha256
from pathlib import Path

from refdp.kernel.sources import READER
from refdp.sensitivities.declaring import declaration
from refdp.sensitivities.language.reading import read_program
from refdp.sensitivities.language.source import NotAFold, Unsupported, parse_source
from refdp.terms.smtlib import written
from tests.meta.repository import ROOT
from tests.queries import textbook

READ = {1: "644cd1fda4d462c36b534eb5a02a8bb9c9a802e3868183d09b5e2196cc4ff916"}
"""Version -> the digest of how the functions below are read by it."""
FILES = (Path(textbook.__file__), ROOT / "examples/sensitivity/queries.py")
KINDS = ("integers 0..100", "numbers")
PARAMETERS = {"lower": "0", "upper": "100", "cap": "7", "limit": "3", "bound": "5", "size": "10"}


def functions(text):
    return [line[4 : line.index("(")] for line in text.splitlines() if line.startswith("def ")]


def readings():
    """Every function of the files with rows of each kind, as it is read, or that it is not."""
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        for name in functions(text):
            for kind in KINDS:
                try:
                    found = read_program(parse_source(text, name), declaration(kind, PARAMETERS))
                except (Unsupported, NotAFold, ValueError) as error:
                    yield f"{name} {kind}: {type(error).__name__}"
                    continue
                terms = [t for one in found.passes for t in (*one.state, *one.start, *one.step)]
                yield f"{name} {kind}: " + " ".join(map(written, (*terms, *found.output, found.exception)))


def test_functions_are_read_as_the_version_says():
    found = list(readings())
    assert sum("Error" not in one and "NotAFold" not in one for one in found) > 40
    assert sha256("\n".join(found).encode()).hexdigest() == READ[READER], (
        "the reading has changed: raise READER in refdp/kernel/sources.py and enter the new digest "
        "(if the files have gained functions, and the others are read as before, the new digest alone)"
    )
