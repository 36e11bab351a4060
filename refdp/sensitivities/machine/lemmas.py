"""Lemmas of real arithmetic on which the bounds for every number of rows rest; z3 and cvc5 each prove them anew.

A lemma says that its hypotheses imply its conclusion, for all real numbers.  The solvers are helped by products: from
a <= b and c <= d follows (b - a) (d - c) >= 0, which is added to the hypotheses.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from refdp.logic.asking import Answer, valid
from refdp.provers.processes import WORKERS, SolverMissing
from refdp.terms.expressions import read_statement
from refdp.terms.leaves import ZERO, variable
from refdp.terms.operations import at_most, conjunction, multiply, subtract
from refdp.terms.term import Term

SOLVERS = ("z3", "cvc5")
_PROVED: set[tuple[object, str]] = set()
"""What a solver has proved in this process: a lemma is asked once."""


@dataclass(frozen=True, slots=True)
class Lemma:
    """The hypotheses imply each conclusion.  Statements are Python comparisons of names of real numbers."""

    name: str
    hypotheses: tuple[str, ...]
    """Statements `a <= b`."""
    conclusions: tuple[str, ...]
    products: tuple[tuple[int, int], ...] = ()
    """Places of hypotheses that are multiplied as a hint."""

    def question(self) -> tuple[tuple[Term, ...], Term]:
        """Hypotheses, the hints among them, and the conclusion."""
        given = [_statement(text) for text in self.hypotheses]
        hints = [at_most(ZERO, multiply(_room(given[i]), _room(given[j]))) for i, j in self.products]
        return (*given, *hints), conjunction(*map(_statement, self.conclusions))


def proved(lemma: Lemma, solver: str, seconds: float) -> Answer:
    """Whether the solver proves the lemma: "unsat" is yes; where it is not installed, "unknown" with one sentence."""
    hypotheses, conclusion = lemma.question()
    try:
        return valid(solver, hypotheses, conclusion, seconds)
    except SolverMissing as missing:
        return Answer("unknown", str(missing))


def unproved(lemmas: Sequence[Lemma], solvers: Sequence[str] = SOLVERS, seconds: float = 20) -> str:
    """Which lemma a solver does not prove, and why; empty where each solver proves all."""
    for lemma in lemmas:
        for solver in solvers:
            if (lemma, solver) in _PROVED:
                continue
            answer = proved(lemma, solver, seconds)
            if answer.verdict == "unsat":
                _PROVED.add((lemma, solver))
            else:
                return f"{solver} does not prove the lemma {lemma.name}: {answer.reason or answer.verdict}"
    return ""


def believed(lemmas: Sequence[Lemma], solvers: Sequence[str] = SOLVERS) -> tuple[str, ...]:
    """Of the solvers that proved the lemmas one, whichever; nobody where there is no lemma."""
    return (" and ".join(WORKERS[solver].version for solver in solvers),) if lemmas else ()


def _statement(text: str) -> Term:
    """A statement in real variables."""
    found = {node.id for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Name)}
    return read_statement(text, {name: variable(name, "Real") for name in sorted(found)}, "lemma")


def _room(statement: Term) -> Term:
    """b - a, which is not negative, of a <= b."""
    if statement.operator != "<=":
        raise ValueError(f"a product must be of statements a <= b, got {statement}")
    a, b = statement.arguments
    return subtract(b, a)
