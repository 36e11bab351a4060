"""Accuracy: how likely a large error of a mechanism is, from its formulas, and what must hold of them for that.

The kernel states its claims from these signatures; the helpers that people call read the radii off them.
"""

from __future__ import annotations

from dataclasses import dataclass

from refdp.spec import registry
from refdp.spec.domains import domain
from refdp.spec.finite import FiniteLaw, law_obligations
from refdp.spec.formulas import Formula
from refdp.spec.noise import AdditiveNoise, tail_is_geometric
from refdp.spec.selection import FlipSelection, WeightedSelection, flip_law_obligations
from refdp.spec.signatures import counted
from refdp.spec.statements import Statement, equal
from refdp.spec.tails import ALPHA, BETA, Estimator, Tails, radius_has_the_level
from refdp.terms.term import Term, TermError, apply, both, exp, ln, name, normal_tail, number, sqrt

Selection = WeightedSelection | FlipSelection
INVERTED = (0 < BETA, BETA <= 1)
"""What is asked of beta where the threshold is worked out from it."""


@dataclass(frozen=True, slots=True)
class TailSignature:
    """For every input of the domain, P[error EVENT threshold] = beta, or at most beta, under the conditions."""

    subject: Term
    domain: Term
    error: str
    event: str
    threshold: Term
    bound: str
    beta: Term
    conditions: tuple[Term, ...]


def tails_of(m: AdditiveNoise | Selection) -> Tails:
    """The tails of the mechanism; TermError if it claims none."""
    if m.tails is None:
        raise TermError(f"{m.stem} has no log_tail")
    return m.tails


def radius(m: AdditiveNoise | Selection, factor: Term) -> Term:
    """Where factor e^log_tail is beta; TermError if the mechanism has no radius."""
    found = tails_of(m).radius
    if found is None:
        raise TermError(f"{m.stem} has no radius")
    return found.at(level=ln(factor / BETA))


def noise_tail(m: AdditiveNoise, event: str, exactly: bool, inverted: bool) -> TailSignature:
    """How likely |Z| is to reach or exceed alpha; inverted: the radius that is exceeded with probability beta.

    On the reals at most (exactly: just) e^log_tail(alpha), of normal noise just 2 normal_tail(alpha / deviation).  On
    a grid at most 2 e^log_tail(alpha) to reach alpha, and e^log_tail(alpha) to exceed a grid point; exactly
    2 e^log_tail(k) / (1 + e^log_tail(granularity)) from the point k on.
    """
    subject, own, step = registry.subject(m), m.conditions, name("granularity")
    weight = exp(tails_of(m).log_tail.at())
    factor, given = number(1), [0 <= ALPHA]
    if m.on_grid and (exactly or event == "more_than"):
        _require(not inverted, f"the radius of {m.stem} need not be a grid point")
        given.append(apply("multiple", ALPHA, step))
    if m.on_grid and exactly:
        return _on_the_grid(m, event)
    if exactly and (deviation := m.deviation) is not None:
        _require(not inverted, f"the normal tail of {m.stem} has no radius")
        weight = 2 * normal_tail(ALPHA / deviation.at())
    if m.on_grid and event == "at_least":
        factor = number(2)
    bound = "probability" if exactly else "at_most"
    if inverted:
        return TailSignature(subject, m.domain, "error", event, radius(m, factor), bound, BETA, (*own, *INVERTED))
    beta = weight if factor == number(1) else factor * weight
    return TailSignature(subject, m.domain, "error", event, ALPHA, bound, beta, (*own, *given))


def _on_the_grid(m: AdditiveNoise, event: str) -> TailSignature:
    """The exact tail of geometric noise: from the first grid point beyond 0 on that the event holds of."""
    step, tail = name("granularity"), tails_of(m).log_tail
    first, positive = (ALPHA, 0 < ALPHA) if event == "at_least" else (ALPHA + step, 0 <= ALPHA)
    beta = 2 * exp(tail.at(alpha=first)) / (1 + exp(tail.at(alpha=step)))
    given = (*m.conditions, positive, apply("multiple", ALPHA, step))
    return TailSignature(registry.subject(m), m.domain, "error", event, ALPHA, "probability", beta, given)


def noise_obligations(m: AdditiveNoise, exactly: bool, inverted: bool) -> dict[str, Statement]:
    """A law exists, and beyond alpha the weights are at most (exactly: just) e^log_tail(alpha) of those beyond 0."""
    tails = tails_of(m)
    found = {"tail_is_geometric": tail_is_geometric(m)}
    if exactly and m.deviation is not None:
        _require(not m.on_grid, f"{m.stem} is on a grid, so it is not normal")
        return found | {"weights_are_normal": weights_are_normal(m, m.deviation)}
    _require(tails.exact or not exactly, f"the log_tail of {m.stem} is only a bound")
    found |= {"tail_is_exact": _noise_falls(m, True)} if exactly else {"tail_is_bounded": _noise_falls(m, False)}
    return found | _radius_obligation(m, inverted)


def weights_are_normal(m: AdditiveNoise, deviation: Formula) -> Statement:
    """In units of the deviation, log_weight(u) = -u^2 / 2."""
    u, unit = name("u"), deviation.at()
    show = both(0 < unit, equal(m.log_weight.at(z=unit * u), -(u**2) / 2))
    return Statement(registry.hypotheses(m), show)


def _noise_falls(m: AdditiveNoise, exactly: bool) -> Statement:
    """log_weight(alpha + h) against log_tail(alpha) + log_weight(h), for alpha, h >= 0; both sides of 0 are alike."""
    h, tail = name("h"), tails_of(m).log_tail
    far, near = m.log_weight.at(z=ALPHA + h), tail.at() + m.log_weight.at(z=h)
    mirror = equal(m.log_weight.at(z=-h), m.log_weight.at(z=h))
    show = (equal(far, near) if exactly else far <= near, tail.at() <= 0, mirror)
    return Statement((*registry.hypotheses(m), 0 <= ALPHA, 0 <= h), both(*show))


def selection_tail(m: Selection, inverted: bool) -> TailSignature:
    """The chosen candidate is alpha or more below the best with probability at most candidates e^log_tail(alpha)."""
    candidates = name("candidates")
    scores = domain("vector", domain("reals"), candidates)
    weight = candidates * exp(tails_of(m).log_tail.at())
    threshold, beta = (radius(m, candidates), BETA) if inverted else (ALPHA, weight)
    given = (*m.conditions, *counted("candidates"), *(INVERTED if inverted else (0 <= ALPHA,)))
    return TailSignature(registry.subject(m), scores, "shortfall", "at_least", threshold, "at_most", beta, given)


def selection_obligations(m: Selection, inverted: bool) -> dict[str, Statement]:
    """A score alpha or more below the best has at most e^log_tail(alpha) times its weight, or flips so rarely."""
    tail, given = tails_of(m).log_tail.at(), (*registry.hypotheses(m), 0 <= ALPHA)
    if isinstance(m, WeightedSelection):
        u, v = name("u"), name("v")
        show = m.log_weight.at(score=u) - m.log_weight.at(score=v) <= tail
        found = {"shortfall_is_bounded": Statement((*given, u + ALPHA <= v), show)}
    else:
        flips = Statement((*given, ALPHA <= name("gap")), m.log_flip.at() <= tail)
        found = flip_law_obligations(m) | {"gap_is_bounded": flips}
    return found | _radius_obligation(m, inverted)


def _radius_obligation(m: AdditiveNoise | Selection, inverted: bool) -> dict[str, Statement]:
    """That the radius is what it should be, where it is used."""
    tails = tails_of(m)
    if not inverted or tails.radius is None:
        return {}
    return {"radius_has_the_level": radius_has_the_level(tails, tails.radius, registry.hypotheses(m))}


def mistake_tail(m: FiniteLaw) -> TailSignature:
    """The output is not the input with probability 1 - hit, for every input."""
    subject, wrong = registry.subject(m), 1 - _hit(m)
    return TailSignature(subject, m.domain, "mistake", "at_least", number(1), "probability", wrong, m.conditions)


def mistake_obligations(m: FiniteLaw) -> dict[str, Statement]:
    """The masses are a law, and that of the input itself is `hit`."""
    law, x = law_obligations(m), name("input")
    here = law["cumulative_runs_from_0_to_1"]
    right = Statement(here.given, equal(m.pmf.at(output=x), _hit(m)), here.integers)
    return law | {"truth_has_its_probability": right}


def _hit(m: FiniteLaw) -> Term:
    """The probability of the truth; TermError if the mechanism claims none."""
    if m.hit is None:
        raise TermError(f"{m.stem} has no probability of the truth")
    return m.hit.at()


def estimate_tail(m: FiniteLaw) -> TailSignature:
    """Hoeffding: the estimate from n outputs is width sqrt(ln(2 / beta) / (2 n)) off with probability at most beta."""
    e, n = estimator_of(m), name("n")
    threshold = e.width.at() * sqrt(ln(2 / BETA) / (2 * n))
    inputs = domain("vector", m.domain, n)
    given = (*m.conditions, *e.conditions, *counted("n"), *INVERTED)
    subject = apply("estimate", registry.subject(m), n)
    return TailSignature(subject, inputs, "mean_error", "at_least", threshold, "at_most", BETA, given)


def estimate_obligations(m: FiniteLaw) -> dict[str, Statement]:
    """The masses are a law on 0 and 1, and the estimate from one output is right on average."""
    e, x = estimator_of(m), name("input")
    given = (*registry.hypotheses(m), *e.conditions)
    show = both(equal(e.at(m.pmf.at(output=1)), x), equal(m.size.at(), 2))
    return law_obligations(m) | {
        "estimate_is_unbiased": Statement((*given, 0 <= x, x <= 1), show, frozenset({"input"})),
        "width_is_positive": Statement(given, 0 < e.width.at()),
    }


def estimator_of(m: FiniteLaw) -> Estimator:
    """The estimator of the mechanism; TermError if it has none."""
    if m.estimator is None:
        raise TermError(f"{m.stem} has no estimator")
    return m.estimator


def every_obligation(m: registry.Kind) -> dict[str, Statement]:
    """Every obligation that some accuracy claim about the mechanism rests on."""
    match m:
        case AdditiveNoise(tails=Tails() as tails):
            exactly = tails.exact or (m.deviation is not None and not m.on_grid)
            return noise_obligations(m, False, True) | (noise_obligations(m, True, True) if exactly else {})
        case WeightedSelection(tails=Tails()) | FlipSelection(tails=Tails()):
            return selection_obligations(m, True)
        case FiniteLaw():
            found = mistake_obligations(m) if m.hit is not None else {}
            return found | (estimate_obligations(m) if m.estimator is not None else {})
    return {}


def _require(condition: bool, otherwise: str) -> None:
    """TermError unless the condition holds."""
    if not condition:
        raise TermError(otherwise)
