"""The section of a run's statements at the end of pytest's output."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from refdp.testing.findings import PASS, decimal
from refdp.testing.settings import Settings
from refdp.testing.writing import shown

Target = Mapping[str, Any]
FEW = 20
"""So many statements that passed are listed without -v."""


def summary(settings: Settings, targets: Sequence[Target], verbosity: int) -> list[str]:
    """A title and lines: what failed or was not decided, what passed with its power, and where the report is."""
    if not targets:
        return []
    passed = [t for t in targets if t["outcome"] == PASS]
    listed = [line(t) for t in targets if t["outcome"] != PASS]
    if verbosity > 0 or verbosity == 0 and len(passed) <= FEW:
        listed += [line(t) for t in passed]
    elif passed:
        listed.append(f"PASS: {counted(len(passed))}; -v says with what power")
    listed += [f"written: {shown(place)}" for place in settings.reports]
    return [title(settings, targets), *listed]


def counted(number: int) -> str:
    """So many statements.

    >>> counted(1), counted(2)
    ('1 statement', '2 statements')
    """
    return f"{number} statement{'' if number == 1 else 's'}"


def title(settings: Settings, targets: Sequence[Target]) -> str:
    """How many statements there were, and how much of alpha they spent."""
    spent = sum((Fraction(t["alpha"]) for t in targets), Fraction(0))
    counts = ", ".join(f"{n} {word}" for word, n in Counter(t["outcome"] for t in targets).items())
    alpha = f"alpha spent {decimal(spent)} of {decimal(settings.budget)}" if spent else "no statistics"
    return f"refdp: {counted(len(targets))} ({counts}), {alpha}, profile {settings.profile}, seed {settings.seed}"


def line(target: Target) -> str:
    """A statement in one line."""
    mutants, sentence = target["mutants"], target["told"].partition("\n")[0]
    caught = f" Mutants caught: {sum(m['caught'] for m in mutants)} of {len(mutants)}." if mutants else ""
    return f"{target['outcome']} {target['target']}: {target['statement']}: {sentence}{caught}"
