"""Only one place of refdp starts Python: isolated, with the package that is in use."""

import ast
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from tests.meta.repository import python_files, tree

pytestmark = pytest.mark.once

HERE = "refdp/isolation.py"
STARTING = {
    HERE: "isolated, with this package",
    "refdp/provers/processes.py": "the command that isolation.py makes",
    "refdp/commands/check.py": "the command that isolation.py makes",
    "refdp/commands/replay_cost.py": "the command that isolation.py makes",
    "refdp/auditing/targets/sessions.py": "the interpreter that has the target, isolated",
    "refdp/auditing/targets/processes.py": "ends processes, starts none",
    "refdp/auditing/targets/pipes.py": "talks to a process, starts none",
    "refdp/auditing/targets/workers/command.py": "the user's command",
    "refdp/auditing/targets/workers/drawing.py": "a fork of the target, to see whether its noise is the same there",
    "refdp/test_vectors/subjects.py": "the user's command",
    "refdp/auditing/campaigns/executors.py": "the standard library's workers of a campaign: they judge nothing",
    "refdp/second_judge/process.py": "the limited process that runs a user's file, isolated",
    "refdp/auditing/campaigns/working.py": "a line to those workers, starts none",
}
"""The files that know of processes, and what they start."""
INTERPRETING = {
    HERE: "starts it",
    "refdp/second_judge/process.py": "starts it isolated, without the packages that are installed",
    "refdp/auditing/targets/target.py": "the interpreter of a target, unless said",
    "refdp/auditing/campaigns/items.py": "the interpreter of a target, unless said",
    "refdp/auditing/neighbours/replaying.py": "the interpreter of a target, unless said",
    "refdp/auditing/neighbours/witnesses.py": "the interpreter of a target, unless said",
}
"""The files that know which interpreter runs, and why."""
LIBRARIES = frozenset({"subprocess", "multiprocessing", "pty", "_posixsubprocess"})
CALLS = ("exec", "spawn", "posix_spawn", "system", "popen", "fork", "startfile")
"""What the functions of `os` that start a process begin with."""
FLAGS = frozenset({"-m", "-c", "-I", "-P", "-E", "-s"})
"""What a command that starts Python has as a word."""


def libraries(module: ast.Module) -> Iterator[int]:
    """The lines on which a library that starts processes is imported."""
    for node in ast.walk(module):
        if isinstance(node, ast.Import | ast.ImportFrom):
            named = [node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names]
            if any(name.split(".")[0] in LIBRARIES for name in named):
                yield node.lineno


def _names(node: ast.ImportFrom, heads: tuple[str, ...]) -> bool:
    """Whether a name that begins so is imported."""
    return any(one.name.startswith(heads) for one in node.names)


def calls(module: ast.Module) -> Iterator[int]:
    """The lines on which a function of `os` starts a process, or asyncio does."""
    for node in ast.walk(module):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            started = node.value.id == "os" and node.attr.startswith(CALLS)
            if started or node.attr.startswith("create_subprocess"):
                yield node.lineno
        elif isinstance(node, ast.ImportFrom) and node.module == "os" and _names(node, CALLS):
            yield node.lineno


def interpreters(module: ast.Module) -> Iterator[int]:
    """The lines that name the interpreter which runs."""
    for node in ast.walk(module):
        is_read = isinstance(node, ast.Attribute) and node.attr in ("executable", "_base_executable")
        if is_read or isinstance(node, ast.ImportFrom) and node.module == "sys" and _names(node, ("executable",)):
            yield node.lineno


def flags(module: ast.Module) -> Iterator[int]:
    """The lines of lists and tuples with a word that tells Python how to start."""
    for node in ast.walk(module):
        if isinstance(node, ast.List | ast.Tuple):
            words = {one.value for one in node.elts if isinstance(one, ast.Constant) and isinstance(one.value, str)}
            if words & FLAGS:
                yield node.lineno


Check = Callable[[ast.Module], Iterator[int]]
CHECKS: tuple[Check, ...] = (libraries, calls, interpreters, flags)


@cache
def looked_through() -> dict[str, dict[Check, list[int]]]:
    """What each check finds in each file of refdp: all of them in one pass, as parsing takes longer than looking."""
    trees = ((name, tree(name)) for name in python_files("refdp/"))
    return {name: {check: list(check(module)) for check in CHECKS} for name, module in trees}


def files(check: Check) -> dict[str, list[int]]:
    """The files of refdp in which the check finds something, with the lines."""
    return {name: found[check] for name, found in looked_through().items() if found[check]}


def test_processes_are_started_in_files_that_say_why():
    found = files(libraries).keys() | files(calls).keys()
    assert found == STARTING.keys()


def test_the_interpreter_is_named_in_files_that_say_why():
    assert files(interpreters).keys() == INTERPRETING.keys()


def test_words_that_tell_python_how_to_start_stand_in_one_file_and_in_the_one_for_targets():
    assert {name for name in files(flags) if name in STARTING} == {
        HERE, "refdp/auditing/targets/sessions.py", "refdp/second_judge/process.py",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["refdp/provers/processes.py", "refdp/commands/check.py"])
def test_what_refdp_starts_is_the_command_of_the_one_place(name):
    started = [
        node
        for node in ast.walk(tree(name))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("Popen", "run", "call", "check_call", "check_output")
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "subprocess"
    ]
    assert len(started) == 1
    assert isinstance(started[0].args[0], ast.Name)
    assert started[0].args[0].id == "command"
    made = [
        node.value
        for node in ast.walk(tree(name))
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "command" for t in node.targets)
    ]
    assert [one.func.id for one in made if isinstance(one, ast.Call) and isinstance(one.func, ast.Name)] == [
        "isolated_command"
    ]
    assert len(made) == 1


@pytest.mark.parametrize(
    ("check", "source"),
    [
        (libraries, "def f():\n    import subprocess"),
        (libraries, "def f():\n    from multiprocessing.pool import Pool"),
        (calls, "import os\nos.execv('a', ['a'])"),
        (calls, "from os import\\\n  system"),
        (calls, "import asyncio\nasyncio.create_subprocess_exec('a')"),
        (interpreters, "import sys\nsys.executable"),
        (interpreters, "from sys import\\\n  executable"),
        (flags, "x = 1\n[sys.executable, '-m', 'refdp']"),
        (flags, "x = 1\n('python', '-c', text)"),
    ],
)
def test_the_checks_find_what_they_look_for(check, source):
    assert list(check(ast.parse(source)))
