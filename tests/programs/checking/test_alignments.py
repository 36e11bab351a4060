"""Alignments that prove nothing are not believed: every part of a right one is spoilt in turn."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from refdp.programs.adjacency import ALL, L1, ONE
from refdp.programs.checking.alignment import OUTPUT, REST, Alignment, Group, Shift, WeightList
from refdp.programs.checking.neighbours import Neighbours
from refdp.programs.checking.proof import check
from refdp.programs.checking.public import Refused, public
from refdp.programs.checking.ties import untied
from refdp.programs.language.reading import programs_in
from refdp.programs.proving import Proved, prove
from refdp.programs.steps import stepwise
from refdp.programs.syntax import Program
from refdp.terms.leaves import FALSE, TRUE, integer, rational, variable
from refdp.terms.operations import add, divide, multiply, negate, real, substitute
from refdp.terms.term import Term

HEADER = """
from refdp.programs import ALL, L1, MONO, ONE, bernoulli, choice, claim, discrete_laplace, exp, exponential, laplace

"""
SPARSE_VECTOR = """
@claim(epsilon="epsilon", adjacency=ALL)
def sparse_vector(q, epsilon, T, N):
    threshold = T + laplace(2 / epsilon)
    count = 0
    for x in q:
        if x + laplace(4 * N / epsilon) >= threshold:
            yield True
            count += 1
            if count >= N:
                break
        else:
            yield False
"""
NOISY_MAX = """
@claim(epsilon="epsilon", adjacency=ALL)
def noisy_max(q, epsilon):
    best, place = None, None
    for i, x in enumerate(q):
        noisy = x + exponential(2 / epsilon)
        if best is None or noisy > best:
            best, place = noisy, i
    return place
"""
COUNT = """
@claim(epsilon="epsilon", adjacency=ALL)
def count(x: int, epsilon):
    return x + discrete_laplace(1 / epsilon)
"""
MECHANISM = """
@claim(epsilon="epsilon", adjacency=ALL, where="n >= 1")
def mechanism(q, epsilon):
    weights = []
    for x in q:
        weights.append(exp(epsilon * x / 2))
    return choice(weights)
"""
RESPONSE = """
@claim(epsilon="epsilon", adjacency=ALL)
def response(bit: bool, epsilon):
    return bit != bernoulli(1 / (1 + exp(epsilon)))
"""
TOTAL = """
@claim(epsilon="epsilon", adjacency=L1)
def total(q, epsilon):
    return sum(q) + laplace(1 / epsilon)
"""
Spoilt = Callable[[Alignment], Alignment]


def read(text: str) -> Program:
    return programs_in(HEADER + text, "test.py")[0]


@cache
def proved(text: str) -> tuple[Program, Alignment]:
    """The program, and an alignment that proves its claim."""
    program = read(text)
    found = prove(program, program.claims[0], 20)
    assert isinstance(found, Proved)
    assert check(program, program.claims[0], found.alignments, ("z3",), 20).verdict == "PROVED"
    return program, found.alignments[0]


def bound(change: Callable[[Term], Term]) -> Spoilt:
    """Every bound is another."""
    return lambda one: replace(one, groups=tuple(Group(g.rate, change(g.bound)) for g in one.groups))


def rate(change: Callable[[Term], Term]) -> Spoilt:
    """Every rate is another."""
    return lambda one: replace(one, groups=tuple(Group(change(g.rate), g.bound) for g in one.groups))


def weight(factor: Fraction) -> Spoilt:
    """Every weight is another."""
    return lambda one: replace(one, charges={s: (g, factor * w) for s, (g, w) in one.charges.items()})


def shift(change: Callable[[Term], Term], site: int | None = None) -> Spoilt:
    """Shifts are others."""

    def shifted(one: Shift) -> Shift:
        return Shift(change(one.usual), None if one.chosen is None else change(one.chosen))

    return lambda one: replace(
        one, shifts={k: shifted(s) if site in (None, k[0]) else s for k, s in one.shifts.items()}
    )


def invariant(change: Callable[[Term], Term]) -> Spoilt:
    """Every invariant is another."""
    return lambda one: replace(one, invariants={k: change(i) for k, i in one.invariants.items()})


def half(term: Term) -> Term:
    return multiply(rational(Fraction(1, 2)), term)


def plus(name: str, sort: str = "Real") -> Callable[[Term], Term]:
    return lambda term: add(term, variable(name, sort))  # type: ignore[arg-type]


def narrow(low: Fraction, high: Fraction) -> Spoilt:
    return lambda one: replace(one, lists={n: WeightList(s.group, low, high) for n, s in one.lists.items()})


HALF = Fraction(1, 2)
SPOILT: list[tuple[str, str, Spoilt]] = [
    ("bounds are halved", SPARSE_VECTOR, bound(half)),
    ("bounds are doubled", SPARSE_VECTOR, bound(lambda b: multiply(rational(2), b))),
    ("bounds are negative", SPARSE_VECTOR, bound(negate)),
    ("bounds speak of what is not public", SPARSE_VECTOR, bound(plus("count.1"))),
    ("rates are halved", SPARSE_VECTOR, rate(half)),
    ("rates are negative", SPARSE_VECTOR, rate(negate)),
    ("rates are 0", SPARSE_VECTOR, rate(lambda _: rational(0))),
    ("rates speak of what is not public", SPARSE_VECTOR, rate(plus("threshold.1"))),
    ("weights are halved", SPARSE_VECTOR, weight(HALF)),
    ("weights are negative", SPARSE_VECTOR, weight(Fraction(-1))),
    ("weights are 0", SPARSE_VECTOR, weight(Fraction(0))),
    ("nothing is charged", SPARSE_VECTOR, lambda one: replace(one, charges={})),
    ("charged to no group", SPARSE_VECTOR, lambda one: replace(one, charges=dict.fromkeys(one.charges, (7, HALF)))),
    ("charged backwards", SPARSE_VECTOR, lambda one: replace(one, charges=dict.fromkeys(one.charges, (-1, HALF)))),
    ("there are no groups", SPARSE_VECTOR, lambda one: replace(one, groups=())),
    ("the threshold is not shifted", SPARSE_VECTOR, shift(lambda _: rational(0), 1)),
    ("the answers are not shifted", SPARSE_VECTOR, shift(lambda _: rational(0), 2)),
    ("shifts depend on their own draw", SPARSE_VECTOR, shift(plus("draw.2"), 2)),
    ("shifts depend on a draw of before by name", SPARSE_VECTOR, shift(plus("draw.1"), 2)),
    ("shifts depend on a charge", SPARSE_VECTOR, shift(plus("cost.0"), 2)),
    ("shifts depend on the end, untold", SPARSE_VECTOR, shift(lambda t: add(t, real(OUTPUT)), 2)),
    ("shifts depend on the others, untold", SPARSE_VECTOR, shift(lambda t: add(t, REST[0]), 2)),
    ("shifts depend on anything", SPARSE_VECTOR, shift(plus("anything"), 2)),
    ("shifts are truth values", SPARSE_VECTOR, shift(lambda _: TRUE, 2)),
    ("the invariant is false", SPARSE_VECTOR, invariant(lambda _: FALSE)),
    ("the invariant is true", SPARSE_VECTOR, invariant(lambda _: TRUE)),
    ("the invariant speaks of a draw", SPARSE_VECTOR, invariant(lambda _: variable("draw.2", "Bool"))),
    ("the invariant speaks of anything", SPARSE_VECTOR, invariant(lambda _: variable("anything", "Bool"))),
    ("there is no invariant", SPARSE_VECTOR, lambda one: replace(one, invariants={})),
    ("no end is foretold", NOISY_MAX, lambda one: replace(one, item=None)),
    ("another item is foretold", NOISY_MAX, lambda one: replace(one, item=1)),
    ("one-sided noise is lowered", NOISY_MAX, shift(negate)),
    ("the chosen round is not shifted", NOISY_MAX, shift(lambda _: rational(0))),
    ("integers are shifted by halves", COUNT, shift(lambda _: rational(HALF))),
    ("integers are shifted by what is real", COUNT, shift(real)),
    ("integers are shifted by half", COUNT, shift(lambda t: divide(t, integer(2)))),
    ("exponents grow less", MECHANISM, narrow(Fraction(-1, 4), HALF)),
    ("exponents do not grow", MECHANISM, narrow(Fraction(0), Fraction(0))),
    ("exponents are limited backwards", MECHANISM, narrow(HALF, Fraction(-1, 2))),
    ("lists are not charged", MECHANISM, lambda one: replace(one, lists={})),
    ("nothing is flipped", RESPONSE, shift(lambda _: FALSE)),
    ("flips are numbers", RESPONSE, shift(lambda _: integer(1))),
    ("flips weigh less", RESPONSE, weight(HALF)),
    ("flips cost less", RESPONSE, rate(half)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "spoil"), [case[1:] for case in SPOILT], ids=[case[0] for case in SPOILT])
def test_an_alignment_that_is_spoilt_proves_nothing(text: str, spoil: Spoilt) -> None:
    program, alignment = proved(text)
    found = check(program, program.claims[0], [spoil(alignment)], ("z3",), 10)
    assert found.verdict == "UNKNOWN"
    assert found.reason


@pytest.mark.parametrize("text", [SPARSE_VECTOR, NOISY_MAX, COUNT, MECHANISM, RESPONSE, TOTAL])
def test_the_alignment_of_one_claim_does_not_prove_a_smaller_one(text: str) -> None:
    program, alignment = proved(text)
    epsilon = multiply(rational(Fraction(99, 100)), variable("epsilon", "Real"))
    smaller = replace(program.claims[0], epsilon=epsilon)
    assert check(program, smaller, [alignment], ("z3",), 10).verdict == "UNKNOWN"


def test_the_alignment_for_one_adjacency_does_not_prove_another() -> None:
    program, alignment = proved(TOTAL)
    for adjacency in (ONE, L1):
        claim = replace(program.claims[0], adjacency=adjacency)
        assert check(program, claim, [alignment], ("z3",), 10).verdict == "PROVED"
    claim = replace(program.claims[0], adjacency=ALL)
    assert check(program, claim, [alignment], ("z3",), 10).verdict == "UNKNOWN"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("laplace(2 / epsilon)", "laplace(1 / epsilon)"),
        ("4 * N", "3 * N"),
        ("count += 1", "count += 0"),
        ("count >= N", "count > N"),
        ("yield True", "yield x + laplace(4 * N / epsilon)"),
        ("T + laplace(2 / epsilon)", "T"),
        (">= threshold", ">= T"),
        ("yield False", "yield x > 0"),
        ("x + laplace(4 * N / epsilon)", "2 * x + laplace(4 * N / epsilon)"),
        ("x + laplace(4 * N / epsilon)", "x"),
    ],
)
def test_the_alignment_of_one_program_does_not_prove_another(old: str, new: str) -> None:
    _, alignment = proved(SPARSE_VECTOR)
    assert SPARSE_VECTOR.count(old) >= 1
    other = read(SPARSE_VECTOR.replace(old, new))
    assert check(other, other.claims[0], [alignment], ("z3",), 10).verdict == "UNKNOWN"


def test_there_must_be_an_alignment_for_each_part_of_an_adjacency() -> None:
    program, alignment = proved(SPARSE_VECTOR)
    for few in ([], [alignment, alignment]):
        assert check(program, program.claims[0], few, ("z3",), 10).verdict == "UNKNOWN"


def steps_of(noise: str, sort: str = "") -> list[list[Term]]:
    """What ties are left out in each step of a program that compares noise."""
    text = f"""
@claim(epsilon="epsilon", adjacency=ALL)
def compared(x{sort}, epsilon):
    e = {noise}
    return x + e > 0
"""
    return [list(untied(step)) for step in stepwise(read(text)).steps]


def test_ties_are_left_out_for_real_noise_alone() -> None:
    assert all(len(found) == 1 for found in steps_of("laplace(1 / epsilon)"))
    assert not any(steps_of("discrete_laplace(1 / epsilon)", ": int"))
    assert not any(steps_of("0 * laplace(1 / epsilon)"))


@pytest.mark.long
def test_ties_between_integers_are_not_left_out() -> None:
    text = """
@claim(epsilon="epsilon", adjacency=ALL)
def gap(q{sort}, epsilon):
    best, second, place = None, None, None
    for i, x in enumerate(q):
        noisy = x + {noise}(2 / epsilon)
        if best is None or noisy > best:
            best, second, place = noisy, best, i
        elif second is None or noisy > second:
            second = noisy
    if second is None:
        return place
    return place, best - second
"""
    program, alignment = proved(text.format(sort="", noise="laplace"))
    other = read(text.format(sort=": list[int]", noise="discrete_laplace"))
    assert alignment.others is not None
    assert check(program, program.claims[0], [alignment], ("cvc5",), 20).verdict == "PROVED"
    assert check(other, other.claims[0], [alignment], ("z3",), 20).verdict == "UNKNOWN"
    assert not isinstance(prove(other, other.claims[0], 2), Proved)


def test_which_element_is_read_must_be_public() -> None:
    text = """
@claim(epsilon="epsilon", adjacency=ONE, where="n >= 1")
def first(q, epsilon):
    return q[0] + laplace(1 / epsilon)
"""
    program = read(text)
    shared = public(program, program.claims[0], ())
    known = Neighbours(program.claims[0].adjacency.parts[0], shared, ())
    step = next(one for one in stepwise(program).steps if one.path.looked)
    [(place, element)] = step.path.looked
    assert place is integer(0)
    assert known.is_first_time(step, 0, place)
    assert not known.is_first_time(step, 0, integer(-1))
    hidden = substitute(place, {place: variable("j", "Int")})
    spoilt = replace(step, path=replace(step.path, looked=((hidden, element),)))
    with pytest.raises(Refused, match="must be public"):
        known.related(spoilt, spoilt)
