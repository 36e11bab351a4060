"""The command `refdp fit` and its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from refdp.cli import completing
from refdp.cli.errors import sentences
from refdp.cli.options import Json, certificates_option, keywords
from refdp.cli.showing import show

Text = str | None
Name = typer.Argument(
    help="k_means, linear_regression, logistic_regression, naive_bayes or principal_components.",
    autocompletion=completing.models,
)
Table = typer.Argument(help="A CSV table with a header.")
Feature = typer.Option(
    metavar="COLUMN=...", help="A column with its public bounds, LOWER..UPPER, or labels, A,B; may be repeated."
)
Target = typer.Option(metavar="COLUMN=...", help="What is predicted, with its public bounds or labels.")
Epsilon = typer.Option(metavar="E", help="Privacy loss of all that is released.")
Delta = typer.Option(metavar="D", help="The delta of models with Gaussian noise.")
Relation = typer.Option(metavar="RELATION", help="add_remove or change_one.", autocompletion=completing.neighbours)
Bins = typer.Option(metavar="N", help="Of naive_bayes: into how many bins numbers go, 8 unless said.")
Clusters = typer.Option(metavar="N", help="Of k_means: how many clusters, 3 unless said.")
Rounds = typer.Option(metavar="N", help="Of k_means: how many rounds, 5 unless said.")
Components = typer.Option(metavar="N", help="Of principal_components: how many directions, 2 unless said.")
Regularisation = typer.Option(metavar="L", help="Of logistic_regression: the weight of the ridge, 10 unless said.")
Perturb = typer.Option(metavar="WHAT", help="Of logistic_regression: output, unless said, or objective.")
Compare = typer.Option("--compare", help="Measure it on the table, beside the fit without noise: that is not private.")
Out = typer.Option(metavar="FILE", help="Draw the model into a file that ends in .svg, .png or .pdf.")
Timeout = typer.Option(metavar="SECONDS", help="Seconds for the fit; what is not done by then is not released.")


def fit(
    name: Annotated[str, Name],
    table: Annotated[Path, Table],
    feature: Annotated[list[str], Feature],
    epsilon: Annotated[str, Epsilon],
    target: Annotated[Text, Target] = None,
    delta: Annotated[Text, Delta] = None,
    neighbours: Annotated[str, Relation] = "add_remove",
    bins: Annotated[Text, Bins] = None,
    clusters: Annotated[Text, Clusters] = None,
    rounds: Annotated[Text, Rounds] = None,
    components: Annotated[Text, Components] = None,
    regularisation: Annotated[Text, Regularisation] = None,
    perturb: Annotated[Text, Perturb] = None,
    compare: Annotated[bool, Compare] = False,
    certificates: Annotated[Path | None, certificates_option()] = None,
    out: Annotated[Path | None, Out] = None,
    timeout: Annotated[str, Timeout] = "600",
    json: Json = False,
) -> None:
    """Fit a private model to a table: naive Bayes, k-means, principal components, linear or logistic regression.

    Prints the model, which follows from noisy answers alone, their noise, and what is proved of all that was released.
    No budget file is charged: add the loss to your own. With --compare it says how good the model is on the table.

    Exits 0 with a model, 2 for bad input, 3 if the time was over.

    Example: refdp fit k_means table.csv --feature age=0..100 --feature income=0..90000 --epsilon 1
    """
    with sentences():
        asked = keywords(locals())
        from refdp.report.fit_tables import print_fit

        show(answered(asked), json, print_fit)


def answered(asked: dict[str, Any]) -> dict[str, Any]:
    """The model, drawn where a picture is asked for."""
    out = asked.pop("out", None)
    if out is None:
        from refdp.commands.fit import fit as run

        return run(**asked)
    from refdp.report.pictures.models import plot_fit

    return plot_fit(out=out, **asked)
