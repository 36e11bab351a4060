"""What is no file is refused at once with one sentence; a pipe that is named is read, one in a folder is not."""

import os
import signal
import threading
from pathlib import Path

import pytest

from refdp.cli.app import app
from refdp.logic.files import require_readable
from tests.cli.small_files import FILES
from tests.cli.test_words import PROGRAM, ROOT
from tests.command_line import CliRunner

pytestmark = pytest.mark.usefixtures("folder")

SECONDS = 30
"""Nothing here needs so long: what does is waiting for a pipe."""
CERTIFICATE = ROOT / "proofs" / "certificates" / "count.add_remove.json"
TOTAL = "--neighbours add_remove --bounds 0 1"


@pytest.fixture(autouse=True)
def ends_in_time():
    def waited(*_):
        raise AssertionError("it waits")

    before = signal.signal(signal.SIGALRM, waited)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def refused(words):
    done = CliRunner().invoke(app, words.split())
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1), (done.stderr, done.exception)
    return done.stderr


WALKED = [
    ("check walked", "x.json"),
    ("audit walked", "x.toml"),
    ("vectors check walked", "x_test.json"),
    ("vectors import-google walked --out o", "x.textproto"),
]


@pytest.mark.parametrize(("words", "name"), WALKED, ids=[row[0] for row in WALKED])
@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_what_is_no_file_in_a_folder_that_is_walked_is_refused_before_any_work(words, name, kind, folder):
    (folder / "walked").mkdir()
    place = folder / "walked" / name
    {"pipe": lambda: os.mkfifo(place), "device": lambda: place.symlink_to("/dev/zero"), "folder": place.mkdir}[kind]()
    assert f"walked/{name} must be a file, as what a folder holds is read, got a pipe, a device or" in refused(words)


NAMED = [
    ("check NAME", ".json"), ("prove NAME", ".py"), ("prove NAME:f", ".py"), ("audit NAME", ".toml"),
    ("audit --replay NAME", ".json"), ("account NAME --delta 1e-6", ".toml"), ("account NAME --delta 1e-6", ".json"),
    (f"sensitivity NAME:f {TOTAL}", ".py"), ("sensitivity NAME", ".toml"), ("plot NAME --out x.svg", ".json"),
    (f"sensitivity query.py:total {TOTAL} --at NAME:age", ".csv"), ("vectors check NAME", "_test.json"),
    ("release NAME --query count --epsilon 1 --neighbours add_remove", ".csv"),
    ("release t.csv --query count --epsilon 1 --neighbours add_remove --budget NAME", ".json"),
    ("vectors import-google NAME --out o", ".textproto"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "suffix"), NAMED, ids=[f"{row[0]} {row[1]}" for row in NAMED])
def test_a_device_that_is_named_is_refused_whatever_it_would_give(words, suffix, folder):
    (folder / f"zero{suffix}").symlink_to("/dev/zero")
    assert f"zero{suffix}" in refused(words.replace("NAME", f"zero{suffix}"))


@pytest.mark.parametrize(("words", "suffix"), NAMED[1:], ids=[f"{row[0]} {row[1]}" for row in NAMED[1:]])
def test_a_folder_is_refused_where_a_file_is_wanted(words, suffix, folder):
    (folder / f"d{suffix}").mkdir()
    assert f"d{suffix}" in refused(words.replace("NAME", f"d{suffix}"))


@pytest.mark.parametrize(("words", "suffix"), NAMED[10:])
def test_a_pipe_is_refused_where_a_regular_file_is_wanted(words, suffix, folder):
    os.mkfifo(folder / f"pipe{suffix}")
    assert f"pipe{suffix}" in refused(words.replace("NAME", f"pipe{suffix}"))


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("check pipe.py", CERTIFICATE.read_text(encoding="utf-8")),
        ("prove pipe.py:stoddard", Path(PROGRAM.partition(":")[0]).read_text(encoding="utf-8")),
        ("audit pipe.py --workers 1", FILES["bit.toml"]),
    ],
    ids=["check", "prove", "audit"],
)
def test_a_pipe_that_is_named_is_read(words, text, folder):
    os.mkfifo(folder / "pipe.py")
    writer = threading.Thread(target=(folder / "pipe.py").write_text, args=(text,), kwargs={"encoding": "utf-8"})
    writer.start()
    done = CliRunner().invoke(app, words.split())
    writer.join()
    assert done.exit_code == 0, (done.stderr, done.exception)


def test_what_is_typed_at_a_terminal_may_be_read():
    ours, theirs = os.openpty()
    before = os.dup(0)
    try:
        os.dup2(theirs, 0)
        require_readable(os.ttyname(theirs))
    finally:
        os.dup2(before, 0)
        for one in (ours, theirs, before):
            os.close(one)


def test_a_terminal_that_is_not_the_standard_input_is_a_device():
    ours, theirs = os.openpty()
    try:
        with pytest.raises(OSError, match="It is a device"):
            require_readable(os.ttyname(theirs))
    finally:
        os.close(ours)
        os.close(theirs)


def test_what_an_audit_reads_beside_its_file_must_be_a_file(folder):
    os.mkfifo(folder / "pipe")
    text = '[[target]]\nname = "x"\nkind = "exact"\nserialised = {file = "pipe"}\nclaim.epsilon = "1"\n'
    (folder / "x.toml").write_text(text, encoding="utf-8")
    assert "serialised.file must be a file" in refused("audit x.toml")


def test_digits_that_come_through_a_pipe_are_said_not_to_be_random(folder):
    os.mkfifo(folder / "pipe")
    writer = threading.Thread(target=(folder / "pipe").write_bytes, args=(bytes(range(256)) * 16,))
    writer.start()
    done = CliRunner().invoke(app, ["sample", "discrete_laplace", "--scale", "2", "-n", "3", "--bits", "pipe"])
    writer.join()
    assert (done.exit_code, done.stderr) == (0, "refdp: NOT RANDOM: the digits are read from pipe\n")
