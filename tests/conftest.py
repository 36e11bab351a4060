"""Settings of every test run: the same examples each time, and one level of optimisation in every process."""

import sys
from collections import Counter
from zlib import crc32

import pytest
from hypothesis import settings

from tests.examples import few

SHARE = 3
"""With --every, one test in so many is run."""

settings.register_profile("refdp", deadline=None, derandomize=True, max_examples=few(100))
settings.load_profile("refdp")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    node.workerinput["optimize"] = sys.flags.optimize


def pytest_configure(config):
    """A worker of pytest-xdist does not inherit -O, so a run that believes to be under -O would not be."""
    here = sys.flags.optimize
    wanted = getattr(config, "workerinput", {}).get("optimize", here)
    if here != wanted:
        raise pytest.UsageError(f"a worker must run at optimisation level {wanted}, got {here}; set PYTHONOPTIMIZE")


def pytest_addoption(parser):
    what = f"one test in {SHARE}, on every N-th of its sets of parameters"
    parser.addoption("--every", type=int, default=1, metavar="N", help=what)


def pytest_collection_modifyitems(config, items):
    """With --every N, one test in SHARE is run, on every N-th of its sets of parameters."""
    step, seen = config.getoption("--every"), Counter()
    if step == 1:
        return
    chosen, left_out = [], []
    for item in items:
        function = function_of(item)
        is_chosen = crc32(function.encode()) % SHARE == 0 and seen[function] % step == 0
        (chosen if is_chosen else left_out).append(item)
        seen[function] += 1
    config.hook.pytest_deselected(items=left_out)
    items[:] = chosen


def function_of(item):
    """What the sets of parameters of one test have in common."""
    return item.nodeid.partition("[")[0]
