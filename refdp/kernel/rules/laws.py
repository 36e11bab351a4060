"""The masses of a mechanism sum to 1, and its sampler draws from them."""

from __future__ import annotations

from refdp.kernel.judgements import Holds, Law
from refdp.kernel.rules.privacy import require_lemmas
from refdp.kernel.theorem import Assuming, rule
from refdp.spec import obligations, registry
from refdp.spec.noisy_max import NoisyMax
from refdp.spec.selection import FlipSelection, WeightedSelection
from refdp.spec.signatures import counted
from refdp.spec.terms import Term

SAMPLING_CODE = "code: refdp.sampling"
"""What a sampler theorem trusts besides its lemmas: that the primitives in refdp.sampling do what they state."""


@rule
def normalised(*lemmas: Holds, stem: str) -> Law:
    """
      |- the law obligations of M
    -------------------------------
      |- the masses of M sum to 1
    """
    require_lemmas(lemmas, stem, obligations.law(stem))
    return Law("normalised", registry.subject(registry.kind_of(stem)), _conditions(stem))


@rule
def sampler_law(*lemmas: Holds, stem: str) -> Assuming:
    """
      |- the formulas of M's sampling scheme make M's masses
    ---------------------------------------------------------- [the primitives of refdp.sampling]
      |- the sampler of M draws from the law of M
    """
    require_lemmas(lemmas, stem, obligations.sampler(stem))
    claim = Law("sampler_law", registry.subject(registry.kind_of(stem)), _conditions(stem))
    return Assuming(claim, frozenset({SAMPLING_CODE}))


def _conditions(stem: str) -> tuple[Term, ...]:
    """The conditions on the parameters; a selection has at least one candidate."""
    kind = registry.kind_of(stem)
    more = counted("candidates") if isinstance(kind, WeightedSelection | FlipSelection | NoisyMax) else ()
    return (*kind.conditions, *more)
