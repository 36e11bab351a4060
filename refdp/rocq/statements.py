"""Obligations for Rocq: stated in full, with the digest by which the kernel knows them, and proved or refuted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from refdp.kernel.judgements import Refuted, require
from refdp.kernel.rules.settle import holds
from refdp.kernel.rules.statements import about, pinned
from refdp.kernel.theorem import Theorem
from refdp.numerics.exact import decide
from refdp.rocq.algebra import proof_lines
from refdp.rocq.judgements import statement_of
from refdp.rocq.not_accepted import REFUSED, REFUSED_OBLIGATIONS
from refdp.rocq.terms import ATOM, NotInRocq, in_order, real
from refdp.rocq.writing import Export, Writers
from refdp.spec.goals import conjuncts, goal
from refdp.spec.statements import Statement
from refdp.terms.reading import read
from refdp.terms.term import Term, substitute, subterms

IRRATIONAL = frozenset({"exp", "ln", "sqrt", "pi"})


def lemma_of(obligation: str) -> str:
    """What the theorem of an obligation is called."""
    return obligation.replace(".", "__")


def by_algebra(export: Export, step: Theorem, _: Sequence[str]) -> str:
    """An obligation with the sums of its certificate."""
    name, statement = _pinned(step)
    lines = list(proof_lines(statement, step.data["cases"]))
    return _proved(export, step, lemma_of(name), statement_of(statement), lines)


def by_decision(export: Export, step: Theorem, _: Sequence[str]) -> str:
    """A comparison of numbers that are written down."""
    name, statement = _pinned(step)
    for part in conjuncts(statement.conclusion):
        if part.operator == "==" and any(s.operator in IRRATIONAL for s in subterms(part)):
            raise NotInRocq("an equation of irrational numbers has no proof in the library")
    return _proved(export, step, lemma_of(name), statement_of(statement), ["intros; repeat split; number."])


def as_false(export: Export, step: Theorem, _: Sequence[str]) -> str:
    """That an obligation is false: at these values its hypotheses hold, and its conclusion does not."""
    name, statement = _pinned(step)
    lines = list(_refutation(statement, step.data["values"]))
    return _proved(export, step, f"{lemma_of(name)}__is_false", f"~ ({statement_of(statement)})", lines)


def _pinned(step: Theorem) -> tuple[str, Statement]:
    """The obligation of a step, by name and in full."""
    name: str = step.data["obligation"]
    statement, holds_ = pinned(name, step.data["digest"]), about(name, step.data["digest"])
    require(step.claim in (holds_, Refuted(holds_)), f"{step.rule}: {step.claim.term} is not about {name}")
    require(isinstance(step.claim, Refuted) == (step.rule == "false_statement"), f"{step.rule} does not conclude that")
    if name in REFUSED_OBLIGATIONS:
        raise NotInRocq(REFUSED)
    return name, statement


def _proved(export: Export, step: Theorem, called: str, text: str, lines: Sequence[str]) -> str:
    """Add the theorem of an obligation; its name."""
    name, digest = step.data["obligation"], step.data["digest"]
    export.obligations.append({"name": name, "digest": digest, "rule": step.rule})
    return export.says(called, text, lines, f"{name}, SHA-256 {digest}")


def _refutation(statement: Statement, values: Mapping[str, str]) -> Iterator[str]:
    """A proof that a statement is false at the values."""
    g = goal(statement)
    chosen = {key: read(value) for key, value in values.items()}
    at = " ".join(value_of(chosen[v], v in g.integers) for v in in_order(statement, g.integers))
    yield f"intro claim. pose proof (claim {at}) as instance. clear claim." if at else "intro instance."
    for t in g.given:
        if t.operator not in ("<=", "<", "==", "!="):
            raise NotInRocq(f"{t.operator} of numbers has no proof in the library")
        yield "match type of instance with ?given -> _ =>"
        yield "  let known := fresh in assert (known : given) by number; specialize (instance known); clear known end."
    parts = list(conjuncts(g.show))
    index = next((i for i, part in enumerate(parts) if not holds(substitute(part, chosen))), None)
    if index is None:
        raise NotInRocq("the conclusion holds at these values")
    yield from ["destruct instance as [_ instance]."] * index
    if index < len(parts) - 1:
        yield "destruct instance as [instance _]."
    failing = parts[index]
    if failing.operator == "!=":
        yield "apply instance. number."
        return
    a, b = (substitute(t, chosen) for t in failing.arguments)
    below = failing.operator == "==" and decide(a < b)
    lemma = {"<=": "Rlt_not_le", "<": "Rle_not_lt"}.get(failing.operator, "Rlt_not_eq" if below else "Rgt_not_eq")
    yield f"revert instance. apply {lemma}. number."


def value_of(t: Term, whole: bool) -> str:
    """A number to put for a name."""
    return f"({t})%Z" if whole else real(t, (), ATOM)


WRITERS: Writers = {
    "algebra": by_algebra,
    "decided": by_decision,
    "branch_and_bound": by_decision,
    "false_statement": as_false,
}
