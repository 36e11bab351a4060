"""The command `refdp release` and its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from refdp.cli import completing
from refdp.cli.errors import sentences
from refdp.cli.options import CERTIFICATES, Json, certificates_option, keywords, timeout_option
from refdp.cli.showing import printed, require_output

Query = typer.Option(metavar="QUERY", help="count, histogram C, sum C, mean C or threshold C VALUE; may be repeated.",
                     autocompletion=completing.queries)  # fmt: skip
Relation = typer.Option(metavar="RELATION", help="add_remove or change_one.", autocompletion=completing.neighbours)


def release(
    data: Annotated[Path, typer.Argument(help="A CSV table, UTF-8, with a header.")],
    query: Annotated[list[str], Query],
    epsilon: Annotated[str, typer.Option(metavar="E", help="What this release spends, exact: 1, 1/10, 0.5.")],
    neighbours: Annotated[str, Relation],
    bounds: Annotated[list[str] | None, typer.Option(metavar="L,U", help="L,U or COLUMN=L,U.")] = None,
    granularity: Annotated[
        list[str] | None, typer.Option(metavar="G", help="Grid of the values: G or COLUMN=G.")
    ] = None,
    categories: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN=A,B", help="The cells of a histogram, all of them.")
    ] = None,
    missing: Annotated[str | None, typer.Option(metavar="HOW", help="drop, or replace=VALUE.")] = None,
    missing_marker: Annotated[
        list[str] | None, typer.Option(metavar="TEXT", help="Text that marks a missing cell; may be repeated.")
    ] = None,
    maximum_rows: Annotated[str, typer.Option(metavar="N", help="Refuse a table with more rows.")] = "500000",
    budget: Annotated[Path | None, typer.Option(metavar="FILE", help="The budget file to charge.")] = None,
    total: Annotated[
        str | None, typer.Option(metavar="E", help="Total of a new budget file; else its first epsilon.")
    ] = None,
    certificates: Annotated[Path, certificates_option("the certificate")] = CERTIFICATES,
    timeout: Annotated[str, timeout_option("one obligation")] = "20",
    json: Json = False,
) -> None:
    """Release differentially private answers about a table, charged to a budget before they are shown.

    Prints the answers with their accuracy, the theorem that they satisfy together, and what is assumed.

    Exits 0 with a release, 1 over budget, 2 for bad input, 3 if its theorem is UNKNOWN, 5 if charged and then failed.

    Example: refdp release t.csv --query "histogram island" --categories island=A,B --epsilon 1 --neighbours add_remove
    """
    with sentences():
        asked = keywords(locals())
        from refdp.commands.release import release as run
        from refdp.report.release_tables import print_release

        require_output()
        run(**asked, shown=lambda found: printed(found, json, print_release))
