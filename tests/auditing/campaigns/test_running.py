"""The driver: chunks are looked at in order, each once; what fails is UNKNOWN with its reason and the rest goes on."""

import random
import sqlite3
import threading
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from fractions import Fraction

import pytest

from refdp.auditing.campaigns import executors, running
from refdp.auditing.campaigns.items import Item
from refdp.auditing.campaigns.standing import Standing
from refdp.auditing.campaigns.store import Store
from refdp.auditing.campaigns.working import Worked
from refdp.auditing.judges.kinds import KINDS
from refdp.auditing.judges.task import TaskError
from refdp.logic.internal_errors import HEAD

ALPHA = Fraction(1, 10**9)


@pytest.fixture(autouse=True)
def _counting(monkeypatch):
    monkeypatch.setitem(KINDS, "counting", "tests.auditing.campaigns.counting")


def items(*fields, campaign="c"):
    return [Item(campaign, f"t{i}", "counting", ALPHA, None, one) for i, one in enumerate(fields)]


def verdicts(standings):
    return [(one.result().verdict, one.result().samples) for one in standings]


def with_executor(executor, slots=4):
    return executors.Workers(lambda: executor, lambda one, now: None, slots)


class Shuffled(Executor):
    """Does what it was given in any order, the newest first as often as not."""

    def __init__(self):
        self.random, self.lock = random.Random(1), threading.Lock()
        self.pool = ThreadPoolExecutor(4)
        self.most, self.now = 0, 0

    def submit(self, fn, /, *arguments, **keywords):
        delay = self.random.random() / 50

        def run():
            with self.lock:
                self.now += 1
                self.most = max(self.most, self.now)
            threading.Event().wait(delay)
            found = fn(*arguments, **keywords)
            with self.lock:
                self.now -= 1
            return found

        return self.pool.submit(run)


def test_chunks_are_looked_at_in_order_whoever_does_them():
    fields = [{"chunks": 7}, {"refutes": 3}, {"chunks": 1}, {"chunks": 5}]
    expected = [("NOT_REFUTED", 28), ("REFUTED", 6), ("NOT_REFUTED", 1), ("NOT_REFUTED", 15)]
    executor = Shuffled()
    with Store() as store:
        assert verdicts(running.run(items(*fields), store, with_executor(executor))) == expected
    assert 1 < executor.most <= 4
    executor.pool.shutdown()
    with Store() as store:
        assert verdicts(running.run(items(*fields), store, executors.processes(1))) == expected


def test_chunks_beyond_the_stop_are_thrown_away_unseen():
    (item,) = items({"refutes": 2})
    standing = Standing(item, item.judge(ready=False))
    with Store() as store:
        store.begun(item)
        standing.asked |= {0, 1, 2, 3}
        for number, record in ((3, '{"samples": 3}'), (0, '{"begun": 1}'), (1, '{"samples": 1}')):
            standing.hand_in(number, Worked(record, None, 1.0, 1.0), store)
        assert not standing.over
        standing.hand_in(2, Worked('{"samples": 2}', None, 1.0, 1.0), store)
        assert standing.over
        assert [c["samples"] for c in standing.chunks] == [1, 2]
        assert store.file.execute("SELECT max(number) FROM chunk").fetchone() == (2,)


@pytest.mark.parametrize(
    ("fields", "reason", "samples"),
    [
        ({"raises": "opening"}, "LookupError: no opening", 0),
        ({"raises": "chunk 3"}, "LookupError: no chunk", 0),
        ({"raises": "looking"}, "LookupError: cannot look", 0),
        ({"raises": "nan"}, "ValueError: Out of range float values", 0),
    ],
)
def test_a_judge_that_fails_is_unknown_with_the_reason_and_the_others_go_on(fields, reason, samples):
    with Store() as store:
        bad, good = running.run(items(fields, {"chunks": 2}), store, executors.processes(1))
    assert (bad.result().verdict, bad.result().samples) == ("UNKNOWN", samples)
    assert f"{HEAD}: {reason}" in bad.result().reason
    assert verdicts([good]) == [("NOT_REFUTED", 3)]


def test_a_step_without_end_is_stopped_by_the_time_and_told():
    with Store() as store:
        late, good = running.run(items({"sleeps": 60.0}, {}), store, executors.processes(1), timeout=1.0)
    assert (late.result().verdict, late.result().reason) == ("UNKNOWN", "no answer within 1 s")
    assert verdicts([good]) == [("NOT_REFUTED", 10)]


def test_what_was_seen_when_the_time_was_over_is_kept_and_gone_on_with(tmp_path):
    (item,) = items({"chunks": 6, "sleeps": 0.1})
    with Store(tmp_path / "s") as store:
        (one,) = running.run([item], store, executors.processes(1), timeout=0.25)
    assert one.result().verdict == "UNKNOWN"
    assert one.result().reason.startswith("the time of 0.25 s was over; until then: ")
    assert 1 <= len(one.chunks) < 6
    with Store(tmp_path / "s") as store:
        assert verdicts(running.run([item], store, executors.processes(1))) == [("NOT_REFUTED", 21)]


def test_a_store_gives_back_what_was_decided_and_refuses_another_campaign_of_this_name(tmp_path):
    with Store(tmp_path / "s") as store:
        running.run(items({"chunks": 3}), store, executors.processes(1))
    never = executors.Workers(lambda: pytest.fail("nothing is left to do"), lambda one, now: None, 1)
    with Store(tmp_path / "s") as store:
        assert verdicts(running.run(items({"chunks": 3}), store, never)) == [("NOT_REFUTED", 6)]
    with Store(tmp_path / "s") as store, pytest.raises(TaskError, match="another form of target 'c / t0'"):
        running.run(items({"chunks": 4}), store, never)


def test_a_failed_opening_is_tried_again_and_a_failed_chunk_never(tmp_path, monkeypatch):
    (item,) = items({"raises": "chunk 2"})
    with Store(tmp_path / "s") as store:
        running.run([item], store, executors.processes(1))
    monkeypatch.setattr("tests.auditing.campaigns.counting.Counting.chunk", lambda *_: pytest.fail("drawn again"))
    with Store(tmp_path / "s") as store:
        (one,) = running.run([item], store, executors.processes(1))
    assert f"{HEAD}: LookupError: no chunk" in one.result().reason
    (item,) = items({"raises": "opening"}, campaign="d")
    with Store(tmp_path / "s") as store:
        running.run([item], store, executors.processes(1))
        assert store.begun(item) == []


def test_the_store_refuses_a_chunk_twice_gaps_foreign_files_and_a_second_user(tmp_path):
    (item,) = items({})
    place = tmp_path / "s"
    chunk = running_chunk()
    with Store(place) as store:
        store.begun(item)
        store.add(item, 0, chunk)
        with pytest.raises(sqlite3.IntegrityError):
            store.add(item, 0, chunk)
        with pytest.raises(TaskError, match="is in use by another campaign"):
            Store(place)
        store.add(item, 2, chunk)
        with pytest.raises(TaskError, match="without gaps"):
            store.begun(item)
    (tmp_path / "text").write_text("no database, but long enough to be seen as none " * 50, encoding="utf-8")
    with pytest.raises(TaskError, match="must be a store of refdp audit"):
        Store(tmp_path / "text")
    with sqlite3.connect(tmp_path / "other") as other:
        other.execute("CREATE TABLE mine (x)")
    other.close()
    with pytest.raises(TaskError, match="it has other tables"):
        Store(tmp_path / "other")


def running_chunk():
    from refdp.auditing.campaigns.store import Stored

    return Stored({"begun": 1}, None, 0.0, 0.0)


class Dying(Executor):
    """Loses every step of one target with its process, and what else is on its way."""

    def __init__(self, name):
        self.name, self.broken = name, False

    def submit(self, fn, /, step):
        from concurrent.futures.process import BrokenProcessPool

        future = Future()
        self.broken |= step.item.name == self.name
        if self.broken:
            future.set_exception(BrokenProcessPool("a process died"))
        else:
            future.set_result(fn(step))
        return future


def test_who_kills_its_process_is_unknown_and_those_ended_with_it_are_asked_again():
    them = items({"chunks": 5}, {}, {"chunks": 2})
    made = []

    def make():
        made.append(Dying("t1" if not made else "none"))
        return made[-1]

    workers = executors.Workers(make, lambda one, now: None, 3, begun=lambda: {(them[1].digest, 0)})
    with Store() as store:
        found = running.run(them, store, workers)
    assert [v for v, _ in verdicts(found)] == ["NOT_REFUTED", "UNKNOWN", "NOT_REFUTED"]
    assert found[1].result().reason == "the process that worked at it died"
    assert len(made) == 2


def test_where_it_is_not_known_who_killed_a_process_all_that_it_worked_at_are_unknown():
    workers = executors.Workers(lambda: Dying("t1"), lambda one, now: None, 2)
    with Store() as store:
        found = running.run(items({"chunks": 5}, {}, {"chunks": 2}), store, workers)
    assert found[1].result().reason == "the process that worked at it died"
    assert "UNKNOWN" in {v for v, _ in verdicts(found)}


def test_processes_that_die_with_nothing_to_do_end_the_campaign():
    workers = executors.Workers(lambda: Dying("t0"), lambda one, now: None, 1, begun=set)
    with Store() as store:
        (found,) = running.run(items({}), store, workers)
    assert found.result().reason == "the process that worked at it died"


def test_an_interrupt_keeps_what_was_decided():
    def watch(standings):
        if standings[0].over:
            raise KeyboardInterrupt

    with Store() as store:
        found = running.run(items({"chunks": 1}, {"chunks": 99}), store, executors.processes(1), watch=watch)
    assert [v for v, _ in verdicts(found)] == ["NOT_REFUTED", "UNKNOWN"]
    assert "the campaign was interrupted" in found[1].result().reason


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"count": 0}, "workers must be >= 1, got 0"),
        ({"count": 2, "scheduler": "tcp://x"}, "only one of workers, scheduler and executor"),
    ],
)
def test_workers_are_refused_in_one_sentence(given, sentence):
    with pytest.raises(TaskError, match=sentence):
        executors.workers(**{"count": None, "scheduler": None, "executor": None, **given})
