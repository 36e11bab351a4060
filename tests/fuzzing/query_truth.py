"""How far a query moves, by CPython: the module is executed, and the function runs on all small tables.

The greatest movement that is seen is a lower bound of the sensitivity: whoever proves less is wrong.  Numbers are
exact, as docs/sensitivity.md says: rows are ints or Fractions, a decimal is what is written, and `/` of two ints is a
Fraction.  Nothing here is shared with refdp.  This file is also the program of the process that runs the module.
"""

from __future__ import annotations

import ast
import atexit
import builtins
import collections
import functools
import itertools
import json
import math
import operator
import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

SECONDS = 2
"""Processor time of the process that runs a module on all its tables."""
MEMORY = 1 << 30
PATCHABLE = (builtins, math, statistics, itertools, functools, collections)
"""Modules that a text may patch; they are mended between runs, since each run is of a program that has just started."""
TOLERANCE = Fraction(1, 10**9)
"""What a rounded root or mean may be off, as a part of the claim and beside it."""


# In the process that runs the module.


class Exact(ast.NodeTransformer):
    """Decimals are Fractions and `/` does not round."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """A decimal, from its digits."""
        if type(node.value) is float and math.isfinite(node.value):
            return ast.copy_location(call("_Fraction", ast.Constant(repr(node.value))), node)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """A quotient."""
        self.generic_visit(node)
        if isinstance(node.op, ast.Div):
            return ast.copy_location(call("_quotient", node.left, node.right), node)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        """A quotient that is stored."""
        self.generic_visit(node)
        if isinstance(node.op, ast.Div) and isinstance(node.target, ast.Name):
            read = ast.Name(node.target.id, ast.Load())
            return ast.copy_location(ast.Assign([node.target], call("_quotient", read, node.value)), node)
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """An f-string holds no constants but texts."""
        return node

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.AST:
        """A pattern holds no calls."""
        return node


def call(name: str, *arguments: ast.expr) -> ast.Call:
    """NAME(...)."""
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def quotient(a: Any, b: Any) -> Any:
    """a / b, a Fraction of two ints."""
    return Fraction(a, b) if isinstance(a, int) and isinstance(b, int) and b != 0 else a / b


@functools.lru_cache(1024)
def exact_code(text: str, mode: str) -> Any:
    """The code of a text with exact arithmetic."""
    tree = ast.fix_missing_locations(Exact().visit(ast.parse(text, "query.py", mode)))
    return compile(tree, "query.py", mode, dont_inherit=True)


def value_of(text: str) -> Any:
    """The value of an expression that this file or refdp wrote: rows such as {'a': 1/3}."""
    names = {"_Fraction": Fraction, "_quotient": quotient, "Fraction": Fraction, "inf": math.inf, "nan": math.nan}
    return eval(exact_code(text, "eval"), names)


def served() -> None:
    """Answers jobs, one a line, each in a process of its own; null where that process ends before."""
    out, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        reading, writing = os.pipe()
        process = os.fork()
        if process == 0:
            os.close(reading)
            with os.fdopen(writing, "w") as pipe:
                json.dump(answered(json.loads(line)), pipe)
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            said = pipe.read()
        failed = os.waitpid(process, 0)[1] != 0
        print("null" if failed else said, file=out, flush=True)


def answered(job: Mapping[str, Any]) -> list[Any]:
    """What the module of the job answers on each of its tables: each run is of a program that has just started."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    code = exact_code(job["text"], "exec")
    mending = [(vars(module).clear, vars(module).update, dict(vars(module))) for module in PATCHABLE]
    said = []
    for table, arguments in job["runs"]:
        rows = list(map(value_of, table))
        named = {name: value_of(text) for name, text in arguments.items()}
        raised, answer = "", None
        try:
            answer = ran(code, job["function"], rows, named)
        except Exception as error:
            raised = error.__class__.__name__
        finally:
            for clear, update, names in mending:  # without a builtin, as any may be another one by now
                clear()
                update(names)
        said.append(
            ["raises", raised] if raised else ["returns", [[repr(at), *part] for at, part in parts_of(answer, ())]]
        )
    return said


def ran(code: Any, function: str, rows: list[Any], named: Mapping[str, Any]) -> Any:
    """What the function returns, in a module that was executed just now."""
    names = {"__name__": "query", "_Fraction": Fraction, "_quotient": quotient}
    exec(code, names)
    return names[function](rows, **named)


def parts_of(answer: Any, place: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], tuple[str, str]]]:
    """The numbers of an answer by their places; what is no number is a text."""
    if isinstance(answer, dict):
        for key, part in answer.items():
            yield from parts_of(part, (*place, key))
        yield (*place, "keys"), ("other", "")
    elif isinstance(answer, list | tuple):
        for at, part in enumerate(answer):
            yield from parts_of(part, (*place, at))
        yield (*place, "items"), ("other", "")
    elif isinstance(answer, int | Fraction):
        yield place, ("exact", str(Fraction(answer)))
    elif isinstance(answer, float) and math.isfinite(answer):
        yield place, ("rounded", str(Fraction(answer)))
    else:
        yield place, ("other", f"{type(answer).__name__} {answer!r}"[:80])


# In the process that asks.


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the function does on one table."""

    raised: str = ""
    places: tuple[str, ...] = ()
    numbers: tuple[Fraction | str, ...] = ()
    is_rounded: bool = False

    @classmethod
    def of(cls, said: Sequence[Any]) -> Outcome:
        """An outcome from what the process says."""
        if said[0] == "raises":
            return cls(raised=said[1])
        parts = said[1]
        return cls(
            places=tuple(place for place, _, _ in parts),
            numbers=tuple(value if kind == "other" else Fraction(value) for _, kind, value in parts),
            is_rounded=any(kind == "rounded" for _, kind, _ in parts),
        )

    def __str__(self) -> str:
        return self.raised or ", ".join(str(one) for one in self.numbers if one != "")


def distance(first: Outcome, second: Outcome, norm: str) -> Fraction | None:
    """The distance of two outcomes, its square under L2; None where they are infinitely far apart."""
    if first.raised or second.raised:
        return Fraction(0) if first.raised == second.raised else None
    if first.places != second.places:  # another order of keys, too
        return None
    moves = []
    for a, b in zip(first.numbers, second.numbers, strict=True):
        if isinstance(a, str) or isinstance(b, str):
            if a != b:
                return None
        else:
            moves.append(abs(a - b))
    if norm == "L2":
        return sum((move * move for move in moves), Fraction(0))
    return max(moves, default=Fraction(0)) if norm == "Linf" else sum(moves, Fraction(0))


Table = tuple[str, ...]
"""The texts of its rows."""


def listed(rows: Table) -> str:
    """The text of a table."""
    return f"[{', '.join(rows)}]"


def outcomes(text: str, function: str, runs: Sequence[tuple[Table, Mapping[str, str]]]) -> list[Outcome] | None:
    """What the function does on each table with these arguments; None where the process ends before."""
    job = {"text": text, "function": function, "runs": [(rows, dict(given)) for rows, given in runs]}
    said = server().answer(json.dumps(job))
    return None if said is None else [Outcome.of(one) for one in said]


class Server:
    """The process that runs modules."""

    def __init__(self) -> None:
        command = [sys.executable, "-I", "-S", __file__]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def answer(self, job: str) -> Any:
        """What it says to a job."""
        if self.process.stdin is None or self.process.stdout is None:
            raise OSError("the process has no pipes")
        self.process.stdin.write(job + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self) -> None:
        """Ends it."""
        self.process.communicate()


@functools.cache
def server() -> Server:
    """The one that serves this process, started when it is first needed."""
    found = Server()
    atexit.register(found.close)
    return found


@dataclass(frozen=True, slots=True)
class Relation:
    """Which tables are neighbours."""

    neighbours: str
    edits: int = 1
    in_any_order: bool = False

    def steps(self, table: Table, rows: Sequence[str], largest: int) -> Iterator[Table]:
        """The neighbours of a table, by one edit, that have no more rows than the largest."""
        for place in range(len(table) + (self.neighbours == "add_remove")):
            before, after = table[:place], table[place + 1 :]
            if self.neighbours == "change_one":
                yield from ((*before, row, *after) for row in rows)
                continue
            if place < len(table):
                yield before + after
            if len(table) < largest:
                yield from ((*before, row, *table[place:]) for row in rows)

    def within(self, table: Table, rows: Sequence[str], largest: int) -> set[Table]:
        """All tables within so many edits, by way of tables that have no more rows than the largest."""
        reached = {table}
        edge = reached
        for _ in range(self.edits):
            edge = {other for one in edge for other in self.steps(one, rows, largest)} - reached
            reached = reached | edge
        return reached

    def holds(self, first: Table, second: Table) -> bool:
        """Whether one to so many edits lead from one to the other, by how many rows must come, go or change."""
        common = sum((collections.Counter(first) & collections.Counter(second)).values())
        if self.neighbours == "change_one":
            changed = len(first) - common if self.in_any_order else sum(map(operator.ne, first, second))
            return 0 < len(first) == len(second) and changed <= self.edits
        apart = len(first) + len(second) - 2 * common if self.in_any_order else edit_distance(first, second)
        return apart <= self.edits and (apart > 0 or self.edits > 1)

    def pairs(self, rows: Sequence[str], largest: int) -> Iterator[tuple[Table, Table]]:
        """All pairs of tables within so many edits that have no more rows than the largest."""
        for first in tables_up_to(rows, largest):
            if not self.in_any_order:
                yield from ((first, other) for other in self.within(first, rows, largest) if first < other)
            elif first == tuple(sorted(first)):
                orders = set(itertools.permutations(first))
                for other in {tuple(sorted(one)) for one in self.within(first, rows, largest)}:
                    if first < other or first == other and self.holds(first, other):
                        yield from itertools.product(orders, set(itertools.permutations(other)))


def edit_distance(first: Sequence[str], second: Sequence[str]) -> int:
    """How many rows must be inserted or removed."""
    row = list(range(len(second) + 1))
    for i, a in enumerate(first, 1):
        previous, row = row, [i]
        for j, b in enumerate(second, 1):
            row.append(previous[j - 1] if a == b else 1 + min(previous[j], row[j - 1]))
    return row[-1]


def tables_up_to(rows: Sequence[str], largest: int) -> list[Table]:
    """All tables of these rows with at most so many."""
    return [table for size in range(largest + 1) for table in itertools.product(rows, repeat=size)]


@dataclass(frozen=True, slots=True)
class Seen:
    """The pair of tables that moves furthest, in the units of the claim."""

    ratio: Fraction | None
    """How many units, their square under L2; None: infinitely far."""
    first: Table = ()
    second: Table = ()
    said: tuple[str, str] = ("", "")
    is_rounded: bool = False

    def __str__(self) -> str:
        far = "infinitely far" if self.ratio is None else f"{self.ratio} units"
        return f"{listed(self.first)} gives {self.said[0]}, {listed(self.second)} gives {self.said[1]}: {far} apart"

    def exceeds(self, claim: Fraction) -> bool:
        """Whether it is more than so many units (squared under L2), beyond what is rounded."""
        if self.ratio is None:
            return True
        return self.ratio > claim + (TOLERANCE * (1 + abs(claim)) if self.is_rounded else 0)


def moved(first: Outcome, second: Outcome, norm: str, unit: Fraction) -> Fraction | None:
    """How many units two outcomes are apart, squared under L2; None: infinitely far."""
    move = distance(first, second, norm)
    if move is None or (unit == 0 and move):
        return None
    return move / (unit * unit if norm == "L2" else unit) if unit else Fraction(0)


def furthest(
    answers: Mapping[Table, Outcome],
    pairs: Iterable[tuple[Table, Table]],
    norm: str,
    units: Mapping[int, Fraction | None],
) -> Seen:
    """The pair that moves furthest, where the unit depends on the number of rows of the smaller table.

    Where it is None the claim says nothing.
    """
    best = Seen(Fraction(0))
    for first, second in pairs:
        unit = units[min(len(first), len(second))]
        if unit is None:
            continue
        a, b = answers[first], answers[second]
        ratio = moved(a, b, norm, unit)
        if ratio is None or (best.ratio is not None and ratio > best.ratio):
            best = Seen(ratio, first, second, (str(a), str(b)), a.is_rounded or b.is_rounded)
            if ratio is None:
                break
    return best


if __name__ == "__main__":
    served()
