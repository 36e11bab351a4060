"""The cells of the tables: certified answers, what others say less the truth, how long it took."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

CLOCK = 0.001
"""Seconds below which times are not told apart."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What refdp says of one question."""

    lower: Fraction
    upper: Fraction | None
    engine: str
    reason: str | None

    @property
    def shown(self) -> str:
        """The upper bound in digits."""
        return "inf" if self.upper is None else f"{float(self.upper):.12g}"

    @property
    def width(self) -> str:
        """How far the bounds are apart, in bold where it is not what was asked for."""
        apart = "inf" if self.upper is None else size(self.upper - self.lower)
        return apart if self.reason is None else f"**{apart}**"

    def error(self, reported: float) -> str:
        """The reported epsilon less the certified one; in bold where it is below the lower bound, hence unsound."""
        if reported == float("inf"):
            return "infinite"
        if (exact := Fraction(reported)) < self.lower:
            return f"**-{size(self.lower - exact)}**"
        beyond = Fraction(0) if self.upper is None else max(Fraction(0), exact - self.upper)
        return f"+{size(beyond)}" if beyond else "between the bounds"

    def errors(self, lower: float, upper: float) -> str:
        """How far an interval reaches below and above the certified one; in bold where it does not meet it."""
        if self.upper is None or Fraction(upper) < self.lower or Fraction(lower) > self.upper:
            return f"**[{lower}, {upper}]**"
        return f"-{size(self.lower - Fraction(lower))} to +{size(Fraction(upper) - self.upper)}"


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


def certified(found: dict[str, Any]) -> Answer:
    """The only answer of a run of refdp."""
    (one,) = found["answers"]
    engine = one["engine"].partition(" (")[0]
    lower, upper = one["epsilon"]["lower"], one["epsilon"]["upper"]
    return Answer(Fraction(lower), None if upper == "inf" else Fraction(upper), engine, one.get("reason"))


def seconds(found: dict[str, Any] | None, beside: dict[str, Any] | None = None) -> str:
    """How long a run took, and how many times as long as another one."""
    if found is None or "error" in found:
        return "-"
    ratio = "" if beside is None else f" ({times(found['seconds'] / max(beside['seconds'], CLOCK))} x)"
    return f"{found['seconds']:.3f}{ratio}"


def times(ratio: float) -> str:
    """A ratio with two digits."""
    return f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.1f}" if ratio >= 1 else f"{ratio:.2f}"


def said(found: dict[str, Any] | None, read: Callable[[dict[str, Any]], str]) -> str:
    """What is read off an answer, or the first words of an error."""
    if found is None:
        return "not run"
    return found["error"].split(".")[0][:40] if "error" in found else read(found)
