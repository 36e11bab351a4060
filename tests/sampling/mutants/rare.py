"""Errors that show in rare cases only: far out, where bends are small, between far bounds, after many terms."""

from tests.mutating import Mutant
from tests.sampling.mutants.noticing import RARE, SERIES

RARELY_SEEN = tuple(
    Mutant(name, f"refdp/{file}.py", old, new, tests)
    for name, file, old, new, tests in (
        ("artanh: 400 terms at most", "numerics/elementary", "    while p:\n        total += p // (2 * terms + 1)",
         "    while p and terms < 400:\n        total += p // (2 * terms + 1)", SERIES),
        ("sum of weights: no rest", "numerics/lattice", "(total + rest).upper", "total.upper", SERIES),
        ("geometric by digits: what is far out is piled up", "sampling/lazy", "        g += 1\n    return g",
         "        g += 1\n    return min(g, 1 << 20)", RARE),
        ("geometric by flips: what is far out is piled up", "sampling/coins", "return (u + t * v) // s",
         "return min((u + t * v) // s, 1 << 20)", RARE),
        ("tails: a small bend is accepted without a flip", "sampling/slots/draws", "if bend == 0 or bernoulli(",
         "if bend < Fraction(1, 10**6) or bernoulli(", RARE),
        ("tails: what is far out is piled up", "sampling/slots/draws", "return tail.sign * (tail.start + g) if",
         "return tail.sign * min(tail.start + g, 1 << 20) if", RARE),
        ("plan: far bounds do not clamp above", "sampling/plans", "min(k, self.upper - x))",
         "min(k, self.upper - x) if self.upper - self.lower <= 1000 else k)", RARE),
        ("scheme: far bounds do not clamp below", "sampling/schemes", 'return max(values["lower"], min(',
         'return max(values["lower"] if values["upper"] - values["lower"] <= 1000 else -(10**30), min(', RARE),
    )
)  # fmt: skip
"""Each survived the suite once."""
