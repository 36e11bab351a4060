"""Judging a foreign accountant: its answers beside certified two-sided bounds of the same composition."""

from __future__ import annotations

import time
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from refdp.accounting.judging.asking import TIMEOUT, Events, asked
from refdp.accounting.judging.laws import broken_laws
from refdp.accounting.judging.questions import answered, check, is_pair, put, standing
from refdp.accounting.judging.report import Audit
from refdp.accounting.judging.truth import WIDTH, truth_of
from refdp.accounting.judging.variants import written
from refdp.accounting.judging.verdicts import ROUNDING, TIGHT, Allowance, Truth, findings


def audit_accountant(
    foreign: Any,
    events: Events | Any | None = None,
    deltas: Iterable[object] = (),
    *,
    epsilons: Iterable[object] = (),
    neighbours: object = None,
    name: str | None = None,
    width: Fraction = WIDTH,
    timeout: float = TIMEOUT,
    rounding: Fraction = ROUNDING,
    tight: Fraction = TIGHT,
    laws: bool = False,
    truth: Truth | None = None,
) -> Audit:
    """Each answer of an accountant beside the certified bounds of epsilon at that delta, or of delta at that epsilon.

    `foreign` is a class, a factory or an instance with compose, get_epsilon and get_delta; or a callable
    (events, delta) -> epsilon, or (events, epsilon) -> delta where `epsilons` are given.  It may answer with a number,
    with (lower, upper), or with (lower, estimate, upper).  An instance is judged by its `ledger` if `events` is None;
    otherwise the events are composed onto a copy of it.  An item of `events` is an event or a pair (event, count).

    UNSOUND is certified: the truth is greater than the answer by more than `rounding` of the answer (0: by anything).
    LOOSE: sound, and beyond the truth by more than `tight` of it.  TIGHT: sound within that, or short of the truth by
    at most `rounding`.  SOUND: sound; how tight is not decided.  ERROR: no number, a negative one, or infinity
    where the truth is finite.  UNKNOWN: certified bounds do not decide.

    `timeout`: seconds for each answer, and for all of refdp's own work; `width`: of its bounds, at first.

    Questions are put as floats, and the truth is that at the very same float.
    Raises: QuestionError; Unanswerable; LossError and NoTheorem for events that refdp itself refuses.
    """
    start, who = time.monotonic(), asked(foreign, name)
    if events is None:
        who, events = standing(foreign, who)
    given = list(events) if isinstance(events, list | tuple) and not is_pair(events) else [events]
    questions = put(deltas, "epsilon") + put(epsilons, "delta")
    check(who, questions)
    beside = truth or truth_of(given, neighbours, width, timeout, questions)
    replies = answered(who, given, questions, timeout)
    allowance = Allowance(Fraction(rounding), Fraction(tight))
    found = [f for q, reply in replies for f in findings(*q.exactly, reply, beside, allowance)]
    asked_for = [q.at for q in questions if q.kind == "epsilon"]
    broken = broken_laws(who, given, asked_for, timeout=timeout, truth=beside) if laws else []
    text, relation = ", ".join(map(written, given)), str(getattr(neighbours, "name", neighbours))
    taken = time.monotonic() - start
    return Audit(who.name, text, relation, tuple(found), tuple(broken), beside.trusts, taken)
