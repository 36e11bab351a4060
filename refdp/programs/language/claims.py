"""Claims as they stand in decorators."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from fractions import Fraction

from refdp.programs.adjacency import LENGTH, NAMED, NEW, OLD, SAME, Adjacency, Relation
from refdp.programs.language import evaluation, expressions, predicates
from refdp.programs.language.context import Context, Kinds
from refdp.programs.language.errors import Refusal
from refdp.programs.language.module import Module, parsed
from refdp.programs.language.parameters import Signature
from refdp.programs.syntax import Claim, Data, Require
from refdp.terms.leaves import TRUE, is_number, variables
from refdp.terms.operations import conjunction
from refdp.terms.term import Term

NUMBERS = ("epsilon", "delta", "rho")
NAMES = frozenset({"adjacency", "where", "given", "expected", "source", *NUMBERS})
MATHEMATICS = {"exp": "exp", "log": "log", "ln": "log"}
"""The functions that the text of a claim may use."""


def claims(function: ast.FunctionDef, module: Module, signature: Signature) -> tuple[Claim, ...]:
    """The claims of a function, from top to bottom."""
    found = []
    for decorator in function.decorator_list:
        if not (isinstance(decorator, ast.Call) and module.own(decorator.func) == "claim"):
            raise Refusal(decorator, f"the decorator {ast.unparse(decorator)}", "write @claim(...) only")
        found.append(_claim(decorator, module, signature))
    return tuple(found)


def is_claimed(function: ast.FunctionDef, module: Module) -> bool:
    """Whether a function has a claim."""
    return any(isinstance(one, ast.Call) and module.own(one.func) == "claim" for one in function.decorator_list)


def _claim(node: ast.Call, module: Module, signature: Signature) -> Claim:
    """One claim."""
    words = {word.arg: word.value for word in node.keywords if word.arg is not None}
    if node.args or len(words) < len(node.keywords) or not words.keys() <= NAMES or "adjacency" not in words:
        raise Refusal(node, "a claim of another form", 'write @claim(epsilon="epsilon", adjacency=ALL)')
    if not {"epsilon", "rho"} & words.keys():
        raise Refusal(node, "a claim without epsilon or rho", 'write @claim(epsilon="epsilon", adjacency=ALL)')
    if "rho" in words and words.keys() & {"epsilon", "delta"}:
        raise Refusal(node, "a claim of rho together with epsilon or delta", "write a claim for each")
    read = {name: _read(words[name], module, signature) for name in (*NUMBERS, "where") if name in words}
    for name, (term, _) in read.items():
        if (term.sort == "Bool") != (name == "where"):
            raise Refusal(
                words[name], f"{name} = {_text(words[name])}", "write a statement in where, a number elsewhere"
            )
    adjacency = _adjacency(words["adjacency"], module)
    if adjacency.edits:
        _insist_on_secret_length(words, read, signature)
    where = conjunction(*(needed for _, needed in read.values()), read["where"][0] if "where" in read else TRUE)
    numbers = {name: read[name][0] if name in read else None for name in NUMBERS}
    return Claim(
        adjacency,
        **numbers,
        where=where,
        given=_given(words.get("given"), module, signature),
        expected=_constant(words.get("expected"), None),
        source=_constant(words.get("source"), "") or "",
        text=", ".join(f"{name}={_text(words[name])}" for name in NUMBERS if name in words)
        + (f" where {_text(words['where'])}" if "where" in words else ""),
        line=node.lineno,
    )


def _insist_on_secret_length(
    words: Mapping[str, ast.expr], read: Mapping[str, tuple[Term, Term]], signature: Signature
) -> None:
    """Refusal where elements are added to what is no list, or the number of elements is public."""
    node = words["adjacency"]
    if not signature.data.is_list:
        raise Refusal(node, f"{_text(node)} of data that are one number", "annotate the data as list[float]")
    given = words.get("given")
    named = [key.value for key in given.keys if isinstance(key, ast.Constant)] if isinstance(given, ast.Dict) else []
    said = [term for pair in read.values() for term in pair]
    if signature.length is not None or LENGTH in variables(*said) or LENGTH.value in named:
        raise Refusal(
            node, f"{_text(node)} where n, the number of elements, is public", f"write len({signature.data.name})"
        )


def _read(node: ast.expr, module: Module, signature: Signature) -> tuple[Term, Term]:
    """An expression in public parameters, written as a text or as Python, and what must hold for it to have a value."""
    names = {**signature.public, **({"n": LENGTH} if signature.data.is_list else {})}
    home = Module(module.file, module.text, MATHEMATICS, module.foreign, module.constants, {})
    nowhere = Data("", True)
    context = Context(expressions.evaluated, home, nowhere, names, frozenset(), {}, Kinds(), signature.assumption)
    try:
        inner = node
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if not is_text and any(isinstance(one, ast.Name) and one.id in names for one in ast.walk(node)):
            raise Refusal(node, f"{_text(node)}, worked out before there are parameters", "write it as a text")
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            (line,) = parsed(node.value.strip()).body
            if not isinstance(line, ast.Expr):
                raise SyntaxError
            inner = line.value
        found = evaluation.number(context, inner)
    except (SyntaxError, ValueError, RecursionError) as error:
        raise Refusal(node, f"the expression {_text(node)}", "write one such as (1 + 6*N)/4*epsilon") from error
    except Refusal as found_there:
        raise Refusal(
            node, f"{found_there.what} in {_text(node)}", f"use {', '.join(names)} and numbers there"
        ) from found_there
    if any(not isinstance(one, Require) for one in context.block):
        raise Refusal(node, f"a draw in {_text(node)}", "use public parameters only")
    return found, conjunction(*(one.condition for one in context.block if isinstance(one, Require)))


def _given(node: ast.expr | None, module: Module, signature: Signature) -> Mapping[str, Term]:
    """Values of parameters."""
    if node is None:
        return {}
    if not isinstance(node, ast.Dict):
        raise Refusal(node, f"given={_text(node)}", 'write given={"N": 1}')
    found = {}
    for key, value in zip(node.keys, node.values, strict=True):
        if not (
            isinstance(key, ast.Constant)
            and isinstance(key.value, str)
            and (key.value in signature.public or key.value == LENGTH.value)
        ):
            raise Refusal(node, f"{_text(key) if key else '**'} in given", "name public parameters")
        term, needed = _read(value, module, signature)
        if needed is not TRUE or not (is_number(term) or term.operator in ("ln", "exp", "truth")):
            raise Refusal(value, f"{_text(value)} in given", 'write a number, such as 1 or "1/3"')
        wanted = signature.public.get(str(key.value), LENGTH).sort
        if wanted == "Int" and term.sort != "Int":
            raise Refusal(value, f"{_text(value)} for the integer {key.value}", "write an integer")
        found[str(key.value)] = expressions.as_sort(term, wanted)
    return found


def _adjacency(node: ast.expr, module: Module) -> Adjacency:
    """Which data are neighbours."""
    named = module.own(node)
    if named in NAMED:
        return NAMED[named]
    match node:
        case ast.Name(name) if name in module.functions:
            shown = f"{name} of the file" if name in NAMED else name
            return predicates.adjacency(shown, (Relation(_related(name, module)),))
        case ast.Call(function, [inner, *places], keywords) if module.own(function) == "each":
            words = dict(zip(("changed", "total", "squares"), places, strict=False))
            words |= {word.arg: word.value for word in keywords if word.arg is not None}
            if words.keys() <= {"changed", "total", "squares"}:
                return _within(inner, words, module, node)
    raise Refusal(
        node,
        f"the adjacency {_text(node)}",
        "write ALL, ONE, L1, L2, MONO, ADD_REMOVE, a function of two elements, or each(...)",
    )


def _related(name: str, module: Module) -> Term:
    """When two elements are related."""
    return predicates.predicate(module.functions[name], module, (OLD, NEW))


def _within(inner: ast.expr, words: Mapping[str, ast.expr], module: Module, node: ast.expr) -> Adjacency:
    """An adjacency within budgets."""
    base = _adjacency(inner, module)
    if not all(predicates.is_reflexive(part.related) for part in base.parts):
        raise Refusal(inner, f"{_text(inner)} within a budget", "write a relation that holds of equal elements, too")
    budgets = {name: _number(value, module) for name, value in words.items()}
    changed = budgets.get("changed")
    if changed is not None and changed.denominator != 1:
        raise Refusal(node, f"changed={changed}", "write an integer")
    total, squares = budgets.get("total"), budgets.get("squares")
    if base.edits:
        if changed is None or budgets.keys() != {"changed"}:
            raise Refusal(node, _text(node), "write each(ADD_REMOVE, changed=2) for two elements added or removed")
        return Adjacency(_text(node), (Relation(SAME, int(changed), edit="either"),))
    parts = tuple(
        Relation(
            part.related,
            int(changed) if changed is not None else part.changed,
            total if total is not None else part.total,
            squares if squares is not None else part.squares,
        )
        for part in base.parts
    )
    return Adjacency(_text(node), parts, base.one_direction)


def _number(node: ast.expr, module: Module) -> Fraction:
    """A constant number."""
    found, needed = _read(node, module, Signature(Data("", False), {}, TRUE, None))
    if not is_number(found) or needed is not TRUE or found.rational < 0:
        raise Refusal(node, f"the budget {_text(node)}", 'write a number >= 0, such as 1 or "1/3"')
    return found.rational


def _constant(node: ast.expr | None, default: str | None) -> str | None:
    """A text."""
    if node is None:
        return default
    if not (isinstance(node, ast.Constant) and (isinstance(node.value, str) or node.value is None)):
        raise Refusal(node, _text(node), "write a text")
    return node.value


def _text(node: ast.expr) -> str:
    """An expression as its author wrote it, a text without its quotes."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ast.unparse(node)
