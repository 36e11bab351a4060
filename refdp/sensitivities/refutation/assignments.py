"""Values of the symbols under which the assumption holds."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction

from refdp.logic.asking import satisfiable
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.limits import holds
from refdp.sensitivities.question import SIZE
from refdp.sensitivities.records import Concrete
from refdp.sensitivities.refutation.interesting import diagonal
from refdp.terms.leaves import rational
from refdp.terms.operations import conjunction, equal, negation
from refdp.terms.term import Term

SIMPLE = (*map(Fraction, (1, 0, 2, -1, 10)), Fraction(1, 2), *map(Fraction, (3, 5, -10, 100)))


def assignments(declaration: Declaration, known: Sequence[Fraction], most: int) -> list[dict[str, Fraction]]:
    """Values of the symbols under which the assumption holds for some number of rows, simple ones first."""
    names = [(name, sort) for name, sort in declaration.symbolic.items() if sort != "Bool"]
    if len(names) < len(declaration.symbolic):
        return []
    if not names:
        return [{}]
    choices: list[list[Concrete]] = []
    for _, sort in names:
        pool = dict.fromkeys((*SIMPLE[:6], *known, *SIMPLE[6:]))
        choices.append([c for c in pool if sort == "Real" or c.denominator == 1])
    found: list[dict[str, Fraction]] = []
    for chosen in itertools.islice(diagonal(choices), 5_000):
        one = {name: Fraction(p) for (name, _), p in zip(names, chosen, strict=True) if isinstance(p, Fraction)}
        if _is_assumed(declaration, one):
            found.append(one)
        if len(found) >= most:
            return found
    return found or _models(declaration)


def _is_assumed(declaration: Declaration, one: Mapping[str, Fraction]) -> bool:
    """Whether the assumption holds for tables of some small size."""
    symbols = {symbol: one[str(symbol.value)] for symbol in declaration.parameters}
    return any(holds(declaration.assumption, {SIZE: Fraction(n), **symbols}) for n in (0, 1, 2, 3, 5))


def _models(declaration: Declaration) -> list[dict[str, Fraction]]:
    """Values that a solver finds."""
    found: list[dict[str, Fraction]] = []
    different: list[Term] = []
    for _ in range(3):
        reply = satisfiable("z3", (declaration.assumption, *different), 1.0)
        if not reply.models:
            break
        values = {**dict.fromkeys(declaration.parameters, Fraction(0)), **reply.models[0]}
        found.append({str(symbol.value): Fraction(values[symbol]) for symbol in declaration.parameters})
        same = (equal(symbol, rational(Fraction(values[symbol]))) for symbol in declaration.parameters)
        different.append(negation(conjunction(*same)))
    return found
