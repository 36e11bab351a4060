"""The mutants that are shown to do the same: which, and the line that shows it.

Each run tries them, too, and says NOT EQUAL of one that a test tells apart.
"""

from __future__ import annotations

Key = tuple[str, str, str, str, str, int]
"""File, function, operator, the text before and after, and which of those that read alike in the file."""

MILLS = ("refdp/numerics/normal.py", "mills_bounds", "constant")
WIDTH_ONLY = "w has at most 22 digits more or fewer, of 40 in reserve: both bounds are proved for every w"
ONE_PARAMETER = "draws of a scale or of a probability have one parameter, which is the first and the last"
MORE_EXACTLY = "more is decided exactly, and floats decide only what is the same: the same digits give the same numbers"

EQUAL: dict[Key, str] = {
    ("refdp/numerics/boxes.py", "mean_value", "constant", "True", "False", 0):
        "both lists have an entry for each name of the part: `sloped` makes Slopes(len(part)), so zip drops nothing",
    (*MILLS, "8", "9", 0):
        "how many steps the continued fraction takes: a bound of r_(n+1) gives one of r_n, from 0 < r < 1/x at any n",
    ("refdp/numerics/elementary.py", "ln_bounds", "arithmetic", "(n + d).bit_length() - (n - d).bit_length()",
     "(n + d).bit_length() + (n - d).bit_length()", 0):
        "w is only larger, by twice the digits of n - d: both bounds are proved for every w, and rounded to `bits`",
    ("refdp/programs/checking/conditions.py", "Product.insist_on_form", "loop skipped", "in one.lists.values()",
     "in ()", 0):
        "a list must be one that is drawn from, and `_spread` insists on the same group wherever one is drawn from",
    ("refdp/programs/checking/conditions.py", "flat", "operand dropped",
     "isinstance(i, Term) and i.operator not in CONSTANT", "isinstance(i, Term)", 0):
        "`alike` compares constants as texts before; of two equal constants it is demanded besides that they are equal",
    ("refdp/programs/checking/conditions.py", "Product.pair", "constant", "True", "False", 0):
        "both lists are of the same length: `alike` has just compared every item that is released, kind by kind",
    (*MILLS, "2", "3", 0): WIDTH_ONLY,
    (*MILLS, "2", "0", 0): WIDTH_ONLY,
    (*MILLS, "2", "3", 1):
        "the recursion starts from 2^w / x instead of 1 / x: any bound above r_n will do, and each step narrows it",
    (*MILLS, "2", "3", 2):
        "how many steps the continued fraction takes, fewer here: that decides the width only, by the proof beside it",
    ("refdp/numerics/masses.py", "_geometric_accuracy", "constant", "2", "3", 0):
        "how the search for a k that is enough grows: the bisection after it finds the least, between any two ends",
    ("refdp/numerics/exact.py", "_decimal_above", "comparison", "abs(x) < Fraction(10) ** e",
     "abs(x) <= Fraction(10) ** e", 0):
        "for |x| = 10^e the unit is a tenth: both units divide 10^e, which is what is returned",
    ("refdp/numerics/enclosures.py", "log_concave_sum", "comparison", "after < here", "after <= here", 0):
        "where they are surely equal the tail is divided by a ball around 0: it is infinite, and surely below nothing",
    ("refdp/numerics/lattice.py", "tail_sum", "operand dropped", "k >= 0 and here.lower <= enough * total.upper",
     "here.lower <= enough * total.upper", 0):
        "for k < 0 the weights rise: no enclosure shows the next one to be below, which is asked before the sum ends",
    ("refdp/numerics/elementary.py", "down", "operand dropped", "n == 0 or size < -LARGEST_EXPONENT",
     "size < -LARGEST_EXPONENT", 0):
        "0 goes the way of other numbers: shifted and divided it is 0, which is what is returned at once",
    ("refdp/sampling/bulk/exponential.py", "PerElement._cell", "constant", "2", "1", 0):
        "still >= X + T: for G >= 2, 4 u X makes up for the roundings as T <= X / 2; for G < 2, G step is rounded once",
    ("refdp/sampling/bulk/exponential.py", "PerElement._accepted", "arithmetic",
     "(a + c) * (a + c) / twice * 2.0 ** (-48) + gamma * 2.0 ** (-50)",
     "(a + c) * (a + c) / twice * 2.0 ** (-48) - gamma * 2.0 ** (-50)", 0):
        "as gamma <= (a + c)^2 / (2 s), 24 u of that remain, and 21 u of it and 2 u gamma are what floats are off by",
    ("refdp/sampling/bulk/slots.py", "BulkSlots._decide", "arithmetic", "accepted & (row >= self._rows.blocks)",
     "accepted | (row >= self._rows.blocks)", 0): MORE_EXACTLY,
    ("refdp/sampling/lazy.py", "_guess", "comparison", "8 * u.digits * rho > 1", "8 * u.digits * rho >= 1", 0):
        "when a first guess is made: the comparisons after it find the greatest g with U < e^(-rho g) from any guess",
    ("refdp/sampling/slots/draws.py", "SlotDraws.told", "arguments swapped",
     "weight(level, c.rates, self.taylor, float(top), float(end), float(end - top))",
     "weight(level, c.rates, self.taylor, float(end), float(top), float(end - top))", 0):
        "h_j is the sum of end^i n^(j-1-i), symmetric in both; it is added up from the other end, of as many roundings",
    ("refdp/programs/checking/conditions.py", "Product.pair", "constant", "True", "False", 1):
        "both lists are of the same length: `alike` has just compared the names of the lists that are appended to",
    ("refdp/programs/checking/conditions.py", "Product.pair", "constant", "True", "False", 2):
        "both are of the same length: `costs` has one variable for each group of the alignment",
    ("refdp/programs/checking/charges.py", "is_nothing", "operand dropped",
     "shift.operator == 'number' and shift.value == 0", "shift.value == 0", 0):
        "the value of another term is a name, or none, or a truth: of which false alone is 0, and was found before",
    ("refdp/programs/checking/finite.py", "compared", "operand dropped", "likely and sign(excess - most) > 0",
     "sign(excess - most) > 0", 0):
        "where none is likely the excess is 0, and `holds_exactly` has insisted that what is allowed is not negative",
    ("refdp/programs/checking/conditions.py", "Product.conditions", "arguments swapped",
     "self.pair(f'steps {i} and {j}', a, b)", "self.pair(f'steps {i} and {j}', b, a)", 0):
        "every ordered pair of steps is gone through: the same conditions come in another order",
    ("refdp/programs/checking/proof.py", "demanded", "constant", "True", "False", 0):
        "there are as many alignments as parts: anything else has just been refused",
    ("refdp/programs/checking/symbolic.py", "Laws.chance", "constant", "0", "-1", 0): ONE_PARAMETER,
    ("refdp/programs/checking/charges.py", "rated", "constant", "0", "-1", 1): ONE_PARAMETER,
    ("refdp/programs/checking/charges.py", "rated", "constant", "0", "-1", 2): ONE_PARAMETER,
    ("refdp/programs/language/emissions.py", "written", "constant", "0", "-1", 0):
        "only statements and expressions come here, which all have a line: no default is ever taken",
    ("refdp/programs/language/emissions.py", "_item", "constant", "0", "-1", 0):
        "`written` comes here with values that are not open: without a number they have one case, the first and last",
    ("refdp/sensitivities/checking/pairs.py", "is_too_far", "arguments swapped", "distance(first, second, norm)",
     "distance(second, first, norm)", 0):
        "a distance is symmetric: of keys that must be equal and |a - b| at each, added up or the greatest taken",
    ("refdp/sensitivities/checking/pairs.py", "edits_apart", "arguments swapped", "zip(first, second, strict=True)",
     "zip(second, first, strict=True)", 0):
        "it is counted in how many places the rows differ, which does not ask which of the two tables is the first",
    ("refdp/sensitivities/checking/replaying.py", "require_refuted", "arguments swapped",
     "edits_apart(first, second, claim.neighbours, claim.tables)",
     "edits_apart(second, first, claim.neighbours, claim.tables)", 0):
        "how many edits lie between two tables does not depend on which is the first: each edit has one that undoes it",
    ("refdp/sensitivities/checking/invariants.py", "relevant", "arguments swapped",
     "zip(one.state, one.start, one.step, strict=True)", "zip(one.state, one.step, one.start, strict=True)", 0):
        "the start and the step of a state are only put together: the variables of both are needed where it is",
    ("refdp/sensitivities/checking/certificate.py", "question_json", "constant", "True", "False", 0):
        "both have a length that is written down here and beside `QUESTION`: nine parts and nine names",
    ("refdp/sampling/bulk/addition.py", "add", "arguments swapped", "added(data, wide)",
     "added(wide, data)", 0):
        "a sum, and whether its sign differs from both signs, does not depend on which of the two is called the data",
    ("refdp/sampling/bulk/drawing.py", "_is_written_at_once", "arguments swapped", "np.may_share_memory(out, data)",
     "np.may_share_memory(data, out)", 0):
        "whether two arrays may share memory does not depend on which is named first",
    ("refdp/sampling/bulk/drawing.py", "selected_from", "comparison", "max(scores) <= GREATEST",
     "max(scores) < GREATEST", 0):
        "scores that are shifted name the same candidate as those that are not: a selection sees differences alone",
    ("refdp/sampling/bulk/slots.py", "", "constant", "15", "16", 0):
        "how many first words are fetched at a time: each is that of its draw, and others are fetched after all",
    ("refdp/sampling/exponential.py", "", "constant", "24", "23", 0):
        "how many digits of U are looked at first: the draw is a function of U, of which more are asked for as needed",
    ("refdp/sampling/selection.py", "decided", "arithmetic", "bits + size.bit_length()",
     "bits - size.bit_length()", 0):
        "bounds of any number of digits are true; where they do not tell U from a cdf, twice as many are asked for",
    ("refdp/numerics/masses.py", "", "constant", "20", "19", 0):
        "how far out weights are added up: what lies beyond is bounded by a geometric sum, and counted, wherever it is",
}  # fmt: skip
