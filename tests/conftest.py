"""Settings of every test run: the same examples each time, and one level of optimisation in every process."""

import sys
from collections import Counter

import pytest
from hypothesis import settings

from tests.examples import few

FEW = 3
"""A test of no more sets of parameters than these is run on all of them."""

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
    what = "of a test's many sets of parameters only every N-th"
    parser.addoption("--every", type=int, default=1, metavar="N", help=what)


def pytest_collection_modifyitems(config, items):
    """With --every N, a test of many sets of parameters is run on every N-th of them; each test on one at least."""
    step, seen = config.getoption("--every"), Counter()
    sets = Counter(map(function_of, items))
    chosen, left_out = [], []
    for item in items:
        function = function_of(item)
        (chosen if sets[function] <= FEW or seen[function] % step == 0 else left_out).append(item)
        seen[function] += 1
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = chosen


def function_of(item):
    """What the sets of parameters of one test have in common."""
    return item.nodeid.partition("[")[0]
