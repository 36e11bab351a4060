"""One process for each file that is run: isolated, limited, and asked for all runs at once."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import refdp

ROOT = Path(refdp.__file__).parent.parent
START = "import sys; sys.path.append(sys.argv[1]); from refdp.second_judge.child import main; main()"
SECONDS = 30
"""Processor time of one process."""
WALL = 20
"""How many times as long it may take by the clock, before it is given up."""


class NotRun(Exception):
    """The file was not run, and why."""


def answers(source: str, jobs: Sequence[Mapping[str, Any]], seconds: int = SECONDS) -> list[Any]:
    """What the process answers to each job; None from the job on at which it was ended.  NotRun where it cannot start.

    The text must be one that `may_be_run`.
    """
    request = json.dumps({"source": source, "seconds": seconds, "jobs": jobs})
    command = [sys.executable, "-I", "-S", "-c", START, str(ROOT)]
    try:
        done = subprocess.run(
            command, input=request.encode(), capture_output=True, check=False, timeout=seconds * WALL, env={}, cwd="/"
        )
        lines, said = done.stdout.splitlines(), done.stderr.decode(errors="replace").strip()
    except subprocess.TimeoutExpired as ended:
        lines, said = (ended.stdout or b"").splitlines(), "it took too long"
    except OSError as error:
        raise NotRun(f"no process can be started: {error.strerror}") from None
    found: list[Any] = []
    for line in lines[: len(jobs)]:
        try:
            found.append(json.loads(line))
        except ValueError:
            break
    if not found and said:
        raise NotRun(said.splitlines()[-1][:200])
    return found + [None] * (len(jobs) - len(found))
