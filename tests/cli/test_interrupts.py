"""An interrupt ends a command with code 130 and what was decided; where nobody reads on, a command is quiet."""

import json
import shutil
import signal
import subprocess
import sys
import time

import pytest

from refdp.cli.app import app
from tests.cli.small_files import FILES
from tests.cli.test_words import PROGRAM, ROOT
from tests.command_line import CliRunner

pytestmark = pytest.mark.usefixtures("folder")

CERTIFICATES = ROOT / "proofs" / "certificates"


def after(count, function):
    """The function, interrupted at its call number count + 1."""
    calls = []

    def interrupted(*args, **more):
        calls.append(1)
        if len(calls) > count:
            raise KeyboardInterrupt
        return function(*args, **more)

    return interrupted


LISTS = [
    ("verify count.* --certificates c", "refdp.commands.verify.judgement", 1, "claims"),
    (f"check {CERTIFICATES}/count.add_remove.json {CERTIFICATES}/count.change_one.json",
     "refdp.commands.check.replayed_file", 1, "certificates"),
    (f"prove {PROGRAM.partition('.py')[0]}.py", "refdp.commands.prove.judged", 1, "claims"),
    (f"sensitivity {ROOT}/examples/sensitivity/penguins.toml", "refdp.commands.sensitivity.judged", 0, "questions"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "place", "count", "key"), LISTS, ids=[row[0].split()[0] for row in LISTS])
def test_an_interrupt_tells_what_was_decided_by_then(words, place, count, key, monkeypatch):
    module, _, name = place.rpartition(".")
    monkeypatch.setattr(place, after(count, getattr(sys.modules.get(module) or __import__(module, fromlist="x"), name)))
    done = CliRunner().invoke(app, [*words.split(), "--json"])
    found = json.loads(done.stdout)[key]
    assert (done.exit_code, done.stderr) == (130, "refdp: interrupted; what was decided by then is told\n")
    assert [one["verdict"] for one in found[:count]] != ["UNKNOWN"] * max(count, 1)
    assert {one["reason"] for one in found[count:]} == {"interrupted"}


@pytest.mark.parametrize(("words", "place", "count"), [row[:3] for row in LISTS if row[3] != "certificates"])
def test_what_an_interrupt_left_open_is_neither_as_expected_nor_a_surprise(words, place, count, monkeypatch):
    module, _, name = place.rpartition(".")
    monkeypatch.setattr(place, after(count, getattr(__import__(module, fromlist="x"), name)))
    found = json.loads(CliRunner().invoke(app, [*words.split(), "--json"]).stdout)
    assert (found["as_expected"], found["surprises"]) == (count, 0)


VECTORS = [
    ("", "refdp.test_vectors.checking.confirmed", None),
    (" --against right.py", "refdp.test_vectors.checking.judged", "UNKNOWN"),
    (" --against wrong.py", "refdp.test_vectors.checking.judged", "REFUTED"),
]
MODULES = {
    "right.py": "def pmf(**_):\n    return NotImplemented\n",
    "wrong.py": "def pmf(**_):\n    return 7\n",
}
TWO = ("pmf_randomised_response_test.json", "stability_map_test.json")


@pytest.fixture
def two_files(folder):
    (folder / "two").mkdir()
    for name in TWO:
        shutil.copy(ROOT / "vectors" / name, folder / "two")


@pytest.mark.usefixtures("two_files")
@pytest.mark.parametrize(("more", "place", "verdict"), VECTORS)
def test_an_interrupt_of_vectors_tells_the_cases_that_were_decided_by_then(
    more, place, verdict, monkeypatch, folder, two_files
):
    for file, text in MODULES.items():
        (folder / file).write_text(text, encoding="utf-8")
    module, _, name = place.rpartition(".")
    monkeypatch.setattr(place, after(3, getattr(__import__(module, fromlist="x"), name)))
    done = CliRunner().invoke(app, f"vectors check two{more} --json".split())
    found = json.loads(done.stdout)
    assert (done.exit_code, done.stderr) == (130, "refdp: interrupted; what was decided by then is told\n")
    assert (found["reason"], found.get("verdict")) == ("interrupted", verdict)
    assert [one["cases"] - one["unreached"] for one in found["files"]] == [3, 0]
    assert found["failed"] == (3 if verdict == "REFUTED" else 0)


def test_an_interrupt_while_a_file_of_vectors_is_read_counts_its_cases_as_unreached(monkeypatch, two_files):
    import refdp.test_vectors.checking as checking

    calls, loaded = [], checking.loaded

    def once(path):
        calls.append(path)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return loaded(path)

    monkeypatch.setattr(checking, "loaded", once)
    done = CliRunner().invoke(app, ["vectors", "check", "two"])
    first, second, _ = done.stdout.splitlines()
    assert done.exit_code == 130
    assert first == "pmf_randomised_response_test.json: 33 of 33 cases passed"
    assert (second.startswith("stability_map_test.json: 0 of "), second.endswith(" unreached")) == (True, True)


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ("explain count.add_remove", "refdp.commands.explain.explain"),
        ("sample discrete_laplace --scale 3 -n 9 --out x.npy", "refdp.commands.sample.sample"),
        ("vectors write v --type StabilityMap", "refdp.commands.vectors.write_files"),
        ("release t.csv --query count --epsilon 1 --neighbours add_remove", "refdp.commands.release.release"),
        ("sensitivity query.py:total --neighbours add_remove --bounds 0 1", "refdp.commands.sensitivity.judged"),
    ],
)
def test_an_interrupt_of_one_answer_is_one_sentence_and_leaves_no_file(words, place, monkeypatch, folder):
    __import__(place.rpartition(".")[0])
    monkeypatch.setattr(place, after(0, None))
    done = CliRunner().invoke(app, words.split())
    assert (done.exit_code, done.stdout, done.stderr) == (130, "", "refdp: interrupted\n")
    assert [path for path in folder.rglob("*") if path.is_file() and path.name not in FILES] == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_ends_a_job_is_an_interrupt_and_leaves_no_half_of_a_file(number, folder):
    """A shell that put it in the background lets it ignore Ctrl-C; nothing lets it ignore the other."""
    before = sorted(folder.iterdir())
    words = ["sample", "discrete_laplace", "--scale", "3", "-n", "500000000", "--out", "o.csv"]
    start = (
        f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler); import sys; sys.argv[1:] = {words}"
    )
    with subprocess.Popen(
        [sys.executable, "-c", f"{start}; sys.path.insert(0, {str(ROOT)!r}); from refdp.cli import main; main()"],
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        while not (begun := [one for one in folder.glob(".o.csv.*") if one.stat().st_size > 0]):
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(number)
        told = process.communicate()
    assert len(begun) == 1
    assert (process.returncode, *told) == (130, "", "refdp: interrupted\n")
    assert sorted(folder.iterdir()) == before


@pytest.mark.once
@pytest.mark.parametrize(
    "words",
    [
        "verify 'count.*' --certificates c", "verify 'count.*' --certificates c --json",
        "account spec.json --delta 1e-6", "explain discrete_laplace.pure", "",
    ],
)  # fmt: skip
def test_where_nobody_reads_on_a_command_is_quiet_and_its_code_is_that_of_the_answer(words, folder):
    # The reader is gone before the first word is written.
    line = f"{{ PYTHONPATH={ROOT} {sys.executable} -m refdp {words}; echo $? > code; }} | true; sleep 0.1"
    done = subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, text=True)
    assert (done.stdout, done.stderr, (folder / "code").read_text()) == ("", "", "0\n")
