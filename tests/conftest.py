"""Settings of every test run: the same examples each time, and one level of optimisation in every process."""

import builtins
import gc
import os
import sys
from collections import Counter
from functools import cache
from itertools import count
from pathlib import Path
from zlib import crc32

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import settings

from tests.examples import few

pytest_plugins = ["pytester"]
"""Runs pytest on projects of a few lines: for the plugin of refdp.testing."""

ROOT = Path(__file__).parents[1]
SHARE = 8
"""With --every, one file of tests in so many is run."""

TURNS = 7
"""With --turn, a test that takes turns is run on one day in so many."""

LIST = Path(__file__).with_name("turns.txt")
"""The tests that take turns."""

PROVING = tuple(f"tests/{name}" for name in ("proofs/", "report/", "exactness/", "commands/"))
"""Tests that prove most of the ledger: they come first, as the first eighth of all tests goes to one of two workers,
which then keeps in mind what it has proved."""

MADE = {
    "certificates": (
        "tests/cli/", "tests/commands/test_check.py", "tests/commands/test_explain.py",
        "tests/commands/test_withdrawn.py", "tests/commands/test_written_rules.py", "tests/emptiness/test_nothing.py",
        "tests/forging/", "tests/meta/test_contributing.py", "tests/meta/test_generated.py",
        "tests/meta/test_packaging.py", "tests/meta/test_pages.py", "tests/meta/test_readme.py",
        "tests/meta/test_shown_files.py", "tests/meta/test_wheel.py",
        "tests/programs/test_library.py", "tests/proofs/", "tests/trust/",
    ),
    "pages": ("tests/docs_site/", "tests/report/"),
}  # fmt: skip
"""What tests find there, and which: where one of them is to run, it is made first, once for all workers."""

YOUNG = 20_000
"""Objects between two collections of the youngest garbage: Python's 700 would have it search all the time."""

FEW_DOTS = 100
"""In CI, whose log is kept in part when it is long, one of so many tests that pass prints its dot."""

OWN = {name: value for name, value in vars(builtins).items() if name != "_"}
"""Python's own names, before any test."""

gc.disable()
"""Until all tests are known: what is made until then, hundreds of thousands of objects, is kept."""

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
    what = f"one file of tests in {SHARE}, on every N-th of the sets of parameters of each test"
    parser.addoption("--every", type=int, default=1, metavar="N", help=what)
    what = f"of the tests that take turns, those whose turn it is: the number of the day, modulo {TURNS}"
    parser.addoption("--turn", type=int, metavar="DAY", help=what)
    parser.addoption("--seconds", metavar="FILE", help="add the processor time that each test takes to a file")


def pytest_report_header(config):
    day = config.getoption("--turn")
    return None if day is None else f"turn {day % TURNS} of {TURNS}: the dear tests of other turns are left out"


def pytest_ignore_collect(collection_path, config):
    """With --every N, the other files are not even read: that would take longer than the chosen tests do."""
    is_chosen = crc32(collection_path.relative_to(ROOT).as_posix().encode()) % SHARE == 0
    left_out = collection_path.suffix == ".py" and not is_chosen and config.getoption("--every") > 1
    return True if left_out else None  # None leaves it to the other options


@pytest.hookimpl(wrapper=True)
def pytest_collect_file():
    """Tests have no examples, so nobody looks for any: --doctest-modules is about the package."""
    return [found for found in (yield) if not isinstance(found, DoctestModule)]


def pytest_collection_modifyitems(config, items):
    """What proves comes first; with --every N, a test is run on every N-th of its sets of parameters."""
    items.sort(key=lambda item: not item.nodeid.startswith(PROVING))
    step, day, seen, chosen, left_out = config.getoption("--every"), config.getoption("--turn"), Counter(), [], []
    for item in items:
        function = function_of(item)
        waits = day is not None and function in dear_tests() and not has_turn(item.nodeid, day)
        (left_out if waits or seen[function] % step else chosen).append(item)
        seen[function] += 1
    if left_out:
        config.hook.pytest_deselected(items=left_out)
    items[:] = chosen


@cache
def dear_tests():
    """The tests that take turns, whatever their parameters; `python -m tests.turns` says which those are."""
    return frozenset(LIST.read_text(encoding="utf-8").split()) if LIST.exists() else frozenset()


def has_turn(test, day):
    """Whether a test that takes turns is run on this day: on one in so many, whichever that is."""
    return (crc32(test.encode()) + day) % TURNS == 0


def pytest_collection_finish(session):
    """From here on garbage is collected, but not looked for among what was there before."""
    made_first([item.nodeid for item in session.items])
    insist_on_answers()
    gc.freeze()
    gc.set_threshold(YOUNG, 10, 10)
    gc.enable()


def insist_on_answers():
    """Whatever a command prints with --json in this process, in any test, is of the published form."""
    from refdp.report import tables

    printed = tables.print_json

    def print_json(found):
        from tests.answers import insist

        insist(found)
        printed(found)

    tables.print_json = print_json


def made_first(tests):
    """Make what one of the tests finds there; a copy of the checkout, in which errors are planted, has none."""
    if (ROOT / "scripts" / "make_dist.py").exists():
        from scripts.made_once import make

        for product, needing in MADE.items():
            if any(test.startswith(needing) for test in tests):
                make(product)


def pytest_runtest_setup(item):
    """mpmath has one precision for the whole process: no test gets that of another, which may be much slower."""
    if mpmath := sys.modules.get("mpmath"):
        mpmath.mp.dps = digits_of(getattr(item, "module", None))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown():
    """Texts that tests execute may change Python's own names, which other tests would see."""
    found = yield
    if changed := restored_builtins():
        pytest.fail(f"this test leaves other builtins than it found: {', '.join(changed)}", pytrace=False)
    return found


def restored_builtins():
    """Which of Python's own names are not what they were before any test; now they are again."""
    names = dict(vars(builtins))
    names.pop("_", None)  # what an interactive session printed last
    changed = sorted(name for name in names.keys() | OWN.keys() if names.get(name) is not OWN.get(name))
    if changed:
        clear, update = vars(builtins).clear, vars(builtins).update  # without builtins nothing else can be called
        clear()
        update(OWN)
    return changed


@cache
def digits_of(module):
    """The decimal digits that a file of tests counts on: those of the oracle that it imports, else mpmath's own 15."""
    name = getattr(module, "__name__", "")
    if any(getattr(value, "__module__", "") == "tests.numerics.oracle" for value in vars(module or count).values()):
        return 200
    return 40 if name.startswith(("tests.fuzzing", "tests.mutation")) else 15


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item):
    """With --seconds, what a test takes of the processor is written down, with what its programs take."""
    before, file = os.times(), item.config.getoption("--seconds")
    found = yield
    if file:
        seconds = sum(os.times()[:4]) - sum(before[:4])
        with Path(file).open("a", encoding="utf-8") as out:  # a line at a time, as workers write to it together
            out.write(f"{seconds:.2f} {item.nodeid}\n")
    return found


if os.environ.get("CI"):
    passed = count()

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(report):
        if report.when == "call" and report.passed:
            return "passed", "" if next(passed) % FEW_DOTS else ".", "PASSED"
        return None


def function_of(item):
    """What the sets of parameters of one test have in common."""
    return item.nodeid.partition("[")[0]


@pytest.fixture
def frequent_switches():
    """Threads take turns every microsecond."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)
