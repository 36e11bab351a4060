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
PATIENCE = 1.0
"""Seconds that a command gets to end once it has closed its output."""
HEXADECIMAL = "0x"
"""How a float in C99's form starts, after its sign."""


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
        if self.process is None:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            self.process.stdin.write(written(value).encode() + b"\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except OSError:
            line = b""
        if not line.endswith(b"\n"):
            raise EOFError(f"the command ended with {self.ended()}")
        return read(line.decode("utf-8", "replace").rstrip("\r\n"), self.reads)

    def ended(self) -> str:
        """How the process ended; it is forgotten, so that the next question starts another."""
        process, self.process = self.process, None
        try:
            status = process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            status = process.wait()
        process.stdout.close()
        return f"status {status}"


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
