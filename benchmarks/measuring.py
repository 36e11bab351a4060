"""One run of one account in a process of its own: its answers, processor seconds and memory.

    echo '{"who": "refdp", "spec": {...}, "deltas": ["1e-6"]}' | python -m benchmarks.measuring

prints a JSON object.  Imports and a first use of the library are not counted.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SMALL = {"neighbours": "add_remove", "events": [{"mechanism": "gaussian", "sigma": "1", "count": 2}]}
"""What is asked first, so that everything is loaded."""
LONG = 0.4
"""A run of more seconds is not repeated."""


def asked(job: dict[str, Any]) -> list[Any]:
    """The answers, as refdp.account gives them, or as the functions of benchmarks/peers.py do."""
    from benchmarks import peers

    events, deltas = job["spec"]["events"], [float(delta) for delta in job["deltas"]]
    if job["who"] == "dp_accounting":
        return list(peers.dp_accounting(events, deltas, job["interval"]))
    if job["who"] == "prv_accountant":
        return list(peers.prv_accountant(events, deltas))
    return refdp_answers(job)


def refdp_answers(job: dict[str, Any]) -> list[Any]:
    """What `refdp account` answers, all deltas in one question."""
    from refdp.commands.account import account

    found = account(job["spec"], delta=job["deltas"], width=job.get("width", "1e-9"), timeout=job.get("timeout", 20.0))
    answers: list[Any] = found["answers"]
    return answers


def run(job: dict[str, Any]) -> dict[str, Any]:
    """The answers of a job, or its error as a sentence, with seconds and megabytes."""
    try:
        asked({**job, "spec": SMALL, "deltas": ["1e-6"]})
        memory, start = megabytes(), time.process_time()
        found: dict[str, Any] = {"answers": asked(job)}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:200]}
    return found | {"seconds": time.process_time() - start, "memory": megabytes() - memory}


def megabytes() -> float:
    """The most memory that this process has had."""
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used / 2**20 if sys.platform == "darwin" else used / 2**10


def measured(job: dict[str, Any], runs: int, limit: float = 120.0) -> dict[str, Any]:
    """The job run several times, each in a new process: the answers of the first, medians of seconds and megabytes."""
    found = []
    for _ in range(runs):
        found.append(one_process(job, limit))
        if "error" in found[-1] or found[-1]["seconds"] > LONG:
            break
    if "error" in found[-1]:
        return found[-1]
    return found[0] | {key: median(one[key] for one in found) for key in ("seconds", "memory")} | {"runs": len(found)}


def one_process(job: dict[str, Any], limit: float) -> dict[str, Any]:
    """The job in a new process, ended after so many seconds."""
    command = [sys.executable, "-m", "benchmarks.measuring"]
    try:
        done = subprocess.run(command, cwd=ROOT, input=json.dumps(job), capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return {"error": f"not within {limit:.0f} s"}
    if done.returncode:
        return {"error": (done.stderr.strip().splitlines() or ["ended"])[-1][:200]}
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


if __name__ == "__main__":
    print(json.dumps(run(json.load(sys.stdin))))
