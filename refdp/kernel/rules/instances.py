"""A claim with names is false if one of its instances is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from refdp.kernel.judgements import Private, Refuted, Relation, Stable, Tail, require
from refdp.kernel.reading import claimed
from refdp.kernel.rules.settle import holds, substituted, tail_at
from refdp.kernel.theorem import rule
from refdp.numerics.exact import decide
from refdp.terms.reading import read
from refdp.terms.term import Term, names


@rule
def false_instance(refuted: Refuted, *, claim: str, values: dict[str, str]) -> Refuted:
    """
      |- an instance of CLAIM, with values that its conditions allow, is false
    ----------------------------------------------------------------------------
      |- CLAIM, for all values, is false
    """
    refutable = isinstance(refuted, Refuted) and isinstance(refuted.claim, Private | Stable | Tail)
    require(refutable, "expected a refuted instance")
    general, false = claimed(read(claim)), refuted.claim
    instance = _instance(general, {key: read(v) for key, v in values.items()})
    require(set(values) <= names(general.term), f"some of {', '.join(values)} does not occur in {claim}")
    require(not names(instance.term), f"the values leave a name in {instance.term}")
    for condition in instance.given:
        require(holds(condition), f"the condition {condition} does not hold")
    require(_implies(instance, false), f"{false.term} is no instance of {claim}")
    return Refuted(general)


def _instance(general: Relation | Tail, values: dict[str, Term]) -> Relation | Tail:
    """The claim with names replaced."""
    if isinstance(general, Tail):
        return tail_at(general, values)
    return substituted(general, values)


def _implies(instance: Relation | Tail, false: Any) -> bool:
    """Whether the instance, without its conditions, is the false claim, or says more."""
    if isinstance(instance, Tail) or isinstance(false, Tail):
        return bool(replace(instance, given=()) == false)
    return isinstance(false, Private | Stable) and _at_least_as_strong(instance, false)


def _at_least_as_strong(instance: Relation, false: Relation) -> bool:
    """Whether the instance says no less than the false claim: all else equal, its d_out is no larger."""
    shapes = [_shape(instance), _shape(false)]
    return shapes[0] == shapes[1] and all(decide(x <= y) for x, y in zip(instance.d_out, false.d_out, strict=True))


def _shape(m: Relation) -> tuple[Any, ...]:
    """All of a closed claim but its d_out and its conditions; the order of a Renyi claim is no loss."""
    if isinstance(m, Stable):
        return (m.subject, m.domain, m.metric, m.d_in, m.output_domain, m.output_metric)
    order = m.d_out[:1] if m.measure == "renyi" else ()
    return (m.subject, m.domain, m.metric, m.d_in, m.measure, *order)
