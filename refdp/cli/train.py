"""The command `refdp train` and its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from refdp.cli import completing
from refdp.cli.errors import sentences
from refdp.cli.options import CERTIFICATES, Json, certificates_option, keywords
from refdp.cli.showing import ended, show

Text = str | None
Data = typer.Argument(help="A CSV table, UTF-8, with a header; else the penguins, whose sex is learnt.")
Feature = typer.Option(metavar="COLUMN=L,U", help="A column of numbers with public bounds; may be repeated.")
Label = typer.Option(metavar="COLUMN=A,B", help="The label: two values, of a linear model two public bounds.")
Kind = typer.Option(metavar="MODEL", help="logistic or linear.", autocompletion=completing.trained)
NoiseName = typer.Option(
    metavar="NOISE",
    help="gaussian, or discrete_gaussian, which is for full batches.",
    autocompletion=completing.training_noise,
)
Rate = typer.Option(metavar="Q", help="How likely a row is in a lot, exact: 1/10 unless said, 1 of full batches.")
Steps = typer.Option(metavar="N", help="How many steps; it must not depend on the table.")
Noise = typer.Option(metavar="S", help="Deviation of the noise on a sum, over the norm: 2, or 20 of full batches.")
Lot = typer.Option(metavar="L", help="The public number that sums are divided by: 33, or 330 of full batches.")
Learning = typer.Option(metavar="R", help="How far a step goes.")
Norm = typer.Option(metavar="C", help="The Euclidean norm that gradients are clipped to.")
Granularity = typer.Option(metavar="G", help="The grid of clipped gradients and of the noise.")
Delta = typer.Option(metavar="D", help="The delta at which epsilon is told.")
Relation = typer.Option(metavar="RELATION", help="add_remove or change_one.", autocompletion=completing.neighbours)
Variants = typer.Option("--variants", help="Also judge loops that look like this one, at the same numbers.")
Audit = typer.Option("--audit", help="Also audit the step, and each of the usual mistakes in it.")
Runs = typer.Option(metavar="N", help="Trainings with a canary in an audit; given, of every loop.")
Error = typer.Option(metavar="P", help="Chance that a judge that counts refutes wrongly; canaries have 1/20.")
Out = typer.Option(metavar="FILE", help="Draw the learning curve into a file that ends in .svg, .png or .pdf.")
Timeout = typer.Option(metavar="SECONDS", help="Seconds for the account, and for all steps; then nothing is released.")


def train(
    data: Annotated[Path | None, Data] = None,
    feature: Annotated[list[str] | None, Feature] = None,
    label: Annotated[Text, Label] = None,
    model: Annotated[str, Kind] = "logistic",
    noise: Annotated[str, NoiseName] = "gaussian",
    rate: Annotated[Text, Rate] = None,
    steps: Annotated[str, Steps] = "100",
    noise_multiplier: Annotated[Text, Noise] = None,
    lot: Annotated[Text, Lot] = None,
    learning_rate: Annotated[str, Learning] = "2",
    norm: Annotated[str, Norm] = "1",
    granularity: Annotated[str, Granularity] = "1/1024",
    delta: Annotated[str, Delta] = "1e-5",
    neighbours: Annotated[str, Relation] = "add_remove",
    variants: Annotated[bool, Variants] = False,
    audit: Annotated[bool, Audit] = False,
    runs: Annotated[Text, Runs] = None,
    error: Annotated[str, Error] = "1e-9",
    certificates: Annotated[Path, certificates_option("the theorems of the run")] = CERTIFICATES,
    out: Annotated[Path | None, Out] = None,
    timeout: Annotated[str, Timeout] = "600",
    json: Json = False,
) -> None:
    """Train a model by DP-SGD, with a certified account and the theorem of the run, beside its twin without noise.

    Prints epsilon, both ends, where the certificates are, the weights, and how well they do.

    Exits 0 if the theorem is proved and all judged loops are as expected, 1 if one is not, 2 for bad input, 3 if
    something is UNKNOWN or the time was over.

    Example: refdp train --steps 50 --noise-multiplier 3
    """
    with sentences():
        asked = keywords(locals())
        from refdp.report.train_tables import print_train

        found = answered(asked)
        show(found, json, print_train)
        ended(found, refuted=found["verdict"] == "REFUTED", unknown=found["verdict"] == "UNKNOWN")


def answered(asked: dict[str, Any]) -> dict[str, Any]:
    """The run, and its picture where that is asked for."""
    from refdp.cli.progress import progress

    out = asked.pop("out", None)
    with progress("training") as step:
        if out is None:
            from refdp.commands.train import train as run

            return run(**asked, step=step)
        from refdp.report.pictures.training import plot_train

        return plot_train(out=out, **asked, step=step)
