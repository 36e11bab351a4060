"""Every claim of the ledger, proved or refuted as by `refdp verify`: `python prove_ledger.py CERTIFICATES VERDICTS`.

The certificates go into the folder, and all that `refdp verify --json` would print into the file: a certificate of a
program does not say whom it trusts.  The verdicts are printed as by `refdp verify`.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # a script's own folder stands first, not the package's

from refdp.cli.errors import sentences
from refdp.cli.progress import progress
from refdp.cli.showing import ended, show
from refdp.commands.verify import is_open, verify
from refdp.report.ledger_tables import print_verdicts


def main() -> None:
    """Prove, print and write; ends with the exit code of `refdp verify`."""
    parser = ArgumentParser(description="Prove or refute every claim of the ledger.", allow_abbrev=False)
    parser.add_argument("certificates", type=Path, metavar="CERTIFICATES")
    parser.add_argument("verdicts", type=Path, metavar="VERDICTS")
    parser.add_argument("--timeout", type=float, default=20.0, metavar="SECONDS", help="for one obligation")
    given = parser.parse_args()
    with sentences():
        with progress("proving") as step:
            found = verify("*", given.certificates, given.timeout, step=step)
        given.verdicts.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        show(found, False, print_verdicts)
        unknown = any(map(is_open, found["claims"]))
        ended(found, refuted=found["surprises"] + found["obligations"]["disagreements"] > 0, unknown=unknown)


if __name__ == "__main__":
    main()
