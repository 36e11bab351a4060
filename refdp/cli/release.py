"""The command `refdp release` and its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from refdp.cli import completing
from refdp.cli.errors import sentences
from refdp.cli.options import CERTIFICATES, Json, Run, certificates_option, keywords, set_option, timeout_option
from refdp.cli.showing import printed, require_output

Text = str | None
Texts = list[str] | None
Data = typer.Argument(help="A CSV table, UTF-8, with a header.")
Query = typer.Option(metavar="QUERY", help="count, histogram C, sum C, mean C, threshold C VALUE or FILE.py:FUNCTION.",
                     autocompletion=completing.queries)  # fmt: skip
Relation = typer.Option(metavar="RELATION", help="add_remove or change_one.", autocompletion=completing.neighbours)
Epsilon = typer.Option(metavar="E", help="What this release spends, exact: 1, 1/10, 0.5.")
Rho = typer.Option(metavar="R", help="What it spends under zCDP, by Gaussian noise.")
Delta = typer.Option(metavar="D", help="Spent with epsilon, by Gaussian noise.")
Order = typer.Option(metavar="A", help="The Renyi order at which epsilon is spent, by Gaussian noise.")
Bounds = typer.Option(metavar="L,U", help="L,U or COLUMN=L,U.")
Granularity = typer.Option(metavar="G", help="Grid of the values: G or COLUMN=G, of answers: FUNCTION=G.")
Categories = typer.Option(metavar="COLUMN=A,B", help="The cells of a histogram, all of them.")
Column = typer.Option(metavar="NAME=KIND", help="What functions of one's own read, as for sensitivity.")
Claim = typer.Option(metavar="FUNCTION=D", help="How far one row moves such a function; else the least proved.")
Missing = typer.Option(metavar="HOW", help="drop, or replace=VALUE.")
Marker = typer.Option(metavar="TEXT", help="Text that marks a missing cell; may be repeated.")
Rows = typer.Option(metavar="N", help="Refuse a table with more rows.")
File = typer.Option(metavar="FILE", help="The budget file to charge.")
Total = typer.Option(metavar="E", help="Total of a new budget file; else what is spent first.")
TotalDelta = typer.Option(metavar="D", help="Total delta of a new budget file in epsilon and delta.")
Promise = typer.Option(metavar="E,D", help="What a new budget file in rho, or at an order, is converted to.")


def release(
    data: Annotated[Path, Data],
    query: Annotated[list[str], Query],
    neighbours: Annotated[str, Relation],
    epsilon: Annotated[Text, Epsilon] = None,
    rho: Annotated[Text, Rho] = None,
    delta: Annotated[Text, Delta] = None,
    order: Annotated[Text, Order] = None,
    bounds: Annotated[Texts, Bounds] = None,
    granularity: Annotated[Texts, Granularity] = None,
    categories: Annotated[Texts, Categories] = None,
    column: Annotated[Texts, Column] = None,
    set_: Annotated[Texts, set_option("A parameter of such a function")] = None,
    claim: Annotated[Texts, Claim] = None,
    missing: Annotated[Text, Missing] = None,
    missing_marker: Annotated[Texts, Marker] = None,
    maximum_rows: Annotated[str, Rows] = "500000",
    budget: Annotated[Path | None, File] = None,
    total: Annotated[Text, Total] = None,
    total_delta: Annotated[Text, TotalDelta] = None,
    promise: Annotated[Text, Promise] = None,
    run: Run = True,
    certificates: Annotated[Path, certificates_option("the certificate")] = CERTIFICATES,
    timeout: Annotated[str, timeout_option("one obligation, or one function")] = "20",
    json: Json = False,
) -> None:
    """Release differentially private answers about a table, charged to a budget before they are shown.

    Prints the answers with their accuracy, the theorem that they satisfy together, and what is assumed.

    Exits 0 with a release, 1 over budget, 2 for bad input, 3 if its theorem is UNKNOWN, 5 if charged and then failed.

    Example: refdp release t.csv --query "histogram island" --categories island=A,B --epsilon 1 --neighbours add_remove
    """
    with sentences():
        released(keywords(locals()), json)


def released(asked: dict[str, Any], json: bool) -> None:
    """Make the release, and print it while its charge is still spoken for."""
    from refdp.commands.release import release as run
    from refdp.report.release_tables import print_release

    require_output()
    run(**asked, shown=lambda found: printed(found, json, print_release))
