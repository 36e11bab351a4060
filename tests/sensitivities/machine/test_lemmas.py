"""Both solvers prove every lemma; a lemma that asks for too much is not proved; no lemma is empty."""

import dataclasses

import pytest

from refdp.logic.asking import satisfiable
from refdp.sensitivities.machine.lemmas import Lemma, proved, unproved
from refdp.sensitivities.machine.sum_lemmas import LEMMAS

TOO_MUCH = [
    ("any_order", "e + f + d <= c * ((m + n) * (m + n + 1) / 2 - 2)"),
    ("any_order", "e + f + d <= c * ((m + n) * (m + n) / 2 - 1)"),
    ("any_order_start", "0 <= c * (1 * (1 + 1) / 2 - 2)"),
    ("lost_side", "e + f + d <= (p + q + u / 2) * (A + B)"),
    ("both_sides", "e + f + d <= (p + q + u / 2) * (A + B)"),
    ("by_height", "e + f + d <= k * (A + B)"),
    ("kahan_identity", "t - r == (s - c) + x + a - g + d"),
    ("kahan_size", "y <= Y / 2"),
    ("kahan_loss", "b <= v / 2"),
    ("kahan_large", "e + w * t <= f + w * P + I / 2"),
    ("kahan_roundings", "g <= z / 2"),
    ("kahan_small", "e + w * t <= f + w * P + I / 2"),
    ("kahan_end", "e + r <= H + k"),
    ("compensated_end", "e + d <= E"),
]


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
@pytest.mark.parametrize("lemma", LEMMAS.values(), ids=LEMMAS)
def test_every_lemma_is_proved_by_each_solver(lemma, solver):
    assert proved(lemma, solver, 60).verdict == "unsat"


@pytest.mark.parametrize(("name", "conclusion"), TOO_MUCH)
def test_a_lemma_that_concludes_too_much_is_refuted(name, conclusion):
    wrong = dataclasses.replace(LEMMAS[name], conclusions=(conclusion,))
    assert proved(wrong, "z3", 10).verdict == "sat"


@pytest.mark.parametrize("lemma", LEMMAS.values(), ids=LEMMAS)
def test_the_hypotheses_of_a_lemma_hold_somewhere_off_zero(lemma):
    hypotheses, _ = lemma.question()
    names = {name for name in ("w", "u", "c", "k", "p", "M", "A") if any(name in h.split() for h in lemma.hypotheses)}
    positive, _ = Lemma("positive", tuple(f"1 / 100 <= {name}" for name in sorted(names)), ()).question()
    assert satisfiable("z3", [*hypotheses, *positive], 10).verdict == "sat"


def test_a_dropped_hypothesis_is_missed():
    lemma = LEMMAS["any_order"]
    weaker = dataclasses.replace(lemma, hypotheses=lemma.hypotheses[:-1], products=lemma.products[:3])
    assert proved(weaker, "z3", 10).verdict == "sat"


def test_an_unproved_lemma_is_named_with_the_solver_and_why():
    reason = unproved([Lemma("wrong", ("a <= b",), ("b <= a",))], ["z3"], 5)
    assert reason == "z3 does not prove the lemma wrong: sat"


def test_a_product_of_what_is_no_inequality_is_refused():
    with pytest.raises(ValueError, match="statements a <= b"):
        Lemma("wrong", ("a == b",), ("b <= a",), ((0, 0),)).question()
