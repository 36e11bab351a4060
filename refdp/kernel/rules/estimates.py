"""Estimates from reports of local randomisers: unbiased, with their variance over the reports' randomness."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from refdp.kernel.judgements import ESTIMATES, Holds, Law, Refuted, require
from refdp.kernel.rules.privacy import require_lemmas
from refdp.kernel.rules.settle import holds
from refdp.kernel.theorem import rule
from refdp.spec import estimates, obligations, registry
from refdp.spec.domains import contains, domain, members
from refdp.spec.rates import BitOfRate
from refdp.spec.semantics import data, law
from refdp.terms.evaluation import evaluate
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError, apply, names, number, substitute

FREQUENCY, BALANCED, NUMBER = ESTIMATES
MOST_VALUES = 64
"""Of so many values at most every mass is computed."""


@rule
def frequency_estimate(*lemmas: Holds, stem: str) -> Law:
    """
      |- the law obligations of M     own, other, share = how likely its reports say yes, and are asked, by its kind
    -----------------------------------------------------------------------------------------------------------------
      |- the sum of (answer - other) / (share (own - other)) over n reports has the mean `having`, and VARIANCE
    """
    kind = _counted(stem)
    require_lemmas(lemmas, stem, obligations.decoding(stem))
    return _claim(FREQUENCY, estimates.frequency_signature(kind))


@rule
def balanced_estimate(*lemmas: Holds, stem: str) -> Law:
    """
      |- the law obligations of M     own, other = how likely its reports say yes, by its kind; it asks of all
    ------------------------------------------------------------------------------------------------------------------
      |- of one of several hashes the same, other + (own - other) / size in place of other, where hashes are balanced
    """
    kind = _counted(stem)
    require_lemmas(lemmas, stem, obligations.decoding(stem))
    return _claim(BALANCED, estimates.balanced_signature(kind))


@rule
def number_estimate(*lemmas: Holds, stem: str) -> Law:
    """
      |- the rate is a probability     |- the estimate from one bit is right on average
    ------------------------------------------------------------------------------------
      |- width (bit - offset) has the mean `input`, and the variance width^2 rate (1 - rate)
    """
    kind = registry.lookup(stem, BitOfRate)
    require_lemmas(lemmas, stem, obligations.decoding(stem))
    return _claim(NUMBER, estimates.number_signature(kind))


@rule
def enumerated_estimate(*, subject: str) -> Law:
    """
      every mass of M computed: each input that has a value says yes of it with `own`, each other one with `other`
    --------------------------------------------------------------------------------------------------------------
      |- frequency_estimate(M, own, other, VARIANCE), in numbers
    """
    m = read(subject)
    kind = _counted(m.operator)
    require(not names(m), f"expected closed parameters, got {subject}")
    values = registry.values(kind, m)
    size, inputs = estimates.number_of_values(kind, values), _inputs(kind, m)
    require(size <= MOST_VALUES, f"there must be at most {MOST_VALUES} values, got {size}")
    chances = {has: set[tuple[Fraction, Fraction]]() for has in (True, False)}
    for x in inputs:
        masses = _masses(m, x)
        for value in range(size):
            chances[estimates.has(kind, x, value)].add(_answered(kind, masses, value))
    own, other = (next(iter(chances[has]), None) if len(chances[has]) == 1 else None for has in (True, False))
    if own is None or other is None or own[1] != other[1] or own[1] == 0 or not other[0] < own[0]:
        raise TermError(f"reports of {subject} do not say yes with two probabilities, the greater of what an input has")
    found = estimates.Answers(number(own[0]), number(other[0]), number(own[1]))
    return Law(FREQUENCY, m, estimates.counted_reports(), (found.own, found.other, found.variance))


@rule
def another_estimate(*, claim: str, values: dict[str, str], inputs: str, value: str) -> Refuted:
    """
      at these values, and for these inputs, the mean of the estimate is another one, or its variance is
    ----------------------------------------------------------------------------------------------------
      |- the claim about the estimate is false
    """
    general = read(claim)
    require(general.operator in ESTIMATES and len(general.arguments) >= 4, f"expected {' or '.join(ESTIMATES)}")
    xs, v, chosen = data(read(inputs)), data(read(value)), {key: read(t) for key, t in values.items()}
    require(isinstance(xs, tuple) and len(xs) > 0, f"inputs must be tuple_of(inputs), got {inputs}")
    require(not set(chosen) & {"n", "having", "input"}, "n, having and input are read off the inputs")
    subject = substitute(general.arguments[0], chosen)
    require(not names(subject), f"the values leave names in {subject}")
    kind = _reporting(general.operator, subject, xs, v)
    if general.operator == NUMBER:
        require(len(xs) == 1, f"expected one input, got {inputs}")
        chosen["input"], wanted = number(xs[0]), xs[0]
    else:
        wanted = Fraction(sum(estimates.has_value(kind, x, v) for x in xs))
        chosen |= {"n": number(Fraction(len(xs))), "having": number(wanted)}
    first, second, variance, *given = (substitute(t, chosen) for t in general.arguments[1:])
    require(
        not names(apply("tuple_of", subject, first, second, variance, *given)), f"the values leave names in {claim}"
    )
    for condition in given:
        require(holds(condition), f"the condition {condition} does not hold")
    here, there, stated = map(_number, (first, second, variance))
    mean = spread = Fraction(0)
    for x in xs:
        masses = _masses(subject, x)
        added = [(_added(kind, y, v, here, there, subject), p) for y, p in masses.items()]
        centre = sum((z * p for z, p in added), Fraction(0))
        mean, spread = mean + centre, spread + sum(((z - centre) ** 2 * p for z, p in added), Fraction(0))
    require(mean != wanted or spread != stated, "the claim is true of these inputs")
    return Refuted(Law(general.operator, general.arguments[0], general.arguments[4:], general.arguments[1:4]))


def _claim(kind: str, s: estimates.EstimateSignature) -> Law:
    """The claim of a signature."""
    return Law(kind, s.subject, s.conditions, (s.own, s.other, s.variance))


def _counted(stem: str) -> estimates.Counted:
    """The kind of that stem; TermError unless its reports say something of each value."""
    kind = registry.kind_of(stem)
    if not isinstance(kind, estimates.Counted):
        raise TermError(f"reports of {stem} say nothing of values")
    return kind


def _inputs(kind: estimates.Counted, m: Term) -> list[Any]:
    """Every input of a closed mechanism on values; TermError for filters, and for very many."""
    inputs = substitute(kind.domain, registry.bound(kind, m))
    if inputs.operator == "category":
        return [Fraction(-1), *members(domain("finite", *inputs.arguments))]
    return list(members(inputs))


def _masses(m: Term, x: Any) -> dict[Any, Fraction]:
    """The exact law of M(x)."""
    masses = law(m, x)
    require(sum(masses.values()) == 1 and min(masses.values()) >= 0, f"{m} has no law at {x}")
    return masses


def _answered(kind: estimates.Counted, masses: dict[Any, Fraction], value: int) -> tuple[Fraction, Fraction]:
    """How likely a report that is asked says yes, and how likely it is asked."""
    said = [(estimates.answer(kind, y, value), p) for y, p in masses.items()]
    asked = sum((p for one, p in said if one is not None), Fraction(0))
    yes = sum((p for one, p in said if one), Fraction(0))
    return (yes / asked if asked else Fraction(0)), asked


def _reporting(what: str, subject: Term, xs: Any, v: Any) -> registry.Kind:
    """The kind that reports; the inputs must be members of its domain, and the value one of its values.

    Under a public choice both are vectors of hashes; balanced ones are the same or agree in one place in `size`.
    """
    inner, is_hashed = subject, subject.operator == "public_coordinate"
    require(is_hashed or what != BALANCED, f"{BALANCED} is of one of several hashes, got {subject}")
    if is_hashed:
        inner, count = subject.arguments
    kind = registry.kind_of(inner.operator)
    inputs = substitute(_domain(kind), registry.bound(kind, inner))
    if is_hashed:
        inputs = domain("vector", inputs, count)
    require(all(contains(inputs, x) for x in xs), f"the inputs must be members of {inputs}")
    if what == NUMBER:
        require(isinstance(kind, BitOfRate) and not is_hashed, f"{NUMBER} is of bits of a rate, got {subject}")
        return kind
    counted = _counted(inner.operator)
    size = estimates.number_of_values(counted, registry.values(kind, inner))
    entries = v if is_hashed else (v,)
    require(
        isinstance(v, tuple) == is_hashed, f"the value must be {'what functions give' if is_hashed else 'one number'}"
    )
    require(not is_hashed or contains(inputs, v), f"the value must be a member of {inputs}")
    whole = all(isinstance(one, Fraction) and one.denominator == 1 for one in entries)
    require(whole and all(0 <= one < size for one in entries), f"the value must be below {size}")
    if what == BALANCED:
        agreeing = [sum(a == b for a, b in zip(x, v, strict=True)) for x in xs if x != v]
        require(all(one * size == len(v) for one in agreeing), "the hashes are not balanced")
    return kind


def _domain(kind: registry.Kind) -> Term:
    """The domain of a mechanism; TermError if it is none."""
    found = getattr(kind, "domain", None)
    if not isinstance(found, Term):
        raise TermError(f"{kind.stem} is no mechanism")
    return found


def _added(kind: registry.Kind, report: Any, v: Any, first: Fraction, second: Fraction, subject: Term) -> Fraction:
    """What a report adds to the estimate."""
    if isinstance(kind, BitOfRate):
        return second * (Fraction(report) - first)
    said = estimates.answers_with(kind, report, v)
    inner = subject.arguments[0] if isinstance(v, tuple) else subject
    share = Fraction(evaluate(estimates.answers(kind).share, registry.values(kind, inner)))
    require(first != second, "both probabilities are the same")
    return Fraction(0) if said is None else (Fraction(said) - second) / (share * (first - second))


def _number(t: Term) -> Fraction:
    """A closed term that is a rational number."""
    return Fraction(evaluate(t, {}))
