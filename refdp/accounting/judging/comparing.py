"""Accountants beside each other: an upper bound of one below a lower bound of another proves one of them wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import permutations
from typing import Any

from refdp.accounting.judging.asking import TIMEOUT, Events, Failure, ask, asked
from refdp.accounting.judging.laws import Broken, Said
from refdp.accounting.judging.readings import Answer
from refdp.accounting.judging.variants import written
from refdp.accounting.judging.verdicts import Truth

LAW = "no upper bound is below another accountant's lower bound"


def contradictions(
    foreigns: Mapping[str, Any],
    events: Events,
    deltas: Iterable[float],
    *,
    timeout: float = TIMEOUT,
    truth: Truth | None = None,
) -> list[Broken]:
    """Pairs of accountants, asked the same under the same neighbouring relation, that cannot both be right.

    Only accountants that give lower bounds contradict others; refdp's certified bounds, given as `truth`, are one.
    """
    text = ", ".join(map(written, events))
    who = {name: asked(foreign, name) for name, foreign in foreigns.items()}
    found = list[Broken]()
    for delta in deltas:
        said = {name: ask(one, events, "epsilon", delta, timeout).said for name, one in who.items()}
        answers = {name: one for name, one in said.items() if not isinstance(one, Failure)}
        if truth is not None:
            lower, upper = truth.bounds("epsilon", Fraction(delta))
            answers["refdp"] = Answer(upper, lower)
        found += _contradicting(answers, text, Fraction(delta))
    return found


def _contradicting(answers: Mapping[str, Answer], text: str, delta: Fraction) -> Iterator[Broken]:
    for (one, a), (other, b) in permutations(answers.items(), 2):
        if b.lower is not None and a.upper < b.lower:
            upper = Said(f"{text} (upper bound of {one})", delta, a.upper)
            yield Broken(LAW, upper, Said(f"{text} (lower bound of {other})", delta, b.lower), equality=False)
