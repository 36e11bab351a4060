"""The page of the command line: the help of each command, as a terminal prints it."""

from collections.abc import Iterator, Mapping
from typing import Any

import typer
from typer.testing import CliRunner

from refdp.cli.app import app
from scripts.docs_site.places import ROOT

WIDTH = 100
LEAD = """# The help of the commands

Each command is a function of the same name in Python, with the same words as keywords
([the names of refdp](python.md#commands)). The help of each, as `--help` prints it:
"""


def commands(group: Any, before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The words of each command, in the order of the help; those of a group after its name."""
    for name, command in group.commands.items():
        words = (*before, name)
        yield from commands(command, words) if isinstance(getattr(command, "commands", None), Mapping) else [words]


def help_of(words: tuple[str, ...]) -> str:
    """What `refdp WORDS --help` prints.  Raises RuntimeError where it ends with an error."""
    done = CliRunner().invoke(app, [*words, "--help"], prog_name="refdp", terminal_width=WIDTH, color=False)
    if done.exit_code:
        raise RuntimeError(f"refdp {' '.join(words)} --help ends with {done.exit_code}: {done.output}")
    return done.output.strip("\n")


def section(words: tuple[str, ...]) -> str:
    """A command under its heading, and where its page is."""
    line = " ".join(("refdp", *words))
    is_told = (ROOT / "docs" / "how_to" / f"{words[0]}.md").is_file()
    pointer = [f"How to use it: [`refdp {words[0]}`](../how_to/{words[0]}.md)."] if is_told else []
    return "\n\n".join([f"## {line}", *pointer, f"```console\n$ {line} --help\n{help_of(words)}\n```"])


def page() -> str:
    """All commands."""
    return "\n\n".join([LEAD, *map(section, commands(typer.main.get_command(app)))])
