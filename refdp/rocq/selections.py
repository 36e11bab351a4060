"""Selections for Rocq: the mechanism names a candidate with a probability in proportion to a weight of its score."""

from __future__ import annotations

from collections.abc import Sequence

from refdp.kernel.judgements import Private
from refdp.kernel.theorem import Theorem
from refdp.rocq.judgements import Relations
from refdp.rocq.noise import function, instances, introduced, whole_names, with_proof
from refdp.rocq.terms import NotInRocq, count
from refdp.rocq.writing import Export, Writers
from refdp.spec import registry
from refdp.spec.selection import WeightedSelection
from refdp.terms.term import Term


def by_weights(export: Export, t: Term, inputs: Term, integers: frozenset[str]) -> str:
    """Selection by weights among as many candidates as vectors of the domain have entries."""
    kind = registry.lookup(t.operator, WeightedSelection)
    export.uses("SelectionClaims")
    return f"SelectionClaims.by_weights {_weight(kind, t, integers)} {count(inputs.arguments[1], integers)}"


def _weight(kind: WeightedSelection, t: Term, integers: frozenset[str]) -> str:
    """The log weight of a score, as a function."""
    return function(kind.log_weight, ("score",), registry.bound(kind, t), integers)


def selection(export: Export, step: Theorem, lemmas: Sequence[str]) -> str:
    """What the registered formulas of selection by weights prove of its privacy."""
    claim = step.claim
    if not isinstance(claim, Private):
        raise NotInRocq(f"{step.rule} proves no privacy")
    kind, integers = registry.lookup(step.data["stem"], WeightedSelection), whole_names(claim)
    known = instances(step, lemmas, {"d_in": "distance_"})
    loss = function(kind.privacy_map, ("d_in",), registry.bound(kind, claim.subject), integers)
    size = count(claim.domain.arguments[1], integers)
    grows = [f"- intros u v ?. {known['weight_grows_with_the_score']}"] if step.rule == "monotone_selection" else []
    export.uses("SelectionClaims")
    return with_proof(export, step, [
        f"intros {introduced(claim)}.",
        f"apply (SelectionClaims.{step.rule} {_weight(kind, claim.subject, integers)} {loss} {size}).",
        "- SelectionClaims.at_least_one.",
        f"- intros u v distance_ ?. {known['weight_moves_by_half_the_map']}",
        *grows,
    ])  # fmt: skip


STEMS = [k.stem for k in registry.kinds() if isinstance(k, WeightedSelection)]
OF_VECTORS: Relations = {(stem, "vector"): by_weights for stem in STEMS}
WRITERS: Writers = {"weighted_selection": selection, "monotone_selection": selection}
