"""The interpreter does what Python does on random functions."""

from __future__ import annotations

import random

import pytest

from refdp.sensitivities.language.concrete.failures import NoOutcome
from tests.sensitivities.test_interpreter import TABLES, by_python, by_refdp, compiled


class Grammar:
    """Random functions: statements over a few names, with every kind of operator."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def number(self, depth: int) -> str:
        pick = self.random.choice
        if depth == 0:
            return pick(["x", "y", "n", "0", "1", "2", "0.5", "len(rows)", "rows[0]", "z[1]", "-1"])
        a, b = self.number(depth - 1), self.number(depth - 1)
        return pick([
            f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} / {b})", f"({a} // {b})", f"({a} % {b})", f"-{a}",
            f"max({a}, {b})", f"min({a}, {b}, 3)", f"abs({a})", f"({a} if {self.truth(depth - 1)} else {b})",
            f"round({a})", f"sum(x + {a} for x in rows if {self.truth(depth - 1)})", f"int({a})", f"({a}) ** 2",
            f"sorted([{a}, {b}, n])[1]", f"len([0 for y in rows if {self.truth(depth - 1)}])", f"sum(rows[1:]) + {a}",
        ])  # fmt: skip

    def truth(self, depth: int) -> str:
        if depth == 0:
            return self.random.choice(["x < y", "x == n", "rows", "y", "True", "x in rows"])
        a, b = self.number(depth - 1), self.number(depth - 1)
        return self.random.choice([
            f"{a} < {b} <= 3", f"({self.truth(depth - 1)} and {self.truth(depth - 1)})", f"not {self.truth(depth - 1)}",
            f"({self.truth(depth - 1)} or {a} >= {b})", f"{a} != {b}", f"{a} in [{b}, 1]",
        ])  # fmt: skip

    def block(self, depth: int, indent: str) -> list[str]:
        return [line for _ in range(self.random.randint(1, 3)) for line in self.statement(depth, indent)]

    def statement(self, depth: int, indent: str) -> list[str]:
        kind = self.random.choice(
            ["assign", "augment", "store", "if", "for", "try"] if depth else ["assign", "augment"]
        )
        name = self.random.choice("xyn")
        if kind == "assign":
            return [f"{indent}{name} = {self.number(2)}"]
        if kind == "augment":
            return [f"{indent}{name} {self.random.choice(['+', '-', '*'])}= {self.number(1)}"]
        if kind == "store":
            return [f"{indent}z[{self.random.choice(['0', '1', 'len(rows)'])}] = {self.number(1)}"]
        inner = self.block(depth - 1, indent + "    ")
        if kind == "if":
            return [f"{indent}if {self.truth(1)}:", *inner, f"{indent}else:", *self.block(depth - 1, indent + "    ")]
        if kind == "for":
            end = self.random.choice(["pass", "break", "continue", f"return {self.number(1)}"])
            return [f"{indent}for x in rows:", *inner, f"{indent}    if {self.truth(1)}: {end}", f"{indent}    n += 1"]
        return [f"{indent}try:", *inner, f"{indent}except (ZeroDivisionError, IndexError):", f"{indent}    y = 7"]

    def function(self) -> str:
        head = ["def f(rows):", "    x, y, n, z = 1, 2, 0, [0, 0]"]
        return "\n".join([*head, *self.block(2, "    "), f"    return x, {self.number(1)}, y, n, z"])


@pytest.mark.parametrize("seed", range(80))
def test_interpreter_does_what_python_does_on_random_functions(seed: int) -> None:
    text = Grammar(seed).function()
    function = compiled(text)["f"]
    for rows in TABLES[:6]:
        try:
            found = by_refdp(text, "f", rows)
        except NoOutcome:
            continue  # a number that is too large, or a whole number that may be a float
        assert found == by_python(function, rows), (text, rows)
