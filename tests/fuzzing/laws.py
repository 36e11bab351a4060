"""How likely one way through a program is to release what is asked about: closed forms, in 40 digits.

A draw that is free has the mass of its limits.  Draws that were compared with one and the same other draw are worked
out by going through that one's values: between finitely many points every mass is a sum of exponentials, whose
integrals and series are closed.  What has no such form is Unjudged, and nothing is said of it.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor, inf
from typing import Any

import mpmath

from tests.fuzzing.walking import CONTINUOUS, High, Law, Link, Noise, Number, Unjudged, Way, real

NOTHING = Fraction(1, 10**28)
"""Numbers that differ by less are taken to be equal where they are not fractions."""
Sum = dict[Any, Any]
"""A sum of exponentials of the variable: the factor of each rate."""


@dataclass(frozen=True, slots=True)
class Form:
    """A sum of multiples of draws and a number."""

    terms: Mapping[int, Any]
    constant: Any

    def put(self, known: Mapping[int, Form]) -> Form:
        """The form with forms for draws."""
        if not any(place in known for place in self.terms):
            return self
        terms: dict[int, Any] = {}
        constant = self.constant
        for place, factor in self.terms.items():
            if place in known:
                constant = constant + factor * known[place].constant
                for inner, other in known[place].terms.items():
                    terms[inner] = terms.get(inner, 0) + factor * other
            else:
                terms[place] = terms.get(place, 0) + factor
        return Form({place: factor for place, factor in terms.items() if factor != 0}, constant)


@dataclass(frozen=True, slots=True)
class Output:
    """What a way releases: what is told apart at once, and a number for each slot."""

    shape: Hashable
    slots: tuple[Form, ...]


def output_of(way: Way, typed: bool = False) -> Output:
    """What the way releases.

    `typed`: a number that is a float is told apart from one that is not.  Numbers with noise that has a density have
    slots of their own, and those that are determined by earlier ones again others: such outputs never are equal.
    """
    slots: list[Form] = []
    seen: set[int] = set()

    def shape(value: Any) -> Hashable:
        if isinstance(value, tuple):
            return tuple(map(shape, value))
        if isinstance(value, Noise):
            slots.append(Form(value.terms, value.constant))
            dense = [place for place in value.terms if way.draws[place].family in CONTINUOUS]
            fresh = [place for place in dense if place not in seen]
            seen.update(dense)
            return "dense" if fresh else "on a line" if dense else "number"
        if value is None or isinstance(value, bool | str):
            return (type(value).__name__, value)
        if isinstance(value, float) and (value != value or abs(value) == inf):
            return ("float", str(value))
        if isinstance(value, Number):
            slots.append(Form({}, value if isinstance(value, High) else Fraction(value)))
            return f"number, {isinstance(value, float)}" if typed else "number"
        raise Unjudged(f"a {type(value).__name__} is released")

    return Output(shape(way.released), tuple(slots))


@dataclass(frozen=True, slots=True)
class Between:
    """A range of a number; both ends are in it."""

    low: Any = -inf
    high: Any = inf


ANY = Between()


def is_equal(x: Any, y: Any) -> bool:
    """Whether two numbers are equal, as far as 28 digits tell."""
    if isinstance(x, High) or isinstance(y, High):
        return bool(abs(x - y) < NOTHING)
    return bool(x == y)


class Exact:
    """Numbers of 40 digits."""

    zero, one = mpmath.mpf(0), mpmath.mpf(1)
    number = staticmethod(real)

    @staticmethod
    @lru_cache(maxsize=100_000)
    def exp(exponent: Any) -> Any:
        """e^exponent."""
        return mpmath.exp(real(exponent)) if abs(exponent) < inf else mpmath.mpf(0)

    @staticmethod
    def point(x: Any) -> Any:
        """A number that exponents are made of."""
        return x

    @staticmethod
    def normal(x: Any) -> tuple[Any, Any]:
        """The distribution and the density of a normal number."""
        return mpmath.ncdf(x), mpmath.npdf(x)


class Fast:
    """Floats: to see what is worth 40 digits."""

    zero, one = 0.0, 1.0

    @staticmethod
    def number(x: Any) -> float:
        """The number."""
        return float(x.value if isinstance(x, High) else x)

    @staticmethod
    def exp(exponent: Any) -> float:
        """e^exponent."""
        x = Fast.number(exponent)
        return math.exp(x) if x < 700 else inf

    point = number

    @staticmethod
    def normal(x: float) -> tuple[float, float]:
        """The distribution and the density of a normal number."""
        return math.erfc(-x / math.sqrt(2)) / 2, math.exp(-x * x / 2) / math.sqrt(2 * math.pi)


Arithmetic = type[Exact] | type[Fast]


def below(law: Law, z: Any, using: Arithmetic) -> Any:
    """The probability of a draw <= z."""
    if z == inf or z == -inf:
        return using.one if z > 0 else using.zero
    if law.family == "gaussian":
        return using.normal(using.number(z) / using.number(law.scale))[0]
    return value_at(cumulative(law, z < 0, using), z, law, using)


def cumulative(law: Law, negative: bool, using: Arithmetic) -> Sum:
    """The probability of a draw <= z as a sum of exponentials of z / scale, for z on one side of 0."""
    one = using.one
    match law.family:
        case "laplace":
            return {1: one / 2} if negative else {0: one, -1: -one / 2}
        case "exponential":
            return {} if negative else {0: one, -1: -one}
        case "discrete_laplace":
            r = using.exp(-1 / law.scale)
            return {1: 1 / (1 + r)} if negative else {0: one, -1: -r / (1 + r)}
    raise Unjudged(f"{law.family} noise that is compared with other noise")


def dense(law: Law, negative: bool, using: Arithmetic) -> Sum:
    """The density, or the mass of an integer, likewise."""
    sign = 1 if negative else -1
    match law.family:
        case "laplace":
            return {sign: 1 / (2 * using.number(law.scale))}
        case "exponential":
            return {} if negative else {-1: 1 / using.number(law.scale)}
        case "discrete_laplace":
            r = using.exp(-1 / law.scale)
            return {sign: (1 - r) / (1 + r)}
    raise Unjudged(f"{law.family} noise that is added to other noise")


def value_at(found: Sum, z: Any, law: Law, using: Arithmetic) -> Any:
    """The sum of exponentials of z / scale."""
    return sum((factor * using.exp(rate * z / law.scale) for rate, factor in found.items()), using.zero)


def density(law: Law, z: Any, using: Arithmetic) -> Any:
    """The density at z, or the mass of the integer z."""
    if law.family == "gaussian":
        scale = using.number(law.scale)
        return using.normal(using.number(z) / scale)[1] / scale
    return value_at(dense(law, z < 0, using), z, law, using)


def within(law: Law, low: Any, high: Any, using: Arithmetic) -> Any:
    """The probability of a draw from low to high."""
    if low > high:
        return using.zero
    if low == -inf and high == inf:
        return using.one
    least = low - 1 if law.family == "discrete_laplace" else low
    if law.family != "gaussian" and low > 0:  # the difference of two numbers next to 1 has few digits, or none
        tail = {r: f for r, f in cumulative(law, False, using).items() if r}
        beyond = using.zero if high == inf else value_at(tail, high, law, using)
        return beyond - value_at(tail, least, law, using)
    return below(law, high, using) - below(law, least, using)


def chance(way: Way, output: Output, wanted: Sequence[Any], using: Arithmetic = Exact) -> Any:
    """The probability, or the density, that the way is taken and its slots are as is wanted: a number or Between."""
    asked = Asked(way, using, dict(way.limits), list(way.links), using.number(way.weight))
    for slot, one in zip(output.slots, wanted, strict=True):
        if not (asked.into(slot, one) if isinstance(one, Between) else asked.at(slot, one)):
            return using.zero
    return asked.mass()


@dataclass(slots=True)
class Asked:
    """A way, with what else must hold of its draws."""

    way: Way
    using: Arithmetic
    limits: dict[int, tuple[Any, Any]]
    links: list[Link]
    factor: Any
    known: dict[int, Form] = field(default_factory=dict)
    pinned: list[tuple[int, Form]] = field(default_factory=list)
    """Draws that are determined by another draw, which is free."""

    def law(self, place: int) -> Law:
        """The law of a draw."""
        return self.way.draws[place]

    def is_whole(self, place: int) -> bool:
        """Whether a draw is of integers."""
        return self.law(place).family == "discrete_laplace"

    def at(self, slot: Form, value: Any) -> bool:
        """The slot is this number; False where it cannot be."""
        form = slot.put(self.known)
        if not form.terms:
            return is_equal(form.constant, value)
        dense_ones = [place for place in form.terms if not self.is_whole(place)]
        place = (dense_ones or list(form.terms))[0]
        factor = form.terms[place]
        others = {inner: -one / factor for inner, one in form.terms.items() if inner != place}
        z = Form(others, (value - form.constant) / factor)
        if not self.is_whole(place):
            self.factor /= abs(self.using.number(factor))
        if not others:
            return self.fixed(place, z.constant)
        if len(others) > 1:
            raise Unjudged("a sum of three draws")
        if self.is_whole(place) and not all(is_integer(one) for one in (z.constant, *others.values())):
            raise Unjudged("a sum of multiples of integers")
        self.know(place, z)
        self.pinned.append((place, z))
        low, high = self.limits[place]
        return all(self.into(z, Between(*one)) for one in [(low, high)] if one != (-inf, inf))

    def fixed(self, place: int, z: Any) -> bool:
        """The draw is this number."""
        if self.is_whole(place):
            if not is_integer(z):
                return False
            z = Fraction(round(z))
        low, high = self.limits[place]
        if not low <= z <= high:
            return False
        self.factor *= density(self.law(place), z, self.using)
        self.know(place, Form({}, z))
        return True

    def know(self, place: int, form: Form) -> None:
        """A draw is known from here on."""
        self.known = {one: inner.put({place: form}) for one, inner in self.known.items()} | {place: form}

    def into(self, slot: Form, wanted: Between) -> bool:
        """The slot is in a range."""
        form = slot.put(self.known)
        if not form.terms:
            return bool(wanted.low <= form.constant <= wanted.high)
        if wanted.low > -inf:
            self.links.append(Link(form.terms, form.constant - wanted.low, False))
        if wanted.high < inf:
            back = {place: -factor for place, factor in form.terms.items()}
            self.links.append(Link(back, wanted.high - form.constant, False))
        return True

    def narrowed(self, place: int, link: Link) -> bool:
        """The link is of one draw alone: its limits are narrower."""
        factor, (low, high) = link.terms[place], self.limits[place]
        end = -link.constant / factor
        if self.is_whole(place):
            end = whole_end(end, link.strict, factor > 0)
        self.limits[place] = (max(low, end), high) if factor > 0 else (low, min(high, end))
        return bool(self.limits[place][0] <= self.limits[place][1])

    def mass(self) -> Any:
        """The probability of all that was asked."""
        pairs: list[Link] = []
        for link in self.links:
            form = Form(link.terms, link.constant).put(self.known)
            left = Link(form.terms, form.constant, link.strict)
            match len(left.terms):
                case 0:
                    if not (left.constant > 0 or (not left.strict and left.constant == 0)):
                        return self.using.zero
                case 1:
                    if not self.narrowed(next(iter(left.terms)), left):
                        return self.using.zero
                case 2:
                    pairs.append(left)
                case _:
                    raise Unjudged("three draws are compared")
        result = self.factor
        pinned = [(place, self.known[place]) for place, _ in self.pinned]
        for place, form in pinned:
            if not form.terms:  # fixed by a later slot
                result *= density(self.law(place), form.constant, self.using)
        pinned = [one for one in pinned if one[1].terms]
        for group in self.groups(pairs, pinned):
            if result == 0:
                return result
            result *= self.of_group(group, pairs, pinned)
        return result

    def groups(self, pairs: Sequence[Link], pinned: Sequence[tuple[int, Form]]) -> Iterator[frozenset[int]]:
        """The free draws, those together that are compared."""
        groups = [{place} for place in self.limits if place not in self.known]
        for link in pairs:
            touched = [one for one in groups if one & link.terms.keys()]
            groups = [one for one in groups if one not in touched] + [set().union(*touched)]
        yield from map(frozenset, groups)

    def of_group(self, group: frozenset[int], pairs: Sequence[Link], pinned: Sequence[tuple[int, Form]]) -> Any:
        """The probability of what is asked of these draws."""
        ours = [link for link in pairs if link.terms.keys() <= group]
        bent = [one for one in pinned if one[1].terms.keys() <= group]
        if not ours and not bent:
            (place,) = group
            return within(self.law(place), *self.limits[place], self.using)
        needed = [set(link.terms) for link in ours] + [set(form.terms) for _, form in bent]
        hubs = [place for place in sorted(group) if all(place in one for one in needed)]
        hubs.sort(key=lambda place: not self.is_whole(place))
        if not hubs:
            raise Unjudged("draws are compared in a chain")
        return self.around(hubs[0], group, ours, bent)

    def around(self, hub: int, group: frozenset[int], ours: Sequence[Link], bent: Sequence[tuple[int, Form]]) -> Any:
        """The probability of what is asked of these draws, by all values of one of them."""
        if not self.is_whole(hub) and any(map(self.is_whole, group)):
            raise Unjudged("integers are compared with a number that is none")
        using, is_whole = self.using, self.is_whole(hub)
        masses = [
            Mass(self.law(place), *self.sides(place, hub, ours), using) for place in sorted(group) if place != hub
        ]
        low, high = self.limits[hub]
        densities = [Dense(self.law(hub), self.line(1, 0, is_whole), using)]
        densities += [
            Dense(self.law(place), self.line(form.terms[hub], form.constant, is_whole), using) for place, form in bent
        ]
        points = {one for one in (low, high, 0, -1 if is_whole else 0) if abs(one) < inf}
        for part in (*masses, *densities):
            points.update(part.points())
        total = using.zero
        for piece in pieces(sorted(p for p in points if low <= p <= high), low, high, is_whole):
            found: Sum = {0: using.one}
            for one in (*masses, *densities):
                found = product(found, one.sum_at(piece.inside))
                if not found:
                    break
            total += piece.total(found, using)
        return total

    def line(self, slope: Any, start: Any, is_whole: bool) -> Line:
        """A line of the hub, in numbers that are quick to compute with."""
        if is_whole and all(not isinstance(one, High) and one == int(one) for one in (slope, start)):
            return Line(int(slope), int(start))
        return Line(slope, start) if is_whole else Line(self.using.point(slope), self.using.point(start))

    def sides(self, place: int, hub: int, ours: Sequence[Link]) -> tuple[list[Line], list[Line]]:
        """Between which lines of the hub a draw lies."""
        low, high = self.limits[place]
        is_whole = self.is_whole(hub)
        lows, highs = ([self.line(0, end, is_whole)] if abs(end) < inf else [] for end in (low, high))
        for link in ours:
            if place in link.terms:
                factor = link.terms[place]
                slope, start = -link.terms[hub] / factor, -link.constant / factor
                if self.is_whole(place):
                    if not is_integer(slope):
                        raise Unjudged("multiples of integers are compared")
                    start = whole_end(start, link.strict, factor > 0)
                (lows if factor > 0 else highs).append(self.line(slope, start, is_whole))
        return lows, highs


def is_integer(value: Any) -> bool:
    """Whether a number is an integer; Unjudged where it is none, as infinity less infinity."""
    if not -inf < value < inf:
        raise Unjudged("infinite numbers")
    return is_equal(value, round(value))


def whole_end(end: Any, strict: bool, is_lower: bool) -> Any:
    """The least integer above an end, or the greatest below it."""
    if is_lower:
        return floor(end) + 1 if strict else ceil(end)
    return ceil(end) - 1 if strict else floor(end)


@dataclass(frozen=True, slots=True)
class Line:
    """slope h + start."""

    slope: Any
    start: Any

    def at(self, h: Any) -> Any:
        """Its value."""
        return self.slope * h + self.start

    def meets(self, other: Line) -> Iterator[Any]:
        """Where it meets another."""
        if self.slope != other.slope:
            yield quotient(other.start - self.start, self.slope - other.slope)


def quotient(x: Any, y: Any) -> Any:
    """x / y, exactly."""
    return x / (Fraction(y) if isinstance(y, int) else y)


def shifted(found: Sum, line: Line, law: Law, using: Arithmetic) -> Sum:
    """A sum of exponentials of z / scale where z is on a line of h."""
    result: Sum = {}
    slope, start = (using.point(one) / using.point(law.scale) for one in (line.slope, line.start))
    for rate, factor in found.items():
        key = rate * slope
        result[key] = result.get(key, 0) + factor * using.exp(rate * start)
    return result


@dataclass(frozen=True, slots=True)
class Mass:
    """The probability that a draw lies between lines."""

    law: Law
    lows: Sequence[Line]
    highs: Sequence[Line]
    using: Arithmetic

    def points(self) -> Iterator[Any]:
        """Where its form changes."""
        is_whole = self.law.family == "discrete_laplace"
        flat = [Line(0, level) for level in ((0, -1, 1) if is_whole else (0,))]
        lines = [*self.lows, *self.highs]
        for place, one in enumerate(lines):
            for other in (*lines[place + 1 :], *flat):
                yield from one.meets(other)
                if is_whole:
                    yield from one.meets(Line(other.slope, other.start + 1))

    def sum_at(self, h: Any) -> Sum:
        """Its form about h."""
        low = max(self.lows, key=lambda one: one.at(h), default=None)
        high = min(self.highs, key=lambda one: one.at(h), default=None)
        if low and high and low.at(h) > high.at(h):
            return {}
        result: Sum = {0: self.using.one} if high is None else self.below(high, h)
        if low is not None:
            least = Line(low.slope, low.start - 1) if self.law.family == "discrete_laplace" else low
            for rate, factor in self.below(least, h).items():
                result[rate] = result.get(rate, 0) - factor
        return result

    def below(self, line: Line, h: Any) -> Sum:
        """The probability of a draw below the line."""
        return shifted(cumulative(self.law, line.at(h) < 0, self.using), line, self.law, self.using)


@dataclass(frozen=True, slots=True)
class Dense:
    """The density of a draw on a line."""

    law: Law
    line: Line
    using: Arithmetic

    def points(self) -> Iterator[Any]:
        """Where its form changes."""
        yield quotient(-self.line.start, self.line.slope)

    def sum_at(self, h: Any) -> Sum:
        """Its form about h."""
        return shifted(dense(self.law, self.line.at(h) < 0, self.using), self.line, self.law, self.using)


def product(left: Sum, right: Sum) -> Sum:
    """The product of two sums of exponentials."""
    result: Sum = {}
    for one, first in left.items():
        for other, second in right.items():
            result[one + other] = result.get(one + other, 0) + first * second
    return result


@dataclass(frozen=True, slots=True)
class Piece:
    """Numbers, or integers, between two points, both included; `inside` is one of them."""

    low: Any
    high: Any
    inside: Any
    is_whole: bool

    def total(self, found: Sum, using: Arithmetic) -> Any:
        """The integral, or the sum over the integers."""
        result = using.zero
        for rate, factor in found.items():
            if factor == 0:
                continue
            if abs(rate) < (1e-13 if using is Fast else NOTHING):
                result += factor * using.number(self.high - self.low + (1 if self.is_whole else 0))
            elif self.is_whole:
                result += factor * series(rate, self.low, self.high, using)
            else:
                ends = [using.exp(rate * end) if abs(end) < inf else using.zero for end in (self.high, self.low)]
                result += factor * (ends[0] - ends[1]) / using.number(rate)
        return result


def series(rate: Any, low: Any, high: Any, using: Arithmetic) -> Any:
    """The sum of e^(rate h) over the integers from low to high."""
    if low == -inf and high == inf:
        raise Unjudged("a series without an end")
    if low == -inf:
        return using.exp(rate * high) / (1 - using.exp(-rate))
    if high == inf:
        return using.exp(rate * low) / (1 - using.exp(rate))
    return (using.exp(rate * low) - using.exp(rate * (high + 1))) / (1 - using.exp(rate))


def pieces(points: Sequence[Any], low: Any, high: Any, is_whole: bool) -> Iterator[Piece]:
    """The parts between the points, and for integers the points themselves."""
    ends = [low, *points, high]
    for start, end in pairwise(ends):
        if not is_whole:
            if start < end:
                inside = end - 1 if start == -inf else start + 1 if end == inf else (start + end) / 2
                yield Piece(start, end, inside if abs(inside) < inf else 0, False)
            continue
        first = -inf if start == -inf else floor(start) + 1
        last = inf if end == inf else ceil(end) - 1
        if first <= last:
            yield Piece(first, last, first if first > -inf else last if last < inf else 0, True)
    if is_whole:
        for point in {one for one in points if is_integer(one)}:
            yield Piece(round(point), round(point), round(point), True)
