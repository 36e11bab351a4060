"""Every verdict about a program says what it takes for granted: neighbours, parameters, outputs and the text."""

import json
from hashlib import sha256

import pytest

from refdp.cli.app import app
from refdp.programs.described import described, sentence
from refdp.programs.language.reading import programs_in
from tests.command_line import CliRunner

TEXT = """
from refdp.programs import claim, laplace, each, ALL, ONE, L1, L2, MONO


def same(x, y):
    return x == y


def up(x, y):
    return x <= y and y <= x + 1


@claim(epsilon="epsilon", adjacency={adjacency})
def f({parameters}):
    return laplace(1/epsilon)
"""


def invoked(*arguments):
    """What a command does."""
    return CliRunner().invoke(app, list(arguments))


LENGTH = "both have the same number of elements, of which "


def said(adjacency="ONE", parameters="q: list, epsilon"):
    (program,) = programs_in(TEXT.format(adjacency=adjacency, parameters=parameters), "f.py")
    return described(program, program.claims[0])


@pytest.mark.parametrize(
    ("adjacency", "start"),
    [
        ("ALL", "each changes by at most 1"),
        ("ONE", "each changes by at most 1, at most 1 of them may change"),
        ("L1", "each changes by at most 1, the sum of abs(new - old) is at most 1"),
        ("L2", "each changes by at most 1, the sum of (new - old)^2 is at most 1"),
        ("MONO", "each rises by at most 1; or each falls by at most 1"),
        ("same", "for each: old == new"),
        ("each(ALL, changed=3)", "each changes by at most 1, at most 3 of them may change"),
        ("up", "for each: (old <= new) and (new <= (old + 1)), in this direction only"),
    ],
)
def test_neighbours_are_told_in_words_whatever_their_name(adjacency, start):
    found = said(adjacency)["neighbours"]
    assert found.startswith(LENGTH)
    assert found.removeprefix(LENGTH).replace("((1 + old))", "(old + 1)").startswith(start.partition(":")[0])
    assert ("in this direction only" in found) == (adjacency == "up")
    assert said(adjacency, "x: float, epsilon")["neighbours"].startswith(("it ", "for it: "))


def test_relation_of_the_file_that_is_named_like_one_of_ours_is_told_apart():
    text = TEXT.replace("def same", "def ALL").replace("each, ALL, ONE", "each, ONE")
    (program,) = programs_in(text.format(adjacency="ALL", parameters="q: list, epsilon"), "f.py")
    assert program.claims[0].adjacency.name == "ALL of the file"
    assert described(program, program.claims[0])["neighbours"] == LENGTH + "for each: old == new"


@pytest.mark.parametrize(
    ("parameters", "assumed"),
    [
        ("q: list, epsilon", ["epsilon is any number", "0 < epsilon"]),
        ("q: list, epsilon, k", ["epsilon is any number", "k is any whole number", "0 < epsilon", "1 <= k"]),
        ("q: list, epsilon, k: float", ["epsilon is any number", "k is any number", "0 < epsilon"]),
        ("q: list, epsilon, N: bool", ["epsilon is any number", "N is True or False", "0 < epsilon"]),
        ("q: list, n, epsilon", ["epsilon is any number", "n is the number of elements", "0 < epsilon"]),
    ],
)
def test_what_holds_of_a_parameter_is_told_by_its_name(parameters, assumed):
    assert said(parameters=parameters)["assumed"] == assumed


def test_every_verdict_and_every_replay_prints_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = TEXT.format(adjacency="ONE", parameters="q: list, epsilon")
    (tmp_path / "f.py").write_text(text, encoding="utf-8")
    digest = f"sha256 {sha256(text.encode()).hexdigest()}"
    done = invoked("prove", "f.py:f", "--certificates", "found")
    for words in ("PROVED", LENGTH, "0 < epsilon", "1 and 1.0 are one output", digest):
        assert words in " ".join(done.stdout.split())
    (one,) = json.loads(invoked("prove", "f.py:f", "--json").stdout)["claims"]
    assert one["digest"] == digest
    checked = invoked("check", "found")
    for words in ("PROVED", LENGTH, "0 < epsilon", "1 and 1.0 are one output", digest):
        assert words in " ".join(checked.stdout.split())
    assert " ".join(checked.stdout.split()).count("0 < epsilon, 0 < epsilon") == 0


def test_what_is_said_twice_is_told_once():
    text = TEXT.replace("adjacency={adjacency}", "adjacency={adjacency}, where='0 < epsilon and epsilon < 1'")
    (program,) = programs_in(text.format(adjacency="ALL", parameters="q: list, epsilon"), "f.py")
    assert described(program, program.claims[0])["assumed"] == ["epsilon is any number", "0 < epsilon", "epsilon < 1"]


def test_a_program_without_parameters_assumes_nothing_in_its_sentence():
    text = "from refdp.programs import ALL, bernoulli, claim\n\n\n@claim(epsilon=1, adjacency=ALL)\ndef f(bit: bool):\n"
    (program,) = programs_in(f"{text}    return bit != bernoulli(1/3)\n", "f.py")
    found = sentence(program, program.claims[0]).split("; ")
    assert found[:2] == ["it changes by at most 1", "outputs are compared by value: 1 and 1.0 are one output"]
    assert len(found) == 3
