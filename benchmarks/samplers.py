"""How fast exact samples are drawn, beside OpenDP, the published algorithm and numpy's floats, in the same minute.

    python -m benchmarks.samplers [--quick]

prints Markdown.  Every call is one that a user can make.  Times are those of the processor; samplers take turns, and
ratios are medians of those of each turn.
"""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import date
from statistics import median

from benchmarks.accounting import processor
from benchmarks.cells import table, times
from benchmarks.noises import FLOATS, LAWS, OPENDP, REFERENCE, THIS, Job, jobs, version_of
from benchmarks.other_draws import others

SCALES = (1, 10, 10**3, 10**6, 10**9)
COUNTS = (1_000_000, 10_000, 100, 1)
PEERS = (OPENDP, REFERENCE, FLOATS)
LEAST = 0.05
"""Seconds that a sampler is run in each turn, at least, after one run that is not counted."""
Turns = dict[str, list[float]]


def in_turns(samplers: dict[str, Job], turns: int) -> Turns:
    """Seconds a draw of each sampler in each turn."""
    repeats = {name: max(1, round(LEAST / max(seconds(job, 1), 1e-7))) for name, job in samplers.items()}
    found: Turns = {name: [] for name in samplers}
    for _ in range(turns):
        for name, job in samplers.items():
            job.run()
            found[name].append(seconds(job, repeats[name]) / repeats[name] / job.draws)
    return found


def seconds(job: Job, repeats: int) -> float:
    """The processor's seconds of so many runs."""
    start = time.process_time()
    for _ in range(repeats):
        job.run()
    return time.process_time() - start


def beside(found: Turns, name: str, unit: float) -> str:
    """A sampler's median time, and how many times as long as ours it is in the median turn."""
    if name not in found:
        return "-"
    shown = digits(median(found[name]) * unit)
    return shown if name == THIS else f"{shown} ({times(median(map(ratio, found[name], found[THIS])))} x)"


def ratio(other: float, own: float) -> float:
    """How many times as long."""
    return other / own


def digits(x: float) -> str:
    """Three digits or so."""
    return f"{x:.2g}" if x < 0.1 else f"{x:.2f}" if x < 10 else f"{x:.1f}" if x < 100 else f"{x:.0f}"


def noise(n: int, turns: int) -> Iterator[Sequence[str]]:
    """A row for each law and scale: nanoseconds a draw, n draws at a time."""
    for law in LAWS:
        for scale in SCALES:
            found = in_turns(jobs(law, scale, n), turns)
            yield [law, f"{scale:g}", *(beside(found, name, 1e9) for name in (THIS, *PEERS))]


def rest(turns: int, most: int) -> Iterator[Sequence[str]]:
    """A row for each other draw: microseconds."""
    for what, samplers in others(most):
        found = in_turns(samplers, turns)
        yield [what, *(beside(found, name, 1e6) for name in (THIS, OPENDP, FLOATS))]


def machine() -> str:
    """Where the numbers come from."""
    versions = [f"{name} {found}" for name in ("opendp", "numpy") if (found := version_of(name))]
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    python = f"Python {platform.python_version()}"
    return f"{date.today()}: {platform.machine()}, {processor()}, {python}, {', '.join(versions)}; load {load}"


def main(quick: bool) -> None:
    """Print the tables."""
    turns = 1 if quick else 5
    print(f"{machine()}\n")
    if version_of("opendp") is None:
        print("opendp is not installed, and was not run.\n")
    for n in COUNTS[2 if quick else 0 :]:
        print(f"### Nanoseconds a draw, {n} at a time\n")
        table(("law", "scale", THIS, *PEERS), noise(n, turns if n < 10**6 else min(turns, 3)))
    print("### Microseconds of other draws\n")
    table(("draw", THIS, OPENDP, FLOATS), rest(turns, 10_000 if quick else 1_000_000))


if __name__ == "__main__":
    if not set(sys.argv[1:]) <= {"--quick"}:
        sys.exit("usage: python -m benchmarks.samplers [--quick]")
    main("--quick" in sys.argv)
