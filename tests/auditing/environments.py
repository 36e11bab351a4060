"""The interpreters of pinned releases, where `make audit-envs` has made them, or where REFDP_AUDIT_ENVS says."""

import os
from pathlib import Path

import pytest

PLACE = Path(os.environ.get("REFDP_AUDIT_ENVS") or Path(__file__).resolve().parents[2] / ".audit-envs")


def python_of(name):
    """The interpreter of an environment; the test is skipped where it has not been made."""
    path = PLACE / name / "bin" / "python"
    if not path.exists():
        pytest.skip(f"{name} is not installed in {PLACE.name}; run: make audit-envs")
    return str(path)
