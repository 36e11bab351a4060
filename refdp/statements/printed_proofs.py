"""Steps of proofs as documents print them: those that hold, and those that need another line.

t stands for e^epsilon >= 1; p, q for probabilities, u and v for e^epsilon_1 and e^epsilon_2 times those of the
neighbour; z is an output, g and h are two answers.
Source: 001_e5b0b5b677e886f3.txt; 003_4dd27ecb4894f6c7.txt; 004_ca35d8fbbac5cff0.txt.
"""

from __future__ import annotations

from refdp.spec.named_statements import NamedStatements
from refdp.spec.registry import register
from refdp.spec.statements import Statement, equal
from refdp.terms.term import Term, minimum, name

z, g, h, k, shift = map(name, ("z", "g", "h", "k", "shift"))
epsilon, sensitivity, distance = map(name, ("epsilon", "sensitivity", "distance"))
p, q, u, v, t, d, d1, d2 = map(name, ("p", "q", "u", "v", "t", "d", "d_1", "d_2"))
POSITIVE = (0 < epsilon, 0 < sensitivity)


def _probabilities(*some: Term) -> tuple[Term, ...]:
    """Each lies between 0 and 1."""
    return tuple(c for v in some for c in (0 <= v, v <= 1))


_rectangle = (*_probabilities(p, q, d1, d2), 0 <= u, 0 <= v, p <= u + d1, q <= v + d2)
_share = minimum(u, 1)
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
            "rectangles_minimum": Statement((*_probabilities(p, d1), 0 <= u, p <= u + d1), p <= _share + d1),
            "rectangles": Statement(_rectangle, p * q <= u * v + d1 + d2),
            "delta_inside_the_minimum": Statement(_rectangle, _share * (v + d2) + d1 <= _share * (v + d2 + d1)),
            "factor_dropped": Statement((*_probabilities(p, q, d), 1 <= t, p <= t * q + d), p <= q),
            "raw_mean_is_unbiased": Statement((1 < t, 0 <= k, k <= 1), equal(_expected, k)),
            "estimate_is_unbiased": Statement(
                (1 < t, 0 <= k, k <= 1), equal((1 + t) / (t - 1) * (_expected - 1 / (1 + t)), k)
            ),
        },
    )
)
