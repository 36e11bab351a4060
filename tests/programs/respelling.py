"""The same program written otherwise: transformations of Python's syntax after which nothing has changed."""

import ast
from collections.abc import Callable, Mapping
from itertools import count

Statements = list[ast.stmt]
Respelling = Callable[[ast.FunctionDef], ast.FunctionDef]


def respelled(text: str, how: str) -> str:
    """The text of one function, written otherwise."""
    (function,) = ast.parse(text).body
    if not isinstance(function, ast.FunctionDef):
        raise TypeError("a text must be one function")
    if ast.get_docstring(function) is not None:
        del function.body[0]
    return ast.unparse(ast.fix_missing_locations(RESPELLINGS[how](function)))


def statement(text: str) -> ast.stmt:
    """One statement."""
    (found,) = ast.parse(text).body
    return found


class Renamed(ast.NodeTransformer):
    """Every variable of the function's own gets another name; parameters keep theirs, but for the data."""

    def __init__(self, function: ast.FunctionDef) -> None:
        names = [n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        known = (function.args.args[0].arg, *names)
        fresh = (f"{letter}{number}" for number in count() for letter in "zwa")
        self.names = {name: next(fresh) for name in reversed(dict.fromkeys(known))}

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(self.names.get(node.arg, node.arg), node.annotation)


class Negated(ast.NodeTransformer):
    """`if a: b else: c` becomes `if not a: c else: b`."""

    def visit_If(self, node: ast.If) -> ast.If:
        self.generic_visit(node)
        return ast.If(ast.UnaryOp(ast.Not(), node.test), node.orelse or [ast.Pass()], node.body)


class Flipped(ast.NodeTransformer):
    """`a >= b` becomes `b <= a`."""

    SIDES: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
        ast.GtE: ast.LtE, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.Lt: ast.Gt,
    }  # fmt: skip

    def visit_Compare(self, node: ast.Compare) -> ast.Compare:
        self.generic_visit(node)
        if len(node.ops) > 1 or type(node.ops[0]) not in self.SIDES:
            return node
        return ast.Compare(node.comparators[0], [self.SIDES[type(node.ops[0])]()], [node.left])


class Plain(ast.NodeTransformer):
    """`a += b` becomes `a = a + b`."""

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.Assign:
        if not isinstance(node.target, ast.Name):
            raise TypeError("a variable must be raised")
        sum_of = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
        return ast.Assign([node.target], sum_of, lineno=node.lineno)


class Looped(ast.NodeTransformer):
    """`for x in q` becomes another form of loop."""

    def __init__(self, form: str) -> None:
        self.form = form

    def visit_For(self, node: ast.For) -> ast.For | Statements:
        self.generic_visit(node)
        target, over = ast.unparse(node.target), ast.unparse(node.iter)
        if over == "enumerate(q)" and isinstance(node.target, ast.Tuple):
            index, element = (ast.unparse(one) for one in node.target.elts)
        elif over == "q":
            index, element = "at", target
        else:
            return node
        body = "".join(f"\n{ast.unparse(one)}" for one in node.body).replace("\n", "\n    ")
        return ast.parse(LOOPS[self.form].format(index=index, element=element, body=body)).body


LOOPS = {
    "range": "for {index} in range(len(q)):\n    {element} = q[{index}]{body}",
    "enumerate": "for {index}, {element} in enumerate(q):{body}",
    "while": "{index} = 0\nwhile {index} < len(q):\n    {element} = q[{index}]{body}\n    {index} += 1",
}


class Listed(ast.NodeTransformer):
    """`yield a` becomes `told.append(a)`."""

    def visit_Yield(self, node: ast.Yield) -> ast.Call:
        if node.value is None:
            raise TypeError("something must be yielded")
        return ast.Call(ast.parse("told.append", mode="eval").body, [node.value], [])


def listed(function: ast.FunctionDef) -> ast.FunctionDef:
    """What is yielded is collected in a list that is returned at the end."""
    if any(isinstance(one, ast.Yield) for one in ast.walk(function)):
        Listed().visit(function)
        function.body = [statement("told = []"), *function.body, statement("return told")]
    return function


class Drawn(ast.NodeTransformer):
    """Draws get names of their own; `before` is what must come first."""

    DRAWS = ("laplace", "discrete_laplace", "exponential", "bernoulli")

    def __init__(self) -> None:
        self.before: Statements = []
        self.numbers = count()

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Name) or node.func.id not in self.DRAWS:
            return node
        name = f"helper_{next(self.numbers)}"
        self.before += [statement(f"{name}_scale = {ast.unparse(node.args[0])}")]
        self.before += [statement(f"{name} = {node.func.id}({name}_scale)")]
        return ast.Name(name, ast.Load())

    def visit_ListComp(self, node: ast.ListComp) -> ast.ListComp:
        return node

    def block(self, statements: Statements) -> Statements:
        """The statements, each after what it draws."""
        found: Statements = []
        for one in statements:
            if isinstance(one, ast.For | ast.If):
                one.body, one.orelse = self.block(one.body), self.block(one.orelse)
                if isinstance(one, ast.If):
                    one.test = self.visit(one.test)
            else:
                self.visit(one)
            found += [*self.before, one]
            self.before = []
        return found


def helped(function: ast.FunctionDef) -> ast.FunctionDef:
    """Draws and their scales get names of their own."""
    function.body = Drawn().block(function.body)
    return function


RESPELLINGS: Mapping[str, Respelling] = {
    "renamed": lambda function: Renamed(function).visit(function),
    "negated": lambda function: Negated().visit(function),
    "flipped": lambda function: Flipped().visit(function),
    "plain": lambda function: Plain().visit(function),
    "range": lambda function: Looped("range").visit(function),
    "enumerate": lambda function: Looped("enumerate").visit(function),
    "while": lambda function: Looped("while").visit(function),
    "listed": listed,
    "helped": helped,
}
