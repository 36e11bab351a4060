"""Functions whose sensitivity is known, with proofs short enough to read here; both neighbour relations, all norms.

Rows are numbers from 0 to 10 unless said.  Each bound is attained by small tables, or approached where said.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.question import SIZE, Neighbours, Norm, Tables
from refdp.sensitivities.records import Category, Fields, Kind, Missing, Number
from refdp.terms.leaves import integer, rational, variable
from refdp.terms.operations import absolute, add, at_most, divide, larger, multiply, root, subtract
from refdp.terms.term import Term

TEN = Number(rational(0), rational(10))
SIGNED = Number(rational(-3), rational(5))
WHOLE = Number(integer(0), integer(10), is_integer=True)
COLOUR = Category(("red", "green", "blue"))
PERSON = Fields((("age", TEN), ("city", COLOUR), ("income", Missing(SIGNED))))
POINT = Fields(((0, Number(rational(-1), rational(1))), (1, Number(rational(-1), rational(1)))))
LOW, HIGH = variable("low", "Real"), variable("high", "Real")
SYMBOLIC = Declaration(Number(LOW, HIGH), symbolic={"low": "Real", "high": "Real"}, assumption=at_most(LOW, HIGH))


@dataclass(frozen=True)
class Case:
    """A function with its sensitivity."""

    name: str
    body: str
    neighbours: Neighbours
    norm: Norm
    claim: Term
    declaration: Declaration
    tables: Tables = "multisets"
    edits: int = 1


def case(
    name: str, body: str, neighbours: str, norm: str, claim: object, record: Kind | Declaration = TEN, **more: object
) -> Case:
    """A case; an expression is returned."""
    lines = body.strip("\n").splitlines()
    if len(lines) == 1 and not lines[0].lstrip().startswith(("return", "def")):
        lines = [f"return {lines[0]}"]
    declaration = record if isinstance(record, Declaration) else Declaration(record)
    names = ", ".join(["rows", *declaration.symbolic, *declaration.values])
    text = f"import math, statistics\nfrom collections import Counter\ndef f({names}):\n" + "\n".join(
        f"    {line}" for line in lines
    )
    bound = claim if isinstance(claim, Term) else rational(Fraction(str(claim)))
    return Case(name, text, neighbours, norm, bound, declaration, **more)  # type: ignore[arg-type]


ADD, CHANGE = "add_remove", "change_one"
HISTOGRAM = """
counts = [0, 0, 0]
for x in rows:
    counts[0 if x < 3 else 1 if x < 6 else 2] += 1
return counts
"""
BY_CITY = """
found = {"red": 0, "green": 0, "blue": 0}
for r in rows:
    found[r["city"]] += r["age"]
return found
"""
SPREAD = """
if not rows:
    return 0
m = sum(rows) / len(rows)
return sum((x - m) ** 2 for x in rows)
"""
MEDIAN = """
s = sorted(rows)
return s[len(s) // 2] if s else 0
"""
RUNS = """
runs, last = 0, None
for x in rows:
    if x != last:
        runs += 1
    last = x
return runs
"""
AVERAGE = """
smooth = 0
for x in rows:
    smooth = (smooth + x) / 2
return smooth
"""
CLIPPED = """
total = [0, 0]
for x, y in rows:
    norm = math.sqrt(x * x + y * y)
    scale = 1 if norm <= 1 else 1 / norm
    total[0] += x * scale
    total[1] += y * scale
return total
"""
TREE = """
leaves = [sum(1 for x in rows if i <= x < i + 1) for i in range(4)]
return [sum(leaves), leaves[0] + leaves[1], leaves[2] + leaves[3], *leaves]
"""
QUARTER = Number(rational(0), rational(Fraction(7, 2)))
MEAN = "return sum(rows) / len(rows) if rows else 5"
ADDED = add(SIZE, integer(1))
CASES = (
    case("sum", "sum(rows)", ADD, "L1", 10),
    case("sum", "sum(rows)", CHANGE, "L1", 10),
    case("sum of signed", "sum(rows)", ADD, "L1", 5, SIGNED),
    case("sum of signed", "sum(rows)", CHANGE, "L1", 8, SIGNED),
    case("clamped sum", "sum(max(2, min(7, x)) for x in rows)", ADD, "L1", 7),
    case("clamped sum", "sum(max(2, min(7, x)) for x in rows)", CHANGE, "L1", 5),
    case("clamp after the sum", "max(0, min(25, sum(rows)))", ADD, "L1", 10),
    case("size", "len(rows)", ADD, "L1", 1),
    case("count", "sum(1 for x in rows if x > 4)", ADD, "Linf", 1),
    case("count", "len([x for x in rows if x > 4])", CHANGE, "L2", 1),
    case("histogram", HISTOGRAM, ADD, "L1", 1),
    case("histogram", HISTOGRAM, CHANGE, "L1", 2),
    case("histogram", HISTOGRAM, CHANGE, "L2", root(integer(2))),
    case("histogram", HISTOGRAM, CHANGE, "Linf", 1),
    case("histogram, three edits", HISTOGRAM, ADD, "L1", 3, edits=3),
    case("sum, two edits", "sum(rows)", CHANGE, "L1", 20, edits=2),
    case("by city", BY_CITY, ADD, "L1", 10, PERSON),
    case("by city", BY_CITY, CHANGE, "L1", 20, PERSON),
    case("by city", BY_CITY, CHANGE, "L2", root(integer(200)), PERSON),
    case("missing", "sum(r['income'] for r in rows if r['income'] is not None)", ADD, "L1", 5, PERSON),
    case("missing as 4", "sum(4 if r['income'] is None else r['income'] for r in rows)", CHANGE, "L1", 8, PERSON),
    case("several sums", "[sum(rows), sum(x * x for x in rows), len(rows)]", ADD, "L1", 111),
    case("several sums", "[sum(rows), len(rows)]", ADD, "L2", root(integer(101))),
    case("several sums", "[sum(rows), len(rows)]", ADD, "Linf", 10),
    case("tree", TREE, ADD, "L1", 3, QUARTER),
    case("tree", TREE, CHANGE, "L1", 4, QUARTER),
    case("tree", TREE, ADD, "L2", root(integer(3)), QUARTER),
    case("prefix sums", "[sum(1 for x in rows if x <= k) for k in range(5)]", ADD, "L1", 5),
    case("mean with a guard", MEAN, CHANGE, "L1", divide(integer(10), larger(integer(1), SIZE))),
    case("mean with a guard", MEAN, ADD, "L1", divide(integer(10), ADDED)),
    case("mean of a public size", "sum(rows) / 20", CHANGE, "L1", "0.5"),
    case(
        "squared deviations",
        SPREAD,
        CHANGE,
        "L1",
        multiply(divide(larger(integer(0), subtract(SIZE, integer(1))), larger(integer(1), SIZE)), integer(100)),
    ),
    case("squared deviations", SPREAD, ADD, "L1", divide(multiply(SIZE, integer(100)), ADDED)),
    case("maximum", "max(rows, default=0)", ADD, "L1", 10),
    case("maximum", "max(rows, default=0)", CHANGE, "L1", 10),
    case("median", MEDIAN, ADD, "L1", 10),
    case(
        "third of the median", MEDIAN.replace("s[len", "1 / 3 * s[len"), CHANGE, "L1", divide(integer(10), integer(3))
    ),
    case("distinct", "len(set(rows))", ADD, "L1", 1, WHOLE),
    case("distinct", "len({r['city'] for r in rows})", CHANGE, "L1", 1, PERSON),
    case("most common", "max(Counter(r['city'] for r in rows).values(), default=0)", ADD, "L1", 1, PERSON),
    case("saturated count", "min(3, len(rows))", ADD, "L1", 1),
    case("runs of a list", RUNS, ADD, "L1", 2, WHOLE, tables="lists"),
    case("moving average of a list", AVERAGE, CHANGE, "L1", 5, tables="lists"),
    case("first two of a list", "sum(rows[:2])", ADD, "L1", 10, tables="lists"),
    case("last of a list", "rows[-1] if rows else 0", CHANGE, "L1", 10, tables="lists"),
    case("clipped sum", CLIPPED, ADD, "L2", 1, POINT),
    case("sum of points", "[sum(x for x, _ in rows), sum(y for _, y in rows)]", ADD, "L2", root(integer(2)), POINT),
    case("sum of points", "[sum(x for x, _ in rows), sum(y for _, y in rows)]", CHANGE, "L1", 4, POINT),
    case("symbolic sum", "sum(max(low, min(high, x)) for x in rows)", CHANGE, "L1", subtract(HIGH, LOW), SYMBOLIC),
    case("symbolic sum", "sum(rows)", ADD, "L1", larger(absolute(LOW), absolute(HIGH)), SYMBOLIC),
    case("pairs", "sum(1 for i in range(len(rows)) for j in range(i) if rows[i] != rows[j])", ADD, "L1", SIZE, WHOLE),
    case("constant", "7", ADD, "L1", 0),
    case("exception of both", "1 / 0", ADD, "L1", 0),
)
