"""Pictures of a sampler's counts: wealth, and the empirical distribution function beside the exact one."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import exp, log, sqrt

from refdp.auditing.evidence import cells
from refdp.auditing.evidence.sampler_tests import Outcome, SamplerTest, SamplerVerdict
from refdp.auditing.evidence.tallies import Tally
from refdp.auditing.judges import drawing
from refdp.auditing.judges.law.histories import History
from refdp.auditing.judges.result import Counterexample, Difference, Evidence, LedgerLine, Wealth
from refdp.laws import Law

BAND = Fraction(1, 1000)
"""The error of the simultaneous band, over all points and all looks."""


def evidence_of(
    histories: Sequence[History], told: Sequence[SamplerVerdict], place: int, found: Counterexample | None = None
) -> Evidence:
    """What a report draws of one set, and the ledger of all."""
    history = histories[place]
    looks = [at for at in history.looks() if at.draws <= told[place].draws]
    test = history.case.law.test
    lines = [_line(h, v) for h, v in zip(histories, told, strict=True)]
    if not looks or looks[-1].malformed:
        return Evidence(found, ledger=tuple(lines))
    return Evidence(found, wealth=_wealth(test, looks), difference=difference(history, looks[-1]), ledger=tuple(lines))


def _line(history: History, verdict: SamplerVerdict) -> LedgerLine:
    law, e = history.case.law, verdict.e_value.log10
    proof = verdict.outcome is Outcome.FAIL and verdict.error == 0
    told = "infinite: an impossible value" if proof else f"{float(e):.3f}"
    return LedgerLine(history.case.label, f"draws of {law.name}", str(law.test.alpha), verdict.draws, told)


def _wealth(test: SamplerTest, looks: Sequence[Tally]) -> Wealth:
    """About log10 of the e-value at each look."""
    logs = [_rough(test, at) / log(10) for at in looks]
    return Wealth((0, *(at.draws for at in looks)), (0.0, *logs), -log(test.alpha) / log(10))


def _rough(test: SamplerTest, at: Tally) -> float:
    """About ln of the e-value, in floats."""
    found = []
    for view, counts in zip(test.views, at.counts, strict=True):
        found += [x + log(view.weight) for x in view.process.rough(counts)]
    top = max(found)
    return top + log(sum(exp(x - top) for x in found))


def difference(history: History, at: Tally) -> Difference | None:
    """Empirical minus exact distribution function at the ends of the cells, in floats.

    The half width of the band is that of Dvoretzky, Kiefer, Wolfowitz and Massart, sqrt(ln(2 / error) / (2 n)), at an
    error split equally over the looks, so that it holds at whichever look the drawing ended.
    """
    law, counts = history.case.law.reference, at.counts[0]
    n = sum(counts)
    if law.line is None or n == 0:
        return None
    points, empirical, exact = [], 0, []
    for i, end in enumerate(_ends(law.line, law.location)):
        empirical += counts[i]
        points.append(float(law.location + law.granularity * end))
        exact.append(empirical / n - distribution(law.line, end))
    planned = len(list(drawing.looks(history.case.goal))) + 64  # chunks have looks of their own at their ends
    band = sqrt(log(2 * planned / BAND) / (2 * n))
    return Difference(tuple(points), tuple(exact), band, "0.999, over all points and looks")


def _ends(line: Law, location: Fraction) -> Sequence[Fraction]:
    """Where the cells of the line end."""
    return cells.line(line, location=Fraction(0) if line.lattice else location).ends


def distribution(line: Law, at: Fraction) -> float:
    """About P[X <= at]."""
    return min(1.0, max(0.0, line.below(at)))
