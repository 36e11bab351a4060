"""How far small queries of numbers move, and which of two sensitivities is the larger.

x and y are inputs at most 1 apart; the bounds of clamped rows are lower and upper.
Source: 000_049da8266149c954.txt; 002_f75f59c300dafc13.txt; 004_ca35d8fbbac5cff0.txt.
"""

from __future__ import annotations

from collections.abc import Callable

from refdp.spec.named_statements import NamedStatements
from refdp.spec.registry import register
from refdp.spec.statements import Statement, equal
from refdp.terms.term import Term, both, maximum, minimum, name, number

x, y, bound, lower, upper, n = map(name, ("x", "y", "bound", "lower", "upper", "n"))
sensitivity, less, more = map(name, ("sensitivity", "less", "more"))
NEAR = abs(x - y) <= 1


def sensitivity_is(f: Callable[[Term], Term], s: int) -> Statement:
    """Inputs at most 1 apart move f by at most s, and x, x + 1 move it by just s."""
    return Statement((NEAR,), both(abs(f(x) - f(y)) <= s, equal(abs(f(x + 1) - f(x)), s)))


def median_of_three(a: Term, b: Term, c: Term) -> Term:
    """The middle one of three numbers."""
    return maximum(minimum(a, b), minimum(maximum(a, b), c))


_ordered, _sized, _ranks = (lower <= upper,), (1 <= n,), (-1 <= y, y <= 1)
_widest = maximum(abs(lower), abs(upper))
_zero, _far = number(0), bound + 1

SENSITIVITY_EXAMPLES = register(
    NamedStatements(
        "sensitivity_examples",
        {
            "identity": sensitivity_is(lambda v: v, 1),
            "twice": sensitivity_is(lambda v: v + v, 2),
            "tenfold": sensitivity_is(lambda v: 10 * v, 10),
            "square_is_unbounded": Statement((0 <= bound,), bound < abs((bound + 1) ** 2 - bound**2)),
            "square_between_bounds": Statement((NEAR, 0 <= x, x <= 12, 0 <= y, y <= 12), abs(x**2 - y**2) <= 23),
            "clamp_bound_without_bars": Statement(_ordered, equal(maximum(abs(lower), upper), _widest)),
            "clamp_bound_in_any_order": Statement((), equal(maximum(abs(lower), upper), _widest)),
            "average_of_a_count": Statement((*_sized, NEAR), abs(x / n - y / n) <= 1 / n),
            "count_below_mean": Statement((*_ordered, *_sized), 1 <= (upper - lower) / n, frozenset({"n"})),
            "mean_below_count": Statement((*_ordered, *_sized), (upper - lower) / n <= 1, frozenset({"n"})),
            "no_constant_over_n": Statement((0 <= bound,), bound / (bound + 1) < 1),
            "noise_falls_with_epsilon": Statement(
                (0 <= sensitivity, 0 < less, less <= more), sensitivity / more <= sensitivity / less
            ),
            "median_is_unbounded": Statement(
                (0 <= bound,),
                bound < abs(median_of_three(_zero, _far, _far) - median_of_three(_zero, _zero, _far)),
            ),
            "rank_score": Statement(_ranks, abs(abs(x + y) - abs(x)) <= 1),
        },
    )
)
