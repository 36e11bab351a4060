"""Targets and claims: what to call, in which interpreter and within which limits, and what is claimed of it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from fractions import Fraction
from pathlib import Path
from typing import Any, Protocol

from refdp.auditing.targets import recipes
from refdp.auditing.targets.words import known_metric, known_output

WORKERS = Path(__file__).resolve().parent / "workers"
FAMILIES = ("command", "diffprivlib", "dp_accounting", "function", "opacus", "opendp")
"""The adapters, by the stems of their files in workers/."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a target may use: seconds of a call, of starting and in all; bytes; processes; starts.

    `processor` counts processor seconds of one process, `reply` bytes of one answer, `file` bytes of a written file.
    """

    call: float = 10.0
    start: float = 60.0
    total: float = 600.0
    memory: int = 4 * 2**30
    processor: int = 600
    reply: int = 64 * 2**20
    file: int = 64 * 2**20
    core: int = 0
    processes: int = 16
    starts: int = 20

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if not value > 0 and name != "core":
                raise ValueError(f"{name} must be > 0, got {value}")


@dataclass(frozen=True, slots=True)
class Claim:
    """Inputs within d_in under `input_metric` lead to outputs within d_out under `output`, a metric or a measure.

    d_out lists the numbers of the measure in its order; None stands for what the library's own map gives for d_in.
    """

    input_metric: str
    d_in: Fraction
    output: str
    d_out: tuple[Fraction, ...] | None = None

    def __post_init__(self) -> None:
        known_metric(self.input_metric)
        known_output(self.output)
        for d in (self.d_in, *(self.d_out or ())):
            if not isinstance(d, (int, Fraction)):
                raise TypeError(f"distances must be exact, got {d!r}")  # not a float, whatever its type says
            if d < 0:
                raise ValueError(f"distances must be >= 0, got {d}")

    def __str__(self) -> str:
        bound = "the library's map" if self.d_out is None else ", ".join(map(str, self.d_out))
        return f"{self.input_metric} {self.d_in} -> {self.output} {bound}"


class Target(Protocol):
    """Anything that a session can serve: a family of adapters, what it is told, an interpreter, and limits."""

    @property
    def family(self) -> str:
        """The stem of a file in workers/."""

    @property
    def spec(self) -> Mapping[str, Any]:
        """What the adapter is told: plain data."""

    @property
    def python(self) -> str:
        """The interpreter that runs it."""

    @property
    def limits(self) -> Limits:
        """What it may use."""


@dataclass(frozen=True, slots=True)
class Adapted:
    """A target of one of the families in workers/."""

    family: str
    spec: Mapping[str, Any]
    python: str = sys.executable
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        if self.family not in FAMILIES:
            raise ValueError(f"family must be one of {', '.join(FAMILIES)}, got {self.family}")

    def as_json(self) -> dict[str, Any]:
        """What is needed to call the target again; the interpreter is the business of who does."""
        from refdp.auditing.targets.workers import wire

        return {"family": self.family, "spec": wire.encoded(dict(self.spec)), "limits": limits_json(self.limits)}


def limits_json(limits: Limits) -> dict[str, str]:
    """Limits as text, since a report has no JSON numbers for reals."""
    return {name: str(value) for name, value in asdict(limits).items()}


def limits_from_json(data: Mapping[str, str]) -> Limits:
    """The limits that `limits_json` wrote."""
    found: dict[str, Any] = {f.name: (float if f.type == "float" else int)(data[f.name]) for f in fields(Limits)}
    return Limits(**found)


def of_library(
    family: str, text: str, python: str = sys.executable, limits: Limits | None = None, **values: Any
) -> Adapted:
    """The target that the recipe describes, with values for its free names."""
    tree = recipes.recipe(text, values)
    return Adapted(family, {"recipe": tree, "text": text, "values": values}, python, limits or Limits())


def serialised(text: str, python: str = sys.executable, limits: Limits | None = None) -> Adapted:
    """The measurement or transformation that OpenDP's `serialize` wrote."""
    return Adapted("opendp", {"serialised": text}, python, limits or Limits())


def function(
    name: str, python: str = sys.executable, limits: Limits | None = None, *, search: tuple[str, ...] = (),
    batched: bool = False, privacy_map: str | None = None, bits: str | None = None,
) -> Adapted:  # fmt: skip
    """The callable `module:name`, sought in the folders `search` first; batched: `f(x, n)` gives n draws.

    `bits`, in hexadecimal digits, is the seed of bits that the function takes as its last argument.
    """
    if ":" not in name:
        raise ValueError(f"a function is named module:function, got {name}")
    spec = {"function": name, "search": list(search), "batched": batched, "map": privacy_map}
    if bits is not None:
        spec["bits"] = bits
    return Adapted("function", spec, python, limits or Limits())


def command(*words: str, reads: str = "float", python: str = sys.executable, limits: Limits | None = None) -> Adapted:
    """The command that reads a line and writes a line, which is read as `reads` says."""
    return Adapted("command", {"command": list(words), "reads": reads}, python, limits or Limits())
