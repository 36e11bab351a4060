"""The command `refdp audit` and its options."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from refdp.cli.errors import ending, said, sentences
from refdp.cli.options import Json, keywords, timeout_option
from refdp.cli.showing import INTERRUPTED, show

Paths = Annotated[
    list[Path] | None,
    typer.Argument(metavar="PATH", help="Campaign files, folders of *.toml, or - for standard input."),
]
Out = Annotated[Path | None, typer.Option(metavar="FILE", help="Write the results, with their records, as JSON.")]
Html = Annotated[Path | None, typer.Option(metavar="FILE", help="Write a report that opens without a network.")]
Sarif = Annotated[Path | None, typer.Option(metavar="FILE", help="Write the findings for code scanners.")]
StoreFile = Annotated[Path | None, typer.Option(metavar="FILE", help="SQLite file: a killed campaign goes on from it.")]
Scheduler = Annotated[str | None, typer.Option(metavar="URL", help="A Dask scheduler, such as tcp://host:8786.")]
Workers = Annotated[str | None, typer.Option(metavar="N", help="Processes; else one a processor. 1: none.")]
Python = Annotated[str | None, typer.Option(metavar="FILE", help="Interpreter of all targets, whatever the files say.")]
Only = Annotated[
    list[str] | None,
    typer.Option(metavar="PATTERN", help="Only targets whose name matches, such as 'OD-29*'; may be repeated."),
]
Replay = Annotated[
    Path | None, typer.Option(metavar="FILE", help="A report, JSON or HTML: work its verdicts out again.")
]
Fresh = Annotated[bool, typer.Option("--fresh", help="With --replay: also run the targets anew.")]


def audit(
    paths: Paths = None,
    out: Out = None,
    html: Html = None,
    sarif: Sarif = None,
    store: StoreFile = None,
    scheduler: Scheduler = None,
    workers: Workers = None,
    python: Python = None,
    only: Only = None,
    replay: Replay = None,
    fresh: Fresh = False,
    timeout: Annotated[str, timeout_option("the work for one target")] = "3600",
    json: Json = False,
) -> None:
    """Judge other people's mechanisms, transformations and accountants, as campaign files describe them.

    Prints target, claim, verdict, witness and seconds, then each surprise in words. A target takes a few lines of TOML,
    also from standard input; docs/how_to/audit.md has all fields.

    Exits 0 if all verdicts are as expected, 1 if something is refuted or a surprise, 2 for bad input, 3 if something is
    UNKNOWN.

    Example: refdp audit campaign.toml --html report.html
    """
    with sentences():
        asked = keywords(locals())
        from refdp.commands.audit import audit as run

        ready(html, sarif)
        with shown_on_the_way(replay) as (watch, step):
            found = run(**asked, watch=watch, step=step)
        if out is None and html is not None:
            named(found, html)
        written(found, replay, html, sarif)
        show(found, json, shown)
        ended(found, store)


def ended(found: dict[str, Any], store: Path | None) -> None:
    """The exit code of a campaign; after an interrupt 130, with a sentence."""
    from refdp.logic.internal_errors import KEY

    if found["campaign"].get("interrupted"):
        said("interrupted; what was decided by then is told" + (f", and kept in {store}" if store else ""))
        raise SystemExit(INTERRUPTED)
    lost = any(KEY in one for one in found["targets"])
    ending(refuted=bool(found["surprises"]), unknown=bool(found["unknown"]), internal=lost)


@contextmanager
def shown_on_the_way(replay: Path | None) -> Iterator[tuple[Any, Any]]:
    """What shows the progress of a campaign, and of a replay."""
    from refdp.cli import audit_progress, progress

    if replay is None:
        with audit_progress.progress() as watch:
            yield watch, lambda *_: None
    else:
        with progress.progress("replaying") as step:
            yield lambda _: None, step


def named(found: dict[str, Any], html: Path) -> None:
    """Let the commands that replay name the page, where there is no other report."""
    for one in found["targets"]:
        if "replay" in one:
            one["replay"] = one["replay"].replace(" REPORT ", f" {shlex.quote(html.name)} ", 1)


def written(found: dict[str, Any], replay: Path | None, html: Path | None, sarif: Path | None) -> None:
    """The reports that are asked for, of the campaign or of the report that is replayed."""
    if replay is not None:
        from refdp.auditing.campaigns.documents import reported

        found = reported(replay)
    if html is not None:
        from refdp.report.audits.page import write_page

        write_page(found, html)
    if sarif is not None:
        from refdp.report.audits.sarif import write_sarif

        write_sarif(found, sarif)


def ready(html: Path | None, sarif: Path | None) -> None:
    """ValueError or OSError where a report could not be written: better said before the work than after it."""
    from refdp.commands.files import writable
    from refdp.report.audits import require_libraries

    for path in (html, sarif):
        writable(path)
    if html is not None:
        require_libraries()


def shown(found: dict[str, Any]) -> None:
    """The table of a campaign, or of a replay."""
    from refdp.report.audit_tables import print_audit, print_audit_replay

    (print_audit_replay if "replayed" in found else print_audit)(found)
