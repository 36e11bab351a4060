"""The how-to page of each command names every option of it."""

import pytest
from typer.main import get_command

from refdp.cli.app import app
from tests.meta.repository import ROOT

COMMANDS = get_command(app).commands


def options(command):
    """The names of a command's options, each with its short forms; --help is that of every command."""
    found = COMMANDS[command]
    parameters = [p for one in getattr(found, "commands", {"": found}).values() for p in one.params]
    return [p.opts for p in parameters if p.opts[0].startswith("-") and p.opts[0] != "--help"]


@pytest.mark.parametrize("command", COMMANDS)
def test_how_to_page_names_every_option(command):
    page = (ROOT / "docs" / "how_to" / f"{command}.md").read_text(encoding="utf-8")
    assert len(options(command)) >= 3
    assert [names for names in options(command) if not any(name in page for name in names)] == []
