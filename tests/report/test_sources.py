"""The pages of docs/sources have every statement; every verdict is one that the ledger of claims bears out."""

import re
import subprocess
import sys
import tomllib
from hashlib import sha256
from importlib.resources import files

import pytest

from refdp.claims import GENERAL as ABOUT_ALL
from refdp.claims import general, ledger
from refdp.report import sources
from refdp.report.documents import DocumentError, differences, document, documents
from refdp.report.generality import GENERAL, NUMBERS, OF_A_RULE, OF_OUTCOMES, reach
from refdp.report.sources import GENERATED, cell, pages, shown, write
from tests.made import pages as pages_made
from tests.meta.repository import ROOT

FOLDER = ROOT / "docs" / "sources"
CLAIMS = {c.identifier: c for c in (*ledger(), *general())}
EXPECTED = {identifier: c.expected for identifier, c in CLAIMS.items()}
ENTRIES = [(d.stem, e) for d in documents() for e in d.entries]
TEXT = b"First line.\nSecond line,\nthird line.\n\nLast line"


def judged(*entries, lines=5):
    """A document of five lines with these entries, as its file has them."""
    common = {"kind": "claim", "verdict": "OPINION", "paraphrase": "it", "sentence": "So it is."}
    listed = [{**common, "lines": where, **more} for where, more in entries]
    return {"document": "d", "title": "D", "lines": lines, "sha256": sha256(TEXT).hexdigest(), "entry": listed}


def standing(entry):
    """The claims of the entry that are proved, those about all mechanisms among them."""
    return named(entry, "PROVED")


def places(wrong):
    """The entries that are wrong, as text."""
    return [f"{stem} {e.first}-{e.last}: {e.verdict} {e.words}" for stem, e in ENTRIES if wrong(e)]


def named(entry, expected):
    """The claims of the entry with this verdict in the ledger."""
    return [c for c in entry.claims if EXPECTED.get(c) == expected]


def test_sources_are_five_documents_with_every_line_in_its_place():
    assert [d.stem[:3] for d in documents()] == ["000", "001", "002", "003", "004"]
    assert [d.lines for d in documents()] == [106, 440, 295, 47, 100]
    for d in documents():
        covered = [
            n for first, last in dict.fromkeys((e.first, e.last) for e in d.entries) for n in range(first, last + 1)
        ]
        assert covered == list(range(1, d.lines + 1)), d.stem


def test_sources_name_claims_that_exist():
    assert sorted({c for _, e in ENTRIES for c in e.claims} - set(EXPECTED)) == []


def test_sources_say_false_only_with_a_refuted_claim_or_a_counterexample():
    assert places(lambda e: e.verdict == "FALSE" and not named(e, "REFUTED") and not e.reason) == []


def test_sources_say_true_only_with_a_proved_claim_or_a_derivation():
    assert places(lambda e: e.verdict == "TRUE" and not standing(e) and not e.reason) == []


def reaches(entry):
    """What the proved claims of the entry reach: of numbers, only those of the documents.

    An inequality of outcomes shows a line of a printed proof, and nothing about a mechanism.
    """
    besides = set() if entry.kind == "computation" else {OF_OUTCOMES}
    proved = [CLAIMS[c] for c in standing(entry)]
    return {reach(c) for c in proved if reach(c) != NUMBERS or c.book == "documents"} - besides


def test_sources_call_no_statement_true_because_of_an_instance():
    """A theorem needs a claim for all values or a rule; other statements may be about the document's numbers."""
    judged = ("TRUE", "REPAIRED")
    assert places(lambda e: e.verdict in judged and not reaches(e) and not e.reason) == []
    general = places(lambda e: e.verdict in judged and e.kind == "theorem" and not reaches(e) & {GENERAL, OF_A_RULE})
    assert general == []


def test_sources_show_instances_of_a_rule_under_its_name():
    """No page lists an instance among what is proved: it says of which rule, and where the written proof stands."""
    found, of_all = 0, 0
    for _, e in ENTRIES:
        told = list(shown(e))
        for c in named(e, "PROVED") if e.verdict in sources.JUDGED else ():
            (where,) = (part for part in told if f"[{c}](" in part)
            if CLAIMS[c].book == ABOUT_ALL:
                of_all += 1
                assert where.startswith("proved of all mechanisms: [")
                assert f"[{c}](../claims/every_mechanism.md#" in where
                continue
            head = {GENERAL: "proved: ", OF_OUTCOMES: "of outcomes: ", NUMBERS: "in numbers: "}.get(reach(CLAIMS[c]))
            rule = CLAIMS[c].rule
            found += bool(rule)
            assert where.startswith(head or f"rule [{rule}](../soundness.md#{rule}), written proof; "), c
            assert head or "instances: [" in where
    assert found > 0
    assert of_all > 30


def test_sources_name_the_claim_about_all_mechanisms_of_the_clamped_count():
    claim = "every_mechanism.post_processed_pure"
    text = f"proved of all mechanisms: [{claim}](../claims/every_mechanism.md#post_processed_pure)"
    assert text in pages()["000_049da8266149c954.md"]
    assert "proved as it stands" not in "".join(pages().values())


def test_sources_say_of_which_odds_the_factor_is_a_bound():
    """Of two neighbouring tables, or of a person's value where other rows are independent; not whatever the prior."""
    speaks = re.compile(r"\bodds\b")
    names_it = re.compile(r"neighbour|against x'|against a|independent|two data sets|these two")
    said = places(lambda e: speaks.search(e.sentence) and not names_it.search(e.sentence))
    assert said == []
    assert places(lambda e: re.search("whatever the (prior|information)", e.sentence) and "not" not in e.sentence) == []
    assert len(places(lambda e: speaks.search(e.sentence))) >= 12


def test_sources_do_not_leave_statements_about_auxiliary_information_unrepaired():
    """What holds of neighbouring tables fails of a person where rows are correlated: each such row shows that."""
    about = [e for _, e in ENTRIES if re.search("auxiliary information", e.words) and e.verdict in sources.JUDGED]
    refutations = {"posterior.whatever_the_prior", "posterior.participation_whatever_the_prior"}
    assert len(about) >= 2
    assert [e.words for e in about if e.verdict != "REPAIRED" or not refutations & set(e.claims)] == []


def test_sources_say_of_facts_that_no_claim_decides_them():
    facts = [e for _, e in ENTRIES if e.verdict == "FACT"]
    assert len(facts) >= 5
    assert [e.words for e in facts if e.claims] == []


def test_sources_repair_only_what_has_a_true_form():
    """The claim that holds under the condition; a refuted one beside it shows that the condition is needed."""
    assert places(lambda e: e.verdict == "REPAIRED" and not standing(e)) == []


def test_sources_leave_no_judged_reading_without_a_claim():
    assert places(lambda e: e.verdict == "AMBIGUOUS" and not e.claims) == []


def test_sources_cover_every_claim_of_the_book_about_them():
    """What was proved or refuted for the documents is where a reader of them finds it."""
    book = tomllib.loads((files("refdp") / "ledger" / "documents.toml").read_text(encoding="utf-8"))
    claims = {f"{stem}.{notion}" for stem, notions in book.items() for notion in notions}
    assert sorted(claims - {c for _, e in ENTRIES for c in e.claims}) == []


def test_sources_pages_are_made():
    made = {path.name: path.read_text(encoding="utf-8") for path in pages_made() if path.parent == FOLDER}
    assert made == pages()


def test_sources_pages_have_a_row_for_each_entry_and_counts_that_add_up():
    found = pages()
    for d in documents():
        lines = found[f"{d.stem}.md"].splitlines()
        rows = [line for line in lines if line.startswith("| ") and not line.startswith("| lines")]
        assert len(rows) == len(d.entries)
        verdicts = [row.replace("\\|", "").split(" | ")[2] for row in rows]
        assert f"{len(d.statements)} statements: " in found[f"{d.stem}.md"]
        counts = next(line for line in lines if " statements: " in line).partition(": ")[2].rstrip(".").split(", ")
        assert counts == [f"{verdicts.count(v)} {v}" for v in sources.VERDICTS if v in verdicts]
        assert sum(int(c.split()[0]) for c in counts) == len(d.statements)


def test_sources_mark_refuted_claims_on_their_pages():
    assert "(../claims/traps/shared_coins.md) (refuted)" in pages()["000_049da8266149c954.md"]
    assert "(../claims/laplace/pure.md) (refuted)" not in pages()["000_049da8266149c954.md"]


def test_sources_quote_little():
    quoted = [e.words for _, e in ENTRIES if e.is_excerpt]
    assert max(len(words.split()) for words in quoted) <= 15
    assert len(quoted) < len(ENTRIES) / 4


@pytest.mark.parametrize(
    ("text", "written"), [("a | b", "a \\| b"), ("x <= y_1", "x &lt;= y\\_1"), ("a * b", "a \\* b")]
)
def test_cell_keeps_signs_of_formulas_as_they_are(text, written):
    assert cell(text) == written


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ([("1", {}), ("3-5", {})], "lines 3-5 must continue at line 2"),
        ([("1-3", {}), ("3-5", {})], "lines 3-5 must continue at line 4"),
        ([("1-3", {}), ("1-4", {}), ("5", {})], "lines 1-4 must continue at line 4"),
        ([("2-5", {})], "lines 2-5 must continue at line 1"),
        ([("1-4", {})], "the entries must end at line 5, got 4"),
        ([("1-6", {})], "the entries must end at line 5, got 6"),
        ([("1-5", {"kind": "lemma"})], "kind must be one of"),
        ([("1-5", {"kind": "none"})], "a verdict belongs to a statement"),
        ([("1-5", {"verdict": ""})], "a verdict belongs to a statement"),
        ([("1-5", {"verdict": "MAYBE"})], "verdict must be one of"),
        ([("1-5", {"sentence": "so it is"})], "the remark must be a sentence"),
        ([("1-5", {"sentence": ""})], "the remark must be a sentence"),
        ([("1-5", {"reason": "because"})], "the remark must be a sentence"),
        ([("1-5", {"excerpt": "word " * 16})], "an excerpt must have 1 to 15 words, got 16"),
        ([("1-5", {"paraphrase": ""})], "an excerpt must have 1 to 15 words, got 0"),
    ],
)
def test_document_that_skips_a_line_or_says_too_little_is_refused(entries, said):
    with pytest.raises(DocumentError, match=said):
        document(judged(*entries))


def test_document_with_several_statements_in_a_passage_is_read():
    found = document(
        judged(("1", {}), ("2-3", {}), ("2-3", {"verdict": "TRUE"}), ("4-5", {"kind": "none", "verdict": ""}))
    )
    assert [len(found.entries), len(found.statements), found.count("TRUE"), found.count("OPINION")] == [4, 3, 1, 2]


def test_differences_are_found_in_a_text_that_is_another():
    found = document(judged(("1", {}), ("2-5", {"excerpt": "Second line, third line."})))
    assert differences(found, TEXT) == []
    assert [d.split()[0] for d in differences(found, TEXT.replace(b"third", b"next"))] == ["SHA-256", "lines"]
    assert differences(found, TEXT + b"\nmore")[1] == "lines must be 5, got 6"


def test_sources_remove_what_the_ledger_no_longer_has(tmp_path):
    (tmp_path / "withdrawn.md").write_text(f"{GENERATED}\n\n# withdrawn\n")
    (tmp_path / "notes.md").write_text("# Not generated\n")
    write(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {*pages(), "notes.md"}


@pytest.mark.once
def test_sources_command_takes_a_folder():
    done = subprocess.run([sys.executable, "-m", "refdp.report.sources"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("usage: python -m refdp.report.sources [-h] FOLDER [DOCUMENTS]\n")


def test_sources_command_refuses_another_document(tmp_path):
    for d in documents():
        (tmp_path / f"{d.stem}.txt").write_bytes(TEXT)
    with pytest.raises(DocumentError, match="000_049da8266149c954: SHA-256 must be"):
        sources.require_documents(tmp_path)
