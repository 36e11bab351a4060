"""Names that the top of a file reads before a statement binds them: Python raises NameError there.

Where a file cannot be executed none of its functions answers anything.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterable, Iterator, Set

from refdp.logic.file_tops import Forbidden, is_main, stored

ALWAYS = frozenset(dir(builtins)) | {"__name__", "__file__", "__doc__", "__annotations__"}
"""The names that a file finds bound when it begins."""


COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
ANNOTATIONS_WAIT = sys.version_info >= (3, 14)
"""Whether Python works annotations out only when somebody asks for them."""


def insist_on_order(tree: ast.Module, known: Set[str] = frozenset()) -> None:
    """Forbidden where the top of a file reads a name that nothing above binds and that is not known anyway."""
    if found := read_too_early(tree, known):
        raise Forbidden(found, f"the name {found.id} before it is bound", "bind it further up")


def read_too_early(tree: ast.Module, known: Set[str] = frozenset()) -> ast.Name | None:
    """The first name that is read while nothing above has bound it; None where there is none.

    Functions run later and may read whatever is bound by then; their defaults and decorators are worked out at once,
    and so are their annotations, but where `from __future__ import annotations` stands above.
    """
    later = any(isinstance(one, ast.ImportFrom) and one.module == "__future__" for one in tree.body)
    return _first(tree.body, set(ALWAYS | known), not (later or ANNOTATIONS_WAIT))


def _first(body: Iterable[ast.stmt], bound: set[str], annotations: bool) -> ast.Name | None:
    """The same of statements one after the other, `bound` before them; a class has names of its own."""
    for statement in body:
        if is_main(statement):
            continue
        found = next((name for name in _read(statement, annotations) if name.id not in bound), None)
        if found is None and isinstance(statement, ast.ClassDef):
            found = _first(statement.body, set(bound), annotations)
        if found is not None:
            return found
        bound |= _bound(statement)
    return None


def _bound(statement: ast.stmt) -> set[str]:
    """The names that a statement binds when it is executed: `x: int` binds none, nor does `if TYPE_CHECKING:`."""
    match statement:
        case ast.FunctionDef(name) | ast.ClassDef(name):
            return {name}
        case ast.AnnAssign(value=None) | ast.If():
            return set()
    return set(stored([statement]))


def _read(statement: ast.stmt, annotations: bool) -> Iterator[ast.Name]:
    """The names that a statement reads when it is executed, but those within a class, or that it binds itself."""
    match statement:
        case ast.FunctionDef(args=given):
            parts: list[ast.AST | None] = [*statement.decorator_list, *given.defaults, *given.kw_defaults]
            named = (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg)
            noted = [statement.returns, *(one.annotation for one in named if one is not None)]
            parts += noted if annotations else []
        case ast.ClassDef():
            parts = [*statement.decorator_list, *statement.bases, *(one.value for one in statement.keywords)]
        case ast.AnnAssign():
            parts = [statement.value, statement.annotation if annotations else None]
        case ast.Assign() | ast.Expr():
            parts = [statement.value]
        case _:
            parts = []
    for part in parts:
        if part is not None:
            yield from _names(part)


def _names(node: ast.AST) -> Iterator[ast.Name]:
    """The names that an expression reads, but those of its own comprehensions and of lambdas, which run later."""
    if isinstance(node, ast.Lambda):
        for default in (*node.args.defaults, *node.args.kw_defaults):
            yield from _names(default) if default is not None else ()
        return
    if isinstance(node, ast.Name):
        yield node
    own: set[str] = set()
    if isinstance(node, COMPREHENSIONS):
        own = {one.id for each in node.generators for one in ast.walk(each.target) if isinstance(one, ast.Name)}
        yield from _names(node.generators[0].iter)
    for part in ast.iter_child_nodes(node):
        yield from (one for one in _names(part) if one.id not in own)
