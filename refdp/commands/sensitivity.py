"""`refdp sensitivity`: how far the answer of a user's function moves between neighbouring tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from pathlib import Path
from typing import Any

from refdp.commands.judgements import INTERRUPTED, complete, expectations, written_certificate
from refdp.commands.machine_attacks import machine_attacks
from refdp.commands.second_judging import judged_again
from refdp.commands.sensitivity_modes import Mode
from refdp.commands.values import by_name, pair, written
from refdp.kernel.judgements import KernelError
from refdp.logic.internal_errors import lost
from refdp.provers.lemmas import NotProved
from refdp.provers.processes import processor_seconds
from refdp.sensitivities.campaign import read_campaign
from refdp.sensitivities.judging import judge
from refdp.sensitivities.language.source import Unsupported
from refdp.sensitivities.request import Request

Step = Callable[[int, int, str], None]
FORESEEN = (ValueError, OSError, KernelError, NotProved)
"""Bad input and the lack of an answer; whatever else is raised is an internal error."""


def sensitivity(
    target: str | Path = "",
    neighbours: str | None = None,
    *,
    bounds: tuple[object, object] | None = None,
    records: str | None = None,
    column: Mapping[str, str] | None = None,
    claim: object = None,
    edits: int = 1,
    norm: str = "L1",
    tables: str | None = None,
    set: Mapping[str, object] | None = None,  # noqa: A002
    symbol: Sequence[str] = (),
    assume: str | None = None,
    at: str | None = None,
    smooth: object = None,
    statistic: str | None = None,
    empty: object = None,
    smooth_bound: str | None = None,
    score: str | None = None,
    candidates: str | None = None,
    arithmetic: str = "exact",
    sum: str = "python",  # noqa: A002
    rows_at_most: int | None = None,
    rows_at_least: int = 0,
    specials: bool = False,
    attacks: bool = False,
    certificates: str | Path | None = None,
    timeout: float = 60.0,
    run: bool = True,
    step: Step = lambda *_: None,
) -> dict[str, Any]:
    """The judgement of one question about FILE.py:FUNCTION, the object of `refdp sensitivity --json`.

    The records are numbers within `bounds`, of the kind `records`, or have a `column` of some kind each: one of the
    three.  `set` gives public parameters values, `symbol` leaves them open.  `at`: the sensitivity at the table in a
    CSV file alone, with `smooth` a bound that noise may be scaled to, of a `statistic` such as median, or of the
    function `smooth_bound`.  `score`: the parameter that is the candidate.  `arithmetic`: exact, or that of a machine,
    in which `sum` says what the builtin computes; with `specials` a row that is a float may also be NaN, infinite or
    -0.0.  A target FILE.toml is a campaign of questions; `attacks` asks nothing and shows how machines break
    sensitivities.

    The proof is made from the file's text.  What is PROVED in exact arithmetic, and a pair that refutes, are judged
    again: the function is `run` in a limited process on random neighbouring tables, if nothing in the file can reach
    anything else.  A question whose judging raises an exception that nobody foresaw is UNKNOWN with an
    "internal_error".  Raises ValueError for bad input, Unsupported for Python that is not read.
    """
    given = dict(locals())
    if attacks:
        require_alone("attacks", given, ("attacks", "certificates", "timeout", "run", "step"))
        return machine_attacks()
    if str(target).endswith(".toml"):
        require_alone("a campaign", given, ("target", "certificates", "timeout", "run", "step"))
        return campaign(target, certificates=certificates, timeout=timeout, run=run, step=step)
    if not str(target) and at is None:
        raise ValueError("target must be FILE.py:FUNCTION or a campaign FILE.toml, got nothing")
    mode = Mode(
        at=at, smooth=smooth, statistic=statistic, empty=empty, smooth_bound=smooth_bound, score=score,
        candidates=candidates, arithmetic=arithmetic, total=sum, maximum_rows=rows_at_most,
        minimum_rows=rows_at_least, specials=specials,
    )  # fmt: skip
    asked = Request(
        target=str(target),
        record=record_of(bounds, records, column),
        neighbours=required(neighbours),
        claim=None if claim is None else written(claim, "claim"),
        norm=norm,
        edits=edits,
        tables=tables,
        values=by_name(set, "set"),
        symbols=symbol,
        assume=assume,
    )
    try:
        if mode.chosen:
            return mode.judged(asked, certificates, timeout, run)
        return judged(asked, certificates, timeout, run)
    except FORESEEN:
        raise
    except Exception as error:
        return complete(undecided(asked, ""), processor_seconds()) | lost(error)


def require_alone(what: str, given: Mapping[str, Any], besides: Sequence[str]) -> None:
    """ValueError where something is given that would not be looked at."""
    usual = {name: one.default for name, one in signature(sensitivity).parameters.items() if name not in besides}
    idle = [name for name, default in usual.items() if given[name] != default and given[name] not in ((), [], {})]
    if idle:
        raise ValueError(f"{idle[0]} must be left out with {what}, got {given[idle[0]]}")


def required(neighbours: str | None) -> str:
    """The relation, which is never guessed."""
    if neighbours is None:
        raise ValueError("neighbours must be add_remove or change_one, got none")
    return neighbours


def campaign(
    path: str | Path,
    *,
    certificates: str | Path | None = None,
    timeout: float = 60.0,
    run: bool = True,
    step: Step = lambda *_: None,
) -> dict[str, Any]:
    """The judgements of all questions of a campaign file, and how many are not as expected.

    An interrupt ends the run with what was decided by then.  Raises ValueError for a file that is none.
    """
    start, requests, found = processor_seconds(), read_campaign(Path(path)), list[dict[str, Any]]()
    for asked in requests:
        step(len(found), len(requests), asked.target.rpartition(":")[2])
        try:
            found.append(judged(asked, certificates, timeout, run))
        except Unsupported as reason:
            found.append(undecided(asked, str(reason)))
        except KeyboardInterrupt:
            found.extend(undecided(rest, INTERRUPTED) for rest in requests[len(found) :])
            break
        except FORESEEN:
            raise
        except Exception as error:
            found.append(undecided(asked, "") | lost(error))
    return {"questions": found, **expectations(found, None), "seconds": f"{processor_seconds() - start:.1f}"}


def judged(asked: Request, certificates: str | Path | None, timeout: float, run: bool) -> dict[str, Any]:
    """The judgement of one question as plain data; its certificate is written where a folder is given.

    A verdict that the second judge contradicts has none.
    """
    start = processor_seconds()
    found = judge(asked, timeout)
    again = judged_again([found], run)
    path = None if "verdict" in again else written_certificate(found.certificate, found.function, certificates)
    return complete(found.data() | {"certificate": path} | again, start)


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
        raise ValueError(f"records must be declared by one of bounds, records or column, got {len(given)} of them")
    if bounds:
        lower, upper = pair(bounds, "bounds")
        return f"{lower}..{upper}"
    if records:
        return records
    named = dict(columns or {})
    if all(name.isdecimal() for name in named):
        if sorted(map(int, named)) != list(range(len(named))):
            raise ValueError(f"numbered columns must be 0, 1, 2, ..., got {', '.join(named)}")
        return [named[str(place)] for place in range(len(named))]
    return named
