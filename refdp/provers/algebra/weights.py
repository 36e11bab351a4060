"""Weights of summands that make their sum 0: a system of linear inequalities, solved exactly by z3."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

from refdp.numerics.polynomials import Monomial
from refdp.provers.algebra.summands import Summand
from refdp.provers.processes import WORKERS, WorkerLost
from refdp.provers.smt.encode import literal

Weighted = tuple[Fraction, Summand]


def vanishing(found: Sequence[Summand], seconds: float) -> list[Weighted] | None:
    """Summands with weights other than 0 that sum to 0 although one of them is positive; None if there are none."""
    left = useful(found)
    if not any(s.positive for s in left):
        return None
    for s in left:
        if s.positive and not s.value:
            return [(Fraction(1), s)]
    try:
        reply = WORKERS["z3"].ask({"text": system(left), "engine": "default"}, seconds)
    except WorkerLost:
        return None
    if reply["answer"] != "sat":
        return None
    model = reply["models"][0]
    weights = [Fraction(model.get(f"w{i}", "0")) for i in range(len(left))]
    return [(w, s) for w, s in zip(weights, left, strict=True) if w]


def useful(found: Sequence[Summand]) -> list[Summand]:
    """The summands that can have a weight other than 0: every monomial of theirs can be cancelled by another."""
    left = list(found)
    while True:
        signs: dict[Monomial, set[int]] = defaultdict(set)
        for s in left:
            for m, c in s.value.items():
                signs[m] |= {-1, 1} if s.operator == "equation" else {1 if c > 0 else -1}
        stuck = {m for m, both in signs.items() if len(both) == 1}
        kept = [s for s in left if not stuck.intersection(s.value)]
        if len(kept) == len(left):
            return kept
        left = kept


def system(found: Sequence[Summand]) -> str:
    """SMT-LIB text: weights >= 0, those of equations free, that cancel every monomial; some positive summand counts."""
    rows: dict[Monomial, list[str]] = defaultdict(list)
    lines = ["(set-logic QF_LRA)"]
    for i, s in enumerate(found):
        lines.append(f"(declare-const w{i} Real)")
        if s.operator == "product":
            lines.append(f"(assert (<= 0.0 w{i}))")
        for m, c in s.value.items():
            rows[m].append(f"(* {literal(c, real=True)} w{i})")
    lines += [f"(assert (= 0.0 (+ 0.0 {' '.join(row)})))" for row in rows.values()]
    positive = " ".join(f"w{i}" for i, s in enumerate(found) if s.positive)
    return "\n".join([*lines, f"(assert (= 1.0 (+ 0.0 {positive})))", "(check-sat)", ""])
