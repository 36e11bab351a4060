"""The form of what every command prints with `--json`, as a JSON schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SCHEMA = Path(__file__).with_name("answers_v1.json")


def answer_schema() -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of the objects that commands print with `--json` and functions give.

    Under `$defs` each command has its own, by its name.  Numbers that a claim states are text; floats are in what
    audits give as evidence alone, which has a form of its own for each kind of target.
    Raises OSError where the file of the schema is not there.

    >>> answer_schema()["$defs"]["verify"]["required"][:3]
    ['claims', 'as_expected', 'surprises']
    """
    found: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return found
