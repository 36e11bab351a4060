"""What a file holds around the functions that are read is on a list of what is allowed; all else is refused."""

import pytest

from refdp.programs.language.errors import Unsupported
from refdp.programs.language.reading import programs_in

IMPORT = "from refdp.programs import claim, laplace, ALL\n"
PROGRAM = """
@claim(epsilon="epsilon", adjacency=ALL)
def f(x: float, epsilon):
    return x + laplace(1/epsilon)
"""
BAD = [
    IMPORT + "A = (laplace := abs)\n" + PROGRAM,
    IMPORT + "def g(a=(laplace := abs)):\n    return a\n" + PROGRAM,
    IMPORT + "class C:\n    global laplace\n    laplace = abs\n" + PROGRAM,
    IMPORT + "class C:\n    pass\n" + PROGRAM,
    IMPORT + "def g():\n    global laplace\n    laplace = abs\ng()\n" + PROGRAM,
    IMPORT + "def g():\n    global laplace\n    laplace = abs\n" + PROGRAM,
    IMPORT + "def g():\n    return 1\nA = g()\n" + PROGRAM,
    IMPORT + "A: (laplace := abs) = 1\n" + PROGRAM,
    IMPORT + "def g(a: (laplace := abs)):\n    return a\n" + PROGRAM,
    IMPORT + "def g(a) -> (laplace := abs):\n    return a\n" + PROGRAM,
    IMPORT + "@(laplace := abs)\ndef g(a):\n    return a\n" + PROGRAM,
    IMPORT + "@staticmethod\ndef g(a):\n    return a\n" + PROGRAM,
    IMPORT + "import math as laplace\n" + PROGRAM,
    IMPORT + "import laplace.x\n" + PROGRAM,
    IMPORT + "from .refdp.programs import *\n" + PROGRAM,
    IMPORT + "from .x import y\n" + PROGRAM,
    IMPORT + "import evil\n" + PROGRAM,
    IMPORT + "import refdp.programs\nrefdp.programs.laplace = abs\n" + PROGRAM,
    IMPORT + "def g(m):\n    m.laplace = abs\n" + PROGRAM,
    IMPORT + "A = [1]\nA[0] = 2\n" + PROGRAM,
    IMPORT + "A = 1\ndel A\n" + PROGRAM,
    IMPORT + "try:\n    laplace = abs\nexcept ValueError:\n    pass\n" + PROGRAM,
    IMPORT + "match 1:\n    case laplace:\n        pass\n" + PROGRAM,
    IMPORT + "for laplace in [abs]:\n    pass\n" + PROGRAM,
    IMPORT + "with open('x') as laplace:\n    pass\n" + PROGRAM,
    IMPORT + "if __name__ == '__main__':\n    pass\n" + PROGRAM,
    IMPORT + PROGRAM + "if __name__ == '__main__':\n    laplace = abs\n",
    IMPORT + PROGRAM + "if __name__ == '__main__':\n    import math as laplace\n",
    IMPORT + "if True:\n    pass\n" + PROGRAM,
    IMPORT + "A = [laplace for laplace in [1]]\n" + PROGRAM,
    IMPORT + "A = setattr\n" + PROGRAM,
    IMPORT + "A = laplace(1)\n" + PROGRAM,
    IMPORT + "A = (lambda: 1)()\n" + PROGRAM,
    IMPORT + "A = exec('laplace = abs')\n" + PROGRAM,
    IMPORT + "laplace += 1\n" + PROGRAM,
    IMPORT + "async def laplace():\n    pass\n" + PROGRAM,
    IMPORT + PROGRAM.replace('epsilon="epsilon"', "epsilon=(laplace := abs)"),
    IMPORT + PROGRAM.replace("epsilon):", "epsilon=(laplace := abs)):"),
    IMPORT + PROGRAM.replace("epsilon):", "epsilon=[1]):"),
]
GOOD = [
    IMPORT + PROGRAM,
    '"""x"""\nimport math\n'
    + IMPORT
    + "HALF = 1/2\nfrom fractions import Fraction\nT = Fraction(1,3)\n"
    + PROGRAM
    + "if __name__ == '__main__':\n    print(f(1,1))\n",
    "from __future__ import annotations\n" + IMPORT + PROGRAM,
    IMPORT + "def main():\n    for i in range(3):\n        print(f(i, 1))\n" + PROGRAM,
]


@pytest.mark.parametrize("text", BAD)
def test_whatever_could_change_what_a_name_stands_for_is_refused(text: str) -> None:
    with pytest.raises(Unsupported, match=r"f\.py:\d+:\d+: "):
        programs_in(text, "f.py")


@pytest.mark.parametrize("text", GOOD)
def test_imports_plain_constants_and_functions_are_read(text: str) -> None:
    assert [program.name for program in programs_in(text, "f.py")] == ["f"]


@pytest.mark.parametrize(
    "statement",
    [
        "from builtins import setattr as exp\nA = exp(1, 2)",
        "from math import cos as sqrt\nA = sqrt(1)",
        "A = max.__call__(1, 2)",
    ],
)
def test_a_call_at_the_top_is_known_by_what_the_name_stands_for(statement: str) -> None:
    with pytest.raises(Unsupported, match=r"f\.py:\d+:\d+: "):
        programs_in(f"{IMPORT}{statement}\n{PROGRAM}", "f.py")
