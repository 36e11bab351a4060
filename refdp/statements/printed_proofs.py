"""Steps of proofs as documents print them: those that hold, and those that need another line.

t, t_1, t_2 stand for e^epsilon >= 1; p, q, p_1, q_1, ... for probabilities; z is an output, g and h are two answers.
Source: 001_e5b0b5b677e886f3.txt; 003_4dd27ecb4894f6c7.txt; 004_ca35d8fbbac5cff0.txt.
"""

from __future__ import annotations

from refdp.spec.named_statements import NamedStatements
from refdp.spec.registry import register
from refdp.spec.statements import Statement, equal
from refdp.spec.terms import Term, minimum, name

z, g, h, k, shift = map(name, ("z", "g", "h", "k", "shift"))
epsilon, sensitivity, distance = map(name, ("epsilon", "sensitivity", "distance"))
p, q, p1, q1, t, t1, t2, d, d1, d2 = map(name, ("p", "q", "p_1", "q_1", "t", "t_1", "t_2", "d", "d_1", "d_2"))
POSITIVE = (0 < epsilon, 0 < sensitivity)


def _probabilities(*some: Term) -> tuple[Term, ...]:
    """Each lies between 0 and 1."""
    return tuple(c for v in some for c in (0 <= v, v <= 1))


_rectangle = (*_probabilities(p, q, p1, q1, d1, d2), 1 <= t1, 1 <= t2, p <= t1 * p1 + d1, q <= t2 * q1 + d2)
_share = minimum(t1 * p1, 1)
_expected = k * (t / (1 + t)) + (1 - k) * (1 / (1 + t))

PRINTED_PROOFS = register(
    NamedStatements(
        "printed_proofs",
        {
            "reverse_triangle": Statement((), abs(z - h) - abs(z - g) <= abs(h - g)),
            "constant_cancels": Statement((0 < k, 0 < p, 0 < q), equal((k * p) / (k * q), p / q)),
            "coordinates_add_up": Statement(
                (*POSITIVE, 0 <= distance, distance <= sensitivity), epsilon / sensitivity * distance <= epsilon
            ),
            "shift_of_at_most_the_sensitivity": Statement(
                (*POSITIVE, abs(shift) <= sensitivity),
                epsilon / sensitivity * (abs(z + shift) - abs(z)) <= epsilon,
            ),
            "shift_of_the_sensitivity_is_any": Statement(
                (*POSITIVE, abs(shift) <= sensitivity),
                equal(abs(z + shift) - abs(z), abs(z + sensitivity) - abs(z)),
            ),
            "rectangles_minimum": Statement((*_probabilities(p, p1, d1), 1 <= t1, p <= t1 * p1 + d1), p <= _share + d1),
            "rectangles": Statement(_rectangle, p * q <= t1 * t2 * (p1 * q1) + d1 + d2),
            "delta_inside_the_minimum": Statement(
                _rectangle, _share * (t2 * q1 + d2) + d1 <= _share * (t2 * q1 + d2 + d1)
            ),
            "factor_dropped": Statement((*_probabilities(p, q, d), 1 <= t, p <= t * q + d), p <= q),
            "estimate_is_unbiased": Statement(
                (1 < t, 0 <= k, k <= 1), equal((1 + t) / (t - 1) * (_expected - 1 / (1 + t)), k)
            ),
        },
    )
)
