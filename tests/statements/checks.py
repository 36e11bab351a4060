"""What the tests of statements share: what an oracle or the kernel says of a variant."""

from __future__ import annotations

from dataclasses import replace

import refdp.mechanisms
import refdp.statements
import refdp.transformations  # noqa: F401  (importing them registers what claims are about)
from refdp.numerics.exact import decide
from refdp.provers.lemmas import oracle_for
from refdp.provers.oracles import run
from refdp.spec.obligations import obligations
from refdp.spec.statements import Statement
from refdp.terms.reading import read
from refdp.terms.term import Term


def verdict(statement: Statement) -> str:
    """proved, disproved or unknown; a closed statement is decided."""
    if not statement.variables:
        return "proved" if decide(statement.conclusion) else "disproved"
    return run(oracle_for(statement), statement).verdict


def variant(identifier: str, old: str, new: str) -> Statement:
    """The statement STEM.KEY with a part of its conclusion's text replaced."""
    stem, _, key = identifier.partition(".")
    statement = obligations(stem)[key]
    changed = replaced(statement.show, read(old), read(new))
    if changed == statement.show:
        raise AssertionError(f"{old} does not occur in {statement.show}")
    return replace(statement, show=changed)


def replaced(t: Term, old: Term, new: Term) -> Term:
    """The term with every part that is `old` replaced."""
    if t == old:
        return new
    return Term(t.operator, tuple(replaced(a, old, new) for a in t.arguments), t.value)
