"""Environments with the releases that audits judge: `python3 make_audit_envs.py FOLDER [NAME...]`.

Each file of audit_envs/ pins every package of one environment, so nothing else is installed (`--no-deps`; Opacus comes
without torch, which its accountants do not need).  An environment that was made from the same pins is left alone.
"""

from __future__ import annotations

import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path

import make_venv

PINS = Path(__file__).resolve().parent / "audit_envs"
MADE_FROM = "pins.txt"
"""The file in an environment that says which pins it was made from."""


def main(folder: Path, names: list[str]) -> str | None:
    """Make the environments of those names, or all; the sentence that says which could not be made."""
    known = {path.stem: path for path in sorted(PINS.glob("*.txt"))}
    if unknown := [name for name in names if name not in known]:
        return f"an environment must be one of {', '.join(known)}, got {', '.join(unknown)}"
    failed = [f"{name}: {why}" for name in names or known if (why := made(folder / name, known[name]))]
    return "; ".join(failed) or None


def made(place: Path, pins: Path) -> str | None:
    """Make one environment unless it is there; why it could not be made."""
    wanted, mark = pins.read_text(encoding="utf-8"), place / MADE_FROM
    if mark.is_file() and mark.read_text(encoding="utf-8") == wanted:
        return None
    print(f"{place.name} ...", flush=True)
    if why := make_venv.main(place):
        return why
    command = [place / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    done = subprocess.run([*map(str, command), "--requirement", str(pins)], check=False)
    if done.returncode:
        return f"pip ended with status {done.returncode}"
    mark.write_text(wanted, encoding="utf-8")
    return None


if __name__ == "__main__":
    parser = ArgumentParser(description="Make environments with the releases that audits judge.")
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("names", nargs="*", metavar="NAME", help="which; else all")
    asked = parser.parse_args()
    sys.exit(main(asked.folder, asked.names))
