"""Random programs with finitely many draws, about a truth value, a small integer, or a list of truth values."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any

from refdp.programs import law
from refdp.programs.running.numbers import Exact

HEADER = """from refdp.programs import ALL, bernoulli, choice, claim, each, uniform


def close(x, y):
    return 0 <= x <= 2 and 0 <= y <= 2 and abs(x - y) <= 1


def anything(x, y):
    return True


"""
Lines = list[str]


@dataclass(frozen=True)
class Finite:
    """A program without its claim, and what it may be asked about."""

    body: Lines
    kind: str
    """The annotation of the data: bool, int or list[bool]."""
    changed: int = 1
    """How many elements of a list may differ."""

    def text(self, claimed: str) -> str:
        """The file, with what is claimed of epsilon."""
        adjacency = {"bool": "ALL", "int": "close"}.get(self.kind, f"each(anything, changed={self.changed})")
        body = self.body if self.kind != "list[bool]" else ["for x in q:", *indented(self.body)]
        name = "q" if self.kind == "list[bool]" else "x"
        head = [f'@claim(epsilon="{claimed}", adjacency={adjacency})', f"def program({name}: {self.kind}):"]
        return HEADER + "\n".join([*head, *indented(body)]) + "\n"

    def function(self) -> Callable[..., Any]:
        """The Python function."""
        namespace: dict[str, Any] = {}
        exec(compile(self.text("1"), "finite.py", "exec"), namespace)
        function: Callable[..., Any] = namespace["program"]
        return function

    def greatest_ratio(self) -> Exact | None:
        """The greatest ratio of probabilities of one output for neighbours; None where an output is impossible for one.

        Of a list in which each element is answered by itself: that of one element.
        """
        function = self.function()
        values = (0, 1, 2) if self.kind == "int" else (False, True)
        known = {x: law(function, [x] if self.kind == "list[bool]" else x) for x in values}
        greatest: Exact | None = None
        for old, new in product(values, repeat=2):
            if abs(old - new) <= 1:
                for output, mass in known[old].items():
                    if output not in known[new]:
                        return None
                    ratio = mass / known[new][output]
                    greatest = ratio if greatest is None or ratio > greatest else greatest
        return greatest


def finite(seed: int) -> Finite:
    """The program of that number: now and then it tells anything, else what its branches say."""
    random = Random(seed)
    kind = random.choice(["bool", "int", "list[bool]"])
    told = "yield" if kind == "list[bool]" else "return"
    outputs = random.sample(["0", "1", '"none"', "None", "0, 1", '"yes"'], random.randint(2, 3))
    body = [line for name in "abc" if random.random() < 0.7 for line in drawn(random, name)]
    known = [line[0] for line in body]
    lines = answered(random, kind, known, [f"{told} {one}" for one in outputs], 3)
    if random.random() < 0.9:
        most = random.randint(len(outputs), 6)
        for number, one in enumerate(outputs):
            lines = [f"if lie == {number}:", f"    {told} {one}", "else:", *indented(lines)]
        lines = [f"lie = uniform(0, {most})", *lines]
    return Finite([*body, *lines], kind, random.randint(1, 3))


def drawn(random: Random, name: str) -> Lines:
    """A draw; `a` is a truth value, `b` and `c` are integers from 0 to 2."""
    weights = [random.randint(1, 4) for _ in range(3)]
    parts = random.randint(2, 6)
    return [
        {
            "a": f'a = bernoulli("{random.randint(1, parts - 1)}/{parts}")',
            "b": "b = uniform(0, 2)",
            "c": f"c = choice({weights})",
        }[name]
    ]


def answered(random: Random, kind: str, known: Lines, ends: Lines, depth: int) -> Lines:
    """Branches, the first about the element, and what is told at their ends."""
    if depth == 0 or (depth < 3 and random.random() < 0.15):
        return [random.choice(ends)]
    condition = about(random, kind) if depth == 3 and random.random() < 0.5 else test(random, kind, known)
    yes, no = (answered(random, kind, known, ends, depth - 1) for _ in range(2))
    return [f"if {condition}:", *indented(yes), "else:", *indented(no)]


def about(random: Random, kind: str) -> str:
    """A condition in the element."""
    return "x" if kind != "int" else f"x {random.choice(['<', '>=', '=='])} {random.randint(0, 2)}"


def test(random: Random, kind: str, known: Lines) -> str:
    """A condition."""
    numbers = [name for name in known if name != "a"]
    plain = about(random, kind)
    options = [plain]
    if numbers:
        name = random.choice(numbers)
        options += [f"{name} {random.choice(['<=', '>', '!='])} {random.randint(0, 1)}"]
        options += [f"x + {name} {random.choice(['<=', '>'])} {random.randint(1, 3)}"] if kind == "int" else []
    if "a" in known:
        options += [f"({plain}) != a", "not a"]
    first, second = (random.choice(options) for _ in range(2))
    return random.choice([first, first, f"{first} and {second}", f"{first} or not ({second})"])


def indented(lines: Lines) -> Lines:
    """The lines one level deeper."""
    return [f"    {line}" for line in lines]
