"""The command `refdp`.

Exit code 0 as claimed, 1 refuted or surprised, 2 bad usage or input, 3 something UNKNOWN, 4 an internal error,
5 a release that was charged and then failed.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # nothing but `sys` is imported before a replay is isolated
    from collections.abc import Callable


def main() -> None:
    """Run the command that the process was started with: a replay always isolated."""
    if sys.argv[1:2] == ["check"]:
        from refdp.isolation import run_isolated

        run_isolated("refdp")
    running(_refdp)


def _refdp() -> None:
    """The command `refdp`."""
    import os

    from refdp.cli.app import COMMANDS, app_of, asked_for

    # A shell that completes words says so in the environment, and may ask for any command.
    completes = "_REFDP_COMPLETE" in os.environ
    (app_of(COMMANDS) if completes else asked_for(sys.argv[1:]))(prog_name="refdp")


def running(command: Callable[[], None]) -> None:
    """Run a command, whose errors are one sentence and an exit code wherever they come from."""
    try:
        command()
    except KeyboardInterrupt:  # before a command began
        sys.stderr.write("refdp: interrupted\n")
        raise SystemExit(130) from None
    except Exception as error:  # outside every command, which sees to its own
        internal(error)


def internal(error: Exception) -> None:
    """End with one sentence and exit code 4, whatever still can be said."""
    from contextlib import suppress

    from refdp.cli.errors import INTERNAL, internal_sentence, said

    with suppress(OSError):  # such as the broken pipe that brought us here
        said(internal_sentence(error))
    raise SystemExit(INTERNAL) from None
