"""Replay of a witness from its report alone: `python -m refdp.auditing.neighbours.replaying WITNESS.json`.

Exit status 0: it refutes its claim again, twice, in fresh processes; 1: it does not; 2: bad input.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from refdp.auditing.neighbours.witnesses import confirmed, witness
from refdp.auditing.targets import TargetError
from refdp.logic.files import require_readable


def main(arguments: list[str]) -> int:
    """Replay the witness of a file."""
    parser = argparse.ArgumentParser(description="Run a witness again, in fresh processes.")
    parser.add_argument("witness", type=Path)
    parser.add_argument("--python", default=sys.executable, help="the interpreter that has the library")
    given = parser.parse_args(arguments)
    try:
        require_readable(given.witness)
        found = witness(json.loads(given.witness.read_text(encoding="utf-8")), given.python)
        why = confirmed(found)
    except (OSError, ValueError, TargetError) as error:
        print(f"{given.witness}: {error}", file=sys.stderr)
        return 2
    print(f"not refuted: {why}" if why else f"REFUTED: {found.distance} > {found.bound}")
    return 1 if why else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
