"""The commands `refdp vectors write`, `check` and `import-google`, and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from refdp.cli.errors import ending, sentences

vectors = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Test vectors for other implementations.")
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output.")]
Types = Annotated[list[str] | None, typer.Option("--type", help="Only this type of group; may be repeated.")]
FINDINGS = 10
"""Most findings of a file that are printed; --json has all."""


@vectors.command()
def write(
    folder: Annotated[Path, typer.Argument(help="Where the files go.")], types: Types = None, json: Json = False
) -> None:
    """Work out and write every file of test vectors; the same bytes each time.

    Example: refdp vectors write vectors
    """
    with sentences():
        from refdp.cli.progress import progress
        from refdp.commands.vectors import write as run
        from refdp.report.tables import print_json

        with progress("writing") as step:
            found = run(folder, types=types or (), step=step)
        if json:
            print_json(found)
            return
        for one in found["files"]:
            typer.echo(f"{one['cases']:6} {one['file']}")
        typer.echo(f"{found['cases']:6} cases in {found['folder']}")


@vectors.command()
def check(
    path: Annotated[Path, typer.Argument(help="A file, or a folder of files *_test.json.")],
    against: Annotated[str | None, typer.Option(help="A Python module or NAME.py with functions to check.")] = None,
    command: Annotated[str | None, typer.Option(help="A program that answers lines of JSON, to check.")] = None,
    types: Types = None,
    timeout: Annotated[float, typer.Option(help="Seconds for everything.", min=0.1)] = 3600.0,
    json: Json = False,
) -> None:
    """Work out every expected value again; or, with --against or --command, check an implementation.

    Exits 1 where a case fails, 3 where none was decided or the time was over.

    Example: refdp vectors check vectors --against mylibrary.refdp_vectors
    """
    with sentences():
        from refdp.cli.progress import progress
        from refdp.commands.vectors import check as run
        from refdp.report.tables import print_json

        with progress("checking") as step:
            found = run(path, against=against, command=command, types=types or (), timeout=timeout, step=step)
        print_json(found) if json else show(found)
        ending(refuted=found["failed"] > 0, unknown=found["unreached"] > 0 or found.get("verdict") == "UNKNOWN")


def show(found: dict[str, Any]) -> None:
    """A line for each file, the findings below it, and the sum."""
    for one in found["files"]:
        typer.echo(f"{one['file']}: {words(one)}")
        for finding in one["findings"][:FINDINGS]:
            flags = " ".join(finding["flags"])
            typer.echo(f"  {finding['algorithm']} {finding['tcId']} ({flags}): {finding['why']}")
            typer.echo(f"    {finding['asked']}")
        if one["failed"] > FINDINGS:
            typer.echo(f"  and {one['failed'] - FINDINGS} more; --json has them")
    verdict = f"{found['verdict']}: " if "verdict" in found else ""
    typer.echo(f"{verdict}{words(found)}")


def words(counts: dict[str, Any]) -> str:
    """The outcomes in words."""
    parts = [f"{counts[name]} {name}" for name in ("failed", "acceptable", "unsupported", "unreached") if counts[name]]
    return ", ".join([f"{counts['passed']} of {counts['cases']} cases passed", *parts])


@vectors.command("import-google")
def import_google(
    path: Annotated[Path, typer.Argument(help="Your copy of proto/testing, or one of its files *.textproto.")],
    out: Annotated[Path, typer.Option(help="Folder for the files that are made of it.")],
    json: Json = False,
) -> None:
    """Make test vectors of Google's statistical test cases, as far as they fit; the others are counted, with reasons.

    Example: refdp vectors import-google differential-privacy/proto/testing --out google_vectors
    """
    with sentences():
        from refdp.cli.progress import progress
        from refdp.commands.vectors import import_google as run
        from refdp.report.tables import print_json

        with progress("reading") as step:
            found = run(path, out=out, step=step)
        if json:
            print_json(found)
            return
        for one in found["files"]:
            typer.echo(f"{one['cases']:6} {one['file']}")
        for one in found["unfit"]:
            typer.echo(f"{one['cases']:6} left out: {one['reason']}")
        typer.echo(f"{found['fitted']} of {found['read']} cases fit")
