"""The basic rules: a lemma from an oracle, an instance of a claim, a weaker claim, a chain of claims."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from refdp.kernel.judgements import Holds, Law, Private, Relation, Stable, Tail, merged, require
from refdp.kernel.rules.settle import law_at, opened, settled, substituted, tail_at
from refdp.kernel.theorem import Assuming, rule
from refdp.numerics.exact import decide, exact_real
from refdp.spec.domains import is_within
from refdp.spec.obligations import obligations
from refdp.spec.statements import Statement
from refdp.terms.reading import read
from refdp.terms.term import Term, apply, names


def obligation(identifier: str) -> Statement:
    """The statement `STEM.NAME`, rebuilt from this package; KernelError if there is none."""
    stem, _, key = identifier.partition(".")
    found = obligations(stem)
    require(key in found, f"{stem} has no obligation {key!r}")
    return found[key]


@rule
def oracle(*, obligation: str, digest: str, by: list[str]) -> Assuming:
    """
    ----------------------- [by]
      |- STEM.NAME holds

    The statement is rebuilt from this package and must have the digest.  Replay asks the oracle again.
    """
    statement = _obligation(obligation)
    require(statement.digest == digest, f"the formulas behind {obligation} have changed since the certificate")
    require(bool(by) and all(by) and by == sorted(set(by)), "an oracle must be named: each name once, in order")
    stem, _, key = obligation.partition(".")
    return Assuming(Holds(stem, key, digest), frozenset(by))


_obligation = obligation


@rule
def instantiate(
    m: Relation | Law | Tail, *, values: dict[str, str], d_out: list[str] | None = None
) -> Relation | Law | Tail:
    """
      |- for all names under the conditions: CLAIM
    ------------------------------------------------  the conditions hold of the values
      |- CLAIM with names replaced by the values

    A d_out that becomes an irrational number other than a + ln b is replaced by the rational upper bound given.
    """
    replaced = {key: read(value) for key, value in values.items()}
    unknown = sorted(set(replaced) - names(m.term))
    require(not unknown, f"{''.join(unknown[:1])} does not occur in the claim")
    if isinstance(m, Law | Tail):
        require(d_out is None, f"{m.term.operator} has no d_out")
        return opened(tail_at(m, replaced) if isinstance(m, Tail) else law_at(m, replaced))
    require_relation(m)
    return settled(substituted(m, replaced), d_out)


@rule
def weaken(m: Relation, *, d_out: list[str], d_in: str | None = None) -> Relation:
    """
      |- M : d_in |-> e     e <= d_out     d <= d_in
    -------------------------------------------------
      |- M : d |-> d_out
    """
    require_relation(m)
    bounds = tuple(exact_real(bound, "d_out").term for bound in d_out)
    near = m.d_in if d_in is None else exact_real(d_in, "d_in").term
    require(len(bounds) == len(m.d_out), f"d_out must be {len(m.d_out)} numbers, got {len(bounds)}")
    require(near == m.d_in or decide(near <= m.d_in), f"cannot widen d_in from {m.d_in} to {near}")
    require(near == m.d_in or decide(0 <= near), f"no two inputs are {near} apart: the claim would be empty")
    for old, new in zip(m.d_out, bounds, strict=True):
        require(decide(old <= new), f"cannot strengthen d_out from {old} to {new}")
    if isinstance(m, Private) and m.measure == "renyi":
        require(bounds[0] == m.d_out[0], f"the order is {m.d_out[0]} and cannot become {bounds[0]}")
    return settled(replace(m, d_in=near, d_out=bounds))


@rule
def chain(first: Stable, second: Relation) -> Relation:
    """
      |- T : d_in |-> d     |- M : d' |-> d_out     d <= d'
    --------------------------------------------------------  T ends in M's domain and metric
      |- chain(T, M) : d_in |-> d_out
    """
    require(isinstance(first, Stable), f"the first of a chain must be stable, got {first}")
    require_relation(second)
    out, near = (first.output_domain, first.output_metric), (second.domain, second.metric)
    require(is_within(out[0], near[0]), f"the output domain {out[0]} does not lie in the input domain {near[0]}")
    require(out[1] == near[1], f"the output metric {out[1]} is not the input metric {near[1]}")
    require(_reaches(first.d_out[0], second.d_in), f"d_in {second.d_in} does not cover {first.d_out[0]}")
    subject = apply("chain", first.subject, second.subject)
    given = merged(first.given, second.given)
    return replace(second, subject=subject, domain=first.domain, metric=first.metric, d_in=first.d_in, given=given)


def _reaches(distance: Term, d_in: Term) -> bool:
    """Whether distance <= d_in is a fact: the same term, or closed and decided."""
    return distance == d_in or (not names(distance) and not names(d_in) and decide(distance <= d_in))


def require_relation(m: Any) -> None:
    """The premise must be a private or stable claim."""
    require(isinstance(m, Private | Stable), f"expected a private or stable claim, got {m}")
