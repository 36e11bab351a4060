"""A user's function as a sum or a mean of expressions of single rows: what the machine adds, and in which order.

Only the range of what is added matters for the bound: neighbouring tables share the rows, and what the machine makes
of a row depends on that row alone.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.source import Source
from refdp.sensitivities.machine.adjusted import Kind
from refdp.sensitivities.machine.declared_ranges import Row, default_ranges, parameter_ranges, row_ranges
from refdp.sensitivities.machine.formats import FLOAT32, FLOAT64, FloatFormat, Format, IntegerFormat
from refdp.sensitivities.machine.loop_paths import Body, Path
from refdp.sensitivities.machine.ranges import NotRecognised, Range, Ranges

ZERO = Range(Fraction(0), Fraction(0), True, True)
"""A row that is left out: nothing is added."""
COMPENSATED = ("python", "python3.12")


@dataclass(frozen=True, slots=True)
class Recognised:
    """A sum or a mean of numbers in a range."""

    kind: Kind
    order: str
    added: Range


def recognised(source: Source, declaration: Declaration, form: Format, total: str) -> Recognised:
    """The sum that the function computes; `total` names what the builtin `sum` does.  NotRecognised with a reason.

    Read are sums by `sum`, `math.fsum` or `numpy.sum` of expressions of one row, those that a loop over the rows adds
    to a total, and either over the number of rows, which may be counted, too.
    """
    modules = _no_rebinding(source)
    given = source.tree.args
    arguments = [a.arg for a in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    ranges = Ranges(form, {})
    rows = arguments[0] if arguments else ""
    given_values = {name: value for name, value in declaration.values.items() if name in arguments[1:]}
    declaration = replace(declaration, values=given_values)  # another name of the file stands for what it is there
    defaults = {n: r for n, r in default_ranges(source, ranges).items() if n != rows and n not in given_values}
    ranges = Ranges(form, {**defaults, **parameter_ranges(ranges, declaration)})
    fixed = frozenset(arguments)
    reader = _Reader(ranges, rows, fixed, modules, total, {rows: row_ranges(declaration.record, ranges)})
    body = [s for s in source.tree.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    return reader.function(body)


FORMS = (
    "read are one sum over the rows (sum, math.fsum, numpy.sum, or a loop that adds to a total that starts at 0), "
    "and such a sum over the number of rows"
)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the parts of one function."""

    ranges: Ranges
    rows: str
    fixed: frozenset[str]
    """Parameters."""
    modules: Mapping[str, str]
    """Names of the file -> math or numpy, which they stand for."""
    total: str
    lists: Mapping[str, Row]
    """The rows, and lists made of each of them."""

    def function(self, body: Sequence[ast.stmt]) -> Recognised:
        """The statements of the function: lists and totals, a loop, and the answer."""
        totals, sums, counters, guarded, reader = dict[str, bool](), dict[str, Range](), set[str](), False, self
        for place, statement in enumerate(body):
            match statement:
                case ast.Return(ast.expr() as answer) if place == len(body) - 1:
                    found = reader.answer(answer, {n: r for n, r in sums.items() if n not in counters}, counters)
                    if guarded and found.kind != "mean":
                        break
                    return found
                case ast.Assign([ast.Name(name)], value) | ast.AnnAssign(ast.Name(name), _, ast.expr() as value) if (
                    name not in {*self.fixed, *reader.lists, *totals, *counters}
                ):
                    if isinstance(value, ast.Constant) and type(value.value) in (int, float) and value.value == 0:
                        totals[name] = isinstance(value.value, float)
                    elif reader.counts(value, counters):
                        counters.add(name)
                    elif isinstance(value, ast.ListComp) and not value.generators[0].ifs:
                        reader = replace(reader, lists={**reader.lists, name: reader.added(value)})
                    else:
                        break
                case ast.For() as loop if (
                    totals and not sums and not (isinstance(self.ranges.form, IntegerFormat) and any(totals.values()))
                ):
                    sums = reader.loop(loop, tuple(totals), counters)
                    one = Fraction(1)
                    counters |= {n for n, r in sums.items() if (r.lower, r.upper) == (one, one) and not r.is_float
                                 and not totals[n]} if len(sums) > 1 else set()  # fmt: skip
                case ast.If(
                    test, [ast.Return(ast.Constant() | ast.UnaryOp(ast.USub(), ast.Constant()) | None)], []
                ) if reader.empty(test, counters):
                    guarded = True
                case _:
                    break
        raise NotRecognised(f"the function is not one sum over the rows; {FORMS}")

    def empty(self, test: ast.expr, counters: Set[str]) -> bool:
        """Whether the condition says that there are no rows."""
        match test:
            case ast.UnaryOp(ast.Not(), ast.Name(name)) if name in self.lists:
                return True
            case ast.UnaryOp(ast.Not(), count) | ast.Compare(count, [ast.Eq()], [ast.Constant(0)]):
                return self.counts(count, counters)
        return False

    def counts(self, node: ast.expr, counters: Set[str]) -> bool:
        """Whether the expression is the number of rows."""
        match node:
            case ast.Call(ast.Name("len"), [ast.Name(name)], []):
                return name in self.lists
            case ast.Name(name):
                return name in counters
        return False

    def answer(self, node: ast.expr, totals: Mapping[str, Range], counters: Set[str]) -> Recognised:
        """A sum, or a sum over the number of rows."""
        match node:
            case ast.BinOp(inner, ast.Div(), count) if self.counts(count, counters):
                found = self.answer(inner, totals, counters)
                if found.kind == "sum":
                    return Recognised("mean", found.order, found.added)
            case ast.Name(name) if name in totals:
                return Recognised("sum", "naive", totals[name])
            case ast.Call(ast.Name("sum"), [argument], []):
                added = self.added(argument)
                mixed = self.total in COMPENSATED and not added.is_float
                return Recognised("sum", "mixed" if mixed else self.total, added)
            case ast.Call(ast.Attribute(ast.Name(name), act), [argument], []):
                match self.modules.get(name), act:
                    case "math", "fsum":
                        if isinstance(self.ranges.form, FloatFormat) and self.ranges.form != FLOAT64:
                            raise NotRecognised(f"line {node.lineno}: math.fsum of a narrow float is a float64")
                        return Recognised("sum", "fsum", self.added(argument))
                    case "numpy", "sum" | "mean":
                        return self._of_array(argument, "sum" if act == "sum" else "mean")
        raise NotRecognised(f"line {node.lineno}: {ast.unparse(node)[:60]} is not one sum over the rows; {FORMS}")

    def _of_array(self, argument: ast.expr, kind: Literal["sum", "mean"]) -> Recognised:
        """numpy's sum or mean of floats; an array of ints would be one of int64."""
        filtered = isinstance(argument, ast.ListComp) and any(one.ifs for one in argument.generators)
        if isinstance(argument, ast.GeneratorExp) or filtered and kind == "mean":
            raise NotRecognised(f"line {argument.lineno}: numpy's {kind} is read of a list of every row")
        added = self.added(argument)
        if not added.is_float or self.ranges.form not in (FLOAT64, FLOAT32):
            raise NotRecognised(f"line {argument.lineno}: numpy's {kind} is read of float64 and float32, not of ints")
        return Recognised(kind, "numpy", added)

    def added(self, node: ast.expr) -> Range:
        """What `sum` adds."""
        match node:
            case ast.Name(name) if isinstance(row := self.lists.get(name), Range):
                return row
            case ast.GeneratorExp(one, [loop]) | ast.ListComp(one, [loop]):
                match loop:
                    case ast.comprehension(ast.Name(x), ast.Name(name), tests, 0) if name in self.lists:
                        ranges = self._with({x: self.lists[name]})
                        for test in tests:
                            ranges.checked(test)
                        found = ranges.of(one)
                        return found.hull(ZERO) if tests else found
        raise NotRecognised(f"line {node.lineno}: {ast.unparse(node)[:60]} is no pass over the rows")

    def loop(self, loop: ast.For, totals: Sequence[str], counters: Set[str]) -> dict[str, Range]:
        """What the loop adds to each total for one row."""
        taken = frozenset({*self.fixed, *self.lists, *counters})
        match loop:
            case ast.For(ast.Name(x), ast.Name(name), [*body], []) if name in self.lists and x not in {*totals, *taken}:
                reading = Body(totals, taken, self._with)
                paths = reading.paths(body, Path({x: self.lists[name]}, {}))
                if paths:
                    return {t: _hull([path.added.get(t, ZERO) for path in paths]) for t in totals}
        raise NotRecognised(f"line {loop.lineno}: the loop is no pass over the rows")

    def _with(self, local: Mapping[str, Row]) -> Ranges:
        """The ranges where names of the row are known too, and hide others."""
        return Ranges(self.ranges.form, {**self.ranges.known, **local})


def _hull(found: Sequence[Range]) -> Range:
    """The values of all."""
    first, *others = found
    for other in others:
        first = first.hull(other)
    return first


def _no_rebinding(source: Source) -> dict[str, str]:
    """What math and numpy are called, where the top of the file imports them.

    NotRecognised where the file gives another meaning to a function that is read.
    """
    imported = [(a.name, a.asname) for one in source.module.body if isinstance(one, ast.Import) for a in one.names]
    numpy = {other or name for name, other in imported if name == "numpy"}
    modules = dict.fromkeys(numpy, "numpy") | ({"math": "math"} if ("math", None) in imported else {})
    read = {"sum", "len", "min", "max", "abs", "float", "math"}
    names = read | numpy
    bound = set[str]()
    for one in ast.walk(source.module):
        match one:
            case ast.Name(name, ast.Store() | ast.Del()) | ast.arg(name):
                bound.add(name)
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
                bound.add(name)
            case ast.Import(aliases):
                called = ((a.asname or a.name.partition(".")[0], a.name) for a in aliases)
                bound |= {name for name, module in called if modules.get(name) != module}  # within a branch, too
            case ast.ImportFrom(_, aliases):
                bound |= names if any(a.name == "*" for a in aliases) else {a.asname or a.name for a in aliases}
            case ast.ExceptHandler(_, str(name)) | ast.MatchAs(_, str(name)) | ast.MatchStar(str(name)):
                bound.add(name)
    again = names & bound | read & numpy
    if source.tree.decorator_list or again:
        raise NotRecognised(f"{', '.join(sorted(again)) or 'the function'} is given another meaning in the file")
    return modules
