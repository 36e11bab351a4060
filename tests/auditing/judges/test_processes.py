"""Judges of targets in processes of their own: the same verdicts, and UNKNOWN for whatever ends a target."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from refdp.auditing.judges.law import judge as law
from refdp.auditing.judges.privacy import judge as privacy
from refdp.auditing.judges.task import Task
from refdp.auditing.targets import Limits, Session, function
from refdp.verdicts import NOT_REFUTED, REFUTED, UNKNOWN
from tests.auditing import ten_million
from tests.auditing.environments import PLACE
from tests.auditing.judges.running import ALPHA, driven

pytestmark = pytest.mark.once

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
HOSTILE = str(HERE.parent / "targets")
ONE = {"pairs": [[0, 1]], "claim": {"epsilon": "1"}, "samples": 1024, "train": 128}
NORMAL = {"law": {"name": "gaussian", "sigma": "2"}, "input": 0.0, "samples": 1000}


def program(name, **more):
    return function(f"programs:{name}", search=(str(HERE),), **more)


def privately(target, **more):
    return driven(privacy.judge(Task("t", "privacy", target, {**ONE, **more}), ALPHA))


def lawfully(target):
    return driven(law.judge(Task("t", "law", target, NORMAL), ALPHA))


def test_programs_are_judged_in_their_own_processes_and_by_their_own_map():
    half = program("half_laplace", batched=True, privacy_map="programs:epsilon")
    found = privately(half, pairs=[[0.0, 1.0]], claim={"input": "absolute", "d_in": 1}, train=1024)
    assert found.verdict == REFUTED
    assert found.about["library"] == "programs"
    assert lawfully(program("normal", batched=True)).verdict == NOT_REFUTED


@pytest.mark.parametrize(("name", "word"), [("hangs", "late"), ("crashes", "crashed"), ("forges", "garbage")])
def test_targets_that_are_stopped_are_unknown_and_never_refuted(name, word):
    target = function(f"hostile:{name}", search=(HOSTILE,), limits=Limits(call=0.3, reply=10_000))
    found = privately(target)
    assert found.verdict == UNKNOWN
    assert word in found.reason


def test_target_that_dies_in_a_chunk_ends_the_judging():
    found = privately(program("dies_late"), samples=10**6)
    assert found.verdict == UNKNOWN
    assert "exit status 3" in found.reason
    assert found.samples == 0


def test_nan_is_an_error_of_the_sampler():
    found = lawfully(program("nan", batched=True))
    assert found.verdict == UNKNOWN
    assert "nan" in found.reason


def test_noise_that_starts_from_one_state_in_every_process_is_unknown():
    found = privately(program("from_one_state", batched=True), pairs=[[0.0, 3.0]], samples=10**5)
    assert found.verdict == UNKNOWN
    assert "independent" in found.reason


def test_exits_of_single_runs_are_outcomes():
    with Session(program("exits")) as session:
        assert [o.kind for o in session.repeat(0, 3)] == ["value"] * 3
        assert {(o.kind, o.value) for o in session.repeat(1, 3)} == {("raised", "SystemExit")}
        with pytest.raises(ValueError, match="n must be >= 1"):
            session.repeat(0, 0)
    assert privately(program("exits")).verdict == REFUTED


def campaign(path: Path, out: Path, *more: str) -> dict:
    """What `refdp audit` writes; it must come to what was expected."""
    command = [sys.executable, "-m", "refdp", "audit", str(path), "--out", str(out), *more]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(out.read_text())


@pytest.mark.long
def test_textbook_mechanisms_are_told_apart_within_a_minute(tmp_path):
    found = campaign(ROOT / "audits" / "textbook.toml", tmp_path / "out.json")
    assert [t["verdict"] for t in found["targets"]] == [
        NOT_REFUTED, REFUTED, NOT_REFUTED, REFUTED, REFUTED, REFUTED,
    ]  # fmt: skip
    assert sum(float(t["seconds"]) for t in found["targets"]) < 60


@pytest.mark.long
def test_right_mechanisms_of_every_adapter_survive_ten_million_draws():
    if not (PLACE / "opendp-0.16.0").exists():
        pytest.skip("the libraries are not installed; run: make audit-envs")
    assert ten_million.main(None) == 0
