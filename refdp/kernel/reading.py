"""Claims read back from terms, with every metric, measure and domain in them registered."""

from __future__ import annotations

from refdp.kernel.judgements import KernelError, Private, Relation, Stable, Tail, require
from refdp.spec.distances import measure, metric
from refdp.spec.domains import is_domain
from refdp.spec.errors import BOUNDS, EVENTS, error
from refdp.terms.term import Term


def relation(claim: Term) -> Relation:
    """The private or stable claim that a term writes down; metrics, measures and domains must be registered."""
    match claim:
        case Term("private", (subject, inputs, Term(near, (d_in,)), Term(far, d_out), *given)):
            return well_formed(Private(subject, inputs, near, d_in, far, d_out, tuple(given)))
        case Term("stable", (subject, inputs, Term(near, (d_in,)), outputs, Term(far, (_,) as d_out), *given)):
            return well_formed(Stable(subject, inputs, near, d_in, outputs, far, d_out, tuple(given)))
    raise KernelError(f"not a private or stable claim: {claim}")


def tail(claim: Term) -> Tail:
    """The claim about an error that a term writes down; its error and domain must be registered."""
    match claim:
        case Term("tail", (subject, inputs, Term(far, (Term(event, (least,)),)), Term(bound, (beta,)), *given)) if (
            event in EVENTS and bound in BOUNDS
        ):
            error(far)
            require(is_domain(inputs, open_rows=True), f"{inputs} is not a domain")
            return Tail(subject, inputs, far, event, least, bound, beta, tuple(given))
    raise KernelError(f"not a claim about an error: {claim}")


def claimed(claim: Term) -> Relation | Tail:
    """The claim that may be refuted by an instance: private, stable or about an error."""
    return tail(claim) if claim.operator == "tail" else relation(claim)


def well_formed(m: Relation) -> Relation:
    """The claim, if its metric, measure and domains are registered and its d_out has the measure's shape."""
    metric(m.metric)
    for d in (m.domain, *((m.output_domain,) if isinstance(m, Stable) else ())):
        require(is_domain(d, open_rows=True), f"{d} is not a domain")
    if isinstance(m, Stable):
        metric(m.output_metric)
    else:
        shape = measure(m.measure).parameters
        require(len(m.d_out) == len(shape), f"d_out under {m.measure} must be {', '.join(shape)}, got {m.d_out}")
    return m
