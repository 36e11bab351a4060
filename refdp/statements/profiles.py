"""The inequalities behind profiles: H(P, Q, t) = the integral of (p - t q)+ as a function of t = e^epsilon.

Two of them are false, and refuted: what a delta below the best, or a profile that is not convex, would need.
"""

from __future__ import annotations

from refdp.spec.named_statements import NamedStatements
from refdp.spec.registry import register
from refdp.spec.statements import equal
from refdp.statements.excess import given, p, part, q, t, t1, t2
from refdp.terms.term import minimum, name

k, s, d, x, y = map(name, ("k", "s", "d", "x", "y"))
SHARE = (0 <= k, k <= 1)
BETWEEN = (*SHARE, equal(s, k * t1 + (1 - k) * t2))

PROFILES = register(
    NamedStatements(
        "profiles",
        {
            "below_the_chord": given(part(p - s * q) <= k * part(p - t1 * q) + (1 - k) * part(p - t2 * q), *BETWEEN),
            "reflected": given(equal(part(p - t * q), p - t * q + t * part(q - s * p)), equal(s * t, 1), 0 <= s),
            "below_the_kink": given(
                p <= minimum(t * q, 1 - s * (1 - q)), equal(s * t, 1), p <= t * q, 1 - q <= t * (1 - p), q <= 1
            ),
            "not_below_half_the_chord": given(
                2 * part(p - s * q) <= k * part(p - t1 * q) + (1 - k) * part(p - t2 * q), *BETWEEN
            ),
        },
    )
)
