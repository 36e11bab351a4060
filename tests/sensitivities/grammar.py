"""Small table functions made by a grammar, as source text, each with a small domain of records.

They are folds of the kinds that analysts write, put together at random: most are no query that anybody would ask, and
many raise on some tables.  `queries(seed, many)` is the same list in every run.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from tests.sensitivities.brute_force import exact_function, sensitivity


@dataclass(frozen=True)
class Rows:
    """A kind of record: as it is declared, its values, and how a loop names the number and the group of a row."""

    declared: str | Mapping[str, str] | Sequence[str]
    domain: tuple[Any, ...]
    target: str
    number: str
    group: str | None
    test: str = ""
    """What must hold for the number to be one."""


NUMBERS = Rows("integers -1..2", (-1, 0, 1, 2), "x", "x", None)
FLAGS = Rows("true | false", (True, False), "x", "x", None)
OPTIONAL = Rows("integers 0..2 or missing", (0, 1, 2, None), "x", "x", None, "x is not None")
PAIRS = Rows(("integers -1..1", "a | b"), tuple((i, g) for i in (-1, 0, 1) for g in "ab"), "x, g", "x", "g")
DICTS = Rows(
    {"v": "integers 0..2", "g": "a | b"},
    tuple({"v": i, "g": g} for i in (0, 1, 2) for g in "ab"),
    "r",
    'r["v"]',
    'r["g"]',
)
KINDS = (NUMBERS, NUMBERS, NUMBERS, FLAGS, OPTIONAL, PAIRS, DICTS)


@dataclass(frozen=True, eq=False)
class Query:
    """A function `query(rows)` and what it is asked."""

    text: str
    rows: Rows
    neighbours: str
    norm: str
    tables: str


class Writer:
    """Writes parts of functions, each choice at random."""

    def __init__(self, chance: random.Random, rows: Rows) -> None:
        self.chance, self.rows = chance, rows

    def one(self, *choices: str) -> str:
        """One of the choices, {x} the number of a row, {c} and {d} small constants."""
        text = self.chance.choice(choices)
        small, other = self.chance.randint(0, 2), self.chance.randint(1, 3)
        return text.format(x=self.rows.number, g=self.rows.group, c=small, d=other)

    def value(self) -> str:
        """A number made of a row."""
        return self.one(
            "{x}", "{x}", "1", "abs({x})", "{x} * {x}", "{d} * {x} - {c}", "min({x}, {c})", "max({x}, {c})",
            "max(0, min({x}, 1))", "{x} // 2", "{x} % 2", "({x} if {x} > {c} else 0)", "({x} > {c})", "-{x}",
            "int({x} == {c})", "{x} / 2", "(1 if {x} >= {c} else -1)",
        )  # fmt: skip

    def condition(self) -> str:
        """A statement about a row."""
        of_group = (
            ['{g} == "a"', '{g} != "b"', '{x} > 0 and {g} == "a"', '{g} in ("a", "c")'] if self.rows.group else []
        )
        return self.one(
            "{x} > {c}", "{x} == {c}", "{x} <= {c}", "0 <= {x} < 2", "not {x} > {c}", "{x} % 2 == 0", "{x}",
            "{x} > 0 and {x} != 2", "{x} < 0 or {x} > 1", *(2 * of_group if self.rows.group else []),
        )  # fmt: skip

    def update(self, states: Sequence[str]) -> str:
        """A statement that changes a state."""
        s, t = self.chance.choice(states), self.chance.choice(states)
        return self.chance.choice([
            f"{s} += {self.value()}", f"{s} += {self.value()}", f"{s} += 1", f"{s} -= {self.value()}",
            f"{s} = max({s}, {self.value()})", f"{s} = min({s}, {self.value()})",
            f"{s} = min({s} + {self.value()}, {self.chance.randint(1, 3)})", f"{s} = {self.value()}",
            f"{s} = max(0, {s} - {self.value()})", f"{s} += {t}", f"{s} = ({s} + {self.value()}) / 2", f"{s} = 1 - {s}",
        ])  # fmt: skip

    def block(self, states: Sequence[str], depth: int) -> list[str]:
        """A few statements."""
        lines = []
        for _ in range(self.chance.choice((1, 1, 2))):
            kind = self.chance.random()
            if depth and kind < 0.45:
                lines += [f"if {self.condition()}:", *indented(self.block(states, depth - 1))]
                if self.chance.random() < 0.3:
                    lines += [f"elif {self.condition()}:", *indented(self.block(states, depth - 1))]
                if self.chance.random() < 0.4:
                    lines += ["else:", *indented(self.block(states, depth - 1))]
            else:
                lines.append(self.update(states))
        return lines

    def finish(self, states: Sequence[str]) -> str:
        """What is returned."""
        s, t = states[0], states[-1]
        return self.chance.choice([
            s, s, s, f"{s}, {t}", f"[{s}, {t}, {s} + {t}]", f"min({s}, 2)", f"max(0, min({s}, 3))", f"abs({s})",
            f"{s} / 3", f"{s} / max(len(rows), 1)", f"{s} / len(rows)", f"({s} / {t} if {t} else 0)",
            f"{s} > 1", f"{{'first': {s}, 'second': {t}}}", f"{s} - {t}", f"2 * {s} + 1",
        ])  # fmt: skip

    def source(self) -> str:
        """The generator or list of numbers over which sums and the like are taken."""
        tests = [t for t in (self.rows.test, self.condition() if self.chance.random() < 0.5 else "") if t]
        return f"{self.value()} for {self.rows.target} in rows" + (f" if {' and '.join(tests)}" if tests else "")


def indented(lines: Sequence[str]) -> list[str]:
    """The lines, four places to the right."""
    return [f"    {line}" for line in lines]


def guarded(writer: Writer, lines: Sequence[str]) -> list[str]:
    """The lines, only for rows whose number is not missing."""
    test = writer.rows.test
    if not test:
        return list(lines)
    return (
        ["if x is None:", "    continue", *lines] if writer.chance.random() < 0.5 else [f"if {test}:", *indented(lines)]
    )


def random_fold(writer: Writer) -> list[str]:
    """A loop over the rows with two or three states."""
    states = ["s", "t", "u"][: writer.chance.choice((1, 2, 2, 3))]
    starts = [f"{s} = {writer.chance.choice((0, 0, 0, 1))}" for s in states]
    body = guarded(writer, writer.block(states, 2))
    if writer.chance.random() < 0.12:
        body += [f"if {states[0]} > {writer.chance.randint(1, 3)}:", "    break"]
    if writer.chance.random() < 0.1 and not writer.rows.test:
        body = [f"if {writer.condition()}:", "    continue", *body]
    return [*starts, f"for {writer.rows.target} in rows:", *indented(body), f"return {writer.finish(states)}"]


def sums(writer: Writer) -> list[str]:
    """Sums of generators, and what is made of them."""
    lines = [f"s = sum({writer.source()})", f"t = sum({writer.source()})"]
    return [*lines[: writer.chance.choice((1, 2))], "t = len(rows)", f"return {writer.finish(['s', 't'])}"]


def extremes(writer: Writer) -> list[str]:
    """The largest, the smallest, whether there is any."""
    made = writer.chance.choice((
        "max(({s}), default=0)", "min([{s}], default=1)", "any({b})", "all({b})", "max([{s}])",
        "max([0, *[{s}]]) - min([0, *[{s}]])",
    ))  # fmt: skip
    source = writer.source()
    tests = " if " + writer.rows.test if writer.rows.test else ""
    statement = f"{writer.condition()} for {writer.rows.target} in rows{tests}"
    return [f"return {made.replace('{s}', source).replace('{b}', statement)}"]


def histogram(writer: Writer) -> list[str]:
    """Counts in a list, by a place made of the row; some places do not exist."""
    size = writer.chance.choice((2, 3, 4))
    place = writer.chance.choice(("{x} + 1", "{x}", "abs({x})", "min({x} + 1, 2)", "{x} % 2", "int({x} > 0)"))
    place = place.format(x=writer.rows.number)
    lines = guarded(writer, [f"bins[{place}] += {writer.chance.choice(('1', '1', '2', writer.value()))}"])
    finish = writer.chance.choice(("bins", "bins", "tuple(bins)", "bins[0]", "max(bins)", "[min(b, 2) for b in bins]"))
    return [f"bins = [0] * {size}", f"for {writer.rows.target} in rows:", *indented(lines), f"return {finish}"]


def groups(writer: Writer) -> list[str]:
    """A sum or a count for each group."""
    if not writer.rows.group:
        return histogram(writer)
    known = writer.chance.choice(("ab", "ab", "abc", "a"))
    start = ", ".join(f'"{g}": 0' for g in known)
    lines = [f"sums[{writer.rows.group}] += {writer.value()}"]
    if writer.chance.random() < 0.4:
        lines = [f"if {writer.condition()}:", *indented(lines)]
    finish = writer.chance.choice(
        ("sums", "sums", "{g: min(v, 2) for g, v in sums.items()}", 'sums["a"]', "max(sums.values())")
    )
    return [f"sums = {{{start}}}", f"for {writer.rows.target} in rows:", *indented(lines), f"return {finish}"]


def two_passes(writer: Writer) -> list[str]:
    """A second pass that uses what the first one found."""
    first = f"m = sum({writer.source()})"
    if writer.chance.random() < 0.5:
        first += " / max(len(rows), 1)"
    x = writer.rows.number
    tests = f" if {writer.rows.test}" if writer.rows.test else ""
    second = writer.chance.choice(
        (f"1 if {x} > m else 0", f"abs({x} - m)", f"({x} - m) ** 2", f"min({x}, m)", f"{x} * m")
    )
    return [first, f"return sum(({second}) for {writer.rows.target} in rows{tests})"]


def ordered(writer: Writer) -> list[str]:
    """What depends on the order of the rows."""
    value = writer.value()
    test = f" if {writer.rows.test} else 0" if writer.rows.test else ""
    choices = [
        ["s = 0", f"for {writer.rows.target} in rows[:{writer.chance.randint(1, 2)}]:",
         *indented(guarded(writer, [f"s += {value}"])), "return s"],
        ["s, last = 0, 0", f"for {writer.rows.target} in rows:", f"    value = ({value}){test}",
         "    if value != last:", "        s += 1", "    last = value", "return s"],
        ["s, last = 0, 0", f"for {writer.rows.target} in rows:", f"    value = ({value}){test}",
         "    s = max(s, abs(value - last))", "    last = value", "return s"],
        ["s = 0", "for i, row in enumerate(rows):", f"    if i >= {writer.chance.randint(1, 2)}:", "        break",
         "    s += 1", "return s"],
        ["s, n = 0, 0", f"for {writer.rows.target} in rows:", "    n += 1", f"    value = ({value}){test}",
         "    if n % 2 == 0:", "        s += value", "return s"],
        ["last = 0", f"for {writer.rows.target} in rows:", f"    last = ({value}){test}", "return last"],
    ]  # fmt: skip
    return writer.chance.choice(choices)


def lists(writer: Writer) -> list[str]:
    """A list made of the rows, then what is made of it."""
    finish = writer.chance.choice((
        "sum(kept)", "len(kept)", "sum(kept) / len(kept) if kept else 0", "sum(kept) / len(kept)",
        "sum(1 for v in kept if v)",
        "sum(max(0, v) for v in kept) - len(kept)", "max(kept, default=0)", "sorted(kept)[0] if kept else 0",
        "sorted(kept)[len(kept) // 2] if kept else 0", "min(sum(kept), len(kept))", "(len(kept), sum(kept))",
    ))  # fmt: skip
    return [f"kept = [{writer.source()}]", f"return {finish}"]


FORMS: tuple[Callable[[Writer], list[str]], ...] = (
    random_fold, random_fold, random_fold, random_fold, sums, sums, extremes, histogram, groups, two_passes, ordered,
    lists,
)  # fmt: skip


def queries(seed: int, many: int) -> list[Query]:
    """So many different queries, each of which moves on tables of at most two rows."""
    chance, found = random.Random(seed), {}
    while len(found) < many:
        rows = chance.choice(KINDS)
        body = chance.choice(FORMS)(Writer(chance, rows))
        text = "\n".join(["def query(rows):", '    """A table function."""', *indented(body), ""])
        asked = (chance.choice(("add_remove", "change_one")), chance.choice(("L1", "L1", "L2", "Linf")))
        query = Query(text, rows, *asked, chance.choice(("lists", "lists", "multisets")))
        if text not in found and exact_sensitivity(query, 2) != 0:
            found[text] = query
    return list(found.values())


@cache
def exact_sensitivity(query: Query, rows: int) -> Fraction | float:
    """How far the query moves on tables of at most so many rows, squared under L2."""
    function = exact_function(query.text, "query")
    return sensitivity(function, query.rows.domain, rows, query.neighbours, query.norm, query.tables)
