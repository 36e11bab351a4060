"""docs/trust.md lists every file that is believed, with its length, and the list is closed under imports."""

import ast
from pathlib import Path

import pytest

from refdp.commands import trusted_base
from refdp.commands.trusted_base import BASE, CORE, ROOT, groups, rows
from refdp.report.trust_page import BEGIN, END, updated
from tests.meta.repository import python_files, tree

PACKAGE = ROOT / "refdp"
PAGE = ROOT / "docs" / "trust.md"
THEOREM = (PACKAGE / "kernel" / "theorem.py").read_text(encoding="utf-8")


def lines(*some: str) -> int:
    return sum(r[2] for r in rows(PACKAGE) if r[0] in some)


def base() -> set[str]:
    """The files that every theorem rests on, as paths from the root."""
    return {path.relative_to(ROOT).as_posix() for group in BASE for path in groups(PACKAGE)[group]}


def imported(name: str) -> set[str]:
    """The modules and packages of refdp that a file may import."""
    found = set()
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("refdp"):
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.startswith("refdp")}
    return found


def files_of(module: str) -> set[str]:
    """The file of a module; none for a name in one, and none for the package itself, which imports nothing."""
    path = module.replace(".", "/")
    return {name for name in (f"{path}.py", f"{path}/__init__.py") if (ROOT / name).is_file()} - {"refdp/__init__.py"}


def test_trusted_base_is_put_where_the_page_has_its_marks():
    page = PAGE.read_text(encoding="utf-8")
    shown = updated(page, PACKAGE)
    assert f"| [refdp/kernel/theorem.py](../refdp/kernel/theorem.py) | {len(THEOREM.splitlines())} |" in shown
    assert shown.count("\n") > page.count("\n") + 400


def test_trusted_base_leaves_no_file_out():
    listed = [path.relative_to(ROOT).as_posix() for paths in groups(PACKAGE).values() for path in paths]
    assert sorted(listed) == sorted(python_files("refdp/"))


def test_trusted_base_imports_nothing_beyond_itself():
    assert {f for name in base() for module in imported(name) for f in files_of(module)} - base() == set()


def test_trusted_base_has_a_small_core():
    assert lines(CORE) <= trusted_base.LARGEST_CORE


def test_trusted_base_is_longer_than_it_was_meant_to_be():
    """The page says so; should it become shorter, the page must change."""
    assert lines(*BASE) > trusted_base.GOAL
    assert sum(r[3] for r in rows(PACKAGE) if r[0] in BASE) > trusted_base.GOAL


@pytest.mark.parametrize(
    ("source", "of_code"),
    [
        ('"""A.\n\nB."""\n\nx = 1  # one\n\n# two\ny = [\n    2,\n]\n', 4),
        ('class A:\n    """B."""\n\n    x: int\n    """C."""\n', 2),
        ('x = """a\nb"""\n', 2),
        ("", 0),
    ],
)
def test_trusted_base_counts_lines_with_code_on_them(source, of_code):
    assert trusted_base.code_lines(source) == of_code
    assert trusted_base.all_lines(source) == source.count("\n")


def test_trusted_base_counts_a_file_once(tmp_path):
    (tmp_path / "kernel").mkdir()
    (tmp_path / "kernel" / "theorem.py").write_text("x = 1\n")
    found = groups(tmp_path)
    assert [group for group in trusted_base.GROUPS if Path(tmp_path / "kernel" / "theorem.py") in found[group]] == [
        CORE
    ]


def test_trusted_base_replaces_the_table_and_nothing_else(tmp_path):
    page = updated(f"a\n{BEGIN}\nold\n{END}\nb\n", tmp_path)
    assert page.startswith(f"a\n{BEGIN}\n| what is believed |")
    assert page.endswith(f"|\n{END}\nb\n")
    assert "old" not in page
    with pytest.raises(ValueError, match="the page must contain"):
        updated("a\n", tmp_path)
