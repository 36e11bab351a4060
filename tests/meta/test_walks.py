"""The straight walk of every claim of the ledger is short: at most six files and 500 lines."""

import pytest

from refdp.claims import claim, ledger
from refdp.commands.source_spans import ROOT, Span
from refdp.commands.straight_walk import length, straight_walk
from refdp.report.certificates import theorem_of

pytestmark = pytest.mark.once

MOST_FILES, MOST_LINES = 6, 500


def walk(identifier):
    listed = claim(identifier)
    return straight_walk(listed, theorem_of(listed))


def shown(identifier):
    """The lines of the walk, as text."""
    texts = {}
    for one in walk(identifier):
        lines = (ROOT / one.file).read_text(encoding="utf-8").splitlines()
        texts.setdefault(one.file, []).extend(lines[one.first - 1 : one.last])
    return {file: "\n".join(lines) for file, lines in texts.items()}


def test_walks_of_all_claims_are_short():
    found = {c.identifier: length(straight_walk(c, theorem_of(c))) for c in ledger()}
    assert len(found) >= 389
    assert {name: n for name, n in found.items() if n["files"] > MOST_FILES or n["lines"] > MOST_LINES} == {}
    assert min(n["files"] for n in found.values()) >= 2


@pytest.mark.parametrize(
    ("identifier", "read"),
    [
        (
            "discrete_laplace.pure",
            {
                "refdp/spec/metrics.py": 'Metric("absolute"',
                "refdp/spec/measures.py": 'Measure("pure"',
                "refdp/mechanisms/discrete_laplace.py": "def log_weight(",
                "refdp/spec/noise.py": "def loss_is_bounded(",
                "proofs/discrete_laplace.py": "def pure()",
                "refdp/kernel/rules/privacy.py": "def additive_noise(",
            },
        ),
        (
            "histogram.add_remove_l1",
            {
                "refdp/spec/metrics.py": 'Metric("l1"',
                "refdp/transformations/histogram.py": "HISTOGRAM = register(",
                "refdp/spec/rows.py": "def sum_obligations(",
                "proofs/histogram.py": "def add_remove_l1()",
                "proofs/lemmas.py": "def sum_is_stable(",
                "refdp/kernel/rules/stability.py": "def sum_of_rows(",
            },
        ),
        (
            "traps.halves_by_rank",
            {
                "refdp/statements/traps.py": "_smaller_half + _larger_half <= 1",
                "proofs/traps.py": "def halves_by_rank(",
                "proofs/lemmas.py": "def false_at(",
                "refdp/kernel/rules/statements.py": "def false_statement(",
            },
        ),
    ],
)
def test_walks_lead_from_the_words_to_the_rule(identifier, read):
    found = shown(identifier)
    assert found.keys() == read.keys()
    for file, text in read.items():
        assert text in found[file], (file, text)


def test_walks_stop_at_claims_that_are_cited():
    found = shown("composition.chain_privacy")
    assert not any("mechanisms" in file or "transformations" in file for file in found)
    assert "def chain_privacy(" in found["proofs/composition.py"]


def test_walks_count_each_line_once():
    assert length(frozenset({Span("a", 1, 3), Span("a", 2, 5), Span("b", 2, 2)})) == {"files": 2, "lines": 6}
