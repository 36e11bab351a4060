"""Instances of distances and measures, each with what refdp's definition decides, for proofs/rocq/Twins.v to decide.

A twin draws an instance, decides it by refdp/spec, and writes the library's executable form of the same definition with
the same inputs.  That the forms decide the library's definitions is proved in Twins.v.  To show that a difference would
be told, there is a changed definition beside each of refdp's, with an instance that it decides otherwise.

zCDP and Gaussian DP have no twin: each bounds infinitely many numbers, and refdp decides neither of finite laws.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

from refdp.spec import distances
from refdp.spec.distances import METRICS, NEIGHBOURS, Law, metric

HEAD = """From Coq Require Import QArith List.
From Refdp Require Import Twins.
From Refdp Require Tables.
Import ListNotations.
Open Scope Q_scope.
"""
ALIKE, HALF, NEAR = Fraction(0), Fraction(1, 2), Fraction(1, 97)
Decide = Callable[..., bool]


@dataclass(frozen=True, slots=True)
class Twin:
    """A definition of refdp: its name, how an instance is drawn and decided, and how the library's form is applied."""

    called: str
    draw: Callable[[Random], tuple[Any, ...]]
    decide: Decide
    write: Callable[..., str]


@dataclass(frozen=True, slots=True)
class Instance:
    """The library's form applied to an instance, and what refdp decides."""

    called: str
    applied: str
    verdict: bool


# How inputs are written


def _number(x: Fraction | int) -> str:
    """A rational number."""
    return f"({Fraction(x).numerator} # {Fraction(x).denominator})"


def _numbers(v: Iterable[Fraction]) -> str:
    """A list of rational numbers."""
    return f"[{'; '.join(map(_number, v))}]"


def _rows(u: Iterable[int]) -> str:
    """A table of whole numbers."""
    return f"[{'; '.join(map(str, u))}]%Z"


def _pair(u: Sequence[Fraction]) -> str:
    """A pair of rational numbers."""
    return f"({_number(u[0])}, {_number(u[1])})"


def _masses(law: Law) -> str:
    """The masses of a law on 0, 1, 2, ..., the greatest outcome that it lists."""
    return _numbers(law.get(o, Fraction(0)) for o in range(max(law) + 1))


# How instances are drawn


def _distance(draw: Random, *likely: Fraction | None) -> Fraction:
    """A bound: one of what is likely to be met exactly, or just missed; or any, negative ones too."""
    exact = [d for d in likely if d is not None]
    if exact and draw.random() < 0.6:
        return draw.choice(exact) + draw.choice((ALIKE, ALIKE, HALF, -HALF))
    return Fraction(draw.randrange(-1, 9), 2)


def _tables(draw: Random) -> tuple[tuple[int, ...], tuple[int, ...], Fraction]:
    """Two tables with few different rows, near each other as a rule, and a bound."""
    u = [draw.randrange(3) for _ in range(draw.randrange(6))]
    v = list(u)
    for _ in range(draw.randrange(4)):
        match draw.randrange(4):
            case 0:
                v.insert(draw.randrange(len(v) + 1), draw.randrange(4))
            case 1 if v:
                del v[draw.randrange(len(v))]
            case 2 if v:
                v[draw.randrange(len(v))] = draw.randrange(4)
            case _:
                draw.shuffle(v)
    a, b = tuple(u), tuple(v)
    found = (distances.symmetric_distance, distances.change_one_distance, distances.hamming_distance)
    return a, b, _distance(draw, *(f(a, b) for f in found), distances.insert_delete_distance(a, b))


def _values(draw: Random) -> tuple[int, int, Fraction]:
    """Two values, often the same, and a bound."""
    return draw.randrange(3), draw.randrange(3), _distance(draw, Fraction(0), Fraction(1))


def _two_numbers(draw: Random) -> tuple[Fraction, Fraction, Fraction]:
    """Two numbers and a bound."""
    x, y = (Fraction(draw.randrange(-6, 7), draw.randrange(1, 4)) for _ in range(2))
    return x, y, _distance(draw, abs(x - y))


MOVES = (*(3 * (Fraction(0),)), HALF, Fraction(1), Fraction(1), Fraction(3), Fraction(4))


def _vectors(draw: Random, longest: int = 4) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...], Fraction]:
    """Two vectors of one dimension, 0 too, and a bound."""
    u = tuple(Fraction(draw.randrange(-4, 5), draw.randrange(1, 3)) for _ in range(draw.randrange(longest + 1)))
    sign = draw.choice((1, -1, 0))
    moves = [draw.choice(MOVES) * (sign or draw.choice((1, -1))) for _ in u]
    if draw.random() < 0.4 and len(u) > 1:
        moves[0] -= sum(moves)
    if draw.random() < 0.3 and u:
        kept = draw.randrange(len(u))
        moves = [move if i == kept else Fraction(0) for i, move in enumerate(moves)]
    v = tuple(a + move for a, move in zip(u, moves, strict=True))
    l1 = distances.l1_distance(u, v)
    euclidean = next((d for d in map(Fraction, range(10)) if d * d == distances.l2_distance_squared(u, v)), None)
    return u, v, _distance(draw, l1, l1 / 2, euclidean, distances.linf_distance(u, v))


def _streams(name: str) -> Callable[[Random], tuple[Any, ...]]:
    """What draws two streams of which few entries differ, a bound, and the two numbers of a relation."""

    def drawn(draw: Random) -> tuple[Any, ...]:
        u = tuple(Fraction(draw.randrange(3)) for _ in range(draw.randrange(9)))
        changed = draw.sample(range(len(u)), min(len(u), draw.randrange(4)))
        v = tuple(a + draw.choice((1, -1)) * (i in changed) for i, a in enumerate(u))
        most, gap = draw.randrange(1, 5), draw.randrange(1, 4)
        return u, v, draw.choice((Fraction(1), Fraction(1), HALF, Fraction(-1))), name, most, gap

    return drawn


def _smooth_pairs(draw: Random) -> tuple[Any, ...]:
    """Two pairs of a number and a bound, and a factor."""
    value, bound = Fraction(draw.randrange(5)), Fraction(draw.randrange(-1, 5))
    other, factor = value + draw.choice((bound, bound, -bound, Fraction(1))), draw.choice((1, 1, 2, HALF, 3))
    return (value, bound), (other, draw.choice((bound, bound * factor, bound / factor))), Fraction(factor)


def _tested_pairs(draw: Random) -> tuple[Any, ...]:
    """Two pairs of a distance and a number, and a bound."""
    far, value = Fraction(draw.randrange(-3, 4), 2), Fraction(draw.randrange(5))
    moved, other = far + Fraction(draw.randrange(-3, 4), 2), Fraction(draw.randrange(5))
    return (far, value), (moved, other), _distance(draw, abs(value - other))


def _laws(draw: Random) -> tuple[Law, Law]:
    """Two laws on a few outcomes, some of which may be impossible: the same, apart, or any."""

    def one() -> Law:
        weights = [draw.choice((0, 0, 1, 2, 3, 6)) for _ in range(draw.randrange(5))]
        weights.insert(draw.randrange(len(weights) + 1), draw.randrange(1, 5))
        return {i: Fraction(w, sum(weights)) for i, w in enumerate(weights)}

    p, kind = one(), draw.random()
    if kind < 0.1:
        return p, dict(p)
    if kind < 0.5:  # the same outcomes are possible
        weights = {i: draw.randrange(1, 6) if mass else 0 for i, mass in p.items()}
        return p, {i: Fraction(w, sum(weights.values())) for i, w in weights.items()}
    return p, one()


def _factor(draw: Random, p: Law, q: Law) -> Fraction:
    """A number for e^epsilon: 1, the greatest ratio of the masses or nearly so, or any."""
    greatest = distances.greatest_ratio(p, q)
    choices = [Fraction(1), Fraction(draw.randrange(1, 12), draw.randrange(1, 5))]
    ratios = [a / b for a, b in distances.masses(p, q) if b > 0 and a > 0]
    choices += [draw.choice(ratios)] if ratios else []
    return draw.choice([*choices, *([greatest, greatest, greatest - NEAR] if greatest and greatest > NEAR else [])])


def _near(draw: Random, exact: Fraction | None) -> Fraction:
    """A number that is met exactly, or just missed."""
    return (exact or Fraction(1)) + draw.choice((ALIKE, ALIKE, NEAR, -NEAR))


def _pure(draw: Random) -> tuple[Any, ...]:
    """Two laws and e^epsilon."""
    p, q = _laws(draw)
    return p, q, _factor(draw, p, q)


def _with_delta(least: Callable[[Law, Law, Fraction], Fraction | None]) -> Callable[[Random], tuple[Any, ...]]:
    """What draws two laws, e^epsilon, and a delta about the least."""

    def drawn(draw: Random) -> tuple[Any, ...]:
        p, q = _laws(draw)
        t = _factor(draw, p, q)
        found = least(p, q, t)
        return p, q, t, ALIKE if found is None else found + draw.choice((ALIKE, ALIKE, NEAR, -NEAR))

    return drawn


def _renyi(draw: Random) -> tuple[Any, ...]:
    """Two laws, a whole order, and a bound on the moment."""
    p, q = _laws(draw)
    order = draw.randrange(2, 6)
    return p, q, order, _near(draw, distances.renyi_moment(p, q, order))


# The definitions


def _metric(called: str, draw: Callable[[Random], tuple[Any, ...]], write: Callable[..., str]) -> Twin:
    """The twin of a metric that has a name of its own."""
    return Twin(called, draw, METRICS[called].within, write)


def _of_tables(called: str) -> Twin:
    return _metric(called, _tables, lambda u, v, d: f"{called}_dec Z.eq_dec {_number(d)} {_rows(u)} {_rows(v)}")


def _of_neighbours(word: str, called: str) -> Twin:
    def write(u: Any, v: Any, d: Fraction) -> str:
        return f"edits_dec Z.eq_dec Tables.{called} {_number(d)} {_rows(u)} {_rows(v)}"

    return Twin(word, _tables, METRICS[NEIGHBOURS[word]].within, write)


def _of_vectors(called: str) -> Twin:
    def write(u: Any, v: Any, d: Fraction) -> str:
        return f"{called}_dec {len(u)} {_number(d)} {_numbers(u)} {_numbers(v)}"

    return _metric(called, _vectors, write)


def _of_streams(called: str) -> Twin:
    def named(kind: str, most: int, gap: int) -> str:
        return f"{kind}_{most}" if kind == "window" else f"{kind}_{most}_{gap}"

    def decide(u: Any, v: Any, d: Fraction, kind: str, most: int, gap: int) -> bool:
        return metric(named(kind, most, gap)).within(u, v, d)

    def write(u: Any, v: Any, d: Fraction, kind: str, most: int, gap: int) -> str:
        numbers = f"{most}" if kind == "window" else f"{most} {gap}"
        return f"{kind}_dec {len(u)} {_number(d)} {_numbers(u)} {_numbers(v)} {numbers}"

    return Twin(called, _streams(called), decide, write)


def _of_pairs(called: str, draw: Callable[[Random], tuple[Any, ...]]) -> Twin:
    return _metric(called, draw, lambda u, v, d: f"{called}_dec {_number(d)} {_pair(u)} {_pair(v)}")


def _of_laws(called: str, draw: Callable[[Random], tuple[Any, ...]], decide: Decide) -> Twin:
    def write(p: Law, q: Law, *numbers: Fraction) -> str:
        return f"{called}_dec {' '.join(map(_number, numbers))} {_masses(p)} {_masses(q)}"

    return Twin(called, draw, decide, write)


def _at_most(found: Fraction | None, bound: Fraction) -> bool:
    """Whether a number, infinity for None, is at most the bound."""
    return found is not None and found <= bound


def _above_the_factor(p: Law, q: Law, t: Fraction) -> Fraction | None:
    """The least delta of a ratio e^epsilon + delta."""
    found = distances.greatest_ratio(p, q)
    return None if found is None else found - t


TWINS: Mapping[str, Twin] = {
    twin.called: twin
    for twin in (
        *map(_of_tables, ("symmetric", "hamming", "insert_delete")),
        _of_neighbours("add_remove", "add_remove"),
        _of_neighbours("change_one", "replace_one"),
        _metric("absolute", _two_numbers, lambda x, y, d: f"absolute_dec {' '.join(map(_number, (d, x, y)))}"),
        _metric("discrete", _values, lambda x, y, d: f"discrete_dec Z.eq_dec {_number(d)} {x}%Z {y}%Z"),
        *map(_of_vectors, ("l1", "l2", "linf", "one_coordinate", "exchange", "monotone")),
        *map(_of_streams, ("window", "apart", "spaced")),
        _of_pairs("smooth", _smooth_pairs),
        _of_pairs("tested", _tested_pairs),
        _of_laws("pure", _pure, lambda p, q, t: _at_most(distances.greatest_ratio(p, q), t)),
        _of_laws("approximate", _with_delta(distances.hockey_stick),
                 lambda p, q, t, delta: distances.hockey_stick(p, q, t) <= delta),
        _of_laws("ratio", _with_delta(_above_the_factor),
                 lambda p, q, t, delta: _at_most(distances.greatest_ratio(p, q), t + delta)),
        _of_laws("loss_tail", _with_delta(distances.loss_tail),
                 lambda p, q, t, delta: distances.loss_tail(p, q, t) <= delta),
        Twin("renyi", _renyi, lambda p, q, order, bound: _at_most(distances.renyi_moment(p, q, order), bound),
             lambda p, q, order, bound: f"renyi_dec {order} {_number(bound)} {_masses(p)} {_masses(q)}"),
    )
}  # fmt: skip
"""Name in refdp -> its twin.  Total variation is `approximate` at e^epsilon = 1."""
WITHOUT_A_TWIN = {
    "concentrated": "it bounds the Renyi divergence of infinitely many orders",
    "gaussian": "it bounds an irrational number for each of infinitely many thresholds",
}
"""Measures that rational numbers do not decide."""


def _moved(u: Sequence[Fraction], v: Sequence[Fraction]) -> list[Fraction]:
    """By how much each coordinate moves."""
    return [b - a for a, b in zip(u, v, strict=True)]


def _one_way(u: Any, v: Any) -> int:
    """How many rows of a multiset another lacks."""
    return sum((Counter(u) - Counter(v)).values())


def _widely_apart(u: Any, v: Any, d: Fraction, _: str, most: int, gap: int) -> bool:
    places = [i for i, move in enumerate(_moved(u, v)) if move]
    return distances.linf_distance(u, v) <= d and len(places) <= most and all(b - a > gap for a, b in pairwise(places))


CHANGED: Mapping[str, Decide] = {
    "symmetric": lambda u, v, d: max(_one_way(u, v), _one_way(v, u)) <= d,
    "hamming": lambda u, v, d: sum(a != b for a, b in zip(u, v, strict=False)) <= d,
    "insert_delete": METRICS["symmetric"].within,
    "add_remove": METRICS["change_one"].within,
    "change_one": lambda u, v, d: len(u) == len(v) and distances.symmetric_distance(u, v) <= d,
    "absolute": lambda x, y, d: abs(x - y) < d,
    "discrete": lambda x, y, d: x == y or d >= 1,
    "l1": METRICS["linf"].within,
    "l2": METRICS["l1"].within,
    "linf": METRICS["l2"].within,
    "one_coordinate": METRICS["linf"].within,
    "exchange": lambda u, v, d: distances.l1_distance(u, v) <= d and sum(u) == sum(v),
    "monotone": lambda u, v, d: distances.linf_distance(u, v) <= d and all(move >= 0 for move in _moved(u, v)),
    "window": lambda u, v, d, _, most, gap: metric(f"window_{most + 1}").within(u, v, d),
    "apart": _widely_apart,
    "spaced": lambda u, v, d, _, most, gap: metric(f"apart_{most}_{gap}").within(u, v, d),
    "smooth": lambda u, v, d: abs(u[0] - v[0]) <= max(u[1], v[1]) and u[1] <= d * v[1] and v[1] <= d * u[1],
    "tested": lambda u, v, d: d >= 0 and abs(u[0] - v[0]) <= 1 and (abs(u[1] - v[1]) <= d or min(u[0], v[0]) <= 0),
    "pure": lambda p, q, t: _at_most(distances.greatest_ratio(q, p), t),
    "approximate": lambda p, q, t, delta: max(a - t * b for a, b in distances.masses(p, q)) <= delta,
    "ratio": lambda p, q, t, delta: _at_most(distances.greatest_ratio(p, q), t),
    "loss_tail": lambda p, q, t, delta: sum(a for a, b in distances.masses(p, q) if a >= t * b) <= delta,
    "renyi": lambda p, q, order, bound: _at_most(distances.renyi_moment(q, p, order), bound),
}
"""A definition that is a little wrong, in the place of each one of refdp's: change_one counts each row twice."""


def instances(twin: Twin, count: int, seed: int, decide: Decide | None = None) -> Iterator[Instance]:
    """Random instances of a definition with refdp's verdict, or that of another definition in its place."""
    draw = Random(f"{twin.called} {seed}")
    for _ in range(count):
        drawn = twin.draw(draw)
        yield Instance(twin.called, twin.write(*drawn), (decide or twin.decide)(*drawn))


def text(decided: Iterable[Instance]) -> str:
    """A file that is accepted where the library's forms decide all these instances so."""
    lines = [HEAD]
    for index, one in enumerate(decided):
        lines.append(
            f"Example {one.called}_{index} : {one.applied} = {str(one.verdict).lower()}. "
            "Proof. vm_compute. reflexivity. Qed."
        )
    return "\n".join(lines) + "\n"


def twins(each: int = 100, seed: int = 1) -> list[Instance]:
    """So many random instances of each definition, decided by refdp."""
    return [one for twin in TWINS.values() for one in instances(twin, each, seed)]


def changed(each: int = 100, seed: int = 1) -> Iterator[str]:
    """For each changed definition, the file of what it decides otherwise than refdp: none may be accepted."""
    for called, decide in CHANGED.items():
        right, wrong = (list(instances(TWINS[called], each, seed, one)) for one in (None, decide))
        yield text(b for a, b in zip(right, wrong, strict=True) if a != b)
