"""How narrow and how fast accounts are, beside other accountants run in the same minute.

    python -m benchmarks.accounting [--quick] [--slow] [--answers]

prints Markdown.  Every run is a process of its own; seconds are those of its processor, medians of several runs where a
run is short, loading not included.  `--slow` adds what takes dp_accounting more than half a minute, `--answers` what
the others answer, less the truth.
"""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from importlib import metadata
from math import isqrt
from pathlib import Path
from typing import Any

from benchmarks.cells import certified, said, seconds, table
from benchmarks.measuring import measured
from benchmarks.peers import PRV_ERROR
from benchmarks.schedules import SCHEDULES, SMALL

SPECS = Path(__file__).resolve().parent / "specs"
DELTAS = ("1e-6", "1e-12", "1e-20")
ANCHORS = ("a_gaussian", "b_laplace", "c_sampled_gaussian", "d_randomised_response", "e_heterogeneous",
           "f_discrete_gaussian")  # fmt: skip
INTERVALS = {"1e-4": 1e-4, "1e-5": 1e-5}
"""Widths of the cells of dp_accounting."""
SLOW = {("e_heterogeneous", "1e-5")}
"""What takes dp_accounting more than half a minute."""
LONG = (
    ("twenty_sampled_gaussians", "1e-4", "1e-4 in 10 s"),
    ("twenty_sampled_gaussians", "1e-9", "1e-9"),
    ("million_sampled_gaussians", "1e-9", "1e-9 in 5 s"),
)
"""Other cases: the width that is asked for, and the seconds that it may take."""
COUNTS = (10, 100, 1000, 10_000, 100_000, 1_000_000)
OTHERS = ("dp-accounting", "prv-accountant")
REFDP = ("epsilon at most", "width", "s", "engine")
GRIDS = tuple(cell for h in INTERVALS for cell in (f"dp_accounting h={h}", "s"))
ANCHOR_COLUMNS = ("case", "delta", *REFDP, *GRIDS, f"prv_accountant +-{PRV_ERROR}", "s")
OTHER_COLUMNS = ("case", "delta", "asked for", *REFDP, *GRIDS)
FLAGS = ("--quick", "--slow", "--answers")
GROWTH_COLUMNS = ("mechanism", "k", *REFDP, "MB")
CASE_COLUMNS = ("case", "asked for", *REFDP, "dp_accounting h=1e-4", "s", "MB")
MOST_BESIDE = 200
"""Of more events dp_accounting is asked with `--slow` only."""
PATIENCE = 1800.0
"""Seconds on the clock after which a case is given up."""
LIMIT = 10.0
"""Seconds that refdp may take for a row of the table over counts."""


def spec(name: str) -> dict[str, Any]:
    """A document of the folder."""
    found: dict[str, Any] = json.loads((SPECS / f"{name}.json").read_text(encoding="utf-8"))
    return found


def anchors(runs: int, deltas: Sequence[str], slow: bool) -> Iterator[Sequence[str]]:
    """A row for each case and delta."""
    for name in ANCHORS:
        document = spec(name)
        grids = {
            h: measured({"who": "dp_accounting", "spec": document, "deltas": deltas, "interval": width}, runs)
            for h, width in INTERVALS.items()
            if version_of("dp-accounting") and (slow or (name, h) not in SLOW)
        }
        for place, delta in enumerate(deltas):
            job = {"spec": document, "deltas": [delta]}
            found = measured({**job, "who": "refdp"}, runs)
            other = measured({**job, "who": "prv_accountant"}, runs) if version_of("prv-accountant") else None
            yield [name.replace("_", " ", 1), delta, *row(found, [grids.get(h) for h in INTERVALS], other, place)]


def row(
    found: dict[str, Any], grids: Sequence[dict[str, Any] | None], other: dict[str, Any] | None, place: int
) -> Iterator[str]:
    """The cells of one question: refdp's, then the errors and seconds of the others."""
    if "error" in found:
        yield from (found["error"], *["-"] * (2 * len(grids) + 5))
        return
    answer = certified(found)
    yield from (answer.shown, answer.width, seconds(found), answer.engine)
    for grid in grids:
        yield said(grid, lambda g: answer.error(g["answers"][place]))
        yield seconds(grid, found)
    yield said(other, lambda o: answer.errors(*o["answers"][0]))
    yield seconds(other, found)


def others(deltas: Sequence[str]) -> Iterator[Sequence[str]]:
    """A row for each question about the cases with few and with many runs, and dp_accounting's answers."""
    for name, width, wish in LONG:
        document = spec(name)
        job = {"who": "dp_accounting", "spec": document, "deltas": deltas}
        grids = [
            measured({**job, "interval": h}, 1) if version_of("dp-accounting") else None for h in INTERVALS.values()
        ]
        for place, delta in enumerate(deltas):
            found = measured({"who": "refdp", "spec": document, "deltas": [delta], "width": width}, 1)
            yield [name.replace("_", " "), delta, wish, *row(found, grids, None, place)][:-2]


def cases(listed: Sequence[tuple[str, dict[str, Any], str]], slow: bool) -> Iterator[Sequence[str]]:
    """A row for each case: refdp's answer at delta = 10^-6, and dp_accounting's with the wider cells."""
    for name, document, width in listed:
        runs = bool(version_of("dp-accounting")) and (slow or len(document["events"]) <= MOST_BESIDE)
        job = {"who": "dp_accounting", "spec": document, "deltas": DELTAS[:1], "interval": INTERVALS["1e-4"]}
        grid = measured(job, 1, PATIENCE) if runs else None
        found = measured(
            {"who": "refdp", "spec": document, "deltas": DELTAS[:1], "width": width, "timeout": 300.0}, 1, PATIENCE
        )
        memory = "-" if "error" in found else f"{found['memory']:.0f}"
        yield [name, width, *list(row(found, [grid], None, 0))[:-2], memory]


def sizes() -> dict[str, Callable[[int], dict[str, Any]]]:
    """Mechanism -> the event that is run k times, with noise that grows like sqrt(k), so that epsilon stays alike."""
    return {
        "gaussian": lambda k: {"mechanism": "gaussian", "sigma": str(root(k) * 2)},
        "laplace": lambda k: {"mechanism": "laplace", "scale": str(root(k))},
        "pure": lambda k: {"mechanism": "pure", "epsilon": str(1 / root(k))},
        "discrete_gaussian": lambda k: {"mechanism": "discrete_gaussian", "sigma": str(isqrt(k))},
        "sampled gaussian": lambda k: {
            "mechanism": "gaussian",
            "sigma": "1",
            "sampling": {"scheme": "poisson", "rate": str(Fraction(3, 10) / root(k))},
        },
    }


def root(k: int) -> Fraction:
    """A number near sqrt(k), with a digit behind the point."""
    return Fraction(isqrt(100 * k), 10)


def growth(runs: int, counts: Sequence[int]) -> Iterator[Sequence[str]]:
    """A row for each mechanism and count."""
    for name, event in sizes().items():
        for k in counts:
            document = {"neighbours": "add_remove", "events": [event(k) | {"count": k}]}
            found = measured({"who": "refdp", "spec": document, "deltas": ["1e-6"], "timeout": LIMIT}, runs)
            memory = "-" if "error" in found else f"{found['memory']:.0f}"
            yield [name, f"{k:.0e}".replace("e+0", "e"), *list(row(found, (), None, 0))[:4], memory]


def machine() -> str:
    """Where the numbers come from."""
    versions = [f"{name} {found}" for name in ("python-flint", *OTHERS, "numpy") if (found := version_of(name))]
    return f"{platform.machine()}, {processor()}, Python {platform.python_version()}, {', '.join(versions)}"


def version_of(package: str) -> str | None:
    """The version of a package, None if it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def processor() -> str:
    """The model of the processor, where the system tells."""
    cpus = Path("/proc/cpuinfo")
    lines = cpus.read_text(encoding="utf-8").splitlines() if cpus.exists() else []
    found = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return found[0] if found else platform.processor() or "processor unknown"


def show(columns: Sequence[str], rows: Iterator[Sequence[str]], answers: bool) -> None:
    """Print the table; without the others' answers, their seconds alone, under their names."""
    if answers:
        table(columns, rows)
        return
    hidden = [place for place, name in enumerate(columns) if "accountant" in name or "dp_accounting" in name]
    names = [columns[place - 1] if place - 1 in hidden else name for place, name in enumerate(columns)]
    kept = [place for place in range(len(columns)) if place not in hidden]
    seen = [f"{names[place]}, s" if names[place] != columns[place] else names[place] for place in kept]
    table(seen, ([cells[place] if place < len(cells) else "" for place in kept] for cells in map(list, rows)))


def main(arguments: Sequence[str]) -> None:
    """Print the tables."""
    quick, slow, answers = (flag in arguments for flag in FLAGS)
    runs = 1 if quick else 3
    print(f"{machine()}\n")
    for package in OTHERS:
        if version_of(package) is None:
            print(f"{package} is not installed, and was not run.\n")
    print("## Anchors\n")
    show(ANCHOR_COLUMNS, anchors(runs, DELTAS[:1] if quick else DELTAS, slow), answers)
    print("## Few and many\n")
    show(OTHER_COLUMNS, others(DELTAS[:2] if quick else DELTAS), answers)
    print("## Schedules\n")
    show(CASE_COLUMNS, cases(SCHEDULES[:2] if quick else SCHEDULES, slow), answers)
    print("## Small products\n")
    show(CASE_COLUMNS, cases(SMALL[:2] if quick else SMALL, slow), answers)
    print("## Growth\n")
    table(GROWTH_COLUMNS, growth(runs, COUNTS[::2] if quick else COUNTS))


if __name__ == "__main__":
    if not set(sys.argv[1:]) <= set(FLAGS):
        sys.exit("usage: python -m benchmarks.accounting [--quick] [--slow] [--answers]")
    main(sys.argv[1:])
