"""The commands and their options, each a thin face of the function of the same name in `refdp.commands`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from refdp import __version__
from refdp.cli.account import account
from refdp.cli.audit import audit
from refdp.cli.errors import ending, sentences
from refdp.cli.plot import plot
from refdp.cli.prove import prove
from refdp.cli.sample import sample
from refdp.cli.sensitivity import sensitivity
from refdp.cli.vectors import vectors

app = typer.Typer(
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="An executable reference for differential privacy: every claim carries a proof that anyone can replay.",
)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output.")]
Timeout = Annotated[float, typer.Option(help="Seconds that a solver may take for one obligation.", min=0.1)]


def _version(asked: bool) -> None:
    """Print the version and end."""
    if asked:
        typer.echo(f"refdp {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print it.")] = False,
) -> None:
    """An executable reference for differential privacy: every claim carries a proof that anyone can replay."""


@app.command()
def verify(
    pattern: Annotated[str, typer.Argument(help="Which claims, such as 'discrete_laplace.*'.")] = "*",
    certificates: Annotated[Path | None, typer.Option(help="Folder for the certificates.")] = None,
    timeout: Timeout = 20.0,
    json: Json = False,
) -> None:
    """Prove, or refute, every claim of the ledger; write certificates, and their statements as SMT-LIB text.

    Example: refdp verify 'histogram.*'
    """
    with sentences():
        from refdp.cli.progress import progress
        from refdp.commands.verify import verify as run
        from refdp.report.ledger_tables import print_verdicts
        from refdp.report.tables import print_json

        with progress("proving") as step:
            found = run(pattern, certificates, timeout, step)
        (print_json if json else print_verdicts)(found)
        unknown = any(c["verdict"] == "UNKNOWN" for c in found["claims"])
        ending(refuted=found["surprises"] + found["obligations"]["disagreements"] > 0, unknown=unknown)


@app.command()
def check(
    paths: Annotated[list[Path], typer.Argument(help="Certificates, or folders of them.")],
    solver: Annotated[str | None, typer.Option(help="z3, cvc5 or both; else who was asked then.")] = None,
    trust: Annotated[str | None, typer.Option(help="Accept these names only, such as 'z3,refdp'.")] = None,
    timeout: Timeout = 20.0,
    json: Json = False,
) -> None:
    """Replay certificates from their JSON alone, asking every oracle again.

    Example: refdp check proofs/certificates --solver cvc5
    """
    with sentences():
        from refdp.cli.progress import progress
        from refdp.commands.check import SOLVERS, certificate_files, replayed_files, summary
        from refdp.report.check_tables import print_replays
        from refdp.report.tables import print_json

        if solver not in (None, *SOLVERS):
            raise ValueError(f"solver must be one of {', '.join(SOLVERS)}, got {solver}")
        names = None if trust is None else [name.strip() for name in trust.split(",")]
        judged: list[dict[str, Any]] = []
        total = len(certificate_files(paths))
        with progress("replaying") as step:
            for one in replayed_files(paths, solver, names, timeout):
                judged.append(one)
                step(len(judged), total, one["path"])
        found = summary(judged)
        (print_json if json else print_replays)(found)
        ending(refuted=found["rejected"] > 0, unknown=found["unknown"] > 0)


@app.command()
def explain(
    claim: Annotated[str, typer.Argument(help="A claim of the ledger, such as discrete_laplace.pure.")],
    latex: Annotated[bool, typer.Option("--latex", help="Print claim, formulas and obligations as LaTeX.")] = False,
    timeout: Timeout = 20.0,
    json: Json = False,
) -> None:
    """Walk one claim: definition, formula, obligations, proof, theorem, what it trusts, certificate, tests.

    Example: refdp explain discrete_laplace.pure
    """
    with sentences():
        from refdp.commands.explain import explain as run
        from refdp.report.tables import print_json
        from refdp.report.walk import print_latex, print_walk

        found = run(claim, timeout)
        (print_json if json else print_latex if latex else print_walk)(found)


@app.command()
def release(
    data: Annotated[Path, typer.Argument(help="A CSV table, UTF-8, with a header.")],
    query: Annotated[list[str], typer.Option(help="count, histogram C, sum C, mean C or threshold C VALUE.")],
    epsilon: Annotated[str, typer.Option(help="What this release spends, exact: 1, 1/10, 0.5.")],
    neighbours: Annotated[str, typer.Option(help="add_remove or change_one.")],
    budget: Annotated[Path | None, typer.Option(help="The budget file to charge.")] = None,
    total: Annotated[str | None, typer.Option(help="Total of a new budget file; else its first epsilon.")] = None,
    bounds: Annotated[list[str] | None, typer.Option(help="L,U or COLUMN=L,U.")] = None,
    granularity: Annotated[list[str] | None, typer.Option(help="Grid of the values: G or COLUMN=G.")] = None,
    categories: Annotated[list[str] | None, typer.Option(help="COLUMN=A,B,... of a histogram.")] = None,
    missing: Annotated[str | None, typer.Option(help="drop, or replace=VALUE.")] = None,
    missing_marker: Annotated[list[str] | None, typer.Option(help="Text that marks a missing cell.")] = None,
    maximum_rows: Annotated[int, typer.Option(help="Refuse a table with more rows.", min=1)] = 500_000,
    certificates: Annotated[Path, typer.Option(help="Folder for the certificate.")] = Path("refdp-certificates"),
    timeout: Timeout = 20.0,
    json: Json = False,
) -> None:
    """Release differentially private answers about a table, charged to a budget before they are shown.

    Example: refdp release t.csv --query "histogram island" --categories island=A,B --epsilon 1 --neighbours add_remove
    """
    with sentences():
        from refdp.commands.release import release as run
        from refdp.report.release_tables import print_release
        from refdp.report.tables import print_json

        found = run(
            data,
            query,
            epsilon,
            neighbours,
            budget=budget,
            total=total,
            bounds=bounds or (),
            granularity=granularity or (),
            categories=categories or (),
            missing=missing,
            missing_marker=missing_marker or (),
            maximum_rows=maximum_rows,
            certificates=certificates,
            timeout=timeout,
        )
        (print_json if json else print_release)(found)


app.command()(plot)
app.command()(sensitivity)
app.command()(prove)
app.command()(account)
app.command()(sample)
app.command()(audit)
app.add_typer(vectors, name="vectors")
