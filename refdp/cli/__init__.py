"""The command `refdp`: exit code 0 as claimed, 1 refuted or surprised, 2 bad usage or input, 3 something UNKNOWN."""

from __future__ import annotations


def main() -> None:
    """Run the command that the process was started with."""
    from refdp.cli.app import app

    app()
