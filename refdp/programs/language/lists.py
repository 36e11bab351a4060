"""Lists: what is appended is released, or kept as a weight, or only the greatest, the sum or the number is kept.

Of a list `values` the variables are `values.len`, `values.sum`, `values.max`, `values.argmax` and so on.
"""

from __future__ import annotations

import ast

from refdp.programs.language import draws, emissions, evaluation, names
from refdp.programs.language.context import Context
from refdp.programs.language.errors import Refusal
from refdp.programs.language.signs import is_positive
from refdp.programs.language.values import Value, deny
from refdp.programs.syntax import Append
from refdp.terms.leaves import FALSE, TRUE, ZERO, integer, rational, variables
from refdp.terms.operations import add, conjunction, disjunction, equal, less, whole
from refdp.terms.term import Term

EXTREMES = {"max": "argmax", "min": "argmin"}
FOLDS = {"any": TRUE, "all": FALSE}
"""Folds of truth values, with what one value decides."""


def started(context: Context, name: str, node: ast.AST) -> None:
    """An empty list: nothing has been appended to it."""
    if context.frames or context.control:
        what = "a list made" if "." in name else f"the list {name} made"
        raise Refusal(node, f"{what} within a loop or a branch", "make it once, at the start of the function")
    if name in context.here.assigned:
        raise Refusal(node, f"a second list {name}", "give each list a name of its own")
    uses = context.lists[name]
    if uses & {"len", "max", "min", "argmax", "argmin"}:
        context.assign(f"{name}.len", ZERO, node)
    if "sum" in uses:
        context.assign(f"{name}.sum", ZERO, node)
    if "choice" in uses:
        context.assign(f"{name}.some", FALSE, node)
    for fold in FOLDS.keys() & uses:
        context.assign(f"{name}.{fold}", deny(FOLDS[fold]), node)
    for extreme, place in EXTREMES.items():
        if uses & {extreme, place}:
            context.assign(f"{name}.{extreme}", ZERO, node)
            context.assign(f"{name}.{place}", ZERO, node)
    context.flow = context.here.having(name, None).with_value(name)


def appended(context: Context, name: str, node: ast.expr) -> None:
    """name.append(node)."""
    if name not in context.here.assigned:
        raise Refusal(node, f"{name} may have no value here", f"write {name} = [] at the start")
    uses = context.lists[name]
    if uses == {"output"}:
        emissions.released(context, node)
        return
    found = evaluation.number(context, node)
    if "choice" in uses:
        if uses != {"choice"}:
            raise Refusal(node, f"the list {name} used for choice and for something else", "use two lists")
        draws.weight(context, whole(found), node)
        context.write(Append(name, whole(found), node.lineno))
        certain = is_positive(whole(found), context.assumption)
        some = context.component(f"{name}.some", "Bool")
        context.assign(f"{name}.some", TRUE if certain else disjunction(some, less(ZERO, whole(found))), node)
    if "output" in uses:
        emissions.written(context, [found], node)
    if any(str(v.value).startswith(f"{name}.") for v in variables(found)):
        kept = f"value.{context.place(node)}"
        context.assign(kept, found, node)
        found = context.component(kept, found.sort)
    _accumulated(context, name, whole(found), node)


def _accumulated(context: Context, name: str, found: Term, node: ast.expr) -> None:
    """What is kept of a list after one more value."""
    uses, line = context.lists[name], node.lineno
    for extreme, place in EXTREMES.items():
        if uses & {extreme, place}:
            best = _kept(context, f"{name}.{extreme}")
            beaten = less(best, found) if extreme == "max" else less(found, best)
            better = disjunction(equal(_kept(context, f"{name}.len"), ZERO), beaten)
            count = _kept(context, f"{name}.len")

            def replaced(extreme: str = extreme, place: str = place, count: Term = count) -> None:
                context.assign(f"{name}.{extreme}", found, node)
                context.assign(f"{name}.{place}", count, node)

            context.where(better, replaced, lambda: None, line)
    for fold in FOLDS.keys() & uses:
        holds = evaluation.truthiness(found)
        kept = context.component(f"{name}.{fold}", "Bool")
        context.assign(f"{name}.{fold}", (disjunction if FOLDS[fold] is TRUE else conjunction)(kept, holds), node)
    if "sum" in uses:
        context.assign(f"{name}.sum", add(_kept(context, f"{name}.sum"), found), node)
    if uses & {"len", "max", "min", "argmax", "argmin"}:
        context.assign(f"{name}.len", add(_kept(context, f"{name}.len"), integer(1)), node)


def _kept(context: Context, name: str) -> Term:
    """The value of a variable of a list, always a number."""
    found = context.read(name)
    return found if isinstance(found, Term) else rational(0)


def chosen(context: Context, name: str, node: ast.Call) -> Term:
    """choice(name): the place of a weight, of which one must be positive."""
    if name not in context.here.assigned:
        raise Refusal(node, f"{name} may have no value here", f"write {name} = [] at the start")
    context.raises(
        context.component(f"{name}.some", "Bool"), f"{ast.unparse(node)}: no weight is positive", node.lineno
    )
    return draws.chosen(context, name, node)


def measured(context: Context, what: str, node: ast.Call) -> Value:
    """max, min, sum, len, argmax of a list."""
    match node.args:
        case [ast.Name(name)] if names.is_list(context, name) and not node.keywords:
            if name not in context.here.assigned:
                raise Refusal(node, f"{name} may have no value here", f"write {name} = [] at the start")
            if what not in ("sum", "len", "any", "all"):
                context.raises(
                    less(ZERO, _kept(context, f"{name}.len")), f"{ast.unparse(node)} of an empty list", node.lineno
                )
            return context.read(f"{name}.{what}")
    raise Refusal(node, f"{what} of this", f"write {what}(values) of a list made with append")
