"""Write the pictures of the claims: `python -m refdp.report.pictures docs/claims ['laplace.*']`."""

from __future__ import annotations

import sys
from pathlib import Path

from refdp.report.arguments import arguments
from refdp.report.pictures.writing import write

if __name__ == "__main__":
    folder, *pattern = arguments("pictures", __doc__, "FOLDER", "[PATTERN]")
    try:
        write(Path(folder), *pattern)
    except ValueError as error:
        sys.exit(f"refdp: {error}")
