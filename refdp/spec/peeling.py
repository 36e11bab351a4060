"""Several candidates of one vector of scores: named one after another, or by one noise on each.

`peeled(M, k)` is k selections, each among the candidates that are left.  `one_shot(M, k)` adds the noise of the noisy
maximum M to each score once and names the k greatest, in order.  Outcomes are tuples of k different candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations
from math import perm
from typing import Any

from refdp.spec import registry
from refdp.spec.domains import LONGEST_LIST
from refdp.spec.noisy_max import NoisyMax
from refdp.terms.evaluation import Arithmetic, evaluate
from refdp.terms.term import Term, TermError

Scores = tuple[Fraction, ...]


def times_of(count: Term, candidates: int) -> int:
    """How many candidates are named; TermError unless that is whole and from 1 to how many there are."""
    found = Fraction(evaluate(count, {}))
    if found.denominator != 1 or not 1 <= found <= candidates:
        raise TermError(f"{count} must be a whole number from 1 to the number of candidates, {candidates}")
    return int(found)


def peeled_law(law: Callable[[Scores], dict[Any, Any]], count: Term, scores: Any) -> dict[Any, Any]:
    """Outcome -> probability, `law` being that of one selection."""
    _require_scores(scores)
    found: dict[Any, Any] = {(): None}
    for _ in range(_listed(count, len(scores))):
        found = dict(_with_one_more(found, law, scores))
    return found


def _with_one_more(
    found: dict[Any, Any], law: Callable[[Scores], dict[Any, Any]], scores: Scores
) -> Iterator[tuple[Any, Any]]:
    """Each outcome with one more candidate, and its probability."""
    for named, p in found.items():
        left = [i for i in range(len(scores)) if i not in named]
        for i, q in law(tuple(scores[j] for j in left)).items():
            yield (*named, Fraction(left[int(i)])), q if p is None else p * q


def one_shot_law(winner: Term, count: Term, scores: Any, arithmetic: Arithmetic) -> dict[Any, Any]:
    """Outcome -> probability, for Gumbel noise: e^(-(s + E) / scale) is the time of a clock of rate e^(s / scale).

    The k clocks that strike first, in order: integrated over their times from the last one on, a clock of rate w before
    the others, of rates R in total, gives w / (w + R).
    """
    kind = registry.lookup(winner.operator, NoisyMax)
    if kind.noise != "gumbel":
        raise TermError(f"the law of {winner} for several candidates is not known")
    _require_scores(scores)
    scale, k = kind.closed_scale(winner), _listed(count, len(scores))
    rates = [arithmetic.function("exp", arithmetic.number((s - max(scores)) / scale)) for s in scores]
    found = dict[Any, Any]()
    for named in permutations(range(len(scores)), k):
        later = [rate for i, rate in enumerate(rates) if i not in named]
        p, rest = arithmetic.number(Fraction(1)), sum(later, arithmetic.number(Fraction(0)))
        for i in reversed(named):
            rest = rest + rates[i]
            p = p * rates[i] / rest
        found[tuple(map(Fraction, named))] = p
    return found


def _require_scores(scores: Any) -> None:
    """TermError unless this is a vector of numbers, at least one."""
    if not isinstance(scores, tuple) or not scores or not all(isinstance(s, Fraction) for s in scores):
        raise TermError(f"scores must be a vector of one or more numbers, got {scores}")


def _listed(count: Term, candidates: int) -> int:
    """How many candidates are named; TermError if there are too many outcomes to list."""
    found = times_of(count, candidates)
    if perm(candidates, found) > LONGEST_LIST:
        raise TermError(f"there are more than {LONGEST_LIST} outcomes")
    return found
