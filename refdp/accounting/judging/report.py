"""What an audit of an accountant found: to read, and as the JSON object of one target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from refdp.accounting.judging.laws import Broken
from refdp.accounting.judging.readings import at_least, at_most, decimal
from refdp.accounting.judging.verdicts import Finding, Verdict

ORDER: tuple[Verdict, ...] = ("UNSOUND", "ERROR", "UNKNOWN", "LOOSE", "SOUND", "TIGHT")
"""From the worst verdict to the best."""


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


def _finding(finding: Finding) -> dict[str, Any]:
    """A finding as an object of JSON; bounds are rounded outward."""
    asked_about = {"delta" if finding.kind == "epsilon" else "epsilon": decimal(finding.at)}
    said = finding.said if isinstance(finding.said, str) else decimal(finding.said)
    return {
        **asked_about,
        "side": finding.side,
        "answer": said,
        "certified": {"lower": at_least(finding.truth[0]), "upper": at_most(finding.truth[1])},
        "verdict": finding.verdict,
        "by": {"lower": at_least(finding.by[0], 6), "upper": at_most(finding.by[1], 6)},
        "relative": at_least(finding.relative, 6),
        "sentence": finding.sentence,
        "seconds": round(finding.seconds, 3),
    }


def _line(finding: Finding) -> str:
    """A finding as a line to read."""
    about = f"epsilon({decimal(finding.at)})" if finding.kind == "epsilon" else f"delta({decimal(finding.at)})"
    if isinstance(finding.said, str):
        return f"  {finding.verdict}: {about}: {finding.sentence}"
    relation = "<=" if finding.side == "upper" else ">="
    return f"  {finding.verdict}: {about} {relation} {decimal(finding.said)}; {finding.sentence}"
