"""A budget cannot be overspent by any number of processes, and no kill loses the charge of an answer that was shown."""

import json
import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from fractions import Fraction as F
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from refdp.releases import budget as module
from refdp.releases.account import read_account
from refdp.releases.budget import Budget, open_budget
from refdp.releases.errors import BudgetExceeded, InputError

forks = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the budget of a test stands."""
    return tmp_path / "budget.json"


@contextmanager
def opened(path: Path, total: Any = 1, timeout: float = 30) -> Iterator[Budget]:
    """The budget at `path`."""
    with open_budget(path, total=total, neighbours="add_remove", data="a table", timeout=timeout) as budget:
        yield budget


def charges(path: Path) -> list[tuple[F, str]]:
    """Amount and query of every charge in the file; none if there is no file."""
    if not path.exists():
        return []
    return [(charge.amount, charge.query) for charge in read_account(path.read_bytes()).charges]


def forked(run: Callable[[], object]) -> int:
    """The process number of a child that runs `run` and exits: 0 if it returned, 1 if it raised."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            run()
            status = 0
        finally:
            os._exit(status)
    return child


def exit_code(child: int) -> int:
    """The exit code of the child, or minus the signal that ended it."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def files_beside(path: Path) -> set[str]:
    """The names in the folder of the budget."""
    return {entry.name for entry in path.parent.iterdir()}


def test_charges_are_written_and_add_up(path: Path) -> None:
    with opened(path) as budget:
        assert budget.remaining == 1
        assert not path.exists()
        assert budget.charge("1/3", "count") == F(2, 3)
        assert charges(path) == [(F(1, 3), "count")]
    with opened(path) as budget:
        assert budget.remaining == F(2, 3)
        assert budget.charge(F(2, 3), "histogram island") == 0
    assert charges(path) == [(F(1, 3), "count"), (F(2, 3), "histogram island")]
    assert files_beside(path) == {"budget.json", "budget.json.lock"}


def test_a_charge_beyond_what_is_left_leaves_the_file_unchanged(path: Path) -> None:
    with opened(path) as budget:
        budget.charge("3/4", "count")
        before = path.read_bytes(), path.stat().st_mtime_ns
        with pytest.raises(BudgetExceeded, match="left of the budget, 1/4 of 1, got 1/3"):
            budget.charge("1/3", "sum")
        assert (path.read_bytes(), path.stat().st_mtime_ns) == before
        assert budget.charge("1/4", "sum") == 0


def test_a_first_charge_beyond_the_total_makes_no_file(path: Path) -> None:
    with opened(path) as budget, pytest.raises(BudgetExceeded, match="left of the budget, 1 of 1, got 2"):
        budget.charge(2, "count")
    assert not path.exists()


@pytest.mark.parametrize("amount", [0, -1, "-1/2", 0.5, float("nan"), True, None, "1/0"])
def test_an_amount_that_is_not_exact_and_positive_is_refused(path: Path, amount: Any) -> None:
    with opened(path) as budget, pytest.raises(InputError, match="epsilon must be"):
        budget.charge(amount, "count")
    assert not path.exists()


@pytest.mark.parametrize("total", [0, -1, 0.5, float("inf"), None])
def test_a_total_that_is_not_exact_and_positive_is_refused(path: Path, total: Any) -> None:
    with pytest.raises(InputError, match="total must be"), opened(path, total):
        pass
    assert files_beside(path) == set()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=25)
@given(st.data())
def test_the_remainder_is_exact_through_the_file(path: Path, data: st.DataObject) -> None:
    path.unlink(missing_ok=True)
    amounts = st.fractions(F(1, 1000), 1, max_denominator=1000)
    total, spent = data.draw(amounts), F(0)
    for epsilon in data.draw(st.lists(amounts, max_size=5)):
        with opened(path, total) as budget:
            if spent + epsilon <= total:
                spent += epsilon
                assert budget.charge(epsilon, "count") == total - spent
            else:
                with pytest.raises(BudgetExceeded):
                    budget.charge(epsilon, "count")
            assert budget.remaining == total - spent


def test_terms_that_differ_from_the_file_are_refused(path: Path) -> None:
    with opened(path) as budget:
        budget.charge("1/2", "count")
    before = path.read_bytes()
    good = {"total": 1, "neighbours": "add_remove", "data": "a table"}
    for change, sentence in (
        ({"total": 2}, "the budget file says total 1, got 2"),
        ({"neighbours": "change_one"}, "the budget file says neighbours add_remove, got change_one"),
        ({"data": "another"}, "the budget file is about other data"),
        ({"neighbours": "symmetric"}, "neighbours must be add_remove or change_one, got 'symmetric'"),
        ({"data": ""}, "data must be 1 to 10000 printable characters"),
    ):
        with pytest.raises(InputError, match=sentence), open_budget(path, **{**good, **change}):  # type: ignore[arg-type]
            pass
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"{}", b"[" * 10_000, b"\xff\xfe", b'{"format": "refdp-budget/1"}'])
def test_a_malformed_file_is_refused_and_kept(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"the budget file .* is malformed: "), opened(path):
        pass
    assert path.read_bytes() == content


def test_a_file_spoilt_while_open_is_not_overwritten(path: Path) -> None:
    with opened(path) as budget:
        path.write_bytes(b"not a budget")
        with pytest.raises(InputError, match="malformed"):
            budget.charge("1/2", "count")
    assert path.read_bytes() == b"not a budget"


def test_paths_that_cannot_be_used_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for name, expected in {
        ".": "must be a file, got a directory",
        "none/budget.json": "No such file",
        "file/budget.json": "Not a directory",
        "x" * 300: "too long",
        "nul\0": "must not hold NUL",
    }.items():
        with pytest.raises(InputError, match=expected), opened(tmp_path / name):
            pass
    assert files_beside(tmp_path / "file") == {"file"}


def test_hard_links_to_a_budget_are_refused(path: Path) -> None:
    """Each name would have a lock of its own."""
    with opened(path) as budget:
        budget.charge("1/2", "count")
    os.link(path, path.with_name("other.json"))
    with pytest.raises(InputError, match="must have one name, got hard links"), opened(path):
        pass


def test_a_symbolic_link_is_the_same_budget(path: Path) -> None:
    link = path.with_name("link.json")
    link.symlink_to(path)
    with opened(link) as budget:
        budget.charge("1/2", "count")
        with pytest.raises(InputError, match=r"must be free within 0\.1 s"), opened(path, timeout=0.1):
            pass
    assert link.is_symlink()
    assert charges(path) == [(F(1, 2), "count")]


def test_a_lock_that_is_a_symbolic_link_is_refused(path: Path) -> None:
    path.with_name("budget.json.lock").symlink_to(path.with_name("elsewhere"))
    with pytest.raises(InputError, match=r"can be locked, got .*: Too many levels of symbolic links"), opened(path):
        pass
    assert not path.with_name("elsewhere").exists()


def test_a_second_opening_waits_and_then_says_so(path: Path) -> None:
    locked = pytest.raises(InputError, match=r"within 0\.2 s, got it locked by another")
    with opened(path), locked, opened(path, timeout=0.2):
        pass
    with opened(path, timeout=0):
        pass


def test_a_budget_is_of_no_use_after_its_block(path: Path) -> None:
    with opened(path) as budget:
        pass
    with pytest.raises(InputError, match="must be open, got it closed"):
        budget.charge("1/2", "count")
    assert not path.exists()


def test_a_lock_that_was_removed_is_noticed(path: Path) -> None:
    with opened(path) as first:
        path.with_name("budget.json.lock").unlink()
        with opened(path, timeout=0) as second:
            second.charge("1/2", "count")
        with pytest.raises(InputError, match="must stay in its place, got it removed"):
            first.charge("3/4", "count")
    assert charges(path) == [(F(1, 2), "count")]


def test_a_lock_that_is_removed_while_it_is_waited_for_is_taken_anew(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken, lock = module._taken, path.with_name("budget.json.lock")

    def removed_the_first_time(file: int) -> bool:
        lock.unlink()
        monkeypatch.setattr(module, "_taken", taken)
        return taken(file)

    monkeypatch.setattr(module, "_taken", removed_the_first_time)
    with opened(path) as budget:
        assert budget.charge("1/2", "count") == F(1, 2)
        with pytest.raises(InputError, match="must be free within 0 s"), opened(path, timeout=0):
            pass


@forks
def test_a_child_that_lives_on_does_not_keep_the_lock(path: Path) -> None:
    with opened(path) as budget:
        child = forked(lambda: time.sleep(60))
        budget.charge("1/2", "count")
    with opened(path, timeout=0) as budget:
        assert budget.remaining == F(1, 2)
    os.kill(child, signal.SIGKILL)
    assert exit_code(child) == -signal.SIGKILL


@forks
def test_a_forked_child_cannot_charge_the_budget_of_its_parent(path: Path) -> None:
    with opened(path) as budget:
        assert exit_code(forked(lambda: budget.charge("1/2", "count"))) == 1
        assert exit_code(forked(budget.close)) == 0
        with pytest.raises(InputError, match="must be free within 0 s"), opened(path, timeout=0):
            pass  # the child gave up nothing
        budget.charge("1/2", "sum")
    assert charges(path) == [(F(1, 2), "sum")]


def test_the_permissions_of_the_file_are_kept(path: Path) -> None:
    with opened(path) as budget:
        budget.charge("1/4", "count")
        assert path.stat().st_mode & 0o777 == 0o600
        path.chmod(0o640)
        budget.charge("1/4", "count")
    assert path.stat().st_mode & 0o777 == 0o640


PROCESSES, ATTEMPTS = 8, 30


@forks
def test_processes_at_once_spend_the_budget_and_no_more(path: Path) -> None:
    """8 x 30 attempts at 1/100 of 1: exactly 100 succeed, each under its own name."""

    def spend(process: int) -> None:
        for attempt in range(ATTEMPTS):
            with opened(path) as budget:
                try:
                    budget.charge(F(1, 100), f"{process}.{attempt}")
                except BudgetExceeded:
                    continue

    children = [forked(partial(spend, process)) for process in range(PROCESSES)]
    assert [exit_code(child) for child in children] == [0] * PROCESSES
    made = charges(path)
    assert len(made) == len(set(made)) == 100
    assert sum(epsilon for epsilon, _ in made) == 1


@forks
def test_without_the_lock_processes_would_lose_charges(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That is: the test above can fail.  Two children read the same state, one after the other writes it."""
    monkeypatch.setattr(module, "_taken", lambda lock: True)
    with opened(path) as first, opened(path, timeout=0) as second:
        state = first.read()
        monkeypatch.setattr(Budget, "read", lambda self: state)
        first.charge(1, "first")
        second.charge(1, "second")
    assert charges(path) == [(F(1), "second")]


def answer_until_killed(path: Path, pipe: int, process: int) -> None:
    """Charge, then show the answer, for ever."""
    number = 0
    while True:
        with opened(path, total=10**6) as budget:
            budget.charge(1, f"answer {process}.{number}")
            os.write(pipe, f"answer {process}.{number}\n".encode())
        number += 1


def answers(pipe: int) -> list[str]:
    """What was written to the pipe, all of its writers being gone."""
    with open(pipe, encoding="utf-8") as file:
        return file.read().splitlines()


KILLS, WRITERS = 60, 2


@forks
def test_kill_9_at_random_loses_no_charge_of_an_answer_shown(path: Path) -> None:
    """60 times, two processes answer until killed; a kill may waste the charge of one answer, never the reverse.

    Every other time the kill waits for a charge, so that the test does not pass by killing too early.
    """
    source = random.Random(9)
    shown: list[str] = []
    for kill in range(KILLS):
        before = len(charges(path))
        reader, writer = os.pipe()
        names = range(kill * WRITERS, (kill + 1) * WRITERS)
        children = [forked(partial(answer_until_killed, path, writer, name)) for name in names]
        os.close(writer)
        deadline = time.monotonic() + 30
        while kill % 2 and len(charges(path)) == before and time.monotonic() < deadline:
            time.sleep(0.001)
        time.sleep(source.uniform(0, 0.05))
        for child in children:
            os.kill(child, signal.SIGKILL)
        assert [exit_code(child) for child in children] == [-signal.SIGKILL] * WRITERS
        shown += answers(reader)
        charged = [query for _, query in charges(path)]
        assert len(set(charged)) == len(charged)
        assert set(shown) <= set(charged)
        assert len(charged) - len(shown) <= (kill + 1) * WRITERS
    assert shown
    assert len(charged) >= KILLS / 2


def test_threads_at_once_spend_the_budget_and_no_more(path: Path) -> None:
    """4 threads share one open budget of 1 and try 1/20 ten times each: exactly 20 succeed."""
    with opened(path) as budget:

        def spend(thread: int) -> None:
            for attempt in range(10):
                with suppress(BudgetExceeded):
                    budget.charge("1/20", f"{thread}.{attempt}")

        threads = [Thread(target=spend, args=(thread,)) for thread in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(set(charges(path))) == len(charges(path)) == 20


STEPS = ("open", "fchmod", "fsync", "replace", "unlink", "write")


def killed_at(step: int, path: Path, pipe: int) -> None:
    """Charge and answer; the process kills itself before its system call number `step`."""
    calls = 0

    def counted(call: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any, **words: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == step:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*arguments, **words)

        return run

    for name in STEPS:
        setattr(os, name, counted(getattr(os, name)))
    with opened(path) as budget:
        budget.charge("1/2", "after")
        os.write(pipe, b"answer\n")


@forks
def test_kill_9_at_each_step_leaves_the_state_before_or_after(path: Path) -> None:
    """Every system call of a charge in turn: the file is whole, and holds the charge if the answer was shown."""
    states: list[list[str]] = []
    for step in range(1, 100):
        path.unlink(missing_ok=True)
        with opened(path) as budget:
            budget.charge("1/4", "before")
        reader, writer = os.pipe()
        code = exit_code(forked(partial(killed_at, step, path, writer)))
        os.close(writer)
        shown = answers(reader)
        states.append([query for _, query in charges(path)])
        assert states[-1] in (["before"], ["before", "after"])
        assert not shown or states[-1] == ["before", "after"]
        with opened(path, timeout=0) as budget:
            assert budget.remaining == 1 - sum(epsilon for epsilon, _ in charges(path))
        assert files_beside(path) == {"budget.json", "budget.json.lock"}
        if code == 0:
            break
    assert code == 0
    assert shown == ["answer"]
    assert states == sorted(states)  # the charge appears at one step and stays
    assert states.count(["before"]) >= 5
    assert states.count(["before", "after"]) >= 3


def test_a_charge_is_on_the_disk_before_it_returns(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In this order: the new state is flushed, renamed over the file, and the folder is flushed."""
    done: list[str] = []
    fsync, replace = os.fsync, os.replace

    def flush(file: int) -> None:
        done.append("flush folder" if os.path.isdir(f"/proc/self/fd/{file}") else "flush file")
        fsync(file)

    def rename(source: Path, target: Path) -> None:
        done.append(f"rename {len(json.loads(Path(source).read_bytes())['charges'])}")
        replace(source, target)

    monkeypatch.setattr(os, "fsync", flush)
    monkeypatch.setattr(os, "replace", rename)
    with opened(path) as budget:
        budget.charge("1/2", "count")
        assert done == ["flush file", "rename 1", "flush folder"]


@pytest.mark.parametrize("call", ["fsync", "replace", "fchmod"])
def test_a_disk_that_is_full_is_reported_and_nothing_is_charged(
    path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    with opened(path) as budget:
        budget.charge("1/4", "count")
        before = path.read_bytes()
        monkeypatch.setattr(os, call, full)
        with pytest.raises(InputError, match="cannot be written: No space left on device"):
            budget.charge("1/4", "sum")
        assert path.read_bytes() == before
        assert files_beside(path) == {"budget.json", "budget.json.lock"}
