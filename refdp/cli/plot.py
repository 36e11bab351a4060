"""The command `refdp plot` and its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from refdp.cli.errors import sentences


def plot(
    claim: Annotated[str, typer.Argument(help="A claim of the ledger, such as laplace.pure.")],
    out: Annotated[Path, typer.Option(help="File to write, ending in .svg.")],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output.")] = False,
) -> None:
    """Draw what a claim says: laws with the event shaded, delta(epsilon), or the tables of a counterexample.

    Example: refdp plot laplace.pure --out laplace.svg
    """
    with sentences():
        from refdp.report.pictures.writing import plot as run
        from refdp.report.tables import print_json

        found = run(claim, out)
        print_json(found) if json else typer.echo(f"{found['path']}: {found['caption']}")
