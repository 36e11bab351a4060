"""What Laplace noise by inversion does on doubles: outputs of the sum 37 that the sum 25 cannot have.

The model: U = m / 2^53 for a uniform m from 1 to 2^53 - 1; for U >= 1/2 the output is x - 25 log(2 - U - U), for
U < 1/2 it is x + 25 log(U + U), every operation rounded to the nearest double, log being off by at most one unit in
the last place.  Where 2 - U - U = w / 2^53, w is 8 t, 8 t + 1, 8 t + 4 or 8 t + 7: docs/floating_point.md.
Source: 002_f75f59c300dafc13.txt; Mir12.
"""

from __future__ import annotations

from fractions import Fraction

from refdp.spec.named_statements import NamedStatements
from refdp.spec.registry import register
from refdp.spec.statements import Statement
from refdp.terms.term import Term, both, ln, name, number

SCALE = 25
OUTPUT = 37 + Fraction(109, 2**47)
"""A double just above 37."""
BELOW, ABOVE = 5573505305522201, 5573505305522204
"""Two neighbouring values of w, with no third between them."""
STEPS = 279
"""w = 2^53 - STEPS gives the output from 37."""
HALF_UNIT = Fraction(1, 2**48)
"""Half of the distance between doubles from 32 to 64."""
ERROR = SCALE * Fraction(1, 2**54) + Fraction(1, 2**50)
"""Of 25 log(w) where log(w) is between -1/2 and -1/4: one unit of the log, and half a unit of the product."""

t = name("t")


def _noise(w: int) -> Term:
    """-25 ln(w / 2^53), which is > 0."""
    return -SCALE * ln(number(Fraction(w, 2**53)))


def _is_no_draw_between(residue: int) -> Term:
    """8 t + residue does not lie strictly between BELOW and ABOVE: it is no nearer to their middle than they are."""
    return ABOVE - BELOW <= abs(2 * (8 * t + residue) - (ABOVE + BELOW))


NAIVE_LAPLACE = register(
    NamedStatements(
        "naive_laplace",
        {
            "draws_have_a_gap": Statement((), both(*map(_is_no_draw_between, (0, 1, 4, 7))), frozenset({"t"})),
            "gap_straddles_the_output": Statement(
                (),
                both(
                    25 + _noise(ABOVE) + ERROR < number(OUTPUT - HALF_UNIT),
                    number(OUTPUT + HALF_UNIT) < 25 + _noise(BELOW) - ERROR,
                ),
            ),
            "output_is_reached": Statement(
                (), abs(37 + _noise(2**53 - STEPS) - OUTPUT) + Fraction(1, 2**80) < HALF_UNIT
            ),
            "largest_draw": Statement((), both(25 + _noise(1) + 1 < number(950), number(950) < 37 + _noise(1) - 1)),
        },
    )
)
