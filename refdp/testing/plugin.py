"""The pytest plugin: options, one alpha for all statements of a run, and what is told at its end.

Every user of pytest who has refdp loads this file at start; so it loads nothing but the standard library, and what
judges statements is imported when the first one is collected.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from refdp.testing import settings
from refdp.testing.statement_mark import statement_of

if TYPE_CHECKING:
    from refdp.testing.session import Session

OPTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("--refdp-budget", {"default": settings.BUDGET, "metavar": "ALPHA",
     "help": f"probability that a true statement fails, split over those of the run (default {settings.BUDGET})"}),
    ("--refdp-profile", {"choices": settings.PROFILES, "default": settings.PULL_REQUEST,
     "help": "pr: a fixed seed, stop at PASS; nightly: fresh draws, more of them (default pr)"}),
    ("--refdp-seed", {"metavar": "N", "help": "draw again what a run with this seed drew"}),
    ("--refdp-samples", {"metavar": "N", "help": "most draws, pairs or neighbours of a statement"}),
    ("--refdp-strict", {"action": "store_true", "help": "fail where nothing could be decided"}),
    ("--refdp-report", {"metavar": "FILES", "help": "write audit.json, audit.html or both, with a comma between"}),
    ("--refdp-wealth", {"metavar": "FILE", "help": "carry the evidence of nightly runs on in this SQLite file"}),
    ("--refdp-restart", {"metavar": "GLOB", "help": "begin these tests of the wealth file anew: their code changed"}),
)  # fmt: skip
SETTINGS = pytest.StashKey[settings.Settings]()
TOLD = "refdp_told"
"""The attribute of a report that says what was found, as JSON: pytest-xdist sends it on."""
RUN = pytest.StashKey[Any]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options."""
    group = parser.getgroup("refdp", "statements about differential privacy (refdp)")
    for name, how in OPTIONS:
        group.addoption(name, **how)


def pytest_configure(config: pytest.Config) -> None:
    """Read the options; UsageError for those that cannot be used."""
    given = getattr(config, "workerinput", {})
    folder = Path(given.get("refdp_folder", config.invocation_params.dir))
    try:
        config.stash[SETTINGS] = found = settings.read(config.getoption, folder, given.get("refdp_seed"))
        if any(place.suffix == ".html" for place in found.reports):
            pages_can_be_drawn()
    except settings.OptionError as error:
        raise pytest.UsageError(str(error)) from None
    if not given:
        config.pluginmanager.register(Told(config), "refdp-told")
        if config.stash[SETTINGS].restart:
            session(config).restart()


def pages_can_be_drawn() -> None:
    """OptionError where a page could not be drawn: said before the tests, not after them."""
    from refdp.report.audits import require_libraries

    try:
        require_libraries()
    except ValueError as error:
        raise settings.OptionError(f"--refdp-report: {error}") from None


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Hand the seed of the run to a worker of pytest-xdist."""
    node.workerinput["refdp_seed"] = node.config.stash[SETTINGS].seed
    node.workerinput["refdp_folder"] = str(node.config.invocation_params.dir)


def session(config: pytest.Config) -> Session:
    """What the run knows of its statements, made when the first is met."""
    if RUN not in config.stash:
        from refdp.testing.session import Session

        config.stash[RUN] = Session(config.stash[SETTINGS])
    found: Session = config.stash[RUN]
    return found


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Split the budget over what was collected, before anything is deselected: the same on every worker."""
    found = [(item.nodeid, statement) for item in items if (statement := statement_of(item)) is not None]
    if found:
        session(config).split(found, not config.option.collectonly)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> object | None:
    """Judge a statement in place of a plain call."""
    __tracebackhide__ = True
    statement = statement_of(pyfuncitem)
    if statement is None:
        return None
    session(pyfuncitem.config).run(pyfuncitem, statement)
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Put what was found on the report, which is what workers hand to the controller."""
    report = yield
    if statement_of(item) is not None and (call.when == "call" or call.when == "setup" and not report.passed):
        report.__dict__[TOLD] = session(item.config).told(item, report)
    return report


class Told:
    """What the process that reports does with what was found; workers of pytest-xdist have none."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what a report tells of a statement; after a rerun, what the last one tells."""
        if TOLD in report.__dict__:
            session(self.config).note(report.nodeid, report.__dict__[TOLD])

    def pytest_sessionfinish(self) -> None:
        """Write the files that --refdp-report names."""
        if RUN in self.config.stash or self.config.stash[SETTINGS].reports:
            session(self.config).write()

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """The section of the statements."""
        if RUN in self.config.stash:
            session(self.config).summarise(terminalreporter, self.config.get_verbosity())
