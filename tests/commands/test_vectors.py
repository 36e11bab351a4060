"""The functions behind `refdp vectors`: nothing partial is written, progress is told, types are kept to."""

from pathlib import Path

import pytest

from refdp.commands.vectors import check, write
from refdp.test_vectors import writing

FOLDER = Path(__file__).resolve().parents[2] / "vectors"


def test_write_leaves_no_partial_file(tmp_path, monkeypatch):
    def broken(self, *_, **__):
        raise OSError("disk full")

    monkeypatch.setattr(Path, "replace", broken)
    with pytest.raises(OSError, match="disk full"):
        writing.put(tmp_path / "a_test.json", "{}")
    assert list(tmp_path.iterdir()) == []


def test_write_tells_how_far_it_is(tmp_path):
    steps = []
    found = write(tmp_path, type=["StabilityMap"], step=lambda *s: steps.append(s))
    assert steps == [(0, 1, "stability_map_test.json")]
    assert found["files"] == [{"file": "stability_map_test.json", "cases": found["cases"]}]


def test_check_keeps_to_types():
    assert check(FOLDER / "pmf_randomised_response_test.json", type=["Accounting"])["cases"] == 0


def test_check_of_an_object_needs_no_module():
    class Mine:
        def pmf(self, **_):
            return NotImplemented

    found = check(FOLDER / "pmf_randomised_response_test.json", against=Mine())
    assert (found["verdict"], found["unsupported"]) == ("UNKNOWN", 33)
