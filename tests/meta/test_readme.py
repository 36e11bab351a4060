"""The README does what it says: its console blocks run in a copy of the checkout, its Python examples as doctests."""

import doctest
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.meta.readme import Block, Command, agrees, blocks, commands
from tests.meta.repository import ROOT, compiled_copy_of_checkout

pytestmark = pytest.mark.once

README = ROOT / "README.md"
SECONDS = 240


def run(command: Command, folder: Path) -> tuple[int, str]:
    """Exit code and output of the command, with this environment's programs and the copy's package."""
    environment = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES")}
    environment |= {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"}
    environment |= {"PYTHONPATH": str(folder), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        ["bash", "-c", command.text],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
    )
    return done.returncode, done.stdout


def disagreements(page: str, folder: Path) -> list[str]:
    """What the console blocks of the page say and the program does not; the page's files are written on the way."""
    found = []
    for block in blocks(page):
        if block.file:
            (folder / block.file).parent.mkdir(parents=True, exist_ok=True)
            (folder / block.file).write_text("\n".join(block.lines) + "\n", encoding="utf-8")
        todo = list(commands(block)) if block.language == "console" and block.is_run else []
        for command in todo:
            wanted = block.exit_code if command is todo[-1] else 0
            code, output = run(command, folder)
            if code != wanted or not agrees(command.output, output):
                found.append(f"$ {command.text}\n{output}\nexit code {code}, expected {wanted} and:\n{command.output}")
    return found


def failed_examples(page: str) -> int:
    """How many `>>>` examples of the page fail; they share their names from top to bottom."""
    lines = [
        line
        for b in blocks(page)
        if b.is_run and not b.file and b.language in ("python", "pycon")
        for line in (*b.lines, "")
    ]
    test = doctest.DocTestParser().get_doctest("\n".join(lines), {}, "README", "README.md", 0)
    return doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed


def test_readme_console_blocks_do_what_they_show(tmp_path):
    page = README.read_text(encoding="utf-8")
    assert sum(block.language == "console" for block in blocks(page)) >= 3
    assert "\n\n".join(disagreements(page, compiled_copy_of_checkout(tmp_path / "refdp"))) == ""


def test_readme_examples_are_true():
    assert failed_examples(README.read_text(encoding="utf-8")) == 0


PAGE = """
<!-- not run -->
```console
$ rm -rf /nowhere
```
<!-- exits 3 -->
```console
$ echo one; \\
  echo 2
one
2
$ echo took 12.5 s; exit 3
took 0.1 s
```
text
```console
$ seq 9
1
...
9
```
"""


def test_readme_check_accepts_a_page_that_is_true(tmp_path):
    assert disagreements(PAGE, tmp_path) == []
    assert [block.is_run for block in blocks(PAGE)] == [False, True, True]


def test_readme_check_writes_the_files_of_a_page(tmp_path):
    page = "<!-- file: sub/a.txt -->\n```text\none\n```\nThen:\n```console\n$ cat sub/a.txt\none\n```\n"
    assert disagreements(page, tmp_path) == []
    assert len(disagreements(page.replace("\none\n", "\ntwo\n", 1), tmp_path)) == 1


@pytest.mark.parametrize(("right", "wrong"), [("\n2\n", "\n3\n"), ("exits 3", "exits 1"), ("...\n9", "...\n8")])
def test_readme_check_refuses_a_page_that_is_false(tmp_path, right, wrong):
    assert len(disagreements(PAGE.replace(right, wrong), tmp_path)) == 1


def test_readme_check_refuses_a_false_example():
    assert failed_examples("```python\n>>> x = 1\n```\n```python\n>>> x\n1\n>>> x\n2\n```\n") == 1


def test_readme_check_refuses_a_block_without_a_command():
    with pytest.raises(ValueError, match="must begin with"):
        list(commands(Block("console", ("no command",), "")))
