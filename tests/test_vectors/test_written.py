"""The files that are committed: what `write` makes now, of the form of the schemas, many, each with wrong claims."""

import json
from collections import Counter

import pytest
from jsonschema import Draft202012Validator

from refdp.test_vectors.checking import cases
from refdp.test_vectors.notes import NOTES
from refdp.test_vectors.schemas import COMMON, SCHEMAS, schema
from refdp.test_vectors.writing import asked_files, document, text_of
from tests.test_vectors.committed import FILES, FOLDER, kept

TYPES = {"pmf": "Pmf", "privacy": "PrivacyProfile", "accounting": "Accounting", "stability": "StabilityMap",
         "sampler_bitstream": "SamplerBitstream", "sampler_statistical": "SamplerStatistical"}  # fmt: skip
SLOW = (
    "accounting_test.json",
    "pmf_discrete_gaussian_test.json",
    "sampler_bitstream_scalar_test.json",
    "sampler_statistical_test.json",
)
"""Files that take more than a second to write."""
BYTES = 2_000_000


def fresh(name):
    (kind,) = (kind for prefix, kind in TYPES.items() if name.startswith(prefix))
    (file,) = (file for file in asked_files([kind]) if file.name == name)
    return text_of(document(file))


@pytest.fixture(scope="module")
def everything():
    return {name: kept(name) for name in FILES}


@pytest.mark.long
def test_written_files_are_those_that_are_asked():
    assert sorted(file.name for file in asked_files()) == FILES


@pytest.mark.parametrize("name", sorted(set(FILES) - set(SLOW)))
def test_written_file_is_what_a_fresh_write_makes(name):
    assert fresh(name) == (FOLDER / name).read_text(encoding="ascii")


@pytest.mark.long
@pytest.mark.parametrize("name", SLOW)
def test_written_file_is_what_a_fresh_write_makes_of_the_slow_ones(name):
    assert fresh(name) == (FOLDER / name).read_text(encoding="ascii")


def test_written_cases_are_a_thousand_and_every_type_has_wrong_claims(everything):
    results = Counter((group["type"], test["result"]) for data in everything.values() for group, test in cases(data))
    assert sum(results.values()) >= 1000
    assert {kind for kind, result in results if result == "invalid"} == set(SCHEMAS)
    assert {kind for kind, result in results if result == "valid"} == set(SCHEMAS)
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < BYTES


def test_written_invalid_cases_have_a_reason_and_no_other_has(everything):
    for data in everything.values():
        for _, test in cases(data):
            assert ("reason" in test) == (test["result"] == "invalid")


def test_written_files_have_no_number_but_counts(everything):
    def numbers(found, key=""):
        if isinstance(found, dict):
            for k, v in found.items():
                yield from numbers(v, k)
        elif isinstance(found, list):
            for v in found:
                yield from numbers(v, key)
        elif not isinstance(found, str):
            yield key, type(found)

    seen = {one for data in everything.values() for one in numbers(data)}
    assert seen == {(key, int) for key in ("tcId", "tgId", "numberOfTests", "count")}


def test_written_claims_of_published_defects_are_all_used(everything):
    used = {flag for data in everything.values() for flag in data["notes"]}
    assert set(NOTES) - used == {"Imported"}
    assert {link for data in everything.values() for note in data["notes"].values() for link in note["links"]}


@pytest.mark.parametrize("name", [*SCHEMAS.values(), COMMON])
def test_schema_is_one_of_draft_2020_12(name):
    Draft202012Validator.check_schema(schema(name))
    assert schema(name)["$schema"] == "https://json-schema.org/draft/2020-12/schema"


@pytest.mark.parametrize("name", SCHEMAS.values())
def test_schema_refuses_every_unknown_field(name):
    def objects(found):
        if isinstance(found, dict):
            if "properties" in found and found.get("type") == "object":
                yield found
            for value in found.values():
                yield from objects(value)
        elif isinstance(found, list):
            for value in found:
                yield from objects(value)

    assert all(one.get("additionalProperties") is False for one in objects(schema(name)))


def test_written_file_is_read_back_as_it_was(everything):
    for name, data in everything.items():
        assert json.loads(text_of(data)) == data, name
