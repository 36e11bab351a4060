"""The closed instance of a privacy claim that a picture shows: parameters, two inputs, and an event if one is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.claims import Claim
from refdp.commands.witness import steps
from refdp.kernel.judgements import KernelError, Private, Relation
from refdp.kernel.reading import relation
from refdp.kernel.rules.settle import substituted
from refdp.kernel.theorem import Theorem
from refdp.spec import registry
from refdp.spec.clamped import ClampedGeometric
from refdp.spec.domains import members
from refdp.spec.noise import AdditiveNoise
from refdp.spec.selection import FlipSelection, WeightedSelection
from refdp.spec.semantics import data
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError, names, number, substitute

SCORES = ((2, 1, 1, 0), (1, 2, 2, 1))
"""Two vectors of scores of four candidates, at most 1 apart in each."""
RISING = ((1, 1, 1, 0), (1, 2, 2, 1))
"""Two of which none falls."""


@dataclass(frozen=True, slots=True)
class Instance:
    """A claim with its parameters chosen, and the two inputs x and y; the event is that of a refutation."""

    claim: Relation
    values: Mapping[str, Term]
    x: Any
    y: Any
    event: tuple[Any, ...] = ()

    @property
    def parameters(self) -> str:
        """What was chosen, as text."""
        return ", ".join(f"{key} = {value}" for key, value in self.values.items())


def instance_of(claim: Claim, theorem: Theorem) -> Instance | None:
    """The instance to draw: the witness of a refutation, or an example of a proved claim; None if there is none."""
    if claim.expected == "REFUTED":
        return _witness(theorem)
    try:
        general = relation(read(claim.formal))
        return _example(general) if isinstance(general, Private) else None
    except (TermError, KernelError):
        return None


def _witness(theorem: Theorem) -> Instance | None:
    """The instance, the inputs and the event of a refutation."""
    found = list(steps(theorem))
    values: Mapping[str, str] = next((s.data["values"] for s in found if s.rule == "false_instance"), {})
    for s in found:
        if s.rule in ("unlikely_elsewhere", "unstable_pair", "denser_elsewhere"):
            x, y, *event = (data(read(s.data[key])) for key in ("a", "b", "event") if key in s.data)
            event += [(data(read(s.data["output"])),)] if "output" in s.data else []
            chosen = {key: read(v) for key, v in values.items()}
            return Instance(relation(read(s.data["claim"])), chosen, x, y, *event)
        if s.rule in ("normal_noise_exceeds", "grid_noise_exceeds"):
            false = relation(read(s.data["claim"]))
            return Instance(false, {}, Fraction(0), Fraction(evaluate(false.d_in, {})))
    return None


def _example(general: Private) -> Instance | None:
    """An instance of a true claim about one mechanism, at the parameters of its example."""
    stem = general.subject.operator
    if stem not in registry.stems():
        return None
    kind = registry.kind_of(stem)
    if isinstance(kind, AdditiveNoise) and not names(general.term):
        return Instance(general, {}, Fraction(0), Fraction(evaluate(general.d_in, {})))
    if general.subject != registry.subject(kind):
        return None
    inputs = _inputs(kind, kind.example, RISING if general.metric == "monotone" else SCORES)
    if inputs is None:
        return None
    x, y, distance = inputs
    values = {**kind.example, "d_in": number(distance), "candidates": number(len(SCORES[0]))}
    chosen = {key: v for key, v in values.items() if key in names(general.term)}
    return Instance(substituted(general, chosen), chosen, x, y)


def _inputs(
    kind: Any, example: Mapping[str, Term], vectors: tuple[tuple[int, ...], ...]
) -> tuple[Any, Any, Fraction] | None:
    """Two neighbours in the domain of a mechanism and their distance; None if it is of no kind that is drawn."""
    match kind:
        case AdditiveNoise():
            step = Fraction(evaluate(example["granularity"], {})) if kind.on_grid else Fraction(1)
            far = max(step, spread(kind, example) // step * step)
            return Fraction(0), far, far
        case ClampedGeometric():
            inside = list(members(substitute(kind.domain, example)))
            x, y = inside[len(inside) // 3], inside[min(len(inside) // 3 + 2, len(inside) - 1)]
            return x, y, y - x
        case WeightedSelection() | FlipSelection():
            one, other = (tuple(map(Fraction, scores)) for scores in vectors)
            return one, other, Fraction(1)
    return (Fraction(0), Fraction(1), Fraction(1)) if hasattr(kind, "law") and hasattr(kind, "size") else None


def spread(noise: AdditiveNoise, example: Mapping[str, Term]) -> Fraction:
    """The distance over which the bound of the noise's tails falls by a factor of e."""
    values = {key: Fraction(evaluate(v, {})) for key, v in example.items()}
    return 1 / Fraction(evaluate(noise.tail_rate.term, values))


def is_table_pair(found: Instance) -> bool:
    """Whether the inputs are tables."""
    return found.claim.domain.operator in ("table", "sized_table")
