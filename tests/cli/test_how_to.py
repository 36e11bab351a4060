"""The how-to pages of the engineer's commands name every option of theirs."""

import pytest
from typer.main import get_command

from refdp.cli.app import app
from tests.meta.repository import ROOT

COMMANDS = ("sample", "release", "sensitivity")


def options(command):
    """The names of a command's options, each with its short forms; --help and --json are those of every command."""
    parameters = get_command(app).commands[command].params
    return [p.opts for p in parameters if p.opts[0].startswith("-") and p.opts[0] != "--help"]


@pytest.mark.parametrize("command", COMMANDS)
def test_how_to_page_names_every_option(command):
    page = (ROOT / "docs" / "how_to" / f"{command}.md").read_text(encoding="utf-8")
    assert len(options(command)) >= 9
    assert [names for names in options(command) if not any(name in page for name in names)] == []
