"""Answers of z3, of which each question gets a solver of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import z3

from refdp.provers.serving import OVER
from refdp.provers.smt.models import models

NAME = f"z3 {z3.get_version_string()}"


def solver(engine: str) -> Any:
    """A solver in a context of its own: an answer does not depend on what was asked before."""
    context = z3.Context()
    if engine == "default":
        return z3.Solver(ctx=context)
    if engine == "plain":
        return z3.SimpleSolver(ctx=context)
    return z3.Then("simplify", "purify-arith", "propagate-values", "solve-eqs", "elim-term-ite",
                   "tseitin-cnf", "qfnra-nlsat", ctx=context).solver()  # fmt: skip


def rational(value: Any, digits: int) -> str:
    """A value as text, to so many decimal digits where it is irrational; a truth value as true or false."""
    exact = value.approx(digits) if z3.is_algebraic_value(value) else value
    if z3.is_bool(exact):
        return str(z3.is_true(exact)).lower()
    return str(exact.as_fraction() if z3.is_rational_value(exact) else exact.as_long())


def is_value(value: Any) -> bool:
    """Whether it is a number or a truth value, and not a definition of the text."""
    numeric = z3.is_rational_value(value) or z3.is_int_value(value) or z3.is_algebraic_value(value)
    return bool(numeric or z3.is_bv_value(value) or z3.is_true(value) or z3.is_false(value))


def horn(request: Mapping[str, Any]) -> dict[str, Any]:
    """Interpretations of the predicates that satisfy Horn clauses; the arguments of each are called @0, @1, ..."""
    s = z3.SolverFor("HORN", ctx=z3.Context())
    s.set(rlimit=request["units"], **request.get("options", {}))
    s.from_string(request["text"])
    verdict = s.check()
    if verdict != z3.sat:
        return without_model(s, verdict)
    found = {d.name(): body(d, s.model()[d]) for d in s.model().decls()}
    return {"answer": "sat", "units": units(s), "interpretations": found}


def without_model(s: Any, verdict: Any) -> dict[str, Any]:
    """The reply where there is no model."""
    why = "" if verdict == z3.unsat else s.reason_unknown()
    reason = OVER if "resource" in why or why == "canceled" else why
    return {"answer": str(verdict), "reason": reason, "units": units(s)}


def units(s: Any) -> int:
    """The units of work that the solver counted, which are the same on every machine."""
    counted = s.statistics()
    return int(counted.get_key_value("rlimit count")) if "rlimit count" in counted.keys() else 0  # noqa: SIM118


def body(predicate: Any, found: Any) -> str:
    """What a predicate is interpreted as."""
    inner = found.else_value() if isinstance(found, z3.FuncInterp) else found
    sorts = [predicate.domain(i) for i in range(predicate.arity())]
    return str(z3.substitute_vars(inner, *[z3.Const(f"@{i}", s) for i, s in enumerate(sorts)]).sexpr())


def answer(request: Mapping[str, Any]) -> dict[str, Any]:
    """The reply to a request."""
    if request["engine"] == "spacer":
        return horn(request)
    s = solver(request["engine"])
    s.set(rlimit=request["units"])
    s.from_string(request["text"])
    verdict = s.check()
    if verdict != z3.sat:
        return without_model(s, verdict)
    values = {d.name(): s.model()[d] for d in s.model().decls() if d.arity() == 0 and is_value(s.model()[d])}
    return {"answer": "sat", "units": units(s), "models": models(values, z3.is_algebraic_value, rational)}
