"""Slips: statements and expressions of a function are left out, moved, exchanged or wrapped, as by a careless author.

What comes out is Python, and nobody here knows what it means, or whether it still runs: the truth is what CPython makes
of it.  So functions are written that no rule of the grammar foresees: names without a value on some ways, other types,
calls with stars and keywords, lists with a second name, exceptions, returns of anything.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from random import Random
from textwrap import indent
from typing import Any

from tests.fuzzing.modules import is_python

TRIES = 12
CONSTANTS = (
    "0", "1", "2", "-1", "3", "0.5", "None", "True", "False", "'a'", "[]", "()", "{}", "float('inf')", "1.0", "'2'",
    "'1/2'", "'1' * 2", "'1' + '0'", "max('10', '2')", "list[0]", "list | int",
)  # fmt: skip
WRAPPED = (
    "[_][0]", "(_, 0)[0]", "{0: _}[0]", "(lambda: _)()", "(lambda v=_: v)()", "(lambda v: v)(*[_])",
    "(lambda v: v)(**{'v': _})", "(lambda v, w=0: v + w)(_)", "(lambda v: lambda w: v)(_)(1)", "next(iter([_]))", "-_",
    "not _", "bool(_)", "int(_)", "float(_)", "round(_)", "round(_, 1)", "abs(_)", "str(_)", "f'{_}'", "(_ or 0)",
    "(_ and 1)", "(_ if _ else 1)", "(1 if _ else 0)", "(_ is None)", "(_ == _)", "_ + 0", "0 * _", "_ * _", "_ / 2",
    "_ // 2", "_ % 2", "_ ** 2", "1 / _", "_ - _", "2 - _", "max(_)", "max(_, 0)", "max([_], key=abs)", "sum([_])",
    "sum(_)", "len([_])", "min(_, default=0)", "max([_, 0])", "(seen := _)", "[_ for _v in (0,)][0]", "(_, _)", "[_]",
    "{_}", "sorted([_])[0]", "_[0]", "_[-1]", "_[1:]", "_.real", "_ > 0", "0 < _ < 2", "_ in (0, 1)", "_ != _",
    "isinstance(_, int)", "any([_])", "all([])", "list(map(abs, [_]))[0]", "{'a': _}['a']", "{'a': _}.get('b', _)",
    "dict(a=_)['a']", "list([_]).pop()", "(_,)", "[*[_], 0][0]", "tuple([_])[0]", "set([_])", "min(1, max(0, _))",
    "sum(v for v in [_])", "(lambda v: v if v else 0)(_)", "[v for v in [_] if v]", "len(str(_))", "_ < 'a'",
    "sorted([0, _], reverse=None)[0]", "max('2', _)", "_ + '1'", "2 * str(_)",
)  # fmt: skip
"""An expression in another one."""
AROUND = (
    "if {test}:\n    {one}", "if {test}:\n    pass\nelse:\n    {one}", "for again in range(2):\n    {one}",
    "for again in ():\n    {one}", "for again in range(2):\n    {one}\n    break",
    "for again in range(1):\n    {one}\nelse:\n    {name} = 0",
    "try:\n    {one}\nexcept ZeroDivisionError:\n    pass", "try:\n    {one}\nexcept Exception:\n    {name} = 0",
    "try:\n    {one}\nexcept (KeyError, ValueError, TypeError):\n    return 0", "try:\n    {one}\nfinally:\n    pass",
    "def inner():\n    {one}\ninner()", "if {test}:\n    {one}\nelif {name}:\n    {name} = {other}",
    "for {name} in {data}:\n    {one}",
)  # fmt: skip
"""A statement in another one."""
STATEMENTS = (
    "{name} = {other}", "{name} = None", "{name} = []", "{name} = 0", "{name} = 'a'", "del {name}", "global {name}",
    "return", "return {name}", "yield {name}", "break", "continue", "raise ValueError('no')", "raise {name}",
    "raise KeyError", "assert {name}", "assert {test}", "{name}.append({other})", "{name} += 1", "{name} += [{other}]",
    "import math", "def {name}(v):\n    return v", "{name}, {other} = {other}, {name}", "{name}[0] = 1",
    "{name}: float = 0", "for {name} in {data}:\n    pass", "{name} = lambda v: v", "{name} = {data}",
    "{name} = [{other}]", "{name} = {{{other}: 1}}", "{name} = list({data})", "if {test}:\n    return {name}",
    "if {test}:\n    {name} = {other}", "{name} = {name} if {test} else {other}", "{name} = len({data})",
    "if {test}:\n    raise ValueError", "{name} = {other} = 0", "{name}.sort()", "{name}.pop()", "{name}.clear()",
    "{data}.append({name})", "if len({data}) > 1:\n    return {name}", "{name} = sum({data})", "{name} = {data}[0]",
    "nonlocal {name}", "{name} -= {other}", "{name} *= 2", "{name} = {other}[:]",
    "{name} = {name}", "{name} = max({data})", "if not {data}:\n    return {name}", "class {name}:\n    pass",
)  # fmt: skip
RETURNED = ("return {e}, {e}", "return [{e}]", "return", "yield {e}", "return {{0: {e}}}", "return {e}, 0",
            "return str({e})", "return {e} + 1", "return None", "if {test}:\n    return {e}", "return [{e}, {e}]",
            "answer = {e}\nreturn answer", "answer = [{e}]\nreturn answer", "return {e} if {test} else None",
            "return {e} > 0", "return [{e}], {e}")  # fmt: skip
BUILTINS = ("sum", "len", "max", "min", "abs", "list", "range", "sorted", "round", "int", "any", "map", "zip", "set")
OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.BitAnd, ast.BitOr)
COMPARED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)
METHODS = ("append", "extend", "insert", "pop", "remove", "count", "index", "get", "setdefault", "update", "copy",
           "items", "keys", "values", "reverse", "sort", "add", "clear")  # fmt: skip
Place = tuple[Any, str, int | None, Any]


def slipped(body: str, names: Sequence[str], data: str, random: Random) -> str:
    """The statements of a function with one slip or two; `names` are those that it is given, `data` the table."""
    for _ in range(TRIES):
        found = body
        for _ in range(random.choice((1, 1, 2))):
            found = Slips(found, names, data, random).text()
        if found != body and is_python(f"def f({', '.join(names)}):\n{indent(found, '    ')}") and ends(found):
            return found
    return body


def ends(body: str) -> bool:
    """Whether no loop plainly goes on for ever: there is no `while`, and none over a list that grows in it."""
    for node in ast.walk(parsed(body)):
        if isinstance(node, ast.While):
            return False
        if isinstance(node, ast.For):
            read = {one.id for one in ast.walk(node.iter) if isinstance(one, ast.Name)}
            grown = {one.func.value.id for part in node.body for one in ast.walk(part)
                     if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute)
                     and isinstance(one.func.value, ast.Name)}  # fmt: skip
            grown |= {one.target.id for part in node.body for one in ast.walk(part)
                      if isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name)}  # fmt: skip
            if grown & read:
                return False
    return True


def parsed(body: str) -> ast.FunctionDef:
    """The statements as those of a function."""
    (found,) = ast.parse(f"def f():\n{indent(body, '    ')}").body
    if not isinstance(found, ast.FunctionDef):
        raise TypeError(f"the body must be of a function, got {type(found).__name__}")
    return found


class Slips:
    """One body, and what may happen to it."""

    def __init__(self, body: str, names: Sequence[str], data: str, random: Random) -> None:
        self.random, self.data, self.function = random, data, parsed(body)
        self.places = list(places(self.function))
        self.expressions = [one for one in self.places if isinstance(one[3], ast.expr) and is_read(one[3])]
        self.statements = [one for one in self.places if isinstance(one[3], ast.stmt)]
        written = {one[3].id for one in self.places if isinstance(one[3], ast.Name)}
        self.names = sorted({*names, *written} - {"_"}) or ["x"]
        self.locals = sorted({one[3].id for one in self.places
                              if isinstance(one[3], ast.Name) and isinstance(one[3].ctx, ast.Store)})  # fmt: skip

    def text(self) -> str:
        """The statements after one slip."""
        kinds: tuple[Callable[[], None], ...] = (
            self.wrapped, self.wrapped, self.other_expression, self.other_constant, self.other_name, self.other_name,
            self.other_operator, self.other_arguments, self.left_out, self.left_out, self.twice, self.moved,
            self.around, self.around, self.inserted, self.inserted, self.inserted, self.returned, self.renamed,
        )  # fmt: skip
        self.random.choice(kinds)()
        try:
            return "\n".join(map(ast.unparse, ast.fix_missing_locations(self.function).body))
        except Exception:  # what cannot be written is no Python
            return "="

    def filled(self, template: str, **more: str) -> str:
        """A template with names of the function, and a test of it."""
        tests = [ast.unparse(one[3]) for one in self.expressions if isinstance(one[3], ast.Compare | ast.BoolOp)]
        usual = f"len({self.data}) > 1" if self.random.random() < 0.5 else f"{self.random.choice(self.names)} > 1"
        name = self.random.choice(self.locals if self.locals and self.random.random() < 0.6 else self.names)
        return template.format(
            name=name, other=self.random.choice(self.names), data=self.data,
            test=self.random.choice(tests) if tests and self.random.random() < 0.6 else usual, **more,
        )  # fmt: skip

    def some(self, places: Sequence[Place]) -> Place | None:
        """One of the places, if there are any."""
        return self.random.choice(places) if places else None

    # Expressions.

    def wrapped(self) -> None:
        """An expression in another one."""
        place = self.some(self.expressions)
        if place:
            found = expression(self.random.choice(WRAPPED))
            inner = place[3]

            class Fill(ast.NodeTransformer):
                def visit_Name(self, node: ast.Name) -> ast.AST:
                    return deepcopy(inner) if node.id == "_" else node

            put(place, Fill().visit(found))

    def other_expression(self) -> None:
        """One expression in the place of another."""
        place, other = self.some(self.expressions), self.some(self.expressions)
        if place and other:
            put(place, deepcopy(other[3]))

    def other_constant(self) -> None:
        """Another constant."""
        place = self.some([one for one in self.expressions if isinstance(one[3], ast.Constant)] or self.expressions)
        if place:
            put(place, expression(self.random.choice(CONSTANTS)))

    def other_name(self) -> None:
        """Another name, read or bound."""
        place = self.some([one for one in self.places if isinstance(one[3], ast.Name)])
        if place:
            put(place, ast.Name(self.random.choice((*self.names, self.random.choice(BUILTINS))), place[3].ctx))

    def other_operator(self) -> None:
        """Another operator."""
        place = self.some([one for one in self.places
                           if isinstance(one[3], ast.BinOp | ast.AugAssign | ast.Compare | ast.BoolOp)])  # fmt: skip
        node = place[3] if place else None
        if isinstance(node, ast.Compare):
            node.ops[0] = self.random.choice(COMPARED)()
        elif isinstance(node, ast.BoolOp):
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        elif node is not None:
            node.op = self.random.choice(OPERATORS)()

    def other_arguments(self) -> None:
        """A call with an argument more or less, with a star or by keyword; or another method."""
        place = self.some([one for one in self.expressions if isinstance(one[3], ast.Call)])
        if not place:
            return
        node = place[3]
        form = self.random.randrange(7)
        if isinstance(node.func, ast.Attribute) and self.random.random() < 0.5:
            node.func.attr = self.random.choice(METHODS)
        elif form == 0:
            node.keywords.append(ast.keyword(self.random.choice(("key", "default", "start", "x", "value", "scale")),
                                             expression(self.random.choice(("abs", "0", "1", "None")))))  # fmt: skip
        elif form == 1:
            node.args.append(expression(self.random.choice((*CONSTANTS, *self.names))))
        elif node.args and form == 2:
            node.args.pop(self.random.randrange(len(node.args)))
        elif node.args and form == 3:
            node.args = [ast.Starred(ast.List(node.args, ast.Load()), ast.Load())]
        elif node.args and form == 4:
            node.args[0] = ast.Starred(ast.List([node.args[0]], ast.Load()), ast.Load())
        elif node.args and form == 5:
            name = self.random.choice(("x", "value", "scale", "probability", "iterable"))
            node.keywords.append(ast.keyword(name, node.args.pop()))
        else:
            node.keywords.append(ast.keyword(None, expression("{}")))

    # Statements.

    def left_out(self) -> None:
        """A statement less."""
        place = self.some(self.statements)
        if place:
            put(place, ast.Pass())

    def twice(self) -> None:
        """A statement once more."""
        place = self.some(self.statements)
        if place:
            getattr(place[0], place[1]).insert(place[2], deepcopy(place[3]))

    def moved(self) -> None:
        """A statement elsewhere."""
        place, other = self.some(self.statements), self.some(self.statements)
        if place and other and not any(one is other[0] for one in ast.walk(place[3])):
            getattr(place[0], place[1])[place[2]] = ast.Pass()
            getattr(other[0], other[1]).insert(other[2], place[3])

    def around(self) -> None:
        """A statement in another one."""
        place = self.some(self.statements)
        if place:
            template = self.random.choice(AROUND).replace("{one}", "INNER")
            found = ast.parse(f"{'if 1:'}\n{indent(self.filled(template), '    ')}").body[0]
            inner = place[3]

            class Fill(ast.NodeTransformer):
                def visit_Expr(self, node: ast.Expr) -> ast.AST:
                    return inner if isinstance(node.value, ast.Name) and node.value.id == "INNER" else node

            spread(place, Fill().visit(found).body)

    def inserted(self) -> None:
        """A statement more."""
        place = self.some(self.statements)
        if place:
            found = parsed(self.filled(self.random.choice(STATEMENTS))).body
            spread(place, [*found, place[3]] if self.random.random() < 0.6 else [place[3], *found])

    def returned(self) -> None:
        """Something else is returned."""
        place = self.some([one for one in self.statements if isinstance(one[3], ast.Return) and one[3].value])
        if place:
            value = ast.unparse(place[3].value)
            template = self.random.choice(RETURNED).replace("{e}", "{value}")
            spread(place, parsed(self.filled(template, value=value)).body)

    def renamed(self) -> None:
        """A name that is bound here is another one."""
        if self.locals:
            old = self.random.choice(self.locals)
            new = self.random.choice((*self.names, *BUILTINS))
            for _, _, _, node in self.places:
                if isinstance(node, ast.Name) and node.id == old:
                    node.id = new


def is_read(node: ast.expr) -> bool:
    """Whether an expression is worked out, and no target."""
    return isinstance(getattr(node, "ctx", ast.Load()), ast.Load) and not isinstance(node, ast.Starred | ast.Slice)


def places(node: ast.AST) -> Iterator[Place]:
    """Every node within, with where it stands; not within f-strings."""
    for field, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            yield node, field, None, value
            if not isinstance(value, ast.JoinedStr):
                yield from places(value)
        elif isinstance(value, list):
            for index, one in enumerate(value):
                if isinstance(one, ast.AST):
                    yield node, field, index, one
                    if not isinstance(one, ast.JoinedStr):
                        yield from places(one)


def put(place: Place, new: ast.AST) -> None:
    """Something else stands there."""
    holder, field, index, _ = place
    if index is None:
        setattr(holder, field, new)
    else:
        getattr(holder, field)[index] = new


def spread(place: Place, new: Sequence[ast.stmt]) -> None:
    """Several statements stand there."""
    holder, field, index, _ = place
    getattr(holder, field)[index : (index or 0) + 1] = new


def expression(text: str) -> ast.expr:
    """The expression that is written so."""
    return ast.parse(text, mode="eval").body
