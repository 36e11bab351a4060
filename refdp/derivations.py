"""The theorem of a pipeline: its parts' claims, instantiated and chained by kernel rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction

import refdp.mechanisms
import refdp.statements
import refdp.transformations  # noqa: F401  (importing them registers what theorems are about)
from refdp.kernel import rules
from refdp.kernel.judgements import KernelError, Private, Stable
from refdp.kernel.rules.accounts import part
from refdp.kernel.rules.settle import substituted
from refdp.kernel.theorem import Theorem
from refdp.numerics.exact import NotExact, exact, exact_number, upper_bound
from refdp.pipeline import LENGTH, Exactly, Measurement, Transformation
from refdp.proofs.lemmas import (
    cells_are_stable,
    minimiser_is_stable,
    rescaled_sum_is_stable,
    rows_are_stable,
    sum_is_stable,
)
from refdp.proofs.lines import proved
from refdp.spec import registry
from refdp.spec.above_threshold import AboveThreshold
from refdp.spec.cells import CellSum
from refdp.spec.conversions import amplified, concentrated_of_pure, epsilon_of_concentrated, epsilon_of_renyi
from refdp.spec.distances import NEIGHBOURS
from refdp.spec.level_sums import LevelSums
from refdp.spec.linear import LinearMap, Matrix
from refdp.spec.median_bounds import MedianBounds
from refdp.spec.minimisers import Minimiser
from refdp.spec.noise import NORMS, AdditiveNoise
from refdp.spec.perturbed_objectives import PerturbedObjective
from refdp.spec.propose_test_release import TEST_NOISE
from refdp.spec.propose_test_release import losses as tested_losses
from refdp.spec.rescaled import RescaledSum
from refdp.spec.rows import RowFunction, RowSum
from refdp.spec.samplers import SCHEMES
from refdp.spec.selection import FlipSelection, WeightedSelection
from refdp.spec.unknown_keys import ThresholdedCounts
from refdp.terms.term import Term, name, names, number, substitute, subterms
from refdp.transformations.linear import output_step, squared_factor

SECONDS = 10.0
"""Work of each engine of accounts, as it is counted, after which the next one is asked."""
RELATIONS = {metric: neighbours for neighbours, metric in NEIGHBOURS.items()}


def theorem(pipeline: Measurement | Transformation, d_in: Exactly) -> Theorem:
    """|- the pipeline's map at d_in, for all inputs within d_in; by the proofs of its parts and the kernel's rules.

    An irrational d_out enters as its rational upper bound of 12 digits.  Raises KernelError where a part has no proof,
    and where the map is stated at d_in = 1 alone and another is asked for.
    """
    distance = number(exact(d_in, "d_in"))
    if pipeline.at_one and distance != number(1):
        raise KernelError(f"d_in must be 1, where the map of {pipeline.subject} is stated, got {d_in}")
    return _made(pipeline, distance) if isinstance(pipeline, Measurement) else _stable(pipeline, distance)


def account_theorem(
    measurements: Sequence[Measurement],
    d_in: Exactly,
    epsilon: Exactly,
    delta: Exactly,
    counts: Sequence[int] | None = None,
    rates: Sequence[Exactly | None] | None = None,
    seconds: float = SECONDS,
) -> Theorem:
    """|- all of them, each as often as its count says, are within epsilon and delta together, by the rule `account`.

    With a rate, each run is on a Poisson sample of the rows of its own.  Noise after a map of data is accounted for as
    that noise, anything else as its measure says.  `seconds` is the work that each engine may do.  KernelError where no
    engine shows it.
    """
    from refdp.accounting.evidence import evidence_for

    at, limit, near = exact(epsilon, "epsilon"), exact(delta, "delta"), number(exact(d_in, "d_in"))
    times, samples = counts or [1] * len(measurements), rates or [None] * len(measurements)
    if not len(times) == len(samples) == len(measurements) > 0:
        raise KernelError("counts and rates must be one for each of one or more measurements")
    known = [_known(m, near, rate) for m, rate in zip(measurements, samples, strict=True)]
    premises, noises, on_samples = zip(*known, strict=True)
    claims = [t.claim for t in premises if isinstance(t.claim, Private | Stable)]
    pairs = [part(*data)[1] for data in zip(claims, noises, on_samples, map(str, times), strict=True)]
    found = evidence_for(pairs, at, limit, seconds)
    if found is None:
        raise KernelError(f"no engine shows that they have at most delta {limit} at epsilon {at}")
    return rules.account(
        *premises, noises=noises, rates=on_samples, counts=times, epsilon=at, delta=limit, engine=found.engine,
        evidence=found.numbers,
    )  # fmt: skip


def _known(m: Measurement, d_in: Term, sample: Exactly | None) -> tuple[Theorem, str, str]:
    """What is known of a part of an account: the theorem of a query, with its noise, or its own; and its sampling."""
    rate, recipe = "" if sample is None else str(exact(sample, "rate")), m.recipe
    if recipe is not None and recipe.rule == "poisson_sampled" and not rate:
        [m], rate = [one for one in recipe.parts if isinstance(one, Measurement)], str(recipe.data["rate"])
    made = _made(m, d_in)
    stable = made.premises[0] if made.rule == "chain" else made
    if isinstance(stable.claim, Stable):
        noise = str(m.subject.arguments[1])
        with suppress(KernelError, ValueError, LookupError):  # else it is no noise of which a pair is known
            part(stable.claim, noise, rate, "1")
            return stable, noise, rate
    return made, "", rate


def _stable(t: Transformation, d_in: Term) -> Theorem:
    """The theorem of a transformation, in the metrics in which its parts meet."""
    if t.parts is None:
        return _derived(t.subject, t.input_domain, t.input_metric, d_in, t.output_metric)
    first, second = t.parts
    before = _stable(first, d_in)
    if not isinstance(before.claim, Stable):
        raise KernelError(f"{first.subject} is not a transformation")
    met = before.claim
    if second.parts is not None:
        return rules.chain(before, _stable(second, met.d_out[0]))
    after = _derived(second.subject, met.output_domain, met.output_metric, met.d_out[0], second.output_metric)
    return rules.chain(before, after)


def _made(m: Measurement, d_in: Term) -> Theorem:
    """The theorem of a measurement, by its recipe where its subject alone does not say how it was made."""
    if m.recipe is None:
        return _derived(m.subject, m.input_domain, m.input_metric, d_in, "")
    made = m.recipe
    if made.rule == "chain":
        first, second = made.parts
        if not isinstance(first, Transformation) or not isinstance(second, Measurement):
            raise KernelError(f"{m.subject} is not chained")
        stable = _stable(first, d_in)
        if not isinstance(stable.claim, Stable):
            raise KernelError(f"{first.subject} is not a transformation")
        met = stable.claim
        if second.recipe is None and not second.at_one:
            return rules.chain(stable, _derived(second.subject, met.output_domain, met.output_metric, met.d_out[0], ""))
        near = number(1) if second.at_one else met.d_out[0]
        return rules.chain(stable, _at(_made(second, near), met.output_domain))
    parts = [part for part in made.parts if isinstance(part, Measurement)]
    match made.rule:
        case "compose":
            return rules.compose(*(_made(part, d_in) for part in parts))
        case "post_process":
            return rules.post_process(_made(parts[0], d_in), function=made.data["function"])
        case "public_coordinate":
            return rules.public_coordinate(_made(parts[0], d_in), n=made.data["n"])
        case "peeled":
            return rules.peeled(_made(parts[0], d_in), k=made.data["k"])
        case "tested":
            return _tested(_made(parts[0], d_in), made.data["scale"], made.data["threshold"])
        case "at_epsilon":
            values = registry.bound(registry.kind_of(m.subject.operator), m.subject)
            family = proved(f"{m.subject.operator}.{m.measure}")
            return _instance(family, {**values, **made.data, "d_in": d_in})
        case "poisson_sampled":
            return _sampled(parts[0], made.data["rate"], d_in)
        case "convert":
            return _converted(_made(parts[0], d_in), m.measure, made.data)
    raise KernelError(f"{made.rule} is not a way to make a measurement")


def _at(m: Theorem, inputs: Term) -> Theorem:
    """The theorem for data of the length that they have, where it is about data of every length."""
    claim = m.claim
    if not isinstance(claim, Private) or claim.domain.operator != "vector" or inputs.operator != "vector":
        return m
    size = claim.domain.arguments[1]
    if size not in (LENGTH, name("candidates")):
        return m
    return rules.instantiate(m, values={str(size): inputs.arguments[1]})


def _tested(m: Theorem, scale: Term, threshold: Term) -> Theorem:
    """The theorem of a release that is tested first."""
    claim = m.claim
    if not isinstance(claim, Private):
        raise KernelError(f"{claim.term} is not private")
    bounds = [str(b) for b in _bounds(tested_losses(claim.d_out, scale, threshold))]
    return rules.propose_test_release(m, scale=scale, threshold=threshold, d_out=bounds)


def _sampled(m: Measurement, rate: Term, d_in: Term) -> Theorem:
    """The theorem on a sample of the rows for one row, and by group privacy for several."""
    inner = _made(m, number(1))
    claim = inner.claim
    if not isinstance(claim, Private):
        raise KernelError(f"{claim.term} is not private")
    losses = (amplified(rate, claim.d_out[0]), *(rate * delta for delta in claim.d_out[1:]))
    one = rules.poisson_sampled(inner, rate=rate, d_out=[str(b) for b in _bounds(losses)])
    return one if d_in == number(1) else rules.group(one, k=d_in)


def _converted(m: Theorem, measure: str, data: Mapping[str, Term]) -> Theorem:
    """The theorem under another measure, at the order or the delta that was chosen."""
    claim = m.claim
    if not isinstance(claim, Private):
        raise KernelError(f"{claim.term} is not private")
    if measure == "concentrated":
        return rules.pure_to_concentrated(m, d_out=[str(b) for b in _bounds((concentrated_of_pure(claim.d_out[0]),))])
    if measure == "renyi":
        order = data["order"]
        return rules.concentrated_to_renyi(
            m, order=order, d_out=[str(b) for b in _bounds((order, claim.d_out[0] * order))]
        )
    if claim.measure == "pure":
        return rules.pure_to_approximate(m)
    delta = data["delta"]
    if claim.measure == "concentrated":
        losses = (epsilon_of_concentrated(claim.d_out[0], delta), delta)
        return rules.concentrated_to_approximate(m, delta=delta, d_out=[str(b) for b in _bounds(losses)])
    order, epsilon = claim.d_out
    losses = (epsilon_of_renyi(order, epsilon, delta), delta)
    return rules.renyi_to_approximate(m, delta=delta, d_out=[str(b) for b in _bounds(losses)])


def sampler_theorems(subject: Term) -> dict[str, Theorem]:
    """Stem -> |- its sampler draws from its law, for every mechanism in the subject that draws."""
    drawn = (TEST_NOISE if t.operator == "tested" else t.operator for t in subterms(subject))
    stems = dict.fromkeys(stem for stem in drawn if stem in SCHEMES)
    return {stem: proved(f"{stem}.sampler_law") for stem in stems}


def _derived(subject: Term, inputs: Term, metric: str, d_in: Term, far: str) -> Theorem:
    """The theorem of one subject; `far` is the metric that its successor reads, empty for the last."""
    arguments = subject.arguments
    match subject.operator:
        case "chain":
            first = _derived(arguments[0], inputs, metric, d_in, near_metric(arguments[1]))
            reached = first.claim
            if not isinstance(reached, Stable):
                raise KernelError(f"{arguments[0]} is not a transformation")
            near = (reached.output_domain, reached.output_metric, reached.d_out[0])
            return rules.chain(first, _derived(arguments[1], *near, far))
        case "compose":
            return rules.compose(*(_derived(m, inputs, metric, d_in, far) for m in arguments))
        case "post_process":
            return rules.post_process(_derived(arguments[1], inputs, metric, d_in, far), function=arguments[0])
        case "parallel":
            parts = [_derived(m, inputs, "symmetric", number(1), far) for m in arguments[1:]]
            return rules.parallel(*parts, partition=arguments[0], neighbours=RELATIONS[metric])
        case "peeled":
            return rules.peeled(_derived(arguments[0], inputs, metric, d_in, far), k=arguments[1])
        case "public_coordinate":
            return rules.public_coordinate(
                _derived(arguments[0], inputs.arguments[0], metric, d_in, far), n=arguments[1]
            )
        case "coordinatewise":
            return _vector_noise(arguments[0], arguments[1], d_in)
        case "program":
            return _of_program(subject, metric, d_in)
        case "query":
            return _instance(proved_query(subject, inputs, metric, far), {"d_in": d_in})
        case "rounded_to":
            return _rounded(subject, inputs, metric, d_in)
    return _instance(_family(subject, inputs, metric, far), _values(subject, inputs, d_in))


def near_metric(subject: Term) -> str:
    """The metric that a subject reads, empty where it reads whatever relation its tables have."""
    if subject.operator == "chain":
        return near_metric(subject.arguments[0])
    if subject.operator == "coordinatewise":
        return NORMS[_measure(subject.arguments[0])][0]
    if subject.operator in ("compose", "post_process"):
        return near_metric(subject.arguments[-1])
    if subject.operator == "peeled":
        return near_metric(subject.arguments[0])
    kind = registry.kind_of(subject.operator)
    if isinstance(kind, WeightedSelection | FlipSelection | AboveThreshold):
        return "linf"
    return "absolute" if isinstance(kind, AdditiveNoise) else ""


_QUERIES: dict[tuple[Term, Term, str], dict[str, Theorem]] = {}
"""Query, domain and metric -> what is proved of it, by the metric of its answers."""


def keep_query(found: Theorem) -> None:
    """Keep what is proved of a user's query, for the pipelines that it stands in: of two bounds the closer one."""
    claim = found.claim
    if not isinstance(claim, Stable):
        raise KernelError(f"{claim.term} is not about a query")
    kept = _QUERIES.setdefault((claim.subject, claim.domain, claim.metric), {})
    earlier = kept[claim.output_metric].claim if claim.output_metric in kept else None
    alike = isinstance(earlier, Stable) and earlier.output_domain == claim.output_domain
    if isinstance(earlier, Stable) and alike and _at_one(earlier) <= _at_one(claim):
        return
    kept[claim.output_metric] = found


def _at_one(claim: Stable) -> Fraction:
    """How far answers move at the distance 1, rounded up."""
    return upper_bound(substitute(claim.d_out[0], {"d_in": number(1)}))


def proved_query(subject: Term, inputs: Term, metric: str, far: str) -> Theorem:
    """What was proved of a user's query on these tables; KernelError where nothing was."""
    found = _QUERIES.get((subject, inputs, metric), {})
    theorem = found.get(far) if far else next(iter(found.values()), None)
    if theorem is None:
        raise KernelError(
            f"nothing is proved of {subject.arguments[0]} on {inputs} under {metric}; refdp.query does it"
        )
    return theorem


_PROGRAMS: dict[tuple[Term, str], Theorem] = {}
"""Program and metric -> what is proved of it."""


def keep_program(found: Theorem) -> None:
    """Keep what is proved of a user's program, for the pipelines that it stands in."""
    claim = found.claim
    if not isinstance(claim, Private):
        raise KernelError(f"{claim.term} is not about a program")
    _PROGRAMS[claim.subject, claim.metric] = found


def _of_program(subject: Term, metric: str, d_in: Term) -> Theorem:
    """What was proved of a user's program; KernelError where nothing was, or at another distance."""
    found = _PROGRAMS.get((subject, metric))
    if found is None:
        raise KernelError(f"nothing is proved of {subject.arguments[0]} under {metric}; refdp.program does it")
    if d_in != number(1):
        raise KernelError(f"what is proved of {subject.arguments[0]} is about data at most 1 apart, got {d_in}")
    return found


def _rounded(subject: Term, inputs: Term, metric: str, d_in: Term) -> Theorem:
    """The claim about rounding numbers, or vectors of that many coordinates, to that granularity."""
    family = rules.rounded(stem=subject.operator, metric=metric)
    sized = {"dimension": inputs.arguments[1]} if inputs.operator == "vector" else {}
    return _instance(family, {"granularity": subject.arguments[0], "d_in": d_in, **sized})


def _measure(noise: Term) -> str:
    """The measure under which an additive noise has its map."""
    return next(iter(registry.lookup(noise.operator, AdditiveNoise).privacy_maps))


def _vector_noise(noise: Term, dimension: Term, d_in: Term) -> Theorem:
    """The claim about vectors of independent draws, at the noise's parameters."""
    family = proved(f"{noise.operator}.{_measure(noise)}_vector")
    bound = registry.bound(registry.kind_of(noise.operator), noise)
    return _instance(family, {**bound, "dimension": dimension, "d_in": d_in})


def _family(subject: Term, inputs: Term, metric: str, far: str) -> Theorem:
    """The claim about the subject's stem for all its parameters."""
    kind = registry.kind_of(subject.operator)
    match kind:
        case LinearMap():
            return _linear_map(subject, kind.matrix(subject), metric, far or "l1")
        case LevelSums():
            return rules.level_sums(stem=kind.stem, near=metric, far=far or "l1")
        case RowFunction():
            return rows_are_stable(kind.stem, _relation(metric), "yes" if inputs.operator == "sized_table" else "no")
        case RowSum():
            return sum_is_stable(kind.stem, _relation(metric), far or ("l1" if kind.is_vector else "absolute"))
        case RescaledSum():
            return rescaled_sum_is_stable(kind.stem, _relation(metric))
        case CellSum():
            return cells_are_stable(kind.stem, _relation(metric), far or "l1")
        case Minimiser():
            return minimiser_is_stable(kind.stem, _relation(metric), far or "l2")
        case AdditiveNoise():
            return proved(f"{kind.stem}.{_measure(subject)}")
        case MedianBounds():
            return rules.median_bounds(stem=kind.stem, neighbours=_relation(metric))
        case AboveThreshold():
            return proved(f"{kind.stem}.{'monotone' if metric == 'monotone' else 'pure'}")
        case WeightedSelection() if metric == "monotone":
            return proved(f"{kind.stem}.monotone")
        case ThresholdedCounts() | PerturbedObjective():
            return proved(f"{kind.stem}.{_relation(metric)}")
    return proved(f"{kind.stem}.pure")


def _linear_map(subject: Term, matrix: Matrix, metric: str, far: str) -> Theorem:
    """The claim about a linear map, on every grid."""
    squared = str(squared_factor(matrix)) if metric == far == "l2" else None
    found = {} if squared is None else {"squared": squared}
    return rules.linear_map(subject=subject, near=metric, far=far, step=output_step(matrix), **found)


def _relation(metric: str) -> str:
    """The neighbouring relation of a metric of tables."""
    if metric not in RELATIONS:
        raise KernelError(f"the metric of tables must be one of {', '.join(RELATIONS)}, got {metric}")
    return RELATIONS[metric]


def _values(subject: Term, inputs: Term, d_in: Term) -> dict[str, Term]:
    """The names of a family and what they stand for here."""
    values = {**registry.bound(registry.kind_of(subject.operator), subject), "d_in": d_in}
    if inputs.operator == "sized_table":
        values["size"] = inputs.arguments[1]
    if inputs.operator == "vector":
        values["candidates"] = values["n"] = inputs.arguments[1]
        if inputs.arguments[0].operator == "grid":
            values["granularity"] = inputs.arguments[0].arguments[0]
    return values


def _instance(family: Theorem, values: Mapping[str, Term]) -> Theorem:
    """The instance at the values that occur in the family, an irrational d_out replaced by an upper bound."""
    used = {key: value for key, value in values.items() if key in names(family.claim.term) and value != name(key)}
    claim = family.claim
    if not isinstance(claim, Private | Stable):
        raise KernelError(f"{claim.term} has no map")
    bounds = [str(b) for b in _bounds(substituted(claim, used).d_out)]
    return rules.instantiate(family, values=used, d_out=bounds)


def _bounds(d_out: tuple[Term, ...]) -> Iterator[object]:
    """Each closed number itself where it is a + ln(b), else a rational upper bound."""
    for t in d_out:
        try:
            yield exact_number(t)
        except NotExact:
            yield upper_bound(t)
