"""The command `refdp check` and its options; by itself it is `refdp-check`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from refdp.cli import completing
from refdp.cli.errors import sentences
from refdp.cli.options import Json, keywords, timeout_option
from refdp.cli.showing import ended, show
from refdp.cli.usage import Command, Group

Solver = typer.Option(metavar="SOLVER", help="z3, cvc5 or both; else who was asked then.",
                      autocompletion=completing.solvers)  # fmt: skip
Run = typer.Option("--run", help="Run the files that proofs are about, too, in processes of their own.")
Trust = typer.Option(metavar="NAMES", help="Accept these names only, such as z3,refdp.")


def check(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", help="Certificates, or folders of them.")],
    solver: Annotated[str | None, Solver] = None,
    trust: Annotated[str | None, Trust] = None,
    run: Annotated[bool, Run] = False,
    timeout: Annotated[str, timeout_option("one obligation, or a certificate about a function")] = "60",
    json: Json = False,
) -> None:
    """Replay certificates from their JSON alone, asking every oracle again.

    Prints certificate, verdict, whom it trusts and seconds; a certificate that does not replay is REJECTED.

    Exits 0 if all replay, 1 if one is rejected, 2 for bad input, 3 if an oracle gave no answer.

    The process is isolated: neither the working folder nor PYTHONPATH can change what is replayed. `refdp-check` is the
    same command.

    Example: refdp check certificates --solver both
    """
    with sentences():
        asked = keywords(locals())
        from refdp.cli.progress import progress
        from refdp.commands.check import replayed_here
        from refdp.report.check_tables import print_replays

        with progress("replaying") as step:
            found = replayed_here(**asked, step=step)
        show(found, json, print_replays)
        ended(found, refuted=found["rejected"] > 0, unknown=found["unknown"] > 0)


def alone(arguments: list[str]) -> None:
    """Run `refdp check` with the arguments, in a process that loads no other command."""
    app = typer.Typer(cls=Group, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False,
                      context_settings={"max_content_width": 120})  # fmt: skip
    app.callback()(lambda: None)
    app.command(cls=Command)(check)
    app(["check", *arguments], prog_name="refdp")
