"""How much of what is believed runs where a certificate is replayed: `refdp explain --cost`.

The replay runs in a process of its own, in which every line of refdp's functions that runs is written down.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from inspect import CO_OPTIMIZED
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

from refdp.commands.certificates import write_certificate
from refdp.commands.trusted_base import GROUPS, code_lines, groups
from refdp.isolation import PACKAGE, folders_of_this_process, isolated_command
from refdp.kernel.theorem import Theorem

Trace = Callable[[FrameType, str, Any], Any]


def replay_cost(theorem: Theorem, timeout: float) -> dict[str, Any]:
    """The believed lines that run in the replay of the theorem's certificate, by group and file, and the verdict.

    Lines of functions are meant.  What importing a file runs, its definitions and tables with the functions that they
    call, is not counted, nor is what the workers run that ask solvers.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / "certificate.json"
        write_certificate(theorem, path)
        found = _replayed(path, timeout)
    package, ran = Path(PACKAGE), found["ran"]
    listed = [
        {"group": group, "file": f"refdp/{name}", "ran": ran[name], "of": code_lines(one.read_text(encoding="utf-8"))}
        for group, files in groups(package).items()
        if group in GROUPS
        for one in files
        if (name := one.relative_to(package).as_posix()) in ran
    ]
    return {"verdict": found["verdict"], "lines": sum(one["ran"] for one in listed), "files": listed}


def _replayed(path: Path, timeout: float) -> dict[str, Any]:
    """The verdict of a replay in a process of its own, and how many lines of each file of the package ran."""
    asked = isolated_command("refdp.commands.replay_cost", str(path), str(timeout), searched=folders_of_this_process())
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.strip() or f"the replay ended with {done.returncode}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def tracer(ran: dict[str, set[int]], package: str) -> Trace:
    """What `sys.settrace` takes to write down the lines of functions of the package that run, but not for an import."""
    importing, inside = 0, package + os.sep

    def of_line(frame: FrameType, event: str, _: Any) -> Trace:
        if event == "line":
            ran[frame.f_code.co_filename[len(inside) :]].add(frame.f_lineno)
        return of_line

    def of_module(_: FrameType, event: str, __: Any) -> Trace:
        nonlocal importing
        importing -= event == "return"  # which is told of an exception as well
        return of_module

    def of_call(frame: FrameType, _: str, __: Any) -> Trace | None:
        nonlocal importing
        code = frame.f_code
        if code.co_name == "<module>":
            importing += 1
            return of_module
        is_function = code.co_flags & CO_OPTIMIZED  # the body of a class is none
        return of_line if is_function and not importing and code.co_filename.startswith(inside) else None

    return of_call


def main(path: str, timeout: str) -> None:
    """Replay the certificate, and print what ran."""
    from refdp.commands.check import replayed_here

    ran = defaultdict[str, set[int]](set)
    sys.settrace(tracer(ran, PACKAGE))
    try:
        judged = replayed_here([path], timeout=float(timeout))
    finally:
        sys.settrace(None)
    (verdict,) = (one["verdict"] for one in judged["certificates"])
    counted = {file.replace("\\", "/"): len(lines) for file, lines in ran.items()}
    print(json.dumps({"verdict": verdict, "ran": counted}))


if __name__ == "__main__":
    main(*sys.argv[1:])
