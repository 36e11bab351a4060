"""The page of an audit: it says what the JSON says, holds it, lets no foreign text act, and refuses what is none."""

import json
import re
from hashlib import sha256
from html.parser import HTMLParser

import pytest

from refdp.auditing.campaigns.pages import canonical, digest, extracted
from refdp.auditing.judges.kinds import KINDS
from refdp.report.audits.page import render, write_page
from refdp.report.audits.views import QUESTIONS
from refdp.report.audits.writing import brief
from tests.counting import counted
from tests.report.audit_reports import HOSTILE, accountant, half_laplace, hostile, report, stability, target, textbook

VOID = {"meta", "input", "br", "link", "img"}


class Read(HTMLParser):
    """Elements with their attributes, the text of each element that has an id, and tags that do not match."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open, self.elements, self.wrong, self.texts = list[str](), [], [], list[tuple[str, str]]()
        self.feed(re.sub('<span class="n">(.*?)</span>', r"\1", page))  # keeps a number on one line
        self.wrong += self.open

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data):
        self.texts.append((self.open[-1] if self.open else "", data))

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]

    def text(self, *left_out):
        return " ".join(" ".join(said for tag, said in self.texts if tag not in ("script", "style", *left_out)).split())


@pytest.fixture(scope="module")
def page():
    return render(textbook())


@pytest.fixture(scope="module")
def read(page):
    return Read(page)


def test_page_is_well_formed_and_every_identifier_stands_once(read):
    identifiers = [a["id"] for _, a in read.elements if "id" in a]
    assert read.wrong == []
    assert len(identifiers) == len(set(identifiers))
    assert {a["href"][1:] for a in read.all("a") if a["href"].startswith("#")} <= set(identifiers)


def test_page_says_verdict_claim_error_scope_and_replay_of_each_target(read):
    said = read.text()
    for one in textbook()["targets"]:
        for words in (one["target"], one["claim"], one["sentence"], one["replay"], *one["scope"], *one["not_tested"]):
            assert " ".join(words.split()) in said
    assert "Of 7 targets: 3 refuted, 1 unknown, 1 not refuted, 1 proved, 1 measured. 3 verdicts are not as" in said
    assert "the target did not answer within 10 s" in said
    assert "at most 3.34e-10" in said  # 1/3000000000, never rounded down
    assert "0: nothing rests on statistics" in said


def test_page_never_says_a_bare_pass(read):
    assert not re.search(r"\bpass(ed)?\b", read.text(), re.IGNORECASE)


def test_page_shows_the_counterexample_with_counts_and_bounds(read):
    said = read.text()
    assert "Side Input Event Its probability First 0 271 of 616 [0.329, 0.555] Second 1 31 of 616" in said
    assert "Claimed epsilon = 1, delta = 0 Found epsilon >= 1.42 at delta = 0" in said


def test_page_lists_the_ledger(read):
    assert "pair (0, 1), half line P[S] <= e Q[S] 1.67e-10 616 9.81" in read.text()


def test_page_draws_each_part_of_the_evidence_with_a_name_and_a_description(read):
    drawn = [a for a in read.all("svg") if a.get("role") == "img"]
    held = {a["id"] for _, a in read.elements if "id" in a}
    names = {name for a in drawn for name in a["aria-labelledby"].split()}
    assert len([a for a in drawn if a["aria-labelledby"].endswith("-d") and "row" not in a["aria-labelledby"]]) == 6
    assert names <= held
    assert all(a.get("role") == "img" or a.get("aria-hidden") == "true" for a in read.all("svg"))


def test_page_holds_the_json_that_it_is_drawn_from(page):
    found = extracted(page)
    assert found == textbook()
    assert digest(found) in page
    assert digest(found) == sha256(canonical(textbook()).encode()).hexdigest()


def test_page_drawn_again_from_the_json_that_it_holds_is_the_same(page):
    assert render(extracted(page)) == page
    assert render(dict(reversed(textbook().items()))) == page


def test_page_gives_the_hash_of_each_attached_document(read):
    witness = half_laplace()["attached"]["witness"]
    text = json.dumps(witness, sort_keys=True, separators=(",", ":"))
    assert f"witness refdp-privacy-witness/1 {len(text)} {sha256(text.encode()).hexdigest()}" in read.text()


def test_page_asks_for_nothing_and_runs_nothing(read):
    assert {name for name, _ in read.elements} & {"link", "img", "iframe", "object", "embed", "form", "base"} == set()
    assert [a["type"] for a in read.all("script")] == ["application/json"]
    policy = next(a for a in read.all("meta") if a.get("http-equiv"))
    assert policy["content"] == "default-src 'none'; style-src 'unsafe-inline'"
    assert not [a for _, a in read.elements for name in a if name.startswith("on") or name in ("src", "style")]


def test_page_links_to_the_web_only():
    for address in ("javascript:alert(1)", "data:text/html,x", "//x.org", "http://x.org/\n", "file:///etc", "http://["):
        assert not [a for a in Read(render(report(target("a", source=address)))).all("a") if a["href"][0] != "#"]
    found = Read(render(report(target("a", source="https://example.org/a?b=1&c"))))
    assert [a["href"] for a in found.all("a") if a["href"][0] != "#"] == ["https://example.org/a?b=1&c"]


def test_page_lets_no_foreign_text_act():
    page = render(hostile())
    found = Read(page)
    assert HOSTILE not in page
    assert found.wrong == []
    assert [a.get("type") for a in found.all("script")] == ["application/json"]
    assert HOSTILE in found.text()
    assert extracted(page) == hostile()
    page.encode()  # a lone surrogate would not be


def test_page_shows_characters_that_hide_or_turn_others():
    said = Read(render(report(target("a\u202eb\u200bc\x1bd\ud800e\u00e9")))).text()
    assert "a\\u202eb\\u200bc\\x1bd\\ud800e\u00e9" in said


def test_page_of_no_targets_says_so():
    assert "No target was judged." in Read(render(report())).text()


def test_page_has_a_question_for_every_kind():
    assert set(KINDS) <= set(QUESTIONS)


def test_page_marks_what_is_not_as_expected():
    said = Read(render(report(target("a", "NOT_REFUTED", expected="REFUTED"), target("b", "PROVED")))).text()
    assert "expected: refuted" in said
    assert "1 verdict is not as expected." in said
    proved = Read(render(report(target("a", "PROVED", expected="NOT_REFUTED")))).text()
    assert "All verdicts are as expected." in proved


def test_page_clips_long_texts_and_tells_it():
    one = stability()
    one["evidence"]["counterexample"]["inputs"] = ["x" * 100_000, "y"]
    page = render(report(one))
    assert "(98,000 more characters in the JSON)" in page
    assert max(map(len, re.findall("x+", page.split('<script type="application/json"')[0]))) == 2_000


def test_page_is_written_whole(tmp_path):
    with pytest.raises(ValueError, match="format must be"):
        write_page({}, tmp_path / "a.html")
    write_page(textbook(), tmp_path / "b.html")
    assert [path.name for path in tmp_path.iterdir()] == ["b.html"]
    assert extracted((tmp_path / "b.html").read_text(encoding="utf-8")) == textbook()


def test_page_of_300_targets_has_work_for_each_and_takes_under_5_mb():
    many = [one | {"target": f"{one['target']} {i}"} for i in range(43) for one in textbook()["targets"]]
    with counted() as calls:
        page = render(report(*many))
    assert calls.number < 20_000 * len(many)
    assert len(page.encode()) < 5_000_000


EVIDENCE = {
    "curve": {"epsilons": [0, 1], "claimed": [1]},
    "wealth": {"samples": [1, 2], "log10": [0], "threshold": 9},
    "difference": {"at": [1], "difference": [], "band": 1, "confidence": "1"},
}


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ([], "format must be refdp-audit/1, got a list of 0"),
        ({}, "format must be refdp-audit/1, got null"),
        ({"format": "refdp-audit/1"}, "report.campaign must be given"),
        (report() | {"campaign": {}}, "report.campaign.name must be given"),
        (report() | {"targets": {}}, "report.targets must be a list, got an object of 0"),
        (report("x"), "report.targets[0] must be an object, got x"),
        (report(target("a", "PASS")), "report.targets[0].verdict must be one of PROVED, REFUTED, NOT_REFUTED"),
        (report(target("a", expected="PASS")), "report.targets[0].expected must be one of"),
        (report(target("a", samples=True)), "report.targets[0].samples must be a whole number, got True"),
        (report(target("a", samples=1.5)), "report.targets[0].samples must be a whole number, got 1.5"),
        (report(target("a", seconds=[])), "report.targets[0].seconds must be a text, got a list of 0"),
        (report(target("a", scope="x")), "report.targets[0].scope must be a list, got x"),
        (report(target("a", about=["x"])), "report.targets[0].about must be an object, got a list of 1"),
        (report(target("a", attached=None)), "report.targets[0].attached must be an object, got null"),
        (report(target("a", record={1, 2})), "a report must be JSON: Object of type set"),
        (report(target("a", record=10**5000)), "Exceeds the limit"),
        (report(target("a", evidence={"curve": EVIDENCE["curve"]})), "curve.claimed must have 2 items, got 1"),
        (report(target("a", evidence={"wealth": EVIDENCE["wealth"]})), "wealth.log10 must have 2 items, got 1"),
        (report(target("a", evidence={"difference": EVIDENCE["difference"]})), "difference must have 1 items, got 0"),
        (report(target("a", evidence={"curve": {"epsilons": ["nan"]}})), "epsilons[0] must be a number, got nan"),
        (report(target("a", evidence={"curve": {"epsilons": [float("nan")]}})), "epsilons[0] must be a number, got"),
        (report(target("a", evidence={"rows": [{}]})), "evidence.rows[0].question must be given"),
    ],
)
def test_page_refuses_what_is_no_report(data, sentence):
    with pytest.raises(ValueError) as refusal:  # noqa: PT011
        render(data)
    assert sentence in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_page_refuses_a_report_that_is_nested_too_deep():
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(ValueError, match="a report must not be nested so deep"):
        render(report(target("a", record=deep)))


@pytest.mark.parametrize("value", [10**400, -(10**400), 1e308, "inf", "-inf", 0, -0.0, 5e-324])
def test_page_draws_any_number(value):
    seen = {
        "curve": {"epsilons": [0, value], "claimed": [value, None], "exact": [None, value], "marked": value},
        "losses": [{"lower": value, "upper": value, "first": value, "second": 0, "inside": True}],
        "wealth": {"samples": [1, 2], "log10": [value, value], "threshold": value},
        "difference": {"at": [value, 0], "difference": [value, 0], "band": value, "confidence": "1"},
        "rows": [{"question": "", "answer": str(value)[:30], "lower": "1e-999999999", "upper": "1e999999999",
                  "verdict": ""}],
    }  # fmt: skip
    page = render(report(target("a", evidence=seen)))
    assert Read(page).wrong == []
    drawn = page.split('<script type="application/json"')[0]
    assert not re.search(r'="[^"]*\b(nan|inf)\b', drawn)


def test_page_draws_an_accountant_that_promises_too_much(read):
    assert "Laplace b = 1, x 100, delta = 1e-9 61.2 74.81 74.83 Answer beside the certified bounds" in read.text()
    page = render(report(accountant()))
    assert page.count('class="dot wrong"') == 1
    assert page.count('class="dot right"') == 3


def test_page_draws_answers_beside_bounds_only_where_these_are_of_one_quantity():
    row = {"question": "scale for epsilon = 1", "answer": "4.8", "lower": "1e-8", "upper": "2e-8", "verdict": "LOOSE"}
    page = render(report(target("a", "REFUTED", "noise_scale", evidence={"rows": [row]})))
    assert "Answer beside the certified bounds" not in page
    said = Read(page).text()
    assert "Question Scale Delta at least Delta at most Verdict scale for epsilon = 1 4.8 1e-8 2e-8 LOOSE" in said


def test_numbers_are_written_with_a_true_minus_sign():
    assert brief(-1.5) == "\N{MINUS SIGN}1.5"
    assert brief(-2e-7) == "\N{MINUS SIGN}2\N{MULTIPLICATION SIGN}10\N{SUPERSCRIPT MINUS}\N{SUPERSCRIPT SEVEN}"
