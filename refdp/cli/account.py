"""The command `refdp account` and its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from refdp.cli import completing
from refdp.cli.errors import sentences
from refdp.cli.options import Json, certificates_option, keywords
from refdp.cli.showing import ended, show

SPEC = "FILE.json or FILE.toml: the neighbouring relation and the events, or a history; - is standard input."
Spec = Annotated[Path | None, typer.Argument(help=SPEC)]
Sgd = Annotated[bool, typer.Option("--sgd", help="In place of SPEC: DP-SGD, by the next options.")]
Multiplier = Annotated[
    str | None, typer.Option(metavar="Z", help="Standard deviation of the noise over clipping norm.")
]
Rate = Annotated[str | None, typer.Option(metavar="Q", help="Probability of a row to be in a batch.")]
LotSize = Annotated[
    str | None, typer.Option(metavar="B", help="With --rows in place of --rate: rows of a batch, on average.")
]
Rows = Annotated[str | None, typer.Option(metavar="N", help="Rows of the table.")]
Steps = Annotated[str | None, typer.Option(metavar="T", help="Batches.")]
Epochs = Annotated[str | None, typer.Option(metavar="E", help="In place of --steps: each has 1 / rate of them.")]
Sampling = Annotated[
    str | None,
    typer.Option(
        metavar="SCHEME",
        help="With --sgd: poisson, which is taken unless said, fixed_size, or balls_in_bins: one batch an epoch a row.",
        autocompletion=completing.samplings,
    ),
]
Relation = Annotated[
    str | None,
    typer.Option(
        metavar="RELATION",
        help="With --sgd or a history: add_remove, which is taken unless said, or change_one.",
        autocompletion=completing.neighbours,
    ),
]
Delta = Annotated[list[str] | None, typer.Option(metavar="D", help="Bound epsilon at this delta; may be repeated.")]
Epsilon = Annotated[list[str] | None, typer.Option(metavar="E", help="Bound delta at this epsilon; may be repeated.")]
Calibrate = typer.Option(
    metavar="NAME",
    help="Find the sigma, scale, count, ... that meets --epsilon at --delta: one value for every event that has it.",
    autocompletion=completing.parameters,
)
Digits = Annotated[str, typer.Option(metavar="N", help="Digits of what --calibrate finds.")]
Width = Annotated[str, typer.Option(metavar="W", help="How wide an interval may be; one of delta, relative to delta.")]
Timeout = Annotated[
    str, typer.Option(metavar="SECONDS", help="Seconds for the answers; as many for a certificate or a picture.")
]
Memory = Annotated[str, typer.Option(metavar="BYTES", help="Most bytes that arrays may take.")]
CERTIFICATES = "certificates of the upper ends, for refdp check; none are written unless it is given"
Certificates = Annotated[Path | None, certificates_option(CERTIFICATES)]
Plot = Annotated[bool, typer.Option("--plot", help="Draw delta(epsilon) with both bounds into --out.")]
Out = Annotated[Path | None, typer.Option(metavar="FILE", help="The picture, ending in .svg, .png or .pdf.")]


def account(
    spec: Spec = None,
    delta: Delta = None,
    epsilon: Epsilon = None,
    sgd: Sgd = False,
    noise_multiplier: Multiplier = None,
    rate: Rate = None,
    lot_size: LotSize = None,
    rows: Rows = None,
    steps: Steps = None,
    epochs: Epochs = None,
    sampling: Sampling = None,
    neighbours: Relation = None,
    calibrate: Annotated[str | None, Calibrate] = None,
    digits: Digits = "4",
    width: Width = "1e-9",
    memory: Memory = "2e9",
    certificates: Certificates = None,
    plot: Plot = False,
    out: Out = None,
    timeout: Timeout = "60",
    json: Json = False,
) -> None:
    """Bound epsilon at delta, or delta at epsilon, of composed events, from below and from above, both certified.

    Prints a row for each question: both bounds, how far they are apart, and who worked them out.

    Exits 0 if every interval is as narrow as --width, 2 for bad input, 3 if one is wider or lacks its certificate.

    Example: refdp account training.json --delta 1e-6
    """
    with sentences():
        asked = keywords(locals(), without=("out",))
        from refdp.report.account_tables import print_account

        found = answered(asked, drawn_into(plot, out, calibrate))
        show(found, json, print_account)
        told = found.get("calibrated", found)
        open_ = [one for one in told.get("answers", [told]) if {"reason", "without_certificate"} & one.keys()]
        ended(found, refuted=False, unknown=bool(open_))


def answered(asked: dict[str, Any], picture: Path | None) -> dict[str, Any]:
    """What is answered, and drawn where a picture is asked for."""
    from refdp.cli.progress import progress
    from refdp.commands.account import account as run
    from refdp.report.pictures.accounts import plot_account

    spec = asked.pop("spec", None)
    with progress("bounding") as step:
        if picture is None:
            return run(spec, **asked, step=step)
        return plot_account(spec, picture, **asked, step=step)


def drawn_into(plot: bool, out: Path | None, calibrate: str | None) -> Path | None:
    """The file of the picture; ValueError, before any work, where it is missing or not for a picture."""
    if plot and out is None:
        raise ValueError("out must be given with --plot: a file that ends in .svg, .png or .pdf, got none")
    if out is not None and (not plot or calibrate is not None):
        raise ValueError(f"out is the file of a picture, and must be given with --plot alone, got {out}")
    if out is None:
        return None
    from refdp.report.pictures.files import picture_file

    return picture_file(out)
