"""What Spacer cannot take is said with its reason, and what it says is read as terms."""

from dataclasses import replace

import pytest

from refdp.sensitivities.checking.invariants import Invariants
from refdp.sensitivities.checking.verifying import verify
from refdp.sensitivities.question import Question
from refdp.sensitivities.search.spacer import spacer_invariants
from refdp.sensitivities.search.templates import template_invariants
from refdp.terms.leaves import integer
from refdp.terms.operations import divide, multiply, root
from tests.sensitivities import hand_made as f

ADD = "add_remove"


@pytest.mark.parametrize("output", [lambda s: multiply(s, s), lambda s: divide(integer(1), s), root])
def test_spacer_what_is_not_linear_has_a_reason(output):
    made = f.clamp_sum()
    question = Question(replace(made, output=(output(made.passes[0].state[0]),)), ADD, "L1", integer(1))
    found = spacer_invariants(question, ADD, 5)
    assert found.invariants is None
    assert found.reason.startswith("Spacer takes no")


def test_spacer_no_time_is_a_reason():
    found = spacer_invariants(Question(f.max_gap(), ADD, "L1", f.WIDTH), ADD, 0)
    assert "time" in found.reason


def test_spacer_says_that_a_small_claim_is_exceeded():
    assert spacer_invariants(Question(f.count(), ADD, "L1", integer(0)), ADD, 5).moves


@pytest.mark.parametrize("made", [f.clamp_sum, f.running_max, f.count, f.moving_average])
def test_templates_their_invariants_are_inductive(made):
    found = template_invariants(Question(made(), ADD, "L1", integer(1)), ADD, 10).invariants
    assert isinstance(found, Invariants)
    judged = verify(Question(made(), ADD, "L1", integer(-1), tables="lists"), found, ("z3",), 10)
    assert judged.reason.startswith("out")  # everything else was proved
