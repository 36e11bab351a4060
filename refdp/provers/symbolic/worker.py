"""Worker process: `python -m refdp.provers.symbolic.worker sympy` judges equalities.

Request: {"given", "show", "integers", "seconds"}, terms as text.
Reply: {"answer": "unsat" | "sat" | "unknown", "reason", "models"}, in the words of the solvers' worker.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from refdp.provers.serving import Answerer, serve


def load() -> tuple[str, Answerer]:
    """sympy's name and version, and its answers."""
    import sympy

    from refdp.provers.symbolic.identities import is_identity
    from refdp.provers.symbolic.quadrature import difference
    from refdp.spec.statements import Statement
    from refdp.terms.reading import read

    def answer(request: Mapping[str, Any]) -> dict[str, Any]:
        statement = Statement(tuple(map(read, request["given"])), read(request["show"]), frozenset(request["integers"]))
        if statement.show.operator != "==":
            return {"answer": "unknown", "reason": f"sympy is asked for equalities only, got {statement.show}"}
        reason, point = difference(statement)
        if reason:
            models = [] if point is None else [{v: str(x) for v, x in point.items()}]
            return {"answer": "sat" if models else "unknown", "reason": reason, "models": models}
        reason = is_identity(statement)
        return {"answer": "unknown" if reason else "unsat", "reason": reason}

    return f"sympy {sympy.__version__}", answer


if __name__ == "__main__":
    serve(load)
