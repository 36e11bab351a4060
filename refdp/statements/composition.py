"""The pointwise inequalities behind the composition rules; summed over outcomes they give the rule.

p, q, r are the masses of one outcome under three inputs (a, b those of a second mechanism), t = e^epsilon >= 1 and
w+ = max(w, 0); docs/soundness.md has the step from the pointwise statement to the rule.
"""

from __future__ import annotations

from refdp.spec.named_statements import NamedStatements
from refdp.spec.registry import register
from refdp.spec.statements import Statement, equal
from refdp.spec.terms import Term, maximum, minimum, name, names

p, q, r, a, b, t, t1, t2, k = map(name, ("p", "q", "r", "a", "b", "t", "t_1", "t_2", "k"))
MASSES = tuple(0 <= v for v in (p, q, r, a, b))
FACTORS = tuple(1 <= v for v in (t, t1, t2))


def _part(w: Term) -> Term:
    """w+ = max(w, 0)."""
    return maximum(w, 0)


def _given(show: Term, *more: Term) -> Statement:
    """The statement for those of the masses (non-negative) and factors (at least 1) that it speaks of."""
    spoken = names(show).union(*map(names, more))
    return Statement((*(c for c in (*MASSES, *FACTORS) if names(c) <= spoken), *more), show)


COMPOSITION = register(
    NamedStatements(
        "composition",
        {
            "sequential_pure": _given(p * a <= t1 * t2 * (q * b), p <= t1 * q, a <= t2 * b),
            "sequential_approximate": _given(
                _part(p * a - t1 * t2 * q * b) <= _part(p - t1 * q) * a + minimum(p, t1 * q) * _part(a - t2 * b)
            ),
            "parallel": _given(equal(_part(p * a - t * q * a), _part(p - t * q) * a)),
            "group": _given(_part(p - t1 * t2 * r) <= _part(p - t1 * q) + t1 * _part(q - t2 * r)),
            "post_process": _given(_part((p + a) - t * (q + b)) <= _part(p - t * q) + _part(a - t * b)),
            "post_process_randomised": _given(equal(_part(k * p - t * k * q), k * _part(p - t * q)), 0 <= k, k <= 1),
            "weaken": _given(_part(p - t2 * q) <= _part(p - t1 * q), t1 <= t2),
            "pure_to_approximate": _given(equal(_part(p - t * q), 0), p <= t * q),
        },
    )
)
