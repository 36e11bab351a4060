"""Claims about random programs: no verdict is wrong, most are decided, and planted defects are seen."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path

import pytest

from tests.fuzzing import campaign, program_verdicts
from tests.fuzzing.campaign import PROGRAM, QUERY, Campaign, Tally, Worker, finding_text, wrong_verdicts
from tests.fuzzing.claims import claim
from tests.fuzzing.finding import Finding
from tests.fuzzing.judges import ERROR, Answer, program_verdict
from tests.fuzzing.plants import PLANTS
from tests.fuzzing.program_verdicts import judged

QUICK = 0.5
"""The limit of a claim in seconds; a quarter of what a campaign allows, as nearly all are decided by then."""
ROOT = Path(__file__).parents[2]


@pytest.mark.once
@pytest.mark.parametrize("first", [1_000_000, pytest.param(1_000_150, marks=pytest.mark.long)])
def test_no_verdict_on_random_programs_is_wrong_and_most_are_decided(first: int) -> None:
    tally = Tally()
    assert not list(wrong_verdicts(range(first, first + 100), False, tally, QUICK))
    assert tally.claims == 100
    assert tally.decided >= 0.6
    assert tally.unjudged <= 5


@pytest.mark.once
def test_the_second_judge_agrees_on_what_is_proved() -> None:
    tally = Tally()
    assert not list(wrong_verdicts(range(1_000_000, 1_000_006), True, tally, QUICK))
    assert tally.verdicts["PROVED"] >= 1


@pytest.mark.long
def test_no_verdict_of_two_thousand_on_random_programs_is_wrong() -> None:
    tally = Tally()
    assert not list(wrong_verdicts(range(2_000_000, 2_002_000), False, tally))
    assert tally.decided >= 0.6


SEEN = {
    "no_types_of_literals": (237, 2),
    "no_comparison_of_laws": (23, 2),
    "no_charge": (31, 2),
    "one_is_all": (39, 2),
    "no_where": (6, 2),
    "counts_are_at_least_1": (4815, 2),
    "no_list_of_what_is_allowed": (37, 2),
}
"""The first seed and the number of claims within which a planted defect is found."""


@pytest.mark.once
@pytest.mark.parametrize("name", SEEN)
def test_a_planted_defect_is_found_within_so_many_claims(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first, claims = SEEN[name]
    assert not list(wrong_verdicts(range(first, first + claims), False))
    PLANTS[name](monkeypatch)
    found = list(wrong_verdicts(range(first, first + claims), False))
    assert found
    assert found[0].verdict in ("PROVED", "REFUTED")


def test_an_internal_error_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program_verdicts, "program_verdict", lambda *_: Answer(ERROR, "KeyError: 2"))
    (found,) = wrong_verdicts([5], False)
    assert (found.verdict, found.truth) == (ERROR, "no exception is foreseen")
    assert "KeyError" in found.why
    assert "python -m tests.fuzzing --programs 1 --seed 5" in finding_text(found, PROGRAM)
    assert "--programs 0 --queries 1 --seed 5" in finding_text(found, QUERY)


def test_a_claim_is_the_same_for_the_same_seed() -> None:
    assert [claim(seed) for seed in range(8)] == [claim(seed) for seed in range(8)]
    assert len({claim(seed).asked.text for seed in range(8)}) == 8


def test_a_module_that_is_refused_is_undecided() -> None:
    answer = program_verdict("import os\n", "program", False)
    assert answer.verdict == "UNKNOWN"
    assert answer.reason.startswith("refused: ")


def test_a_wrong_answer_is_wrong_either_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """A true claim that is said to be refuted, and a false one that is said to be proved."""
    seeds = range(1_000_000, 1_000_012)
    said = {seed: judged(seed, False, QUICK).answer for seed in seeds}
    refuted = next(seed for seed in seeds if said[seed].verdict == "REFUTED")
    shown = said[refuted].counterexample
    assert shown is not None
    monkeypatch.setattr(program_verdicts, "program_verdict", lambda *_: Answer("PROVED"))
    assert [one.verdict for one in wrong_verdicts([refuted], False)] == ["PROVED"]
    swapped = {**shown, "old": shown["new"], "new": shown["old"]}
    monkeypatch.setattr(program_verdicts, "program_verdict", lambda *_: Answer("REFUTED", "", swapped))
    assert [one.verdict for one in wrong_verdicts([refuted], False)] == ["REFUTED"]


def test_the_last_line_counts() -> None:
    tally = Tally()
    wrong, lost = (Finding(1, "text", "claim", verdict, "truth", "why") for verdict in ("PROVED", ERROR))
    for seed, found in ((1, [wrong]), (2, [lost]), (3, [])):
        verdict = found[0].verdict if found else "UNKNOWN"
        record = {"kind": PROGRAM, "seed": seed, "family": "one number", "manner": "bare", "verdicts": [verdict],
                  "judged": True, "findings": [asdict(one) for one in found]}  # fmt: skip
        tally.count(record)
    assert tally.line() == "claims tried 3, decided 33.3 %, wrong verdicts 1, internal errors 1, CPU 0 s"


@pytest.mark.once
def test_a_campaign_goes_on_where_it_stopped_and_a_crash_costs_one_claim(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    kept = {"kind": PROGRAM, "seed": 7, "family": "one number", "manner": "bare", "verdicts": ["PROVED"],
            "judged": True, "findings": []}  # fmt: skip
    out.write_text(json.dumps(kept) + "\n")
    jobs = [(PROGRAM, 7), ("no such kind", 8), (PROGRAM, 1_000_000)]
    tally = Campaign(jobs, False, 1, out).run()
    assert tally.seeds == {(PROGRAM, 7), ("no such kind", 8), (PROGRAM, 1_000_000)}
    assert [one.verdict for one in tally.findings] == [ERROR]
    assert len(out.read_text().splitlines()) == 3
    assert Campaign(jobs, False, 1, out).run().claims == 3
    assert len(out.read_text().splitlines()) == 3


@pytest.mark.once
def test_a_worker_that_dies_is_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaign.sys, "executable", "/bin/false")
    assert Worker(False).done((PROGRAM, 3))["verdicts"] == [ERROR]


def test_a_process_that_two_threads_end_is_ended_once() -> None:
    """On a busy machine an interrupt ended a campaign with an error: the thread that read had ended the process too."""
    worker, ended = Worker(False), []

    class Process:
        stdin = stdout = io.StringIO()

        def wait(self, _: float | None = None) -> int:
            ended.append(self)
            worker.end()
            return 0

    worker.process = Process()
    worker.end()
    assert len(ended) == 1
    assert worker.process is None


@pytest.mark.once
def test_an_interrupt_ends_a_campaign_with_what_was_decided(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    words = ["-m", "tests.fuzzing", "--programs", "5000", "--seed", "1000000", "--out", str(out)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    process = subprocess.Popen([sys.executable, *words], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    while not out.exists():
        assert process.poll() is None
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate()
    assert "interrupted: " in said
    assert said.splitlines()[-1].startswith("claims tried ")
