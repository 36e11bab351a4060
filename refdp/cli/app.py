"""The commands, each a thin face of the function of the same name in `refdp`, put together."""

from __future__ import annotations

from typing import Annotated

import typer

from refdp import __version__
from refdp.cli.account import account
from refdp.cli.audit import audit
from refdp.cli.check import check
from refdp.cli.explain import explain
from refdp.cli.plot import plot
from refdp.cli.prove import prove
from refdp.cli.release import release
from refdp.cli.sample import sample
from refdp.cli.sensitivity import sensitivity
from refdp.cli.starting import welcome
from refdp.cli.usage import Command, Group
from refdp.cli.vectors import vectors
from refdp.cli.verify import verify

app = typer.Typer(
    cls=Group,
    invoke_without_command=True,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"max_content_width": 120},
)


def _version(asked: bool) -> None:
    """Print the version and end."""
    if asked:
        typer.echo(f"refdp {__version__}")
        raise typer.Exit


@app.callback()
def root(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """An executable reference for differential privacy: every claim carries a proof that anyone can replay.

    Every command has --json, which prints one object, and --timeout in seconds. Exit codes: 0 as claimed or expected,
    1 refuted, a surprise, or over budget, 2 bad usage or input, 3 nothing refuted but something UNKNOWN, 4 an internal
    error, by which nothing is refuted, 5 a release that was charged and then failed, 130 interrupted. `refdp` by itself
    says what to try first.

    Example: refdp explain discrete_laplace.pure
    """
    if context.invoked_subcommand is None:
        welcome()


for command in (verify, check, explain, sensitivity, prove, account, sample, release, audit, plot):
    app.command(cls=Command)(command)
app.add_typer(vectors, name="vectors")
