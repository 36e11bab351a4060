"""The command `refdp plot` and its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from refdp.cli.errors import UNKNOWN, said, sentences


def plot(
    what: Annotated[str, typer.Argument(help="A claim, a certificate, an account's .toml or .json, or frontier.")],
    out: Annotated[Path, typer.Option(help="File to write, ending in .svg, .png or .pdf.")],
    kind: Annotated[str | None, typer.Option(help="Which picture of it; else the first that fits.")] = None,
    timeout: Annotated[float, typer.Option(help="Seconds for the whole run.", min=0.1)] = 60.0,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output.")] = False,
) -> None:
    """Draw it: laws with the event, losses, profile, trade_off, divergences, frontier, derivation, alignment, tables.

    Exits 0 once the picture is written, 2 for bad input, 3 where it needs more time.

    Example: refdp plot laplace.pure --out laplace.svg
    """
    with sentences():
        from refdp.report.pictures.plotting import plot as run
        from refdp.report.tables import print_json

        try:
            found = run(what, out, kind=kind, timeout=timeout)
        except TimeoutError as late:
            said(str(late))
            raise SystemExit(UNKNOWN) from None
        print_json(found) if json else typer.echo(f"{found['path']}: {found['caption']}")
