"""What a file of queries may hold around its functions: what binds plain values once, and changes none of them."""

from __future__ import annotations

import ast
import builtins
from collections import Counter

from refdp.logic import file_tops
from refdp.logic.file_tops import Allowance
from refdp.logic.names_in_order import insist_on_order

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
        | {"operator.itemgetter", "operator.attrgetter", "random.Random", "random.SystemRandom", "threading.Lock"}
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
    statements = [one for one in module.body if not file_tops.is_main(one)]
    imported = _imported(statements)
    others = set(file_tops.stored(statements)) - imported.keys()

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
    insist_on_order(module)


def _imported(statements: list[ast.stmt]) -> dict[str, str]:
    """The names that one import binds and nothing else, each to the full name of what it stands for."""
    found: dict[str, str] = {}
    counts = Counter(file_tops.stored(statements))
    for statement in statements:
        if isinstance(statement, ast.Import):
            for one in statement.names:
                found[one.asname or one.name.partition(".")[0]] = one.name if one.asname else one.name.partition(".")[0]
        elif isinstance(statement, ast.ImportFrom) and not statement.level:
            found |= {one.asname or one.name: f"{statement.module}.{one.name}" for one in statement.names}
    return {name: path for name, path in found.items() if counts[name] == 1}
