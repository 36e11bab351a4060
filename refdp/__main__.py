"""`python -m refdp` is the command `refdp`."""

from refdp.cli import main

main()
