"""Releases whose theorems replay in the process of the tests, where no test is about the fresh one."""

from refdp.commands.check import replayed_here


def replay_here(monkeypatch):
    """A release replays what it rests on as `refdp check` does, but starts no process for it."""
    monkeypatch.setattr(
        "refdp.commands.release.check", lambda *paths, timeout: replayed_here(list(paths), timeout=timeout)
    )
