"""`refdp sensitivity`: how far the answer of a user's function moves between neighbouring tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from refdp.commands import local_sensitivity, machine_sensitivity, score_sensitivity
from refdp.commands.judgements import complete, written_certificate
from refdp.provers.processes import processor_seconds
from refdp.sensitivities.campaign import read_campaign
from refdp.sensitivities.judging import judge
from refdp.sensitivities.language.source import Unsupported
from refdp.sensitivities.request import Request

Step = Callable[[int, int, str], None]


def sensitivity(
    target: str,
    neighbours: str,
    *,
    edits: int = 1,
    bounds: tuple[object, object] | None = None,
    records: str | None = None,
    columns: Mapping[str, str] | None = None,
    norm: str = "L1",
    claim: object = None,
    tables: str | None = None,
    values: Mapping[str, object] | None = None,
    symbols: Sequence[str] = (),
    assume: str | None = None,
    at: str | None = None,
    smooth: object = None,
    statistic: str | None = None,
    empty: object = None,
    smooth_bound: str | None = None,
    score: str | None = None,
    candidates: str | None = None,
    arithmetic: str = "exact",
    total: str = "python",
    maximum_rows: int | None = None,
    minimum_rows: int = 0,
    specials: bool = False,
    certificates: str | Path | None = None,
    timeout: float = 60.0,
) -> dict[str, Any]:
    """The judgement of one question about FILE.py:FUNCTION, the object of `refdp sensitivity --json`.

    The records are numbers within `bounds`, of the kind `records`, or have `columns` of some kinds: one of the three.
    `at`: the sensitivity at the table in a CSV file alone, with `smooth` a bound that noise may be scaled to, of a
    `statistic` such as median, or of the function `smooth_bound`.  `score`: the parameter that is the candidate.
    `arithmetic`: exact, or that of a machine, in which `total` says what `sum` computes; with `specials` a row that is
    a float may also be NaN, infinite or -0.0.

    The file is read, never run.  Raises ValueError for bad input, Unsupported for Python that is not read.
    """
    asked = Request(
        target=target,
        record=record_of(bounds, records, columns),
        neighbours=neighbours,
        claim=None if claim is None else written(claim, "claim"),
        norm=norm,
        edits=edits,
        tables=tables,
        values={name: written(value, name) for name, value in (values or {}).items()},
        symbols=symbols,
        assume=assume,
    )
    modes = {"arithmetic": arithmetic != "exact", "score": score, "smooth_bound": smooth_bound,
             "statistic": statistic, "at": at and not statistic}  # fmt: skip
    if len(chosen := [name for name, given in modes.items() if given]) > 1:
        raise ValueError(f"only one of {', '.join(modes)} can be asked about at a time, got {' and '.join(chosen)}")
    if score is not None:
        return score_sensitivity.score(asked, score, candidates, certificates, timeout)
    if arithmetic != "exact":
        return machine_sensitivity.machine(
            asked, arithmetic, total, maximum_rows=maximum_rows, minimum_rows=minimum_rows, timeout=timeout,
            specials=specials, certificates=certificates,
        )  # fmt: skip
    if claim is not None and (at is not None or statistic is not None or smooth_bound is not None):
        raise ValueError(f"claim must be left out at one table and for smooth bounds, got {claim}")
    if statistic is not None or smooth_bound is not None:
        if smooth is None or (statistic is not None and at is None):
            raise ValueError("a smooth bound must have smooth, the beta, and a statistic also at, the table")
        beta = written(smooth, "smooth")
        if smooth_bound is not None:
            return local_sensitivity.own(asked, smooth_bound, beta, timeout)
        value = None if empty is None else written(empty, "empty")
        return local_sensitivity.smooth(statistic or "", asked, at or "", beta, value, certificates, timeout)
    if at is not None:
        return local_sensitivity.local(asked, at, timeout)
    return judged(asked, certificates, timeout)


def campaign(
    path: str | Path, *, certificates: str | Path | None = None, timeout: float = 60.0, step: Step = lambda *_: None
) -> dict[str, Any]:
    """The judgements of all questions of a campaign file, and how many are not as expected.

    An interrupt ends the run with what was decided by then.  Raises ValueError for a file that is none.
    """
    start, requests, found = processor_seconds(), read_campaign(Path(path)), list[dict[str, Any]]()
    for asked in requests:
        step(len(found), len(requests), asked.target.rpartition(":")[2])
        try:
            found.append(judged(asked, certificates, timeout))
        except Unsupported as reason:
            found.append(undecided(asked, str(reason)))
        except KeyboardInterrupt:
            found.extend(undecided(rest, "interrupted") for rest in requests[len(found) :])
            break
    surprises = sum(one.get("expected") not in (None, one["verdict"]) for one in found)
    return {
        "questions": found,
        "as_expected": len(found) - surprises,
        "surprises": surprises,
        "seconds": f"{processor_seconds() - start:.1f}",
    }


def judged(asked: Request, certificates: str | Path | None, timeout: float) -> dict[str, Any]:
    """The judgement of one question as plain data; its certificate is written where a folder is given."""
    start = processor_seconds()
    found = judge(asked, timeout)
    path = written_certificate(found.certificate, found.function, certificates)
    return complete(found.data() | {"certificate": path}, start)


def undecided(asked: Request, reason: str) -> dict[str, Any]:
    """The judgement where nothing was looked for."""
    return {
        "verdict": "UNKNOWN",
        "function": asked.target.rpartition(":")[2],
        "claim": asked.claim,
        "neighbours": asked.neighbours,
        "edits": asked.edits,
        "norm": asked.norm,
        "tables": asked.tables or "lists",
        "any_n": False,
        "trusts": [],
        "reason": reason,
        "certificate": None,
        "seconds": "0.00",
    } | ({"expected": asked.expected} if asked.expected else {})


def record_of(
    bounds: tuple[object, object] | None, records: str | None, columns: Mapping[str, str] | None
) -> str | Mapping[str, str] | Sequence[str]:
    """The one declaration of the records that was given."""
    given = [one for one in (bounds, records, columns) if one]
    if len(given) != 1:
        raise ValueError(f"records must be declared by one of bounds, records or columns, got {len(given)} of them")
    if bounds:
        lower, upper = (written(one, "bounds") for one in bounds)
        return f"{lower}..{upper}"
    if records:
        return records
    named = dict(columns or {})
    if all(name.isdecimal() for name in named):
        if sorted(map(int, named)) != list(range(len(named))):
            raise ValueError(f"numbered columns must be 0, 1, 2, ..., got {', '.join(named)}")
        return [named[str(place)] for place in range(len(named))]
    return named


def written(value: object, parameter: str) -> str:
    """An exact number, or the text of one; a float is refused with what to write instead."""
    if isinstance(value, float):
        from refdp.numerics.exact import exact

        exact(value, parameter)
    return str(value)
