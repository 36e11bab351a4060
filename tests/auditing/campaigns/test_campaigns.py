"""Whole campaigns through the command: resumed after kill -9, interrupted, on a cluster, with hostile targets."""

import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import refdp
from refdp.auditing.campaigns.executors import workers
from refdp.auditing.judges.task import TaskError

pytestmark = pytest.mark.once

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
HOSTILE = HERE.parent / "targets"

REPLAYED = """
name = "replayed"
alpha = "1e-6"
[defaults]
kind = "law"
search = ["."]
batched = true
samples = 4000
stop = "samples"
bits = "00112233445566778899aabbccddeeff"
law = { name = "finite", outcomes = [0, 1], masses = ["1/2", "1/2"] }
[[target]]
name = "fair"
function = "drawn:slow_coin"
[[target]]
name = "unfair"
function = "drawn:unfair"
expected = "REFUTED"
[[target]]
name = "as fair"
function = "drawn:slow_coin"
"""


@pytest.fixture
def replayed(tmp_path):
    (tmp_path / "drawn.py").write_text((HERE / "drawn.py").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "replayed.toml").write_text(REPLAYED, encoding="utf-8")
    return tmp_path / "replayed.toml"


def command(*words, **more):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **more}
    folder = more.pop("cwd", None)
    line = [sys.executable, "-m", "refdp", "audit", *map(str, words)]
    return {
        "args": line,
        "env": environment,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
        "text": True,
        "cwd": folder,
    }


def ran(*words, **more):
    given = more.pop("input", None)
    return subprocess.run(**command(*words, **more), input=given, check=False, timeout=100)


def records(found):
    """Everything that does not depend on the clock."""
    left_out = ("seconds", "processor_seconds", "replay")
    return [{name: part for name, part in one.items() if name not in left_out} for one in found["targets"]]


def killed_and_resumed(file, tmp_path, kills, count, seed):
    """The results after so many kill -9 at random moments, and how many of them met a campaign at work.

    A campaign that ended before it was killed begins anew, so that the next ones meet work again.
    """
    store, met, moments = tmp_path / "s.sqlite", 0, random.Random(seed)
    for _ in range(kills):
        with subprocess.Popen(**command(file, "--store", store, "--workers", count), start_new_session=True) as process:
            time.sleep(moments.uniform(0.4, 1.6))
            ended = process.poll() is not None
            process.kill()
        met += not ended
        ended_with_it(process.pid)
        for left in tmp_path.glob(f"{store.name}*") if ended else ():
            left.unlink()
    done = ran(file, "--store", store, "--workers", count, "--json")
    assert done.returncode == 0, done.stderr
    with sqlite3.connect(store) as opened:
        assert opened.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        rows = opened.execute("SELECT target, number FROM chunk ORDER BY target, number").fetchall()
    opened.close()
    assert len(set(rows)) == len(rows)
    return json.loads(done.stdout), met


def ended_with_it(session):
    """Waits until no process of that session is left; fails if one stays."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        if not [p for p in Path("/proc").glob("[0-9]*") if in_session(p, session)]:
            return
        time.sleep(0.1)
    pytest.fail("a worker outlived the campaign that was killed")


def in_session(process, session):
    try:
        return int((process / "stat").read_text().rpartition(")")[2].split()[3]) == session
    except OSError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(
    ("kills", "count", "seed"),
    [(2, 1, 1), pytest.param(12, 1, 2, marks=pytest.mark.long), pytest.param(12, 2, 3, marks=pytest.mark.long)],
)
def test_kill_9_at_random_points_loses_no_sample_and_counts_none_twice(replayed, tmp_path, kills, count, seed):
    with ThreadPoolExecutor(2) as executor:
        whole = refdp.audit(replayed, executor=executor)
    assert [one["samples"] for one in whole["targets"]][::2] == [4000, 4000]
    found, met = killed_and_resumed(replayed, tmp_path, kills, count, seed)
    assert met >= kills // 3
    assert records(found) == records(whole)


@pytest.mark.long
def test_an_interrupt_prints_and_keeps_what_was_decided(replayed, tmp_path):
    store = tmp_path / "s.sqlite"
    text = replayed.read_text(encoding="utf-8") + '[[target]]\nname = "long"\nfunction = "drawn:endless"\n'
    replayed.write_text(text + "samples = 9000000\n", encoding="utf-8")
    with subprocess.Popen(**command(replayed, "--store", store, "--workers", 2), start_new_session=True) as process:
        while process.poll() is None and not (tmp_path / "under way").exists():
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: workers get it too
        out, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said == f"refdp: interrupted; what was decided by then is told, and kept in {store}\n"
    words = " ".join(out.split())
    assert "3 as expected" in words
    assert "long: UNKNOWN: the campaign was interrupted" in words
    ended_with_it(process.pid)


@pytest.mark.long
def test_a_dask_cluster_of_two_processes_gives_the_counts_of_one_process(replayed, tmp_path):
    from distributed import LocalCluster

    alone = refdp.audit(replayed, workers=1)
    with LocalCluster(2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        pids = cluster.scheduler.identity()["workers"]
        assert len(pids) == 2
        found = refdp.audit(replayed, scheduler=cluster.scheduler_address, store=tmp_path / "s")
        done = ran(replayed, "--scheduler", cluster.scheduler_address, "--json")
    assert records(found) == records(alone)
    assert (done.returncode, records(json.loads(done.stdout))) == (0, records(alone))


def test_a_store_of_another_release_is_refused_in_the_midst_of_a_target(replayed, tmp_path, monkeypatch):
    from refdp.auditing.targets import Session

    refdp.audit(replayed, workers=1, store=tmp_path / "s", only="fair", timeout=0.001)
    start = Session.start

    def newer(session):
        start(session)
        session.about["version"] = "2"

    monkeypatch.setattr(Session, "start", newer)
    with pytest.raises(TaskError, match="holds answers of drawn  to 'replayed / fair', which now is drawn 2"):
        refdp.audit(replayed, workers=1, store=tmp_path / "s", only="fair")


def test_a_scheduler_that_does_not_answer_is_told_in_one_sentence():
    pytest.importorskip("distributed")
    with pytest.raises(TaskError, match="scheduler must be the address of one that answers, got nothing://x"):
        workers(None, "nothing://x", None)


MISBEHAVING = [
    ("hangs", "late: no answer after 2 s"),
    ("crashes", "crashed: signal 6"),
    ("forges", "garbage: no reply to the request"),
    ("returns_much", "too long: an answer of more than 10000 bytes"),
    ("eats", "raised: MemoryError"),
    ("forks", "too many processes"),
    ("raises", "the target gave no value for any input; raised: LookupError"),
    ("returns_nan", "NaN"),
    ("missing", "the target cannot be loaded: raised: AttributeError"),
]


HEAD = """
[defaults]
kind = "stability"
search = ["."]
claim = { input = "discrete", d_in = 1, output = "discrete", d_out = 1 }
limits = { call = 2, memory = 536870912, reply = 10000, processes = 4 }
"""


def hostile(name):
    space = "[{none = true}]" if name == "missing" else "[0, 1]"
    calls = {"returns_much": "[0, 20000]", "eats": "[0, 2147483648]", "forks": "[0, 8]"}.get(name, space)
    return f"""
[[target]]
name = "{name}"
function = "hostile:{name}"
space = {{ number = {{ choice = {calls} }} }}
"""


def test_targets_that_misbehave_are_unknown_with_the_reason_and_the_campaign_goes_on(tmp_path):
    (tmp_path / "hostile.py").write_text((HOSTILE / "hostile.py").read_text(encoding="utf-8"), encoding="utf-8")
    text = HEAD + "".join(hostile(name) for name, _ in MISBEHAVING) + hostile("right")
    done = ran("-", "--json", "--workers", 1, input=text, cwd=tmp_path)
    found = {one["target"]: one for one in json.loads(done.stdout)["targets"]}
    assert done.returncode == 3
    assert found["right"]["verdict"] == "NOT_REFUTED"
    for name, reason in MISBEHAVING:
        assert found[name]["verdict"] == "UNKNOWN", found[name]["sentence"]
        assert re.search(reason, found[name]["reason"]), found[name]["reason"]
        assert not found[name]["evidence"]


@pytest.mark.long
def test_a_target_that_kills_its_auditor_is_unknown_and_the_others_are_judged(tmp_path):
    (tmp_path / "drawn.py").write_text((HERE / "drawn.py").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "hostile.py").write_text((HOSTILE / "hostile.py").read_text(encoding="utf-8"), encoding="utf-8")
    killer = hostile("killer").replace("hostile:killer", "drawn:kills_its_auditor")
    text = HEAD + killer + hostile("right") + hostile("right").replace('"right"', '"right too"')
    done = ran("-", "--json", "--workers", "2", input=text, cwd=tmp_path)
    found = {one["target"]: (one["verdict"], one["reason"]) for one in json.loads(done.stdout)["targets"]}
    assert found.pop("killer") == ("UNKNOWN", "the process that worked at it died")
    assert set(found.values()) == {("NOT_REFUTED", "")}
