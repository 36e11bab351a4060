"""Write the pictures of the claims: `python -m refdp.report.pictures docs/claims ['laplace.*']`."""

from __future__ import annotations

import sys
from pathlib import Path

from refdp.report.pictures.writing import write

if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: python -m refdp.report.pictures FOLDER [PATTERN]")
    try:
        write(Path(sys.argv[1]), *sys.argv[2:])
    except ValueError as error:
        sys.exit(f"refdp: {error}")
