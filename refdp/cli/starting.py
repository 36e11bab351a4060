"""What `refdp` says by itself: what one can do next; every command stands by itself and runs in an empty folder."""

from __future__ import annotations

import sys

from refdp import __version__
from refdp.cli.showing import unread

WELCOME = rf"""refdp {__version__}: an executable reference for differential privacy.
Every claim carries a proof that anyone can replay.

See one claim, from its definition to its certificate:
  refdp explain discrete_laplace.pure

An auditor asks whether a library's claim is true:
  refdp verify 'discrete_laplace.*' --certificates certificates
  refdp check certificates
  printf '%s\n' '[[target]]' 'name = "a bit"' 'kind = "exact"' \
    'tables.yes = {{ yes = "3/4", no = "1/4" }}' \
    'tables.no = {{ yes = "1/4", no = "3/4" }}' \
    'pairs = [["yes", "no"]]' 'claim.epsilon = "ln(3)"' > bit.toml
  refdp audit bit.toml

A researcher asks whether a theorem holds, and how tight it is:
  refdp prove
  printf '%s\n' 'neighbours = "add_remove"' '[[events]]' \
    'mechanism = "gaussian"' 'sigma = 50' 'count = 1000' > training.toml
  refdp account training.toml --delta 1e-6
  refdp account training.toml --delta 1e-6 --epsilon 1 --calibrate sigma

An engineer asks what code should output:
  refdp sample discrete_laplace --scale 3 -n 5
  refdp vectors write vectors --type PrivacyProfile
  printf '%s\n' 'def total(rows):' '    return sum(rows)' > query.py
  refdp sensitivity query.py:total --neighbours add_remove --bounds 0 10

refdp --help lists the commands; each has --help with an example.
refdp --install-completion completes commands, options and names of claims.
README.md and docs/ have tutorials, a page for each command, and the proofs.
"""


def welcome() -> None:
    """Print it."""
    try:
        sys.stdout.write(WELCOME)
        sys.stdout.flush()
    except BrokenPipeError:
        unread()
