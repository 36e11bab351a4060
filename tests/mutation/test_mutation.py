"""The machine that makes mutants: what it changes, that it is put in place and undone, and what is shown equal."""

import ast
import json
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from refdp.numerics import calibration
from tests.mutation import unsound
from tests.mutation.__main__ import died_before
from tests.mutation.equal import EQUAL
from tests.mutation.operators import changes
from tests.mutation.recording import Record, digest, still_true
from tests.mutation.running import functions, imported, put
from tests.mutation.sites import AREAS, ROOT, candidates, differs, drawn, essence, files_of, mutated, tree
from tests.mutation.unsound import COUNT, HARMLESS, is_removal
from tests.mutation.unsound import drawn as taken_away

TEXT = '''
LIMIT = 3

def f(x, y=2):
    """Words stay."""
    if x < y and not (x == 0):
        raise ValueError(f"{x + 1} is wrong")
    total = 0
    for k in range(x):
        total += min(k, y) * 7
    return all(v[1:] for v in total if v)
'''
EXPECTED = {
    ("constant", "3", "4"), ("constant", "3", "0"), ("constant", "2", "1"),
    ("comparison", "x < y", "x <= y"), ("comparison", "x == 0", "x != 0"),
    ("operand dropped", "x < y and (not x == 0)", "x < y"), ("sign dropped", "not x == 0", "x == 0"),
    ("condition", "if x < y and (not x == 0)", "if False"), ("condition", "if x < y and (not x == 0)", "if True"),
    ("statement deleted", "raise ValueError(f'{x + 1} is wrong')", "pass"), ("early return", "", "return"),
    ("loop skipped", "in range(x)", "in ()"), ("arithmetic", "min(k, y) * 7", "min(k, y) // 7"),
    ("other of a pair", "min", "max"), ("other of a pair", "all", "any"), ("slice", "1:", "1 + 1:"),
    ("statement deleted", "total += min(k, y) * 7", "pass"), ("negation", "if v", "if not (v)"),
}  # fmt: skip


def test_the_operators_find_what_tests_most_often_miss() -> None:
    found = {(one.operator, one.before, one.after) for one in changes(ast.parse(TEXT))}
    assert found >= EXPECTED
    assert not [one for one in found if "Words" in one[1] or one[1] == "x + 1" or one[1:] == ("min(k, y)", "min(y, k)")]


def test_every_change_compiles_or_is_no_site_and_is_undone() -> None:
    module = ast.parse(TEXT)
    whole = ast.dump(module)
    for one in list(changes(module)):
        old = one.put()
        assert ast.dump(module) != whole
        compile(module, "text", "exec")
        one.place_back(old)
        assert ast.dump(module) == whole


def test_there_are_1500_sites_and_their_order_is_that_of_the_seed() -> None:
    assert sum(area.count for area in AREAS.values()) == 1500
    first = [str(one) for one in islice(drawn("language"), AREAS["language"].count)]
    assert len(first) == AREAS["language"].count
    assert first == [str(one) for one in islice(drawn("language"), AREAS["language"].count)]
    assert first[:5] != [str(one) for one in islice(drawn("language", "another"), 5)]


@pytest.mark.parametrize("area", AREAS)
def test_every_area_has_files_and_tests(area: str) -> None:
    assert files_of(area)
    assert all((ROOT / one).exists() for one in AREAS[area].tests)


def test_a_change_that_compiles_to_the_same_is_no_site() -> None:
    for one in islice(drawn("language"), 20):
        assert differs(one)
        assert essence(mutated(one)) == essence(mutated(one))
    assert ast.dump(tree(one.file)) == ast.dump(ast.parse((ROOT / one.file).read_text(encoding="utf-8")))


def test_a_mutant_is_put_in_place_wherever_its_function_is_held() -> None:
    held_elsewhere = calibration.floor_log10
    original = held_elsewhere.__code__
    place = functions({calibration.__file__})
    wanted = "e - 1 -> e + 1"
    site = next(one for one in candidates("numerics") if one.change.function == "floor_log10" and wanted in str(one))
    try:
        assert put(site, place)
        assert held_elsewhere(calibration.Fraction(1, 2)) != -1
    finally:
        held_elsewhere.__code__ = original
    assert held_elsewhere(calibration.Fraction(1, 2)) == -1


def test_what_importing_does_is_not_put_in_place_by_exchanging_code() -> None:
    site = next(one for one in candidates("numerics") if not one.change.function)
    assert not put(site, {})


def test_what_is_shown_equal_is_a_site_and_at_most_3_in_100() -> None:
    assert len(EQUAL) <= 45
    assert all(len(reason) > 20 and "\n" not in reason for reason in EQUAL.values())
    areas = {area for area in AREAS for file in files_of(area) if any(key[0] == file for key in EQUAL)}
    assert EQUAL.keys() <= {one.key for area in areas for one in candidates(area)}


def test_checks_that_are_taken_away_are_refusals_and_conditions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unsound, "FILES", {"refdp/programs/checking/*.py": (unsound.PROGRAM,)})  # one part, for brevity
    found = list(islice(taken_away(), COUNT))
    assert len(found) == COUNT
    assert all(one.change.operator == "clause dropped" or is_removal(one.change) for one in found)
    assert not {one.key for one in found} & HARMLESS.keys()


def test_what_importing_does_is_changed_as_the_file_is_imported(tmp_path: Path) -> None:
    """In a process of its own, under pytest, which imports the package in its own way where it may."""
    site = next(one for one in candidates("sampling") if one.file.endswith("slots/draws.py") and "32 -> 1" in str(one))
    test = tmp_path / "test_words.py"
    for widths, code in (((16, 32, 64), 1), ((16, 1, 64), 0)):
        test.write_text(
            f"from refdp.sampling.slots.draws import WIDTHS\n\ndef test_it():\n    assert WIDTHS == {widths}\n"
        )
        words = [sys.executable, "-m", "tests.mutation.importing", "sampling", repr(site.key), str(test)]
        assert subprocess.run(words, cwd=ROOT, capture_output=True, check=False).returncode == code


def test_what_died_is_tried_again_once_its_file_or_the_test_has_changed(tmp_path: Path) -> None:
    """Sites are named with their lines, and files by a digest: another night goes on where one stopped."""
    (one, other, gone, lived), test = (
        list(islice(drawn("language"), 4)),
        "tests/mutation/test_mutation.py::test_it[a b]",
    )
    told = [(one, "dies", f"FAILED {test}"), (other, "dies", test), (gone, "dies", "tests/no_such.py::test_it")]
    lines = [
        {"fate": fate, "by": by, "site": str(site), "key": site.key, "digest": digest(ROOT / site.file)}
        for site, fate, by in [*told, (lived, "LIVES", "")]
    ]
    lines[1]["digest"] = "that of another text"
    (tmp_path / "language.1.fates.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert died_before("language", tmp_path) == {str(one)}
    assert died_before("numerics", tmp_path) == set()


def test_a_record_forgets_what_files_have_changed_under(tmp_path: Path) -> None:
    for name in ("same.py", "moved.py", "test_a.py", "test_b.py"):
        (tmp_path / name).write_text(name)
    digests = {path.name: digest(path) for path in tmp_path.iterdir()}
    tests = ["test_a.py::of_same", "test_a.py::of_moved", "test_b.py::of_same", "test_c.py::gone"]
    lines = {"same.py": {1: [tests[0], tests[2]]}, "moved.py": {1: [tests[1]]}}
    known = Record(dict.fromkeys(tests, 1.0), lines, digests)
    assert still_true(known, tmp_path).seconds.keys() == set(tests[:3])
    for name in ("moved.py", "test_b.py"):
        (tmp_path / name).write_text("changed")
    left = still_true(known, tmp_path)
    assert left.seconds.keys() == {tests[0]}
    assert left.lines == {"same.py": lines["same.py"]}
    assert not still_true(Record(known.seconds, lines), tmp_path).seconds


def test_a_number_that_names_a_test_is_changed_and_the_test_is_run(tmp_path: Path) -> None:
    """Its name is another then, which says nothing of whether it would fail."""
    site = next(one for one in candidates("sampling") if one.file.endswith("slots/draws.py") and "32 -> 1" in str(one))
    test = tmp_path / "test_widths.py"
    for wanted, by in (("32", "[1]"), ("1", "")):
        test.write_text(
            "import pytest\nfrom refdp.sampling.slots.draws import WIDTHS\n\n"
            f"@pytest.mark.parametrize('width', [WIDTHS[1]])\ndef test_it(width):\n    assert width == {wanted}\n"
        )
        failed = imported(site, [f"{test}::test_it[32]"])
        assert (failed.startswith("FAILED"), failed[-3:]) == (bool(by), by)
