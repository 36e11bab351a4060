"""A charge is never denied: whatever fails after it says that it was made, and what fails before it charged nothing.

Every system call of a release fails in turn here, and every one is interrupted: so what comes before the charge and
what comes after it need not be thought of one by one.  Standard output is a real one, which can be full or unread; the
one of typer's test runner is memory, and never is.
"""

import errno
import json
import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import suppress
from fractions import Fraction as F
from functools import cache
from pathlib import Path

import pytest

import refdp
import refdp.cli.app  # before the forks
from refdp.commands import release as module
from refdp.releases.account import read_account
from refdp.releases.budget import open_budget
from refdp.releases.declarations import read_declarations
from refdp.releases.errors import BudgetExceeded, Charged, InputError
from refdp.releases.queries import read_query
from refdp.releases.release import plan
from refdp.releases.spending import Spending
from tests.releases.test_budget import exit_code, forked, forks

TABLE = str(Path(refdp.__file__).parent / "releases" / "examples" / "table_d.csv")
ARGUMENTS = ["release", TABLE, "--query", "count", "--epsilon", "1/4", "--neighbours", "add_remove"]
KEPT = ["--budget", "b.json", "--total", "1"]
CHARGED = "epsilon 1/4 was charged to b.json, where 3/4 is left; "
pytestmark = forks


@cache
def planned(texts, epsilon):
    return plan([read_query(text) for text in texts], read_declarations("add_remove"), 10, Spending("pure", epsilon))


def planned_once(queries, said, rows, spending, prove):
    return planned(tuple(q.text for q in queries), spending.amount)


@pytest.fixture
def interruptible():
    """Both signals raise, also where this process was started by a shell that has Ctrl-C ignored."""
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, signal.default_int_handler) for number in numbers]
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """An empty folder to work in; the proof is found once, and not replayed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(module, "replayed", lambda *_: [])
    planned(("count",), F(1, 4))
    monkeypatch.setattr(module, "plan", planned_once)
    return tmp_path


def charges():
    """How many charges the budget file holds."""
    return len(read_account(Path("b.json").read_bytes()).charges) if Path("b.json").exists() else 0


def answer_files():
    """The files of answers, and whatever is hidden beside them."""
    return sorted(p.name for p in Path("refdp-certificates").glob("*") if p.suffix != ".json")


def released(**more):
    return refdp.release(TABLE, "count", "1/4", "add_remove", budget="b.json", total=1, **more)


def command(arguments, output=None, first=lambda: None):
    """Run the command in a child of this process: its exit code, and what it says on standard error."""
    reader, writer = os.pipe()

    def run():
        os.dup2(writer, 2)
        os.dup2(os.open(os.devnull, os.O_WRONLY) if output is None else output, 1)
        sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)  # noqa: SIM115
        sys.argv = ["refdp", *arguments]
        first()
        code = 0
        try:
            from refdp.cli import main

            main()
        except SystemExit as end:
            code = end.code or 0
        with suppress(OSError):
            sys.stderr.flush()
        os._exit(code)

    child = forked(run)
    os.close(writer)
    with open(reader, encoding="utf-8") as said:
        sentence = said.read()
    return exit_code(child), sentence


def full():
    return os.open("/dev/full", os.O_WRONLY)


def unread():
    """A pipe whose reader is gone."""
    reader, writer = os.pipe()
    os.close(reader)
    return writer


def test_a_release_to_a_full_standard_output_says_that_it_was_charged_and_where_the_answers_are():
    """The whole command, in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(Path(refdp.__file__).parents[1])}
    with open("/dev/full", "w") as output:
        done = subprocess.run([sys.executable, "-m", "refdp", *ARGUMENTS, *KEPT], env=environment, stdout=output,
                              stderr=subprocess.PIPE, text=True)  # fmt: skip
    [name] = answer_files()
    assert done.returncode == 5
    assert done.stderr == (
        f"refdp: {CHARGED}the answers are in refdp-certificates/{name}; what went wrong: No space left on device\n"
    )
    assert charges() == 1


@pytest.mark.parametrize("more", [[], ["--json"]])
@pytest.mark.parametrize(("output", "why"), [(full, "No space left on device"), (unread, "nobody reads on")])
def test_what_cannot_be_shown_is_kept_and_said_to_be_charged(more, output, why):
    code, sentence = command([*ARGUMENTS, *KEPT, *more], output())
    [name] = answer_files()
    assert (code, charges()) == (5, 1)
    assert sentence == f"refdp: {CHARGED}the answers are in refdp-certificates/{name}; what went wrong: {why}\n"
    kept = json.loads(Path("refdp-certificates", name).read_text(encoding="utf-8"))
    assert [one["query"] for one in kept["answers"]] == ["count"]


def test_where_standard_error_is_full_too_the_exit_code_says_that_it_was_charged():
    code, _ = command([*ARGUMENTS, *KEPT], full(), lambda: os.dup2(full(), 2))
    assert (code, charges(), len(answer_files())) == (5, 1, 1)


def test_without_a_budget_epsilon_is_said_to_be_spent():
    code, sentence = command(ARGUMENTS, full())
    assert code == 5
    assert "epsilon 1/4 is spent, though no budget file was named that says so; the answers are in " in sentence


def test_a_closed_standard_output_is_refused_before_the_charge():
    def closed():
        sys.stdout = None

    code, sentence = command([*ARGUMENTS, *KEPT], first=closed)
    assert (code, sentence) == (2, "refdp: standard output must be open, got it closed\n")
    assert charges() == 0


@pytest.mark.parametrize("limit", [1_000, 10_000], ids=["the certificate", "the answers"])
def test_a_disk_without_room_for_certificate_or_answers_is_refused_before_the_charge(limit):
    """The system's own limit for the size of a file: the certificate has some 2,500 bytes."""
    code, sentence = command(
        [*ARGUMENTS, *KEPT], first=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    )
    assert (code, charges(), answer_files()) == (2, 0, [])
    assert "File too large" in sentence
    assert "charged" not in sentence


@pytest.mark.parametrize("place", ["/proc/none", "/dev/full/none", "file"])
def test_a_folder_of_certificates_that_cannot_be_is_refused_before_the_charge(place):
    Path("file").touch()
    code, _ = command([*ARGUMENTS, *KEPT, "--certificates", place])
    assert (code, charges()) == (2, 0)


CALLS = ("open", "fchmod", "fsync", "replace", "unlink", "mkdir", "close", "truncate")


def at_call(number, what, monkeypatch):
    """Do `what` in place of, or before, the system call of that number."""
    calls = []

    def counted(call):
        def run(*arguments, **words):
            calls.append(call)
            if len(calls) == number:
                what()
            return call(*arguments, **words)

        return run

    for name in CALLS:
        monkeypatch.setattr(os, name, counted(getattr(os, name)))
    return calls


def full_disk():
    raise OSError(errno.ENOSPC, "No space left on device")


def outcomes(what, monkeypatch, failure):
    """For each system call in turn: the sentence of the error, or None, and the charges then in the file."""
    found = []
    for number in range(1, 200):
        for path in (Path("b.json"), *Path("refdp-certificates").glob("*")):
            path.unlink(missing_ok=True)
        sentence, given = None, []
        with monkeypatch.context() as patched:
            calls = at_call(number, what, patched)
            try:
                released(shown=given.append)
            except failure as error:
                sentence = str(error)
        assert not given or charges() == 1
        found.append((sentence, charges(), len(given)))
        if len(calls) < number:
            return found
    raise RuntimeError("a release has fewer system calls")


def test_whatever_system_call_fails_the_error_says_whether_it_was_charged(monkeypatch):
    """An error without the word leaves the file as it was; one after the charge has it, whichever call it was."""
    found = outcomes(full_disk, monkeypatch, (InputError, Charged, OSError))
    for sentence, charged, given in found:
        assert (sentence is not None and "was charged to b.json, where 3/4 is left" not in sentence) == (charged == 0)
        assert given == (sentence is None)
    refused, stands = [s for s, charged, _ in found if not charged], [s for s, charged, _ in found if charged and s]
    assert len(refused) >= 8  # the disk failed before the charge, and after it, often
    assert any("did not confirm" in s for s in stands)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_at_any_system_call_says_whether_it_was_charged(number, monkeypatch):
    """Ctrl-C, or the end of a job, before each call in turn, the rename of the budget file among them."""
    found = outcomes(lambda: signal.raise_signal(number), monkeypatch, KeyboardInterrupt)
    for sentence, charged, _ in found:
        assert sentence is None or (CHARGED in sentence) == (charged == 1)
    interrupted = [(s, charged) for s, charged, _ in found if s is not None]
    assert len(found) - len(interrupted) == 1
    assert {charged for _, charged in interrupted} == {0, 1}
    assert any(CHARGED + "no answer was kept" in s for s, _ in interrupted)
    assert any(CHARGED + "the answers are in " in s for s, _ in interrupted)


def waiting(pipe):
    """In place of the draw: says that it has come so far, and waits to be ended."""

    def answers(*_):
        os.write(pipe, b"!")
        time.sleep(600)

    return answers


@pytest.fixture
def drawing(monkeypatch, folder):
    """A process that has charged and draws: its number, and what it says on standard error."""
    ready, begun = os.pipe()
    heard, said = os.pipe()
    monkeypatch.setattr(module, "answers", waiting(begun))

    def run():
        os.dup2(said, 2)
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
        sys.argv = ["refdp", *ARGUMENTS, *KEPT]
        signal.signal(signal.SIGINT, signal.default_int_handler)
        code = 1
        try:
            from refdp.cli import main

            main()
        except SystemExit as end:
            code = end.code
        sys.stderr.flush()
        os._exit(code)

    child = forked(run)
    os.close(said)
    os.close(begun)
    assert os.read(ready, 1) == b"!"
    yield child, heard
    with suppress(ProcessLookupError, ChildProcessError):
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def test_the_budget_is_free_while_answers_are_drawn(drawing):
    """Another process charges meanwhile, without waiting; the draw has not ended, and never does."""
    child, _ = drawing
    data = read_account(Path("b.json").read_bytes()).data
    with open_budget("b.json", total=1, neighbours="add_remove", data=data, timeout=0) as budget:
        assert budget.charge("3/4", "another") == 0
        with pytest.raises(BudgetExceeded):
            budget.charge("1/100", "a third")
    assert os.waitpid(child, os.WNOHANG) == (0, 0)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_while_answers_are_drawn_says_that_it_was_charged(number, drawing):
    child, heard = drawing
    os.kill(child, number)
    assert exit_code(child) == 130
    with open(heard, encoding="utf-8") as said:
        assert said.read() == f"refdp: {CHARGED}no answer was kept; what went wrong: interrupted\n"
    assert (charges(), answer_files()) == (1, [])


def test_a_process_killed_between_charge_and_answer_has_charged_and_keeps_no_answer(drawing):
    child, heard = drawing
    os.kill(child, signal.SIGKILL)
    assert exit_code(child) == -signal.SIGKILL
    os.close(heard)
    assert charges() == 1
    [hidden] = answer_files()
    assert (hidden[0], Path("refdp-certificates", hidden).read_text().strip()) == (".", "")
    assert read_account(Path("b.json").read_bytes()).remaining == F(3, 4)


@pytest.mark.parametrize("error", [RuntimeError("unforeseen"), InputError("refused"), MemoryError()])
def test_a_draw_that_fails_is_charged_and_keeps_no_answer(error, monkeypatch):
    def fails(*_):
        raise error

    monkeypatch.setattr("refdp.releases.release.draw", fails)
    with pytest.raises(Charged, match=rf"{CHARGED}no answer was kept; what went wrong"):
        released()
    assert (charges(), answer_files()) == (1, [])


def test_no_answer_is_drawn_on_a_charge_that_the_disk_did_not_confirm(monkeypatch):
    fsync = os.fsync

    def folders_fail(file):
        if Path("b.json").exists():
            full_disk()
        fsync(file)

    monkeypatch.setattr(os, "fsync", folders_fail)
    monkeypatch.setattr(module, "answers", lambda *_: pytest.fail("it drew"))
    with pytest.raises(Charged, match=r"no answer was kept.* the disk did not confirm the charge"):
        released()
    assert charges() == 1


def test_answers_are_on_the_disk_before_they_are_shown(monkeypatch):
    def look(found):
        [name] = answer_files()
        place = Path("refdp-certificates", name)
        assert place.stat().st_mode & 0o777 == 0o600
        kept = json.loads(place.read_text(encoding="utf-8"))
        assert kept == {key: one for key, one in found.items() if key not in {"answers_file", "seconds"}}
        assert found["answers_file"] == str(place)

    found = released(shown=look)
    assert found["budget"] == {"file": "b.json", "left": "3/4"}


def test_no_release_overwrites_the_answers_of_another():
    first, second = released(), released()
    kept = [json.loads(Path(one["answers_file"]).read_text(encoding="utf-8"))["answers"] for one in (first, second)]
    assert first["certificate"] == second["certificate"]
    assert kept == [first["answers"], second["answers"]]
    assert len(answer_files()) == 2


def test_answers_that_cannot_be_kept_are_shown_all_the_same(monkeypatch):
    def fails(*_):
        full_disk()

    monkeypatch.setattr("refdp.releases.answer_files.AnswerFile.fill", fails)
    found = released()
    assert (found["answers_file"], found["not_kept"]) == (None, "No space left on device")
    assert [one["query"] for one in found["answers"]] == ["count"]
    with pytest.raises(Charged, match="where 1/2 is left; no answer was kept; what went wrong: No space left"):
        released(shown=fails)


def test_a_release_that_is_refused_leaves_no_file_of_answers():
    released()
    with pytest.raises(BudgetExceeded):
        refdp.release(TABLE, "count", "4/5", "add_remove", budget="b.json")
    assert len(answer_files()) == 1
