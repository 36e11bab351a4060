"""Several edits from one: between tables k edits apart lie k - 1 others, each one edit from the next.

So k edits move an answer by at most k times what one edit moves it, in any norm; exceptions are the same all the way.
docs/sensitivity.md, section 5, proves that tables have such paths, and says why `n` must not be spoken of under
add_remove: the tables on the way have other numbers of rows.
"""

from __future__ import annotations

from dataclasses import replace

from refdp.sensitivities.checking.wellformed import Refused
from refdp.sensitivities.question import SIZE, Question
from refdp.terms.leaves import integer, variables
from refdp.terms.operations import divide


def single_edit(question: Question) -> Question:
    """The question about one edit whose proof proves the question.  Refused where k edits do not follow from one."""
    if question.edits < 1:
        raise Refused(f"edits must be at least 1, got {question.edits}")
    if question.edits == 1:
        return question
    if question.neighbours == "add_remove" and SIZE in variables(question.claim, question.program.assumption):
        raise Refused("edits must be 1 under add_remove where the claim or the assumption speaks of n")
    return replace(question, claim=divide(question.claim, integer(question.edits)), edits=1)
