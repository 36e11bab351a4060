"""Judging a foreign accountant: its answers beside certified two-sided bounds of the same composition."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refdp.accounting.judging.asking import TIMEOUT, Events, asked
from refdp.accounting.judging.laws import Broken, broken_laws
from refdp.accounting.judging.questions import answered, check, is_pair, put, standing
from refdp.accounting.judging.readings import at_least, at_most, decimal
from refdp.accounting.judging.truth import WIDTH, truth_of
from refdp.accounting.judging.variants import written
from refdp.accounting.judging.verdicts import ORDER, ROUNDING, TIGHT, Allowance, Finding, Truth, Verdict, findings


@dataclass(frozen=True, slots=True)
class Audit:
    """The verdicts on one accountant's answers about one composition."""

    name: str
    events: str
    neighbours: str
    findings: tuple[Finding, ...]
    laws: tuple[Broken, ...]
    trusts: frozenset[str]
    seconds: float

    @property
    def verdict(self) -> Verdict:
        """The worst of the verdicts."""
        return min((finding.verdict for finding in self.findings), key=ORDER.index)

    @property
    def claim(self) -> str:
        """What was judged, as a sentence."""
        kinds = dict.fromkeys("epsilon(delta)" if f.kind == "epsilon" else "delta(epsilon)" for f in self.findings)
        return f"{self.name} bounds {' and '.join(kinds)} of {self.events} under neighbours = {self.neighbours}"

    def target(self) -> dict[str, Any]:
        """The object that `refdp audit --json` lists under "targets"; numbers that carry a claim are text."""
        worst = next(finding for finding in self.findings if finding.verdict == self.verdict)
        unsure = {"reason": worst.sentence} if self.verdict in ("UNKNOWN", "ERROR") else {}
        return {
            "target": self.name,
            "verdict": self.verdict,
            "claim": self.claim,
            **unsure,
            "answers": [_finding(finding) for finding in self.findings],
            "laws": [law.as_json() for law in self.laws],
            "trusts": sorted(self.trusts),
            "seconds": round(self.seconds, 3),
        }

    def __str__(self) -> str:
        lines = [f"{self.verdict}: {self.claim}"]
        lines += map(_line, self.findings)
        return "\n".join([*lines, *(f"  {law}" for law in self.laws)])


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


def _finding(finding: Finding) -> dict[str, Any]:
    """A finding as an object of JSON; bounds are rounded outward."""
    asked_about = {"delta" if finding.kind == "epsilon" else "epsilon": decimal(finding.at)}
    return {
        **asked_about,
        "side": finding.side,
        "answer": finding.answer,
        "certified": {"lower": at_least(finding.truth[0]), "upper": at_most(finding.truth[1])},
        "verdict": finding.verdict,
        "by": {"lower": at_least(finding.by[0], 6), "upper": at_most(finding.by[1], 6)},
        "relative": at_least(finding.relative, 6),
        "sentence": finding.sentence,
        "seconds": round(finding.seconds, 3),
    }


def _line(finding: Finding) -> str:
    """A finding as a line to read."""
    if isinstance(finding.said, str):
        return f"  {finding.verdict}: {finding.asked}: {finding.sentence}"
    relation = "<=" if finding.side == "upper" else ">="
    return f"  {finding.verdict}: {finding.asked} {relation} {finding.answer}; {finding.sentence}"
