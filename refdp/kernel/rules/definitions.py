"""Between approximate DP and the definitions that are taken for it: the tail of the privacy loss, the printed ratio."""

from __future__ import annotations

from dataclasses import replace

from refdp.kernel.judgements import Law, Private, merged, require
from refdp.kernel.rules.conversion import require_measure
from refdp.kernel.rules.settle import settled
from refdp.kernel.theorem import rule
from refdp.spec.distances import measure as measure_named
from refdp.terms.reading import read
from refdp.terms.term import apply, exp, ln, name, names, number


@rule
def pure_to_loss_tail(m: Private) -> Private:
    """
      |- M : d_in |-> pure(e)
    --------------------------------------
      |- M : d_in |-> loss_tail(e, 0)
    """
    require_measure(m, "pure")
    return replace(m, measure="loss_tail", d_out=(*m.d_out, number(0)))


@rule
def loss_tail_to_approximate(m: Private) -> Private:
    """
      |- M : d_in |-> loss_tail(e, d)
    --------------------------------------
      |- M : d_in |-> approximate(e, d)
    """
    require_measure(m, "loss_tail")
    return replace(m, measure="approximate")


@rule
def approximate_to_loss_tail(m: Private, *, epsilon: str = "epsilon", d_out: list[str] | None = None) -> Private:
    """
      |- M : d_in |-> approximate(e, d)     e < epsilon
    ----------------------------------------------------------------------
      |- M : d_in |-> loss_tail(epsilon, d e^epsilon / (e^epsilon - e^e))
    """
    require_measure(m, "approximate")
    (e, d), wider = m.d_out, read(epsilon)
    tail = d * exp(wider) / (exp(wider) - exp(e))
    return settled(replace(m, measure="loss_tail", d_out=(wider, tail), given=merged(m.given, (e < wider,))), d_out)


@rule
def ratio_to_pure(m: Private, *, d_out: list[str] | None = None) -> Private:
    """
      |- M : d_in |-> ratio(e, d)
    -------------------------------------
      |- M : d_in |-> pure(ln(e^e + d))
    """
    require_measure(m, "ratio")
    e, d = m.d_out
    return settled(replace(m, measure="pure", d_out=(ln(exp(e) + d),)), d_out)


@rule
def pure_to_ratio(m: Private, *, epsilon: str = "epsilon", d_out: list[str] | None = None) -> Private:
    """
      |- M : d_in |-> pure(e)     epsilon <= e
    --------------------------------------------------
      |- M : d_in |-> ratio(epsilon, e^e - e^epsilon)
    """
    require_measure(m, "pure")
    (e,), less = m.d_out, read(epsilon)
    given = merged(m.given, (less <= e,))
    return settled(replace(m, measure="ratio", d_out=(less, exp(e) - exp(less)), given=given), d_out)


@rule
def never_private(found: Law, *, measure: str) -> Law:
    """
      |- between inputs just d_in apart M has no finite loss
    ----------------------------------------------------------------------------------------------------------------
      |- pure(epsilon), or ratio(epsilon, delta), holds of no two inputs of M that are just d_in apart, in both orders
    """
    require(isinstance(found, Law) and found.kind == "unbounded_loss", f"expected an unbounded loss, got {found}")
    require(measure in ("pure", "ratio"), f"measure must be pure or ratio, got {measure}")
    parameters = measure_named(measure).parameters
    taken = names(found.term) & set(parameters)
    require(not taken, f"{', '.join(sorted(taken))} stands for something else in {found.term}")
    d_out = apply(measure, *map(name, parameters))
    return Law("never_private", found.subject, found.given, (*found.said, d_out))
