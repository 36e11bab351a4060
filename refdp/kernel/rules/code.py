"""Whose code a theorem runs: what no obligation speaks of is named in what the theorem trusts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from refdp.kernel.judgements import Judgement
from refdp.kernel.theorem import Assuming
from refdp.spec import registry
from refdp.spec.rows import RowFunction
from refdp.spec.semantics import PostFunction
from refdp.terms.term import Term

ROW_CODE = "code: refdp.transformations"
ROW_ASSUMPTION = "assumption: a user's row function reads only its row"

J = TypeVar("J", bound=Judgement)


def code_of(subject: Term) -> frozenset[str]:
    """What a reader of the subject's values or law has to trust: of a formula nothing, for it is an obligation."""
    return frozenset(_each(subject))


def running(claim: J, subject: Term) -> J | Assuming:
    """The claim, which was found by running the subject on inputs; it trusts what was run."""
    trusts = code_of(subject)
    return Assuming(claim, trusts) if trusts else claim


def _each(subject: Term) -> Iterator[str]:
    """The name for every function in the term that is given as code."""
    kind = registry.kind_of(subject.operator) if subject.operator in registry.stems() else None
    if isinstance(kind, PostFunction):
        yield ROW_CODE
    elif isinstance(kind, RowFunction) and kind.formula is None:
        yield ROW_ASSUMPTION if kind.is_user_code else ROW_CODE
    for one in subject.arguments:
        yield from _each(one)
