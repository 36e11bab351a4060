"""What the tests about the repository itself share: where it is, what is in it, and what may not be."""

import ast
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

from scripts.made_once import STAMPS, make

ROOT = Path(__file__).resolve().parents[2]
CLAIMING = ("refdp/spec/", "refdp/kernel/", "refdp/mechanisms/", "refdp/transformations/", "proofs/")
"""Folders in which privacy claims are made: no float and no assert there."""


def names(folder: Path = ROOT) -> list[str]:
    """Every file that is or could be committed, as a path from the root, sorted."""
    if (folder / ".git").exists():
        return listed(folder)
    with tempfile.TemporaryDirectory() as empty:  # in a source distribution: what .gitignore lets through
        subprocess.run(["git", "init", "--quiet", "--bare", empty], check=True)
        return listed(folder, "--git-dir", empty, "--work-tree", str(folder))


def listed(folder: Path, *where: str) -> list[str]:
    """What git finds in the folder, tracked or not, but not ignored."""
    command = ["git", *where, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    found = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    return sorted({name for name in found.split("\0") if name and (folder / name).is_file()})


def python_files(*folders: str) -> list[str]:
    """The Python files in the folders."""
    return [name for name in names() if name.endswith(".py") and name.startswith(folders)]


def copy_of_checkout(folder: Path, proved: bool = False) -> Path:
    """`folder`, filled with every file of the checkout and the link to the proofs.

    `proved`: with the certificates, and the stamp that says of which sources they are, so that none is made again.
    """
    for name in (*names(), *(made_names() if proved else ())):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    (folder / "refdp" / "proofs").symlink_to(Path("..", "proofs"))
    return folder


def made_names() -> list[str]:
    """The certificates, and the stamp and the verdicts beside it."""
    stamp = ROOT / STAMPS / "certificates.json"
    return [path.relative_to(ROOT).as_posix() for path in (*make("certificates"), stamp)]


def compiled_copy_of_checkout(folder: Path) -> Path:
    """The copy with certificates and the bytecode that is there already, as after any first command.

    Times and sizes are the same.
    """
    copy_of_checkout(folder, proved=True)
    for compiled in [found for top in ("refdp", "proofs") for found in (ROOT / top).rglob("__pycache__")]:
        here = folder / compiled.relative_to(ROOT)
        if here.parent.is_dir():
            shutil.copytree(compiled, here, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.pyc.*"))
    return folder


@cache
def tree(name: str) -> ast.Module:
    """The syntax tree of a file, which many tests read and none changes."""
    return ast.parse((ROOT / name).read_text(encoding="utf-8"), name)


def offences(check: Callable[[ast.Module], Iterable[int]], files: Iterable[str]) -> list[str]:
    """What a check finds in the files, as `path:line`."""
    return [f"{name}:{line}" for name in files for line in check(tree(name))]


def asserts(module: ast.Module) -> Iterator[int]:
    """The lines of assert statements, which `python -O` removes."""
    return (node.lineno for node in ast.walk(module) if isinstance(node, ast.Assert))


def floats(module: ast.Module) -> Iterator[int]:
    """The lines of float and complex literals."""
    inexact = (float, complex)
    return (n.lineno for n in ast.walk(module) if isinstance(n, ast.Constant) and isinstance(n.value, inexact))


def undocumented(module: ast.Module) -> Iterator[int]:
    """The lines of public functions and classes without a docstring, and 1 where the module has none."""
    if not ast.get_docstring(module):
        yield 1
    for node in module.body:
        named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        if named and not node.name.startswith("_") and not ast.get_docstring(node):
            yield node.lineno
