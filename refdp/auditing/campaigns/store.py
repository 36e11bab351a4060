"""The store of a campaign: one SQLite file, one transaction for each chunk, so that a kill loses none and doubles none.

Chunks stand in it in their order, 0 being the opening: chunk n is written once n - 1 is there, and never again.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from refdp.auditing.campaigns.items import Item
from refdp.auditing.judges.task import TaskError

FORMAT = "refdp-audit-store/1"
SCHEMA = """
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS target (name TEXT PRIMARY KEY, digest TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS chunk (
    target TEXT NOT NULL REFERENCES target(name), number INTEGER NOT NULL CHECK (number >= 0),
    record TEXT, failed TEXT, seconds REAL NOT NULL, processor REAL NOT NULL,
    PRIMARY KEY (target, number), CHECK ((record IS NULL) <> (failed IS NULL))
) STRICT;
"""
IN_MEMORY = ":memory:"
PATIENCE = 2.0
"""Seconds to wait for another campaign that writes to the same file."""


@dataclass(frozen=True, slots=True)
class Stored:
    """One chunk: its record, or why there is none; seconds of the clock and of the processor."""

    record: Mapping[str, Any] | None
    failed: str | None
    seconds: float
    processor: float


class Store:
    """The chunks of the targets of one or more campaigns; a context manager that closes the file."""

    def __init__(self, path: str | Path | None = None) -> None:
        """Open or make the file; in memory where there is none.  TaskError where it is no store, or is in use."""
        self.path = IN_MEMORY if path is None else str(path)
        try:
            self.file = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)
            self._begin()
        except sqlite3.DatabaseError as error:
            locked = "locked" in str(error)
            why = "is in use by another campaign" if locked else f"must be a store of refdp audit: {error}"
            raise TaskError(f"store {self.path} {why}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.file.close()

    def _begin(self) -> None:
        """Hold the file, with the tables in it; let it go where it cannot be used."""
        try:
            self.file.execute("PRAGMA locking_mode = EXCLUSIVE")
            self.file.execute("PRAGMA synchronous = FULL")
            self.file.execute("PRAGMA foreign_keys = ON")
            self._made()
        except sqlite3.DatabaseError:
            self.file.close()
            raise

    def _made(self) -> None:
        """The tables, and the format that is theirs."""
        with closing(self.file.cursor()) as cursor:
            cursor.execute("BEGIN IMMEDIATE")
            foreign = cursor.execute("SELECT count(*) FROM sqlite_master WHERE name = 'about'").fetchone()[0] == 0
            if foreign and cursor.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                raise sqlite3.DatabaseError("it has other tables")
            for statement in SCHEMA.split(";"):
                cursor.execute(statement)
            cursor.execute("INSERT OR IGNORE INTO about VALUES ('format', ?)", (FORMAT,))
            found = cursor.execute("SELECT value FROM about WHERE name = 'format'").fetchone()[0]
            cursor.execute("COMMIT")
        if found != FORMAT:
            raise sqlite3.DatabaseError(f"its format is {found}")

    def begun(self, item: Item) -> list[Stored]:
        """What is there of the target, in order; TaskError where that was asked of another task of this name."""
        try:
            return self._begun(item)
        except (sqlite3.Error, ValueError, RecursionError) as error:
            if isinstance(error, TaskError):
                raise
            raise TaskError(f"store {self.path} must be one that can be read and written: {error}") from None

    def _begun(self, item: Item) -> list[Stored]:
        known = self.file.execute("SELECT digest FROM target WHERE name = ?", (item.key,)).fetchone()
        if known is None:
            if self.file.execute("SELECT count(*) FROM chunk WHERE target = ?", (item.key,)).fetchone()[0]:
                raise TaskError(f"store {self.path} must say to what {item.key!r} holds answers; it was changed")
            self.file.execute("INSERT INTO target VALUES (?, ?)", (item.key, item.digest))
            return []
        if known[0] != item.digest:
            raise TaskError(
                f"store {self.path} holds answers to another form of target {item.key!r}, which this campaign has "
                f"changed; give another --store, or remove that file to start anew"
            )
        query = "SELECT number, record, failed, seconds, processor FROM chunk WHERE target = ? ORDER BY number"
        rows = self.file.execute(query, (item.key,)).fetchall()
        if [row[0] for row in rows] != list(range(len(rows))):
            raise TaskError(f"store {self.path} must hold the chunks of {item.key!r} without gaps; it was changed")
        return [Stored(None if r is None else json.loads(r), f, s, p) for _, r, f, s, p in rows]

    def add(self, item: Item, number: int, chunk: Stored) -> None:
        """Write a chunk, whole or not at all; sqlite3.IntegrityError if it is there, OSError where the disk is full."""
        record = None if chunk.record is None else json.dumps(chunk.record, allow_nan=False)
        row = (item.key, number, record, chunk.failed, chunk.seconds, chunk.processor)
        try:
            self.file.execute("INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?)", row)
        except sqlite3.IntegrityError:
            raise
        except sqlite3.DatabaseError as error:
            raise OSError(f"store {self.path} cannot be written: {error}") from None
