"""The commands, each a thin face of the function of the same name in `refdp`, put together."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Annotated, Any

import typer

from refdp import __version__
from refdp.cli.starting import welcome
from refdp.cli.usage import Command, Group

COMMANDS = (
    "verify", "check", "explain", "export", "sensitivity", "prove", "account", "sample", "release", "fit", "train",
    "audit", "attack", "plot", "vectors",
)  # fmt: skip
"""Each a function of its name, or an app of several, in the module of its name."""
GROUPS = ("vectors",)


def app_of(names: Iterable[str]) -> typer.Typer:
    """The command `refdp` with these commands: with one, where it is asked for, as building all takes 50 ms."""
    found = typer.Typer(
        cls=Group,
        invoke_without_command=True,
        add_completion=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"max_content_width": 120},
    )
    found.callback()(root)
    for name in names:
        command = getattr(import_module(f"refdp.cli.{name}"), name)
        if name in GROUPS:
            found.add_typer(command, name=name)
        else:
            found.command(cls=Command)(command)
    return found


def asked_for(words: list[str]) -> typer.Typer:
    """The command `refdp` as far as these words, those after its name, may need it."""
    return app_of(words[:1] if words and words[0] in COMMANDS else COMMANDS)


def __getattr__(name: str) -> Any:
    """The whole command, as `app`."""
    if name != "app":
        raise AttributeError(name)
    return globals().setdefault("app", app_of(COMMANDS))


def _version(asked: bool) -> None:
    """Print the version and end."""
    if asked:
        typer.echo(f"refdp {__version__}")
        raise typer.Exit


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
