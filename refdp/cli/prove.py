"""The command `refdp prove` and its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from refdp.cli import completing
from refdp.cli.errors import sentences
from refdp.cli.options import CERTIFICATES, Json, Run, certificates_option, keywords, set_option, timeout_option
from refdp.cli.showing import ended, is_open, is_wrong, show

Adjacency = typer.Option(metavar="NAME", help="ALL, ONE, L1, L2, MONO or ADD_REMOVE instead of the claimed one.",
                         autocompletion=completing.adjacencies)  # fmt: skip
Solver = typer.Option(metavar="SOLVER", help="z3, cvc5 or both: who must discharge every condition.",
                      autocompletion=completing.solvers)  # fmt: skip


def prove(
    target: Annotated[
        str | None, typer.Argument(help="FILE.py or FILE.py:FUNCTION; else refdp's library of programs.")
    ] = None,
    adjacency: Annotated[str | None, Adjacency] = None,
    bracket: Annotated[
        bool, typer.Option("--bracket", help="Also how small epsilon may be, and for which adjacencies.")
    ] = False,
    set_: Annotated[list[str] | None, set_option("A public parameter")] = None,
    solver: Annotated[str, Solver] = "z3",
    certificates: Annotated[Path, certificates_option()] = CERTIFICATES,
    run: Run = True,
    timeout: Annotated[str | None, timeout_option("the whole run, else 60, or 300 for the library")] = None,
    json: Json = False,
) -> None:
    """Prove or refute what a randomised program claims of its privacy, for all data of every length.

    Prints the alignment that proves it or the event that refutes it; of several claims a table.

    Exits 0 if all is as claimed or expected, 1 if not, 2 for bad input, 3 if something is UNKNOWN.

    Example: refdp prove sparse_vector.py:sparse_vector
    """
    with sentences():
        asked = keywords(locals())
        from refdp.cli.progress import progress
        from refdp.commands.prove import prove as judged
        from refdp.report.program_tables import print_programs

        with progress("judging") as step:
            found = judged(**asked, step=step)
        show(found, json, print_programs)
        ended(found, refuted=any(map(is_wrong, found["claims"])), unknown=any(map(is_open, found["claims"])))
