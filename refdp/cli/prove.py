"""The command `refdp prove` and its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from refdp.cli.errors import ending, sentences
from refdp.cli.sensitivity import pairs


def prove(
    target: Annotated[str | None, typer.Argument(help="FILE.py or FILE.py:FUNCTION; else refdp's library.")] = None,
    adjacency: Annotated[str | None, typer.Option(help="ALL, ONE, L1, L2 or MONO instead of the claimed one.")] = None,
    bracket: Annotated[bool, typer.Option("--bracket", help="Also how small epsilon may be, and adjacencies.")] = False,
    set_: Annotated[list[str] | None, typer.Option("--set", help="NAME=VALUE of a public parameter.")] = None,
    solver: Annotated[str, typer.Option(help="z3, cvc5 or both: who must discharge every condition.")] = "z3",
    certificates: Annotated[Path, typer.Option(help="Folder for the certificates.")] = Path("refdp-certificates"),
    timeout: Annotated[float | None, typer.Option(help="Seconds for the whole run.", min=0.1)] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output.")] = False,
) -> None:
    """Prove or refute what a randomised program claims of its privacy, for all data of every length.

    Example: refdp prove sparse_vector.py:sparse_vector
    """
    with sentences():
        from refdp.cli.progress import progress
        from refdp.commands.prove import prove as run
        from refdp.report.program_tables import print_programs
        from refdp.report.tables import print_json

        with progress("judging") as step:
            found = run(
                target,
                adjacency=adjacency,
                bracket=bracket,
                values=pairs("set", set_),
                solver=solver,
                certificates=certificates,
                timeout=timeout,
                step=step,
            )
        (print_json if json else print_programs)(found)
        ending(refuted=any(map(is_wrong, found["claims"])), unknown=any(map(is_open, found["claims"])))


def is_wrong(one: dict[str, Any]) -> bool:
    """Whether a claim is refuted, or proved, where the other was expected."""
    return bool("UNKNOWN" != one["verdict"] != one.get("expected", "PROVED"))


def is_open(one: dict[str, Any]) -> bool:
    """Whether a claim is unknown where that is not what was expected."""
    return bool(one["verdict"] == "UNKNOWN" != one.get("expected"))
