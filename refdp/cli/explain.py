"""The command `refdp explain` and its options."""

from __future__ import annotations

from typing import Annotated

import typer

from refdp.cli import completing
from refdp.cli.errors import sentences
from refdp.cli.options import Json, keywords, timeout_option
from refdp.cli.showing import show

Claim = typer.Argument(help="A claim of the ledger, such as discrete_laplace.pure.", autocompletion=completing.claims)


def explain(
    claim: Annotated[str, Claim],
    latex: Annotated[bool, typer.Option("--latex", help="Print claim, formulas and obligations as LaTeX.")] = False,
    cost: Annotated[bool, typer.Option("--cost", help="Count the believed lines that run in its replay.")] = False,
    timeout: Annotated[str, timeout_option("one obligation")] = "20",
    json: Json = False,
) -> None:
    """Walk one claim: definition, formula, obligations, proof, theorem, what it trusts, certificate, tests.

    Prints each with its file and line; of a false claim also the counterexample, to be checked by hand.

    Exits 0 if the claim is proved or refuted as the ledger says, 2 for bad input, 3 if that is UNKNOWN.

    Example: refdp explain discrete_laplace.pure
    """
    with sentences():
        if latex and cost:
            raise ValueError("cost must be left out with latex, got both")
        asked = keywords(locals())
        from refdp.commands.explain import explain as run
        from refdp.report.walk import print_latex, print_walk

        show(run(**asked), json, print_latex if latex else print_walk)
