"""The command `refdp export` and its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from refdp.cli import completing
from refdp.cli.errors import sentences
from refdp.cli.options import Json, keywords, timeout_option
from refdp.cli.showing import ended, show

Claim = typer.Argument(
    help="A claim of the ledger, such as discrete_laplace.pure, or a certificate, FILE.json.",
    autocompletion=completing.claims,
)


def export(
    claim: Annotated[str, Claim],
    to: Annotated[str, typer.Option(metavar="PROVER", help="For whom: rocq.")] = "rocq",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write it to this file; else it is printed.")] = None,
    timeout: Annotated[str, timeout_option("one obligation")] = "20",
    json: Json = False,
) -> None:
    """Write a claim or a certificate for another prover, with a proof made of the certificate.

    Prints the file: each step of the derivation becomes a theorem, by the theorem of refdp's library for its rule. What
    has no word there is named at the top, and then what the certificate proves of numbers stands alone. What solvers
    proved of a user's function is a premise of the theorem, beside what they were asked.

    Exits 0 if the file is written, 2 for bad input, 3 if nothing of the claim can be written.

    Example: refdp export randomised_response.pure --to rocq
    """
    with sentences():
        asked = keywords(locals())
        from refdp.commands.export import export as run
        from refdp.report.export_tables import print_export

        found = run(**asked)
        show(found, json, print_export)
        ended(found, refuted=False, unknown=found["status"] == "nothing")
