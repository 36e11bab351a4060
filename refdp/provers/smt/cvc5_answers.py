"""Answers of cvc5, of which each question gets a solver of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import cvc5

from refdp.provers.serving import OVER
from refdp.provers.smt.models import DIGITS, models

COVERING = 10_000
"""Units that a step of cylindrical coverings counts as: it takes about so many times as long as a rewriting."""
NAME = f"cvc5 {cvc5.__version__}"


def rational(value: Any, digits: int) -> str:
    """A value as text, the lower end, middle or upper end of what is known where it is irrational."""
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
    """The reply to a request."""
    s = cvc5.Solver(cvc5.TermManager())
    s.setOption("produce-models", "true")
    s.setOption("rlimit-per", str(request["units"]))
    s.setOption("rweight", f"ArithNlCoveringStep={COVERING}")
    if request["engine"] in ("coverings", "polynomials"):
        s.setOption("nl-cov", "true")
    if request["engine"] == "polynomials":  # nothing but coverings, which decide what is without quotients
        s.setOption("nl-ext", "none")
    symbols = parse(s, request["text"])
    verdict = s.checkSat()
    units = s.getStatistics()["resource::resourceUnitsUsed"]["value"]
    if not verdict.isSat():
        why = str(verdict.getUnknownExplanation()).rsplit(".")[-1].lower() if verdict.isUnknown() else ""
        reason = OVER if why == "resourceout" else why
        return {"answer": "unsat" if verdict.isUnsat() else "unknown", "reason": reason, "units": units}
    values = {t.getSymbol(): s.getValue(t) for t in symbols.getDeclaredTerms()}
    return {"answer": "sat", "units": units, "models": models(values, lambda v: v.isRealAlgebraicNumber(), rational)}
