"""The command `refdp account` and its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from refdp.cli.errors import ending, sentences


def account(
    spec: Annotated[Path, typer.Argument(help="FILE.json or FILE.toml: the neighbouring relation and the events.")],
    delta: Annotated[list[str] | None, typer.Option(help="Bound epsilon at this delta; may be repeated.")] = None,
    epsilon: Annotated[list[str] | None, typer.Option(help="Bound delta at this epsilon; may be repeated.")] = None,
    width: Annotated[str, typer.Option(help="Of epsilon, upper - lower; of delta, relative to it.")] = "1e-9",
    timeout: Annotated[float, typer.Option(help="Seconds for the whole run.", min=0.1)] = 60.0,
    memory: Annotated[str, typer.Option(help="Most bytes that arrays may take.")] = "2e9",
    plot: Annotated[bool, typer.Option("--plot", help="Draw delta(epsilon) with both bounds into --out.")] = False,
    out: Annotated[Path | None, typer.Option(help="File for the picture, ending in .svg.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output.")] = False,
) -> None:
    """Bound epsilon at delta, or delta at epsilon, of a composition from below and above, certified.

    Example: refdp account training.json --delta 1e-6
    """
    with sentences():
        from refdp.cli.progress import progress
        from refdp.commands.account import account as run
        from refdp.report.account_tables import print_account
        from refdp.report.tables import print_json

        if plot != (out is not None):
            raise ValueError("out must be a file that ends in .svg, and is for --plot")
