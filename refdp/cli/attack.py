"""The command `refdp attack` and its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from refdp.cli import completing
from refdp.cli.errors import sentences
from refdp.cli.options import Json, keywords
from refdp.cli.showing import ended, show

Text = str | None
Name = typer.Argument(
    help="averaging, correlation, differencing, inference, linkage, membership or reconstruction.",
    autocompletion=completing.attacks,
)
Epsilon = typer.Option(metavar="E", help="Privacy loss of one answer; may be repeated, else a range of them is tried.")
Runs = typer.Option(metavar="N", help="How often each row is played; each run counts once.")
Error = typer.Option(metavar="P", help="Chance that any of the intervals of success does not hold.")
People = typer.Option(metavar="N", help="People in the table; of correlation, members of the family.")
Answers = typer.Option(metavar="M", help="How many noisy answers are published.")
Method = typer.Option(
    metavar="METHOD",
    help="least_squares or linear_programming of reconstruction; likelihood or mean of averaging.",
    autocompletion=completing.methods,
)
Seed = typer.Option(metavar="N", help="What the public subsets of reconstruction follow from; else drawn and told.")
Budget = typer.Option(metavar="E", help="Of averaging: say how many answers a filter of this epsilon admits.")
Table = typer.Option(metavar="FILE", help="A CSV table with a header, of linkage and inference; else the penguins.")
Auxiliary = typer.Option(metavar="COLUMN", help="A column that others may know; may be repeated.")
Secret = typer.Option(metavar="COLUMN", help="The column that they may not.")
Out = typer.Option(metavar="FILE", help="Draw success against epsilon into a file that ends in .svg, .png or .pdf.")
Timeout = typer.Option(metavar="SECONDS", help="Seconds for the whole run; rows that are not measured are UNKNOWN.")


def attack(
    name: Annotated[str, Name],
    epsilon: Annotated[list[str] | None, Epsilon] = None,
    runs: Annotated[Text, Runs] = None,
    error: Annotated[str, Error] = "1e-9",
    people: Annotated[Text, People] = None,
    answers: Annotated[Text, Answers] = None,
    method: Annotated[Text, Method] = None,
    seed: Annotated[Text, Seed] = None,
    budget: Annotated[Text, Budget] = None,
    table: Annotated[Path | None, Table] = None,
    auxiliary: Annotated[list[str] | None, Auxiliary] = None,
    secret: Annotated[Text, Secret] = None,
    out: Annotated[Path | None, Out] = None,
    timeout: Annotated[str, Timeout] = "600",
    json: Json = False,
) -> None:
    """Attack noisy answers, and set success beside the bound that the privacy claim implies for every attack.

    Prints a row without noise and one for each epsilon: between which ends the probability of success lies, the
    certified bound, and the one that the sum of all epsilons gives.

    Exits 0 if no success is beyond its bound, 1 if one is, 2 for bad input, 3 if the time was over.

    Example: refdp attack averaging --answers 100
    """
    with sentences():
        asked = keywords(locals())
        from refdp.report.attack_tables import print_attack

        found = answered(asked)
        show(found, json, print_attack)
        ended(found, refuted=found["verdict"] == "REFUTED", unknown=found["verdict"] == "UNKNOWN")


def answered(asked: dict[str, Any]) -> dict[str, Any]:
    """What is measured, and drawn where a picture is asked for."""
    from refdp.cli.progress import progress

    out = asked.pop("out", None)
    with progress("attacking") as step:
        if out is None:
            from refdp.commands.attack import attack as run

            return run(**asked, step=step)
        from refdp.report.pictures.attacks import plot_attack

        return plot_attack(out=out, **asked, step=step)
