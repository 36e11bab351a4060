"""Worker process: `python -m refdp.provers.smt.worker z3|cvc5` decides SMT-LIB texts.

Request: {"text", "engine", "seconds"}.  Reply: {"answer": "unsat" | "sat" | "unknown", "reason", "models"}; a model
maps symbols to rational numbers as text, and several models approximate one whose values are irrational.  The engine
"spacer" of z3 takes Horn clauses (and "options") and replies with "interpretations" of their predicates;
"plain" prepares nothing, which is quickest for small questions.
"""

from __future__ import annotations

import sys

from refdp.provers.serving import Answerer, serve


def load_z3() -> tuple[str, Answerer]:
    """z3's name and version, and its answers."""
    from refdp.provers.smt import z3_answers

    return z3_answers.NAME, z3_answers.answer


def load_cvc5() -> tuple[str, Answerer]:
    """cvc5's name and version, and its answers."""
    from refdp.provers.smt import cvc5_answers

    return cvc5_answers.NAME, cvc5_answers.answer


LOAD = {"z3": load_z3, "cvc5": load_cvc5}

if __name__ == "__main__":
    serve(LOAD[sys.argv[1]])
