"""The machine that makes mutants: what it changes, that it is put in place and undone, and what is shown equal."""

import ast
import builtins
import json
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from refdp.numerics import calibration
from tests.mutation import taken_away, unsound, watching
from tests.mutation.__main__ import died_before
from tests.mutation.equal import EQUAL
from tests.mutation.harmless import HARMLESS
from tests.mutation.operators import changes
from tests.mutation.readings import reading
from tests.mutation.recording import Record, digest, still_true
from tests.mutation.running import functions, imported, put
from tests.mutation.sites import (
    AREAS,
    ROOT,
    Site,
    candidates,
    differs,
    drawn,
    essence,
    files_of,
    mutated,
    numbered,
    tree,
)
from tests.mutation.taken_away import clauses, files, is_removal
from tests.mutation.unsound import COUNT
from tests.mutation.watching import Watch, watched

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
    part = {"refdp/programs/checking/*.py": (taken_away.PROGRAM,)}  # for brevity
    monkeypatch.setattr(taken_away, "FILES", part)
    found = list(islice(taken_away.drawn(), COUNT))
    assert len(found) == COUNT
    assert all(one.change.operator == "clause dropped" or is_removal(one.change) for one in found)
    assert not {one.key for one in found} & HARMLESS.keys()


def test_what_is_shown_harmless_is_a_check_that_is_taken_away() -> None:
    assert all(len(reason) > 20 and "\n" not in reason for reason in HARMLESS.values())
    named = {key[0] for key in HARMLESS}
    by_file = {file: (*filter(is_removal, changes(tree(file))), *clauses(file)) for file in named}
    assert by_file.keys() <= files().keys()
    assert HARMLESS.keys() <= {one.key for file, found in by_file.items() for one in numbered("unsound", file, found)}


CHECKED = """
def f(a, b, items):
    if a and b:
        raise ValueError
    if a or b:
        raise KeyError
    if a or b:
        items = items[1:]
    for one in items:
        if one > 3:
            raise TypeError
    return a or all_of(a, b)
"""


def test_an_operand_is_a_check_where_without_it_less_is_refused_or_more_is_done() -> None:
    found = [one for one in changes(ast.parse(CHECKED)) if is_removal(one)]
    dropped = [(one.line, one.after) for one in found if one.operator == "operand dropped"]
    assert dropped == [(5, "b"), (5, "a"), (12, "all_of(a, b)"), (12, "a")]
    others = [(one.line, one.operator) for one in found if one.operator != "operand dropped"]
    assert others == [(3, "condition"), (4, "statement deleted"), (5, "condition"), (6, "statement deleted"),
                      (9, "loop skipped"), (10, "condition"), (11, "statement deleted")]  # fmt: skip


@pytest.mark.parametrize(
    ("a", "b", "items", "seen"),
    [
        (0, 0, [1], {"in items -> in ()"}),
        (1, 0, [], {"if a or b -> if False", "a or b -> b", "raise KeyError -> pass"}),
        (0, 1, [], {"if a or b -> if False", "a or b -> a", "raise KeyError -> pass"}),
        (0, 0, [4], {"in items -> in ()", "if one > 3 -> if False", "raise TypeError -> pass"}),
        (1, 1, [], {"if a and b -> if False", "raise ValueError -> pass"}),
    ],
)
def test_a_watch_sees_which_changes_could_alter_a_run(monkeypatch, a, b, items, seen) -> None:
    parsed, watch = ast.parse(CHECKED), Watch()
    sites = [Site("", "f.py", one, 0) for one in changes(parsed) if is_removal(one)]
    names = {"all_of": lambda *given: all(given)}
    monkeypatch.setattr(builtins, watching.NAME, watch, raising=False)
    exec(watched("f.py", parsed, enumerate(sites)), names)
    with suppress(KeyError, TypeError, ValueError):
        names["f"](a, b, items)
    assert {f"{sites[one].change.before} -> {sites[one].change.after}" for one in watch.seen} == seen


def test_claims_that_a_change_could_alter_are_tried_in_their_order() -> None:
    site = next(taken_away.drawn())
    (kind, *_), name, reached = files()[site.file], unsound.name_of(site), unsound.nothing()
    reached.altered[unsound.recorded(site, kind), kind][name] = [12_000, 7, 3]
    each = unsound.PER_SEED[kind]
    assert unsound.ordered(site, reached, unsound.CLAIMS) == [(4 * each, kind, 3), (8 * each, kind, 7)]


@pytest.mark.parametrize("kind", ["program", "query"])
def test_a_reading_is_the_same_each_time_and_another_for_another_claim(kind: str) -> None:
    """Whatever was read before, and in whichever folder the text stood."""
    found = [reading(kind, seed) for seed in range(12)]
    unsound.forget()
    assert [reading(kind, seed) for seed in range(12)] == found
    assert len(set(found)) > 6


def test_a_proof_that_is_taken_back_counts_as_found_and_a_refusal_does_not() -> None:
    from refdp.second_judge.opinion import Opinion

    verdicts = Opinion(unloaded="NameError"), Opinion(nothing="the function raises TypeError on each table with rows")
    assert all(unsound.taken_back(one.emptiness()) for one in verdicts)
    assert not unsound.taken_back("refused: module.py:3:4: not supported: the name x; use variables")
    assert not unsound.said("internal error", "KeyError: 5")
    assert unsound.said("internal error", "the second judge contradicts the verdict: on 1 and 2")


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
    assert died_before("language", tmp_path) == {one.key}
    assert replace(one, number=one.number + 1).key not in died_before("language", tmp_path)  # its twin on the line
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
