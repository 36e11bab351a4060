"""The command `refdp sensitivity` and its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from refdp.cli.errors import ending, sentences


def sensitivity(
    target: Annotated[str, typer.Argument(help="FILE.py:FUNCTION, or a campaign FILE.toml.")] = "",
    neighbours: Annotated[str | None, typer.Option(help="add_remove or change_one.")] = None,
    edits: Annotated[int, typer.Option("-k", "--edits", help="How many rows are added, removed or changed.")] = 1,
    bounds: Annotated[tuple[str, str] | None, typer.Option(help="L U of a table of numbers.", metavar="L U")] = None,
    records: Annotated[str | None, typer.Option(help="Kind of the records: numbers, 'integers 0..9', 'A | B'.")] = None,
    column: Annotated[list[str] | None, typer.Option(help="NAME=KIND of a column; 0=KIND, 1=KIND for tuples.")] = None,
    norm: Annotated[str, typer.Option(help="L1, L2 or Linf, for answers of several numbers.")] = "L1",
    claim: Annotated[str | None, typer.Option(help="The bound that is claimed; without it the least is found.")] = None,
    tables: Annotated[str | None, typer.Option(help="lists or multisets: whether rows keep their order.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="NAME=VALUE of a public parameter.")] = None,
    symbol: Annotated[list[str] | None, typer.Option(help="NAME or NAME:integer, for every value of it.")] = None,
    assume: Annotated[str | None, typer.Option(help="A statement about symbols and n, the number of rows.")] = None,
    certificates: Annotated[Path, typer.Option(help="Folder for the certificate.")] = Path("refdp-certificates"),
    timeout: Annotated[float, typer.Option(help="Seconds for one question.", min=0.1)] = 60.0,
    at: Annotated[str | None, typer.Option(help="FILE.csv or FILE.csv:COLUMN: at this table alone.")] = None,
    smooth: Annotated[str | None, typer.Option(help="beta of a smooth bound: --statistic or --smooth-bound.")] = None,
    statistic: Annotated[str | None, typer.Option(help="median, 'quantile 1/4', 'rank 3', minimum, ...")] = None,
    empty: Annotated[str | None, typer.Option(help="What the statistic is of no rows, for add_remove.")] = None,
    smooth_bound: Annotated[str | None, typer.Option(help="FILE.py:FUNCTION that claims to be a smooth bound.")] = None,
    score: Annotated[str | None, typer.Option(help="The parameter of a score function that is the candidate.")] = None,
    candidates: Annotated[str | None, typer.Option(help="[a, b, c]; else the candidate is a --symbol.")] = None,
    arithmetic: Annotated[str, typer.Option(help="exact, float64, float32, float16, bfloat16, int64, ...")] = "exact",
    total: Annotated[str, typer.Option("--sum", help="naive, pairwise, kahan, neumaier, numpy, fsum.")] = "python",
    rows_at_most: Annotated[int | None, typer.Option(help="Most rows of a table on a machine.", min=0)] = None,
    rows_at_least: Annotated[int, typer.Option(help="Fewest rows of a table on a machine.", min=0)] = 0,
    specials: Annotated[bool, typer.Option("--specials", help="Floats may be NaN, inf and -0.0, too.")] = False,
    attacks: Annotated[bool, typer.Option("--attacks", help="Show how machines break sensitivities.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output.")] = False,
) -> None:
    """Prove or refute how far a function of a table moves when rows are added, removed or changed.

    Example: refdp sensitivity query.py:mean_income --neighbours add_remove --bounds 0 100 --claim 100
    """
    with sentences():
        from refdp.cli.progress import progress
        from refdp.commands.attacks import attacks as machine_attacks
        from refdp.commands.sensitivity import campaign
        from refdp.commands.sensitivity import sensitivity as run
        from refdp.report.sensitivity_tables import print_attacks, print_campaign, print_facts, print_judgement
        from refdp.report.tables import print_json

        found: dict[str, Any]
        if attacks:
            found = machine_attacks()
            (print_json if json else print_attacks)(found)
            return
        if target.endswith(".toml"):
            with progress("judging") as step:
                found = campaign(target, certificates=certificates, timeout=timeout, step=step)
            (print_json if json else print_campaign)(found)
            ending(refuted=found["surprises"] > 0, unknown=any(map(undecided, found["questions"])))
            return
        if neighbours is None:
            raise ValueError("neighbours must be add_remove or change_one, got none")
        found = run(
            target,
            neighbours,
            edits=edits,
            bounds=bounds,
            records=records,
            columns=pairs("column", column),
            norm=norm,
            claim=claim,
            tables=tables,
            values=pairs("set", set_),
            symbols=symbol or (),
            assume=assume,
            at=at,
            smooth=smooth,
            statistic=statistic,
            empty=empty,
            smooth_bound=smooth_bound,
            score=score,
            candidates=candidates,
            arithmetic=arithmetic,
            total=total,
            maximum_rows=rows_at_most,
            minimum_rows=rows_at_least,
            specials=specials,
            certificates=certificates,
            timeout=timeout,
        )
        is_plain = arithmetic == "exact" and not (at or smooth or score)
        (print_json if json else print_judgement if is_plain else print_facts)(found)
        ending(refuted=found["verdict"] == "REFUTED", unknown=found["verdict"] == "UNKNOWN")


def undecided(question: dict[str, Any]) -> bool:
    """Whether a question is unknown where that is not what was expected."""
    return bool(question["verdict"] == "UNKNOWN" != question.get("expected"))


def pairs(option: str, entries: list[str] | None) -> dict[str, str]:
    """NAME=VALUE entries; ValueError where one is not."""
    found: dict[str, str] = {}
    for entry in entries or ():
        name, equals, value = entry.partition("=")
        if not equals or not name.strip() or name.strip() in found:
            raise ValueError(f"{option} must be NAME=VALUE, each name once, got {entry}")
        found[name.strip()] = value
    return found
