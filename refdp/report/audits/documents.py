"""The canonical JSON of a campaign, as the page reads it: one campaign, and what was found of each target."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from refdp.auditing.campaigns.documents import FORMAT, is_expected
from refdp.auditing.campaigns.pages import canonical
from refdp.auditing.judges.result import Curve, Evidence
from refdp.report.audits.reading import read, refusal
from refdp.verdicts import VERDICTS


@dataclass(frozen=True, slots=True)
class Campaign:
    """What was run, with which error, for how long and where."""

    name: str
    file: str | None = None
    alpha: str | int | None = None
    seconds: float | str | None = None
    environment: Mapping[str, Any] | str | None = None


@dataclass(frozen=True, slots=True)
class Audited:
    """A target and what was found of it."""

    target: str
    kind: str
    verdict: str
    claim: str
    sentence: str
    campaign: str | None = None
    source: str | None = None
    expected: str | None = None
    witness: str | None = ""
    reason: str | None = ""
    error: str | int | None = "0"
    power: str | None = ""
    samples: int | None = 0
    seconds: float | str | None = None
    about: Mapping[str, Any] | None = None
    scope: tuple[str, ...] = ()
    not_tested: tuple[str, ...] = ()
    trusts: tuple[str, ...] = ()
    evidence: Evidence = field(default_factory=Evidence)
    attached: Mapping[str, Any] = field(default_factory=dict)
    replay: str | None = ""
    environment: str | None = None

    @property
    def is_as_expected(self) -> bool:
        """Whether the verdict is what the author expects."""
        return is_expected(self.verdict, self.expected)


@dataclass(frozen=True, slots=True)
class Report:
    """All of it."""

    format: str
    campaign: Campaign
    targets: tuple[Audited, ...]


def document(data: Mapping[str, Any]) -> Report:
    """The report; ValueError, in one sentence, where the JSON is none."""
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        got = data.get("format") if isinstance(data, Mapping) else data
        raise refusal("format", FORMAT, got)
    try:
        found = read(Report, data)
    except RecursionError:
        raise ValueError("a report must not be nested so deep") from None
    for i, one in enumerate(found.targets):
        _require_sound(one, f"report.targets[{i}]")
    return found


def require_json(data: Mapping[str, Any]) -> None:
    """ValueError where something in it is no JSON, or a whole number is too long to be written."""
    canonical(data)


def _require_sound(one: Audited, where: str) -> None:
    """ValueError where a verdict is none, or lists that belong together have not one length."""
    for name, verdict in (("verdict", one.verdict), ("expected", one.expected or one.verdict)):
        if verdict not in VERDICTS:
            raise refusal(f"{where}.{name}", f"one of {', '.join(VERDICTS)}", verdict)
    seen = one.evidence
    if seen.curve:
        _require_curve(seen.curve, f"{where}.evidence.curve")
    if seen.wealth:
        _require_length(seen.wealth.log10, seen.wealth.samples, f"{where}.evidence.wealth.log10")
    if seen.difference:
        _require_length(seen.difference.difference, seen.difference.at, f"{where}.evidence.difference.difference")


def _require_curve(curve: Curve, where: str) -> None:
    """Each layer is empty, or has a value for each epsilon."""
    for name, layer in (("claimed", curve.claimed), ("exact", curve.exact), ("certified", curve.certified)):
        if layer:
            _require_length(layer, curve.epsilons, f"{where}.{name}")


def _require_length(some: tuple[Any, ...], beside: tuple[Any, ...], where: str) -> None:
    """ValueError unless the two are equally long."""
    if len(some) != len(beside):
        raise ValueError(f"{where} must have {len(beside)} items, got {len(some)}")
