"""Of the tests whose cases take long, which cases are in every run: dear.txt says so, and is made from measured times.

    PYTHONPATH=. pytest -p tests.dear ...     writes what each case costs into the folder TIMES
    python -m tests.dear                      makes dear.txt of these files

A case is left out where its test has others: all of them are run by `make test-long`.  Never left out are tests of what
is refused, of near misses and of what was once wrong: their names say so.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Iterable, Mapping
from functools import cache
from math import ceil
from pathlib import Path

import pytest

FILE = Path(__file__).with_name("dear.txt")
TIMES = Path(os.environ.get("TIMES", "times"))
"""The folder of a run's times: one file for each worker, a JSON list of test and seconds on each line."""
ENOUGH = 1.0
"""Seconds that the cases of one test may take in every run, where there is more than one."""
KEPT = re.compile(r"refus|miss|once|wrong|false|empt|nothing|lost|hostile|forg|trap|defect|never|hang|kill", re.ASCII)
"""In the name of a test, or of its file, of which no case is left out."""


@cache
def steps() -> Mapping[str, int]:
    """Test -> every how many of its cases are in every run."""
    lines = (line.split(maxsplit=1) for line in FILE.read_text(encoding="utf-8").splitlines())
    return {test: int(step) for step, test in lines}


def step_of(seconds: list[float]) -> int:
    """Every how many cases of a test are to be run, so that they take ENOUGH at most."""
    return min(len(seconds), ceil(sum(seconds) / ENOUGH))


def chosen(times: Iterable[tuple[str, float]]) -> dict[str, int]:
    """The tests of which cases are left out, with their steps."""
    found: dict[str, list[float]] = {}
    for case, seconds in times:
        found.setdefault(case.partition("[")[0], []).append(seconds)
    kept = {test: step_of(seconds) for test, seconds in found.items() if len(seconds) > 1 and not KEPT.search(test)}
    return {test: step for test, step in sorted(kept.items()) if step > 1}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> object:
    """Note what the case took."""
    before = time.perf_counter()
    done = yield
    TIMES.mkdir(exist_ok=True)
    with (TIMES / f"{os.getpid()}.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps([item.nodeid, round(time.perf_counter() - before, 4)]) + "\n")
    return done


def main() -> int:
    """Make dear.txt."""
    lines = [line for path in sorted(TIMES.glob("*.jsonl")) for line in path.read_text(encoding="utf-8").splitlines()]
    found = chosen(json.loads(line) for line in lines)
    FILE.write_text("".join(f"{step:3} {test}\n" for test, step in found.items()), encoding="utf-8")
    print(f"{len(found)} tests, of {len(lines)} cases")
    return 0


if __name__ == "__main__":
    sys.exit(main())
