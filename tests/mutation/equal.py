"""The mutants that are shown to do the same: which, and the line that shows it.

Each run tries them, too, and says NOT EQUAL of one that a test tells apart.
"""

from __future__ import annotations

Key = tuple[str, str, str, str, str, int]
"""File, function, operator, the text before and after, and which of those that read alike in the file."""

MILLS = ("refdp/numerics/normal.py", "mills_bounds", "constant")
FARTHEST = ("refdp/programs/checking/finite.py", "", "constant", "8")

EQUAL: dict[Key, str] = {
    ("refdp/numerics/boxes.py", "mean_value", "constant", "True", "False", 0):
        "both lists have an entry for each name of the part: `sloped` makes Slopes(len(part)), so zip drops nothing",
    (*MILLS, "8", "9", 0):
        "how many steps the continued fraction takes: a bound of r_(n+1) gives one of r_n, from 0 < r < 1/x at any n",
    ("refdp/numerics/elementary.py", "ln_bounds", "arithmetic", "(n + d).bit_length() - (n - d).bit_length()",
     "(n + d).bit_length() + (n - d).bit_length()", 0):
        "w is only larger, by twice the digits of n - d: both bounds are proved for every w, and rounded to `bits`",
    (*FARTHEST, "1", 0):
        "a limit is taken where the solver shows it; the next, 16, lists the same pairs, as only related ones are kept",
    (*FARTHEST, "0", 0):
        "0 is shown only where no two different elements are related, and the next, 16, lists the same related pairs",
    ("refdp/programs/checking/conditions.py", "Product.insist_on_form", "loop skipped", "in one.lists.values()",
     "in ()", 0):
        "a list must be one that is drawn from, and `_spread` insists on the same group wherever one is drawn from",
    ("refdp/programs/checking/conditions.py", "flat", "operand dropped",
     "isinstance(i, Term) and i.operator not in CONSTANT", "isinstance(i, Term)", 0):
        "`alike` compares constants as texts before; of two equal constants it is demanded besides that they are equal",
    ("refdp/programs/checking/conditions.py", "Product.pair", "constant", "True", "False", 0):
        "both lists are of the same length: `alike` has just compared every item that is released, kind by kind",
    ("refdp/programs/language/emissions.py", "written", "constant", "0", "-1", 0):
        "only statements and expressions come here, which all have a line: no default is ever taken",
    ("refdp/programs/language/emissions.py", "_item", "constant", "0", "-1", 0):
        "`written` comes here with values that `_is_open` says no of: without a number they have one case, first and last",
    ("refdp/sensitivities/checking/pairs.py", "is_too_far", "arguments swapped", "distance(first, second, norm)",
     "distance(second, first, norm)", 0):
        "a distance is symmetric: of keys that must be equal and |a - b| at each, added up or the greatest taken",
}  # fmt: skip
