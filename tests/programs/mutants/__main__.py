"""`python -m tests.programs.mutants [SECONDS]`: what `refdp prove` says of every mutant, and the counts.

A mutant that is wrong must not be proved, one that is still right must not be refuted, and a repaired program must be
proved.  The exit code is 1 if any of this fails.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby

from tests.programs.mutants.judging import MUTANTS, Found, found
from tests.programs.mutants.late import LATE
from tests.programs.mutants.repairs import REPAIRS

SECONDS = 10.0
FORBIDDEN = {"wrong": ("PROVED",), "right": ("REFUTED",), "repaired": ("REFUTED", "UNKNOWN")}


@dataclass
class Tally:
    """How often what was found about what, and what must not have been."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def add(self, kind: str, name: str, one: Found) -> None:
        """Count one, and print it."""
        self.counts[kind, one.verdict] += 1
        failed = one.verdict in FORBIDDEN[kind]
        if failed:
            self.failures.append(f"{name}: {one.verdict} {one.reason}")
        where = f"n = {one.n}" if one.verdict == "REFUTED" else ""
        print(f"  {kind:9}{one.verdict:9}{where:7} {name}{'  WRONG VERDICT' if failed else ''}", flush=True)

    def line(self, kind: str) -> str:
        """The counts of one kind."""
        proved, refuted, unknown = (self.counts[kind, v] for v in ("PROVED", "REFUTED", "UNKNOWN"))
        return f"{proved + refuted + unknown} ({proved} proved, {refuted} refuted with a witness, {unknown} unknown)"


def report(seconds: float) -> Iterator[str]:
    """The failures, after everything was printed."""
    tally = Tally()
    for function, group in groupby(sorted(MUTANTS, key=lambda one: one.function), lambda one: one.function):
        print(function)
        for one in group:
            tally.add("right" if one.holds else "wrong", one.change, found(one.question, seconds))
    print("wrong only for many data")
    for late in LATE:
        tally.add("wrong", f"{late.name}, from n = {late.first} on at the earliest", found(late.question, seconds))
    print("repaired")
    for one in REPAIRS:
        tally.add("repaired", one.name, found(one.question, seconds))
    print(f"mutants that are wrong: {tally.line('wrong')}")
    print(f"mutants that are still right: {tally.line('right')}")
    print(f"programs that were repaired: {tally.line('repaired')}")
    yield from tally.failures


if __name__ == "__main__":
    failed = list(report(float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS))
    print(*failed or ["every verdict is as it must be"], sep="\n")
    sys.exit(bool(failed))
