"""Counterexamples of which anything is wrong refute nothing."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from refdp.programs.counterexample import Counterexample, confirmed
from refdp.programs.events import Datum, Event, Interval
from refdp.programs.language.reading import programs_in
from refdp.programs.probabilities import number
from refdp.terms.leaves import integer, rational
from refdp.terms.term import Term

HEAD = "from refdp.programs import *\n"
ONE = Fraction(1)
LOW, HIGH = ((Interval(None, Fraction(0)),),), ((Interval(Fraction(0), None),),)
EPSILON: Mapping[str, Term] = {"epsilon": rational(1)}
NOISY = """
@claim({claim})
def program(x, epsilon{more}):
    return x + laplace({scale} / epsilon)
"""
LISTED = """
@claim({claim})
def program(q, epsilon):
    for x in q:
        yield x + laplace(1 / epsilon)
"""


def refuted(body: str, old: tuple[Datum, ...], new: tuple[Datum, ...], *events: Event, **more: Any) -> bool:
    (program,) = programs_in(HEAD + body, "file.py")
    parameters, order = more.get("parameters", EPSILON), more.get("order")
    claim, nothing = program.claims[0], number(0)
    return confirmed(
        program, claim, Counterexample("program", claim, parameters, old, new, events, nothing, nothing, order)
    )


def noisy(scale: str = "1", claim: str = 'epsilon="epsilon", adjacency=ALL', more: str = "") -> str:
    return NOISY.format(scale=scale, claim=claim, more=more)


def listed(claim: str) -> str:
    return LISTED.format(claim=claim)


def test_half_the_noise_is_refuted() -> None:
    assert refuted(noisy("1/2"), (Fraction(0),), (ONE,), LOW)


@pytest.mark.parametrize(
    ("old", "new", "events"),
    [
        ((Fraction(0),), (ONE,), (LOW,)),
        ((Fraction(0),), (Fraction(2),), (LOW,)),
        ((Fraction(0),), (Fraction(0),), (LOW,)),
        ((Fraction(0),), (ONE,), (LOW, LOW)),
        ((Fraction(0),), (ONE,), (LOW, HIGH)),
        ((Fraction(0),), (ONE,), ()),
        ((Fraction(0),), (ONE, ONE), (LOW,)),
        ((Fraction(0), ONE), (ONE, ONE), (LOW,)),
        ((), (), (LOW,)),
        ((True,), (False,), (HIGH,)),
        ((Fraction(0),), (ONE,), ((("low",),),)),
        ((Fraction(0),), (ONE,), (((True,),),)),
    ],
)
def test_a_tight_claim_is_refuted_by_nothing(
    old: tuple[Datum, ...], new: tuple[Datum, ...], events: tuple[Event, ...]
) -> None:
    assert not refuted(noisy(), old, new, *events)


@pytest.mark.parametrize(
    ("parameters", "more", "given"),
    [
        ({}, "", ""),
        ({"epsilon": rational(-1)}, "", ""),
        ({"epsilon": rational(0)}, "", ""),
        ({"epsilon": rational(1), "T": rational(0)}, "", ""),
        ({"epsilon": rational(1)}, ", T", ""),
        ({"epsilon": rational(1), "N": integer(0)}, ", N", ""),
        ({"epsilon": rational(1), "N": rational(Fraction(3, 2))}, ", N", ""),
        ({"epsilon": rational(1), "T": rational(Fraction(1, 2))}, ", T: int", ""),
        ({"epsilon": rational(1), "N": integer(2)}, ", N", ', given={"N": 1}'),
        ({"epsilon": rational(1), "N": integer(2)}, ", N", ', where="N < 2"'),
    ],
)
def test_parameters_of_which_the_claim_does_not_speak_refute_nothing(
    parameters: Mapping[str, Term], more: str, given: str
) -> None:
    body = noisy("1/2", f'epsilon="epsilon", adjacency=ALL{given}', more)
    assert not refuted(body, (Fraction(0),), (ONE,), LOW, parameters=parameters)


@pytest.mark.parametrize(
    "claim",
    [
        'epsilon="epsilon", adjacency=ONE',
        'epsilon="epsilon", adjacency=L1',
        'epsilon="epsilon", adjacency=ALL, given={"n": 1}',
        'epsilon="epsilon", adjacency=ALL, where="n == 1"',
        'epsilon="2*epsilon", adjacency=ALL',
        'epsilon="epsilon", delta="1/2", adjacency=ALL',
    ],
)
def test_two_changes_refute_no_claim_about_one(claim: str) -> None:
    low: Event = LOW + LOW
    assert refuted(listed('epsilon="epsilon", adjacency=ALL'), (Fraction(0),) * 2, (ONE,) * 2, low)
    assert not refuted(listed(claim), (Fraction(0),) * 2, (ONE,) * 2, low)


@pytest.mark.parametrize("order", [None, 1, 0, -2, 2, 5])
def test_a_concentrated_claim_that_is_true_is_refuted_by_no_order(order: int | None) -> None:
    body = noisy(claim='rho="epsilon**2/2", adjacency=ALL')
    assert not refuted(body, (Fraction(0),), (ONE,), LOW, order=order)


def test_elements_that_are_no_integers_are_no_data_of_integers() -> None:
    body = noisy("1/2").replace("(x, epsilon)", "(x: int, epsilon)")
    assert not refuted(body, (Fraction(1, 2),), (Fraction(3, 2),), ((Interval(None, Fraction(1, 2)),),))
    assert refuted(body, (Fraction(0),), (ONE,), LOW)


def test_an_event_is_the_whole_output() -> None:
    """Two answers are released, an event of one of them is none."""
    body = listed('epsilon="epsilon", adjacency=ALL')
    assert not refuted(body, (Fraction(0),) * 2, (ONE,) * 2, LOW)
