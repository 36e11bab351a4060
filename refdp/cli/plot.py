"""The command `refdp plot` and its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from refdp.cli import completing
from refdp.cli.errors import sentences
from refdp.cli.options import Json, keywords
from refdp.cli.showing import show

What = typer.Argument(
    help="A claim, a certificate, an account's .toml or .json, or the word frontier.",
    autocompletion=completing.drawn,
)
Kind = typer.Option(metavar="KIND", help="Which picture; else the first that fits.", autocompletion=completing.pictures)


def plot(
    what: Annotated[str, What],
    out: Annotated[Path, typer.Option(metavar="FILE", help="File to write, ending in .svg, .png or .pdf.")],
    kind: Annotated[str | None, Kind] = None,
    timeout: Annotated[
        str, typer.Option(metavar="SECONDS", help="Seconds for the whole run; then nothing is written.")
    ] = "60",
    json: Json = False,
) -> None:
    """Draw it: laws with the event, losses, profile, trade_off, divergences, frontier, derivation, alignment, tables.

    Prints the file and what it shows.

    Exits 0 if the picture is written, 2 for bad input, 3 if the time was over.

    Example: refdp plot laplace.pure --out laplace.svg
    """
    with sentences():
        asked = keywords(locals())
        from refdp.report.pictures.plotting import plot as run

        show(run(**asked), json, print_picture)


def print_picture(found: dict[str, Any]) -> None:
    """The file and its caption."""
    typer.echo(f"{found['path']}: {found['caption']}")
