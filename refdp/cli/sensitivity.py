"""The command `refdp sensitivity` and its options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from refdp.cli import completing
from refdp.cli.errors import sentences
from refdp.cli.options import CERTIFICATES, Json, Neighbours, certificates_option, keywords, set_option, timeout_option
from refdp.cli.showing import ended, is_open, show

MORE, TABLE, SCORE, MACHINE = "More of the question", "At one table", "Scores", "On a machine"


def option(metavar: str, help: str, panel: str | None = None, *names: str, **more: Any) -> Any:  # noqa: A002
    """An option in a section of the help."""
    return typer.Option(*names, metavar=metavar, help=help, rich_help_panel=panel, **more)


def sensitivity(
    target: Annotated[str, typer.Argument(help="FILE.py:FUNCTION, or a campaign FILE.toml.")] = "",
    neighbours: Neighbours = None,
    bounds: Annotated[tuple[str, str] | None, option("L U", "Bounds of a table of numbers.")] = None,
    column: Annotated[
        list[str] | None, option("NAME=KIND", "Kind of a column, such as 0..9; of tuples 0=KIND. May be repeated.")
    ] = None,
    claim: Annotated[str | None, option("D", "The bound that is claimed; without it the least is found.")] = None,
    certificates: Annotated[Path, certificates_option("the certificate")] = CERTIFICATES,
    timeout: Annotated[str, timeout_option("one question")] = "60",
    json: Json = False,
    records: Annotated[
        str | None, option("KIND", "Kind of the records: numbers, 'integers 0..9', 'A | B'.", MORE)
    ] = None,
    edits: Annotated[
        str, option("K", "How many rows are added, removed or changed.", MORE, "-k", "--edits")
    ] = "1",
    norm: Annotated[
        str, option("NORM", "L1, L2 or Linf, for answers of several numbers.", MORE, autocompletion=completing.norms)
    ] = "L1",
    tables: Annotated[
        str | None,
        option("KIND", "lists or multisets: whether rows keep their order.", MORE, autocompletion=completing.tables),
    ] = None,
    set_: Annotated[list[str] | None, set_option("A public parameter", MORE)] = None,
    symbol: Annotated[
        list[str] | None, option("NAME", "A parameter of any value, NAME or NAME:integer; may be repeated.", MORE)
    ] = None,
    assume: Annotated[
        str | None, option("STATEMENT", "About symbols and n, the number of rows.", MORE)
    ] = None,
    at: Annotated[str | None, option("TABLE", "FILE.csv or FILE.csv:COLUMN: at this table alone.", TABLE)] = None,
    smooth: Annotated[
        str | None, option("BETA", "A smooth bound: of --statistic, or whether --smooth-bound is one.", TABLE)
    ] = None,
    statistic: Annotated[
        str | None,
        option("NAME", "median, 'quantile 1/4', 'rank 3', minimum, maximum.", TABLE,
               autocompletion=completing.statistics),
    ] = None,
    empty: Annotated[str | None, option("X", "What the statistic is of no rows, for add_remove.", TABLE)] = None,
    smooth_bound: Annotated[
        str | None, option("TARGET", "FILE.py:FUNCTION that claims to be a smooth bound.", TABLE)
    ] = None,
    score: Annotated[
        str | None, option("NAME", "The parameter of a score function that is the candidate.", SCORE)
    ] = None,
    candidates: Annotated[
        str | None, option("LIST", "[a, b, c]; else the candidate is a --symbol.", SCORE)
    ] = None,
    arithmetic: Annotated[
        str,
        option("NAME", "exact, float64, float32, float16, bfloat16, int64, ...", MACHINE,
               autocompletion=completing.arithmetics),
    ] = "exact",
    sum_: Annotated[
        str,
        option("NAME", "What sum computes: python, naive, pairwise, kahan, neumaier, numpy, fsum.", MACHINE, "--sum",
               autocompletion=completing.sums),
    ] = "python",
    rows_at_most: Annotated[str | None, option("N", "Most rows of a table.", MACHINE)] = None,
    rows_at_least: Annotated[str, option("N", "Fewest rows of a table.", MACHINE)] = "0",
    specials: Annotated[
        bool, typer.Option("--specials", help="Floats may be NaN, inf and -0.0, too.", rich_help_panel=MACHINE)
    ] = False,
    attacks: Annotated[
        bool, typer.Option("--attacks", help="Show how machines break sensitivities.", rich_help_panel=MACHINE)
    ] = False,
) -> None:  # fmt: skip
    """Prove or refute how far a function of a table moves when rows are added, removed or changed.

    Prints the verdict with the bound, or two tables that are further apart. The file is read, never run.

    Exits 0 if proved or as expected, 1 if refuted, 2 for bad input, 3 if UNKNOWN.

    Example: refdp sensitivity query.py:mean_income --neighbours add_remove --bounds 0 100 --claim 100
    """
    with sentences():
        asked = keywords(locals())
        from refdp.cli.progress import progress
        from refdp.commands.sensitivity import sensitivity as run

        with progress("judging") as step:
            found = run(**asked, step=step)
        is_plain = arithmetic == "exact" and not (at or smooth or score)
        show(found, json, table_of(found, is_plain))
        if "questions" in found:
            ended(found, refuted=found["surprises"] > 0, unknown=any(map(is_open, found["questions"])))
        elif "attacks" not in found:
            ended(found, refuted=found["verdict"] == "REFUTED", unknown=found["verdict"] == "UNKNOWN")


def table_of(found: Mapping[str, Any], is_plain: bool) -> Callable[[Any], None]:
    """How an answer is printed."""
    from refdp.report.sensitivity_tables import print_attacks, print_campaign, print_facts, print_judgement

    if "attacks" in found:
        return print_attacks
    if "questions" in found:
        return print_campaign
    return print_judgement if is_plain else print_facts
