"""Certificates are judged from their text alone: whatever is changed in one, nothing false is believed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from refdp.commands.check import replayed_file
from refdp.programs.judging import judge
from refdp.programs.question import Question
from tests.programs.earlier import earlier

SOURCE = """from refdp.programs import *


@claim(epsilon="epsilon", adjacency=ONE)
def program(q, epsilon):
    for x in q:
        yield x + laplace({scale} / epsilon)
"""
Change = Callable[[Any], object]


def certificate(scale: str) -> Any:
    """The certificate of what is true of the program with that scale, in its earlier format."""
    asked = Question(SOURCE.format(scale=scale), "program", 0)
    return earlier(asked, judge(asked, *asked.read(), 20.0).certificate or "")


def checked(text: str, folder: Path) -> str:
    """What `refdp check` says of it: it is read as a certificate of the kernel's."""
    path = folder / "one.json"
    path.write_text(text, encoding="utf-8")
    found = replayed_file(path, "z3", None, 60.0)
    assert "internal_error" not in found
    if found["verdict"] in ("PROVED", "REFUTED"):
        assert found["rules"] in (["program_is_private"], ["program_exceeds"])
        assert len(found["texts"]) == 1
    return str(found["verdict"])


@pytest.fixture(scope="module")
def proof() -> str:
    return json.dumps(certificate("1"))


@pytest.fixture(scope="module")
def refutation() -> str:
    return json.dumps(certificate("1/2"))


def changed(text: str, change: Change) -> str:
    found = json.loads(text)
    change(found)
    return json.dumps(found)


def test_what_is_not_changed_is_confirmed(proof: str, refutation: str, tmp_path: Path) -> None:
    assert checked(proof, tmp_path) == "PROVED"
    assert checked(refutation, tmp_path) == "REFUTED"


@pytest.mark.parametrize(
    "change",
    [
        lambda c: c["question"].update(source=SOURCE.format(scale="9/10")),
        lambda c: c["question"].update(source=SOURCE.format(scale="1").replace("ONE", "ALL")),
        lambda c: c["question"].update(source=SOURCE.format(scale="1").replace("x +", "2 * x +")),
        lambda c: c["question"].update(epsilon="epsilon/2"),
        lambda c: c["question"].update(adjacency="ALL"),
        lambda c: c["question"].update(given={"epsilon": "-1"}),
        lambda c: c["alignments"].clear(),
        lambda c: c["alignments"].append(c["alignments"][0]),
        lambda c: c["alignments"][0].update(invariants={}),
        lambda c: c["alignments"][0].update(invariants={"1": "true"}),
        lambda c: c["alignments"][0].update(shifts=[]),
        lambda c: c["alignments"][0]["shifts"][0].update(usual="(exp |epsilon|)"),
        lambda c: c["alignments"][0].update(charges={}),
        lambda c: c["alignments"][0]["groups"][0].update(bound="0.0"),
        lambda c: c["alignments"][0]["groups"][0].update(rate="0.0"),
    ],
)
def test_a_proof_that_is_changed_is_not_confirmed(proof: str, change: Change, tmp_path: Path) -> None:
    assert checked(changed(proof, change), tmp_path) == "UNKNOWN"


@pytest.mark.parametrize(
    "change",
    [
        lambda c: c.update(note="believe me"),
        lambda c: c.update(format="refdp-alignment/2"),
        lambda c: c.update(format="refdp-counterexample/1"),
        lambda c: c["question"].update(claim="1"),
        lambda c: c["question"].update(claim="-1"),
        lambda c: c["question"].update(claim=0),
        lambda c: c["question"].update(function="other"),
        lambda c: c["question"].update(given={"N": "1"}),
        lambda c: c["alignments"][0]["shifts"][0].update(usual="|trust!me|"),
        lambda c: c["alignments"][0]["shifts"][0].update(usual=1),
        lambda c: c["alignments"][0].update(charges={"1": ["-1", "1"]}),
        lambda c: c["alignments"][0].update(charges={"1": ["7", "1"]}),
        lambda c: c["alignments"][0].update(charges={"1": ["0", "0.5"]}),
        lambda c: c["alignments"][0].update(verdict="PROVED"),
    ],
)
def test_a_certificate_of_another_form_is_refused(proof: str, change: Change, tmp_path: Path) -> None:
    assert checked(changed(proof, change), tmp_path) == "REJECTED"


@pytest.mark.parametrize(
    "change",
    [
        lambda c: c["question"].update(source=SOURCE.format(scale="1")),
        lambda c: c["question"].update(epsilon="2*epsilon"),
        lambda c: c["counterexample"].update(old=c["counterexample"]["new"]),
        lambda c: c["counterexample"].update(old=["5"], new=["0"]),
        lambda c: c["counterexample"].update(events=[]),
        lambda c: c["counterexample"].update(events=c["counterexample"]["events"] * 2),
        lambda c: c["counterexample"].update(parameters={}),
        lambda c: c["counterexample"].update(parameters={"epsilon": "(- 1.0)"}),
        lambda c: c["counterexample"].update(parameters={"epsilon": "1.0", "T": "0.0"}),
        lambda c: c["counterexample"].update(old=[0.5]),
        lambda c: c["counterexample"].update(old=["1/0"]),
        lambda c: c["counterexample"].update(old=["nan"]),
        lambda c: c["counterexample"].update(order=2),
        lambda c: c["counterexample"].update(old_probability="1"),
    ],
)
def test_a_counterexample_that_is_changed_is_refused(refutation: str, change: Change, tmp_path: Path) -> None:
    assert checked(changed(refutation, change), tmp_path) == "REJECTED"
