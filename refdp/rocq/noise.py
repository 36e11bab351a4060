"""Additive noise for Rocq: noise on a grid and on the reals, vectors of it, clamped noise, and their distances.

A noise is written down by its registered formulas; what it is made of them, NoiseClaims.v says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

import refdp.mechanisms  # noqa: F401  (it registers the mechanisms that are subjects here)
from refdp.kernel.judgements import Holds, Judgement, Law, Tail
from refdp.kernel.rules.statements import pinned
from refdp.kernel.theorem import Theorem
from refdp.rocq import judgements
from refdp.rocq.fitting import require_fitting
from refdp.rocq.terms import ATOM, NotInRocq, count, in_order, name_of, plugged, real
from refdp.rocq.writing import Export, Writers
from refdp.spec import accuracy, registry
from refdp.spec.clamped import ClampedGeometric
from refdp.spec.formulas import Formula
from refdp.spec.goals import goal
from refdp.spec.noise import AdditiveNoise
from refdp.terms.term import Term, TermError, name, names

NORMS = ("l1", "l2", "linf", "one_coordinate", "monotone", "exchange")
"""The metrics of vectors, as Tables.v calls them too."""

VECTORS_OF_REALS = "vectors of outcomes on the real line are no outcomes of the library yet"


def inside(export: Export, d: Term, integers: frozenset[str]) -> str:
    """That a number lies in a domain, in brackets; nothing for all real numbers."""
    if d.operator == "reals":
        return ""
    called = {"grid": "Tables.on_grid", "bounded": "NoiseClaims.bounded", "interval": "NoiseClaims.interval"}
    if d.operator not in called:
        raise NotInRocq(f"{d.operator} is no domain of numbers of the library yet")
    export.uses(called[d.operator].partition(".")[0])
    return f"({' '.join((called[d.operator], *(real(a, integers, ATOM) for a in d.arguments)))})"


def _absolute(export: Export, inputs: Term, distance: Term, integers: frozenset[str]) -> str:
    """Numbers of a domain that are within the distance."""
    export.uses("Tables")
    near = f"Tables.absolute {real(distance, integers, ATOM)}"
    domain = inside(export, inputs, integers)
    return f"Tables.restricted {domain} ({near})" if domain else near


def _vectors(norm: str) -> Callable[[Export, Term, Term, frozenset[str]], str]:
    """What writes the relation of vectors that are within the distance in a norm."""

    def write(export: Export, inputs: Term, distance: Term, integers: frozenset[str]) -> str:
        export.uses("Tables")
        one, size = inputs.arguments[0], count(inputs.arguments[1], integers)
        near = f"Tables.{norm} {size} {real(distance, integers, ATOM)}"
        if one.operator == "grid":
            step = real(one.arguments[0], integers, ATOM)
            return f"Tables.restricted (Tables.vector_on_grid {size} {step}) ({near})"
        domain = inside(export, one, integers)
        if domain:
            export.uses("NoiseClaims")
            return f"Tables.restricted (NoiseClaims.vector_of {domain} {size}) ({near})"
        return near

    return write


def function(f: Formula, variables: Sequence[str], bound: Mapping[str, Term], integers: frozenset[str]) -> str:
    """A formula as a function of the variables, in brackets.

    They are renamed where the arguments speak of them, or the claim has a whole number of that name.
    """
    busy = integers.union(*map(names, bound.values()))
    new = {v: next(w for w in _primed(v) if w not in busy) for v in variables}
    body = plugged(f.term, {**bound, **{v: name(w) for v, w in new.items()}})
    return f"(fun {' '.join(map(name_of, new.values()))} => {real(body, integers)})"


def _primed(written: str) -> Iterator[str]:
    """A name, and others like it."""
    while True:
        yield written
        written += "_"


def kind_of(t: Term) -> registry.Kind | None:
    """The registered thing whose subject a term is."""
    try:
        return registry.kind_of(t.operator)
    except TermError:
        return None


def noise(export: Export, t: Term, integers: frozenset[str]) -> str:
    """A mechanism that adds noise, or clamped noise, of the registered formulas."""
    kind = kind_of(t)
    export.uses("NoiseClaims")
    match kind:
        case AdditiveNoise(on_grid=True):
            bound = registry.bound(kind, t)
            step = real(bound["granularity"], integers, ATOM)
            return f"NoiseClaims.grid_noise {function(kind.log_weight, ('z',), bound, integers)} {step}"
        case AdditiveNoise():
            bound = registry.bound(kind, t)
            called = "line_noise" if kind.deviation is None else "normal_noise"
            return f"NoiseClaims.{called} {function(kind.log_weight, ('z',), bound, integers)}"
        case ClampedGeometric():
            bound = registry.bound(kind, t)
            return f"NoiseClaims.clamped_noise {' '.join(_clamped(kind, bound, integers))}"
    raise NotInRocq(f"{t.operator} is no noise of the library")


def _clamped(kind: ClampedGeometric, bound: Mapping[str, Term], integers: frozenset[str]) -> Iterator[str]:
    """What clamped noise is made of: log weight, masses inside and at the ends, step and range."""
    yield function(kind.log_weight, ("z",), bound, integers)
    for f in (kind.interior, kind.edge):
        yield function(f, ("weight", "ratio"), bound, integers)
    yield from (real(bound[p], integers, ATOM) for p in ("granularity", "lower", "upper"))


def coordinatewise(export: Export, t: Term, integers: frozenset[str]) -> str:
    """Independent noise on each coordinate of a vector."""
    inner, size = t.arguments
    kind = kind_of(inner)
    if isinstance(kind, AdditiveNoise) and not kind.on_grid:
        raise NotInRocq(VECTORS_OF_REALS)
    return f"NoiseClaims.coordinatewise ({noise(export, inner, integers)}) {count(size, integers)}"


def additive_noise(export: Export, step: Theorem, lemmas: Sequence[str]) -> str:
    """What the registered formulas of a noise prove of its privacy."""
    kind, vector = registry.lookup(step.data["stem"], AdditiveNoise), step.data.get("vector") == "yes"
    measure, normal = step.data["measure"], kind.deviation is not None and not kind.on_grid
    if (measure == "concentrated" and not (normal or kind.on_grid)) or (measure == "pure" and normal):
        raise NotInRocq(f"noise like that of {kind.stem} under {measure} is not in the library yet")
    if vector and not kind.on_grid:
        raise NotInRocq(VECTORS_OF_REALS)
    integers, bound = whole_names(step.claim), registry.bound(kind, registry.subject(kind))
    known = instances(step, lemmas, {"d_in": "distance_"})
    loss = function(kind.privacy_maps[measure], ("d_in",), bound, integers)
    made_of = _falling(kind, bound, integers)
    falls = f"- intro z. {known['tail_is_geometric']}"
    if normal:
        rate, offset = made_of[1:3]
        called = f"NoiseClaims.additive_noise_concentrated {made_of[0]} {loss} {rate} {offset}"
        proof = [falls, f"- intros a alpha b y. {known['renyi_exponent_is_bounded']}", "- assumption."]
    elif measure == "concentrated":
        called = f"NoiseClaims.additive_noise_concentrated_on_a_grid{'_vector' if vector else ''}"
        called += f" {' '.join(made_of)} {loss}"
        proof = [falls, f"- intros y a b alpha. {known['renyi_exponent_is_bounded']}"]
        proof.append(f"- intros d_1 d_2 ? ?. {known['map_grows.concentrated']}")
        proof.append(f"- intros u v. {known['parallelogram_law_holds']}")
        if vector:
            proof.append(f"- intros d_1 d_2 d ? ? ? ?. {known['losses_accumulate.concentrated']}")
    else:
        ending = "_vector" if vector else "" if kind.on_grid else "_on_the_line"
        called = f"NoiseClaims.additive_noise{ending} {' '.join(made_of)} {loss}"
        proof = [] if kind.on_grid else ["- NoiseClaims.continuous."]
        proof += [falls, f"- intros y a b distance_ ?. {known['loss_is_bounded']}"]
        if vector:
            proof.append(f"- intros d_1 d_2 d ? ? ? ?. {known['losses_accumulate.pure']}")
    return with_proof(export, step, [f"intros {introduced(step.claim)}.", f"apply ({called}).", *proof])


def _falling(kind: AdditiveNoise, bound: Mapping[str, Term], integers: frozenset[str]) -> list[str]:
    """The log weight, the rate and the offset of its bound, and on a grid the step."""
    numbers = [kind.tail_rate.term, kind.tail_offset.term, *([bound["granularity"]] if kind.on_grid else [])]
    return [function(kind.log_weight, ("z",), bound, integers), *(real(t, integers, ATOM) for t in numbers)]


def normal_noise(export: Export, step: Theorem, lemmas: Sequence[str]) -> str:
    """What normal noise has under gaussian DP, and under approximate DP at every epsilon."""
    kind = registry.lookup(step.data["stem"], AdditiveNoise)
    if step.data.get("vector") == "yes" or kind.deviation is None:
        raise NotInRocq(VECTORS_OF_REALS)
    integers, bound = whole_names(step.claim), registry.bound(kind, registry.subject(kind))
    known, weight = instances(step, lemmas), function(kind.log_weight, ("z",), bound, integers)
    called = {"gaussian_noise": "gaussian_noise", "normal_noise": "normal_noise_approximately"}[step.rule]
    return with_proof(export, step, [
        f"intros {introduced(step.claim)}.",
        f"apply (NoiseClaims.{called} {weight} {real(kind.deviation.term, integers, ATOM)}).",
        f"{'-' if step.rule == 'normal_noise' else ''} intro z. {known['weight_is_normal']}".strip(),
        *(["- assumption."] if step.rule == "normal_noise" else []),
    ])  # fmt: skip


def clamped_noise(export: Export, step: Theorem, lemmas: Sequence[str]) -> str:
    """What the registered masses of clamped noise prove of its privacy."""
    claim, kind = step.claim, registry.lookup(step.data["stem"], ClampedGeometric)
    integers, known = whole_names(claim), instances(step, lemmas, {"d_in": "distance_"})
    made_of = list(_clamped(kind, registry.bound(kind, registry.subject(kind)), integers))
    loss = function(kind.privacy_map, ("d_in",), registry.bound(kind, registry.subject(kind)), integers)
    return with_proof(export, step, [
        f"intros {introduced(claim)}.",
        f"apply (NoiseClaims.clamped_noise_private {made_of[0]} {loss} {' '.join(made_of[1:])}).",
        "- assumption.",
        "- assumption.",
        *_masses_of_clamped_noise(known),
        f"- intros a b distance_ y ?. {known['loss_is_bounded']}",
    ])  # fmt: skip


def _masses_of_clamped_noise(known: Mapping[str, str]) -> Iterator[str]:
    """What the masses of clamped noise are a law by, in the order of NoiseClaims.v."""
    yield f"- {known['range_is_a_range']}"
    yield f"- intro k. {known['weights_are_geometric']}"
    yield f"- intros c ratio weight ? ?. {known['masses_scale_with_the_weight']}"
    yield f"- intros ratio ? ?. {known['masses_are_positive']}"
    yield f"- intros ratio weight ? ?. {known['tail_telescopes']}"
    yield f"- intros ratio ? ?. {known['tails_sum_to_1']}"


def with_proof(export: Export, step: Theorem, proof: Sequence[str]) -> str:
    """Add what a step says, with its proof; its name."""
    export.uses("NoiseClaims", "Tables")
    return export.says(_called(export, step), judgements.said(export, step.claim), proof, step.rule)


def _called(export: Export, step: Theorem) -> str:
    """A name for a step that no other one has."""
    base = "__".join((str(step.data["stem"]), step.rule))
    taken = {line.split()[1] for line in export.lines if line.startswith("Theorem ")}
    return next(n for n in _primed(base) if n not in taken)


def introduced(claim: Judgement) -> str:
    """The names that a claim is quantified over, to introduce, and its conditions."""
    given, _, free = judgements.conditions(claim.term, getattr(claim, "given", ()))
    return " ".join((*map(name_of, free), *("?" for _ in given)))


def whole_names(claim: Judgement) -> frozenset[str]:
    """The names of a claim that stand for whole numbers."""
    return judgements.conditions(claim.term, getattr(claim, "given", ()))[1]


def instances(step: Theorem, lemmas: Sequence[str], other: Mapping[str, str] = MappingProxyType({})) -> dict[str, str]:
    """Obligation -> the tactic that proves it of the names as the obligation calls them, or of `other` ones."""
    integers, found = whole_names(step.claim), {}
    for premise, lemma in zip(step.premises, lemmas, strict=True):
        holds = premise.claim
        if not isinstance(holds, Holds):
            raise NotInRocq(f"{step.rule} has a premise that is no statement about formulas")
        statement = pinned(f"{holds.stem}.{holds.name}", holds.digest)
        g = goal(statement)
        ordered = in_order(statement, g.integers)
        values = [f"(IZR {name_of(v)})" if v in integers - g.integers else name_of(other.get(v, v)) for v in ordered]
        known = " ".join((lemma, *values, *("ltac:(assumption)" for _ in g.given)))
        found[holds.name] = f"NoiseClaims.known ({known})."
    return found


def said(export: Export, claim: Judgement) -> str:
    """What a noise's masses sum to, or how likely its errors are; nothing for judgements of other kinds."""
    match claim:
        case Law(kind="normalised", said=()):
            given, integers, free = judgements.conditions(claim.term, claim.given)
            return judgements.universal(free, integers, given, _normalised(export, claim.subject, integers))
        case Tail(error="error"):
            require_fitting(claim.subject, claim.domain)
            given, integers, free = judgements.conditions(claim.term, claim.given)
            return judgements.universal(free, integers, given, _tail(export, claim, integers))
    return ""


def _normalised(export: Export, t: Term, integers: frozenset[str]) -> str:
    """That the masses of a noise are a law, and the mechanism's."""
    kind = kind_of(t)
    if not isinstance(kind, AdditiveNoise | ClampedGeometric):
        raise NotInRocq(f"that the masses of {t.operator} sum to 1 is not in the library yet")
    bound = registry.bound(kind, t)
    if isinstance(kind, ClampedGeometric):
        return f"NoiseClaims.normalised_clamped_noise {' '.join(_clamped(kind, bound, integers))}"
    if not kind.on_grid:
        raise NotInRocq("integrals have no counterpart in the library")
    weight, step = function(kind.log_weight, ("z",), bound, integers), real(bound["granularity"], integers, ATOM)
    if kind.normaliser is None:
        return f"NoiseClaims.normalised_noise {weight} {step} (NoiseClaims.sum_of_weights {weight} {step})"
    normaliser = function(kind.normaliser, ("ratio",), bound, integers)
    return f"NoiseClaims.normalised_noise {weight} {step} ({normaliser} (exp ({weight} {step})))"


def normalised(export: Export, step: Theorem, lemmas: Sequence[str]) -> str:
    """That the masses of a noise on a grid, or of clamped noise, are those of a law."""
    claim, kind = step.claim, registry.kind_of(step.data["stem"])
    integers, known, bound = whole_names(claim), instances(step, lemmas), registry.bound(kind, registry.subject(kind))
    proof = [f"intros {introduced(claim)}."]
    match kind:
        case ClampedGeometric():
            made_of = " ".join(_clamped(kind, bound, integers))
            proof.append(f"apply (NoiseClaims.clamped_noise_is_normalised {made_of}).")
            proof += ["- assumption.", "- assumption.", *_masses_of_clamped_noise(known)]
        case AdditiveNoise(normaliser=None):
            rate, offset = (real(f.term, integers, ATOM) for f in (kind.tail_rate, kind.tail_offset))
            proof.append(f"apply (NoiseClaims.noise_is_normalised_by_its_sum _ {rate} {offset}).")
            proof.append(f"intro z. {known['tail_is_geometric']}")
        case AdditiveNoise():
            weight = function(kind.log_weight, ("z",), bound, integers)
            normaliser = function(kind.normaliser, ("ratio",), bound, integers) if kind.normaliser else ""
            proof.append(f"apply (NoiseClaims.noise_is_normalised {weight} _ {normaliser}).")
            proof.append(f"- intro k. {known['weights_are_geometric']}")
            proof.append(f"- intros ratio ? ?. {known['sum_is_the_normaliser']}")
    return with_proof(export, step, proof)


EVENTS, BOUNDS = ("at_least", "more_than"), {"at_most": "<=", "probability": "="}
"""What a tail may say of an error, and how it says how likely that is."""


def _tail(export: Export, claim: Tail, integers: frozenset[str]) -> str:
    """That an input's error is as likely as a claim says."""
    domain, kind = inside(export, claim.domain, integers), kind_of(claim.subject)
    if not isinstance(kind, AdditiveNoise) or not kind.on_grid:
        raise NotInRocq(f"errors of {claim.subject.operator} are not in the library yet")
    export.uses("Noise")
    if claim.event not in EVENTS or claim.bound not in BOUNDS:
        raise NotInRocq(f"{claim.event} with {claim.bound} has no word in the library")
    threshold, beta = real(claim.threshold, integers, ATOM), real(claim.beta, integers)
    error = f"Noise.{claim.event} {threshold}"
    subject = noise(export, claim.subject, integers)
    x = next(w for w in _primed("x") if w not in names(claim.term))
    return f"forall {x} : R, {domain} {x} -> E ({subject} {x}) ({error} {x}) {BOUNDS[claim.bound]} {beta}"


def noise_tail(export: Export, step: Theorem, lemmas: Sequence[str]) -> str:
    """How likely large noise on a grid is."""
    claim, kind = step.claim, registry.lookup(step.data["stem"], AdditiveNoise)
    if step.data["event"] not in EVENTS:
        raise NotInRocq(f"{step.data['event']} has no word in the library")
    if not isinstance(claim, Tail) or not kind.on_grid:
        raise NotInRocq("integrals over half lines have no counterpart in the library")
    integers, bound = whole_names(claim), registry.bound(kind, registry.subject(kind))
    known = instances(step, lemmas, {"alpha": "threshold_"})
    exactly, inverted = (step.data.get(key) == "yes" for key in ("exactly", "inverted"))
    tails = accuracy.tails_of(kind)
    made_of = _falling(kind, bound, integers)
    log_tail = function(tails.log_tail, ("alpha",), bound, integers)
    called = f"noise_tail_{'exactly_' if exactly else ''}{'inverted' if inverted else step.data['event']}"
    fewer = f" {function(tails.radius, ('level',), bound, integers)}" if inverted and tails.radius is not None else ""
    has_the_level = [f"- intros level ?. {known['radius_has_the_level']}"] if fewer else []
    falls = known["tail_is_exact" if exactly else "tail_is_bounded"]
    return with_proof(export, step, [
        f"intros {introduced(claim)} ? ?.",
        f"assert (law : Noise.tail_is_geometric {' '.join(made_of)}).",
        f"{{ intro z. {known['tail_is_geometric']} }}",
        f"apply (NoiseClaims.{called} {' '.join(made_of)} {log_tail} law{fewer}).",
        f"- intros threshold_ h ? ?. {falls}",
        *has_the_level,
        *(["- assumption."] * (2 if inverted else len(claim.given) - len(kind.conditions))),
    ])  # fmt: skip


SUBJECTS: Mapping[str, Callable[[Export, Term, frozenset[str]], str]] = {
    **{k.stem: noise for k in registry.kinds() if isinstance(k, AdditiveNoise | ClampedGeometric)},
    "coordinatewise": coordinatewise,
}
NEAR: Mapping[tuple[str, str], Callable[[Export, Term, Term, frozenset[str]], str]] = {
    **{(d, "absolute"): _absolute for d in ("reals", "grid", "bounded", "interval")},
    **{("vector", norm): _vectors(norm) for norm in NORMS},
}
"""The relations of Tables.v; a vector is a function of which the first coordinates count."""
WRITERS: Writers = {
    "additive_noise": additive_noise,
    "clamped_noise": clamped_noise,
    "gaussian_noise": normal_noise,
    "normal_noise": normal_noise,
    "noise_tail": noise_tail,
    "normalised": normalised,
}
