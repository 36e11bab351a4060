"""Sums, means and clamps as users write them are read with the range of what is added; near misses are refused."""

from fractions import Fraction

import pytest

from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.source import parse_source
from refdp.sensitivities.machine.arithmetic import machine_arithmetic
from refdp.sensitivities.machine.formats import FLOAT16, FLOAT32, FLOAT64
from refdp.sensitivities.machine.judging import judge_function
from refdp.sensitivities.machine.ranges import NotRecognised
from refdp.sensitivities.machine.recognising import recognised
from refdp.sensitivities.machine.runs import runs
from refdp.sensitivities.machine.user_runs import user_run
from refdp.sensitivities.records import Number
from refdp.terms.leaves import rational

WIDE = Declaration(Number(rational(-50), rational(200)))
CLAMPS = """
def f(rows, lower=0, upper=100):
    total = 0.0
    for x in rows:
        if x < lower:
            x = lower
        elif upper < x:
            x = upper
        total += x
    return total
"""
SKIPS = """
def f(rows, *, cap: float = 10.5):
    total: float = 0.0
    for x in rows:
        if not x >= 0:
            continue
        y = x
        if y > cap:
            y = cap
        total = total + y
    return total
"""
COUNTED = """
def f(rows):
    total, count = 0.0, 0
    return total
"""
COUNTER = """
def f(rows):
    total = 0.0
    count = 0
    for x in rows:
        total += min(x, 7)
        count += 1
    if count == 0:
        return 0.0
    return total / count
"""
LISTED = """
def f(rows, upper=100):
    if not rows:
        return 0
    kept = [min(max(x, 0), upper) for x in rows]
    n = len(kept)
    return sum(kept) / n
"""
READ = {
    "default": ("def f(rows, upper=100):\n    return sum(min(x, upper) for x in rows)", ("sum", "naive", -50, 100)),
    "clamps": (CLAMPS, ("sum", "naive", 0, 100)),
    "skips": (SKIPS, ("sum", "naive", 0, Fraction(21, 2))),
    "counter": (COUNTER, ("mean", "naive", -50, 7)),
    "listed": (LISTED, ("mean", "naive", 0, 100)),
    "numpy": ("import numpy as np\ndef f(rows):\n    return np.sum(rows)", ("sum", "numpy", -50, 200)),
    "mean": ("import numpy\ndef f(rows):\n    return numpy.mean([float(min(x, 5)) for x in rows])",
             ("mean", "numpy", -50, 5)),
    "fsum": ("import math\ndef f(rows, k=2):\n    return math.fsum(x * k for x in rows) / len(rows)",
             ("mean", "fsum", -100, 400)),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), READ.values(), ids=READ)
def test_functions_are_read_with_their_kind_order_and_range(text, expected):
    found = recognised(parse_source(text, "f"), WIDE, FLOAT64, "naive")
    assert (found.kind, found.order, found.added.lower, found.added.upper) == expected


@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize("form", [FLOAT64, FLOAT16], ids=lambda form: form.name)
def test_what_is_added_for_one_row_stays_in_the_range_that_was_read(name, form):
    source = parse_source(READ[name][0], "f")
    if form == FLOAT16 and any(one in READ[name][0] for one in ("numpy", "fsum")):
        with pytest.raises(NotRecognised, match=r"numpy|fsum of a narrow float"):
            recognised(source, WIDE, form, "naive")
        return
    found = recognised(source, WIDE, form, "naive").added
    run = user_run(source, WIDE, machine_arithmetic(form.name, "naive"))
    moved = [run(runs([(Fraction(i, 8), 1)])).numbers[0] for i in range(-400, 1601, 37)]
    assert found.lower <= min(moved) <= max(moved) <= found.upper
    assert max(moved) - min(moved) > (found.upper - found.lower) * Fraction(4, 5)


def test_a_value_that_is_set_counts_and_not_the_default():
    source = parse_source(CLAMPS, "f")
    known = Declaration(WIDE.record, {"upper": Fraction(60)})
    assert recognised(source, known, FLOAT32, "naive").added.upper == 60
    with pytest.raises(NotRecognised):
        recognised(source, Declaration(WIDE.record, {"upper": None}), FLOAT32, "naive")


@pytest.mark.parametrize("name", ["K", "rows", "x"])
def test_a_value_for_a_name_that_is_no_parameter_is_not_read_in_its_place(name):
    """A claim may speak of K; the K of the file stays 100."""
    source = parse_source("K = 100\ndef f(rows):\n    return sum(min(x, K) for x in rows)", "f")
    with pytest.raises(NotRecognised, match="K is not bounded"):
        recognised(source, Declaration(WIDE.record, {name: Fraction(0)}), FLOAT64, "naive")
    plain = parse_source("def f(rows):\n    return sum(x for x in rows)", "f")
    found = recognised(plain, Declaration(WIDE.record, {name: Fraction(0)}), FLOAT64, "naive")
    assert (found.added.lower, found.added.upper) == (-50, 200)


LOOP = "def f(rows, cap=5):\n    t = 0.0\n    c = 0\n    for x in rows:\n        {}\n    return {}"
NESTED = (
    "try:\n    import numpy as {}\nexcept ImportError:\n    pass\n",
    "def g():\n    global max, sum, len\n    import numpy as {}\n",
)
"""A module that bears the name of a function, imported where it is no statement of the file's top."""
LARGEST_MEAN = "def f(rows):\n    return sum(max(x, 0.25) for x in rows) / len(rows)"
REFUSED = [
    COUNTED,
    LOOP.format("t += min(x, c)", "t"),
    LOOP.format("t += x\n        if x > 0:\n            c += 1", "t / c"),
    LOOP.format("t += x\n        c += 2", "t / c"),
    LOOP.format("t += x\n        t += x", "t"),
    LOOP.format("t += x\n        break", "t"),
    LOOP.format("cap = x\n        t += cap", "t"),
    LOOP.format("t += x\n        x = t", "t"),
    LOOP.format("t += x", "t + c"),
    LOOP.replace("for x", "for cap").format("t += cap", "sum(min(x, cap) for x in rows)"),
    "def f(rows):\n    n = len(rows)\n    t = 0.0\n    for n in rows:\n        t += n\n    return t / n",
    "def f(rows):\n    n = len(rows)\n    t = 0.0\n    for x in rows:\n        n = x\n        t += x\n    return t / n",
    "def f(rows):\n    kept = [x for x in rows if x > 0]\n    return sum(kept) / len(kept)",
    "def f(rows):\n    if not rows:\n        return 1000\n    return sum(rows)",
    "def f(rows):\n    if len(rows) == 1:\n        return 1000\n    return sum(rows) / len(rows)",
    "def f(rows, cap):\n    return sum(min(x, cap) for x in rows)",
    "def f(rows, cap=None):\n    return sum(min(x, cap) for x in rows)",
    "def f(rows=3):\n    return sum(rows * x for x in rows)",
    "import numpy as np\ndef f(rows):\n    return np.mean([x for x in rows if x > 0])",
    "import numpy as np\ndef f(rows):\n    return np.sum([min(max(x, 0), 9) for x in rows])",
    "import numpy as np\nimport math as np\ndef f(rows):\n    return np.sum(rows)",
    "import numpy as np\ndef f(rows, np):\n    return np.sum(rows)",
    "import numpy.ma as np\ndef f(rows):\n    return np.sum(rows)",
    "import numpy as max\ndef f(rows):\n    return sum(max(x, 0.25) if x > 0.5 else x for x in rows)",
    "import numpy as sum\ndef f(rows):\n    return sum(rows)",
    "import numpy as len\ndef f(rows):\n    return sum(rows) / len(rows)",
    "import numpy as math\ndef f(rows):\n    return math.fsum(rows)",
    "import math as m\ndef f(rows):\n    return math.fsum(rows)",
    "def g():\n    import math\ndef f(rows):\n    return math.fsum(rows)",
    "def f(rows):\n    return math.fsum(rows)",
    *(f"{opening.format(name)}{LARGEST_MEAN}" for opening in NESTED for name in ("max", "sum", "len")),
    "import numpy as np\n" + NESTED[0].replace("numpy as {}", "math as np") + "def f(rows):\n    return np.sum(rows)",
    "import math\n" + NESTED[0].format("math") + "def f(rows):\n    return math.fsum(rows)",
]


@pytest.mark.parametrize("text", REFUSED)
def test_near_misses_are_refused_with_a_sentence(text):
    with pytest.raises(NotRecognised, match=r"[a-z]"):
        recognised(parse_source(text, "f"), WIDE, FLOAT64, "naive")


def test_a_sentence_says_what_is_read():
    with pytest.raises(NotRecognised, match=r"one sum over the rows .* over the number of rows"):
        recognised(parse_source("def f(rows):\n    return max(rows)", "f"), WIDE, FLOAT64, "naive")


def test_a_clamp_is_proved_and_half_of_it_refuted():
    source = parse_source(CLAMPS, "f")
    for claim, verdict in ((Fraction(100001, 1000), "PROVED"), (Fraction(50), "REFUTED")):
        found = judge_function(source, WIDE, "float64", "naive", "add_remove", claim, 50, 2, tables="lists")
        assert found.verdict == verdict
