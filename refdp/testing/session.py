"""What one run of pytest knows of its statements: the shares of alpha, what was drawn, and what came of it."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

from refdp.testing import reporting, writing
from refdp.testing.budget import divided
from refdp.testing.cases import gathered
from refdp.testing.findings import INCONCLUSIVE, PASS, Disorder, Finding, RefdpInconclusive
from refdp.testing.settings import Settings
from refdp.testing.statement_mark import CASE, statement_of
from refdp.testing.stating import Statement, sources
from refdp.testing.summaries import summary
from refdp.testing.trials import Memory, Source, Trial
from refdp.testing.wealth import Account, Wealth

PACKAGE = Path(__file__).parents[1]
FOUND = pytest.StashKey[dict[str, Any]]()


class Session:
    """The statements of a run, in this process."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.shares: dict[str, Fraction] = {}
        self.accounts: dict[str, Account] = {}
        self.memories: dict[str, Memory] = {}
        self.targets: dict[str, dict[str, Any]] = {}
        self.began = time.monotonic()

    def restart(self) -> None:
        """Close the accounts of the wealth file that --refdp-restart names."""
        if self.settings.wealth is not None and self.settings.restart is not None:
            with Wealth(self.settings.wealth, self.settings.budget) as wealth:
                wealth.close(self.settings.restart)

    def split(self, found: Sequence[tuple[str, Statement]], run: bool) -> None:
        """A share of the budget for each statistical statement of what was collected, the same for the same list."""
        claims = {name: statement.identity for name, statement in found if statement.statistical}
        if self.settings.wealth is not None and run and claims:
            with Wealth(self.settings.wealth, self.settings.budget) as wealth:
                self.accounts = wealth.accounts(claims)
            self.shares = {name: account.alpha for name, account in self.accounts.items()}
        else:
            self.shares = divided(self.settings.budget, claims)

    def run(self, item: pytest.Function, statement: Statement) -> None:
        """Judge the statement of a test; fails as pytest's tests fail, and exceptions of its own code are its own."""
        __tracebackhide__ = True
        began = time.monotonic()
        own, *mutants = sources(item.obj, statement, fixtures(item), item.instance)
        trial = self.trial(item, statement, own)
        try:
            finding = statement.judge(trial, mutants)
        except Disorder as error:
            finding = reporting.disordered(statement, trial, str(error))
        except Exception as error:
            raise error.with_traceback(outside(error.__traceback__)) from error.__cause__
        item.stash[FOUND] = reporting.target(item.nodeid, statement, finding, self.settings, time.monotonic() - began)
        item.user_properties[:] = [p for p in item.user_properties if not str(p[0]).startswith("refdp_")]
        item.user_properties.extend(finding.properties.items())
        self.conclude(item, statement, finding)

    def trial(self, item: pytest.Function, statement: Statement, own: Source) -> Trial:
        """An attempt at the statement, which goes on from earlier ones of this run."""
        name = item.nodeid
        if statement.statistical and name not in self.shares:
            pytest.fail(f"{name} has no share of alpha: it was added after the budget was split", pytrace=False)
        memory = self.memories.setdefault(name, Memory())
        share, account = self.shares.get(name, Fraction(0)), self.accounts.get(name)
        return Trial(name, self.settings, share, memory, account, own)

    def conclude(self, item: pytest.Item, statement: Statement, finding: Finding) -> None:
        """Pass, warn or fail."""
        if finding.word == PASS:
            return
        if finding.word == INCONCLUSIVE and not self.settings.strict:
            file, line, _ = item.reportinfo()
            with suppress(RefdpInconclusive):  # raised where warnings are errors
                warnings.warn_explicit(finding.told, RefdpInconclusive, str(file), (line or 0) + 1)
                return
        pytest.fail(f"{finding.word}: {writing.failure(statement.sentence, finding, self.settings)}", pytrace=False)

    def told(self, item: pytest.Item, report: pytest.TestReport) -> str:
        """What the report of a test says of its statement, as JSON."""
        found = item.stash.get(FOUND, None)
        if found is None:
            statement = statement_of(item)
            found = reporting.undecided(item.nodeid, statement, report, self.settings)
        else:
            del item.stash[FOUND]
        return json.dumps(found)

    def note(self, name: str, found: str) -> None:
        """Keep what was told; a rerun tells of all draws of the run, so the last word counts."""
        self.targets[name] = json.loads(found)

    def write(self) -> None:
        """The files that were asked for."""
        seconds = time.monotonic() - self.began
        writing.write(self.settings, reporting.document(self.settings, gathered(self.targets.values()), seconds))

    def summarise(self, terminal: pytest.TerminalReporter, verbosity: int) -> None:
        """The section at the end of a run."""
        lines = summary(self.settings, gathered(self.targets.values()), verbosity)
        if lines:
            terminal.section(lines[0], sep="-")
            for line in lines[1:]:
                terminal.write_line(line)


def outside(traceback: TracebackType | None) -> TracebackType | None:
    """The traceback from the first frame on that is not of refdp; all of it where there is none."""
    frame = traceback
    while frame is not None and Path(frame.tb_frame.f_code.co_filename).is_relative_to(PACKAGE):
        frame = frame.tb_next
    return frame or traceback


def fixtures(item: pytest.Function) -> dict[str, Any]:
    """The values of the fixtures and parameters that the test asks for."""
    return {name: item.funcargs[name] for name in item._fixtureinfo.argnames if name != CASE}
