"""What a file of queries holds around its functions is on a list of what is allowed; all else is refused."""

import pytest

from refdp.sensitivities.language.source import Unsupported, parse_source

TABLE = 'W = {"a": 1}\n'
QUERY = "def f(rows):\n    return sum(W[r] for r in rows)\n"
BAD = [
    "def h(x=LATER):\n    return x\nLATER = 3\n",
    "LATER = V\nV = 3\n",
    'W["a"] = 100\n',
    "W.update(a=100)\n",
    'del W["a"]\n',
    "V = W\nV.update(a=100)\n",
    'V = W\nV["a"] = 100\n',
    "for k in W:\n    W[k] = 100\n",
    'def h():\n    W["a"] = 100\nh()\n',
    'def h():\n    W["a"] = 100\nX = h()\n',
    'class C:\n    W["a"] = 100\n',
    "class C:\n    X = W.update(a=100)\n",
    "X = W.update(a=100)\n",
    "X = W.pop('a')\n",
    "def h(x=W.update(a=100)):\n    return x\n",
    "def h(x=(W := {'a': 100})):\n    return x\n",
    "def h(x: W.update(a=100)):\n    return x\n",
    "def h(x: (W := {'a': 100})):\n    return x\n",
    "def h(x) -> W.update(a=100):\n    return x\n",
    "X: W.update(a=100) = 1\n",
    "X: (W := 3)\n",
    "@W.update\ndef h():\n    pass\n",
    "@(W := abs)\ndef h():\n    pass\n",
    "@h\ndef g():\n    pass\n",
    "def h(g):\n    W.update(a=100)\n    return g\n@h\ndef g():\n    pass\n",
    "@print\ndef h():\n    pass\n",
    "f.__defaults__ = (3,)\n",
    "f.__code__ = len.__code__\n",
    "match {'a': 3}:\n    case W:\n        pass\n",
    "match [1]:\n    case [*W]:\n        pass\n",
    "match {'a': 3}:\n    case {**W}:\n        pass\n",
    "try:\n    1 / 0\nexcept ZeroDivisionError as W:\n    pass\n",
    "import math\nmath.floor = abs\n",
    "try:\n    import math\nexcept W.update(a=100):\n    pass\n",
    "try:\n    import math\nfinally:\n    W.update(a=1)\n",
    "import math\nsetattr(math, 'floor', abs)\n",
    "globals()['W'] = {}\n",
    "X = globals().update(W={})\n",
    "exec('W = {}')\n",
    "X = eval('W.clear()')\n",
    "W |= {'a': 100}\n",
    "V = W\nV |= {'a': 100}\n",
    "with open('x') as W:\n    pass\n",
    "while W:\n    W.clear()\n",
    "if True:\n    W['a'] = 100\n",
    "import helpers\n",
    "from helpers import g\n",
    "from . import helpers\n",
    "from math import *\nW.clear()\n",
    "X = (lambda: W.update(a=100))()\n",
    "X = sorted([1], key=lambda _: W.update(a=100) or 1)\n",
    "X = [W.update(a=100) for _ in [1]]\n",
    "X = list(map(W.pop, ['a']))\n",
    "X = max(W, W).update(a=100)\n",
    "X = (W.update(a=100) for _ in [1])\n",
    "X = [y for y in map(W.pop, 'a')]\n",
    "X = W.pop\nY = X('a')\n",
    "import collections\nX = collections.defaultdict(W.clear)['a']\n",
    "lambda: W.clear()\nW.clear()\n",
    "from operator import setitem\nsetitem(W, 'a', 100)\n",
    "from operator import setitem\nX = setitem(W, 'a', 100)\n",
    "from random import shuffle\nX = shuffle(W)\n",
    "import heapq\nX = heapq.heappush([], W.clear())\n",
    "class C:\n    def __init_subclass__(cls):\n        W.clear()\nclass D(C):\n    pass\n",
    "class C:\n    def __class_getitem__(cls, x):\n        W.clear()\ndef g(x: C[0]):\n    pass\n",
    "class M(type):\n    def __init__(cls, *a):\n        W.clear()\nclass C(metaclass=M):\n    pass\n",
    "from enum import Enum\nclass C(Enum):\n    A = 1\n    def __init__(self, x):\n        W.clear()\n",
    (
        "from enum import Enum\nclass B(Enum):\n    pass\nclass C(B):\n    A = 1\n"
        "    def __init__(self, x):\n        W.clear()\n"
    ),
    "class C:\n    for k in W:\n        W[k] = 100\n",
    "class C:\n    global W\n    W = {'a': 100}\n",
    "async def h():\n    pass\nawait_ = h()\n",
    "assert W.clear() is None\n",
    "raise ValueError(W.clear())\n",
    "import unittest.mock\nP = unittest.mock.patch('math.floor', abs).start()\n",
    "import numpy\nnumpy.seterr(all='raise')\n",
    "import numpy\nX = numpy.seterr(all='raise')\n",
    "import decimal\nX = decimal.setcontext(None)\n",
    "abs = W.update\nX = abs(a=100)\n",
    "def sorted(x):\n    W.clear()\nX = sorted([1])\n",
    "X = Y = W.clear()\n",
    "from builtins import setattr as g\nX = g(1, 2, 3)\n",
    "import builtins\nbuiltins.sum = len\n",
    "import sys\nsys.modules['math'] = None\n",
    "X, W['a'] = 1, 100\n",
    "[W] = [{}]\n",
    "X = [0]\nX[0], y = 1, 2\n",
    "W: dict\nW['a']: int = 100\n",
    "W.x: int = 3\n",
    "print(W.update(a=100))\n",
    "import math\nX = math.nothing\n",
    "from math import nothing\n",
    "from fractions import Fractions\n",
    "import statistics.nothing\n",
    "from statistics.nothing import mean\n",
    "def h(x: 1 // 0):\n    return x\n",
    "def h(x) -> 1 < 2:\n    return x\n",
    "X: 1 if W else 2 = 3\n",
]
"""Statements after which W, or what Python's own functions do, may be another than the text says, or that raise."""
GOOD = [
    "",
    '"""A text."""\n',
    "import collections.abc\nX: int | None = 1\n",
    "def h(x: 'list[int]' = 1, y: list[int] | None = None) -> int | float:\n    return x\n",
    "import math\nPI = math.pi\nR = math.sqrt(2)\n",
    "A, B = 1, 2\n",
    "X: int = 3\nY: 'list[int]'\n",
    "L = [1, 2, *[3]]\nS = {1, 2}\nD = {k: 1 for k in 'ab'}\nT = tuple(i * i for i in range(3))\n",
    "g = lambda x: x.append(W)\n",
    "KEYS = {'a': lambda x: W.get(x)}\n",
    "X = sorted([3, 1], key=lambda v: -v)\n",
    "def h(x=3, *, y=(1, 2), z=None):\n    W2 = {}\n    W2['a'] = 1\n    global U\n    U = 3\n",
    "from functools import lru_cache\n@lru_cache(maxsize=None)\ndef h(x):\n    return x\n",
    (
        "class C:\n    '''x'''\n    k = 3\n    v: int = 4\n    def __init__(self):\n        self.x = 3\n"
        "    def m(self):\n        pass\n"
    ),
    (
        "from dataclasses import dataclass, field\n@dataclass(frozen=True)\nclass C:\n"
        "    x: list = field(default_factory=list)\n"
    ),
    "from enum import Enum\nclass C(Enum):\n    A = 1\n    B = 2\n",
    "class C(Exception):\n    pass\nclass D(C):\n    pass\n",
    "try:\n    import numpy as np\nexcept ImportError:\n    np = None\n",
    "if __name__ == '__main__':\n    print(f([]))\n    W3 = 3\n",
    "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from collections.abc import Sequence\n",
    "from __future__ import annotations\n",
    "import logging\nlog = logging.getLogger(__name__)\n",
    "__all__ = ['f']\n",
    "from pathlib import Path\nP = Path(__file__).resolve().parent / 'x.csv'\n",
    "LABELS = 'a b'.split()\n",
    "from collections import Counter, namedtuple\nC = Counter('aab')\nN = namedtuple('N', 'a b')\n",
    "V = W\n",
]


@pytest.mark.parametrize("more", BAD)
@pytest.mark.parametrize("place", ["before", "after"])
def test_file_that_may_change_what_a_name_stands_for_is_refused(more: str, place: str) -> None:
    text = TABLE + (more + QUERY if place == "before" else QUERY + more)
    with pytest.raises(Unsupported, match=r"<text>:\d+:\d+: .* is not read; "):
        parse_source(text, "f")


@pytest.mark.parametrize("more", GOOD)
def test_file_that_binds_plain_values_is_read(more: str) -> None:
    for text in (TABLE + more + QUERY, TABLE + QUERY + more) if "__future__" not in more else (more + TABLE + QUERY,):
        assert parse_source(text, "f").name == "f"
