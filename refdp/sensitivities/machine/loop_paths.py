"""What one turn of a loop over the rows adds to a total: every way through its body, with the ranges there."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from refdp.sensitivities.machine.ranges import Fields, NotRecognised, Range, Ranges

MOST_PATHS = 64
"""Most ways through one body."""
Local = Mapping[str, Range | Fields]
TURNED = {ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt}
"""What holds where a comparison does not; no number here is NaN."""
ASIDE = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}
"""The same comparison with its sides exchanged."""


@dataclass(frozen=True, slots=True)
class Path:
    """One way through the statements so far."""

    local: Local
    """What is known of the names of this row."""
    added: Mapping[str, Range]
    """What each total has been given."""
    ended: bool = False
    """By `continue`."""


@dataclass(frozen=True, slots=True)
class Body:
    """Reads the body of a loop.  Names of `totals` are added to, and read nowhere; `fixed` names are not assigned."""

    totals: Sequence[str]
    fixed: frozenset[str]
    ranges: Callable[[Local], Ranges]

    def paths(self, body: Sequence[ast.stmt], start: Path) -> list[Path]:
        """Every way through the statements.  NotRecognised where one is no assignment, addition or condition."""
        found = [start]
        for statement in body:
            found = [after for path in found for after in (self._after(statement, path) if not path.ended else [path])]
            if len(found) > MOST_PATHS:
                raise NotRecognised(f"line {statement.lineno}: the loop has more than {MOST_PATHS} ways through it")
        return found

    def _after(self, statement: ast.stmt, path: Path) -> Iterator[Path]:
        """The ways on after one statement."""
        ranges = self.ranges(path.local)
        match statement:
            case ast.Pass() | ast.Expr(ast.Constant(str())):
                yield path
            case ast.Continue():
                yield replace(path, ended=True)
            case ast.AugAssign(ast.Name(name), ast.Add(), value) if name in self.totals and name not in path.added:
                yield replace(path, added={**path.added, name: ranges.of(value)})
            case ast.Assign([ast.Name(name)], ast.BinOp(ast.Name(left), ast.Add(), value)) if (
                name == left and name in self.totals and name not in path.added
            ):
                yield replace(path, added={**path.added, name: ranges.of(value)})
            case ast.Assign([ast.Name(name)], value) | ast.AnnAssign(ast.Name(name), _, ast.expr() as value) if (
                name not in self.totals and name not in self.fixed
            ):
                yield replace(path, local={**path.local, name: ranges.of(value)})
            case ast.If(test, yes, no):
                ranges.checked(test)
                for holds, block in ((True, yes), (False, no)):
                    local = narrowed(ranges, path.local, test, holds)
                    if local is not None:
                        yield from self.paths(block, replace(path, local=local))
            case _:
                text = ast.unparse(statement)[:60]
                raise NotRecognised(f"line {statement.lineno}: {text} is no addition to the total")


def narrowed(ranges: Ranges, local: Local, test: ast.expr, holds: bool) -> Local | None:
    """What is known where a condition holds, or does not; None where that cannot be.

    Only a comparison of a name of the row with a number says more than was known.
    """
    match test:
        case ast.UnaryOp(ast.Not(), inner):
            return narrowed(ranges, local, inner, not holds)
        case ast.Compare(ast.Name(name), [operator], [other]) if isinstance(local.get(name), Range):
            pass
        case ast.Compare(other, [operator], [ast.Name(name)]) if isinstance(local.get(name), Range):
            operator = ASIDE.get(type(operator), ast.NotEq)()
        case _:
            return local
    kind = type(operator) if holds else TURNED.get(type(operator))
    one, limit = cast(Range, local[name]), ranges.of(other)
    if kind in (ast.Lt, ast.LtE):
        one = replace(one, upper=min(one.upper, limit.upper))
    elif kind in (ast.Gt, ast.GtE):
        one = replace(one, lower=max(one.lower, limit.lower))
    return {**local, name: one} if one.lower <= one.upper else None
