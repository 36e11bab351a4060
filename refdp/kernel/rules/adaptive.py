"""Adaptive composition: a second mechanism that reads the first outcome; and a mechanism run k times."""

from __future__ import annotations

from dataclasses import replace

from refdp.kernel.judgements import Private, merged, require
from refdp.kernel.rules.composition import ADDITIVE
from refdp.kernel.rules.settle import settled, total
from refdp.kernel.theorem import rule
from refdp.spec import registry
from refdp.spec.rows import RowFunction
from refdp.spec.semantics import draws_numbers
from refdp.spec.signatures import counted
from refdp.terms.reading import read
from refdp.terms.term import PREVIOUS, Term, TermError, apply, names, substitute, subterms

PARTIAL = frozenset({"/", "ln", "sqrt", "integral"})
"""Arithmetic that has no value at some numbers."""


@rule
def adaptive(first: Private, second: Private) -> Private:
    """
      |- M : d_in |-> e_1     |- N : d_in |-> e_2, for every number `previous`
    ---------------------------------------------------------------------------  same domain, metric, d_in and measure
      |- adaptive(M, N) : d_in |-> e_1 + e_2

    N is run with the outcome of M, a number, for `previous`, on fresh coins; both outcomes are published.  A `previous`
    in M stays free: it is the outcome of whatever runs before both.
    """
    require(isinstance(first, Private) and isinstance(second, Private), "adaptive takes two private claims")
    shapes = [(m.domain, m.metric, m.d_in, m.measure) for m in (first, second)]
    require(shapes[0] == shapes[1], f"cannot compose {first.term} with {second.term}")
    require(first.measure in ADDITIVE, f"losses under {first.measure} do not add up")
    require(draws_numbers(first.subject), f"the outcomes of {first.subject} are not known to be countably many numbers")
    outside = (second.domain, second.d_in, *second.d_out, *second.given)
    require(all(PREVIOUS not in names(t) for t in outside), f"{second.term} speaks of {PREVIOUS} outside its subject")
    _require_every_number(second.subject)
    subject = apply("adaptive", first.subject, second.subject)
    losses = tuple(map(total, zip(first.d_out, second.d_out, strict=True)))
    if first.measure == "renyi":
        require(first.d_out[0] == second.d_out[0], "the orders of a composition under Renyi DP must be the same")
        losses = (first.d_out[0], losses[1])
    return replace(first, subject=subject, d_out=losses, given=merged(first.given, second.given))


def _require_every_number(subject: Term) -> None:
    """Whatever number stands for PREVIOUS, each term of the subject has a value, and formulas alone read it."""
    for t in subterms(subject):
        if PREVIOUS in names(t):
            require(t.operator not in PARTIAL, f"{t} may have no value")
            if t.operator in registry.stems():
                _require_formulas_read_it(registry.kind_of(t.operator), t)


def _require_formulas_read_it(kind: registry.Kind, t: Term) -> None:
    """PREVIOUS stands in parameters that some formula of the kind reads, as a number."""
    if isinstance(kind, RowFunction):
        raise TermError(f"{kind.stem} is no formula of {PREVIOUS}")
    read_by_formulas = {p for f, _ in kind.readings for p in f.parameters}
    told = {p for p, argument in registry.bound(kind, t).items() if PREVIOUS in names(argument)}
    require(told <= read_by_formulas, f"no formula of {kind.stem} reads {', '.join(sorted(told - read_by_formulas))}")


@rule
def compose_many(m: Private, *, k: str = "k", d_out: list[str] | None = None) -> Private:
    """
      |- M : d_in |-> e     k a whole number, at least 1
    ------------------------------------------------------
      |- repeated(M, k) : d_in |-> k e

    k draws, independent of each other.  Under Renyi DP the order stays.
    """
    require(isinstance(m, Private), "compose_many takes a private claim")
    require(m.measure in ADDITIVE, f"losses under {m.measure} do not add up")
    times = read(k)
    count = tuple(substitute(c, {"k": times}) for c in counted("k"))
    kept, added = (m.d_out[:1], m.d_out[1:]) if m.measure == "renyi" else ((), m.d_out)
    losses, subject = (*kept, *(times * loss for loss in added)), apply("repeated", m.subject, times)
    return settled(replace(m, subject=subject, d_out=losses, given=merged(m.given, count)), d_out)
