"""The witness against a statement: the values at which it fails, and what it says there."""

from __future__ import annotations

from collections.abc import Iterator

from refdp.commands.tail_witness import shown
from refdp.kernel.rules.logic import obligation
from refdp.kernel.rules.settle import holds
from refdp.kernel.theorem import Theorem
from refdp.spec.goals import conjuncts
from refdp.terms.reading import read
from refdp.terms.term import substitute

LONGEST = 100
"""A longer comparison is not written out."""


def statement_sentences(step: Theorem) -> Iterator[str]:
    """The values, and each comparison of the conclusion that fails at them."""
    values = step.data["values"]
    if values:
        yield "where " + ", ".join(f"{key} = {v}" for key, v in values.items())
    chosen = {key: read(v) for key, v in values.items()}
    for part in conjuncts(obligation(step.data["obligation"]).conclusion):
        closed = substitute(part, chosen)
        if not holds(closed):
            left, right = map(shown, closed.arguments)
            said = part if len(str(part)) <= LONGEST else "the conclusion"
            yield f"but {said} would say that {left} {part.operator} {right}"
