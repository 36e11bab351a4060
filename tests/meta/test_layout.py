"""The layout: one claim, one stem in every tree; short documented files; nothing that -O or rounding could change."""

import ast
import tomllib

import pytest

from tests.meta.repository import (
    CLAIMING,
    ROOT,
    asserts,
    floats,
    names,
    offences,
    python_files,
    undocumented,
)

SOURCES = ("refdp/", "proofs/")


BOOKS_OF = {"mechanisms": ("mechanisms", "local_randomisers", "beyond_global_sensitivity")}
MADE_OF_OTHERS = {
    "count_mean_sketch",
    "hadamard_count_mean_sketch",
    "local_hashing",
    "median_with_distance",
    "median_with_doubled_distance",
    "median_with_local_bound",
    "median_with_smooth_bound",
    "propose_test_release",
    "top_k",
}  # of sketches, selections, tested releases; and transformations that the book of such mechanisms has claims about
OF_MEDIANS = {"median_bounds"}  # what refdp/ledger/beyond_global_sensitivity.toml has claims about
CLAIMS_NOTHING = {"outputs"}  # functions of an output alone: composition.post_process is the claim about them all
OF_STREAMS = {"linear", "level_sums", "strategies"}  # what refdp/ledger/streams.toml has claims about

OF_MODELS = {"class_counts", "cluster_sums", "prepared_columns", "regularised_minimisers", "second_moments"}
"""What refdp/ledger/models.toml has claims about."""


def stems(folder: str, prefix: str = "") -> set[str]:
    """The stems of the files directly in `folder`, less the prefix; a leading underscore hides a file."""
    found = (path.name for path in (ROOT / folder).glob(f"{prefix}*.py"))
    return {name.removeprefix(prefix).removesuffix(".py") for name in found if not name.startswith("_")}


def claimed(kind: str) -> set[str]:
    """The stems that the ledger has claims about, but those of mechanisms that are made of others."""
    books = BOOKS_OF.get(kind, (kind,))
    texts = [(ROOT / f"refdp/ledger/{book}.toml").read_text(encoding="utf-8") for book in books]
    return {stem for text in texts for stem in tomllib.loads(text)} - MADE_OF_OTHERS


@pytest.mark.parametrize("kind", ["mechanisms", "transformations"])
def test_layout_has_the_same_stem_in_every_tree(kind):
    defined = stems(f"refdp/{kind}")
    assert claimed(kind) == defined - CLAIMS_NOTHING - OF_STREAMS - OF_MODELS - OF_MEDIANS
    assert defined - stems(f"tests/{kind}", "test_") == set()


def test_layout_documents_what_is_public():
    assert offences(undocumented, python_files(*SOURCES)) == []


def test_layout_has_no_assert_outside_tests():
    assert offences(asserts, python_files(*SOURCES)) == []


def test_layout_has_no_float_where_claims_are_made():
    assert offences(floats, python_files(*CLAIMING)) == []


def test_layout_excuses_no_line_of_the_kernel_from_coverage():
    excused = [name for name in python_files("refdp/kernel/") if "pragma" in (ROOT / name).read_text(encoding="utf-8")]
    assert excused == []


def test_layout_ships_the_proofs_through_one_link():
    assert (ROOT / "refdp" / "proofs").is_symlink()
    assert not [name for name in names() if name.startswith("refdp/proofs/")]


@pytest.mark.parametrize(
    ("check", "source", "lines"),
    [
        (asserts, "x = 1\nif x:\n    assert x", [3]),
        (floats, "x = 1\ny = x + 5e-1", [2]),
        (floats, "x = 1j", [1]),
        (undocumented, '"""A."""\ndef f(): pass\ndef _g(): pass\nclass C: pass', [2, 4]),
        (undocumented, "x = 1", [1]),
    ],
)
def test_layout_checks_find_what_they_look_for(check, source, lines):
    assert list(check(ast.parse(source))) == lines
