"""A user's function as a sum or a mean of expressions of single rows: what the machine adds, and in which order.

Only the range of what is added matters for the bound: neighbouring tables share the rows, and what the machine makes
of a row depends on that row alone.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.source import Source
from refdp.sensitivities.machine.adjusted import Kind
from refdp.sensitivities.machine.formats import Format, IntegerFormat
from refdp.sensitivities.machine.ranges import Fields as Columns
from refdp.sensitivities.machine.ranges import NotRecognised, Range, Ranges
from refdp.sensitivities.records import Fields, Number
from refdp.sensitivities.records import Kind as Record
from refdp.sensitivities.terms import Term, is_number, number

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

    Read are: `return sum(E for x in rows if C)` or `math.fsum(...)`, and a loop `for x in rows` with one
    `total += E`; either over `len(rows)`, too.
    """
    _no_rebinding(source)
    arguments = [a.arg for a in source.tree.args.args]
    rows = arguments[0] if arguments else ""
    body = [s for s in source.tree.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    ranges = Ranges(form, {})
    ranges = Ranges(form, _parameters(ranges, declaration))
    reader = _Reader(ranges, rows, _row(declaration.record, ranges), total)
    match body:
        case [ast.Return(ast.expr() as answer)]:
            return reader.answer(answer, {})
        case [
            ast.Assign([ast.Name(name)], ast.Constant(0 as zero)),
            ast.For() as loop,
            ast.Return(ast.expr() as answer),
        ] if name not in {*arguments, *declaration.values} and not (
            isinstance(form, IntegerFormat) and isinstance(zero, float)
        ):
            return reader.answer(answer, {name: reader.loop(loop, name)})
    raise NotRecognised("the function is not one sum over the rows, nor that over len(rows)")


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the parts of one function."""

    ranges: Ranges
    rows: str
    row: Range | Columns
    total: str

    def answer(self, node: ast.expr, totals: Mapping[str, Range]) -> Recognised:
        """A sum, or a sum over the number of rows."""
        match node:
            case ast.BinOp(inner, ast.Div(), ast.Call(ast.Name("len"), [ast.Name(name)], [])) if name == self.rows:
                found = self.answer(inner, totals)
                if found.kind == "sum":
                    return Recognised("mean", found.order, found.added)
            case ast.Name(name) if name in totals:
                return Recognised("sum", "naive", totals[name])
            case ast.Call(ast.Name("sum"), [argument], []):
                added = self._added(argument)
                mixed = self.total in COMPENSATED and not added.is_float
                return Recognised("sum", "mixed" if mixed else self.total, added)
            case ast.Call(ast.Attribute(ast.Name("math"), "fsum"), [argument], []):
                return Recognised("sum", "fsum", self._added(argument))
        raise NotRecognised(f"line {node.lineno}: {ast.unparse(node)[:60]} is not one sum over the rows")

    def _added(self, node: ast.expr) -> Range:
        """What `sum` adds."""
        match node:
            case ast.Name(name) if name == self.rows and isinstance(self.row, Range):
                return self.row
            case ast.GeneratorExp(one, [loop]) | ast.ListComp(one, [loop]):
                match loop:
                    case ast.comprehension(ast.Name(x), ast.Name(name), tests, 0) if name == self.rows:
                        ranges = self._with({x: self.row})
                        for test in tests:
                            ranges.checked(test)
                        found = ranges.of(one)
                        return found.hull(ZERO) if tests else found
        raise NotRecognised(f"line {node.lineno}: {ast.unparse(node)[:60]} is no pass over the rows")

    def loop(self, loop: ast.For, total: str) -> Range:
        """What the loop adds to the total."""
        match loop:
            case ast.For(ast.Name(x), ast.Name(name), [*body], []) if name == self.rows and x not in (total, name):
                return self._block(body, total, {x: self.row})
        raise NotRecognised(f"line {loop.lineno}: the loop is no pass over the rows")

    def _block(self, body: Sequence[ast.stmt], total: str, local: Mapping[str, Range | Columns]) -> Range:
        """What the statements add for one row: assignments to names of the row, then one addition."""
        for place, statement in enumerate(body):
            ranges, last = self._with(local), place == len(body) - 1
            match statement:
                case ast.Assign([ast.Name(name)], value) if (
                    not last and name != total and name != self.rows and name not in self.ranges.known
                ):
                    local = {**local, name: ranges.of(value)}
                    continue
                case ast.AugAssign(ast.Name(name), ast.Add(), value) if last and name == total:
                    return ranges.of(value)
                case ast.Assign([ast.Name(name)], ast.BinOp(ast.Name(left), ast.Add(), value)) if (
                    last and name == left == total
                ):
                    return ranges.of(value)
                case ast.If(test, yes, no) if last:
                    ranges.checked(test)
                    return self._block(yes, total, local).hull(self._block(no, total, local) if no else ZERO)
            break
        raise NotRecognised(f"line {body[place].lineno}: {ast.unparse(body[place])[:60]} is no addition to the total")

    def _with(self, local: Mapping[str, Range | Columns]) -> Ranges:
        """The ranges where names of the row are known too, and hide others."""
        return Ranges(self.ranges.form, {**self.ranges.known, **local})


def _no_rebinding(source: Source) -> None:
    """Nothing in the file gives another meaning to the functions that are read."""
    names = {"sum", "len", "min", "max", "abs", "float", "math"}
    bound = set[str]()
    for one in ast.walk(source.module):
        match one:
            case ast.Name(name, ast.Store() | ast.Del()) | ast.arg(name):
                bound.add(name)
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
                bound.add(name)
            case ast.Import(aliases):
                bound |= {a.asname or a.name for a in aliases if (a.name, a.asname) != ("math", None)}
            case ast.ImportFrom(_, aliases):
                bound |= names if any(a.name == "*" for a in aliases) else {a.asname or a.name for a in aliases}
            case ast.ExceptHandler(_, str(name)) | ast.MatchAs(_, str(name)) | ast.MatchStar(str(name)):
                bound.add(name)
    again = names & bound
    if source.tree.decorator_list or again:
        raise NotRecognised(f"{', '.join(sorted(again)) or 'the function'} is given another meaning in the file")


def _parameters(ranges: Ranges, declaration: Declaration) -> dict[str, Range | Columns]:
    """The public parameters that are numbers, rounded to the format where they are not whole."""
    if declaration.symbolic:
        raise NotRecognised(f"parameters must have values, got {', '.join(declaration.symbolic)}")
    numbers = {name: value for name, value in declaration.values.items() if isinstance(value, Fraction)}
    return {
        name: ranges.whole(value, value, False) if value.denominator == 1 else ranges.written(value)
        for name, value in numbers.items()
    }


def _row(record: Record, ranges: Ranges) -> Range | Columns:
    """The range of a row, or of its fields."""
    if isinstance(record, Number):
        if not _bounded(record):
            raise NotRecognised("the rows must have bounds that are numbers")
        return _number(record, ranges)
    if isinstance(record, Fields):
        numeric = {key: kind for key, kind in record.kinds if isinstance(kind, Number) and _bounded(kind)}
        return {key: _number(numeric[key], ranges) if key in numeric else None for key, _ in record.kinds}
    raise NotRecognised("the rows must be numbers, or have fields that are numbers")


def _bounded(kind: Number) -> bool:
    """Whether both bounds are numbers."""
    return all(isinstance(end, Term) and is_number(end) for end in (kind.lower, kind.upper))


def _number(kind: Number, ranges: Ranges) -> Range:
    """The range of a number between its bounds."""
    low, high = (number(end) if end is not None else Fraction(0) for end in (kind.lower, kind.upper))
    if kind.is_integer or isinstance(ranges.form, IntegerFormat):
        return ranges.whole(Fraction(math.ceil(low)), Fraction(math.floor(high)), False)
    return Range(low, high, False, True)
