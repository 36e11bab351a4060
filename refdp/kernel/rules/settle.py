"""Claims with names replaced, and closed numbers in their normal form: what `instantiate` does to a claim."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar, cast

from refdp.kernel.judgements import Law, Private, Relation, Tail, require
from refdp.kernel.reading import well_formed
from refdp.numerics.exact import NotExact, decide, exact_number, exact_real
from refdp.spec.registry import condition_holds
from refdp.terms.term import Term, maximum, names, number, substitute

M = TypeVar("M", bound=Relation)


def mapped(m: Relation, change: Callable[[Term], Term]) -> Relation:
    """The claim with every term in it changed by `change`."""
    d_out, given = tuple(map(change, m.d_out)), tuple(map(change, m.given))
    subject, inputs, d_in = change(m.subject), change(m.domain), change(m.d_in)
    if isinstance(m, Private):
        return replace(m, subject=subject, domain=inputs, d_in=d_in, d_out=d_out, given=given)
    outputs = change(m.output_domain)
    return replace(m, subject=subject, domain=inputs, d_in=d_in, output_domain=outputs, d_out=d_out, given=given)


def tail_at(m: Tail, values: dict[str, Term]) -> Tail:
    """The claim about an error with names replaced."""
    subject, inputs, threshold, beta = (substitute(t, values) for t in (m.subject, m.domain, m.threshold, m.beta))
    given = tuple(substitute(c, values) for c in m.given)
    return replace(m, subject=subject, domain=inputs, threshold=threshold, beta=beta, given=given)


def law_at(m: Law, values: dict[str, Term]) -> Law:
    """The claim of a law with names replaced."""
    given, said = (tuple(substitute(t, values) for t in ts) for ts in (m.given, m.said))
    return replace(m, subject=substitute(m.subject, values), given=given, said=said)


def opened(m: Law | Tail) -> Law | Tail:
    """The claim with its closed conditions decided and dropped."""
    false = [str(c) for c in m.given if not names(c) and not holds(c)]
    require(not false, f"the condition {''.join(false[:1])} does not hold")
    return replace(m, given=tuple(c for c in m.given if names(c)))


def substituted(m: Relation, values: dict[str, Term]) -> Relation:
    """The claim with names replaced."""
    return mapped(m, lambda t: substitute(t, values))


def settled(m: M, bounds: list[str] | None = None) -> M:
    """The claim with its closed conditions decided and dropped and its closed d_out in normal form.

    A closed d_out that is no a + ln b is replaced by the number that `bounds` gives for it, decided to be no smaller;
    a Renyi order stays what it is, because the divergence grows with it.
    """
    for condition in m.given:
        require(bool(names(condition)) or holds(condition), f"the condition {condition} does not hold")
    require(bounds is None or len(bounds) == len(m.d_out), f"bounds must be {len(m.d_out)} numbers, got {bounds}")
    limits: list[str | None] = [None] * len(m.d_out) if bounds is None else list(bounds)
    if isinstance(m, Private) and m.measure == "renyi":
        require(limits[0] is None or exact_real(limits[0]).term == m.d_out[0], f"the order {m.d_out[0]} must stay")
    d_out = tuple(map(rounded_up, m.d_out, limits))
    plain = mapped(m, simplified)
    open_conditions = tuple(c for c in plain.given if names(c))
    return cast(M, well_formed(replace(plain, d_out=d_out, given=open_conditions)))


def simplified(t: Term) -> Term:
    """Closed arithmetic inside the term carried out where it is exact."""
    if not names(t):
        with suppress(ValueError):  # NotExact, or a TermError: it has no value
            return _number(exact_number(t))
    if not t.arguments or t.operator == "integral":
        return t
    return Term(t.operator, tuple(map(simplified, t.arguments)))


def rounded_up(t: Term, bound: str | None) -> Term:
    """The normal form of a closed d_out, or `bound` where it is given and no smaller; an open one stays."""
    if names(t):
        return t
    if bound is not None:
        upper = exact_real(bound, "d_out").term
        require(decide(t <= upper), f"{bound} is not an upper bound of {t}")
        return upper
    try:
        return _number(exact_number(t))
    except NotExact:
        raise NotExact(f"{t} is irrational: give a rational upper bound as d_out") from None


def holds(condition: Term) -> bool:
    """Whether a closed condition is a fact."""
    if condition.operator in ("integer", "multiple", "has_length"):
        return condition_holds(condition, {})
    return decide(condition)


def total(ts: tuple[Term, ...]) -> Term:
    """The sum of the terms, in normal form where all are closed."""
    found = ts[0]
    for t in ts[1:]:
        found = found + t
    return found if names(found) else rounded_up(found, None)


def greatest(ts: tuple[Term, ...]) -> Term:
    """The greatest of the numbers: one of them where all are closed, else the term that is their maximum."""
    found = ts[0]
    for t in ts[1:]:
        if names(found) or names(t):
            found = found if found == t else maximum(found, t)
        else:
            found = t if decide(found <= t) else found
    return found


def _number(x: object) -> Term:
    """An exact number as a term."""
    term = getattr(x, "term", None)
    if isinstance(term, Term):
        return term
    require(isinstance(x, int | Fraction), f"not an exact number: {x!r}")
    return number(Fraction(str(x)))


__all__ = [
    "greatest", "holds", "law_at", "mapped", "opened", "rounded_up", "settled", "simplified", "substituted", "tail_at",
    "total",
]  # fmt: skip
