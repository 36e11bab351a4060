"""The steps of a derivation as a page shows them: rule, short conclusion, who vouched for it, what it rests on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from refdp.kernel.judgements import EngineClaim, Holds, Judgement, Private, Refuted, Stable
from refdp.kernel.theorem import Theorem
from refdp.terms.term import Term, apply

VERSION = re.compile(r" \d[\w.+-]*")


@dataclass(frozen=True, slots=True)
class Step:
    """One step: `said` is its conclusion in few words, `by` whom this very step makes one trust."""

    rule: str
    title: str
    said: tuple[str, ...]
    by: tuple[str, ...]
    premises: tuple[Step, ...]
    repeats: bool = False
    """Whether the same step is drawn elsewhere with all that it rests on."""

    @property
    def is_leaf(self) -> bool:
        """Whether it rests on no other step."""
        return not self.premises


def step_of(theorem: Theorem) -> Step:
    """The derivation of a theorem; a step that is used again is shown in full the first time only."""
    return _step(theorem, set())


def _step(theorem: Theorem, seen: set[tuple[str, str]]) -> Step:
    """The step, with those that it rests on unless they were seen already."""
    key = (theorem.rule, str(theorem.claim.term))
    repeats = key in seen and bool(theorem.premises)
    seen.add(key)
    below = () if repeats else tuple(_step(p, seen) for p in theorem.premises)
    title = theorem.claim.name if isinstance(theorem.claim, Holds) else theorem.rule
    return Step(theorem.rule, title, tuple(said(theorem.claim)), added(theorem), below, repeats)


def said(claim: Judgement) -> Iterator[str]:
    """A conclusion in few words: what it is about, and what is said of it; its conditions are left out."""
    match claim:
        case Holds(stem=stem):
            yield f"of {stem}"
        case Private() | Stable():
            far = claim.measure if isinstance(claim, Private) else claim.output_metric
            yield str(claim.subject)
            yield f"{apply(claim.metric, claim.d_in)} \N{RIGHTWARDS ARROW FROM BAR} {apply(far, *claim.d_out)}"
        case EngineClaim(kind=kind, function=function):
            yield f"the answer to a question of {kind.replace('_', ' ')}"
            yield from ([f"of {function}"] if function else [])
        case Refuted():
            first, *rest = said(claim.claim)
            yield from (f"false: {first}", *rest)
        case _:
            yield str(_unconditional(claim.term))


def _unconditional(t: Term) -> Term:
    """A claim's term without the comparisons at its end."""
    kept = tuple(a for a in t.arguments if a.operator not in ("<=", "<", "==", "!=", "integer", "multiple"))
    return Term(t.operator, kept, t.value)


def added(theorem: Theorem) -> tuple[str, ...]:
    """Whom this step adds to those that its premises trust, without version numbers."""
    inherited = frozenset[str]().union(*(p.trusts for p in theorem.premises))
    return tuple(dict.fromkeys(VERSION.sub("", name) for name in sorted(theorem.trusts - inherited)))
