"""Terms as one SMT-LIB expression each, and back: only the operators below, of bounded size and depth.

What is read need not be believed: it becomes part of a question, or of a proposal that is then checked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from itertools import combinations, pairwise
from typing import Any

from refdp.terms import operations
from refdp.terms.leaves import integer, parts, rational, truth
from refdp.terms.operations import exponential, logarithm, modulo, power, root
from refdp.terms.scripts import SMT, leaf
from refdp.terms.term import Term

LARGEST = 500_000
"""Longest text that is read, in characters."""
DEEPEST = 200
"""Deepest nesting of operators; the body of a `let` is no deeper than the `let`."""
WIDEST = 20_000
"""Most bits of a number."""
TOKEN = re.compile(r"\s*([()]|\|[^|\\]*\||[^\s()|]+)")
NUMBER = re.compile(r"[0-9]{1,2000}(\.[0-9]{1,2000})?")
Tree = Any
"""A token, or a list of trees."""
Operator = tuple[int, int, Callable[..., Term]]


def written(term: Term) -> str:
    """The term as one expression, in which every composed part is bound by a `let`."""
    names: dict[Term, str] = {}
    bindings: list[str] = []
    for part in parts(term):
        names[part] = f"let!{len(bindings)}" if part.arguments else leaf(part)
        if part.arguments:
            inner = " ".join(names[a] for a in part.arguments)
            bindings.append(f"(let ((let!{len(bindings)} ({SMT.get(part.operator, part.operator)} {inner}))) ")
    return f"{''.join(bindings)}{names[term]}{')' * len(bindings)}"


def read(text: str, known: Mapping[str, Term], *, functions: bool = False) -> Term:
    """The term that the text is, over the known symbols.  ValueError where it is none.

    `functions`: also exp, ln, power and mod, of which solvers know nothing.
    """
    if len(text) > LARGEST:
        raise ValueError(f"an expression must have at most {LARGEST} characters, got {len(text)}")
    return _term(_tree(text), known, 0, {**OPERATORS, **FUNCTIONS} if functions else OPERATORS)


def _tree(text: str) -> Tree:
    """The nested lists that the parentheses make."""
    open_lists: list[list[Tree]] = [[]]
    place, end = 0, len(text.rstrip())
    while place < end:
        token = TOKEN.match(text, place)
        if token is None:
            raise ValueError(f"an expression must be SMT-LIB, got {text[place : place + 40]!r}")
        place = token.end()
        if token[1] == "(":
            open_lists.append([])
        elif token[1] == ")" and len(open_lists) > 1:
            done = open_lists.pop()
            open_lists[-1].append(done)
        else:
            open_lists[-1].append(token[1])
    if len(open_lists) != 1 or len(open_lists[0]) != 1 or open_lists[0][0] == ")":
        raise ValueError("an expression must be one expression with its parentheses closed")
    return open_lists[0][0]


def _term(tree: Tree, known: Mapping[str, Term], depth: int, operators: Mapping[str, Operator]) -> Term:
    """The term that a tree is."""
    if depth > DEEPEST:
        raise ValueError(f"an expression must be nested at most {DEEPEST} deep")
    local: dict[str, Term] = dict(known) if _is_let(tree) else {}
    while _is_let(tree):
        bound = {_name(name): _term(value, local, depth + 1, operators) for name, value in tree[1]}
        local |= bound
        tree = tree[2]
    scope = local or known
    if isinstance(tree, str):
        return _leaf(tree, scope)
    if not tree or not isinstance(tree[0], str) or tree[0] not in operators:
        raise ValueError(f"an operator must be one of {' '.join(operators)}, got {str(tree[:1])[:60]}")
    least, most, make = operators[tree[0]]
    arguments = [_term(one, scope, depth + 1, operators) for one in tree[1:]]
    if not least <= len(arguments) <= most:
        raise ValueError(f"{tree[0]} must have {least} to {most} arguments, got {len(arguments)}")
    _insist_on_sorts(tree[0], arguments)
    made = make(*arguments)
    if made.operator == "number" and max(n.bit_length() for n in made.rational.as_integer_ratio()) > WIDEST:
        raise ValueError(f"a number must have at most {WIDEST} bits")
    return made


def _is_let(tree: Tree) -> bool:
    """Whether it is (let ((name value) ...) body); ValueError where it only starts so."""
    if not isinstance(tree, list) or tree[:1] != ["let"]:
        return False
    if len(tree) == 3 and isinstance(tree[1], list) and all(isinstance(b, list) and len(b) == 2 for b in tree[1]):
        return True
    raise ValueError("a let must have bindings of a name to a value, and a body")


def _name(token: Tree) -> str:
    """The name that a symbol is, its bars removed."""
    if not isinstance(token, str) or token in "()" or NUMBER.fullmatch(token):
        raise ValueError(f"a name must be a symbol, got {str(token)[:60]}")
    return token[1:-1] if token.startswith("|") else token


def _leaf(token: str, known: Mapping[str, Term]) -> Term:
    """A constant or a known symbol."""
    if token in ("true", "false"):
        return truth(token == "true")
    if NUMBER.fullmatch(token):
        return rational(Fraction(token)) if "." in token else integer(int(token))
    name = _name(token)
    if name not in known:
        raise ValueError(f"an expression may not speak of {name[:80]}")
    return known[name]


def _insist_on_sorts(operator: str, arguments: list[Term]) -> None:
    """ValueError where truth values and numbers are mixed up."""
    booleans = [a.sort == "Bool" for a in arguments]
    logical = operator in ("and", "or", "not", "=>", "xor")
    mixed = booleans[1:] if operator == "ite" else booleans
    wrong = not all(booleans) if logical else any(booleans) if operator not in ("=", "distinct", "ite") else False
    if wrong or any(mixed) != all(mixed) or (operator == "ite" and not booleans[0]):
        raise ValueError(f"the arguments of {operator} must be of the right sorts")


def _chain(relation: Callable[[Term, Term], Term]) -> Callable[..., Term]:
    """The relation between all neighbours."""
    return lambda *a: operations.conjunction(*(relation(one, other) for one, other in pairwise(a)))


def _minus(first: Term, *others: Term) -> Term:
    """-a, or a - b - ..."""
    return reduce(operations.subtract, others, first) if others else operations.negate(first)


def _distinct(*a: Term) -> Term:
    """All are different."""
    return operations.conjunction(*(operations.negation(operations.equal(x, y)) for x, y in combinations(a, 2)))


MANY = 100_000
OPERATORS: Mapping[str, Operator] = {
    "and": (0, MANY, operations.conjunction),
    "or": (0, MANY, operations.disjunction),
    "not": (1, 1, operations.negation),
    "=>": (2, 2, operations.implication),
    "xor": (2, 2, lambda a, b: operations.negation(operations.equal(a, b))),
    "=": (2, 100, _chain(operations.equal)),
    "distinct": (2, 100, _distinct),
    "<": (2, 100, _chain(operations.less)),
    "<=": (2, 100, _chain(operations.at_most)),
    ">": (2, 100, _chain(lambda a, b: operations.less(b, a))),
    ">=": (2, 100, _chain(lambda a, b: operations.at_most(b, a))),
    "+": (1, MANY, lambda *a: reduce(operations.add, a)),
    "-": (1, MANY, _minus),
    "*": (1, MANY, lambda *a: reduce(operations.multiply, a)),
    "/": (2, 2, operations.divide),
    "ite": (3, 3, operations.choice),
    "to_real": (1, 1, operations.real),
    "to_int": (1, 1, operations.floor),
    "root": (1, 1, root),
}
"""Fewest and most arguments of each operator, and the term it makes."""
FUNCTIONS: Mapping[str, Operator] = {
    "exp": (1, 1, exponential),
    "ln": (1, 1, logarithm),
    "power": (2, 2, power),
    "mod": (2, 2, modulo),
}
"""The same of what solvers know nothing of."""
