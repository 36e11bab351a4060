"""The engines, in the order in which they are asked: each is imported when it is first needed."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from refdp.accounting.curves import Engine

ENGINES = (
    "refdp.accounting.closed_forms.engine",
    "refdp.accounting.contour.periodic",
    "refdp.accounting.lattice.engine",
    "refdp.accounting.products.engine",
    "refdp.accounting.quadrature.engine",
    "refdp.accounting.contour.engine",
    "refdp.accounting.cells.engine",
    "refdp.accounting.grids.engine",
    "refdp.accounting.theorems.renyi_engine",
    "refdp.accounting.theorems.attained",
    "refdp.accounting.loose",
)
"""Modules with an `ENGINE`."""


def engines() -> Iterator[Engine]:
    """Each engine, best first."""
    for module in ENGINES:
        found: Engine = import_module(module).ENGINE
        yield found
