"""Help for vectors that are scaled to a length, of any dimension (untrusted).

What a row adds is g.  Whichever way its choices about lengths go, g = s V there, where s is the scale, r = sqrt(Q) the
length, and the squares of V add up to Q^m at most.  So |g|^2 = s^2 |V|^2 <= s^2 Q^m = (s r^m)^2, which is a statement
about the one number r, however many coordinates there are.  m is 1 for vectors, 2 for all products of two coordinates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from refdp.sensitivities.checking.invariants import Hint
from refdp.terms.leaves import FALSE, TRUE, ZERO, is_number, parts, rational, variables
from refdp.terms.operations import at_most, conjunction, equal, implication, multiply, negation, root, substitute, total
from refdp.terms.polynomials import Monomial, Polynomial, constant, polynomial, term_of
from refdp.terms.term import Term

MOST_WAYS = 32
"""Most ways that choices about lengths may go."""
POWERS = (1, 2)
"""Which powers of the scale are tried."""


@dataclass(frozen=True, slots=True)
class Way:
    """Where the path holds, a vector is scale * rest, and the squares of the rest are at most length^(2 power)."""

    path: Term
    leaf: tuple[Term, ...]
    scale: Term
    rest: tuple[Term, ...]
    length: Term
    power: int

    def of(self, record: Mapping[Term, Term]) -> Way:
        """The way of a row that has another name."""
        leaf, rest = (tuple(substitute(t, record) for t in some) for some in (self.leaf, self.rest))
        path, scale, length = (substitute(t, record) for t in (self.path, self.scale, self.length))
        return Way(path, leaf, scale, rest, length, self.power)


def ways(gained: tuple[Term, ...], record: frozenset[Term]) -> list[Way] | None:
    """Every way that the choices about lengths may go; None where a vector is not scaled by its length on one of them.

    `record` has the variables of the row.
    """
    found = []
    lengths = tuple(dict.fromkeys(one for gain in gained for one in roots(gain)))
    for path, leaf in _leaves(gained):
        way = _scaled(path, leaf, lengths, record)
        if way is None:
            return None
        found.append(way)
    return found


def reach(found: Sequence[Way]) -> Term | None:
    """To what a vector seems to be scaled: its scale without what depends on its length; None where it does nowhere."""
    for way in found:
        ((monomial, coefficient),) = polynomial(way.scale).coefficients.items()
        public = frozenset((a, power) for a, power in monomial if way.length not in parts(a))
        if public != monomial:
            return term_of(Polynomial({public: coefficient}), "Real", (way.scale,))
    return None


def hints(found: Sequence[Way], gained: tuple[Term, ...], most: Term, public: tuple[Term, ...]) -> Iterator[Hint]:
    """Hints for the last condition, of which the last one says that the squares of what is gained are `most` at most.

    `public` is known of parameters and rows.
    """
    lengths = {way.length: _of_length(way.length) for way in found}
    for steps in lengths.values():
        yield from steps
    known = []
    for way in found:
        own = list(_of_way(way, lengths[way.length][-1].statement, most, public))
        yield from own
        same = implication(way.path, conjunction(*map(equal, gained, way.leaf)))
        squares = implication(way.path, equal(_squared(gained), _squared(way.leaf)))
        yield _hint(same, (), (*_literals(way.path), way.length))
        yield _hint(squares, (same,), (*_literals(way.path), *gained, *way.leaf))
        known += [own[-1].statement, squares]
    # Where a condition itself says how long a vector is, it has to be seen.
    hidden = [
        _squared(gained),
        *(_squared(way.leaf) for way in found),
        *(c for way in found for c in _literals(way.path)),
    ]
    yield _hint(at_most(_squared(gained), most), tuple(known), () if TRUE in known else hidden)


def _of_length(length: Term) -> list[Hint]:
    """That a length is not negative, and that its square is what is under the root."""
    under = length.arguments[0]
    positive = at_most(ZERO, under)
    both = conjunction(at_most(ZERO, length), equal(multiply(length, length), under))
    return [_hint(positive, (), _factors(under)), _hint(both, (positive,), (under,))]


def _of_way(way: Way, of_length: Term, most: Term, public: tuple[Term, ...]) -> Iterator[Hint]:
    """Hints of one way; the last one says that the squares of its vector are `most` at most there."""
    under, literals = way.length.arguments[0], _literals(way.path)
    whole = multiply(way.scale, _power(way.length, way.power))
    scaled = tuple(multiply(way.scale, one) for one in way.rest)
    rest, limit, factor = _squared(way.rest), _power(under, way.power), multiply(way.scale, way.scale)
    short = implication(way.path, at_most(multiply(whole, whole), most))
    yield _hint(short, (of_length, *public), (way.length, under))
    within = at_most(rest, limit)
    yield _hint(within, (), ())
    same = equal(multiply(whole, whole), multiply(factor, limit))
    yield _hint(same, (of_length,), (way.scale, way.length, under))
    larger = at_most(multiply(factor, rest), multiply(factor, limit))
    yield _hint(larger, (within,), (way.scale, rest, limit))
    parts = [multiply(factor, multiply(one, one)) for one in way.rest]
    apart = equal(total(parts), multiply(factor, rest))
    yield _hint(apart, (), (factor, *(multiply(one, one) for one in way.rest)))
    known = [short, same, larger, apart]
    for leaf, one, inner, part in zip(way.leaf, scaled, way.rest, parts, strict=True):
        alike = implication(way.path, equal(leaf, one))
        yield _hint(alike, (of_length, *public), (way.length, under))
        squares = implication(way.path, equal(multiply(leaf, leaf), part))
        yield _hint(squares, (alike,), (*literals, way.scale, inner, *(() if alike is TRUE else (leaf,))))
        known.append(squares)
    hidden = [*literals, *(multiply(leaf, leaf) for leaf in way.leaf), *parts, multiply(whole, whole)]
    hidden += [multiply(factor, limit), *([] if apart is TRUE else [multiply(factor, rest)])]
    yield _hint(implication(way.path, at_most(_squared(way.leaf), most)), tuple(known), hidden)


def _hint(statement: Term, given: tuple[Term, ...], whatever: Iterable[Term]) -> Hint:
    """A hint for the last condition, proved whatever the values of some terms are."""
    plain = tuple(dict.fromkeys(t for t in whatever if t.arguments))
    return Hint("out", statement, tuple(dict.fromkeys(one for one in given if one is not TRUE)), plain)


def _squared(vector: Iterable[Term]) -> Term:
    """The sum of the squares."""
    return total(multiply(one, one) for one in vector)


def _power(term: Term, exponent: int) -> Term:
    """A small power."""
    return reduce(multiply, [term] * exponent)


def _literals(path: Term) -> tuple[Term, ...]:
    """The conditions that a path is made of, without their negations."""
    members = path.arguments if path.operator == "all_of" else (path,)
    return tuple(one.arguments[0] if one.operator == "not" else one for one in members)


def _factors(under: Term) -> tuple[Term, ...]:
    """What the squares that add up to a term are the squares of, where it is such a sum."""
    if under.operator == "+":
        return tuple(one for part in under.arguments for one in _factors(part))
    return under.arguments[:1] if under.operator == "*" and under.arguments[0] is under.arguments[1] else ()


def _leaves(gained: tuple[Term, ...]) -> Iterator[tuple[Term, tuple[Term, ...]]]:
    """What is gained on each way that choices about lengths go, with its conditions; nothing where there are many."""
    waiting: list[tuple[tuple[Term, ...], tuple[Term, ...]]] = [((), gained)]
    done = []
    while waiting:
        path, leaf = waiting.pop()
        condition = next((one for one in map(_choice, leaf) if one is not None), None)
        if condition is None:
            done.append((conjunction(*path), leaf))
            continue
        for one, value in ((condition, TRUE), (negation(condition), FALSE)):
            waiting.append(((*path, one), tuple(substitute(g, {condition: value}) for g in leaf)))
        if len(waiting) + len(done) > MOST_WAYS:
            return
    yield from done


def _choice(term: Term) -> Term | None:
    """The condition of an outermost choice about lengths, outside of what lengths are made of."""
    waiting = [term]
    while waiting:
        one = waiting.pop(0)
        if one.operator == "ite" and roots(one):
            return one.arguments[0]
        waiting += one.arguments if one.operator != "sqrt" else ()
    return None


def roots(term: Term) -> list[Term]:
    """The lengths of which a term is made."""
    return [part for part in parts(term) if part.operator == "sqrt" and not is_number(part.arguments[0])]


def _scaled(path: Term, leaf: tuple[Term, ...], lengths: tuple[Term, ...], record: frozenset[Term]) -> Way | None:
    """The vector as scale * rest, for one of the lengths; those in it, or in its conditions, come first."""
    own = [one for term in (*leaf, path) for one in roots(term)]
    for length in dict.fromkeys((*own, *lengths)):
        split = _taken_apart(leaf, length, record)
        for power in POWERS if split is not None else ():
            scale, rest = split if split is not None else (ZERO, [])
            factor = _factor(rest, polynomial(length.arguments[0]), power)
            if factor is not None:
                inner = tuple(term_of(constant(1 / factor) * one, "Real", (length, *leaf)) for one in rest)
                return Way(path, leaf, multiply(rational(factor), scale), inner, length, power)
    return None


def _taken_apart(leaf: tuple[Term, ...], length: Term, record: frozenset[Term]) -> tuple[Term, list[Polynomial]] | None:
    """What all monomials of a vector have in common of the length and of public things, and the vector without it."""
    found = [polynomial(one) for one in leaf]
    monomials = [dict(m) for one in found for m in one.coefficients]
    if not monomials:
        return rational(1), found
    outer = {a for m in monomials for a in m if length in parts(a) or not record & set(variables(a))}
    shared = {a: least for a in outer if (least := min(m.get(a, 0) for m in monomials))}
    if any(length in parts(a) and m.get(a, 0) != shared.get(a, 0) for m in monomials for a in outer):
        return None
    rest = [Polynomial({_without(m, shared): c for m, c in one.coefficients.items()}) for one in found]
    scale = term_of(Polynomial({frozenset(shared.items()): Fraction(1)}), "Real", (length, *leaf))
    return scale, rest


def _without(monomial: Monomial, shared: dict[Term, int]) -> Monomial:
    """The monomial divided by what is shared."""
    return frozenset((a, left) for a, power in monomial if (left := power - shared.get(a, 0)))


def _factor(rest: list[Polynomial], under: Polynomial, power: int) -> Fraction | None:
    """A number f such that the squares of the rest are f^2 under^power at most; None where none is found.

    What is left over is a sum of even monomials with coefficients that are not negative.
    """
    squares = reduce(Polynomial.__add__, (one * one for one in rest), constant(Fraction(0)))
    limit = reduce(Polynomial.__mul__, [under] * power)
    if not squares.coefficients:
        return Fraction(1)
    ratio = max(
        (c / limit.coefficients[m] for m, c in squares.coefficients.items() if m in limit.coefficients), default=0
    )
    factor = root(rational(Fraction(ratio))) if ratio > 0 else ZERO
    if not is_number(factor) or not factor.rational:
        return None
    left = constant(Fraction(ratio)) * limit - squares
    is_even = all(c > 0 and all(p % 2 == 0 for _, p in m) for m, c in left.coefficients.items())
    return factor.rational if is_even else None
