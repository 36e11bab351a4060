"""The pointwise inequalities behind the composition rules; summed over outcomes they give the rule.

p, q, r are the masses of one outcome under three inputs (a, b those of a second mechanism), t = e^epsilon >= 1 and
w+ = max(w, 0); docs/soundness.md has the step from the pointwise statement to the rule.  Some are false, and refuted:
what a rule would need that claimed more.
"""

from __future__ import annotations

from refdp.spec.named_statements import NamedStatements
from refdp.spec.registry import register
from refdp.spec.statements import equal
from refdp.statements.excess import a, b, given, p, part, q, r, t, t1, t2
from refdp.terms.term import both, exp, maximum, minimum, name

k, s, c, w, d, e1, e2, d1, d2 = map(name, ("k", "s", "c", "w", "d", "e_1", "e_2", "d_1", "d_2"))
x, y, m, z, order, rho, loss = map(name, ("x", "y", "m", "z", "order", "rho", "l"))
rate, epsilon = name("rate"), name("epsilon")
SHARE = (0 <= k, k <= 1)
RATE = (0 <= rate, rate <= 1)
CHANCES = (0 <= e1, e1 <= d1, d1 <= 1, 0 <= e2, e2 <= d2, d2 <= 1)
PURE = (p <= t * q, q <= t * p)
CHORD = (*PURE, 1 < t, 1 <= s, s <= t, equal(c * (t * t - 1), t - s))
mixed, amplified = (1 - rate) * q + rate * p, 1 + rate * (t - 1)
"""A row of rate `rate` in the sample: the mass with it, and e^epsilon after sampling."""

SEQUENTIAL = {
    "sequential_pure": given(p * a <= t1 * t2 * (q * b), p <= t1 * q, a <= t2 * b),
    "sequential_approximate": given(
        part(p * a - t1 * t2 * q * b) <= part(p - t1 * q) * a + minimum(p, t1 * q) * part(a - t2 * b)
    ),
    "adaptive_inner": given(part(p - t1 * q) + minimum(p, t1 * q) * w <= part(p - t1 * q) + p * d, 0 <= w, w <= d),
    "tight_delta": given(e1 + (1 - e1) * e2 <= 1 - (1 - d1) * (1 - d2), *CHANCES),
    "parallel": given(equal(part(p * a - t * q * a), part(p - t * q) * a)),
    "group": given(part(p - t1 * t2 * r) <= part(p - t1 * q) + t1 * part(q - t2 * r)),
}
CLOSURE = {
    "post_process": given(part((p + a) - t * (q + b)) <= part(p - t * q) + part(a - t * b)),
    "post_process_randomised": given(equal(part(k * p - t * k * q), k * part(p - t * q)), *SHARE),
    "convexity": given(
        part(k * p + (1 - k) * a - t * (k * q + (1 - k) * b)) <= k * part(p - t * q) + (1 - k) * part(a - t * b), *SHARE
    ),
    "total_variation": given(part(x - t * y) <= part(p - t * q) + part(x - p) + t * part(q - y), 0 <= x, 0 <= y),
    "weaken": given(part(p - t2 * q) <= part(p - t1 * q), t1 <= t2),
}
CONVERSION = {
    "pure_to_approximate": given(equal(part(p - t * q), 0), p <= t * q),
    "smaller_epsilon": given(part(p - s * q) <= t * c * p - c * q, *CHORD),
    "smaller_epsilon_delta": given(equal(c * (t - 1) * (t + 1), t - s), *CHORD),
    "markov": given(part(x - 1) <= x * m, 0 < x, 0 <= m, 0 <= (x - 1) * (m - 1)),
    "markov_sharp": given(
        (x - 1) * (order - 1) <= b, 1 < order, 0 < x, equal(z * order, x * (order - 1)), 1 + order * (z - 1) <= b
    ),
    "optimal_order": given(equal(s * ((1 + s) * rho - (rho + 2 * s * rho)), -loss), 0 <= s, equal(s * s * rho, loss)),
    "group_orders": given(
        equal(
            k * order / (k * order - 1) * ((k - 1) ** 2 * rho * ((k * order - 1) / (k - 1))) + rho * k * order,
            k**2 * rho * order,
        ),
        1 < order, 1 < k, 0 <= rho, 1 < k * order,
    ),
    "mean_of_the_loss": given(equal(t / (1 + t) * epsilon - 1 / (1 + t) * epsilon, epsilon * (t - 1) / (t + 1))),
    "mean_of_both_losses": given((p - q) * loss <= epsilon * abs(p - q), -epsilon <= loss, loss <= epsilon),
    "advanced_form": given(
        equal(2 * x, epsilon * y), 0 <= epsilon, 0 <= x, 0 <= y,
        equal(x * x, k * epsilon**2 / 2 * loss), equal(y * y, 2 * k * loss),
    ),
}  # fmt: skip
SAMPLING = {
    "sampled_pure": given(both(mixed <= amplified * q, q <= amplified * mixed), *RATE, *PURE),
    "sampled_remove": given(equal(part(mixed - amplified * q), rate * part(p - t * q)), *RATE),
    "sampled_add": given(part(q - amplified * mixed) <= rate * part(q - t * p), *RATE),
}
FALSE = {
    "greatest_factor": given(p * a <= maximum(t1, t2) * (q * b), p <= t1 * q, a <= t2 * b),
    "greatest_delta": given(e1 + (1 - e1) * e2 <= maximum(d1, d2), *CHANCES),
    "group_without_the_factor": given(part(p - t1 * t2 * r) <= part(p - t1 * q) + part(q - t2 * r)),
    "parallel_under_replacement": given(p * a <= t * (q * b), p <= t * q, a <= t * b),
    "post_process_keeps": given(equal(part((p + a) - t * (q + b)), part(p - t * q) + part(a - t * b))),
    "sampled_in_proportion": given(1 + rate * (exp(epsilon) - 1) <= exp(rate * epsilon), *RATE, 0 <= epsilon),
    "sampled_replacement": given((1 - rate) * r + rate * p <= amplified * ((1 - rate) * r + rate * q), *RATE, *PURE),
    "smaller_epsilon_for_less": given(
        (part(p - s * q) + part(1 - p - s * (1 - q))) * (t + 2) <= t - s,
        p <= 1, q <= 1, *PURE, 1 - p <= t * (1 - q), 1 - q <= t * (1 - p), 1 <= s, s <= t,
    ),
}  # fmt: skip

COMPOSITION = register(NamedStatements("composition", SEQUENTIAL | CLOSURE | CONVERSION | SAMPLING | FALSE))
