"""Processes of a target: found by a mark in their environment, counted, and ended together.

A process that leaves its group and its parent still carries the mark, as long as it does not wipe its own
environment.  These are bounds against accidents, not a prison for hostile code.
"""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

MARK = "REFDP_TARGET"
"""The variable that every process of a target inherits."""
PATIENCE = 1.0
"""Seconds that a process gets to end after it closed its output."""
ROUNDS = 20
"""How often one looks for processes that were started while others were ended."""


def marked(mark: str) -> list[int]:
    """The numbers of the running processes that carry the mark; none where there is no /proc."""
    wanted = f"{MARK}={mark}".encode()
    return [int(p.name) for p in Path("/proc").glob("[0-9]*") if wanted in _environment(p) and not _ended(p)]


def _environment(process: Path) -> list[bytes]:
    """The variables that a process was started with; none for one that is not ours."""
    try:
        return (process / "environ").read_bytes().split(b"\0")
    except OSError:
        return []


def _ended(process: Path) -> bool:
    """Whether the process only waits to be waited for."""
    try:
        return (process / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] in "ZX"
    except (OSError, IndexError):
        return True


def end(process: subprocess.Popen[bytes], mark: str) -> None:
    """End the process, its group, and all that carry the mark."""
    _kill_group(process.pid)
    process.kill()
    for _ in range(ROUNDS):
        others = [pid for pid in marked(mark) if pid != os.getpid()]
        for pid in others:
            _kill(pid)
        if not others:
            break
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def _kill_group(pid: int) -> None:
    """End the group of processes that `pid` leads."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _kill(pid: int) -> None:
    """End one process."""
    try:
        os.kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def wait_or_kill(process: subprocess.Popen[bytes]) -> None:
    """Wait a moment for a process that closed its pipe, then end it."""
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()


def ending(process: subprocess.Popen[bytes]) -> str:
    """How a process ended, for a reader."""
    code = process.wait()
    return f"signal {-code}" if code < 0 else f"exit status {code}"
