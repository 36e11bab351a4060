"""The inequalities behind the classical Gaussian theorem, on each region on which it is proved."""

from __future__ import annotations

from refdp.spec import classical
from refdp.spec.named_statements import NamedStatements
from refdp.spec.registry import register

CLASSICAL = register(
    NamedStatements(
        "classical", {key: s for region in classical.REGIONS for key, s in classical.inequalities(region).items()}
    )
)
