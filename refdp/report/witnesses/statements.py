"""Values at which a statement fails; a row beyond every bound."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from refdp.kernel.rules.logic import obligation
from refdp.kernel.rules.settle import holds
from refdp.kernel.theorem import Theorem
from refdp.report.decimals import shown
from refdp.report.witnesses.tables import chosen
from refdp.spec import registry
from refdp.spec.rows import RowSum
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from refdp.terms.term import substitute

LONGEST = 100
"""Longest condition that is repeated in a table, in characters."""


def false(step: Theorem) -> Iterator[str]:
    """Values at which what is given holds and what is to be shown does not."""
    name, values = step.data["obligation"], {key: read(v) for key, v in step.data["values"].items()}
    statement = obligation(name)
    yield from chosen(step.data["values"])
    conclusion = statement.conclusion
    parts = conclusion.arguments if conclusion.operator == "all_of" else (conclusion,)
    yield from ("| | condition | left side | right side | |", "|---|---|---|---|---|")
    for word, conditions in (("given", statement.given), ("to be shown", parts)):
        for number, c in enumerate(conditions, 1):
            closed = substitute(c, values)
            what = f"`{c}`" if len(str(c)) <= LONGEST else f"comparison {number}, as above"
            sides = " | ".join(shown(a)[1] or f"`{a}`" for a in closed.arguments)
            yield f"| {word} | {what} | {sides} | {'holds' if holds(closed) else '**fails**'} |"
    yield ""


def unbounded(step: Theorem) -> Iterator[str]:
    """A row beyond any bound, for some bounds."""
    kind = registry.lookup(step.data["stem"], RowSum)
    row = kind.unbounded_row
    if row is None:
        raise ValueError(f"{kind.stem} must have a row beyond every bound, got none")
    yield f"Whatever bound anyone claims, adding the one row `{row.term}` moves the sum by more."
    yield from ("", "| bound | row that is added | moves the sum by |", "|---|---|---|")
    for bound in (0, 1, 1000, 10**6):
        at = {key: evaluate(v, {}) for key, v in kind.example.items()} | {"bound": Fraction(bound)}
        r = Fraction(evaluate(row.term, at))
        yield f"| {bound} | {r} | {abs(Fraction(evaluate(kind.contribution.term, at | {'row': r})))} |"
    yield from ("", f"(with {', '.join(f'{key} = {v}' for key, v in kind.example.items())})", "")
