"""What was drawn for one set of parameters, read from the record of its chunks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from refdp.auditing.evidence.sampler_tests import SamplerVerdict
from refdp.auditing.evidence.tallies import Tally
from refdp.auditing.judges.law.reading import Case


@dataclass(frozen=True, slots=True)
class History:
    """What was drawn for one set of parameters: the tallies of the parts, and how it ended."""

    case: Case
    parts: tuple[Tally, ...]
    fresh: int
    """How many of the parts are of the last chunk."""
    begun: tuple[Sequence[Sequence[str]], ...]
    stopped: str

    @staticmethod
    def of(case: Case, chunks: Sequence[Mapping[str, Any]]) -> History:
        """The history of one set; what follows a chunk that was stopped does not count."""
        parts: list[Tally] = []
        stopped, fresh, begun = "", 0, []
        for chunk in chunks:
            new = [tally_of(part) for part in chunk["parts"]]
            parts, fresh, stopped = parts + new, len(new), chunk["stopped"]
            begun.append(chunk["begun"])
            if stopped:
                break
        return History(case, tuple(parts), fresh, tuple(begun), stopped)

    def looks(self) -> list[Tally]:
        """The tally at each look."""
        found: list[Tally] = []
        for part in self.parts:
            found.append(found[-1] + part if found else part)
        return found

    def ends(self, last: bool = False) -> int | None:
        """The draws at the first look, or the first of the last chunk, at which the verdict is FAIL or ERROR."""
        known = self.looks()
        for at in known[len(known) - self.fresh :] if last else known:
            if self.case.law.test.is_over(at):
                return at.draws
        return None

    def verdict(self) -> SamplerVerdict:
        """The verdict at the first look that ends it, else at the last one."""
        test, looks, at = self.case.law.test, self.looks(), self.ends()
        return test.judge(next((tally for tally in looks if tally.draws == at), looks[-1] if looks else test.empty))


def tally_json(found: Tally) -> dict[str, Any]:
    """A tally as JSON; the counts of a view as one text."""
    counts = [" ".join(map(str, view)) for view in found.counts]
    return {"counts": counts, "impossible": dict(found.impossible), "malformed": dict(found.malformed)}


def tally_of(data: Mapping[str, Any]) -> Tally:
    """The tally that the JSON stands for."""
    counts = tuple(tuple(map(int, view.split())) for view in data["counts"])
    return Tally(counts, dict(data["impossible"]), dict(data["malformed"]))
