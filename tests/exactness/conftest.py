"""What the tests of this folder share."""

from functools import cache

import pytest

from refdp.accounting import certified, evidence
from tests.exactness.entering import nameless

__all__ = ["nameless"]


@pytest.fixture
def enclosed_once(monkeypatch):
    """The search for evidence and the rule, which is asked more than once, ask the same of engines: it is kept."""
    work_out = certified.enclosure

    @cache
    def known(pairs, side, epsilon, engine, told):
        return work_out(pairs, side, epsilon, engine, dict(told))

    def enclosure(pairs, side, epsilon, engine, told):
        return known(tuple(pairs), side, epsilon, engine, tuple(sorted(told.items())))

    for module in (certified, evidence):
        monkeypatch.setattr(module, "enclosure", enclosure)
