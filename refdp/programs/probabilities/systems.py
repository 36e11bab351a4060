"""Inequalities of draws as bounds of differences: each draw is scaled so that all inequalities are of that form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from refdp.programs.probabilities.differences import ORIGIN
from refdp.programs.probabilities.linear import Inequality, Linear
from refdp.programs.probabilities.sums import NotComputed
from refdp.terms.term import Term


class NotDifferences(NotComputed):
    """An inequality is no bound of a difference of two draws, however they are scaled."""


@dataclass(frozen=True, slots=True)
class System:
    """Draws x with x = scale y, and what holds of the differences of the y."""

    scales: Mapping[Term, Fraction]
    bounds: tuple[tuple[int, int, Linear, bool], ...]
    """(i, j, b, strict): y_i - y_j <= b (or < b), the y numbered as in `scales`; b is free of draws."""


def components(draws: Iterable[Term], inequalities: Iterable[Inequality]) -> list[tuple[list[Term], list[Inequality]]]:
    """The draws that the inequalities speak of, split so that each inequality speaks of one part."""
    wanted = frozenset(draws)
    found: list[tuple[list[Term], list[Inequality]]] = []
    for one in inequalities:
        mine = [v for v in one.form.coefficients if v in wanted]
        touched = [part for part in found if any(v in part[0] for v in mine)]
        found = [part for part in found if part not in touched]
        named = dict.fromkeys([*(v for part in touched for v in part[0]), *mine])
        found.append(([*named], [*(i for part in touched for i in part[1]), one]))
    return found


def system(draws: list[Term], inequalities: Iterable[Inequality]) -> System:
    """The inequalities as bounds of differences; NotDifferences where they are none."""
    split = [_split(one, frozenset(draws)) for one in inequalities]
    scales = _scales(draws, [own for own, _, _ in split])
    places = {v: i for i, v in enumerate(scales)}
    return System(scales, tuple(_bound(own, rest, strict, scales, places) for own, rest, strict in split))


Split = tuple[Mapping[Term, Fraction], Linear, bool]


def _split(one: Inequality, draws: frozenset[Term]) -> Split:
    """The part of the draws, the rest, and whether the inequality is strict."""
    own = {v: c for v, c in one.form.coefficients.items() if v in draws}
    if len(own) > 2:
        raise NotDifferences("a condition speaks of three draws")
    rest = {v: c for v, c in one.form.coefficients.items() if v not in draws}
    return own, Linear(rest, one.form.constant), one.strict


def _scales(draws: list[Term], forms: list[Mapping[Term, Fraction]]) -> Mapping[Term, Fraction]:
    """The scale of each draw."""
    pairs = [form for form in forms if len(form) == 2]
    scales: dict[Term, Fraction] = {}
    for first in draws:
        waiting = [] if first in scales else [first]
        scales.setdefault(first, Fraction(1))
        while waiting:
            here = waiting.pop()
            for there, scale in _neighbours(here, scales[here], pairs):
                if there not in scales:
                    scales[there] = scale
                    waiting.append(there)
                elif scales[there] != scale:
                    raise NotDifferences("conditions are no bounds of differences of draws")
    return {v: scales[v] for v in draws}


def _neighbours(here: Term, scale: Fraction, pairs: list[Mapping[Term, Fraction]]) -> Iterator[tuple[Term, Fraction]]:
    """The draws that share an inequality with one that has that scale, with the scale that they then have."""
    for form in pairs:
        if here in form:
            (there,) = form.keys() - {here}
            yield there, -form[here] * scale / form[there]


def _bound(
    own: Mapping[Term, Fraction],
    rest: Linear,
    strict: bool,
    scales: Mapping[Term, Fraction],
    places: Mapping[Term, int],
) -> tuple[int, int, Linear, bool]:
    """own + rest <= 0 as a bound of a difference."""
    plus = [v for v, c in own.items() if c * scales[v] > 0]
    minus = [v for v, c in own.items() if c * scales[v] < 0]
    factor = abs(next(c * scales[v] for v, c in own.items()))
    first = places[plus[0]] if plus else ORIGIN
    second = places[minus[0]] if minus else ORIGIN
    return first, second, rest.times(-1 / factor), strict
