"""There is one class that says a verdict; whoever judges adds what shows it."""

import ast
from dataclasses import fields

import pytest

from refdp.auditing.evidence import enumerable
from refdp.auditing.judges.result import Result
from refdp.auditing.neighbours import Judgement as Move
from refdp.programs.checking.proof import Checked
from refdp.programs.judgement import Judgement as OfProgram
from refdp.sensitivities.checking.verifying import Judged
from refdp.sensitivities.judgement import Judgement as OfQuery
from refdp.sensitivities.local import LocalSensitivity
from refdp.sensitivities.machine.judging import MachineVerdict
from refdp.verdicts import UNKNOWN, VERDICTS, Verdict
from tests.meta.repository import ROOT

BRANCHES = (Checked, Judged, LocalSensitivity, MachineVerdict, Move, OfProgram, OfQuery, Result, enumerable.Judgement)
OTHERS = {
    "accounting/judging/verdicts.py: Finding": "how an accountant's answer lies to certified bounds: SOUND, LOOSE, ...",
    "auditing/judges/noise_scale.py: Checked": "the same of a scale",
    "auditing/judges/result.py: Row": "a line of a report, as text",
    "auditing/judges/training/judges.py: Finding": "what one of several judges says, of whom one verdict is made",
    "auditing/campaigns/replaying.py: Replayed": "whether a stored verdict comes out again",
    "auditing/judges/privacy/report.py: Seen": "counts of pairs, which only refute",
    "learning/variants.py: Judged": "a loop that is judged in steps, UNKNOWN until it is",
    "logic/asking.py: Answer": "sat or unsat, of assertions",
    "programs/certificates/replaying.py: Answer": "what solvers say again of a stored proof",
    "provers/answers.py: Answer": "an oracle's word on a statement",
    "provers/smt/solvers.py: Finding": "a solver's word on a statement",
    "report/audits/documents.py: Audited": "read from a stored report, to be shown",
    "report/documents.py: Entry": "read from a lock file, to be shown",
    "report/pictures/pairs.py: TablePair": "a word in a picture",
    "rocq/lock.py: Standing": "a word in a lock file",
    "sensitivities/writing.py: Written": "what a certificate says, not judged again",
}
"""Classes with a word of their own, and why it is none of the one verdict."""


def declared() -> set[str]:
    """The classes outside of the module that declare a field `verdict`."""
    return {
        f"{path.relative_to(ROOT / 'refdp').as_posix()}: {node.name}"
        for path in (ROOT / "refdp").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and path != ROOT / "refdp" / "verdicts.py"
        for one in node.body
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name) and one.target.id == "verdict"
    }


def test_no_second_class_says_a_verdict() -> None:
    assert declared() == OTHERS.keys()


def test_whoever_judges_has_the_one() -> None:
    for branch in BRANCHES:
        assert issubclass(branch, Verdict)
        assert fields(branch)[0].name == "verdict"


def test_another_word_is_refused() -> None:
    for word in VERDICTS:
        assert Verdict(word, reason="because").verdict == word
    for wrong in ("proved", "", "SOUND", "NOT REFUTED"):
        with pytest.raises(ValueError, match="verdict must be one of PROVED, REFUTED, NOT_REFUTED, UNKNOWN, MEASURED"):
            Verdict(wrong)


def test_an_audit_that_is_unknown_says_why() -> None:
    with pytest.raises(ValueError, match="UNKNOWN must have a reason"):
        Result(UNKNOWN, "a claim", "a sentence")
