"""What commands print with --json is of the published form, and has no key that the schema does not name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from refdp.commands.answers import answer_schema


def closed(schema: Any) -> Any:
    """The schema, every object that names its keys without any other: what is published leaves room for later ones."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: closed(value) for key, value in schema.items()}
    names_keys = isinstance(schema.get("properties"), dict) and schema.get("type") == "object"
    return found | ({"additionalProperties": False} if names_keys else {})


@cache
def validator(command: str = "") -> Draft202012Validator:
    """Of what a command prints; without one, of what any does."""
    whole = closed(answer_schema())
    if not command:
        return Draft202012Validator(whole)
    return Draft202012Validator({"$ref": f"#/$defs/{command}", "$defs": whole["$defs"]})


def insist(found: Mapping[str, Any]) -> None:
    """AssertionError, with what is wrong by the command that it is nearest to, unless some command prints such."""
    read = json.loads(json.dumps(found))
    if validator().is_valid(read):
        return
    commands = [one["$ref"].rsplit("/", 1)[1] for one in answer_schema()["anyOf"]]
    nearest = max(commands, key=lambda command: len(keys(command) & read.keys()))
    wrong = [error.message for error in validator(nearest).iter_errors(read)]
    raise AssertionError(f"no answer of refdp {nearest}: {'; '.join(wrong)}")


def keys(command: str) -> set[str]:
    """What the schema names of the objects that a command prints."""
    whole = answer_schema()["$defs"]
    found = [whole[command], *whole[command].get("anyOf", ())]
    found += [whole[one["$ref"].rsplit("/", 1)[1]] for one in found if "$ref" in one]
    return {key for one in found for key in one.get("properties", ())}
