"""Draws: each is a statement of its own, before the statement that uses what is drawn."""

from __future__ import annotations

import ast

from refdp.programs.adjacency import LENGTH
from refdp.programs.execution import SORTS
from refdp.programs.language.context import Context, Kind
from refdp.programs.language.errors import Refusal
from refdp.programs.language.signs import is_at_most, is_positive
from refdp.programs.syntax import Choose, Draw, Family
from refdp.terms.leaves import FALSE, TRUE, ZERO, integer, parts, variable, variables
from refdp.terms.operations import at_most, disjunction, less, substitute
from refdp.terms.term import Term


def drawn(context: Context, family: Family, parameters: tuple[Term, ...], node: ast.Call) -> Term:
    """What is drawn: a variable; where a choice decides the parameters that not only parameters decide, a branch."""
    name = f"{family}.{context.place(node)}"
    _written(context, name, family, parameters, node)
    return _taken(context, name)


def chosen(context: Context, weights: str, node: ast.Call) -> Term:
    """The place that is chosen from a list of weights."""
    name = f"choice.{context.place(node)}"
    context.sites += 1
    context.write(Choose(name, weights, context.sites, node.lineno))
    return _taken(context, name)


def _taken(context: Context, name: str) -> Term:
    """The variable that holds what was drawn."""
    sort = SORTS.get(name.split(".")[0], "Real")
    context.kinds.of.setdefault(name, Kind(sort))
    context.kinds.secret.add(name)
    context.flow = context.here.having(name, None)
    return variable(name, sort)


def _written(context: Context, name: str, family: Family, parameters: tuple[Term, ...], node: ast.Call) -> None:
    """Writes the draw, or a branch with a draw each way."""
    fixed = {LENGTH, *context.parameters.values()}
    choices = (part for term in parameters for part in parts(term) if part.operator == "ite")
    test = next((one.arguments[0] for one in choices if not fixed.issuperset(variables(one))), None)
    if test is None:
        if context.is_secret(*parameters) and family not in ("bernoulli", "choice"):
            raise Refusal(node, f"{family} of a value that depends on data or draws", "draw with public parameters")
        _required(context, family, parameters, node)
        context.sites += 1
        context.write(Draw(name, family, parameters, context.sites, node.lineno))
        return
    blocks = []
    for way in (TRUE, FALSE):
        with context.apart() as block:
            _written(context, name, family, tuple(substitute(p, {test: way}) for p in parameters), node)
        blocks.append(block)
    context.branch(test, blocks[0], blocks[1], node.lineno)


def _required(context: Context, family: Family, parameters: tuple[Term, ...], node: ast.Call) -> None:
    """Writes what the parameters must be for the draw to be made."""
    text, line = ast.unparse(node), node.lineno
    match family:
        case "uniform":
            if any(p.sort != "Int" for p in parameters):
                raise Refusal(node, "uniform of bounds that are not integers", "annotate the parameters with int")
            within = is_at_most(parameters[0], parameters[1], context.assumption)
            context.require(TRUE if within else at_most(*parameters), f"{text}: there is no such integer", line)
        case "choice":
            for one in parameters:
                weight(context, one, node)
            if not any(is_positive(one, context.assumption) for one in parameters):
                some = disjunction(*(less(ZERO, one) for one in parameters))
                context.require(some, f"{text}: no weight is positive", line)
        case "bernoulli":
            _probability(context, parameters[0], text, line)
        case _ if not is_positive(parameters[0], context.assumption):
            context.require(less(ZERO, parameters[0]), f"{text}: the parameter is not positive", line)


def weight(context: Context, value: Term, node: ast.AST) -> None:
    """Writes that a weight is not negative."""
    if not is_at_most(ZERO, value, context.assumption):
        context.require(at_most(ZERO, value), f"{ast.unparse(node)}: a weight is negative", getattr(node, "lineno", 0))


def _probability(context: Context, value: Term, text: str, line: int) -> None:
    """Writes that a value is in [0, 1]."""
    if not is_at_most(ZERO, value, context.assumption):
        context.require(at_most(ZERO, value), f"{text}: the probability is negative", line)
    top, bottom = value.arguments if value.operator == "/" else (value, integer(1))
    if not (is_positive(bottom, context.assumption) and is_at_most(top, bottom, context.assumption)):
        context.require(at_most(value, integer(1)), f"{text}: the probability is greater than 1", line)
