"""Replies are kept where they are certain, by the whole request, and only so many."""

import pytest

from refdp.provers import memory
from refdp.provers.memory import Memory
from refdp.provers.processes import Worker

REQUEST = {"text": "(assert (< x 0))", "engine": "default"}
FALSE = "(declare-fun x () Real)(assert (< x 0))(assert (> x 1))(check-sat)"


@pytest.mark.parametrize(("answer", "kept"), [("sat", True), ("unsat", True), ("unknown", False), (None, False)])
def test_memory_keeps_what_is_certain(answer, kept):
    found = Memory()
    assert found.keep(REQUEST, {"answer": answer}) == {"answer": answer}
    assert found.reply(dict(reversed(REQUEST.items()))) == ({"answer": answer} if kept else None)


@pytest.mark.parametrize("other", [{"engine": "nlsat"}, {"text": ""}, {"options": {}}])
def test_memory_knows_nothing_of_another_request(other):
    found = Memory()
    found.keep(REQUEST, {"answer": "unsat"})
    assert found.reply(REQUEST | other) is None


def test_memory_gives_replies_that_may_be_changed():
    found = Memory()
    found.keep(REQUEST, {"answer": "unsat"})
    found.reply(REQUEST)["answer"] = "sat"
    assert found.reply(REQUEST) == {"answer": "unsat"}


def test_memory_is_bounded(monkeypatch):
    monkeypatch.setattr(memory, "MOST", 3)
    found = Memory()
    for i in range(10):
        found.keep({"text": str(i)}, {"answer": "sat"})
    assert len(found.replies) <= 3


def test_memory_is_of_one_process_of_a_worker(monkeypatch):
    worker, asked = Worker("refdp.provers.smt.worker", "z3", "refdp"), []
    exchange = Worker._exchange
    monkeypatch.setattr(Worker, "_exchange", lambda self, *words: asked.append(words) or exchange(self, *words))
    try:
        for _ in range(3):
            assert worker.ask({"text": FALSE, "engine": "plain"}, 5)["answer"] == "unsat"
        assert len(asked) == 1
        worker.close()
        assert worker.ask({"text": FALSE, "engine": "plain"}, 5)["answer"] == "unsat"
        assert len(asked) == 2
    finally:
        worker.close()
