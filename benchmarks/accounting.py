"""How narrow and how fast accounts are, beside other accountants run in the same minute.

    python -m benchmarks.accounting [--quick] [--slow]

prints Markdown.  Every run is a process of its own; seconds are those of its processor, medians of several runs where a
run is short, loading not included.  `--slow` adds what takes dp_accounting more than half a minute.
"""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import metadata
from math import isqrt
from pathlib import Path
from typing import Any

from benchmarks.measuring import measured
from benchmarks.peers import EPSILON_ERROR, installed

SPECS = Path(__file__).resolve().parent / "specs"
DELTAS = ("1e-6", "1e-12", "1e-20")
ANCHORS = ("a_gaussian", "b_laplace", "c_sampled_gaussian", "d_randomised_response", "e_heterogeneous",
           "f_discrete_gaussian")  # fmt: skip
INTERVALS = {"1e-4": 1e-4, "1e-5": 1e-5}
"""Widths of the cells of dp_accounting."""
SLOW = {("e_heterogeneous", "1e-5")}
"""What takes dp_accounting more than half a minute."""
LONG = {"twenty_sampled_gaussians": ("1e-4", 10), "million_sampled_gaussians": ("1e-9", 5)}
"""Other cases: the width that is asked for, and the seconds that it may take."""
COUNTS = (10, 100, 1000, 10_000, 100_000, 1_000_000)
LIMIT = 10.0
"""Seconds that refdp may take for a row of the table over counts."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What refdp says of one question."""

    lower: Fraction
    upper: Fraction
    engine: str
    reason: str | None

    def error(self, reported: float) -> str:
        """The reported epsilon less the certified one; in bold where it is less than the lower bound."""
        if reported == float("inf"):
            return "infinite"
        if Fraction(reported) < self.lower:
            return f"**-{size(self.lower - Fraction(reported))}**"
        return f"+{size(max(Fraction(0), Fraction(reported) - self.upper))}"


def size(x: Fraction) -> str:
    """Two digits of a number."""
    return f"{float(x):.1e}"


def table(columns: Sequence[str], rows: Iterator[Sequence[str]]) -> None:
    """Print a table, each row when it is known."""
    for row in (columns, ["---"] * len(columns)):
        print(f"| {' | '.join(row)} |")
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)
    print()


def spec(name: str) -> dict[str, Any]:
    """A document of the folder."""
    found: dict[str, Any] = json.loads((SPECS / f"{name}.json").read_text(encoding="utf-8"))
    return found


def certified(found: dict[str, Any]) -> Answer:
    """The only answer of a run of refdp."""
    (one,) = found["answers"]
    return Answer(Fraction(one["lower"]), Fraction(one["upper"]), one["engine"], one["reason"])


def seconds(found: dict[str, Any]) -> str:
    """How long a run took."""
    return "-" if "error" in found else f"{found['seconds']:.2f}"


def anchors(runs: int, deltas: Sequence[str], slow: bool) -> Iterator[Sequence[str]]:
    """A row for each case and delta."""
    for name in ANCHORS:
        document = spec(name)
        grids = {
            h: measured({"who": "dp_accounting", "spec": document, "deltas": deltas, "interval": width}, runs)
            for h, width in INTERVALS.items()
            if installed("dp_accounting") and (slow or (name, h) not in SLOW)
        }
        for place, delta in enumerate(deltas):
            job = {"spec": document, "deltas": [delta]}
            found = measured({**job, "who": "refdp"}, runs)
            other = measured({**job, "who": "prv_accountant"}, runs) if installed("prv_accountant") else None
            yield [name.replace("_", " ", 1), delta, *row(found, [grids.get(h) for h in INTERVALS], other, place)]


def row(
    found: dict[str, Any], grids: Sequence[dict[str, Any] | None], other: dict[str, Any] | None, place: int
) -> Iterator[str]:
    """The cells of one question: refdp's, then the others' errors and seconds."""
    if "error" in found:
        yield from (found["error"], "-", "-", "-", *["-"] * (2 * len(grids) + 2))
        return
    answer = certified(found)
    yield from (f"{float(answer.upper):.12f}", size(answer.upper - answer.lower), seconds(found), answer.engine)
    for grid in grids:
        yield "-" if grid is None else said(grid, lambda g: answer.error(g["answers"][place]))
        yield "-" if grid is None else seconds(grid)
    yield "-" if other is None else said(other, lambda o: " to ".join(map(answer.error, reversed(o["answers"][0]))))
    yield "-" if other is None else seconds(other)


def said(found: dict[str, Any], read: Callable[[dict[str, Any]], str]) -> str:
    """What is read off an answer, or the first words of an error."""
    return found["error"].split(".")[0][:60] if "error" in found else read(found)


def others() -> Iterator[Sequence[str]]:
    """A row for each of the cases that take long or are few, with what it is asked for and dp_accounting's answers."""
    for name, (width, most) in LONG.items():
        document, delta = spec(name), "1e-6"
        found = measured({"who": "refdp", "spec": document, "deltas": [delta], "width": width}, 1)
        grids = [
            measured({"who": "dp_accounting", "spec": document, "deltas": [float(delta)], "interval": h}, 1)
            if installed("dp_accounting")
            else None
            for h in INTERVALS.values()
        ]
        yield [name.replace("_", " "), delta, f"{width} in {most} s", *row(found, grids, None, 0)][:-2]


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
    versions = [f"{name} {metadata.version(name)}" for name in ("python-flint", "dp_accounting", "prv_accountant", "numpy")
                if installed(name.replace("python-flint", "flint"))]  # fmt: skip
    model = next((line.partition(":")[2].strip() for line in cpu_lines() if line.startswith("model name")), "")
    return f"{platform.system()} {platform.machine()}, {model or 'processor unknown'}, Python {platform.python_version()}, "  + ", ".join(versions)
