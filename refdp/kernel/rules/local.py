"""Local randomisers: reports of bits, of what supports a value, of a rate; public randomness, which is free; and many
reports of one response that is kept, which have its loss.
"""

from __future__ import annotations

from dataclasses import replace

from refdp.kernel.judgements import Holds, KernelError, Law, Private, merged, require
from refdp.kernel.rules.privacy import private, require_lemmas
from refdp.kernel.rules.settle import settled
from refdp.kernel.theorem import rule
from refdp.spec import obligations, registry
from refdp.spec.bitwise import BitwiseLaw
from refdp.spec.domains import domain
from refdp.spec.finite import FiniteLaw
from refdp.spec.rates import BitOfRate
from refdp.spec.semantics import outcomes
from refdp.spec.signatures import mechanism_signature
from refdp.spec.supported import SupportedLaw
from refdp.terms.reading import read
from refdp.terms.term import Term, apply, number, substitute


@rule
def bitwise_law(*lemmas: Holds, stem: str) -> Private:
    """
      |- 0 < raised <= kept < 1     |- kept (1 - raised) <= ratio_bound raised (1 - kept)
    ----------------------------------------------------------------------------------------
      |- M : discrete(1) |-> pure(ln(ratio_bound)) for values, exchange(d_in) |-> pure(d_in ln(ratio_bound)) for filters

    For filters of which any bits change, l1(d_in) |-> pure(d_in ln(ratio_bound)), if ratio_bound bounds kept / raised
    and (1 - raised) / (1 - kept).
    """
    kind = registry.lookup(stem, BitwiseLaw)
    require_lemmas(lemmas, stem, obligations.privacy(stem))
    return private(mechanism_signature(kind))


@rule
def supported_law(*lemmas: Holds, stem: str) -> Private:
    """
      |- 0 <= told <= 1     |- told / share and (1 - told) / (1 - share) are within ratio_bound of each other
    ----------------------------------------------------------------------------------------------------------
      |- M : discrete(1) |-> pure(ln(ratio_bound)), share being the part of all reports that supports any one value
    """
    kind = registry.lookup(stem, SupportedLaw)
    require_lemmas(lemmas, stem, obligations.privacy(stem))
    return private(mechanism_signature(kind))


@rule
def bit_of_rate(*lemmas: Holds, stem: str) -> Private:
    """
      |- 0 <= rate(a) <= 1     |- rate(a) <= ratio_bound rate(b), 1 - rate(a) <= ratio_bound (1 - rate(b))
    -------------------------------------------------------------------------------------------------------
      |- M : discrete(1) |-> pure(ln(ratio_bound)) on interval(lower, upper)
    """
    kind = registry.lookup(stem, BitOfRate)
    require_lemmas(lemmas, stem, obligations.privacy(stem))
    return private(mechanism_signature(kind))


@rule
def public_coordinate(m: Private, *, n: str = "n") -> Private:
    """
      |- M : discrete(1) |-> e  on D     n a whole number, at least 1
    ----------------------------------------------------------------------  pure, approximate
      |- public_coordinate(M, n) : discrete(1) |-> e  on vector(D, n)

    One coordinate is chosen, each as likely, whatever the input; the outcome is which one, and M of it.
    """
    require(isinstance(m, Private), "public_coordinate takes a private claim")
    near = (m.metric, m.d_in)
    require(near == ("discrete", number(1)), f"expected a claim about any two values, got {m.term}")
    require(m.measure in ("pure", "approximate"), f"expected pure or approximate DP, got {m.measure}")
    size = read(n)
    count = (apply("integer", size), 1 <= size)
    inputs, subject = domain("vector", m.domain, size), apply("public_coordinate", m.subject, size)
    return settled(replace(m, subject=subject, domain=inputs, given=merged(m.given, count)))


@rule
def reports_of_one(m: Private, reports: Law, *, n: str = "n") -> Private:
    """
      |- M : near |-> e     |- the masses of N sum to 1     outcomes of M are inputs of N     n whole, at least 1
    ------------------------------------------------------------------------------------------------------------
      |- n reports by N of one outcome of M, which is kept : near |-> e      pure, approximate
    """
    require(isinstance(m, Private) and isinstance(reports, Law), "expected a private claim, and that masses sum to 1")
    require(m.measure in ("pure", "approximate"), f"expected pure or approximate DP, got {m.measure}")
    require(reports.kind == "normalised", f"expected that masses sum to 1, got {reports.term}")
    inner = _inputs(reports.subject)
    require(outcomes(m.subject) == inner, f"the outcomes of {m.subject} must be {inner}, got {outcomes(m.subject)}")
    size = read(n)
    subject = apply("reports_of_one", m.subject, reports.subject, size)
    return settled(
        replace(m, subject=subject, given=merged(m.given, reports.given, (apply("integer", size), 1 <= size)))
    )


def _inputs(subject: Term) -> Term:
    """The domain of a registered mechanism that reports."""
    kind = registry.kind_of(subject.operator)
    if not isinstance(kind, BitwiseLaw | SupportedLaw | FiniteLaw):
        raise KernelError(f"{subject} makes no reports of a value")
    return substitute(kind.domain, registry.bound(kind, subject))
