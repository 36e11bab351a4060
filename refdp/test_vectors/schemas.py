"""The JSON schemas (draft 2020-12) that ship with the package, and whether data are of their form."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from refdp.test_vectors.numbers import VectorError, shown

SCHEMAS = {
    "Pmf": "pmf_v1.json",
    "PrivacyProfile": "privacy_profile_v1.json",
    "Accounting": "accounting_v1.json",
    "SamplerBitstream": "sampler_bitstream_v1.json",
    "SamplerStatistical": "sampler_statistical_v1.json",
    "StabilityMap": "stability_map_v1.json",
}
"""Type of group -> the schema of files with such groups."""
FOLDER = Path(__file__).parent / "schema"
COMMON = "common_v1.json"
DEEPEST_MATCH = 4
"""Most steps of a path that a sentence shows."""


@lru_cache
def schema(name: str) -> Any:
    """The schema of that file name."""
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def validate(data: Any) -> None:
    """Return if the data are of the form that their field `schema` names; VectorError with one sentence otherwise."""
    if not isinstance(data, dict) or data.get("schema") not in SCHEMAS.values():
        got = shown(data.get("schema")) if isinstance(data, dict) else "no object"
        raise VectorError(f"schema must be one of {', '.join(SCHEMAS.values())}, got {got}")
    error = next(iter(_validator(data["schema"]).iter_errors(data)), None)
    if error is not None:
        path = "/".join(map(str, list(error.absolute_path)[-DEEPEST_MATCH:]))
        raise VectorError(f"{path or 'the file'} is not of the form in {data['schema']}: {_short(error.message)}")


def _short(message: str) -> str:
    """A message without the long data in its middle."""
    return message if len(message) <= 160 else f"{message[:80]} ... {message[-75:]}"


@lru_cache
def _validator(name: str) -> Any:
    """The validator by one schema, which may refer to the common one."""
    try:
        from jsonschema import Draft202012Validator
        from referencing import Registry, Resource
    except ImportError:
        raise VectorError("jsonschema must be installed to read test vectors: pip install 'refdp[audit]'") from None
    common = schema(COMMON)
    registry: Any = Registry().with_resource(common["$id"], Resource.from_contents(common))
    return Draft202012Validator(schema(name), registry=registry)
