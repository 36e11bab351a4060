"""The commands `refdp vectors write`, `check` and `import-google`, and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from refdp.cli import completing
from refdp.cli.errors import sentences
from refdp.cli.options import Json, keywords
from refdp.cli.showing import ended, show
from refdp.cli.usage import Command, Group

vectors = typer.Typer(
    cls=Group,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Write test vectors for other implementations, and hold implementations against them.\n\n"
    "Example: refdp vectors write vectors",
)
Types = Annotated[
    list[str] | None,
    typer.Option("--type", metavar="TYPE", help="Only this type of group; may be repeated.",
                 autocompletion=completing.types),
]  # fmt: skip
Timeout = Annotated[
    str, typer.Option(metavar="SECONDS", help="Seconds for the whole run, looked at before each file or case.")
]


@vectors.command(cls=Command)
def write(
    folder: Annotated[Path, typer.Argument(help="Where the files go.")],
    type_: Types = None,
    timeout: Timeout = "3600",
    json: Json = False,
) -> None:
    """Work out and write every file of test vectors; the same bytes each time.

    Prints the number of cases of each file.

    Exits 0 if all are written, 2 for bad input, 3 if the time was over; the files that stand there then are whole.

    Example: refdp vectors write vectors --type PrivacyProfile
    """
    with sentences():
        asked = keywords(locals())
        from refdp.cli.progress import progress
        from refdp.commands.vectors import write as run
        from refdp.report.vector_tables import print_written

        with progress("writing") as step:
            found = run(**asked, step=step)
        show(found, json, print_written)


@vectors.command(cls=Command)
def check(
    path: Annotated[Path, typer.Argument(help="A file, or a folder of files *_test.json.")],
    against: Annotated[
        str | None, typer.Option(metavar="MODULE", help="A Python module or NAME.py with functions to check.")
    ] = None,
    command: Annotated[
        str | None, typer.Option(metavar="PROGRAM", help="A program that answers lines of JSON, to check.")
    ] = None,
    type_: Types = None,
    timeout: Timeout = "3600",
    json: Json = False,
) -> None:
    """Work out every expected value again; or, with --against or --command, check an implementation.

    Prints for each file how many cases passed, the findings, and the verdict.

    Exits 0 if no case fails, 1 if one does, 2 for bad input, 3 if none was decided or the time was over.

    Example: refdp vectors check vectors --against mylibrary.refdp_vectors
    """
    with sentences():
        asked = keywords(locals())
        from refdp.cli.progress import progress
        from refdp.commands.vectors import check as run
        from refdp.report.vector_tables import print_checked

        with progress("checking") as step:
            found = run(**asked, step=step)
        show(found, json, print_checked)
        ended(found, refuted=found["failed"] > 0, unknown=found["unreached"] > 0 or found.get("verdict") == "UNKNOWN")


@vectors.command("import-google", cls=Command)
def import_google(
    path: Annotated[Path, typer.Argument(help="Your copy of proto/testing, or one of its files *.textproto.")],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Folder for the files that are made of it.")],
    timeout: Timeout = "3600",
    json: Json = False,
) -> None:
    """Make test vectors of Google's statistical test cases, as far as they fit; the others are counted, with reasons.

    Prints the number of cases of each file that was written, and of those that were left out.

    Exits 0 if the files are written, 2 for bad input, 3 if the time was over.

    Example: refdp vectors import-google differential-privacy/proto/testing --out google_vectors
    """
    with sentences():
        asked = keywords(locals())
        from refdp.cli.progress import progress
        from refdp.commands.vectors import import_google as run
        from refdp.report.vector_tables import print_imported

        with progress("reading") as step:
            found = run(**asked, step=step)
        show(found, json, print_imported)
