"""The command `refdp account` and its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from refdp.cli.errors import ending, sentences


def account(
    spec: Annotated[Path, typer.Argument(help="FILE.json or FILE.toml: the neighbouring relation and the events.")],
    delta: Annotated[list[str] | None, typer.Option(help="Bound epsilon at this delta; may be repeated.")] = None,
    epsilon: Annotated[list[str] | None, typer.Option(help="Bound delta at this epsilon; may be repeated.")] = None,
    width: Annotated[str, typer.Option(help="How wide an interval may be; one of delta, relative to delta.")] = "1e-9",
    timeout: Annotated[float, typer.Option(help="Seconds for the answers, and as many for a picture.", min=0.1)] = 60.0,
    memory: Annotated[str, typer.Option(help="Most bytes that arrays may take.")] = "2e9",
    plot: Annotated[bool, typer.Option("--plot", help="Draw delta(epsilon) with both bounds into --out.")] = False,
    out: Annotated[Path | None, typer.Option(help="File for the picture, ending in .svg, .png or .pdf.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output.")] = False,
) -> None:
    """Bound epsilon at delta, or delta at epsilon, of composed events, from below and from above, both certified.

    Exits 3 where an interval is wider than --width.

    Example: refdp account training.json --delta 1e-6
    """
    with sentences():
        from refdp.cli.progress import progress
        from refdp.commands.account import account as run
        from refdp.report.account_tables import print_account
        from refdp.report.pictures.accounts import plot_account
        from refdp.report.tables import print_json

        picture = drawn_into(plot, out)
        asked: dict[str, Any] = {
            "delta": delta,
            "epsilon": epsilon,
            "width": width,
            "timeout": timeout,
            "memory": bytes_of(memory),
        }
        with progress("bounding") as step:
            found = (
                run(spec, **asked, step=step) if picture is None else plot_account(spec, picture, **asked, step=step)
            )
        (print_json if json else print_account)(found)
        ending(refuted=False, unknown=any("reason" in answer for answer in found["answers"]))


def drawn_into(plot: bool, out: Path | None) -> Path | None:
    """The file of the picture; ValueError, before any work, where it is missing or not for a picture."""
    if plot and out is None:
        raise ValueError("out must be given with --plot: a file that ends in .svg, .png or .pdf, got none")
    if out is not None and not plot:
        raise ValueError(f"out is the file of a picture, and must be given with --plot alone, got {out}")
    if out is None:
        return None
    from refdp.report.pictures.files import picture_file

    return picture_file(out)


def bytes_of(text: str) -> int:
    """A number of bytes such as 2e9; ValueError where it is none."""
    from refdp.accounting.numbers import whole

    return whole(text, "memory", 10**15)
