"""Any command that reads a line and writes a line, started once: samplers in Rust, Go, Java or C++.

A value is written as one line (numbers, apart by spaces; floats with all their digits) and a line is read as `reads`
says: int, float, fraction, text, or a list of them ("ints", "floats").  For a draw the line holds the value alone and
one line is read for each.
"""

from __future__ import annotations

import subprocess
from fractions import Fraction
from typing import Any

READERS: dict[str, Any] = {
    "int": int,
    "float": float,
    "fraction": Fraction,
    "text": str,
    "ints": lambda line: [int(word) for word in line.split()],
    "floats": lambda line: [float(word) for word in line.split()],
}
"""What a line is read as."""
HEXADECIMAL = "0x"


def load(spec: dict[str, Any], building: Any) -> dict[str, Any]:
    """The operations of the target and what it is."""
    del building
    reads = spec.get("reads", "float")
    if reads not in READERS:
        raise ValueError(f"reads must be one of {', '.join(READERS)}, got {reads}")
    command = Command(list(spec["command"]), reads)
    return {
        "about": {"library": spec["command"][0], "version": "", "target": " ".join(spec["command"])},
        "call": command.ask,
        "draw": lambda request: [command.ask(request[0]) for _ in range(request[1])],
    }


class Command:
    """A process that answers each line with one line; started again when it has ended."""

    def __init__(self, command: list[str], reads: str) -> None:
        self.command, self.reads = command, reads
        self.process: Any = None

    def ask(self, value: Any) -> Any:
        """What the command answers; ValueError where its line cannot be read, EOFError where there is none."""
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdin.write(written(value) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise EOFError(f"the command ended with status {self.process.wait()}")
        return read(line.rstrip("\n"), self.reads)


def written(value: Any) -> str:
    """A value as a line."""
    if isinstance(value, (list, tuple)):
        return " ".join(map(written, value))
    return repr(value) if isinstance(value, float) else str(value)


def read(line: str, reads: str) -> Any:
    """The value of a line; a float may be written in C99's hexadecimal form."""
    try:
        if reads == "float" and HEXADECIMAL in line.lower():
            return float.fromhex(line)
        return READERS[reads](line)
    except ValueError:
        raise ValueError(f"the command's line is not {reads}: {line[:80]}") from None
