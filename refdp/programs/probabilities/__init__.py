"""Exact probabilities of what a path of a program draws, and comparisons of them that are decided."""

from refdp.programs.probabilities.closed_forms import approximately, decimal, text
from refdp.programs.probabilities.estimates import Estimate, estimate, likely
from refdp.programs.probabilities.events import probability
from refdp.programs.probabilities.numbers import Number, exponential, number
from refdp.programs.probabilities.signs import enclosure, is_more, sign
from refdp.programs.probabilities.sums import NotComputed

__all__ = [
    "Estimate",
    "NotComputed",
    "Number",
    "approximately",
    "decimal",
    "enclosure",
    "estimate",
    "exponential",
    "is_more",
    "likely",
    "number",
    "probability",
    "sign",
    "text",
]
