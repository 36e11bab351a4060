"""What a judgement of the kernel says, as a proposition of the library.

A subject, a domain with its metric, a measure: each is written down by a table, one for each chapter of the library.
Whatever is in none of them is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from refdp.kernel.judgements import Holds, Judgement, Private, Refuted, Stable
from refdp.kernel.rules.statements import pinned
from refdp.rocq.fitting import require_fitting
from refdp.rocq.terms import ATOM, BOUND, PLACE, NotInRocq, name_of, proposition, real
from refdp.rocq.writing import Export
from refdp.spec.distances import MEASURES as DISTANCES
from refdp.spec.goals import goal
from refdp.spec.statements import Statement
from refdp.terms.term import Term, names

Subjects = dict[str, Callable[[Export, Term, frozenset[str]], str]]
Relations = dict[tuple[str, str], Callable[[Export, Term, Term, frozenset[str]], str]]

SUBJECTS: Subjects = {}
"""Operator of a subject -> what writes it, given the names of whole numbers; each chapter adds its own."""
OF_VECTORS: Relations = {}
"""Operator of a subject that takes a vector of any number of entries, and "vector" -> what writes it for one domain."""
NEAR: Relations = {}
"""Operators of a domain and a metric -> what writes the relation, given domain, distance and the whole names."""
OTHERS: list[Callable[[Export, Judgement], str]] = []
"""What writes judgements that are not written as they stand; nothing where it does not."""
MEASURES = {
    "pure": "pure", "approximate": "approximate", "concentrated": "Renyi.concentrated", "renyi": "Renyi.renyi",
    "gaussian": "GaussianPrivacy.gaussian",
}  # fmt: skip
"""Measure -> what the library calls it; its arguments are in refdp's order."""


def said(export: Export, claim: Judgement) -> str:
    """The proposition that a judgement is; NotInRocq where the library has no word for it."""
    for write in OTHERS:
        if written := write(export, claim):
            return written
    match claim:
        case Holds():
            return statement_of(pinned(f"{claim.stem}.{claim.name}", claim.digest))
        case Refuted():
            return f"~ ({said(export, claim.claim)})"
        case Private():
            given, integers, free = conditions(claim.term, claim.given)
            require_fitting(claim.subject, claim.domain)
            body = (
                f"private {near(export, claim.domain, claim.metric, claim.d_in, integers)} "
                f"{subject_on(export, claim, integers)} {measure(export, claim.measure, claim.d_out, integers)}"
            )
            return universal(free, integers, given, body)
        case Stable():
            given, integers, free = conditions(claim.term, claim.given)
            require_fitting(claim.subject, claim.domain, claim.output_domain)
            if len(claim.d_out) != 1:
                raise NotInRocq(f"{claim.output_metric} of {len(claim.d_out)} numbers is no distance of the library")
            far = near(export, claim.output_domain, claim.output_metric, claim.d_out[0], integers)
            body = (
                f"stable {near(export, claim.domain, claim.metric, claim.d_in, integers)} "
                f"{subject(export, claim.subject, integers)} {far}"
            )
            return universal(free, integers, given, body)
    raise NotInRocq(f"{claim.term.operator} has no counterpart in the library")


def conditions(
    claim: Term, given: Sequence[Term], bound: frozenset[str] = BOUND
) -> tuple[list[Term], frozenset[str], list[str]]:
    """The conditions of a claim but for those that a name is whole, these names, and all names in order.

    NotInRocq where a name is one that functions in its statement bind: they would read another one.
    """
    if taken := sorted(v for v in names(claim) if v in bound or PLACE in v):
        raise NotInRocq(f"{taken[0]} is bound in statements, and no name of a claim")
    whole = frozenset(
        str(t.arguments[0].value) for t in given if t.operator == "integer" and t.arguments[0].operator == "name"
    )
    rest = [t for t in given if not (t.operator == "integer" and t.arguments[0].operator == "name")]
    return rest, whole, sorted(sorted(names(claim)), key=lambda v: v in whole)


def universal(free: Iterable[str], integers: frozenset[str], given: Sequence[Term], body: str) -> str:
    """For all numbers under these conditions, the body."""
    ordered = list(free)
    if len({name_of(v) for v in ordered}) < len(ordered):
        raise NotInRocq(f"two of the names {', '.join(ordered)} are one in Rocq")
    kinds = (("R", [v for v in ordered if v not in integers]), ("Z", [v for v in ordered if v in integers]))
    groups = [f"({' '.join(map(name_of, v))} : {kind})" for kind, v in kinds if v]
    head = f"forall {' '.join(groups)}, " if groups else ""
    return head + "".join(f"{bracketed(proposition(t, integers))} -> " for t in given) + body


def bracketed(text: str) -> str:
    """A premise: a conjunction is in brackets."""
    return f"({text})" if "/\\" in text else text


def statement_of(statement: Statement) -> str:
    """A statement as a proposition."""
    g = goal(statement)
    free = sorted(statement.variables, key=lambda v: v in g.integers)
    return universal(free, g.integers, g.given, proposition(g.show, g.integers))


def subject(export: Export, t: Term, integers: frozenset[str]) -> str:
    """A mechanism or transformation, in brackets."""
    if any(t.operator == operator for operator, _ in OF_VECTORS):
        raise NotInRocq(f"{t.operator} is written by itself alone, for the number of entries of its domain")
    if t.operator not in SUBJECTS:
        raise NotInRocq(f"{t.operator} is no mechanism or transformation of the library yet")
    return f"({SUBJECTS[t.operator](export, t, integers)})"


def subject_on(export: Export, claim: Private, integers: frozenset[str]) -> str:
    """The mechanism of a claim, in brackets; one that takes vectors of any length is that for the claim's domain."""
    key = (claim.subject.operator, claim.domain.operator)
    if key not in OF_VECTORS:
        return subject(export, claim.subject, integers)
    return f"({OF_VECTORS[key](export, claim.subject, claim.domain, integers)})"


def near(export: Export, inputs: Term, metric: str, distance: Term, integers: frozenset[str]) -> str:
    """The relation of inputs of a domain that are within the distance, in brackets."""
    key = (inputs.operator, metric)
    if key not in NEAR:
        raise NotInRocq(f"{metric} on {inputs.operator} is no distance of the library yet")
    return f"({NEAR[key](export, inputs, distance, integers)})"


def measure(export: Export, name: str, losses: Sequence[Term], integers: frozenset[str]) -> str:
    """A measure with its losses, in brackets."""
    if name not in MEASURES:
        raise NotInRocq(f"{name} is no measure of the library yet")
    if len(losses) != len(DISTANCES[name].parameters):
        raise NotInRocq(f"{name} of {len(losses)} numbers is no measure")
    called = MEASURES[name]
    if "." in called:
        export.uses(called.partition(".")[0])
    return f"({called} {' '.join(real(t, integers, ATOM) for t in losses)})"
