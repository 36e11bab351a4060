"""Options of text: read as typer reads them, without what typer loads to do so."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from refdp.cli.app import COMMANDS, asked_for
from refdp.cli.plain_values import Plain, is_simple

ONE, MANY = SimpleNamespace(multiple=False, nargs=1), SimpleNamespace(multiple=True, nargs=1)


class Usual:
    def coerce(self, value, param, ctx):
        return "usual", value


@pytest.mark.parametrize(
    ("kind", "value", "found"),
    [
        (str, "a", "a"),
        (str, "", ""),
        (str, "a\udcff", ("usual", "a\udcff")),
        (str, b"a", ("usual", b"a")),
        (Path, "a/b", Path("a/b")),
        (list[str], ("a", "b"), ["a", "b"]),
        (list[str], ("a", "\udcff"), ("usual", ("a", "\udcff"))),
        (list[Path], ["a"], [Path("a")]),
        (tuple[str, str], ("a", "b"), ("a", "b")),
        (tuple[str, str], ("a",), ("usual", ("a",))),
        (bool, "yes", ("usual", "yes")),
    ],
)
def test_text_is_taken_as_it_is_and_all_else_is_read_as_usual(kind, value, found):
    assert Plain(kind, Usual).coerce(value, ONE, None) == found


def test_what_is_not_given_is_nothing():
    assert Plain(str, Usual).coerce(None, ONE, None) is None
    assert Plain(list[str], Usual).coerce(None, MANY, None) == ()


def test_a_path_that_may_not_be_read_is_refused_as_usual(monkeypatch, tmp_path):
    monkeypatch.setattr("os.access", lambda *_: False)
    assert Plain(Path, Usual).coerce(str(tmp_path), ONE, None) == ("usual", str(tmp_path))


def test_numbers_and_paths_of_which_more_is_asked_are_read_as_usual():
    plain = SimpleNamespace(file_okay=True, dir_okay=True, exists=False)
    assert is_simple(str, plain)
    assert is_simple(list[Path], plain)
    assert not is_simple(int, plain)
    assert not is_simple(Path, SimpleNamespace(file_okay=True, dir_okay=True, exists=True))
    assert not is_simple(Path, SimpleNamespace(file_okay=True, dir_okay=False, exists=False))


def test_only_the_command_that_is_asked_for_is_built():
    assert [one.callback.__name__ for one in asked_for(["sample", "--help"]).registered_commands] == ["sample"]
    for words in ([], ["--help"], ["smaple"]):
        whole = asked_for(words)
        assert len(whole.registered_commands) + len(whole.registered_groups) == len(COMMANDS)


@pytest.mark.once
@pytest.mark.parametrize("words", [[], ["--json"]])
def test_drawing_loads_neither_pydantic_nor_what_other_commands_need(words):
    code = f"""
import sys
sys.argv = ["refdp", "sample", "discrete_laplace", "--scale", "3", *{words}]
from refdp.cli import main
try:
    main()
except SystemExit as end:
    assert end.code == 0
assert not {{"pydantic", "refdp.cli.account", "z3", "flint"}} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
