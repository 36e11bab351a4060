"""What is true of conclusions of the kernel: genuine ones, what follows from them, and what enumeration decides.

Terms are parsed by the package; how they compare, what they are at numbers and what laws they speak of is worked out
here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.logic import obligation
from refdp.kernel.theorem import RULES
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError, names
from tests.exactness.definition import satisfied
from tests.exactness.laws import joint
from tests.forging import closed_forms
from tests.forging.numbers import NEAR, Chosen, Truth, Unknown, is_number, number
from tests.forging.seeds import KERNEL, Seed

POINTS = 60
"""At how many points of the names two bounds are compared."""


def genuine(seeds: Iterable[Seed]) -> dict[str, Term]:
    """The conclusions of every step of genuine certificates."""
    found: dict[str, Term] = {}
    for seed in seeds:
        theorems: list[Any] = []
        for step in seed.content["steps"] if seed.form == KERNEL else ():
            theorems.append(RULES[step["rule"]](*(theorems[p] for p in step["premises"]), **step["data"]))
            term = theorems[-1].claim.term
            found[str(term)] = term
    return found


def truth(conclusion: str, known: Mapping[str, Term]) -> tuple[Truth, str]:
    """Whether a conclusion is true, and why that is known."""
    if conclusion in known:
        return "true", "a step of a genuine certificate"
    try:
        term = read(conclusion)
        if wrong := overfull(term):
            return "false", f"{wrong} has another number of arguments"
        if term.operator == "holds":
            return statement(term)
        if term.operator == "refuted" and term.arguments[0].operator == "holds":
            said, why = statement(term.arguments[0])
            return ("true", why) if said == "false" else ("unknown", "no point is found where it fails")
        return of_relation(term, known)
    except (Unknown, TermError, KernelError, ArithmeticError, ValueError, TypeError, LookupError) as error:
        return "unknown", f"{type(error).__name__} {error}"


ARITY = {"post_process": 2, "repeated": 2, "chain": 2, "coordinatewise": 2, "adaptive": 2, "poisson_sampled": 2,
         "fixed_size_sampled": 2, "estimate": 2, "with_its_value": 1, "listed": 1, "randomised_response": 1,
         "discrete_laplace": 2, "laplace": 1, "gaussian": 1, "exponential": 1, "table": 1, "sized_table": 2,
         "vector": 2,
         "finite": 1, "grid": 1, "reals": 0, "records": 0}  # fmt: skip
"""Operator -> how many arguments it has."""


def overfull(term: Term) -> str:
    """An operator in it with arguments too many or too few; an empty text where there is none."""
    if len(term.arguments) != ARITY.get(term.operator, len(term.arguments)):
        return term.operator
    return next((found for one in term.arguments if (found := overfull(one))), "")


def of_relation(term: Term, known: Mapping[str, Term]) -> tuple[Truth, str]:
    """Whether a claim about a mechanism or a transformation, or that one is false, is true."""
    if term.operator == "private" and term.arguments[0].operator == "post_process":
        before = Term("private", (term.arguments[0].arguments[1], *term.arguments[1:]), None)
        if term.arguments[3].operator != "loss_tail" and is_known(before, known):
            return "true", f"it follows from {str(before)[:200]}"
    for other in known.values():
        if other.operator == term.operator and is_consequence(term, other):
            return "true", f"it follows from {str(other)[:200]}"
    for part in (*parts_of(term), *chained(term, known)) if term.operator == "private" else ():
        if is_known(part, known):
            return "true", f"it follows from {str(part)[:200]}"
    subject = term.arguments[0] if term.operator == "private" else term
    if subject.operator == "parallel" and term.arguments[2].operator == "symmetric":
        parts = [Term("private", (one, *term.arguments[1:]), None) for one in subject.arguments[1:]]
        if parts and all(is_known(part, known) for part in parts):
            return "true", "it follows from claims about each part"
    if term.operator == "private" and adds_up(term, known):
        return "true", "it follows from claims about each part"
    if term.operator == "private" and subject.operator == "tested" and is_known_of_what_is_tested(term, known):
        return "true", "it follows from a claim about what is tested"
    if term.operator == "refuted" and has_no_pure_bound(term.arguments[0]):
        return "true", "the loss of normal noise is unbounded, whatever its scale"
    try:
        return closed_forms.truth(term)
    except Unknown:
        return by_enumeration(term)


def is_known(term: Term, known: Mapping[str, Term]) -> bool:
    """Whether a claim is true; not where nobody here can tell."""
    try:
        return of_relation(term, known)[0] == "true"
    except (ArithmeticError, ValueError, TypeError, LookupError):
        return False


def has_no_pure_bound(claim: Term) -> bool:
    """Whether it says that normal noise of two numbers that differ is pure, at some values that it speaks of."""
    if claim.operator != "private" or claim.arguments[0].operator not in ("gaussian", "discrete_gaussian"):
        return False
    subject, domain, near, far, *given = claim.arguments
    if (near.operator, far.operator) != ("absolute", "pure") or domain.operator not in ("reals", "grid"):
        return False
    for i in range(40 * POINTS):
        point = Chosen(Random(i))
        step = number(domain.arguments[0], point) if domain.arguments else 0.0
        sigma, apart = number(subject.arguments[0], point), number(near.arguments[0], point)
        if sigma > 0 and 0 < apart >= step and all(number(c, point) for c in given):
            return True
    return False


def is_consequence(term: Term, other: Term) -> bool:
    """Whether it follows; not where this file cannot tell."""
    try:
        return follows(term, other)
    except (Unknown, ArithmeticError, ValueError, TypeError):
        return False


def parts_of(term: Term) -> Iterator[Term]:
    """Claims of which each implies this one: of one of several equal draws, of one step of several, of two edits."""
    subject, domain, near, far, *given = term.arguments
    if subject.operator == "repeated" and far.operator in ADDED:
        yield Term("private", (subject.arguments[0], domain, near, shared(far, subject.arguments[1]), *given), None)
    distance = near.arguments[0]
    if distance.operator != "number" or domain.operator != "table":
        return
    steps = distance.rational
    if near.operator == "change_one":
        twice = Term("symmetric", (distance * 2,), None)
        yield Term("private", (subject, domain, twice, far, *given), None)
    elif near.operator == "symmetric" and steps >= 2 and far.operator in GROUPED:
        count = math.floor(steps)
        once = Term("symmetric", (read("1"),), None)
        yield Term("private", (subject, domain, once, GROUPED[far.operator](far, count), *given), None)


def chained(term: Term, known: Mapping[str, Term]) -> Iterator[Term]:
    """Claims about what follows a map of data, at the distance that a known theorem says that the map keeps to."""
    subject, domain, near, far, *given = term.arguments
    if subject.operator != "chain" or len(subject.arguments) != 2:
        return
    first, second = subject.arguments
    for other in known.values():
        if other.operator != "stable":
            continue
        binding = matched(other, Term("stable", (first, domain, near), None))
        if binding is None or other.arguments[2].arguments[0].operator != "name":
            continue
        conditions = [replaced(c, binding) for c in other.arguments[5:]]
        points = [Chosen(Random(i)) for i in range(20)]
        if all(number(c, point) for point in points for c in conditions if is_number(c)):
            outputs, apart = (replaced(t, binding) for t in other.arguments[3:5])
            yield Term("private", (second, outputs, apart, far, *given), None)


def adds_up(term: Term, known: Mapping[str, Term]) -> bool:
    """Whether known bounds of the parts of a composition add up to what is claimed at most, at random values."""
    subject, domain, near, far, *given = term.arguments
    if subject.operator != "compose" or far.operator not in ADDED or far.operator == "renyi":
        return False
    bounds: list[list[tuple[Term, dict[str, Term]]]] = []
    for part in subject.arguments:
        wanted = Term("private", (part, domain, near, far), None)
        found = ((one, matched(one, wanted)) for one in known.values() if one.operator == "private")
        bounds.append([(o, b) for o, b in found if b is not None and o.arguments[3].operator == far.operator])
    random, tried = Random(str(term)), 0
    for _ in range(40 * POINTS):
        point = Chosen(random)
        if not all(number(c, point) for c in given):
            continue
        apart, sums = number(near.arguments[0], point), [0.0] * len(far.arguments)
        for part in bounds:
            here = [loss for one, binding in part if (loss := known_loss(one, binding, point, apart)) is not None]
            if not here:
                return False
            sums = [a + b for a, b in zip(sums, min(here), strict=True)]
        if any(a > number(b, point) + NEAR for a, b in zip(sums, far.arguments, strict=True)):
            return False
        if (tried := tried + 1) >= POINTS:
            break
    return tried > 0


def known_loss(other: Term, binding: Mapping[str, Term], point: Mapping[str, float], apart: float) -> Numbers | None:
    """What a known theorem says at a point of data so far apart; None where it says nothing of them."""
    values = Chosen(Random(0), {**point, **{name: number(t, point) for name, t in binding.items() if is_number(t)}})
    if apart > number(other.arguments[2].arguments[0], values) + NEAR:
        return None
    if not all(number(c, values) for c in other.arguments[4:]):
        return None
    return [number(one, values) for one in other.arguments[3].arguments]


def is_known_of_what_is_tested(term: Term, known: Mapping[str, Term]) -> bool:
    """Whether propose-test-release is as private as claimed, by what is known of what it releases.

    The test costs 1 / scale, and fails to stop with the probability that the noise is below -threshold.
    """
    subject, domain, near, far, *given = term.arguments
    (mechanism, scale, threshold), parts = subject.arguments, domain.arguments
    if far.operator != "approximate" or domain.operator != "record" or len(parts) != 2 or near.operator != "tested":
        return False
    epsilon, delta = far.arguments
    rest = Term("approximate", (epsilon - 1 / scale, delta), None)
    inner = [Term("private", (mechanism, parts[1].arguments[1], Term(one, near.arguments, None), rest, *given), None)
             for one in ("absolute", "discrete")]  # fmt: skip
    fails = Term("exp", (0 - threshold / scale,), None) / (1 + Term("exp", (0 - 1 / scale,), None))
    points = closed_forms.points_of(given, closed_forms.POINTS)
    return all(number(fails, p) <= number(delta, p) + NEAR for p in points) and any(is_known(i, known) for i in inner)


ADDED = ("pure", "approximate", "concentrated", "gaussian", "renyi")
"""Measures in which the bounds of independent draws add up."""


def shared(far: Term, count: Term) -> Term:
    """The bound of each of so many draws; an order stays."""
    kept = 1 if far.operator == "renyi" else 0
    return Term(far.operator, (*far.arguments[:kept], *(one / count for one in far.arguments[kept:])), far.value)


GROUPED: Mapping[str, Callable[[Term, int], Term]] = {
    "pure": lambda far, k: Term("pure", (far.arguments[0] / k,), None),
    "approximate": lambda far, k: Term("approximate", (far.arguments[0] / k, far.arguments[1] / growth(far, k)), None),
    "concentrated": lambda far, k: Term("concentrated", (far.arguments[0] / k**2,), None),
    "gaussian": lambda far, k: Term("gaussian", (far.arguments[0] / k**2,), None),
}
"""The bound of one edit that gives this one for k, by the triangle inequality of ratios or of normal shifts."""


def growth(far: Term, k: int) -> Term:
    """The sum of e^(i epsilon / k) for i from 0 to k - 1."""
    found = read("1")
    for i in range(1, k):
        found = found + Term("exp", (far.arguments[0] / k * i,), None)
    return found


# What follows from what.


def follows(one: Term, other: Term) -> bool:
    """Whether a conclusion is another one at some values of its names, or weaker."""
    if one.operator == "refuted":
        claim, refuted = one.arguments[0], other.arguments[0]
        return claim.operator == refuted.operator and follows(refuted, claim)
    if one.operator == "private" and one.arguments[0].operator == "post_process" != other.arguments[0].operator:
        if one.arguments[3].operator in ("loss_tail",):
            return False
        one = Term("private", (one.arguments[0].arguments[1], *one.arguments[1:]), one.value)
    binding = matched(other, one)
    return binding is not None and at_least(one, other, binding)


SHAPES = {"private": 2, "stable": 2, "tail": 2, "normalised": 1, "sampler_law": 1, "finite_sensitivity": 1}
"""Conclusion -> how many of its parts must be equal; distances and bounds come next, conditions last."""
BOUND = {"private": 3, "stable": 4, "tail": 3}
"""Conclusion -> where its bound stands."""


def matched(pattern: Term, term: Term) -> dict[str, Term] | None:
    """What the names of the pattern must be so that the parts that must be equal are."""
    if term.operator not in SHAPES or len(term.arguments) < 2 and term.operator == "private":
        return None
    count, binding = SHAPES[term.operator], dict[str, Term]()
    pairs = list(zip(pattern.arguments[:count], term.arguments[:count], strict=False))
    if term.operator in ("private", "stable"):
        near, mine = pattern.arguments[2], term.arguments[2]
        if near.operator != mine.operator:
            return None
        if near.arguments[0].operator == "name":
            pairs.append((near, mine))
    place = BOUND.get(term.operator, len(term.arguments))
    if place < len(term.arguments) and not names(term):  # a bound that is a name may be any number
        said, mine = pattern.arguments[place], term.arguments[place]
        pairs += [(p, t) for p, t in zip(said.arguments, mine.arguments, strict=False) if p.operator == "name"]
    for wanted, found in pairs:
        if not matches(wanted, found, binding):
            return None
    return binding


def matches(pattern: Term, term: Term, binding: dict[str, Term]) -> bool:
    """Whether the term is the pattern at some values of its names, which are entered."""
    if pattern.operator == "name":
        return binding.setdefault(str(pattern.value), term) == term
    if (pattern.operator, pattern.value, len(pattern.arguments)) != (term.operator, term.value, len(term.arguments)):
        return False
    return all(matches(p, t, binding) for p, t in zip(pattern.arguments, term.arguments, strict=True))


def at_least(one: Term, other: Term, binding: Mapping[str, Term]) -> bool:
    """Whether at random values the other's conditions hold, its distance is no less and its bounds are no more."""
    mine, theirs = split(one), split(other)
    if len(mine.bounds) != len(theirs.bounds):
        return False
    random, tried = Random(str(one)), 0
    for _ in range(40 * POINTS):
        point = Chosen(random)
        try:
            if not all(number(c, point) for c in mine.conditions):
                continue
            there = {name: number(t, point) for name, t in binding.items() if is_number(t)}
            values = Chosen(random, {**point, **there})
            if not all(number(c, values) for c in theirs.conditions):
                return False
            if any(number(a, point) > number(b, values) + NEAR for a, b in zip(mine.near, theirs.near, strict=True)):
                return False
            if not all(alike(a, b, point, values) for a, b in zip(mine.fixed, theirs.fixed, strict=True)):
                return False
            for a, b in zip(mine.bounds, theirs.bounds, strict=True):
                if not no_less(a, b, point, values):
                    return False
        except (OverflowError, ZeroDivisionError):
            continue
        if (tried := tried + 1) >= POINTS:
            return True
    return tried > 0


def alike(a: Term, b: Term, point: Mapping[str, float], values: Mapping[str, float]) -> bool:
    """Whether two terms are the same but for numbers in them that are equal at these values."""
    if a == b and not names(b):
        return True
    if is_number(a) and is_number(b):
        return abs(number(a, point) - number(b, values)) <= NEAR
    if (a.operator, a.value, len(a.arguments)) != (b.operator, b.value, len(b.arguments)) or not a.arguments:
        return False
    return all(alike(x, y, point, values) for x, y in zip(a.arguments, b.arguments, strict=True))


def no_less(a: Term, b: Term, point: Mapping[str, float], values: Mapping[str, float]) -> bool:
    """Whether a bound is no less than another one; what is not a bound but says which, an order, must be equal."""
    first, second = ([number(t, v) for t in x.arguments] for x, v in ((a, point), (b, values)))
    if a.operator != b.operator:
        if (a.operator, b.operator) not in CONVERTED:
            return False
        second = list(CONVERTED[a.operator, b.operator](first, second))
    if len(first) != len(second):
        return False
    if a.operator == "renyi":
        return abs(first[0] - second[0]) <= NEAR and first[1] >= second[1] - NEAR
    return all(x >= y - NEAR * max(1, abs(y)) for x, y in zip(first, second, strict=True))


def divergence(epsilon: float, order: float) -> float:
    """The greatest Renyi divergence of two laws with a loss of at most epsilon: that of randomised response."""
    ends = math.exp(order * epsilon) + math.exp((1 - order) * epsilon)
    return math.log(ends / (1 + math.exp(epsilon))) / (order - 1)


Numbers = list[float]
CONVERTED: Mapping[tuple[str, str], Callable[[Numbers, Numbers], tuple[float, ...]]] = {
    ("approximate", "pure"): lambda a, b: (b[0], 0),
    ("loss_tail", "pure"): lambda a, b: (b[0], 0),
    ("concentrated", "pure"): lambda a, b: (b[0] ** 2 / 2,),
    ("renyi", "pure"): lambda a, b: (a[0], divergence(b[0], a[0])),
    ("renyi", "concentrated"): lambda a, b: (a[0], a[0] * b[0]),
    ("concentrated", "gaussian"): lambda a, b: (b[0] / 2,),
    ("ratio", "pure"): lambda a, b: (a[0], max(math.exp(b[0]) - math.exp(a[0]), 0)),
    ("approximate", "concentrated"): lambda a, b: (b[0] + 2 * math.sqrt(b[0] * math.log(1 / a[1])), a[1]),
    ("approximate", "loss_tail"): lambda a, b: (b[0], b[1]),
    ("at_most", "probability"): lambda a, b: (b[0],),
}
"""(Measure, another one) -> the bound in the first that textbooks give for one in the second."""


class Parts:
    """What of a conclusion must be equal, what may be less, what more, and when it is said."""

    def __init__(self, fixed: list[Term], near: list[Term], bounds: list[Term], conditions: list[Term]) -> None:
        self.fixed, self.near, self.bounds, self.conditions = fixed, near, bounds, conditions


def split(term: Term) -> Parts:
    """The parts of a conclusion."""
    a = list(term.arguments)
    match term.operator:
        case "private":
            return Parts([], [a[2].arguments[0]], [a[3]], a[4:])
        case "stable":
            return Parts([a[3]], [a[2].arguments[0]], [a[4]], a[5:])
        case "tail":
            return Parts([a[2]], [], [a[3]], a[4:])
    return Parts([], [], [], a[1:])


def replaced(term: Term, binding: Mapping[str, Term]) -> Term:
    """The term with its names replaced."""
    if term.operator == "name":
        return binding.get(str(term.value), term)
    return Term(term.operator, tuple(replaced(t, binding) for t in term.arguments), term.value)


def statement(term: Term) -> tuple[Truth, str]:
    """Whether a statement of the package holds at random values; a point where it fails decides it."""
    asked = obligation(str(term.arguments[0].value))
    random, tried = Random(str(term)), 0
    for _ in range(4000):
        point = Chosen(random)
        try:
            if not all(number(c, point) for c in asked.given):
                continue
            if not number(asked.show, point):
                return "false", f"it fails at {dict(point)}"
        except ArithmeticError:
            continue
        if (tried := tried + 1) >= 300:
            break
    return ("true", f"{tried} points") if tried else ("unknown", "no point where it says something")


# Finite laws.


def by_enumeration(term: Term) -> tuple[Truth, str]:
    """By the definition, where the mechanism has a finite law at each of finitely many inputs, all numbers known."""
    refuted = term.operator == "refuted"
    claim = term.arguments[0] if refuted else term
    if claim.operator != "private":
        raise Unknown(claim.operator)
    subject, domain, near, far, *_ = claim.arguments
    if domain.operator != "finite":
        raise Unknown(f"the domain {domain}")
    inputs = range(math.ceil(domain.arguments[0].rational))
    if refuted:  # an input without a law refutes nothing; one with it may
        inputs = range(min((len(inputs), *rows_of(subject))))
    laws = {x: law(subject, x) for x in inputs}
    limit = near.arguments[0].rational
    apart: Callable[[int, int], Fraction] = (
        (lambda a, b: Fraction(a != b)) if near.operator == "discrete" else lambda a, b: Fraction(abs(a - b))
    )
    pairs = [(laws[a], laws[b]) for a, b in product(inputs, repeat=2) if apart(a, b) <= limit]
    holds = satisfied(far.operator, far.arguments, pairs)
    return ("true" if holds != refuted else "false"), "enumeration"


def rows_of(subject: Term) -> Iterator[int]:
    """How many inputs each listed law in it has."""
    if subject.operator == "listed":
        yield len(subject.arguments[0].arguments)
    for one in subject.arguments if subject.operator != "listed" else ():
        yield from rows_of(one)


def law(subject: Term, x: int) -> dict[Any, Fraction]:
    """The law of a mechanism at an input."""
    a = subject.arguments
    match subject.operator:
        case "listed":
            row = a[0].arguments[x].arguments
            return {y: p.rational for y, p in enumerate(row) if p.rational}
        case "randomised_response":
            return {y: a[0].rational if y == x else 1 - a[0].rational for y in range(2)}
        case "k_ary_randomised_response":
            k, p = int(a[0].rational), a[1].rational
            return {y: p if y == x else (1 - p) / (k - 1) for y in range(k)}
        case "post_process" if a[0].operator == "clamp_output":
            low, high = (end.rational for end in a[0].arguments)
            found: dict[Any, Fraction] = {}
            for y, p in law(a[1], x).items():
                end = max(low, min(high, Fraction(y)))
                found[end] = found.get(end, Fraction(0)) + p
            return found
        case "compose":
            return joint([law(one, x) for one in a])
        case "repeated":
            return joint([law(a[0], x)] * int(a[1].rational))
    raise Unknown(subject.operator)
