"""Random programs in the subset, of every kind of statement, as texts."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

NUMBERS, MAYBE, FLAGS = ("a", "b"), ("best", "low"), ("on",)


@dataclass
class Writer:
    """Writes one program; `left` is how many draws it may still make."""

    random: Random
    lists: bool = False
    left: int = 2
    names: list[str] = field(default_factory=lambda: [*NUMBERS])
    """What may be read as a number."""

    def function(self) -> str:
        start = [f"    a, b = {self.random.choice([0, 1, 'T'])}, 0", f"    best = {self.random.choice(['None', 0])}"]
        start += [
            f"    low = {self.random.choice(['None', 'float(chr(45) + chr(105))'])}".replace(
                "float(chr(45) + chr(105))", 'float("-inf")'
            )
        ]
        start += ["    on = False"] + (["    out = []"] if self.lists else [])
        body = self.loop(1)
        if self.random.random() < 0.3:
            body += self.loop(1)
        end = [
            "    return out" if self.lists else self.released("    ", self.random.choice(["a", "best", "low", "on"]))
        ]
        return "\n".join(["def program(q, T, N):", *start, *body, *end])

    def loop(self, depth: int) -> list[str]:
        pad = "    " * depth
        kind = self.random.randrange(5)
        self.names += ["x"]
        head: list[str]
        if kind == 0:
            head, tail = [f"{pad}for x in q:"], []
        elif kind == 1:
            head, tail = [f"{pad}for i, x in enumerate(q):"], []
            self.names += ["i"]
        elif kind == 2:
            head, tail = [f"{pad}for i in range(len(q)):", f"{pad}    x = q[i]"], []
            self.names += ["i"]
        elif kind == 3:
            head = [f"{pad}j = 0", f"{pad}while j < len(q) and a < 3:", f"{pad}    x = q[j]", f"{pad}    j += 1"]
            tail = []
        else:
            head, tail = [f"{pad}for i in range(N):", f"{pad}    x = T - i"], []
            self.names += ["i"]
        body = self.block(depth + 1, self.random.randint(1, 3), True)
        self.names = [n for n in self.names if n not in ("x", "i")]
        other = [f"{pad}else:", f"{pad}    b += 1"] if self.random.random() < 0.15 else []
        return [*head, *body, *tail, *other]

    def block(self, depth: int, size: int, looping: bool) -> list[str]:
        return [line for _ in range(size) for line in self.statement(depth, looping)]

    def statement(self, depth: int, looping: bool) -> list[str]:
        pad, kind = "    " * depth, self.random.randrange(14)
        if kind <= 1:
            return [f"{pad}{self.random.choice(NUMBERS)} {self.random.choice(['=', '+=', '-='])} {self.number()}"]
        if kind == 2:
            return [f"{pad}{self.random.choice(MAYBE)} = {self.random.choice([self.number(), 'None'])}"]
        if kind == 3:
            return [f"{pad}if best is None or {self.number()} > best:", f"{pad}    best = {self.number()}"]
        if kind == 4:
            return [f"{pad}low = {self.random.choice(['max', 'min'])}({self.number()}, {self.number()})"]
        if kind == 5:
            return [f"{pad}on = {self.condition()}"]
        if kind <= 8 and depth < 4:
            lines = [f"{pad}if {self.condition()}:", *self.block(depth + 1, self.random.randint(1, 2), looping)]
            if self.random.random() < 0.4:
                lines += [f"{pad}elif {self.condition()}:", *self.block(depth + 1, 1, looping)]
            if self.random.random() < 0.6:
                lines += [f"{pad}else:", *self.block(depth + 1, 1, looping)]
            return lines
        if kind == 9:
            return [f"{pad}if {self.condition()}:", f"{pad}    {self.random.choice(['continue', 'break'])}"]
        if kind == 10 and self.random.random() < 0.3:
            return [f"{pad}if {self.condition()}:", f"{pad}    return" + (" out" if self.lists else "")]
        if kind == 11:
            return [f"{pad}a, b = {self.number()}, {self.number()}"]
        return [self.released(pad, self.random.choice([self.number(), self.condition(), self.text(), "best", "low"]))]

    def released(self, pad: str, value: str) -> str:
        return f"{pad}out.append({value})" if self.lists else f"{pad}yield {value}"

    def text(self) -> str:
        return f'"up" if {self.condition()} else {self.random.choice(["None", self.number()])}'

    def number(self) -> str:
        kind = self.random.randrange(9)
        a = self.random.choice(self.names)
        if kind == 0 and self.left:
            self.left -= 1
            return f"{a} + {self.random.choice(['laplace(2)', 'discrete_laplace(1)', 'laplace(N)', 'uniform(0, 1)'])}"
        if kind == 1:
            return f"{a} - {self.random.choice([1, 'T', 'b'])}"
        if kind == 2:
            return f"{self.random.choice([2, -1, 'N'])} * {a}"
        if kind == 3:
            return f"({a} if {self.condition()} else {self.random.choice(self.names)})"
        if kind == 4:
            return f"abs({a} - {self.random.choice(self.names)})"
        if kind == 5:
            return f"({self.random.choice(self.names)} > {a}) + {a}"
        return str(self.random.choice([a, a, 0, 1, "T"]))

    def condition(self) -> str:
        kind = self.random.randrange(10)
        if kind == 0:
            return f"not {self.condition()}"
        if kind == 1:
            return f"({self.condition()} {self.random.choice(['and', 'or'])} {self.condition()})"
        if kind == 2 and self.left:
            self.left -= 1
            return 'bernoulli("1/3")'
        if kind == 3:
            return "on"
        if kind == 4:
            return f"best is {self.random.choice(['', 'not '])}None"
        if kind == 5:
            return f"{self.random.choice(self.names)} <= {self.random.choice(self.names)} < 2"
        if kind == 6:
            return f"(best is not None and best {self.random.choice(['<', '>='])} {self.number()})"
        sign = self.random.choice(["<", "<=", ">", ">=", "==", "!="])
        return f"{self.number()} {sign} {self.random.choice([self.number(), '1'])}"


def program(seed: int) -> str:
    """A random program."""
    random = Random(seed)
    return Writer(random, lists=random.random() < 0.4).function()
