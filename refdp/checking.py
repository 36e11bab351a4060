"""`refdp-check FILE...`, or `python -I -m refdp.checking FILE...`: replays certificates, isolated, and nothing else.

It is `refdp check` under a name of its own.  Before anything of the package but this file and `isolation` is imported,
the process is replaced by one that neither the working folder nor PYTHONPATH can reach.
"""

from __future__ import annotations

import sys

from refdp.isolation import run_isolated


def main() -> None:
    """Run the command, in an isolated process."""
    run_isolated("refdp.checking")
    from refdp.cli import running

    running(_check)


def _check() -> None:
    """The command `refdp-check`."""
    from refdp.cli.check import alone

    alone(sys.argv[1:])


if __name__ == "__main__":
    main()
