"""Judgements: what a theorem can say.  Each is a term, so a claim is compared by its canonical text.

    holds('STEM.NAME', 'DIGEST')
    private(SUBJECT, DOMAIN, METRIC(d_in), MEASURE(d_out), CONDITIONS...)
    stable(SUBJECT, DOMAIN, METRIC(d_in), DOMAIN, METRIC(d_out), CONDITIONS...)
    tail(SUBJECT, DOMAIN, ERROR(EVENT(threshold)), probability(beta) | at_most(beta), CONDITIONS...)
    normalised(SUBJECT, CONDITIONS...)     sampler_law(SUBJECT, CONDITIONS...)     finite_sensitivity(SUBJECT, ...)
    unbounded_loss(SUBJECT, METRIC(d_in), CONDITIONS...)     same_law(SUBJECT, OTHER, CONDITIONS...)
    renyi_divergence(SUBJECT, METRIC(d_in), renyi(order, EPSILON), CONDITIONS...)
    squared_error(STRATEGY, DECODER, WORKLOAD, TOTAL)
    frequency_estimate(SUBJECT, OWN, OTHER, VARIANCE, CONDITIONS...)     balanced_estimate(SUBJECT, ...), likewise
    number_estimate(SUBJECT, OFFSET, WIDTH, VARIANCE, CONDITIONS...)
    engine_claim('KIND', 'FUNCTION', 'DIGEST', 'QUESTION')
    refuted(CLAIM)

A claim holds for all values of its names that satisfy its conditions; integer(n) and multiple(a, b) are conditions too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from refdp.spec.distances import METRICS, measure
from refdp.spec.well_formed import (
    require_condition,
    require_domain,
    require_mechanism,
    require_number,
    require_numbers_apart,
    require_subject,
    require_transformation,
)
from refdp.terms.term import Term, TermError, apply, text


class KernelError(Exception):
    """A rule was applied where its premises or side conditions do not hold."""


class Unanswered(KernelError):
    """Whoever was asked gave no answer: that is neither a proof nor a forgery."""


@dataclass(frozen=True, slots=True)
class Holds:
    """The statement `name` about the formulas of `stem`, as their digest pins it."""

    stem: str
    name: str
    digest: str

    @property
    def term(self) -> Term:
        return apply("holds", text(f"{self.stem}.{self.name}"), text(self.digest))


@dataclass(frozen=True, slots=True)
class Private:
    """M: inputs within d_in under the metric give output laws within d_out under the measure."""

    subject: Term
    domain: Term
    metric: str
    d_in: Term
    measure: str
    d_out: tuple[Term, ...]
    given: tuple[Term, ...] = ()

    @property
    def term(self) -> Term:
        near, far = apply(self.metric, self.d_in), apply(self.measure, *self.d_out)
        return apply("private", self.subject, self.domain, near, far, *self.given)


@dataclass(frozen=True, slots=True)
class Stable:
    """T: inputs within d_in under one metric give outputs within d_out under the other."""

    subject: Term
    domain: Term
    metric: str
    d_in: Term
    output_domain: Term
    output_metric: str
    d_out: tuple[Term, ...]
    given: tuple[Term, ...] = ()

    @property
    def term(self) -> Term:
        near, far = apply(self.metric, self.d_in), apply(self.output_metric, *self.d_out)
        return apply("stable", self.subject, self.domain, near, self.output_domain, far, *self.given)


LAWS: Mapping[str, str] = {
    "normalised": "the masses of M sum to 1",
    "sampler_law": "the sampler of M draws from M's law",
    "finite_sensitivity": "one edit moves T by at most some finite bound",
    "unbounded_loss": "between inputs just d_in apart M has no finite loss",
    "renyi_divergence": "between inputs just d_in apart the Renyi divergence of that order is epsilon",
    "same_law": "both mechanisms have the same law at every input",
    "squared_error": "decoded, the answers of T with noise of variance 1 have that total squared error on the workload",
    "frequency_estimate": "decoded with these probabilities of a yes, n reports estimate how many inputs have any one "
    "value: without bias, and with that variance",
    "balanced_estimate": "the same of reports of one of several hashes, where those of two values agree under one "
    "function in as many as a function has results",
    "number_estimate": "width times (bit - offset) has the input as its mean, and that variance",
    "never_private": "of no two inputs just d_in apart are the laws within d_out under the measure, in both orders",
}
"""Kind of law -> what it says."""
SAID: Mapping[str, tuple[str, ...]] = {
    "normalised": (),
    "sampler_law": (),
    "finite_sensitivity": (),
    "unbounded_loss": ("distance",),
    "renyi_divergence": ("distance", "distance"),
    "same_law": ("subject",),
    "squared_error": ("transformation", "transformation", "number"),
    "frequency_estimate": ("number", "number", "number"),
    "balanced_estimate": ("number", "number", "number"),
    "number_estimate": ("number", "number", "number"),
    "never_private": ("distance", "distance"),
}
"""Kind of law -> of what sort is each thing that it says of its subject."""
ESTIMATES = ("frequency_estimate", "balanced_estimate", "number_estimate")
"""The kinds that say of an estimate that it is unbiased, and what its variance is."""


@dataclass(frozen=True, slots=True)
class Law:
    """A claim of one of the LAWS; what it says besides its subject is `said`."""

    kind: str
    subject: Term
    given: tuple[Term, ...] = ()
    said: tuple[Term, ...] = ()

    @property
    def term(self) -> Term:
        return apply(self.kind, self.subject, *self.said, *self.given)


@dataclass(frozen=True, slots=True)
class Tail:
    """M: for every input, its error is at_least, or more_than, the threshold with probability beta, or at_most beta."""

    subject: Term
    domain: Term
    error: str
    event: str
    threshold: Term
    bound: str
    beta: Term
    given: tuple[Term, ...] = ()

    @property
    def term(self) -> Term:
        event, bound = apply(self.error, apply(self.event, self.threshold)), apply(self.bound, self.beta)
        return apply("tail", self.subject, self.domain, event, bound, *self.given)


@dataclass(frozen=True, slots=True)
class EngineClaim:
    """What the question asks of a function in the text of that digest, in the words of an engine; the answer is yes.

    It is about no text where the digest is empty.  A long question is named by its digest.
    """

    kind: str
    function: str
    source: str
    question: str

    @property
    def term(self) -> Term:
        return apply("engine_claim", *map(text, (self.kind, self.function, self.source, self.question)))


@dataclass(frozen=True, slots=True)
class Refuted:
    """The claim is false: some instance within its conditions fails."""

    claim: Private | Stable | Law | Tail | Holds | EngineClaim

    @property
    def term(self) -> Term:
        return apply("refuted", self.claim.term)


Relation = Private | Stable
Judgement = Holds | Private | Stable | Law | Tail | EngineClaim | Refuted


def require(condition: bool, otherwise: str) -> None:
    """A side condition of a rule.  Not `assert`: python -O must not make the kernel unsound."""
    if not condition:
        raise KernelError(otherwise)


def require_well_formed(claim: Judgement) -> None:
    """Every subject and every domain of the claim says something.  TermError otherwise."""
    match claim:
        case Refuted(inner):
            require_well_formed(inner)
        case Stable():
            require_transformation(claim.subject)
            require_domain(claim.domain)
            require_domain(claim.output_domain)
            require_numbers_apart(claim.subject, claim.domain, claim.output_domain)
            _require_numbers(claim.d_in, *claim.d_out)
            _require_conditions(claim.given)
        case Private():
            require_mechanism(claim.subject)
            require_domain(claim.domain)
            require_numbers_apart(claim.subject, claim.domain)
            _require_numbers(claim.d_in, *claim.d_out)
            _require_conditions(claim.given)
        case Tail():
            require_mechanism(claim.subject)
            require_domain(claim.domain)
            require_numbers_apart(claim.subject, claim.domain)
            _require_numbers(claim.threshold, claim.beta)
            _require_conditions(claim.given)
        case Law():
            require_subject(claim.subject)
            sorts = SAID[claim.kind]
            if len(claim.said) != len(sorts):
                raise TermError(f"{claim.kind} says {len(sorts)} things of its subject, got {claim.term}")
            for sort, one in zip(sorts, claim.said, strict=True):
                REQUIRED[sort](one)
            if claim.kind in ESTIMATES:
                require_mechanism(claim.subject)
            _require_conditions(claim.given)


def _require_numbers(*ts: Term) -> None:
    for t in ts:
        require_number(t)


def _require_conditions(given: tuple[Term, ...]) -> None:
    for t in given:
        require_condition(t)


def _require_distance(t: Term) -> None:
    """Return if the term is a metric or a measure at as many numbers as it takes."""
    taken = 1 if t.operator in METRICS else len(measure(t.operator).parameters)
    if len(t.arguments) != taken:
        raise TermError(f"{t} is not a distance")
    _require_numbers(*t.arguments)


REQUIRED: Mapping[str, Callable[[Term], None]] = {
    "subject": require_subject,
    "transformation": require_transformation,
    "number": require_number,
    "distance": _require_distance,
}
"""Sort of what a law says of its subject -> what looks at it."""


def merged(*givens: tuple[Term, ...]) -> tuple[Term, ...]:
    """Every condition, each once, in order."""
    return tuple(dict.fromkeys(c for given in givens for c in given))
