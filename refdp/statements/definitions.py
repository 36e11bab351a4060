"""Definitions compared: what one inequality says of others, for all laws on few outcomes; true ones and false ones.

p, p_1, p_2, ... are the masses of outcomes under one input and q, q_1, q_2, ... under its neighbour; t = e^epsilon.
"""

from __future__ import annotations

from itertools import product

from refdp.spec.named_statements import NamedStatements
from refdp.spec.registry import register
from refdp.spec.statements import Statement, equal
from refdp.statements.excess import a, b, given, p, part, q, t
from refdp.terms.term import Term, both, indicator, name

s, d = map(name, ("s", "d"))


def _total(terms: list[Term]) -> Term:
    """Their sum."""
    return sum(terms[1:], terms[0])


def _laws(outcomes: list[str], *more: Term) -> tuple[list[Term], list[Term], tuple[Term, ...]]:
    """The masses of the outcomes under both inputs, and that they are laws."""
    ps, qs = ([name(f"{letter}_{y}") for y in outcomes] for letter in "pq")
    return ps, qs, (*(0 <= v for v in (*ps, *qs)), equal(_total(ps), 1), equal(_total(qs), 1), 1 <= t, 0 <= d, *more)


def _both_ways(left: list[Term], right: list[Term]) -> list[Term]:
    """The mass of an event is at most t times that under the other input and d more, both ways."""
    one, other = _total(left), _total(right)
    return [one <= t * other + d, other <= t * one + d]


def _singletons_suffice() -> Statement:
    """If single outcomes keep the inequality, so do pairs of them; of four outcomes."""
    ps, qs, laws = _laws(["1", "2", "3", "4"])
    held = (c for one, other in zip(ps, qs, strict=True) for c in _both_ways([one], [other]))
    return Statement((*laws, *held), ps[0] + ps[1] <= t * (qs[0] + qs[1]) + d)


def _rectangles_suffice() -> Statement:
    """If all rectangles A x B of {0, 1} x {0, 1} keep the inequality, so does the diagonal."""
    cells = list(product("01", repeat=2))
    ps, qs, laws = _laws([i + j for i, j in cells])
    held: list[Term] = []
    for rows, columns in product(("0", "1", "01"), repeat=2):
        inside = [n for n, (i, j) in enumerate(cells) if i in rows and j in columns]
        held += _both_ways([ps[n] for n in inside], [qs[n] for n in inside])
    return Statement((*laws, *held), ps[0] + ps[3] <= t * (qs[0] + qs[3]) + d)


def _tail_is_the_delta() -> Statement:
    """If two outcomes keep the inequality for every event, the loss is more than epsilon with probability at most d."""
    ps, qs, laws = _laws(["1", "2"])
    held = (c for one, other in zip(ps, qs, strict=True) for c in _both_ways([one], [other]))
    tail = [one * indicator(t * other < one) for one, other in zip(ps, qs, strict=True)]
    return Statement((*laws, *held), tail[0] + tail[1] <= d)


def _symmetric(show: str) -> Statement:
    """A divergence of two laws on two outcomes is the same both ways: the greatest ratio, or the excess."""
    ps, qs, laws = _laws(["1", "2"])
    if show == "ratio":
        below = [one <= t * other for one, other in zip(ps, qs, strict=True)]
        return Statement((*laws[:-1], *below), qs[0] <= t * ps[0])
    here = _total([part(one - t * other) for one, other in zip(ps, qs, strict=True)])
    there = _total([part(other - t * one) for one, other in zip(ps, qs, strict=True)])
    return Statement(laws[:-1], equal(here, there))


DEFINITIONS = register(
    NamedStatements(
        "definitions",
        {
            "excess_is_in_the_tail": given(part(p - t * q) <= p * indicator(t * q < p)),
            "tail_of_a_larger_epsilon": given(p * indicator(s * q < p) * (s - t) <= s * part(p - t * q), t < s),
            "singletons_suffice_for_pure": given(p + a <= t * (q + b), p <= t * q, a <= t * b),
            "total_variation_is_symmetric": given(equal(part(p - q), part(q - p) + p - q)),
            "singletons_suffice": _singletons_suffice(),
            "rectangles_suffice": _rectangles_suffice(),
            "tail_is_the_delta": _tail_is_the_delta(),
            "ratio_is_pure": given(both(p <= s * q, 1 <= s), 0 <= d, equal(s, t + d), p <= (t + d) * q),
            "ratio_is_symmetric": _symmetric("ratio"),
            "excess_is_symmetric": _symmetric("excess"),
            "not_private_is_much_likelier": given(2 * t * q <= p, t * q < p),
        },
    )
)
