"""refdp's distances and measures, and what the library for Rocq is given to decide as they do."""

from fractions import Fraction

import pytest

from refdp.spec.distances import MEASURES, METRICS, NEIGHBOURS
from scripts import rocq, rocq_twins
from scripts.rocq_twins import CHANGED, TWINS, WITHOUT_A_TWIN

RELATIONS_OF_STREAMS = {"window", "apart", "spaced"}


def test_every_distance_and_measure_has_a_twin_or_a_reason():
    assert set(TWINS) | set(WITHOUT_A_TWIN) == {*METRICS, *NEIGHBOURS, *RELATIONS_OF_STREAMS, *MEASURES}
    assert not set(TWINS) & set(WITHOUT_A_TWIN)


def test_every_twin_has_a_lemma_that_it_decides_the_definition():
    stated = rocq.statements("Twins")
    for one in rocq_twins.twins(each=1):
        form = one.applied.split()[0]
        assert form in stated
        assert f"{form}" in stated[f"{form}_decides"]
        assert "<->" in stated[f"{form}_decides"]


def test_more_than_a_thousand_instances_are_decided_either_way():
    made = rocq_twins.twins()
    assert len({one.applied for one in made}) >= 1_500
    for called in TWINS:
        verdicts = [one.verdict for one in made if one.called == called]
        assert min(verdicts.count(True), verdicts.count(False)) >= 20


@pytest.mark.parametrize("called", TWINS)
def test_a_changed_definition_decides_some_instance_otherwise(called):
    right = list(rocq_twins.instances(TWINS[called], 100, 1))
    wrong = list(rocq_twins.instances(TWINS[called], 100, 1, CHANGED[called]))
    assert [one.applied for one in right] == [one.applied for one in wrong]
    assert right != wrong


def test_each_changed_definition_has_a_file_that_must_be_refused():
    assert set(CHANGED) == set(TWINS)
    for text, called in zip(rocq_twins.changed(), CHANGED, strict=True):
        assert f"\nExample {called}_0 : " in text


def drawn(called):
    """The first hundred instances of a twin, as they are drawn."""
    draw = rocq_twins.Random(f"{called} 1")
    return [TWINS[called].draw(draw) for _ in range(100)]


def test_degenerate_instances_are_among_them():
    tables = drawn("symmetric")
    assert any(u == v == () for u, v, _ in tables)
    assert any(u == () != v for u, v, _ in tables)
    assert any(u == v != () for u, v, _ in tables)
    assert any(sorted(u) == sorted(v) and u != v for u, v, _ in tables)
    assert any(d < 0 for _, _, d in tables)
    for called in ("l1", "l2", "linf", "one_coordinate", "exchange", "monotone", "window"):
        assert any(one[0] == () for one in drawn(called))
        assert any(one[0] == one[1] != () for one in drawn(called))
    for called in ("pure", "approximate", "ratio", "loss_tail"):
        laws = drawn(called)
        assert any(0 in p.values() and 0 in q.values() for p, q, *_ in laws)
        assert any(p == q and t == 1 for p, q, t, *_ in laws)
        assert any(set(p) != set(q) for p, q, *_ in laws)
    assert any(any(p[o] > 0 == q.get(o, 0) for o in p) for p, q, *_ in drawn("renyi"))


def test_a_bound_is_often_met_exactly():
    for called, exact in (("l1", METRICS["l1"]), ("change_one", METRICS["change_one"])):
        nearly = [(u, v, d) for u, v, d in drawn(called) if exact.within(u, v, d)]
        assert sum(not exact.within(u, v, d - Fraction(1, 1_000)) for u, v, d in nearly) >= 5
