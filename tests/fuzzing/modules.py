"""Random modules around a function: what a file may hold besides the function that is asked about.

The grammar follows docs/how_to (imports, constants, other functions, plain classes, `__main__`) and, for the rest, the
list of all ways to bind a name and to change an object in the Python language reference.  Every statement is made for a
target; where the target is a fresh name the function keeps its meaning, where it is a name that the function reads the
meaning may change.  Nobody here knows whether it does: the truth is what CPython makes of the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from textwrap import indent
from warnings import catch_warnings, simplefilter

PLAIN, BUSY, TOUCHING = "plain", "busy", "touching"
"""A module of what docs/how_to allows; one with other statements about names of their own; one that touches names of
the function."""
MANNERS: Mapping[str, float] = {PLAIN: 0.72, BUSY: 0.1, TOUCHING: 0.18}
"""How often each is made."""
NUMBERS = ("0", "1", "2", "3", "7", "10", "100", "-1", "0.5", "1 / 4", "True", "1000")
TEXTS = ('"a"', '"total"', '"x y"', "''")
LATE = 0.01
"""How often an import stands further down than at the top."""
FRESH = ("limit", "names", "weight", "config", "table", "debug", "offset", "cache", "level", "title", "note", "ratio")
PASSED_ON = "    def inner(*given, **named):\n        return function(*given, **named)"
CALLABLES = ("abs", "len", "max", "min", "sum", "round", "lambda *a, **k: 0", "lambda *a, **k: a[0]", "sorted", "list")
LIBRARIES = ("import math", "import os.path", "import re", "from math import sqrt", "import json as js", "import sys",
             "from collections import Counter", "import statistics", "from fractions import Fraction",
             "import itertools", "from functools import reduce", "from pathlib import Path", "import string",
             "from typing import Any", "from dataclasses import dataclass")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Subject:
    """A function that a module is made around.

    `source` is its text from the decorator or `def` on.  It reads `constants` (name: text of the value) and `imported`
    (name: the module that it comes from) as globals, calls `helpers` (texts of whole definitions), and uses the
    `builtins`.
    """

    name: str
    source: str
    constants: Mapping[str, str] = field(default_factory=dict)
    imported: Mapping[str, str] = field(default_factory=dict)
    helpers: Mapping[str, str] = field(default_factory=dict)
    builtins: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Module:
    """The text of a module, and the manner in which it was made."""

    text: str
    manner: str


def module_around(subject: Subject, random: Random, manner: str | None = None) -> Module:
    """A random module that defines the function; the same for the same state of `random`."""
    manner = manner or random.choices(list(MANNERS), list(MANNERS.values()))[0]
    while True:
        text = Writer(subject, random, manner).text()
        if is_python(text):
            return Module(text, manner)


def is_python(text: str) -> bool:
    """Whether the text compiles: an annotated name must not be declared global, and the like."""
    try:
        with catch_warnings():
            simplefilter("ignore")
            compile(text, "module.py", "exec")
    except SyntaxError:
        return False
    return True


@dataclass(slots=True)
class Writer:
    """What is needed to write one module."""

    subject: Subject
    random: Random
    manner: str
    used: set[str] = field(default_factory=set)
    heads: list[str] = field(default_factory=list)
    """Imports that further statements need."""

    def text(self) -> str:
        """The module."""
        source, imports = self.imports(self.subject.source)
        function = self.defined(source)
        before = [*self.constants(), *self.subject.helpers.values()]
        self.random.shuffle(before)
        after: list[str] = []
        for _ in range(self.random.choice((0, 0, 1, 1, 2, 3))):
            self.put(self.extra(), before, after)
        if self.manner != PLAIN:
            for _ in range(self.random.choice((1, 1, 2))):
                self.put(self.statement(), before, after)
        if self.chance(0.2):
            after.append(self.main_guard())
        if self.chance(0.1):  # constants and helpers may stand below the function that reads them
            before, after = [], [*before, *after]
        if imports and self.chance(LATE):
            self.put(imports.pop(), before, after)
        docstring = ['"""Queries of a survey."""'] if self.chance(0.3) else []
        return "\n\n".join([*docstring, *imports, *self.heads, *before, function, *after]) + "\n"

    def put(self, text: str, before: list[str], after: list[str]) -> None:
        """The statement stands somewhere; after the constants more often than before them."""
        place = self.random.choice((before, after, after))
        place.insert(self.random.randrange(len(place) + 1) if self.chance(0.3) else len(place), text)

    def chance(self, share: float) -> bool:
        """True in that share of the cases."""
        return self.random.random() < share

    def fresh(self) -> str:
        """A name that nothing else in the module has."""
        while True:
            name = self.random.choice(FRESH) + self.random.choice(("", "_", "_2", "s", "_of_rows"))
            name = name.upper() if self.chance(0.3) else name
            if name not in self.used and name not in self.subject.source:
                self.used.add(name)
                return name

    # What the function needs.

    def imports(self, source: str) -> tuple[str, list[str]]:
        """The function's text with the imported names as this module calls them, and the imports."""
        lines: list[str] = []
        by_module: dict[str, list[str]] = {}
        for name, module in self.subject.imported.items():
            by_module.setdefault(module, []).append(name)
        for module, names in by_module.items():
            manner = self.random.choice(("from", "from", "from", "from", "as", "module", "module as", "star", "each"))
            if manner == "star" and self.manner == PLAIN:
                manner = "from"
            if manner == "from":
                lines.append(f"from {module} import {', '.join(names)}")
            elif manner == "each":
                lines.extend(f"from {module} import {name}" for name in names)
            elif manner == "star":
                lines.append(f"from {module} import *")
            elif manner == "as":
                other = {name: self.fresh() for name in names}
                lines.append(f"from {module} import {', '.join(f'{a} as {b}' for a, b in other.items())}")
                source = renamed(source, other)
            else:
                short = self.fresh() if manner == "module as" else module
                lines.append(f"import {module} as {short}" if manner == "module as" else f"import {module}")
                source = renamed(source, {name: f"{short}.{name}" for name in names})
        return source, lines

    def constants(self) -> list[str]:
        """The constants that the function reads, each bound once."""
        lines = []
        for name, value in self.subject.constants.items():
            other = self.fresh()
            forms = [f"{name} = {value}"] * 6 + [f"{name}: object = {value}", f"{name} = ({value})"]
            if self.manner != PLAIN:
                forms += [f"{other} = {name} = {value}", f"{name}, {other} = {value}, 1", f"[{name}] = [{value}]",
                          f"({name} := {value})", f"{other} = {value}\n{name} = {other}",
                          f"for {name} in ({value},):\n    pass", f"*_, {name} = 0, {value}",
                          f"if 1 < 2:\n    {name} = {value}\nelse:\n    {name} = 0"]  # fmt: skip
            lines.append(self.random.choice(forms))
        return lines

    def defined(self, source: str) -> str:
        """The definition of the function, within another statement at times."""
        source = source.strip("\n")
        name = self.subject.name
        if self.manner == PLAIN or self.chance(0.75):
            return source
        inner, other = indent(source, "    "), indent(self.other_definition(), "    ")
        tag = self.fresh()
        return self.random.choice((
            f"if True:\n{inner}",
            f"if len('ab') == 2:\n{inner}\nelse:\n{other}",
            f"if {self.random.choice(('False', '0', 'not 1'))}:\n{other}\nelse:\n{inner}",
            f"try:\n    import {tag}\nexcept ImportError:\n{inner}",
            f"for _ in range(1):\n{inner}",
            f"def {tag}():\n{inner}\n    return {name}\n\n\n{name} = {tag}()",
            f"class {tag.title()}:\n{indent(source, '    ')}\n\n\n{name} = {tag.title()}.{name}",
            f"def {tag}(function):\n    return function\n\n\n@{tag}\n{source}",
            f"def {tag}(function):\n{PASSED_ON}\n\n    return inner\n\n\n@{tag}\n{source}",
        ))  # fmt: skip

    def other_definition(self) -> str:
        """Another function of the same name and parameters."""
        head = re.search(
            rf"^( *)(?:async )?def {self.subject.name}\((?:[^()]|\([^()]*\))*\)[^:\n]*:", self.subject.source, re.M
        )
        body = self.random.choice(("return 0", "return len(list(locals().values())[0])", "return 7", "return None"))
        return f"{head.group(0).strip() if head else f'def {self.subject.name}(*given):'}\n    {body}"

    # What else docs/how_to has around functions.

    def extra(self) -> str:
        """A statement that docs/how_to allows and that concerns no name of the function."""
        name, other = self.fresh(), self.fresh()
        read = self.random.choice([*self.subject.constants, "1"])
        shadow = self.random.choice([*self.subject.constants, *self.subject.imported, *self.subject.builtins, "total"])
        return self.random.choice((
            f"{name} = {self.value()}",
            f"{name} = {self.value()}  # {other}",
            f"{name}: float = {self.random.choice(NUMBERS)}",
            f"{name} = {read}",
            f"{name} = {self.container()}",
            self.random.choice(LIBRARIES),
            f"def {name}(x):\n    return x + {read}",
            f"def {name}(rows, {other}={self.random.choice(NUMBERS)}):\n    return len(rows) * {other}",
            f"def {name}(rows):\n    {shadow} = 0\n    for row in rows:\n        {shadow} += 1\n    return {shadow}",
            f"def {name}({shadow}):\n    return {shadow}",
            f"def {name}(rows):\n    {other} = []\n    for x in rows:\n        {other}.append(x)\n    return {other}",
            f"def {name}(rows):\n    inner = lambda {shadow}=1: {shadow}\n    return inner()",
            f"class {name.title()}:\n    \"\"\"A thing.\"\"\"",
            f"class {name.title()}:\n    {other} = 3\n\n    def {shadow}(self):\n        return {read}",
            f"class {name.title()}(Exception):\n    pass",
            f"def {name}():\n    print({self.random.choice(TEXTS)})",
        ))  # fmt: skip

    def main_guard(self) -> str:
        """The block that runs as a script alone, in which anything may be bound."""
        name, value = self.target()
        return self.random.choice((
            'if __name__ == "__main__":\n    print("done")',
            f'if __name__ == "__main__":\n    {name} = {value}\n    print({name})',
            f'if __name__ == "__main__":\n    rows = [1, 2]\n    print({self.subject.name}(rows))',
            f'if __name__ == "__main__":\n    for {self.fresh()} in range(3):\n        {name} = {value}',
        ))  # fmt: skip

    def value(self) -> str:
        """The text of a plain value."""
        return self.random.choice(NUMBERS + TEXTS + ("None", "True", "False", "(1, 2)"))

    def container(self) -> str:
        """The text of a list or dict."""
        return self.random.choice(("[1, 2, 3]", '{"a": 1, "b": 2}', "[]", "{}", "(0, 1)", "{1: 2}", "[[1], [2]]"))

    # Statements of every other kind.

    def target(self) -> tuple[str, str]:
        """A name and the text of a value for it: of the function if this module touches such, else fresh."""
        subject = self.subject
        if self.manner == TOUCHING and self.chance(0.8):
            ours = [*subject.constants, *subject.constants, *subject.imported, *subject.builtins, *subject.helpers]
            if ours:
                name = self.random.choice(ours)
                if name in subject.constants:
                    return name, self.other_constant(subject.constants[name])
                return name, f"({self.random.choice((*CALLABLES, name))})"
        return self.fresh(), self.random.choice((self.value(), self.container()))

    def other_constant(self, value: str) -> str:
        """The text of another value of the same kind, at times of the same value."""
        if self.chance(0.1):
            return value
        if value.startswith(("[", "(")):
            inner = value[1:-1].rstrip(", ")
            last = inner.rpartition(",")[2].strip()
            return self.random.choice((f"{value[0]}{inner}, {last}{value[-1]}", f"{value} * 2", f"{value}[::-1]"))
        if value.startswith("{"):
            return f"{{**{value}, **{{key: {self.random.choice(NUMBERS)} for key in {value}}}}}"
        return self.random.choice((f"{value} * 2", f"-({value})", *NUMBERS) if value[:1] not in "'\"" else TEXTS)

    def statement(self) -> str:
        """One statement that binds or changes its target, within another one at times."""
        if self.chance(0.1):
            return self.odd()
        if self.chance(0.1):
            return self.of_function()
        return self.around_expression() if self.chance(0.5) else self.around_statement()

    def mutable(self) -> str | None:
        """A constant of the function that is a list or dict, if the module touches names of it."""
        ours = [name for name, value in self.subject.constants.items() if value[0] in "[{"]
        return self.random.choice(ours) if ours and self.manner == TOUCHING else None

    def change(self) -> tuple[str, list[str], list[str]]:
        """Text to stand before, and statements and expressions that change a list or dict."""
        name, value, lead = self.mutable(), "", ""
        if name is None or self.chance(0.15):
            name, value = self.fresh(), self.random.choice(("[1, 2, 3]", '{"a": 1, "b": 2}'))
            lead = f"{name} = {value}\n"
        else:
            value = self.subject.constants[name]
        if self.chance(0.25):
            alias = self.fresh()
            lead, name = f"{lead}{alias} = {name}\n", alias
        number = self.random.choice(NUMBERS)
        if value[0] == "[":
            place = self.random.choice(("0", "-1", "len({0}) // 2")).format(name)
            return lead, [
                f"{name}[{place}] = {number}", f"{name}[{place}] += {number}", f"del {name}[{place}]",
                f"{name} += [{number}]", f"{name} *= 2", f"{name}[:] = [{number}] * len({name})",
                f"{name}[0], {name}[-1] = {name}[-1], {name}[0]", f"for {name}[0] in ({number},):\n    pass",
            ], [
                f"{name}.append({number})", f"{name}.extend([{number}])", f"{name}.insert(0, {number})",
                f"{name}.pop()", f"{name}.sort()", f"{name}.sort(reverse=True)", f"{name}.reverse()", f"{name}.clear()",
                f"{name}.__setitem__(0, {number})", f"list.append({name}, {number})",
                f"[{name}.append(i) for i in range(2)]", f"{name}.remove({name}[0])",
            ]  # fmt: skip
        keys = re.findall(r"([^\s{,:][^,:]*):", value) or ['"a"']
        key = self.random.choice((keys[0], keys[-1], f"next(iter({name}))", '"other"'))
        return lead, [
            f"{name}[{key}] = {number}", f"{name} |= {{{key}: {number}}}", f"del {name}[{keys[0]}]",
            f"for {self.fresh()} in list({name}):\n    {name}[{key}] = {number}", f"{name}[{keys[-1]}] += {number}",
        ], [
            f"{name}.update({{{key}: {number}}})", f"{name}.setdefault({key}, {number})", f"{name}.pop({keys[-1]})",
            f"{name}.popitem()", f"{name}.clear()", f"{name}.__setitem__({key}, {number})",
            f"{name}.update((key, {number}) for key in list({name}))", f"{name}.pop({key}, None)",
        ]  # fmt: skip

    def share_of_changes(self) -> float:
        """How often a statement changes a list or dict: more often if the function reads one."""
        return 0.75 if self.mutable() else 0.4

    def around_statement(self) -> str:
        """A statement, and another around it."""
        if self.chance(self.share_of_changes()):
            lead, statements, _ = self.change()
            inner, bound = self.random.choice(statements), None
            found = re.match(r"(\w+) [|+*]=", inner)
            bound = found.group(1) if found else None
        else:
            name, value = self.target()
            lead, bound = "", name
            inner = self.random.choice(STATEMENTS)(name, value, self.fresh())
        wrapper = self.random.choice(WRAPPERS if self.chance(0.6) else WRAPPERS[:1])
        return lead + wrapper(inner, bound, self.fresh())

    def around_expression(self) -> str:
        """An expression with an effect, and a place where an expression may stand."""
        if self.chance(self.share_of_changes()):
            lead, _, expressions = self.change()
            inner = self.random.choice(expressions)
        else:
            name, value = self.target()
            lead, inner = "", self.random.choice(EXPRESSIONS)(name, value)
        return lead + self.random.choice(PLACES)(inner, self.fresh())

    def of_function(self) -> str:
        """A statement about the function itself, or about another one."""
        name, tag = self.subject.name, self.fresh()
        if self.manner != TOUCHING:
            return f"def {tag}(x, y=1):\n    return x + y\n\n\n{tag}.__defaults__ = (2,)"
        again = self.other_definition()
        return self.random.choice((
            again,
            f"{name}.__doc__ = 'A query.'",
            f"{name}.__defaults__ = tuple(0 for _ in {name}.__defaults__ or ())",
            f"{name}.__defaults__ = tuple({name}.__defaults__ or ())",
            f"{tag} = {name}",
            f"{name} = {name}",
            f"def {tag}(*given, **named):\n    return 0\n\n\n{self.random.choice((name, tag + '_'))} = {tag}",
            f"def {tag}(*given, inner={name}, **named):\n    return inner(*given, **named)\n\n\n{name} = {tag}",
            f"{name}.{tag} = 1",
        ))  # fmt: skip

    def odd(self) -> str:
        """A statement about what an imported or builtin name stands for elsewhere."""
        tag = self.fresh()
        if self.manner != TOUCHING:
            return self.random.choice((
                f"import math\nmath.{tag} = 1", f"import builtins\nbuiltins.{tag} = 1", f"globals()['{tag}'] = 1",
                f"exec('{tag} = 1')", f"assert {self.random.choice(NUMBERS)} is not None",
            ))  # fmt: skip
        name, value = self.target()
        module = self.subject.imported.get(name)
        if module:
            return f"import {module} as {tag}\n{tag}.{name} = {value}"
        return self.random.choice((
            f"globals()['{name}'] = {value}", f"exec('{name} = ' + repr({value!r}).strip('\"' + \"'\"))",
            f"import builtins\nbuiltins.{name} = {value}", f"import builtins\nsetattr(builtins, '{name}', {value})",
            f"vars().update({name}={value})", f"import sys\nsetattr(sys.modules[__name__], '{name}', {value})",
        ))  # fmt: skip


STATEMENTS: tuple[Callable[[str, str, str], str], ...] = (
    lambda name, value, tag: f"{name} = {value}",
    lambda name, value, tag: f"{tag} = {name} = {value}",
    lambda name, value, tag: f"{name}: object = {value}",
    lambda name, value, tag: f"{tag}, {name} = 1, {value}",
    lambda name, value, tag: f"[{tag}, *{name}] = 1, {value}",
    lambda name, value, tag: f"for {name} in [{value}]:\n    pass",
    lambda name, value, tag: f"for {tag} in range(2):\n    {name} = {value}",
    lambda name, value, tag: f"{name} = {value}\ndel {name}\n{name} = {value}",
    lambda name, value, tag: f"from contextlib import nullcontext\nwith nullcontext({value}) as {name}:\n    pass",
    lambda name, value, tag: f"try:\n    1 / 0\nexcept ZeroDivisionError as {name}:\n    pass",
    lambda name, value, tag: f"try:\n    raise ValueError\nexcept ValueError as {tag}:\n    {name} = {value}",
    lambda name, value, tag: f"try:\n    pass\nfinally:\n    {name} = {value}",
    lambda name, value, tag: f"match {value}:\n    case {name}:\n        pass",
    lambda name, value, tag: f"match [1, {value}]:\n    case [_, {name}]:\n        pass",
    lambda name, value, tag: f"match [{value}]:\n    case [int() as {name}, *{tag}]:\n        pass",
    lambda name, value, tag: f"match {{'a': {value}}}:\n    case {{'a': {tag}, **{name}}}:\n        pass",
    lambda name, value, tag: f"def {name}(*given, **named):\n    return {value}",
    lambda name, value, tag: f"class {name}:\n    {tag} = {value}",
    lambda name, value, tag: f"from math import floor as {name}",
    lambda name, value, tag: f"import math as {name}",
    lambda name, value, tag: f"{name} = 1\n{name} += 1",
    lambda name, value, tag: f"{name} = lambda *given, **named: {value}",
)
"""Statements that bind the name."""

EXPRESSIONS: tuple[Callable[[str, str], str], ...] = (
    lambda name, value: f"({name} := {value})",
    lambda name, value: f"[{name} := item for item in ({value},)]",
    lambda name, value: f"[item for {name} in ({value},) for item in (1,)]",
    lambda name, value: f"any(({name} := item) for item in ({value},))",
    lambda name, value: f"(lambda {name}: {name})({value})",
    lambda name, value: f"(lambda: ({name} := {value}))()",
    lambda name, value: f"globals().update({{'{name}': {value}}})",
    lambda name, value: f"globals().__setitem__('{name}', {value})",
    lambda name, value: f"(({name} := {value}), 1)[1]",
    lambda name, value: f"(False and ({name} := {value}))",
)
"""Expressions that may bind the name."""

WRAPPERS: tuple[Callable[[str, str | None, str], str], ...] = (
    lambda inner, bound, tag: inner,
    lambda inner, bound, tag: f"if {tag!r}:\n{indent(inner, '    ')}",
    lambda inner, bound, tag: f"if not {tag!r}:\n{indent(inner, '    ')}",
    lambda inner, bound, tag: f"for {tag} in range(1):\n{indent(inner, '    ')}",
    lambda inner, bound, tag: f"for {tag} in ():\n{indent(inner, '    ')}",
    lambda inner, bound, tag: f"while True:\n{indent(inner, '    ')}\n    break",
    lambda inner, bound, tag: f"while False:\n    pass\nelse:\n{indent(inner, '    ')}",
    lambda inner, bound, tag: f"try:\n{indent(inner, '    ')}\nexcept Exception as {tag}:\n    pass",
    lambda inner, bound, tag: f"class {tag.title()}:\n{indent(inner, '    ')}",
    lambda inner, bound, tag: f"class {tag.title()}:\n{declared(bound)}{indent(inner, '    ')}",
    lambda inner, bound, tag: f"def {tag}():\n{declared(bound)}{indent(inner, '    ')}\n\n\n{tag}()",
    lambda inner, bound, tag: f"def {tag}():\n{declared(bound)}{indent(inner, '    ')}",
    lambda inner, bound, tag: f"def {tag}():\n{indent(inner, '    ')}\n\n\nif {tag}:\n    {tag}()",
    lambda inner, bound, tag: f"@lambda function: function()\ndef {tag}():\n{declared(bound)}{indent(inner, '    ')}",
    lambda inner, bound, tag: f"def {tag}():\n{declared(bound)}{indent(inner, '    ')}\n    yield\n\n\nlist({tag}())",
)
"""Statements around a statement, which binds `bound`."""

PLACES: tuple[Callable[[str, str], str], ...] = (
    lambda inner, tag: inner,
    lambda inner, tag: f"{tag} = {inner}",
    lambda inner, tag: f"{tag} = [{inner}, 1]",
    lambda inner, tag: f"def {tag}(x={inner}):\n    return x",
    lambda inner, tag: f"def {tag}(*, x={inner}):\n    return x",
    lambda inner, tag: f"def {tag}(x: {inner}):\n    return x",
    lambda inner, tag: f"def {tag}(x) -> {inner}:\n    return x",
    lambda inner, tag: f"{tag}: {inner} = 1",
    lambda inner, tag: f"{tag} = lambda x={inner}: x",
    lambda inner, tag: f"{tag} = lambda: {inner}",
    lambda inner, tag: f"{tag} = (lambda: {inner})()",
    lambda inner, tag: f"{tag} = (lambda x: lambda y: {inner})(1)(2)",
    lambda inner, tag: f"def {tag}(x):\n    return {inner}",
    lambda inner, tag: f"def {tag}(x):\n    return {inner}\n\n\n{tag}(1)",
    lambda inner, tag: f"@(lambda function, x={inner}: function)\ndef {tag}(x):\n    return x",
    lambda inner, tag: f"@(lambda function: [{inner}, function][1])\nclass {tag.title()}:\n    pass",
    lambda inner, tag: f"class {tag.title()}:\n    {tag} = {inner}",
    lambda inner, tag: f"class {tag.title()}([{inner}, object][1]):\n    pass",
    lambda inner, tag: f"if {inner}:\n    pass",
    lambda inner, tag: f"while {inner}:\n    break",
    lambda inner, tag: f"for {tag} in [{inner}]:\n    pass",
    lambda inner, tag: f"assert [{inner}]",
    lambda inner, tag: f"{tag} = f'{{{inner}}}'",
    lambda inner, tag: f"{tag} = [{inner} for _ in range(1)]",
    lambda inner, tag: f"{tag} = list(map(lambda _: {inner}, [1]))",
    lambda inner, tag: f"match [{inner}]:\n    case _:\n        pass",
    lambda inner, tag: f"match 1:\n    case _ if [{inner}]:\n        pass",
    lambda inner, tag: f"{tag} = 1 if True else {inner}",
    lambda inner, tag: f"{tag} = {{1: {inner}}}",
)
"""Places at which an expression stands."""


def declared(name: str | None) -> str:
    """The global statement for a name that is bound within."""
    return f"    global {name}\n" if name else ""


def renamed(source: str, names: Mapping[str, str]) -> str:
    """The text with whole words replaced, but for attributes, keyword arguments and what stands in double quotes."""
    if not names:
        return source
    words = "|".join(map(re.escape, names))
    pattern = rf"\"[^\"\n]*\"|(?<![\w.])({words})\b(?!\s*=[^=])"
    return re.sub(pattern, lambda found: names[found.group(1)] if found.group(1) else found.group(), source)
