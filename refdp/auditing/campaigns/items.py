"""Items: one target of a campaign as plain data, from which any process makes the task and its judge."""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from refdp import __version__
from refdp.auditing.campaigns import bits
from refdp.auditing.campaigns.environments import interpreter
from refdp.auditing.campaigns.sources import folders
from refdp.auditing.judges.kinds import judge_of
from refdp.auditing.judges.task import Judge, Task
from refdp.auditing.targets import Adapted
from refdp.auditing.targets.target import limits_from_json
from refdp.auditing.targets.workers import wire

FORMAT = "refdp-audit-task/1"
SHARE = re.compile(r"[0-9]+(/[0-9]*[1-9][0-9]*)?")


@dataclass(frozen=True, slots=True)
class Item:
    """One target of a campaign; what is said of it needs no path of this machine, but running it may."""

    campaign: str
    name: str
    kind: str
    alpha: Fraction
    """Its share of the campaign's error; 0 where its kind is not statistical."""
    target: Mapping[str, Any] | None
    """Family, spec and limits as `Adapted.as_json` writes them; folders are those of the campaign file."""
    fields: Mapping[str, Any]
    environment: str = ""
    """The name of the environment that has the library; empty where the interpreter is given by its path."""
    sources: Mapping[str, str] | None = None
    """The files of the target's own code, by name, where it is a function with folders to be sought in."""
    expected: str | None = None
    source: str | None = None
    folder: str = "."
    """Where the campaign file is, on this machine."""
    python: str | None = None
    """The interpreter by its path, where the user gave one."""

    @property
    def key(self) -> str:
        """The name by which the store knows it."""
        return f"{self.campaign} / {self.name}"

    def judged(self) -> dict[str, Any]:
        """What the answer depends on, as JSON; fields as a text, since their order may matter and JSON has none."""
        return {
            "format": FORMAT, "campaign": self.campaign, "name": self.name, "kind": self.kind,
            "alpha": str(self.alpha), "target": self.target, "fields": json.dumps(self.fields),
            "environment": self.environment, "sources": self.sources or {},
        }  # fmt: skip

    def as_json(self) -> dict[str, Any]:
        """All that is needed to work at it elsewhere, but for the interpreter."""
        return {**self.judged(), "expected": self.expected, "source": self.source}

    @property
    def digest(self) -> str:
        """SHA-256 of what the answer depends on, the interpreter's path and refdp's version included."""
        text = json.dumps([self.judged(), self.python, __version__], sort_keys=True, allow_nan=False)
        return hashlib.sha256(text.encode()).hexdigest()

    def task(self, number: int | None = None, ready: bool = True) -> Task:
        """The task; for a chunk, with its own bits where bits are replayed.  Not `ready`: to read answers only."""
        target = None if self.target is None else self._adapted(number, ready)
        return Task(self.name, self.kind, target, self.fields, self.expected, self.source)

    def judge(self, number: int | None = None, ready: bool = True) -> Judge:
        """The judge; TaskError where the fields are not as its kind reads them, TargetError without interpreter."""
        return judge_of(self.task(number, ready), self.alpha)

    @property
    def replays_bits(self) -> bool:
        """Whether each chunk has bits of its own, so that its judge serves no other chunk."""
        return self.target is not None and bool(self._spec().get("bits"))

    def _spec(self) -> dict[str, Any]:
        found: dict[str, Any] = wire.decoded(self.target["spec"]) if self.target is not None else {}
        return found

    def _adapted(self, number: int | None, ready: bool) -> Adapted:
        target, spec = self.target or {}, self._spec()
        if spec.get("bits") and number is not None:
            spec["bits"] = bits.of_chunk(str(spec["bits"]), self.name, number)
        if ready and spec.get("search"):
            spec["search"] = folders(spec["search"], self.folder, self.sources or {})
        return Adapted(target["family"], spec, self._interpreter(ready), limits_from_json(target["limits"]))

    def _interpreter(self, ready: bool) -> str:
        if self.python is not None or not (ready and self.environment):
            return self.python or sys.executable
        return interpreter(self.environment, self.folder)


def item(data: Mapping[str, Any], folder: str = ".", python: str | None = None) -> Item:
    """The item that the JSON stands for; ValueError if it is none."""
    if data.get("format") != FORMAT:
        raise ValueError(f"task.format must be {FORMAT}, got {data.get('format')}")
    names = ("campaign", "name", "kind", "target", "fields", "environment", "sources", "expected", "source")
    if missing := [name for name in (*names, "alpha") if name not in data]:
        raise ValueError(f"task.{missing[0]} must be given")
    if not isinstance(data["fields"], str):
        raise ValueError(f"task.fields must be a text, got {type(data['fields']).__name__}")
    given = {n: data[n] for n in names} | {"fields": json.loads(data["fields"])}
    return Item(**given, alpha=_share(data["alpha"]), folder=folder, python=python)


def _share(text: Any) -> Fraction:
    """A share of alpha as it is written here, without an exponent that would fill the memory."""
    if not isinstance(text, str) or not SHARE.fullmatch(text):
        raise ValueError(f"task.alpha must be a fraction such as 1/1000000000, got {str(text)[:80]}")
    return Fraction(text)


def elsewhere(found: Item, python: str | None) -> Item:
    """The item with another interpreter, where one is given."""
    return found if python is None else replace(found, python=python, environment="")
