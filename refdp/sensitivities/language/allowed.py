"""What a file of queries may hold around its functions: what binds plain values once, and changes none of them."""

from __future__ import annotations

import ast
import builtins

from refdp.logic import file_tops
from refdp.logic.file_tops import Allowance

BUILTINS = frozenset(dir(builtins))
NUMPY = ("array", "asarray", "arange", "zeros", "ones", "linspace", "float32", "float64", "int32", "int64", "sqrt")
ALLOWANCE = Allowance(
    pure=frozenset(
        {"abs", "all", "any", "bool", "dict", "divmod", "enumerate", "float", "frozenset", "int", "len", "list", "max"}
        | {"min", "pow", "range", "reversed", "round", "set", "sorted", "str", "sum", "tuple", "zip", "print"}
        | {f"math.{name}" for name in dir(__import__("math")) if not name.startswith("_")}
        | {f"numpy.{name}" for name in NUMPY}
        | {"fractions.Fraction", "decimal.Decimal", "collections.Counter", "collections.OrderedDict"}
        | {"collections.namedtuple", "types.MappingProxyType", "typing.TypeVar", "typing.NewType", "typing.cast"}
        | {"dataclasses.field", "enum.auto", "logging.getLogger", "pathlib.Path", "re.compile", "datetime.date"}
        | {"operator.itemgetter", "operator.attrgetter"}
    ),
    decorators=frozenset(
        {"staticmethod", "classmethod", "property", "functools.cache", "functools.lru_cache", "functools.wraps"}
        | {"dataclasses.dataclass", "contextlib.contextmanager", "abc.abstractmethod", "typing.overload"}
        | {"typing.no_type_check", "pytest.fixture", "pytest.mark.parametrize", "refdp.programs.claim"}
    ),
    advice="write a plain function",
    bases=frozenset(
        {"object", "Exception", "ValueError", "TypeError", "RuntimeError", "KeyError", "abc.ABC", "enum.Enum"}
        | {"enum.IntEnum", "enum.StrEnum", "typing.NamedTuple", "typing.Protocol", "typing.TypedDict"}
    ),
    strict=False,
)


def insist_on_allowed(module: ast.Module) -> None:
    """`Forbidden` where the file holds anything but what is allowed."""
    imported = _imported(module)
    others = {name for statement in module.body for name in _names(statement)} - imported.keys()

    def called(node: ast.expr) -> str | None:
        match node:
            case ast.Name(name) if name in imported:
                return imported[name]
            case ast.Name(name) if name in BUILTINS and name not in others:
                return name
            case ast.Attribute(inner, attribute):
                path = called(inner)
                return f"{path}.{attribute}" if path is not None and path not in BUILTINS else None
        return None

    file_tops.insist_on_allowed(module, others | imported.keys(), called, ALLOWANCE)


def _imported(module: ast.Module) -> dict[str, str]:
    """The names that imports alone bind, each to the full name of what it stands for; one bound twice is left out."""
    found: dict[str, str] = {}
    twice: set[str] = set()
    seen: set[str] = set()
    for statement in module.body:
        names = list(_names(statement))
        twice |= seen & set(names)
        seen |= set(names)
        if isinstance(statement, ast.Import):
            found |= {
                (one.asname or one.name.partition(".")[0]): one.asname and one.name or one.name.partition(".")[0]
                for one in statement.names
            }
        elif isinstance(statement, ast.ImportFrom) and not statement.level:
            found |= {(one.asname or one.name): f"{statement.module}.{one.name}" for one in statement.names}
    return {name: path for name, path in found.items() if name not in twice}


def _names(statement: ast.stmt) -> set[str]:
    """The names that a statement may bind, wherever in it."""
    return set(file_tops.stored([statement]))
