"""Projects of one file, tested by pytest with refdp's plugin in this process, and what the report says of them."""

import json

import pytest

# Loaded before the runs, which forget what they load: flint must not be loaded twice.
import refdp.testing.claims
import refdp.testing.known_answers
import refdp.testing.moves
import refdp.testing.samplers
import refdp.testing.session
import refdp.testing.wealth  # noqa: F401

PLUGIN = ("-p", "no:refdp", "-p", "refdp.testing.plugin", "-p", "no:cacheprovider", "-W", "default")
"""By its module, whether or not this checkout is installed with its entry point."""
SAMPLERS = """
import math
from refdp.testing import *
from refdp.testing import law

ONE = law.discrete_laplace(scale=1)
FEW = dict(samples=1000)
COARSE = dict(resolution="1/3")
SHORT = dict(samples=600, train=128)

def geometric(rng, scale):
    return math.floor(rng.expovariate(1 / scale))

def laplace(n, rng, scale=1.0):
    return [geometric(rng, scale) - geometric(rng, scale) for _ in range(n)]

def release(x, n, rng, scale=1.0):
    return [x + z for z in laplace(n, rng, scale)]
"""
"""What the projects begin with: the floor of an exponential draw is geometric, so that the difference has the law."""


class Project:
    """One file of tests, run as often as asked."""

    def __init__(self, pytester, text):
        self.pytester = pytester
        pytester.makepyfile(test_it=SAMPLERS + text)

    def run(self, *options):
        """The result of a run, its exit code, its output, and by test what the report says."""
        done = self.pytester.runpytest_inprocess(*PLUGIN, "--refdp-report=audit.json", *options)
        report = self.pytester.path / "audit.json"
        found = json.loads(report.read_text()) if report.exists() else {"targets": []}
        report.unlink(missing_ok=True)
        return Run(done, found)


class Run:
    """What came of a run."""

    def __init__(self, done, report):
        self.code, self.text, self.report, self.done = done.ret, str(done.stdout), report, done
        self.targets = {one["target"].partition("::")[2]: one for one in report["targets"]}
        self.errors = str(done.stderr)

    def outcomes(self):
        """Test -> outcome."""
        return {name: one["outcome"] for name, one in self.targets.items()}


@pytest.fixture
def project(pytester):
    """A maker of projects."""
    return lambda text: Project(pytester, text)
