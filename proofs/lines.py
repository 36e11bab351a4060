"""Proof lines: a proof that is the application of one rule, or of few, stands in the ledger, beside its claim.

    proof = "additive_noise(*lemmas(stem, 'privacy'), stem=stem, measure='pure')"
    proof = "pure_to_approximate(pure)"
    proof = "refuted_by_density(claim, {'scale': '1', 'd_in': '1'}, 0, 1, 1/4)"

A line is an expression of calls: of the kernel's rules, of `lemmas`, of searches for a witness (`refuted_by_...`).  A
name is the theorem of that claim about the same stem, STEM.NAME that of another one; `stem` is the claim's stem and
`claim` its formal text; numbers are exact.  `lemmas(STEM, NAME, ...)` are those of the obligations NAME of `spec`.

Longer proofs are functions of STEM.py, by the claim's name.  Neither is believed: the kernel makes the theorem.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from importlib import import_module
from typing import Any

import refdp.mechanisms
import refdp.statements
import refdp.transformations  # noqa: F401  (importing them registers what claims are about)
from refdp.claims import Claim, UnknownClaim, claim
from refdp.kernel.theorem import RULES, Theorem
from refdp.proofs import lemmas as shared
from refdp.provers import witnesses
from refdp.provers.lemmas import lemma, lemmas
from refdp.spec import accuracy, obligations
from refdp.spec.registry import kind_of


class ProofLineError(ValueError):
    """The line is no expression of calls; the message says which part is not."""


def proved(identifier: str) -> Theorem:
    """The theorem of a claim of the ledger, or its refutation; UnknownClaim if there is none."""
    return prove(claim(identifier))


def prove(listed: Claim) -> Theorem:
    """The theorem that the claim's proof makes: the claim itself, or its refutation."""
    if listed.proof:
        found = Line(listed).value(tree(listed.proof))
        if not isinstance(found, Theorem):
            raise ProofLineError(f"{listed.proof} is no theorem")
        return found
    proof = function_of(listed)
    theorem: Theorem = proof(listed.formal) if listed.expected == "REFUTED" else proof()
    return theorem


def function_of(listed: Claim) -> Callable[..., Theorem]:
    """The function of the claim's proof, where that is no line of the ledger."""
    found: Callable[..., Theorem] = getattr(import_module(f"refdp.proofs.{listed.stem}"), listed.notion)
    return found


def called(listed: Claim) -> list[str]:
    """The names of what the claim's line calls, in order, each once."""
    nodes = ast.walk(tree(listed.proof))
    return list(dict.fromkeys(n.func.id for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)))


@cache
def tree(line: str) -> ast.expr:
    """The line as a syntax tree."""
    try:
        return ast.parse(line, mode="eval").body
    except SyntaxError as error:
        raise ProofLineError(f"{line} is no expression: {error.msg}") from None


def obligations_of(stem: str, name: str, *arguments: Any, **keywords: Any) -> list[Theorem]:
    """The lemmas of `stem` that the obligations of that name name."""
    if getattr(getattr(obligations, name, None), "__module__", "") == obligations.__name__:
        return lemmas(stem, getattr(obligations, name)(stem, *arguments, **keywords))
    return lemmas(stem, getattr(accuracy, f"{name}_obligations")(kind_of(stem), *arguments, **keywords))


def _functions() -> dict[str, Callable[..., Any]]:
    """What a line may call."""
    own = {
        name: f
        for name, f in vars(shared).items()
        if getattr(f, "__module__", "") == shared.__name__ and not name.startswith("_")
    }
    searches = {name: getattr(witnesses, name) for name in witnesses.__all__ if name.startswith("refuted_by_")}
    return {**RULES, **own, **searches, "lemma": lemma, "lemmas": obligations_of}


FUNCTIONS: Mapping[str, Callable[..., Any]] = _functions()
"""Name -> what a line calls by it."""


class Line:
    """The line of one claim, worked out."""

    def __init__(self, listed: Claim) -> None:
        self.listed, self.texts = listed, {"stem": listed.stem, "claim": listed.formal}

    def value(self, node: ast.expr) -> Any:
        """What a part of the line is."""
        match node:
            case ast.Constant(str() | bool() as value):
                return value
            case ast.Constant(int() as value):
                return Fraction(value)
            case ast.UnaryOp(ast.USub(), operand):
                return -self.value(operand)
            case ast.BinOp(left, ast.Div(), right):
                return self.value(left) / self.value(right)
            case ast.List(parts):
                return [self.value(part) for part in parts]
            case ast.Tuple(parts):
                return tuple(self.value(part) for part in parts)
            case ast.Dict(keys, values) if None not in keys:
                return {self.value(k): self.value(v) for k, v in zip(keys, values, strict=True) if k is not None}
            case ast.Name(name):
                return self.named(name)
            case ast.Attribute(ast.Name(stem), notion):
                return proved(f"{stem}.{notion}")
            case ast.Call(ast.Name(name), arguments, keywords) if name in FUNCTIONS:
                given = [v for one in arguments for v in self.spread(one)]
                return FUNCTIONS[name](*given, **{str(k.arg): self.value(k.value) for k in keywords})
        raise ProofLineError(f"{ast.unparse(node)} in the proof of {self.listed.identifier} is not understood")

    def spread(self, node: ast.expr) -> list[Any]:
        """An argument, or those that a starred one stands for."""
        return list(self.value(node.value)) if isinstance(node, ast.Starred) else [self.value(node)]

    def named(self, name: str) -> Any:
        """The claim's stem or text, the theorem of a claim about the same stem, or a rule that is handed on."""
        if name in self.texts:
            return self.texts[name]
        try:
            return proved(f"{self.listed.stem}.{name}")
        except UnknownClaim:
            if name in FUNCTIONS:
                return FUNCTIONS[name]
            raise
