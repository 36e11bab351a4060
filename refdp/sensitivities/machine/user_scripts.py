"""A pair of tables for a user's function as a script that runs the function itself, with numbers of the format."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from refdp.sensitivities.language.source import Source
from refdp.sensitivities.machine import library
from refdp.sensitivities.machine.arithmetic import MachineArithmetic
from refdp.sensitivities.machine.formats import FLOAT64, FloatFormat, Format, IntegerFormat
from refdp.sensitivities.machine.narrow import Narrow
from refdp.sensitivities.machine.pair import MachinePair
from refdp.sensitivities.machine.scripts import imports, number_type, total_text
from refdp.sensitivities.machine.user_runs import concrete
from refdp.sensitivities.records import Concrete, Fields, Kind, Missing, Number

ITSELF = """function = runpy.run_path({path!r})[{name!r}]
"""
OF_THE_FORMAT = """

class OfTheFormat(ast.NodeTransformer):
    def visit_Constant(self, node):
        return ast.Call(ast.Name("_T", ast.Load()), [node], []) if type(node.value) is float else node

    def visit_MatchValue(self, node):
        return node


# A number with a point, and what float(...) makes, is of the format, as everything else is.
with open({path!r}, encoding="utf-8") as file:
    tree = ast.fix_missing_locations(OfTheFormat().visit(ast.parse(file.read())))
names = {{"__name__": "query", "_T": T, "float": T}}
exec(compile(tree, {path!r}, "exec"), names)
function = names[{name!r}]
"""
"""How the function is read: as it stands, or with its numbers of a format that Python has none of."""
REPLACED = """

def summed(rows, start=0):
    numbers = [start, *rows] if start else list(rows)
    return sum(numbers) if all(isinstance(n, int) for n in numbers) else total([n * T(1) for n in numbers])


function.__globals__["sum"] = summed
"""
FROM_INTS = """
def summed(rows, start=0):
    for n in rows:
        start = start + n
    return start


function.__globals__["sum"] = summed
"""
COMPENSATED = """
def summed(rows, start=0):
    lost, compensates, longest = 0.0, True, 1 << 63
    for n in rows:
        new = start + n
        if isinstance(start, int):
            compensates = compensates and (isinstance(n, float) or all(-longest <= i < longest for i in (n, new)))
        elif compensates and isinstance(n, float):
            lost = lost + ((start - new) + n if abs(start) >= abs(n) else (n - new) + start)
        elif compensates and not -longest <= n < longest:
            new = (start + lost if lost and math.isfinite(lost) else start) + n
            lost, compensates = 0.0, False
        start = new
    return start + lost if lost and math.isfinite(lost) else start


function.__globals__["sum"] = summed
"""
"""What is put in place of `sum`: of numbers of one format; from left to right; Python's of floats from 3.12 on."""
ANSWERS = """
def answer(rows):
    try:
        return function(rows, **values)
    except Exception as error:
        return type(error).__name__


def leaves(value):
    parts = value.values() if isinstance(value, dict) else value
    return [leaf for part in parts for leaf in leaves(part)] if isinstance(value, dict | list | tuple) else [value]


def exact(value):
    whole = type(value).__name__.lstrip("u").startswith("int") or isinstance(value, bool)
    return Fraction(int(value)) if whole else Fraction(float(value))


first, second = answer(x), answer(y)
print("first: ", first)
print("second:", second)
try:
    pairs = zip(leaves(first), leaves(second), strict=True)
    print("differences:", *(abs(exact(a) - exact(b)) for a, b in pairs))
except (TypeError, ValueError, OverflowError):
    print("differences: infinite, or there are none")
"""


def user_script(
    source: Source, record: Kind, values: Mapping[str, Concrete], arithmetic: MachineArithmetic, pair: MachinePair
) -> str:
    """A script that runs FILE.py with both tables, and prints both answers and how far apart they are.

    Its builtin `sum` is replaced where the arithmetic names another one.  Empty for integers that saturate, for which
    neither Python nor numpy has a type.
    """
    form = arithmetic.format_
    if isinstance(form, IntegerFormat) and form.overflow == "saturate":
        return ""
    kind, written = number_type(form)
    total = replaced(arithmetic.total, form)
    given = [f"{name!r}: {value_text(value, None, form, written)}" for name, value in values.items()]
    is_narrow = isinstance(form, FloatFormat) and form != FLOAT64
    read = (OF_THE_FORMAT if is_narrow else ITSELF).format(path=source.path, name=source.name)
    lines = ["import ast" if is_narrow else "import runpy", "import math", "from fractions import Fraction"]
    lines += [*imports(kind + total), f"T = {kind}", read.rstrip("\n")]
    lines.append(f"values = {{{', '.join(given)}}}")
    for name, table in (("x", pair.first), ("y", pair.second)):
        texts = [(value_text(concrete(record, row, form), record, form, written), count) for row, count in table.parts]
        lines.append(f"{name} = {' + '.join(_repeated(*part) for part in texts) or '[]'}")
    return "\n".join(lines) + "\n" + total + ANSWERS


def replaced(total: str, form: Format) -> str:
    """The text that puts the sum of that name in place of the builtin; none for the builtin itself."""
    if total == "python":
        return ""
    if total == "python3.12" and form == FLOAT64:
        return COMPENSATED
    if total in library.FROM_INTS and not isinstance(form, IntegerFormat):
        return FROM_INTS
    return total_text(total, form) + REPLACED


def _repeated(text: str, count: int) -> str:
    """A row several times; never the same object, which a function could change."""
    return f"[{text} for _ in range({count})]" if count > 1 else f"[{text}]"


def value_text(value: Concrete | float | Narrow, kind: Kind | None, form: Format, written: str) -> str:
    """A value as Python writes it, its numbers in the format; a kind of whole numbers, or none, leaves ints ints."""
    if isinstance(kind, Missing):
        kind = kind.kind
    if isinstance(value, Fraction):
        is_whole = kind.is_integer if isinstance(kind, Number) else value.denominator == 1
        if isinstance(form, IntegerFormat):
            return written.format(int(value)) if is_whole or value.denominator == 1 else repr(float(value))
        return repr(int(value)) if is_whole else written.format(repr(float(value)))
    inner = dict(kind.kinds) if isinstance(kind, Fields) else {}
    if isinstance(value, tuple):
        parts = [value_text(part, inner.get(i), form, written) for i, part in enumerate(value)]
        return f"({', '.join(parts)}{',' * (len(parts) == 1)})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{k!r}: {value_text(v, inner.get(k), form, written)}' for k, v in value.items())}}}"
    if isinstance(value, float | Narrow):
        return written.format(f'float("{float(value)}")')
    return repr(value)
