"""Worker process: `python -m refdp.provers.smt.worker z3|cvc5` decides SMT-LIB texts.

Request: {"text", "engine", "seconds"}.  Reply: {"answer": "unsat" | "sat" | "unknown", "reason", "models"}; a model
maps symbols to rational numbers as text, and several models approximate one whose values are irrational.  The engine
"spacer" of z3 takes Horn clauses (and "options") and replies with "interpretations" of their predicates;
"plain" prepares nothing, which is quickest for small questions.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

from refdp.provers.serving import Answerer, serve

DIGITS = (2, 10, 40)
"""Decimal digits to which an irrational value is approximated, one model each."""


def load_z3() -> tuple[str, Answerer]:
    """z3's name and version, and its answers."""
    import z3

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
        s.set(timeout=max(1, int(request["seconds"] * 1000)), **request.get("options", {}))
        s.from_string(request["text"])
        verdict = s.check()
        if verdict != z3.sat:
            return {"answer": str(verdict), "reason": "" if verdict == z3.unsat else s.reason_unknown()}
        return {"answer": "sat", "interpretations": {d.name(): body(d, s.model()[d]) for d in s.model().decls()}}

    def body(predicate: Any, found: Any) -> str:
        inner = found.else_value() if isinstance(found, z3.FuncInterp) else found
        sorts = [predicate.domain(i) for i in range(predicate.arity())]
        return str(z3.substitute_vars(inner, *[z3.Const(f"@{i}", s) for i, s in enumerate(sorts)]).sexpr())

    def answer(request: Mapping[str, Any]) -> dict[str, Any]:
        if request["engine"] == "spacer":
            return horn(request)
        s = solver(request["engine"])
        s.set(timeout=max(1, int(request["seconds"] * 1000)))
        s.from_string(request["text"])
        verdict = s.check()
        if verdict != z3.sat:
            return {"answer": str(verdict), "reason": "" if verdict == z3.unsat else s.reason_unknown()}
        values = {d.name(): s.model()[d] for d in s.model().decls() if d.arity() == 0 and is_value(s.model()[d])}
        return {"answer": "sat", "models": _models(values, z3.is_algebraic_value, rational)}

    return f"z3 {z3.get_version_string()}", answer


def load_cvc5() -> tuple[str, Answerer]:
    """cvc5's name and version, and its answers."""
    import cvc5

    def rational(value: Any, digits: int) -> str:
        if value.isBooleanValue():
            return str(value.getBooleanValue()).lower()
        if not value.isRealAlgebraicNumber():
            return str(value.getRealValue())
        low, high = value.getRealAlgebraicNumberLowerBound(), value.getRealAlgebraicNumberUpperBound()
        bounds = (low.getRealValue(), (low.getRealValue() + high.getRealValue()) / 2, high.getRealValue())
        return str(bounds[DIGITS.index(digits)])

    def parse(solver: Any, text: str) -> Any:
        """Run the commands of the text except check-sat; the symbols it declares."""
        parser = cvc5.InputParser(solver)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "statement")
        symbols = parser.getSymbolManager()
        while not (command := parser.nextCommand()).isNull():
            if command.getCommandName() != "check-sat" and (complaint := command.invoke(solver, symbols)):
                raise ValueError(complaint)
        return symbols

    def answer(request: Mapping[str, Any]) -> dict[str, Any]:
        s = cvc5.Solver(cvc5.TermManager())
        s.setOption("produce-models", "true")
        s.setOption("tlimit-per", str(max(1, int(request["seconds"] * 1000))))
        if request["engine"] in ("coverings", "polynomials"):
            s.setOption("nl-cov", "true")
        if request["engine"] == "polynomials":  # nothing but coverings, which decide what is without quotients
            s.setOption("nl-ext", "none")
        symbols = parse(s, request["text"])
        verdict = s.checkSat()
        if not verdict.isSat():
            reason = str(verdict.getUnknownExplanation()).rsplit(".")[-1].lower() if verdict.isUnknown() else ""
            return {"answer": "unsat" if verdict.isUnsat() else "unknown", "reason": reason}
        values = {t.getSymbol(): s.getValue(t) for t in symbols.getDeclaredTerms()}
        return {"answer": "sat", "models": _models(values, lambda v: v.isRealAlgebraicNumber(), rational)}

    return f"cvc5 {cvc5.__version__}", answer


def _models(
    values: Mapping[str, Any], is_irrational: Callable[[Any], bool], rational: Callable[[Any, int], str]
) -> list[dict[str, str]]:
    """The model, or rational approximations of it."""
    precisions = DIGITS if any(map(is_irrational, values.values())) else DIGITS[:1]
    return [{symbol: rational(value, digits) for symbol, value in values.items()} for digits in precisions]


LOAD = {"z3": load_z3, "cvc5": load_cvc5}

if __name__ == "__main__":
    serve(LOAD[sys.argv[1]])
