"""How long rescaled vectors are, and how far means by a private number of rows move, as statements about numbers.

`length` is that of a vector, `guard` what automatic clipping adds to it in the denominator; `rows` rows of -1 have the
mean -1, and with a row of 1 beside them (1 - rows) / (1 + rows).
Source: BWZK23 (automatic clipping).
"""

from __future__ import annotations

from refdp.spec.named_statements import NamedStatements
from refdp.spec.registry import register
from refdp.spec.statements import Statement, equal
from refdp.terms.term import Term, name, number

norm, guard, length, share, rows = map(name, ("norm", "guard", "length", "share", "rows"))
_clipping, _several = (0 < norm, 0 < guard), (1 <= rows,)
_added = abs(number(-1) - (1 - rows) / (1 + rows))


def automatic(of: Term) -> Term:
    """The length of what automatic clipping makes of a vector of that length."""
    return norm * of / (of + guard)


CLIPPING = register(
    NamedStatements(
        "clipping",
        {
            "automatic_stays_below": Statement((*_clipping, 0 <= length), automatic(length) < norm),
            "automatic_comes_close": Statement(
                (*_clipping, 0 <= share, share < 1), share * norm < automatic(guard / (1 - share))
            ),
            "row_moves_a_mean_by_two_parts": Statement(_several, equal(_added, 2 / (rows + 1)), frozenset({"rows"})),
            "row_moves_a_mean_by_one_part": Statement(_several, _added <= 1 / (rows + 1), frozenset({"rows"})),
        },
    )
)
