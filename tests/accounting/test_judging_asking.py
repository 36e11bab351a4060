"""How accountants are asked: what counts as one, what counts as a number, and what is refused."""

import math
import time
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import refdp
from refdp.accounting.events import Event, Gaussian
from refdp.accounting.judging.asking import Unanswerable
from refdp.accounting.judging.audit import audit_accountant
from refdp.accounting.judging.questions import QuestionError
from refdp.accounting.judging.readings import INFINITE, Unreadable, at_least, at_most, decimal, extended
from refdp.accounting.losses import LossError
from tests.accounting.home_made import Gaussians

EVENTS = [Event(Gaussian("5"), 3)]


def audit(foreign, events=EVENTS, deltas=(1e-6,), **given):
    return audit_accountant(foreign, events, deltas, **{"neighbours": "add_remove"} | given)


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (3, Fraction(3)),
        (0.1, Fraction(3602879701896397, 36028797018963968)),
        (Fraction(1, 3), Fraction(1, 3)),
        (Decimal("0.1"), Fraction(1, 10)),
        (np.float32(0.5), Fraction(1, 2)),
        (np.float64(0.1), Fraction(0.1)),
        (np.longdouble(1) / 3, Fraction(*(np.longdouble(1) / 3).as_integer_ratio())),
        (np.array([2.5]), Fraction(5, 2)),
        (np.array(2), Fraction(2)),
        (np.int64(7), Fraction(7)),
        (math.inf, INFINITE),
        (Decimal("Infinity"), INFINITE),
    ],
)
def test_answers_are_read_exactly(value, number):
    assert extended(value) == number


@pytest.mark.parametrize(
    "value", [math.nan, -math.inf, True, "1", None, [1], np.array([1.0, 2.0]), Decimal("NaN"), object()]
)
def test_answers_that_are_no_numbers_are_refused(value):
    with pytest.raises(Unreadable):
        extended(value)


def test_bounds_are_written_outward():
    third = Fraction(1, 3)
    assert Fraction(at_least(third, 3)) < third < Fraction(at_most(third, 3))
    assert (at_least(-third, 2), at_most(-third, 2)) == ("-0.34", "-0.33")
    assert (decimal(Fraction(0.1)), decimal(third, 3), at_most(INFINITE)) == ("0.1", "0.333", "infinite")


def test_an_accountant_is_a_class_a_factory_an_instance_or_a_callable():
    instance = Gaussians()
    for foreign in (
        Gaussians,
        lambda: Gaussians(),
        instance,
        lambda events, delta: Gaussians().compose(events[0]).get_epsilon(delta),
    ):
        assert audit(foreign).verdict == "TIGHT"
    assert instance.ledger == []


def test_an_accountant_may_return_another_from_compose_or_none():
    class Immutable:
        def __init__(self, inner=None):
            self.inner = inner or Gaussians()

        def compose(self, event):
            return Immutable(Gaussians().compose(event))

        def get_epsilon(self, delta):
            return self.inner.get_epsilon(delta)

    class Silent(Gaussians):
        def compose(self, event, count=1):
            super().compose(event, count)

    assert audit(Immutable).verdict == audit(Silent).verdict == "TIGHT"


def test_an_accountant_with_a_ledger_is_judged_as_it_stands():
    standing = Gaussians().compose(EVENTS[0]).compose(EVENTS[0], 2)
    assert audit(standing, None).verdict == "TIGHT"
    standing.mu_squared /= 2
    assert audit(standing, None).verdict == "UNSOUND"


def test_one_event_needs_no_list_and_may_have_a_count():
    for events in (EVENTS[0], (EVENTS[0], 2), [(EVENTS[0], 2)]):
        assert audit(Gaussians, events).verdict == "TIGHT"
    assert audit(Gaussians, (EVENTS[0], 2)).events == f"2 x {EVENTS[0]}"


def test_events_may_be_objects_of_a_spec():
    spec = {"mechanism": "gaussian", "sigma": "5", "count": 3}
    said = Gaussians().compose(EVENTS[0]).get_epsilon(1e-6)
    assert audit(lambda events, delta: said, [spec]).verdict == "TIGHT"


def test_questions_are_put_as_floats_and_judged_at_the_same_float():
    heard = []

    def answer(events, delta):
        heard.append(delta)
        return 9.0

    found = audit(answer, deltas=("1e-6", Fraction(1, 10**6), Decimal("1e-6"), 1e-6)).findings
    assert heard == [1e-6] * 4
    assert all(type(each) is float for each in heard)
    assert {finding.at for finding in found} == {Fraction(1e-6)}


def test_what_an_accountant_raises_is_told():
    def refuses(events, delta):
        raise KeyError("gamma")

    def leaves(events, delta):
        raise SystemExit(3)

    assert audit(refuses).findings[0].sentence == "raises KeyError: 'gamma'"
    assert audit(leaves).findings[0].sentence == "raises SystemExit: 3"
    assert audit(refuses).verdict == "ERROR"


def test_an_accountant_that_does_not_come_back_is_asked_no_more():
    def sleeps(events, delta):
        time.sleep(0.5)
        return 9.0

    found = audit(sleeps, deltas=(1e-6, 1e-7), timeout=0.05).findings
    assert [f.sentence for f in found] == [
        "no answer in 0.05 s",
        "not asked: it had not come back from the question before",
    ]
    assert {finding.verdict for finding in found} == {"ERROR"}


@pytest.mark.parametrize(
    ("given", "error", "sentence"),
    [
        ({"deltas": ()}, QuestionError, "deltas or epsilons must name at least one number"),
        ({"deltas": (-1,)}, QuestionError, "delta must be at least 0 and less than 1, got -1"),
        ({"deltas": (1,)}, QuestionError, "delta must be at least 0 and less than 1, got 1"),
        ({"deltas": (math.nan,)}, QuestionError, "delta must be at least 0 and less than 1, got nan"),
        ({"deltas": ("one",)}, QuestionError, "delta must be a number, got 'one'"),
        ({"epsilons": (-1,), "deltas": ()}, QuestionError, "epsilon must be at least 0 and finite, got -1"),
        ({"epsilons": (1,)}, QuestionError, "a callable answers one kind of question"),
        ({"neighbours": None}, QuestionError, "neighbours must be given"),
        ({"neighbours": "friends"}, LossError, "neighbours must be one of"),
        ({"rounding": 1}, ValueError, "rounding must be at least 0 and below 1, got 1"),
        ({"tight": -1}, ValueError, "tight must be at least 0 and below 1, got -1"),
        ({"events": None}, QuestionError, "events must be given: the accountant has no ledger"),
    ],
)
def test_bad_questions_get_one_sentence(given, error, sentence):
    with pytest.raises(error, match=f"^{sentence}"):
        audit(lambda events, delta: 1.0, **given)


def test_what_is_no_accountant_is_refused():
    with pytest.raises(Unanswerable, match="foreign must be callable or have compose and get_epsilon, got int"):
        audit(3)


def test_the_audit_is_one_target_of_the_command():
    def half(events, delta):
        return Gaussians().compose(events[0]).get_epsilon(delta) / 2

    target = audit(half, deltas=(1e-6, 1e-9)).target()
    assert {"target", "verdict", "claim", "trusts", "seconds", "answers", "laws"} == set(target)
    assert target["verdict"] == "UNSOUND"
    assert target["claim"] == f"half bounds epsilon(delta) of {EVENTS[0]} under neighbours = add_remove"
    answer = target["answers"][0]
    assert all(isinstance(answer[key], str) for key in ("delta", "answer", "relative"))
    lower, upper = (Fraction(answer["certified"][side]) for side in ("lower", "upper"))
    assert lower <= Gaussians().compose(EVENTS[0]).true_epsilon(1e-6) <= upper
    assert Fraction(499, 1000) < Fraction(answer["relative"]) <= Fraction(1, 2)
    assert "reason" in audit(lambda events, delta: math.nan).target()


def test_the_audit_reports_broken_laws_when_asked():
    class CountIgnored(Gaussians):
        def times(self, event, count):
            return event.count

    assert audit(CountIgnored).laws == ()
    found = audit(CountIgnored, laws=True)
    assert found.verdict == "TIGHT"
    assert [law.law for law in found.laws] == ["count = loop = nested composition"]
    assert found.target()["laws"][0]["equality"] is True
    assert "BROKEN" in str(found)


def test_the_audit_is_a_function_of_refdp():
    assert refdp.audit_accountant is audit_accountant
