"""Proofs of claims: an alignment for each part of the adjacency, guessed from few data, and invariants for all data."""

from __future__ import annotations

from refdp import work
from refdp.programs.checking.alignment import Alignment
from refdp.programs.checking.public import Refused
from refdp.programs.nulls import shared_steps
from refdp.programs.proving.forms import forms
from refdp.programs.proving.guessing import NoGuess, Values
from refdp.programs.proving.invariants import proof
from refdp.programs.proving.modelling import Model, Part
from refdp.programs.proving.outcomes import NotProved, Proved, Witness
from refdp.programs.proving.templates import template
from refdp.programs.steps import BeyondSteps
from refdp.programs.syntax import Claim, Program

ROUNDS = (3, 5)
"""Over how many rounds guesses are made; the second where Spacer refused a guess from the first."""
ATTEMPTS = (1, 3)
"""How many guesses from each Spacer is asked about."""


MANY = 24
"""More unknowns than that are first made fewer: shifts are the same whatever is released."""


def prove(program: Program, claim: Claim, seconds: float) -> Proved | NotProved:
    """A proof of the claim, to be checked, or why none was found within `seconds`."""
    end, found = work.spent() + seconds, []
    try:
        steps = shared_steps(program, claim)
        for relation in claim.adjacency.parts:
            one = searched(Part(steps, claim, relation, end))
            if isinstance(one, NotProved):
                return one
            found.append(one)
    except (BeyondSteps, Refused, NoGuess) as error:
        return NotProved(str(error))
    return Proved(tuple(found))


def searched(part: Part) -> Alignment | NotProved:
    """An alignment with invariants for one part of the adjacency, or why there is none."""
    reason, witnesses = "no alignment is tried", tuple[Witness, ...]()
    for form in forms(part.stepwise):
        is_large = len(template(part.stepwise, part.charged_form(form)).unknowns) > MANY
        for is_coarse, pumped in [*([(True, True)] if is_large else []), (False, True), (False, False)]:
            try:
                return attempted(part, form, pumped, is_coarse)
            except NoGuess as error:
                reason, witnesses = str(error), witnesses or part.witnesses()
    return NotProved(reason, witnesses)


def attempted(part: Part, form: Alignment, pumped: bool, is_coarse: bool) -> Alignment:
    """An alignment of this form, with invariants.  NoGuess where there is none."""
    refused, reason = list[Values](), "no invariant is found"
    for rounds, attempts in zip(ROUNDS, ATTEMPTS, strict=True):
        model = Model(part, form, rounds, pumped, is_coarse)
        guesser = model.guesser()
        for values in refused:
            guesser.forbid(values)
        for _ in range(attempts):
            refused.append(guesser.guess())
            guesser.forbid(refused[-1])
            found, answer = proof(model.product(refused[-1]), part.end - work.spent())
            if found is not None:
                return found
            reason = answer.reason
    raise NoGuess(reason)
