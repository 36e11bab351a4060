"""The types of public names, each of which is imported when it is first used: `python public_types.py FILE.pyi`."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

import refdp

HEAD = '"""What type checkers read of `refdp`, whose names are imported when used: scripts/public_types.py wrote it."""'
TAIL = "__version__: str\nHOME: dict[str, str]"


def stub() -> str:
    """One import for each public name, capitals first."""
    found = sorted(refdp.HOME.items(), key=lambda item: (item[1], item[0][0].islower(), item[0]))
    imports = "\n".join(f"from {home} import {name} as {name}" for name, home in found)
    return f"{HEAD}\n\n{imports}\n\n{TAIL}\n"


if __name__ == "__main__":
    parser = ArgumentParser(description="Write the types of refdp's public names.")
    parser.add_argument("file", type=Path, metavar="FILE.pyi")
    parser.parse_args().file.write_text(stub(), encoding="utf-8")
