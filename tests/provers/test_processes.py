"""Workers: late, dead or interrupted ones are replaced, and none outlives its owner."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from refdp import work
from refdp.provers import processes
from refdp.provers.processes import SolverMissing, Worker, WorkerLost, close_all

ROOT = Path(__file__).resolve().parents[2]
ODD = "tests.provers.odd_solver"


@pytest.fixture
def worker():
    """A worker that does as its request says."""
    w = Worker(ODD, "odd", "refdp[odd]")
    yield w
    w.close()


def runs(pid: int) -> bool:
    """Whether a process exists and is no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def ends(pid: int, seconds: float = 5.0) -> bool:
    """Whether the process is gone within some seconds."""
    limit = time.monotonic() + seconds
    while runs(pid) and time.monotonic() < limit:
        time.sleep(0.02)
    return not runs(pid)


def test_worker_starts_when_asked_and_stays(worker):
    assert worker.process is None
    first = worker.ask({"do": "pid"}, 5)["pid"]
    assert worker.ask({"do": "pid"}, 5)["pid"] == first != os.getpid()
    assert worker.version == worker.start() == "odd 1.0"


def test_worker_is_told_its_limits_of_work_and_of_patience(worker):
    told = worker.ask({"do": "echo"}, 7.5)
    assert (told["units"], told["seconds"]) == (work.units("odd", 7.5), 7.5 * work.PATIENCE)


def test_the_clock_stops_a_worker_at_the_end_of_the_block(worker):
    with work.patient(0):
        assert 0 < worker.ask({"do": "echo"}, 7.5)["seconds"] <= work.GRACE


def test_what_a_worker_counts_is_charged_each_time_it_is_asked(worker):
    before = work.spent()
    for _ in range(3):
        assert worker.ask({"do": "echo", "units": 1, "answer": "sat"}, 0.5)["units"] == work.units("odd", 0.5)
    assert 1.5 <= work.spent() - before < 1.51, "known replies are charged, too: what was asked before plays no part"


def test_late_worker_is_killed_and_the_next_call_works(worker):
    pid = worker.ask({"do": "pid"}, 5)["pid"]
    before = work.spent()
    with work.patient(5), pytest.raises(WorkerLost, match=r"killed after 0\.\d s"):
        worker.ask({"do": "sleep"}, 0.02)
    assert work.stopped_by_clock(), "an answer that rests on it says so"
    assert work.spent() - before >= 0.02, "it is charged what it might have done"
    assert not runs(pid)
    assert worker.ask({"do": "pid"}, 5)["pid"] != pid


def test_stopped_worker_is_killed(worker):
    """A process that does not even handle signals is ended all the same."""
    pid = worker.ask({"do": "pid"}, 5)["pid"]
    os.kill(pid, signal.SIGSTOP)
    with pytest.raises(WorkerLost, match="killed"):
        worker.ask({"do": "pid"}, 0.1)
    assert not runs(pid)


@pytest.mark.parametrize(
    ("do", "how"), [("exit", "crashed, exit status 3"), ("abort", "crashed, signal 6"), ("half", "crashed")]
)
def test_crashed_worker_says_how_and_is_replaced(worker, do, how):
    with pytest.raises(WorkerLost, match=how):
        worker.ask({"do": do}, 5)
    assert "pid" in worker.ask({"do": "pid"}, 5)


def test_a_late_signal_for_what_was_written_ends_no_worker(worker):
    """Who reads a pipe is woken before the signal for what was written: on a busy machine it comes amid the answer."""
    stdin = (worker.start(), worker.process.stdin)[1]
    late = threading.Timer(0.1, lambda: os.write(stdin.fileno(), b'{"do": "pid", "seconds": 5}\n'))
    late.start()
    assert worker.ask({"do": "nap"}, 5)["answer"] == "done"
    late.join()


def test_worker_that_died_between_questions_is_replaced(worker):
    pid = worker.ask({"do": "pid"}, 5)["pid"]
    os.kill(pid, signal.SIGKILL)
    assert ends(pid)
    assert worker.ask({"do": "pid"}, 5)["pid"] != pid


def test_exception_in_a_worker_is_an_unknown_with_its_reason(worker):
    assert worker.ask({"do": "raise"}, 5) == {"answer": "unknown", "reason": "ZeroDivisionError: division by zero"}
    assert "pid" in worker.ask({"do": "pid"}, 5)


def test_worker_has_limited_memory(worker):
    reply = worker.ask({"do": "allocate", "bytes": 5 * 2**30}, 10)
    assert reply["reason"].startswith("MemoryError")
    assert worker.ask({"do": "allocate", "bytes": 2**20}, 10) == {"answer": "done"}


def test_what_a_solver_prints_is_no_reply(worker):
    assert worker.ask({"do": "print"}, 5) == {"answer": "done"}


def test_long_question_and_long_reply_pass(worker):
    reply = worker.ask({"do": "echo", "text": "x" * 2_000_000}, 20)
    assert len(reply["text"]) == 2_000_000


def test_interrupt_kills_the_worker_and_is_not_swallowed(worker, monkeypatch):
    pid = worker.ask({"do": "pid"}, 5)["pid"]

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(processes, "_write", interrupt)
    with pytest.raises(KeyboardInterrupt):
        worker.ask({"do": "pid"}, 5)
    monkeypatch.undo()
    assert not runs(pid)
    assert worker.ask({"do": "pid"}, 5)["pid"] != pid


def test_missing_solver_names_what_to_install():
    with pytest.raises(SolverMissing, match=r"cvc5 cannot be loaded \(No module named 'cvc5'\); .*'refdp\[check\]'"):
        Worker("tests.provers.absent_solver", "cvc5", "refdp[check]").ask({}, 5)


def test_worker_without_a_module_is_lost():
    with pytest.raises(WorkerLost, match="crashed, exit status 1"):
        Worker("tests.provers.no_such_module", "none", "refdp").ask({}, 5)


def test_closed_worker_ends_and_starts_again(worker, monkeypatch):
    monkeypatch.setitem(processes.WORKERS, "odd", worker)
    pid = worker.ask({"do": "pid"}, 5)["pid"]
    close_all()
    assert not runs(pid)
    assert worker.ask({"do": "pid"}, 5)["pid"] != pid


def test_worker_does_not_import_from_the_working_directory(worker, monkeypatch, tmp_path):
    (tmp_path / "json.py").write_text("raise SystemExit(9)\n")
    monkeypatch.chdir(tmp_path)
    assert "pid" in worker.ask({"do": "pid"}, 5)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_forked_child_has_a_worker_of_its_own(worker, monkeypatch):
    monkeypatch.setitem(processes.WORKERS, "odd", worker)
    pid = worker.ask({"do": "pid"}, 5)["pid"]
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writing, json.dumps(worker.ask({"do": "pid"}, 5)).encode())
            worker.close()
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as stream:
        other = json.loads(stream.read())["pid"]
    os.waitpid(child, 0)
    assert other != pid
    assert ends(other)
    assert worker.ask({"do": "pid"}, 5)["pid"] == pid


OWNER = f"""
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background starts with it ignored
sys.path.insert(0, {str(ROOT)!r})
from refdp.provers.processes import Worker
w = Worker({ODD!r}, "odd", "refdp")
print(w.ask({{"do": "pid"}}, 5)["pid"], flush=True)
"""


def owner(last: str) -> tuple[subprocess.Popen[str], int]:
    """A process that owns a worker and then does `last`, and the worker's number."""
    command = [sys.executable, "-c", OWNER + last]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return process, int(process.stdout.readline())


def test_interrupted_owner_leaves_no_worker():
    process, pid = owner("w.ask({'do': 'sleep'}, 60)\n")
    with process:
        time.sleep(0.2)
        assert runs(pid)
        process.send_signal(signal.SIGINT)
        assert "KeyboardInterrupt" in process.communicate(timeout=10)[1]
        assert ends(pid)


def test_killed_owner_leaves_no_idle_worker():
    process, pid = owner("input()\n")
    with process:
        process.kill()
        assert ends(pid)


def test_killed_owner_leaves_no_busy_worker():
    process, pid = owner("w.ask({'do': 'sleep'}, 0.5)\n")
    with process:
        time.sleep(0.2)
        process.kill()
        assert ends(pid, 8)


@pytest.mark.parametrize("last", ["", "sys.exit(3)\n", "raise ValueError\n"])
def test_owner_that_ends_leaves_no_worker(last):
    process, pid = owner("from refdp.provers.processes import WORKERS\nWORKERS['odd'] = w\n" + last)
    with process:
        process.communicate(timeout=10)
        assert ends(pid)


def test_importing_the_workers_loads_no_solver():
    code = "import sys, refdp.provers.oracles; print([m for m in ('z3', 'cvc5', 'sympy') if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert found.stdout.strip() == "[]"


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_a_solver_starts_without_the_rest_of_the_package(solver):
    code = f"""
import sys
from refdp.provers.smt.worker import LOAD
LOAD[{solver!r}]()
print(sorted(m for m in sys.modules if m.startswith('refdp') or m in ('z3', 'cvc5', 'sympy', 'mpmath')))
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    loaded = {*json.loads(found.stdout.replace("'", '"'))}
    assert loaded == {
        "refdp", "refdp.provers", "refdp.provers.serving", "refdp.provers.smt", "refdp.provers.smt.worker",
        "refdp.provers.smt.models", f"refdp.provers.smt.{solver}_answers", solver,
    }  # fmt: skip


def test_processor_seconds_count_a_worker_that_runs_and_one_that_ended(worker, monkeypatch):
    monkeypatch.setitem(processes.WORKERS, "odd", worker)
    before = processes.processor_seconds()
    worker.start()
    started = processes.processor_seconds()
    assert worker.spent > 0
    assert started >= before + worker.spent
    assert "cpu" not in worker.ask({"do": "echo"}, 5)
    worker.close()
    assert worker.spent == 0
    assert processes.processor_seconds() > started - 0.03, "what it took is not forgotten, but for a tick of the clock"
