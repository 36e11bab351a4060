"""Signatures: domain, metric, distances and conditions of a registered thing, built from its formulas alone.

Both the kernel, which states claims, and the pipelines, which run, read the maps here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from refdp.spec import registry
from refdp.spec.above_threshold import AboveThreshold, privacy_loss
from refdp.spec.bitwise import BitwiseLaw
from refdp.spec.bound_laws import (
    laplace_conditions,
    laplace_delta,
    require_family,
    student_linear_loss,
    student_loss,
)
from refdp.spec.bound_noise import METRIC as SMOOTH
from refdp.spec.bound_noise import BoundNoise
from refdp.spec.bound_noise import privacy_loss as loss_beside_a_bound
from refdp.spec.cells import CellSum
from refdp.spec.clamped import ClampedGeometric
from refdp.spec.distances import NEIGHBOURS, DistanceError
from refdp.spec.domains import domain, has_neighbours
from refdp.spec.finite import FiniteLaw
from refdp.spec.level_noise import LevelNoise
from refdp.spec.median_bounds import MedianBounds
from refdp.spec.minimisers import Minimiser
from refdp.spec.noise import NORMS, AdditiveNoise, deviation_of, exact_delta, privacy_map
from refdp.spec.noisy_max import NoisyMax
from refdp.spec.perturbed_objectives import PerturbedObjective
from refdp.spec.rates import BitOfRate
from refdp.spec.rescaled import RescaledSum
from refdp.spec.rounding import Rounding
from refdp.spec.rows import RowFunction, RowSum
from refdp.spec.selection import FlipSelection, WeightedSelection
from refdp.spec.supported import SupportedLaw
from refdp.spec.unknown_keys import ThresholdedCounts, loss_and_tail
from refdp.terms.term import Term, TermError, apply, name, number, sqrt

D_IN, EPSILON = name("d_in"), name("epsilon")


@dataclass(frozen=True, slots=True)
class Signature:
    """SUBJECT maps inputs within d_in to outputs within d_out: `far` is a metric, or a measure of privacy."""

    subject: Term
    domain: Term
    metric: str
    d_in: Term
    far: str
    d_out: tuple[Term, ...]
    conditions: tuple[Term, ...]
    output_domain: Term | None = None
    """None for mechanisms, whose outputs are random."""


def counted(identifier: str) -> tuple[Term, Term]:
    """The conditions that make a name a positive integer."""
    return apply("integer", name(identifier)), 1 <= name(identifier)


def noise_signature(m: AdditiveNoise, measure: str, vector: bool = False) -> Signature:
    """absolute(d_in) |-> map(d_in) for numbers; l1 or l2 for vectors of independent draws."""
    subject, inputs, metric, conditions = registry.subject(m), m.domain, "absolute", (*m.conditions, 0 <= D_IN)
    if vector:
        subject = apply("coordinatewise", subject, name("dimension"))
        inputs, metric = domain("vector", inputs, name("dimension")), NORMS[measure][0]
        conditions = (*conditions, *counted("dimension"))
    return Signature(subject, inputs, metric, D_IN, measure, (privacy_map(m, measure).at(),), conditions)


def normal_signature(m: AdditiveNoise, vector: bool = False) -> Signature:
    """absolute(d_in) |-> approximate(epsilon, the exact delta) for numbers; l2 for vectors of independent draws."""
    epsilon, delta = name("epsilon"), exact_delta(deviation_of(m).at(), D_IN, name("epsilon"))
    conditions = (*m.conditions, 0 < D_IN, 0 <= epsilon)
    subject, inputs, metric = registry.subject(m), m.domain, "absolute"
    if vector:
        subject = apply("coordinatewise", subject, name("dimension"))
        inputs, metric = domain("vector", inputs, name("dimension")), "l2"
        conditions = (*conditions, *counted("dimension"))
    return Signature(subject, inputs, metric, D_IN, "approximate", (epsilon, delta), conditions)


def mechanism_signature(m: registry.Kind, measure: str = "pure", vector: bool = False) -> Signature:
    """The signature of a mechanism of any kind; TermError if it has no privacy map."""
    subject, conditions = registry.subject(m), (*m.conditions, 0 <= D_IN)
    match m:
        case AdditiveNoise():
            return noise_signature(m, measure, vector)
        case BitwiseLaw() if m.relation != "value":
            return Signature(subject, m.domain, m.relation, D_IN, "pure", (m.epsilon,), conditions)
        case FiniteLaw() | BitwiseLaw() | SupportedLaw() | BitOfRate():
            return Signature(subject, m.domain, "discrete", number(1), "pure", (m.epsilon,), m.conditions)
        case ClampedGeometric():
            return Signature(subject, m.domain, "absolute", D_IN, "pure", (m.privacy_map.at(),), conditions)
        case LevelNoise():
            return Signature(subject, m.domain, "absolute", m.width.at(), "pure", (m.privacy_map.at(),), m.conditions)
        case WeightedSelection() | FlipSelection() | NoisyMax() if m.privacy_map is not None:
            scores = domain("vector", domain("reals"), name("candidates"))
            given = (*conditions, *counted("candidates"))
            return Signature(subject, scores, "linf", D_IN, "pure", (m.privacy_map.at(),), given)
    raise TermError(f"{m.stem} has no privacy map")


def threshold_signature(m: AboveThreshold, metric: str) -> Signature:
    """linf(d_in), or monotone(d_in), |-> pure(the threshold's loss and that of the answers above), n answers."""
    answers = domain("vector", m.domain, name("n"))
    given = (*m.conditions, 0 <= D_IN, *counted("n"))
    return Signature(registry.subject(m), answers, metric, D_IN, "pure", (privacy_loss(m, metric),), given)


def bound_signature(m: BoundNoise) -> Signature:
    """smooth(growth) |-> pure(the loss between bounds of which none is more than growth times the other)."""
    given = (*m.conditions, 1 <= D_IN)
    return Signature(registry.subject(m), m.domain, SMOOTH, D_IN, "pure", (loss_beside_a_bound(m, D_IN),), given)


def laplace_bound_signature(m: BoundNoise, epsilon: Term = EPSILON) -> Signature:
    """smooth(growth) |-> approximate(epsilon, the exact delta), for Laplace noise."""
    require_family(m, "laplace")
    given = (*m.conditions, *laplace_conditions(D_IN, epsilon))
    losses = (epsilon, laplace_delta(D_IN, epsilon))
    return Signature(registry.subject(m), m.domain, SMOOTH, D_IN, "approximate", losses, given)


def student_bound_signature(m: BoundNoise, linear: bool = False) -> Signature:
    """smooth(growth) |-> pure(the greatest loss, or its bound that is linear in 1 / scale), for Student's noise."""
    require_family(m, "student")
    loss = (student_linear_loss if linear else student_loss)(D_IN)
    return Signature(registry.subject(m), m.domain, SMOOTH, D_IN, "pure", (loss,), (*m.conditions, 1 <= D_IN))


def objective_signature(m: PerturbedObjective, neighbours: str) -> Signature:
    """d_in edits |-> pure(d_in times the loss of one)."""
    near = metric_of(neighbours)
    given = (*m.conditions, 0 <= D_IN)
    return Signature(registry.subject(m), m.domain, near, D_IN, "pure", (D_IN * m.loss(neighbours),), given)


def unknown_keys_signature(m: ThresholdedCounts, neighbours: str) -> Signature:
    """One row added, removed or replaced |-> approximate(the loss of one count or of two, the tail beyond 1)."""
    near = metric_of(neighbours)
    return Signature(
        registry.subject(m), m.domain, near, number(1), "approximate", loss_and_tail(m, near), m.conditions
    )


def monotone_signature(m: WeightedSelection) -> Signature:
    """monotone(d_in) |-> pure(map(d_in) / 2)."""
    s = mechanism_signature(m)
    return replace(s, metric="monotone", d_out=tuple(loss / 2 for loss in s.d_out))


def sum_signature(m: RowSum | CellSum, neighbours: str, norm: str) -> Signature:
    """d_in edits |-> norm(d_in bound), in L2 norm(d_in sqrt(bound))."""
    near = metric_of(neighbours)
    if (neighbours, norm) not in m.edits:
        raise TermError(_no_map(m, neighbours, norm))
    _require_neighbours(m.input_domain, near)
    bound = m.edits[neighbours, norm].bound.at()
    d_out = (D_IN * (sqrt(bound) if norm == "l2" else bound),)
    given = (*m.conditions, 0 <= D_IN)
    return Signature(registry.subject(m), m.input_domain, near, D_IN, norm, d_out, given, m.output_domain)


def median_signature(m: MedianBounds, neighbours: str) -> Signature:
    """One row added, removed or replaced |-> smooth(growth), or tested(bound)."""
    if m.far is None:
        raise TermError(f"{m.stem} has no stability map")
    metric, far = m.far
    near = metric_of(neighbours)
    return Signature(registry.subject(m), m.domain, near, number(1), metric, (far,), m.conditions, m.output_domain)


def _no_map(m: RowSum | CellSum, neighbours: str, norm: str) -> str:
    """Why a sum has no stability map from that relation to that norm."""
    norms = sorted({far for _, far in m.edits})
    relations = [near for near, far in m.edits if far == norm]
    if norms and norm not in norms:
        return f"norm must be one of {', '.join(norms)} for {m.stem}, got {norm}"
    if relations:
        return f"neighbours must be {' or '.join(relations)} for {m.stem}, got {neighbours}"
    return f"{m.stem} has no stability map from {neighbours} to {norm}"


def rescaled_signature(m: RescaledSum, neighbours: str) -> Signature:
    """d_in edits |-> l2(d_in far), far being how far one edit moves it."""
    near = metric_of(neighbours)
    _require_neighbours(m.input_domain, near)
    d_out = (D_IN * m.far(neighbours),)
    given = (*m.conditions, 0 <= D_IN)
    return Signature(registry.subject(m), m.input_domain, near, D_IN, "l2", d_out, given, m.output_domain)


def minimiser_signature(m: Minimiser, neighbours: str, norm: str) -> Signature:
    """d_in edits |-> l2(far), far = (d_in pull + 2 tolerance) / regularisation, with 2 pull where rows are replaced.

    l1(sqrt(dimension) far), by Cauchy and Schwarz.
    """
    near = metric_of(neighbours)
    if norm not in ("l1", "l2"):
        raise TermError(f"{m.stem} has no map to {norm}")
    pull = m.pull if neighbours == "add_remove" else 2 * m.pull
    far = (D_IN * pull + 2 * name("tolerance")) / name("regularisation")
    d_out = (far if norm == "l2" else sqrt(name("dimension")) * far,)
    given = (*m.conditions, 0 <= D_IN)
    return Signature(registry.subject(m), m.input_domain, near, D_IN, norm, d_out, given, m.output_domain)


def function_signature(m: RowFunction, neighbours: str, sized: bool = False) -> Signature:
    """Row by row: d_in edits stay d_in edits; a replaced row of a filter may become a removed and an added one."""
    near = metric_of(neighbours)
    size = (name("size"),) if sized else ()
    inputs = domain("sized_table" if sized else "table", m.input_rows, *size)
    _require_neighbours(inputs, near)
    whole = sized and m.keeps_rows
    outputs = domain("sized_table", m.output_rows, *size) if whole else domain("table", m.output_rows)
    far, d_out = (near, D_IN) if m.keeps_rows or near == "symmetric" else ("symmetric", 2 * D_IN)
    conditions = (*m.conditions, 0 <= D_IN)
    return Signature(registry.subject(m), inputs, near, D_IN, far, (d_out,), conditions, outputs)


ROUNDED_NORMS = ("l1", "l2", "linf")
"""The metrics of vectors in which a rounding has a map."""


def rounding_signature(m: Rounding, metric: str) -> Signature:
    """absolute(d_in) |-> absolute(d_in) where d_in is a whole multiple of the granularity, and likewise linf.

    l1(d_in) |-> l1(d_in + dimension granularity), l2(d_in) |-> l2(d_in + sqrt(dimension) granularity): each coordinate
    moves less than one step further.
    """
    step, inputs, outputs = name("granularity"), domain("reals"), domain("grid", name("granularity"))
    conditions, far = (*m.conditions, 0 <= D_IN, apply("multiple", D_IN, step)), D_IN
    if metric != "absolute":
        if metric not in ROUNDED_NORMS:
            raise TermError(f"{m.stem} has no map in {metric}")
        size = name("dimension")
        inputs, outputs = domain("vector", inputs, size), domain("vector", outputs, size)
        conditions = (*conditions, *counted("dimension"))
        if metric != "linf":
            further = (size if metric == "l1" else sqrt(size)) * step
            conditions, far = (*m.conditions, 0 <= D_IN, *counted("dimension")), D_IN + further
    return Signature(registry.subject(m), inputs, metric, D_IN, metric, (far,), conditions, outputs)


def metric_of(neighbours: str) -> str:
    """The metric of a neighbouring relation of tables."""
    if neighbours not in NEIGHBOURS:
        raise DistanceError(f"neighbours must be one of {', '.join(NEIGHBOURS)}, got {neighbours}")
    return NEIGHBOURS[neighbours]


def _require_neighbours(d: Term, metric: str) -> None:
    """A relation without neighbours makes every claim empty: refused."""
    if not has_neighbours(d, metric):
        raise TermError(f"no two members of {d} are neighbours under {metric}: the claim would be empty")
