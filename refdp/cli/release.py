"""The command `refdp release` and its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from refdp.cli import completing
from refdp.cli.errors import sentences
from refdp.cli.options import CERTIFICATES, Json, certificates_option, keywords, timeout_option
from refdp.cli.showing import printed, require_output

Query = typer.Option(metavar="QUERY", help="count, histogram C, sum C, mean C, threshold C VALUE or FILE.py:FUNCTION.",
                     autocompletion=completing.queries)  # fmt: skip
Relation = typer.Option(metavar="RELATION", help="add_remove or change_one.", autocompletion=completing.neighbours)


def release(
    data: Annotated[Path, typer.Argument(help="A CSV table, UTF-8, with a header.")],
    query: Annotated[list[str], Query],
    neighbours: Annotated[str, Relation],
    epsilon: Annotated[
        str | None, typer.Option(metavar="E", help="What this release spends, exact: 1, 1/10, 0.5.")
    ] = None,
    rho: Annotated[str | None, typer.Option(metavar="R", help="What it spends in zCDP, by Gaussian noise.")] = None,
    delta: Annotated[str | None, typer.Option(metavar="D", help="With epsilon: spent by Gaussian noise.")] = None,
    order: Annotated[str | None, typer.Option(metavar="A", help="With epsilon: spent at this Renyi order.")] = None,
    bounds: Annotated[list[str] | None, typer.Option(metavar="L,U", help="L,U or COLUMN=L,U.")] = None,
    granularity: Annotated[
        list[str] | None, typer.Option(metavar="G", help="Grid of the values: G or COLUMN=G.")
    ] = None,
    categories: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN=A,B", help="The cells of a histogram, all of them.")
    ] = None,
    column: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN=KIND", help="What functions of one's own read; see sensitivity.")
    ] = None,
    set: Annotated[  # noqa: A002
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="A parameter of such functions.")
    ] = None,
    claim: Annotated[
        list[str] | None, typer.Option(metavar="FUNCTION=D", help="How far one moves; else the least proved.")
    ] = None,
    missing: Annotated[str | None, typer.Option(metavar="HOW", help="drop, or replace=VALUE.")] = None,
    missing_marker: Annotated[
        list[str] | None, typer.Option(metavar="TEXT", help="Text that marks a missing cell; may be repeated.")
    ] = None,
    maximum_rows: Annotated[str, typer.Option(metavar="N", help="Refuse a table with more rows.")] = "500000",
    budget: Annotated[Path | None, typer.Option(metavar="FILE", help="The budget file to charge.")] = None,
    total: Annotated[
        str | None, typer.Option(metavar="E", help="Total of a new budget file; else what is spent first.")
    ] = None,
    total_delta: Annotated[
        str | None, typer.Option(metavar="D", help="Total delta of a new budget file in epsilon and delta.")
    ] = None,
    promise: Annotated[
        str | None, typer.Option(metavar="E,D", help="What a new budget file in rho, or at an order, is converted to.")
    ] = None,
    certificates: Annotated[Path, certificates_option("the certificate")] = CERTIFICATES,
    timeout: Annotated[str, timeout_option("one obligation, or one function")] = "20",
    run: Annotated[
        bool, typer.Option("--run/--no-run", help="Let the second judge run functions of one's own in Python, too.")
    ] = True,
    json: Json = False,
) -> None:
    """Release differentially private answers about a table, charged to a budget before they are shown.

    Prints the answers with their accuracy, the theorem that they satisfy together, and what is assumed.

    Exits 0 with a release, 1 over budget, 2 for bad input, 3 if its theorem is UNKNOWN, 5 if charged and then failed.

    Example: refdp release t.csv --query "histogram island" --categories island=A,B --epsilon 1 --neighbours add_remove
    """
    with sentences():
        asked = keywords(locals())
        from refdp.commands.release import release as released
        from refdp.report.release_tables import print_release

        require_output()
        released(**asked, shown=lambda found: printed(found, json, print_release))
