"""The normal tail Q(u) = P[N(0, 1) > u] as an integral, and the exact delta of normal noise as one.

Source: BW18 Thm 8.
"""

from __future__ import annotations

from refdp.spec.named_statements import NamedStatements
from refdp.spec.noise import exact_delta
from refdp.spec.registry import register
from refdp.spec.statements import Statement, equal
from refdp.terms.term import apply, exp, indicator, name, normal_tail, pi, sqrt

z, u, sigma, d_in, epsilon = map(name, ("z", "u", "sigma", "d_in", "epsilon"))
BEGINS = epsilon * sigma**2 / d_in + d_in / 2
"""Where the half line begins on which the loss is at least epsilon."""
EXCESS = exp(-((z - d_in) ** 2) / (2 * sigma**2)) - exp(epsilon) * exp(-(z**2) / (2 * sigma**2))
"""The excess of one density over e^epsilon times the other, up to their common normaliser."""

NORMAL_LAW = register(
    NamedStatements(
        "normal_law",
        {
            "is_the_integral": Statement(
                (),
                equal(
                    apply("integral", indicator(0 <= z) * exp(-((z + u) ** 2) / 2), z), sqrt(2 * pi()) * normal_tail(u)
                ),
            ),
            "exact_delta": Statement(
                (0 < sigma, 0 < d_in),
                equal(
                    apply("integral", indicator(0 <= z - BEGINS) * EXCESS, z),
                    sigma * sqrt(2 * pi()) * exact_delta(sigma, d_in, epsilon),
                ),
            ),
        },
    )
)
