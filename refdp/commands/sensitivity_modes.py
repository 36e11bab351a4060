"""`refdp sensitivity`: what can be asked besides how far exact answers move between any two neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from refdp.commands import local_sensitivity, machine_sensitivity, score_sensitivity
from refdp.commands.values import written
from refdp.sensitivities.request import Request

MACHINE = "arithmetic, of a machine"
BELONGS = {
    "sum": MACHINE, "rows_at_most": MACHINE, "rows_at_least": MACHINE, "specials": MACHINE, "candidates": "score",
    "smooth": "statistic or smooth_bound", "empty": "statistic",
}  # fmt: skip
"""What each option says something about: without that it would say nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mode:
    """At most one of: at one table, a smooth bound, a score function, a machine."""

    at: str | None = None
    smooth: object = None
    statistic: str | None = None
    empty: object = None
    smooth_bound: str | None = None
    score: str | None = None
    candidates: str | None = None
    arithmetic: str = "exact"
    total: str = "python"
    maximum_rows: int | None = None
    minimum_rows: int = 0
    specials: bool = False

    def __post_init__(self) -> None:
        given = {
            "arithmetic": self.arithmetic != "exact", "score": self.score, "smooth_bound": self.smooth_bound,
            "statistic": self.statistic, "at": self.at and not self.statistic,
        }  # fmt: skip
        if len(chosen := [name for name, value in given.items() if value]) > 1:
            raise ValueError(f"only one of {', '.join(given)} can be asked about at a time, got {' and '.join(chosen)}")

        is_machine = given["arithmetic"]
        idle = {
            "sum": self.total != "python" and not is_machine,
            "rows_at_most": self.maximum_rows is not None and not is_machine,
            "rows_at_least": self.minimum_rows != 0 and not is_machine,
            "specials": self.specials and not is_machine,
            "candidates": self.candidates is not None and self.score is None,
            "smooth": self.smooth is not None and not self.is_smooth,
            "empty": self.empty is not None and self.statistic is None,
        }
        for name in (name for name, value in idle.items() if value):
            raise ValueError(f"{name} must be given with {BELONGS[name]}, got it alone")

    @property
    def is_machine(self) -> bool:
        return self.arithmetic != "exact"

    @property
    def is_smooth(self) -> bool:
        return self.statistic is not None or self.smooth_bound is not None

    @property
    def chosen(self) -> bool:
        """Whether anything of this is asked."""
        return self.is_machine or self.is_smooth or self.score is not None or self.at is not None

    def judged(self, asked: Request, certificates: str | Path | None, timeout: float, run: bool) -> dict[str, Any]:
        """The judgement of what is asked."""
        if self.score is not None:
            return score_sensitivity.score(asked, self.score, self.candidates, certificates, timeout, run)
        if self.is_machine:
            return machine_sensitivity.machine(
                asked, self.arithmetic, self.total, maximum_rows=self.maximum_rows, minimum_rows=self.minimum_rows,
                timeout=timeout, specials=self.specials, certificates=certificates,
            )  # fmt: skip
        insist_on_no_more(asked, is_statistic=self.statistic is not None)
        if self.is_smooth:
            return self.smoothed(asked, certificates, timeout)
        return local_sensitivity.local(asked, self.at or "", timeout)

    def smoothed(self, asked: Request, certificates: str | Path | None, timeout: float) -> dict[str, Any]:
        """A smooth bound of a statistic at a table, or whether a function is one everywhere."""
        if self.smooth is None or (self.statistic is not None and self.at is None):
            raise ValueError("smooth must be given, the beta of the bound, and with a statistic also at, the table")
        beta = written(self.smooth, "smooth")
        if self.smooth_bound is not None:
            return local_sensitivity.own(asked, self.smooth_bound, beta, timeout)
        empty = None if self.empty is None else written(self.empty, "empty")
        return local_sensitivity.smooth(self.statistic or "", asked, self.at or "", beta, empty, certificates, timeout)


def insist_on_no_more(asked: Request, is_statistic: bool) -> None:
    """ValueError where something is said that a question about one table, or about smooth bounds, does not look at."""
    edits = None if asked.edits == 1 else asked.edits
    said = {"claim": asked.claim, "edits": edits, "tables": asked.tables, "assume": asked.assume}
    if is_statistic:
        norm = None if asked.norm == "L1" else asked.norm
        said |= {"norm": norm, "set": ", ".join(asked.values) or None, "symbol": ", ".join(asked.symbols) or None}
    for name in (name for name, value in said.items() if value is not None):
        raise ValueError(f"{name} must be left out at one table and for smooth bounds, got {said[name]}")
