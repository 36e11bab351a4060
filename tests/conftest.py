"""Settings of every test run: the same examples each time, and one level of optimisation in every process."""

import sys

import pytest
from hypothesis import settings

settings.register_profile("refdp", deadline=None, derandomize=True)
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
