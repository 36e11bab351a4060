"""A certificate from which one part was taken away shows nothing that the whole one does not.

Every list and every object of a certificate is emptied, one at a time, and every entry of an object is removed: a
condition that stands inside a loop over them is then asked of nothing.  Every part is also replaced by values of other
types, which must not end in an internal error.
"""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import refdp
from refdp.claims import PROGRAMS, ledger, programs
from refdp.commands.check import replayed_file
from refdp.commands.earlier_certificates import renewed
from refdp.commands.sensitivity import sensitivity
from refdp.kernel.certificate import text_of
from tests.meta.repository import ROOT
from tests.reading_once import read_once

STORED = ROOT / "proofs" / "certificates"
FILES = [
    *(STORED / f"{c.identifier}.json" for c in ledger()),
    *(STORED / PROGRAMS / f"{c.identifier}.json" for c in programs()),
]
PROGRAMS = (
    "laplace_mechanism.all", "noisy_histogram.l1", "sparse_vector.all", "randomised_response.all",
    "truncated_geometric.near", "gaussian_mechanism.all", "chen.all", "noisy_max_exponential.all",
)  # fmt: skip
LEDGER = (
    "composition.parallel_add_remove", "discrete_laplace.pure", "composition.advanced", "laplace.half_noise",
    "definitions.loss_tail_post_processed", "exponential.pure", "clamped_sum.add_remove", "randomised_response.pure",
    "gaussian.analytic", "composition.poisson_pure", "composition.greatest_of_independent_failures",
)  # fmt: skip
QUERIES = """
def total(rows, cap=7):
    return sum(min(r, cap) for r in rows)


def mean(rows):
    return sum(rows) / len(rows) if rows else 0


def counts(rows):
    return [sum(1 for r in rows if r > k) for k in range(3)]


def clipped(rows, low, high):
    found = 0
    for r in rows:
        if r > 0:
            found += max(low, min(high, r))
    return found
"""
PROGRAM = """
from refdp.programs import ALL, claim, discrete_laplace


@claim(epsilon="epsilon", adjacency=ALL)
def noisy(x: int, epsilon):
    return x + discrete_laplace(1 / epsilon)
"""
ASKED = {
    "total": {"neighbours": "add_remove", "claim": "7"},
    "mean": {"neighbours": "change_one", "claim": "10"},
    "counts": {"neighbours": "add_remove", "claim": "3"},
    "clipped": {
        "neighbours": "add_remove", "claim": "max(abs(low), abs(high))", "symbol": ["low", "high"],
        "assume": "low <= high",
    },
    "false": {"neighbours": "add_remove", "claim": "6"},
}  # fmt: skip


@pytest.fixture(autouse=True)
def texts_read_once(monkeypatch):
    """Of a thousand changed certificates, most hold one of a dozen texts."""
    read_once(monkeypatch)


@cache
def queries(folder: Path) -> dict[str, Path]:
    """The certificates of some questions about functions."""
    (folder / "queries.py").write_text(QUERIES, encoding="utf-8")
    found = {}
    for name, asked in ASKED.items():
        target = f"{folder / 'queries.py'}:{'total' if name == 'false' else name}"
        one = sensitivity(target, records="0..10", certificates=folder / name, **asked)
        found[name] = Path(one["certificate"])
    return found


@cache
def pipelines(folder: Path) -> dict[str, Path]:
    """Certificates of theorems that rest on the text of a function: of a pipeline, and of a program."""
    (folder / "piped.py").write_text(QUERIES, encoding="utf-8")
    (folder / "noisy.py").write_text(PROGRAM, encoding="utf-8")
    total = refdp.query(f"{folder / 'piped.py'}:total", "add_remove", records="integers 0..3", run=False)
    noisy = refdp.program(f"{folder / 'noisy.py'}:noisy", set={"epsilon": "1/2"}, run=False)
    theorems = {
        "pipeline": refdp.theorem(total >> refdp.discrete_laplace(7), 1),
        "program": refdp.theorem(noisy, 1),
    }
    for name, theorem in theorems.items():
        refdp.write_certificate(theorem, folder / f"{name}.json")
    return {name: folder / f"{name}.json" for name in theorems}


def without(found: Any) -> Iterator[Any]:
    """The object with one list or object in it emptied, or one entry removed, also within a text that is an object."""
    if isinstance(found, str) and found.startswith("{"):
        yield from map(json.dumps, without(json.loads(found)))
    if isinstance(found, dict | list) and found:
        yield type(found)()
    entries = (
        list(found.items()) if isinstance(found, dict) else list(enumerate(found)) if isinstance(found, list) else []
    )
    for key, inner in entries:
        if isinstance(found, dict):
            yield {k: v for k, v in found.items() if k != key}
            yield from ({**found, key: less} for less in without(inner))
        else:
            yield [v for k, v in enumerate(found) if k != key]
            yield from ([*found[:key], less, *found[key + 1 :]] for less in without(inner))


OTHER = ([], {}, None, 0, "", True)
"""What stands in the place of a part."""


def replaced(found: Any) -> Iterator[Any]:
    """The object with one part replaced by each of OTHER, also within a text that is an object of JSON itself."""
    yield from (other for other in OTHER if (other, type(other)) != (found, type(found)))
    if isinstance(found, str) and found.startswith("{"):
        yield from (json.dumps(one) for one in replaced(json.loads(found)))
    if isinstance(found, dict):
        for key, inner in found.items():
            yield from ({**found, key: other} for other in replaced(inner))
    if isinstance(found, list):
        for place, inner in enumerate(found):
            yield from ([*found[:place], other, *found[place + 1 :]] for other in replaced(inner))


MOST = 60
"""How many parts are taken from one certificate."""


def some(found: list[Any], most: int) -> list[Any]:
    """So many of them, evenly."""
    return found[:: -(-len(found) // most)]


def judged(text: str, path: Path) -> dict[str, Any]:
    """What a certificate shows."""
    path.write_text(text, encoding="utf-8")
    return replayed_file(path, "z3", None, 5.0)


def insist_that_less_shows_no_more(path: Path, folder: Path, most: int = MOST) -> int:
    """Every smaller certificate is rejected, undecided, or shows what the whole one shows; how many were."""
    text = path.read_text(encoding="utf-8")
    whole = judged(text, folder / "whole.json")
    assert whole["verdict"] in ("PROVED", "REFUTED"), whole
    shown, refused = (whole["verdict"], whole["conclusion"]), 0
    for less in some(list(without(json.loads(text))), most):
        found = judged(json.dumps(less, indent=1), folder / "less.json")
        assert "internal_error" not in found, (less, found)
        if found["verdict"] in ("PROVED", "REFUTED"):
            assert (found["verdict"], found["conclusion"]) == shown, less
        else:
            refused += 1
    return refused


@pytest.mark.parametrize("name", LEDGER)
def test_certificate_of_the_ledger_shows_no_more_without_a_part(name, tmp_path):
    assert insist_that_less_shows_no_more(STORED / f"{name}.json", tmp_path) >= 3


@pytest.mark.parametrize("name", PROGRAMS)
def test_certificate_of_a_program_shows_no_more_without_a_part(name, tmp_path):
    assert insist_that_less_shows_no_more(STORED / "programs" / f"{name}.json", tmp_path) >= 3


@pytest.mark.parametrize("name", ASKED)
def test_certificate_of_a_query_shows_no_more_without_a_part(name, tmp_path, tmp_path_factory):
    found = queries(tmp_path_factory.getbasetemp())
    assert insist_that_less_shows_no_more(found[name], tmp_path) >= 3


QUESTIONS = ("alignment_of_a_relation", "counterexample_in_one_direction", "machine_function_proved", "machine_sum",
             "machine_function_refuted", "sensitivity_labels", "sensitivity_refuted", "smooth_add_remove")  # fmt: skip
"""Stored certificates of before that are about questions of engines."""


@pytest.mark.parametrize("name", QUESTIONS)
def test_certificate_about_a_question_shows_no_more_without_a_part(name, tmp_path):
    stored = (ROOT / "tests" / "earlier_formats" / f"{name}.json").read_text(encoding="utf-8")
    (tmp_path / "question.json").write_text(text_of(renewed(stored)), encoding="utf-8")
    assert insist_that_less_shows_no_more(tmp_path / "question.json", tmp_path, 200) >= 10


@pytest.mark.parametrize("name", QUESTIONS)
def test_certificate_about_a_question_with_a_part_of_another_type_is_no_internal_error(name, tmp_path):
    stored = (ROOT / "tests" / "earlier_formats" / f"{name}.json").read_text(encoding="utf-8")
    for other in some(list(replaced(renewed(stored))), 400):
        found = judged(json.dumps(other), tmp_path / "other.json")
        assert "internal_error" not in found, (other, found)


@pytest.mark.parametrize("name", ["pipeline", "program"])
def test_certificate_about_a_text_shows_no_more_without_a_part(name, tmp_path, tmp_path_factory):
    assert insist_that_less_shows_no_more(pipelines(tmp_path_factory.getbasetemp())[name], tmp_path) >= 3


@pytest.mark.parametrize("name", ["pipeline", "program", *ASKED])
def test_certificate_with_a_part_of_another_type_is_no_internal_error(name, tmp_path, tmp_path_factory):
    folder = tmp_path_factory.getbasetemp()
    path = (queries if name in ASKED else pipelines)(folder)[name]
    refused = 0
    for other in replaced(json.loads(path.read_text(encoding="utf-8"))):
        found = judged(json.dumps(other), tmp_path / "other.json")
        assert "internal_error" not in found, (other, found)
        refused += found["verdict"] == "REJECTED"
    assert refused >= 60


@pytest.mark.long
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_certificate_shows_no_more_without_any_part(path, tmp_path):
    assert insist_that_less_shows_no_more(path, tmp_path, 1_000) >= 3
