"""The command `refdp`: exit code 0 as claimed, 1 refuted or surprised, 2 bad usage or input, 3 something UNKNOWN."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command that the process was started with."""
    try:
        from refdp.cli.app import app

        app(prog_name="refdp")
    except KeyboardInterrupt:  # before a command began
        sys.stderr.write("refdp: interrupted\n")
        raise SystemExit(130) from None
