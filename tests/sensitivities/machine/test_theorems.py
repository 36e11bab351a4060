"""What the rules about machines conclude, held against Python's own floats and against every small table.

The claims are read as their terms say: membership, distances and numbers are those of `refdp.spec`.
"""

import itertools
import json
import math
import sys
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from refdp.kernel import rules
from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.engines import READING
from refdp.kernel.rules.machines import ROUNDING, MachineClaim
from refdp.kernel.sources import bring
from refdp.sensitivities.machine.formats import FORMATS, FloatFormat, representable
from refdp.sensitivities.machine.function_certificates import worked_out
from refdp.sensitivities.machine.narrow import Narrow
from refdp.sensitivities.machine.neighbours import machine_edits, require_row
from refdp.sensitivities.machine.runs import runs
from refdp.sensitivities.machine.sums import SUMS, sum_named
from refdp.sensitivities.machine.theorems import claim_of, has_row, machine_of
from refdp.sensitivities.records import Number
from refdp.sensitivities.row_domains import kind_of
from refdp.spec.distances import METRICS
from refdp.spec.domains import contains
from refdp.spec.machine_numbers import FLOATS, INTEGERS, SUM, is_float, is_machine_number
from refdp.terms.leaves import rational
from refdp.terms.reading import read
from refdp.terms.term import number, text

PYTHON = "python3.12" if sys.version_info >= (3, 12) else "python3.11"
WORDS = ("source", "function", "rows", "arguments", "neighbours", "tables", "edits", "arithmetic", "sum", "least",
         "most", "bound")  # fmt: skip


def naive(numbers, start=0):
    for x in numbers:
        start = start + x
    return start


def kahan(numbers):
    total = lost = 0.0
    for x in numbers:
        y = x - lost
        more = total + y
        total, lost = more, (more - total) - y
    return total


def pairwise(numbers):
    found = list(numbers)
    if len(found) < 2:
        return naive(found)
    half = len(found) // 2
    return pairwise(found[:half]) + pairwise(found[half:])


OWN = {"naive": naive, PYTHON: sum, "fsum": math.fsum, "kahan": kahan, "pairwise": pairwise}
"""The sums that a machine may have, for Python's floats."""


def proved(words):
    """The theorem of the least bound that the engine proves of these words; KernelError where it proves none."""
    found = MachineClaim.of({**words, "bound": str(10**90), "evidence": "", "numbers": "finite"})
    try:
        worked = worked_out(claim_of(found), machine_of(found))
    except ValueError as none:
        raise KernelError(str(none)) from none
    taken = [READING, *([ROUNDING] if found.is_float else []), *(["z3"] if worked.lemmas else [])]
    step = {**words, "bound": str(worked.bound), "evidence": json.dumps(worked.evidence), "by": sorted(taken)}
    return rules.machine_stays_near(**step)


def refuted(words, first, second):
    tables = {"first": [[packed(row), "1"] for row in first], "second": [[packed(row), "1"] for row in second]}
    return rules.machine_moves_too_far(**words, numbers="finite", evidence=json.dumps(tables))


def packed(row):
    """A row as certificates have it."""
    if isinstance(row, dict):
        return [packed(one) for one in row.values()]
    return {"text": row} if isinstance(row, str) else {"number": str(row)}


def expression(random, row, depth=2):
    """An expression of one row."""
    if depth == 0 or random.random() < 0.3:
        return row
    inner = expression(random, row, depth - 1)
    constant = random.choice(["0.5", "0.1", "3.0", "-1.5", "0.3", "2", "-3", "7"])
    return random.choice([
        f"min(max({inner}, {constant}), 4.0)", f"abs({inner})", f"-({inner})", f"({inner}) * {constant}",
        f"({inner}) + {constant}", f"({inner}) / {constant}", f"(({inner}) if {row} > {constant} else {constant})",
        f"({inner}) * ({row})", f"float({inner})", f"({inner}) - {constant}",
        f"{constant} / (({inner}) * ({inner}) + 1.0)",
    ])  # fmt: skip


def function(random, row):
    """The text of a function, and whether it is a mean."""
    added, other, mean = expression(random, row), expression(random, row, 1), random.random() < 0.3
    test = random.choice([f"{row} > 0.2", f"{row} <= 1 and not {row} < -2", f"{added} != {other}"])
    start, over = random.choice(["0", "0.0"]), " / len(rows)" if mean else ""
    body = random.choice([
        f"    return sum({added} for r in rows{'' if mean else f' if {test}'}){over}\n",
        f"    return sum([{added} for r in rows]){over}\n",
        f"    return math.fsum([{added} for r in rows]){over}\n",
        f"    t = {start}\n    for r in rows:\n        t += {added}\n    return t{over}\n",
        (f"    t = {start}\n    for r in rows:\n        if {test}:\n            t += {added}\n        elif {row} < 0:\n"
         f"            continue\n        else:\n            t = t + {other}\n    return t{over}\n"),
        (f"    t = {start}\n    n = 0\n    for r in rows:\n        x = {added}\n        if x > 3:\n            x = 3\n"
         f"        t += x\n        n += 1\n    return t{' / n' if mean else ''}\n"),
        f"    clipped = [{added} for r in rows]\n    return sum(clipped){over}\n",
    ])  # fmt: skip
    return f"import math\n\n\ndef f(rows):\n{body}", mean


ROWS = (
    ("interval(0, 1)", "r"), ("interval(-1, 1)", "r"), ("interval(1/10, 10)", "r"), ("interval(-100, 3)", "r"),
    ("bounded(1, 0, 5)", "r"), ("interval(4503599627370496, 4503599627370497)", "r"),
    ("record(field('a', interval(0, 2)), field('b', labels('f', 'm')))", "r['a']"),
)  # fmt: skip


def a_row(random, d):
    """A row of the domain, its ends and what rounding is hard on more often than others."""
    if d.operator == "record":
        return {"a": a_row(random, d.arguments[0].arguments[1]), "b": random.choice("fm")}
    low, high = (one.rational for one in d.arguments[-2:])
    if d.operator == "bounded":
        return Fraction(random.randint(int(low), int(high)))
    while True:
        chosen = random.choice([
            float(low), float(high), 0.0, 2.0**-53, 3 * 2.0**-54, 2.0**-1074, 1 - 2.0**-53, 0.1,
            random.uniform(float(low), float(high)), math.nextafter(float(high), -math.inf),
        ])  # fmt: skip
        if low <= Fraction(chosen) <= high:
            return Fraction(chosen)


def edited(random, table, d, words):
    """A table within so many edits of it, maybe in another order."""
    other = list(table)
    for _ in range(random.randint(0, int(words["edits"]))):
        if words["neighbours"] == "change_one" and other:
            other[random.randrange(len(other))] = a_row(random, d)
        elif words["neighbours"] == "add_remove" and other and random.random() < 0.5:
            del other[random.randrange(len(other))]
        elif words["neighbours"] == "add_remove":
            other.insert(random.randint(0, len(other)), a_row(random, d))
    if words["tables"] == "multisets" and random.random() < 0.3:
        random.shuffle(other)
    return tuple(other)


def as_python(d, row):
    """The row as Python has it."""
    if isinstance(row, dict):
        return {"a": float(row["a"]), "b": row["b"]}
    return int(row) if d.operator == "bounded" else float(row)


def hashable(table):
    return tuple(tuple(row.items()) if isinstance(row, dict) else row for row in table)


def insist_that_theorems_hold(seed, count, most_refutations):
    """So many theorems about functions, and refutations, held against what Python computes."""
    random, tried, refutations = Random(seed), 0, 0
    while tried < count:
        rows, name = random.choice(ROWS)
        source, mean = function(random, name)
        least = random.randint(1 if mean else 0, 2)
        words = dict(zip(WORDS, (
            bring(source), "f", rows, "list_of()", random.choice(["add_remove", "change_one"]),
            random.choice(["lists", "multisets"]), str(random.randint(1, 3)), "float64", random.choice(list(OWN)),
            str(least), str(least + random.randint(1, 6)), "0",
        ), strict=True))  # fmt: skip
        try:
            theorem = proved({key: one for key, one in words.items() if key != "bound"})
        except KernelError:
            continue
        tried += 1
        claim, names, d = theorem.claim, {"sum": OWN[words["sum"]], "math": math}, read(rows)
        exec(compile(source, "<query>", "exec"), names)
        for _ in range(8):
            first = tuple(a_row(random, d) for _ in range(random.randint(least, int(words["most"]))))
            second = edited(random, first, d, words)
            if not contains(claim.domain, second):
                continue
            assert contains(claim.domain, first)
            assert METRICS[claim.metric].within(hashable(first), hashable(second), claim.d_in.rational)
            one, other = (Fraction(names["f"]([as_python(d, row) for row in table])) for table in (first, second))
            assert contains(claim.output_domain, one)
            assert contains(claim.output_domain, other)
            assert METRICS[claim.output_metric].within(one, other, claim.d_out[0].rational), (source, first, second)
            apart = abs(one - other)
            if words["neighbours"] == "add_remove" and words["edits"] == "1" and len(first) == len(second):
                continue  # another order of the same rows, which refutes no claim about one row more or less
            if apart and refutations < most_refutations and len(str(apart)) < 150:
                refutations += 1
                just_below = str(apart * (1 - Fraction(1, 10**30)))
                assert str(apart * (1 - Fraction(1, 10**30))) in str(refuted({**words, "bound": just_below}, first,
                                                                            second).claim.term)  # fmt: skip
                with pytest.raises(KernelError, match="must be further apart"):
                    refuted({**words, "bound": str(apart)}, first, second)
    assert refutations == most_refutations


@pytest.mark.parametrize("seed", range(4))
def test_260_theorems_about_functions_hold_of_what_python_computes(seed):
    insist_that_theorems_hold(seed, 260, 100)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10, 20))
def test_2000_theorems_about_functions_hold_of_what_python_computes(seed):
    insist_that_theorems_hold(seed, 2000, 1000)


NARROW = """
def f(rows):
    t = 0.0
    for r in rows:
        t += r
    return t
"""


@pytest.mark.parametrize(("form", "sort"), [("float32", np.float32), ("float16", np.float16)])
def test_theorems_about_narrow_floats_hold_of_all_small_tables_that_numpy_sums(form, sort):
    step = float(np.finfo(sort).eps)
    rows = [Fraction(float(sort(x))) for x in (0, 1, step / 2, 3 * step / 4, 1 - step / 2, 0.5 + step / 4)]
    for relation, tables, metric in (("add_remove", "multisets", "symmetric"), ("change_one", "lists", "hamming")):
        words = dict(zip(WORDS, (bring(NARROW), "f", "interval(0, 1)", "list_of()", relation, tables, "1", form,
                                 "naive", "0", "3"), strict=False))  # fmt: skip
        claim, furthest = proved(words).claim, Fraction(0)
        every = [t for n in range(4) for t in itertools.product(rows, repeat=n)]
        answers = {t: Fraction(float(naive([sort(float(x)) for x in t], sort(0)))) for t in every}
        assert all(contains(claim.domain, t) and contains(claim.output_domain, answers[t]) for t in every)
        by_rows = {}
        for t in every:
            by_rows.setdefault(t if tables == "lists" else tuple(sorted(t)), []).append(answers[t])
        for one, other in itertools.combinations_with_replacement(by_rows, 2):
            if METRICS[metric].within(one, other, Fraction(1)):
                ends = [*by_rows[one], *by_rows[other]]
                furthest = max(furthest, max(ends) - min(ends))
        assert claim.metric == metric
        assert Fraction(1) < furthest <= claim.d_out[0].rational


TOTAL = "def f(rows):\n    return sum(rows)\n"


def fitted(total, form):
    least, greatest = INTEGERS[form]
    if form.endswith("_saturating"):
        return max(least, min(greatest, total))
    return (total - least) % (greatest - least + 1) + least


@pytest.mark.parametrize("form", ["int8", "uint8", "int8_saturating", "uint8_saturating"])
def test_theorems_about_integers_hold_of_all_small_tables_and_their_limit_is_where_sums_wrap(form):
    proofs = refusals = 0
    for low, high in ((0, 60), (-60, 60), (-128, 127), (0, 255), (40, 50), (-5, -2)):
        rows = sorted({low, high, (low + high) // 2})
        for relation, tables, most in itertools.product(("add_remove", "change_one"), ("lists", "multisets"), (2, 4)):
            words = dict(zip(WORDS, (bring(TOTAL), "f", f"bounded(1, {low}, {high})", "list_of()", relation, tables,
                                     "1", form, "naive", "0", str(most)), strict=False))  # fmt: skip
            every = [t for n in range(most + 1) for t in itertools.product(map(Fraction, rows), repeat=n)]
            try:
                claim = proved(words).claim
            except KernelError:
                refusals += 1
                continue
            proofs += 1
            answers = {}
            for t in every:
                total = 0
                for x in t:
                    total = fitted(total + int(x), form)
                assert contains(claim.domain, t)
                assert contains(claim.output_domain, Fraction(total))
                answers.setdefault(t if tables == "lists" else tuple(sorted(t)), []).append(total)
            for one, other in itertools.combinations_with_replacement(answers, 2):
                if METRICS[claim.metric].within(one, other, Fraction(1)):
                    ends = [*answers[one], *answers[other]]
                    assert max(ends) - min(ends) <= claim.d_out[0].rational
    assert proofs > 10
    assert refusals > 10


def test_formats_of_statements_are_those_of_the_engine():
    assert {*FLOATS, *INTEGERS} == set(FORMATS)
    for name, form in FORMATS.items():
        if not isinstance(form, FloatFormat):
            assert INTEGERS[name] == (form.lowest, form.highest)
            continue
        random = Random(name)
        ends = [form.largest, form.smallest, form.smallest_normal, form.unit, form.largest + form.smallest,
                form.largest * 2, form.smallest / 2, 1 + form.unit, 1 + 2 * form.unit, Fraction(1, 3),
                Fraction(0)]  # fmt: skip
        some = [Fraction(random.getrandbits(form.precision + 1)) * Fraction(2) ** random.randint(-160, 140)
                for _ in range(500)]  # fmt: skip
        for x in (*ends, *some):
            assert is_float(x, name) == is_float(-x, name) == representable(x, form), (name, x)
            assert is_machine_number(x, name) == (x.denominator == 1 or representable(x, form))


def test_sums_of_statements_are_those_of_the_engine_that_no_version_changes():
    assert {name for name in SUMS if SUM.fullmatch(name)} == set(SUMS) - {"python"}
    for name in ("pairwise:1", "pairwise:8", "pairwise:128"):
        assert SUM.fullmatch(name)
        assert sum_named(name)([Narrow(1.0, FORMATS["float32"])], Narrow(0.0, FORMATS["float32"]))
    for name in ("python", "any", "mixed", "pairwise:0", "pairwise:", "pairwise:x", "", "sum", "pairwise:٣"):
        assert not SUM.fullmatch(name), name


@pytest.mark.parametrize("seed", range(3))
def test_a_column_has_a_float_just_where_there_is_one_between_its_bounds(seed):
    random = Random(seed)
    for _ in range(300):
        low = Fraction(random.uniform(-2, 2)) * 2 ** random.choice((-1060, -30, 0, 1000))
        low += random.choice((0, Fraction(1, 3) * Fraction(2) ** -1100))
        high = low + abs(low) * random.choice((0, 1, 3, 5)) * Fraction(1, 2**55)
        least = float(low)
        least = math.nextafter(least, math.inf) if Fraction(least) < low else least
        assert has_row(Number(rational(low), rational(high)), FORMATS["float64"]) == (Fraction(least) <= high)
    tiny, huge = Fraction(1, 10**400), Fraction(10**400)
    for ends, found in (((-huge, tiny), True), ((tiny, huge), True), ((huge, huge), False), ((-huge, -huge), False),
                        ((tiny, 2 * tiny), False), ((-tiny, tiny), True)):  # fmt: skip
        assert has_row(Number(*map(rational, ends)), FORMATS["float64"]) is found
    for form, ends, found in (("int8", (200, 300), False), ("int8", (-300, 300), True), ("uint8", (-9, -1), False),
                              ("int8", (Fraction(1, 3), Fraction(2, 3)), False)):  # fmt: skip
        assert has_row(Number(*(rational(Fraction(end)) for end in ends)), FORMATS[form]) is found


TABLES = [t for n in range(4) for t in itertools.product((Fraction(0), Fraction(1), Fraction(2)), repeat=n)]


@pytest.mark.parametrize(("relation", "tables", "metric"), [
    ("add_remove", "multisets", "symmetric"), ("add_remove", "lists", "insert_delete"),
    ("change_one", "multisets", "change_one"), ("change_one", "lists", "hamming"),
])  # fmt: skip
def test_distances_of_statements_are_the_edits_of_the_engine(relation, tables, metric):
    for one, other in itertools.product(TABLES, repeat=2):
        packs = [runs([(x, 1) for x in t]) for t in (one, other)]
        for most in (1, 2, 3):
            if relation == "change_one" and len(one) != len(other):
                near = False
            else:
                near = machine_edits(*packs, relation, tables, most) <= most
            assert METRICS[metric].within(one, other, Fraction(most)) is near


ROW_DOMAINS = ("interval(0, 1)", "reals()", "grid(1)", "bounded(1, -3, 3)", "labels('f', 'm')", "labels(0, 1)",
               "optional(interval(0, 1))", "record(field('a', interval(0, 1)), field('b', optional(grid(1))))",
               "record(field(0, reals()), field(1, labels('f', 'm')))")  # fmt: skip
VALUES = (Fraction(0), Fraction(1, 2), Fraction(1, 3), Fraction(3), Fraction(300), Fraction(2049), Fraction(2**70),
          None, "f", "nan", "inf", "-0.0", "x", True)  # fmt: skip


@pytest.mark.parametrize("rows", ROW_DOMAINS)
@pytest.mark.parametrize("form", ["float64", "float16", "bfloat16", "int8", "int64_saturating"])
@pytest.mark.parametrize("numbers", ["finite", "special"])
def test_tables_of_statements_have_the_rows_that_the_engine_takes(rows, form, numbers):
    d, kind = read(rows), kind_of(read(rows))
    domain = read(f"machine_table({rows}, '{form}', 1, 1, '{numbers}')")
    for x in (*VALUES, *itertools.product(VALUES, repeat=2)):
        keyed = isinstance(x, tuple) and d.operator == "record" and d.arguments[0].arguments[0] == text("a")
        row = dict(zip("ab", x, strict=True)) if keyed else x
        if d.operator != "record" and isinstance(x, tuple):
            continue
        try:
            require_row(kind, x, FORMATS[form], numbers == "special")
        except ValueError:
            assert not contains(domain, (row,)), x
        else:
            assert contains(domain, (row,)), x
    assert not contains(domain, ())
    assert domain.arguments[2] == number(1)


def test_what_python_does_not_add_so_refutes_nothing():
    """Ints before the first float are added exactly: beside floats each would be rounded, and move further."""
    source = """
def f(rows):
    return sum(4503599627370500 if x > 1 else 4503599627370499 if x > 0 else 4503599627370497.0 for x in rows)
"""
    scope = {}
    exec(source, scope)
    answers = {t: Fraction(naive(scope["f"]([x]) for x in t)) for n in range(6)
               for t in itertools.product((0, 1, 2), repeat=n)}  # fmt: skip
    pairs = [(t, t[:i] + t[i + 1 :]) for t in answers for i in range(len(t))]
    move = max(abs(answers[t] - answers[u]) for t, u in pairs)
    assert move == 4503599627370500
    words = dict(zip(WORDS, (bring(source), "f", "bounded(1, 0, 2)", "list_of()", "add_remove", "lists", "1", "float64",
                             "python3.11", "0", "5", str(move)), strict=True))  # fmt: skip
    for first, second in pairs[-300:]:
        with pytest.raises(KernelError, match="must be further apart"):
            refuted(words, first, second)
    words["bound"] = str(move - 1)
    first, second = next(pair for pair in pairs if abs(answers[pair[0]] - answers[pair[1]]) == move)
    assert refuted(words, first, second)


def test_ints_that_fsum_makes_the_same_float_of_refute_nothing():
    source = "import math\ndef f(rows):\n    return math.fsum(rows)\n"
    ends = 2**53, 2**53 + 1
    rows = f"bounded(1, {ends[0]}, {ends[1]})"
    words = dict(zip(WORDS, (bring(source), "f", rows, "list_of()", "change_one", "lists",
                             "1", "float64", "python3.11", "0", "3", "1"), strict=True))  # fmt: skip
    for size in (1, 2, 3):
        for table in itertools.product(ends, repeat=size):
            other = (sum(ends) - table[0], *table[1:])
            assert math.fsum(table) == math.fsum(other)
            with pytest.raises(KernelError, match="must be further apart"):
                refuted(words, table, other)
