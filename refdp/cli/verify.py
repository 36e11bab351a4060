"""The command `refdp verify` and its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from refdp.cli import completing
from refdp.cli.errors import sentences
from refdp.cli.options import Json, certificates_option, keywords, timeout_option
from refdp.cli.showing import ended, show

Pattern = typer.Argument(help="Which claims, such as 'discrete_laplace.*'.", autocompletion=completing.patterns)


def verify(
    pattern: Annotated[str, Pattern] = "*",
    certificates: Annotated[Path | None, certificates_option("the certificates; else beside the proofs")] = None,
    timeout: Annotated[str, timeout_option("one obligation, or one claim about a program")] = "20",
    json: Json = False,
) -> None:
    """Prove, or refute, every claim of the ledger, and write its certificate.

    Prints claim, verdict, whom it trusts and seconds. Beside each certificate stand its statements as SMT-LIB text.

    Exits 0 if all is as the ledger expects, 1 for a surprise, 2 for bad input, 3 if something else is UNKNOWN.
    A claim about all mechanisms has no certificate: Rocq proved it, as proofs/rocq/rules.lock says.

    Example: refdp verify 'histogram.*' --certificates certificates
    """
    with sentences():
        asked = keywords(locals())
        from refdp.cli.progress import progress
        from refdp.commands.verify import is_open
        from refdp.commands.verify import verify as run
        from refdp.report.ledger_tables import print_verdicts

        with progress("proving") as step:
            found = run(**asked, step=step)
        show(found, json, print_verdicts)
        unknown = any(map(is_open, found["claims"]))
        ended(found, refuted=found["surprises"] + found["obligations"]["disagreements"] > 0, unknown=unknown)
