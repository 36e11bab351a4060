"""Findings as SARIF 2.1.0: what the schema of the standard asks for, and what a reader of findings needs.

The logs of these reports were also validated against the schema that OASIS publishes, which is not kept here.
"""

import json
import re

import pytest

from refdp.report.audits.sarif import SCHEMA, message, names, sarif, sources, write_sarif
from tests.report.audit_reports import hostile, report, target, textbook

URI = re.compile(r"(file:///?)?([A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-F]{2})+")
CAMPAIGN = """name = "Textbook"
[[target]]
name = 'b-ary tree'  # by its issue
[[target]]
name = "Laplace, half scale"
"""


def run_of(log):
    """The one run of the log, after what the schema asks of every log."""
    assert set(log) == {"$schema", "version", "runs"}
    assert (log["$schema"], log["version"], len(log["runs"])) == (SCHEMA, "2.1.0", 1)
    (run,) = log["runs"]
    assert set(run) <= {"tool", "automationDetails", "invocations", "columnKind", "results"}
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    assert all(isinstance(i["executionSuccessful"], bool) for i in run["invocations"])
    return run


def require_essentials(log):
    """What the schema asks of tools, rules and results, and what ties them together."""
    run = run_of(log)
    rules = run["tool"]["driver"]["rules"]
    assert run["tool"]["driver"]["name"] == "refdp"
    assert len({rule["id"] for rule in rules}) == len(rules)
    assert all(rule["shortDescription"]["text"] and rule["help"]["text"] for rule in rules)
    for result in run["results"]:
        assert result["message"]["text"]
        assert result["level"] in ("none", "note", "warning", "error")
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert all(isinstance(v, str) and v for v in result["partialFingerprints"].values())
        for location in result["locations"]:
            place = location["physicalLocation"]
            assert URI.fullmatch(place["artifactLocation"]["uri"])
            assert place.get("region", {"startLine": 1})["startLine"] >= 1
            assert all(where["name"] for where in location["logicalLocations"])
    return run


@pytest.mark.parametrize("made", [textbook, hostile, report])
def test_sarif_has_what_the_standard_asks_for(made):
    log = sarif(made())
    require_essentials(log)
    assert json.loads(json.dumps(log, allow_nan=False)) == log


def test_sarif_has_errors_for_refuted_claims_and_warnings_for_open_questions():
    found = require_essentials(sarif(textbook()))["results"]
    assert [(r["ruleId"], r["level"], r["properties"]["verdict"]) for r in found] == [
        ("refdp/privacy", "error", "REFUTED"),
        ("refdp/accountant", "error", "REFUTED"),
        ("refdp/stability", "error", "REFUTED"),
        ("refdp/privacy", "warning", "UNKNOWN"),
    ]
    assert [r["properties"]["asExpected"] for r in found] == [True, False, False, False]


def test_sarif_tells_of_what_was_expected_and_did_not_come():
    (found,) = require_essentials(sarif(report(target("a", expected="REFUTED"))))["results"]
    assert found["level"] == "warning"
    assert found["message"]["text"].endswith("Expected: refuted.")


def test_sarif_says_sentence_witness_and_reason():
    texts = [r["message"]["text"] for r in sarif(textbook())["runs"][0]["results"]]
    assert texts[2] == (
        "b-ary tree: REFUTED without statistics: outputs are 8 apart, the map says 6. Witness: [0, 1] | [0, 2]: 8 > 6."
    )
    assert texts[3].endswith("Reason: the target did not answer within 10 s.")


def test_sarif_points_to_the_line_of_the_target():
    log = sarif(textbook(), {"audits/other.toml": 'name = "b-ary trees"', "audits/text book.toml": CAMPAIGN})
    places = [r["locations"][0]["physicalLocation"] for r in require_essentials(log)["results"]]
    assert [(p["artifactLocation"]["uri"], p.get("region")) for p in places] == [
        ("audits/text%20book.toml", {"startLine": 5}),
        ("audits/other.toml", None),
        ("audits/text%20book.toml", {"startLine": 3}),
        ("audits/other.toml", None),
    ]


def test_sarif_prefers_the_file_of_the_target_s_own_campaign():
    twice = {"a.toml": 'name = "A"\n[[target]]\nname = "t"', "b.toml": 'name = "B"\n\n[[target]]\nname = "t"'}
    (found,) = sarif(report(target("t", "REFUTED", campaign="B")), twice)["runs"][0]["results"]
    assert found["locations"][0]["physicalLocation"]["region"] == {"startLine": 4}
    assert found["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "b.toml"}


def test_sarif_reads_names_as_toml_writes_them():
    text = "name='a'\n name = \"b \\\"q\\\" \\u00e9\" # c\nnames = 'd'\nname = \"\\U0001F600\"\nname = 'a'"
    assert names(text) == {"a": 1, 'b "q" \u00e9': 2, "\\U0001F600": 4}


def test_sarif_fingerprints_a_target_whatever_is_found_of_it():
    def of(**more):
        (one,) = sarif(report(target("a", "REFUTED", **more)))["runs"][0]["results"]
        return one["partialFingerprints"]["refdpAuditTarget/v1"]

    assert of() == of(sentence="other", samples=7, seconds=9)
    assert len({of(), of(kind="privacy"), of(campaign="other"), of(target="b")}) == 4


def test_sarif_messages_have_no_placeholders_and_no_links():
    assert message("{0} [a](http://x)") == "{{0}} [a] (http://x)"


def test_sarif_is_written_with_the_lines_of_files_that_are_there(tmp_path):
    file = tmp_path / "c.toml"
    file.write_text(CAMPAIGN, encoding="utf-8")
    write_sarif(textbook() | {"campaign": {"name": "C", "file": f"{file}, {tmp_path}, missing.toml"}}, tmp_path / "s")
    found = require_essentials(json.loads((tmp_path / "s").read_text(encoding="utf-8")))["results"]
    assert found[2]["locations"][0]["physicalLocation"]["region"] == {"startLine": 3}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c.toml", "s"]


def test_sarif_reads_no_folder_no_device_and_no_bad_name(tmp_path):
    assert sources([str(tmp_path), "/dev/zero", "a\0b", "", "x" * 9_000]) == {}


@pytest.mark.parametrize("data", [{}, report("x"), report(target("a", record={1})), report(target("a", "PASS"))])
def test_sarif_refuses_what_is_no_report(data):
    with pytest.raises(ValueError, match="must be"):
        sarif(data)
