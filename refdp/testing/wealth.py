"""Evidence over nights, in one SQLite file: draws are added and never replaced, and alpha is spent once for all nights.

A statement that enters the file gets a share of alpha for good: the b-th batch of new ones has alpha / (b (b + 1))
among them, which sums to alpha over all batches.  A statement whose code has changed is closed and enters anew.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from fnmatch import fnmatchcase
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pytest

FORMAT = "refdp-wealth/1"
WAIT = 60.0
"""Longest time that another process may hold the file, in seconds."""
TABLES = (
    "CREATE TABLE IF NOT EXISTS about (format TEXT NOT NULL, alpha TEXT NOT NULL)",
    """CREATE TABLE IF NOT EXISTS ledger (account INTEGER PRIMARY KEY, test TEXT NOT NULL, claim TEXT NOT NULL,
    batch INTEGER NOT NULL, alpha TEXT NOT NULL, closed INTEGER NOT NULL DEFAULT 0)""",
    """CREATE TABLE IF NOT EXISTS records (account INTEGER NOT NULL, number INTEGER NOT NULL, begun TEXT NOT NULL,
    record TEXT NOT NULL, PRIMARY KEY (account, number))""",
)


@dataclass(frozen=True, slots=True)
class Account:
    """The share of a statement, and the records of earlier nights in their order: an opening, then chunks."""

    file: Path
    number: int
    alpha: Fraction
    earlier: tuple[dict[str, Any], ...]

    def keep(self, number: int, record: Mapping[str, Any]) -> None:
        """Add a record; UsageError where there is one of that number: another run is under way."""
        row = (self.number, number, json.dumps(record))
        try:
            with closing(_opened(self.file)) as base:
                base.execute("INSERT INTO records VALUES (?, ?, datetime('now'), ?)", row)
        except sqlite3.IntegrityError:
            raise pytest.UsageError(f"{self.file.name} is written by another run: one night at a time") from None


class Wealth:
    """The file, held by this process until the block ends."""

    def __init__(self, file: Path, alpha: Fraction) -> None:
        self.file, self.base = file, _opened(file)
        try:
            self.base.execute("BEGIN IMMEDIATE")
            self._begun(alpha)
        except sqlite3.Error as error:
            self.base.close()
            raise pytest.UsageError(f"--refdp-wealth must be a file of {FORMAT}, got {file.name}: {error}") from None
        except pytest.UsageError:
            self.base.close()  # or it would hold the file for as long as the process lives
            raise

    def _begun(self, alpha: Fraction) -> None:
        """Make the tables; UsageError for a file of another alpha or another kind."""
        for table in TABLES:
            self.base.execute(table)
        known = self.base.execute("SELECT format, alpha FROM about").fetchone()
        if known is None:
            self.base.execute("INSERT INTO about VALUES (?, ?)", (FORMAT, str(alpha)))
        elif known != (FORMAT, str(alpha)):
            told = f"{self.file.name} was begun as {known[0]} with the budget {known[1]}"
            raise pytest.UsageError(f"{told}: --refdp-budget must stay the same, got {alpha}")
        self.alpha = alpha

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.base.execute("COMMIT" if kind is None else "ROLLBACK")
        self.base.close()

    def close(self, glob: str) -> None:
        """Close the accounts of the tests that the pattern matches; UsageError where it matches none."""
        listed = self.base.execute("SELECT account, test FROM ledger WHERE NOT closed").fetchall()
        chosen = [(number,) for number, test in listed if test == glob or fnmatchcase(test, glob)]
        if not chosen:
            raise pytest.UsageError(f"--refdp-restart must match a test of {self.file.name}, got {glob}")
        self.base.executemany("UPDATE ledger SET closed = 1 WHERE account = ?", chosen)

    def accounts(self, claims: Mapping[str, str]) -> dict[str, Account]:
        """The account of each test, with a new share where it has none for this claim."""
        marks = {test: sha256(claim.encode()).hexdigest() for test, claim in claims.items()}
        new = [test for test, mark in marks.items() if self._row(test, mark) is None]
        batch = self.base.execute("SELECT COALESCE(MAX(batch), 0) + 1 FROM ledger").fetchone()[0]
        for test in new:
            share = self.alpha / (batch * (batch + 1) * len(new))
            row = (test, marks[test], batch, str(share))
            self.base.execute("INSERT INTO ledger (test, claim, batch, alpha) VALUES (?, ?, ?, ?)", row)
        return {test: self._account(test, mark) for test, mark in marks.items()}

    def _row(self, test: str, mark: str) -> Any:
        """The open account of a test for a claim."""
        wanted = "SELECT account, alpha FROM ledger WHERE test = ? AND claim = ? AND NOT closed"
        return self.base.execute(wanted, (test, mark)).fetchone()

    def _account(self, test: str, mark: str) -> Account:
        """The account with what earlier nights drew."""
        number, alpha = self._row(test, mark)
        rows = self.base.execute("SELECT record FROM records WHERE account = ? ORDER BY number", (number,)).fetchall()
        return Account(self.file, number, Fraction(alpha), tuple(json.loads(record) for (record,) in rows))


def _opened(file: Path) -> sqlite3.Connection:
    """The file, each statement a transaction of its own unless one is begun."""
    try:
        return sqlite3.connect(file, timeout=WAIT, isolation_level=None)
    except sqlite3.Error as error:
        raise pytest.UsageError(f"--refdp-wealth must be a file that can be written, got {file}: {error}") from None
