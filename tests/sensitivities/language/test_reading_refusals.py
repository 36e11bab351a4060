import pytest

from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.reading import NotAFold, read_program
from refdp.sensitivities.language.source import Unsupported, parse_source
from refdp.sensitivities.records import Number

REFUSED = {
    "rebound builtin": ("def f(rows):\n    sum = 0\n    return sum", 2, 5, "choose another name than sum"),
    "function named as a builtin": (
        "def sum(rows):\n    return 0\ndef f(rows):\n    return sum(rows)",
        1,
        1,
        "another name",
    ),
    "parameter named as a builtin": ("def f(rows, max=3):\n    return max", 1, 1, "another name than max"),
    "loop variable named as a builtin": (
        "def f(rows):\n    return [1 for len in rows]",
        2,
        12,
        "another name than len",
    ),
    "floor of a number as an index": ("def f(rows):\n    return [sum([0, 1][r // 2] for r in rows)]", 2, 17, "int("),
    "floor by a float as an index": ("def f(rows):\n    return [4, 5][len(rows) // 2.0]", 2, 12, "int("),
    "quotient of divmod as an index": (
        "def f(rows):\n    return sum([0, 1][divmod(r, 2)[0]] for r in rows)",
        2,
        16,
        "int(",
    ),
    "global": ("X = 1\ndef f(rows):\n    global X\n    X = 2\n    return X", 3, 5, "arguments"),
    "bound twice": ("X = 1\nX = 2\ndef f(rows):\n    return X", 2, 1, "one meaning"),
    "global elsewhere": ("X = 1\ndef g():\n    global X\n    X = 2\ndef f(rows):\n    return X", 1, 1, "one meaning"),
    "append to the table": ("def f(rows):\n    rows.append(1)\n    return len(rows)", 2, 5, "make a new list"),
    "sort of the table": ("def f(rows):\n    rows.sort()\n    return rows[0]", 2, 5, "sorted"),
    "element of the table": ("def f(rows):\n    rows[0] = 1\n    return rows[0]", 2, 5, "make a new list"),
    "extension of the table": ("def f(rows):\n    rows += [1]\n    return len(rows)", 2, 5, "make a new list"),
    "append to an alias": ("def f(rows):\n    r = rows\n    r.append(1)\n    return len(r)", 3, 5, "make a new list"),
    "constant of the file": ("A = [0]\ndef f(rows):\n    A[0] += 1\n    return A[0]", 3, 5, "make a new list"),
    "class": ("def f(rows):\n    class A:\n        pass\n    return 1", 2, 5, "tuples"),
    "with": ("def f(rows):\n    with open('x') as g:\n        return 1", 2, 5, "given its rows"),
    "import": ("def f(rows):\n    import math\n    return 1", 2, 5, "top of the file"),
    "star import": ("from math import *\ndef f(rows):\n    return floor(1)", 1, 1, "by their names"),
    "exec": ("def f(rows):\n    exec('1')\n    return 1", 2, 5, "by their names"),
    "eval elsewhere": ("def g():\n    return eval('1')\ndef f(rows):\n    return 1", 2, 12, "by their names"),
    "patched module": (
        "import math\nmath.floor = abs\ndef f(rows):\n    return math.floor(1)",
        2,
        1,
        "keep values in variables",
    ),
    "star arguments": ("def g(*a):\n    return 1\ndef f(rows):\n    return g(1)", 1, 1, "name each parameter"),
    "starred argument": ("def f(rows):\n    return max(*rows)", 2, 12, "one by one"),
    "recursion": ("def g(x):\n    return g(x)\ndef f(rows):\n    return g(1)", 2, 12, "write a loop"),
    "decorator": ("def d(g):\n    return g\n@d\ndef f(rows):\n    return 1", 3, 2, "plain function"),
    "decorated helper": (
        "def d(g):\n    return g\n@d\ndef h(x):\n    return x\ndef f(rows):\n    return h(1)",
        3,
        2,
        "write a plain function",
    ),
    "mutable default": ("def g(x, a=[]):\n    return x\ndef f(rows):\n    return g(1)", 1, 12, "write None"),
    "bare except": (
        "def f(rows):\n    try:\n        return 1 / len(rows)\n    except:\n        return 0",
        4,
        5,
        "ZeroDivisionError",
    ),
    "finally": ("def f(rows):\n    try:\n        return 1\n    finally:\n        pass", 2, 5, "except NAME"),
    "kept generator": ("def f(rows):\n    g = (x for x in rows)\n    return sum(g)", 2, 9, "list"),
    "generator as an argument": (
        "def g(v):\n    return sum(v)\ndef f(rows):\n    return g(x for x in rows)",
        4,
        12,
        "list",
    ),
    "walrus": ("def f(rows):\n    return (y := 1) + y", 2, 13, "of its own"),
    "text": ("def f(rows):\n    return len(f'{rows}')", 2, 16, "written out"),
    "irrational power": ("def f(rows):\n    return len(rows) ** 0.5", 2, 12, "math.sqrt"),
    "symbolic power": ("def f(rows):\n    return 2 ** len(rows)", 2, 12, "whole number"),
    "unknown function": ("def f(rows):\n    return print(1)", 2, 12, "loops"),
    "unknown module": ("import os\ndef f(rows):\n    return os.getpid()", 1, 1, "numpy"),
    "unknown name": ("def f(rows):\n    return undefined", 2, 12, "define it"),
    "attribute of a row": ("def f(rows):\n    return sum(r.age for r in rows)", 2, 16, "r[...]"),
    "real index": ("def f(rows):\n    return [1, 2][rows[0]]", 2, 12, "int(...)"),
    "bit operator": ("def f(rows):\n    return len(rows) << 1", 2, 12, "+ - *"),
    "is": ("def f(rows):\n    return len(rows) is 1", 2, 12, "=="),
    "pi": ("import math\ndef f(rows):\n    return math.pi", 3, 12, "decimal"),
    "yield": ("def f(rows):\n    yield 1", 2, 5, "append"),
    "deletion": ("def f(rows):\n    a = 1\n    del a\n    return 1", 3, 5, "new list"),
    "list that changes": (
        "def f(rows):\n    a = [1]\n    for x in a:\n        a.append(x)\n    return 1",
        3,
        5,
        "append",
    ),
    "key that is spelt in two ways": (
        "def f(rows):\n    d = {}\n    if len(rows) > 2:\n        d[1] = 3\n    d[True] = 4\n    return d",
        5,
        5,
        "in one way",
    ),
    "key that is spelt in two ways in two dicts": (
        "def f(rows):\n    if len(rows) > 1:\n        return {1: 2}\n    return {True: 2}",
        4,
        12,
        "in one way",
    ),
    "closure over names": (
        "def f(rows):\n    k = 1\n    def g(x):\n        return x + k\n    return g(1)",
        5,
        12,
        "arguments",
    ),
    "loose order": (
        (
            "from collections import Counter\ndef f(rows):\n    c = Counter(x > 1 for x in rows)\n"
            "    t = 0\n    for k in c:\n        t = 2 * t + c[k]\n    return t"
        ),
        5,
        5,
        "sorted",
    ),
    "loose mode": (
        (
            "from collections import Counter\ndef f(rows):\n    c = Counter(x > 1 for x in rows)\n"
            "    return max(c, key=lambda k: c[k])"
        ),
        4,
        12,
        "sorted",
    ),
    "set as an answer": ("def f(rows):\n    return {1, 2}", 1, 1, "length"),
    "zip that changes": (
        "def f(rows):\n    a = [1, 2]\n    for u, v in zip(a, a):\n        a[1] = 5\n    return a",
        3,
        5,
        "new list",
    ),
    "lambda that reads a target": (
        "def f(rows):\n    t = 1\n    g = lambda v: v + t\n    return [g(1) for t in (1, 2)]",
        4,
        13,
        "other names",
    ),
    "numpy on a list": ("import numpy as np\ndef f(rows):\n    return float(np.abs([1, -2]))", 3, 18, "for x in rows"),
    "numpy on a dict": ("import numpy as np\ndef f(rows):\n    return float(np.sum({1: 2}))", 3, 18, "a list"),
    "numpy along an axis": ("import numpy as np\ndef f(rows):\n    return float(np.max([1], 0))", 3, 18, "arguments"),
    "numpy mean of nothing": ("import numpy as np\ndef f(rows):\n    return float(np.mean(rows))", 3, 18, "empty"),
}
FOLDLESS = {
    "list made anew under two names": """
def f(rows):
    a = [0]
    b = a
    for x in rows:
        a[0] += x
        a = [a[0] + 1]
    return a[0], b[0]
""",
    "two lists made anew as one": """
def f(rows):
    a = [0]
    b = [0]
    for x in rows:
        a[0] += x
        a = b = [a[0] + 1]
    return a[0], b[0]
""",
    "list made anew and kept": """
def f(rows):
    a = [0]
    kept = [None]
    for x in rows:
        a[0] += x
        kept[0] = a
        a = [a[0] + 1]
    return a[0], kept[0][0] if kept[0] else 0
""",
    "while": "def f(rows):\n    t = 5\n    while t > len(rows):\n        t -= 1\n    return t",
    "endless": "def f(rows):\n    while True:\n        pass",
    "text answer": "def f(rows):\n    return 'a'",
    "kinds": "def f(rows):\n    return 1 if len(rows) else (1, 2)",
    "length": "def f(rows):\n    return [x for x in rows]",
    "keys": "def f(rows):\n    d = {}\n    for x in rows:\n        d[x > 1] = 1\n    return d",
    "order of keys": (
        "def f(rows):\n    d = {}\n    for x in rows:\n        d[x > 1] = 1\n"
        "    for k in (True, False):\n        d[k] = 1\n    return d"
    ),
    "order of keys by a branch": (
        "def f(rows):\n    d = {'a': 1, 'b': 1} if len(rows) > 3 else {'b': 1, 'a': 1}\n    return d"
    ),
    "order of keys in part": (
        "def f(rows):\n    d = {'a': 0}\n    for x in rows:\n        d['b' if x > 1 else 'c'] = 1\n"
        "    d['b'] = 1\n    d['c'] = 1\n    return [1, d]"
    ),
    "numbers as keys": "def f(rows):\n    d = {}\n    for x in rows:\n        d[x] = 1\n    return len(d)",
    "distinct": "def f(rows):\n    return len(set(rows))",
    "reversed": "def f(rows):\n    t = 0\n    for x in reversed(rows):\n        t = t / 2 + x\n    return t",
    "range of the rows": "def f(rows):\n    return sum(range(len(rows) + 1))",
    "pop-free stack": "def f(rows):\n    s = []\n    for x in rows:\n        s = s + [x]\n    return len(s)",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_read_is_refused_with_its_place_and_what_to_write_instead(name):
    text, line, column, advice = REFUSED[name]
    with pytest.raises(Unsupported) as refused:
        read_program(parse_source(text, "f", "query.py"), Declaration(Number()))
    assert str(refused.value).startswith(f"query.py:{line}:{column}: ")
    assert advice in str(refused.value)


@pytest.mark.parametrize("name", FOLDLESS)
def test_what_is_no_pass_over_the_rows_is_no_fold_and_says_where(name):
    with pytest.raises(NotAFold, match=r"query\.py:\d+:\d+: "):
        read_program(parse_source(FOLDLESS[name], "f", "query.py"), Declaration(Number()))


def test_a_parameter_without_a_value_is_refused():
    with pytest.raises(ValueError, match="parameter k of f must have a value"):
        read_program(parse_source("def f(rows, k):\n    return k", "f"), Declaration(Number()))
