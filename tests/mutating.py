"""A mutant is one text in one file replaced by another; it dies if a test that passes without it fails with it."""

import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 300
"""A test run that takes longer than this has failed: mutants may loop."""


@dataclass(frozen=True)
class Mutant:
    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


def applied(mutant: Mutant, text: str) -> str:
    """The file's text with the error in it; ValueError unless the old text stands in it exactly once."""
    if text.count(mutant.old) != 1:
        raise ValueError(f"{mutant.file} must have {mutant.old!r} once, got {text.count(mutant.old)} times")
    return text.replace(mutant.old, mutant.new)


@contextmanager
def copy_of_the_checkout():
    """A folder with what the tests need."""
    with TemporaryDirectory() as folder:
        root = Path(folder)
        for name in ("refdp", "proofs", "tests", "docs"):
            ignored = shutil.ignore_patterns("__pycache__", "certificates", "proofs" if name == "refdp" else "")
            shutil.copytree(ROOT / name, root / name, ignore=ignored)
        (root / "refdp" / "proofs").symlink_to(root / "proofs")
        (root / "scripts").mkdir()
        shutil.copy(ROOT / "scripts" / "made_once.py", root / "scripts")
        shutil.copy(ROOT / "pyproject.toml", root)
        yield root


def fails(root: Path, tests: tuple[str, ...]) -> bool:
    """Whether one of the tests fails in the folder."""
    words = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    environment = os.environ | {"PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(words, cwd=root, env=environment, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return True
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stdout.decode()[-2000:] + done.stderr.decode()[-2000:])
    return done.returncode == 1


def dies(root: Path, mutant: Mutant) -> bool:
    """Whether a test fails once the error is in."""
    path = root / mutant.file
    text = path.read_text()
    path.write_text(applied(mutant, text))
    try:
        return fails(root, mutant.tests)
    finally:
        path.write_text(text)


def main(mutants: tuple[Mutant, ...], folder: str, words: list[str]) -> int:
    """Print whether each mutant dies whose name or file contains the first word; the exit code.

    It is 1 if one lives, or if a test fails without any mutant.  A second word I/N is for the I-th part of N.
    """
    part, share = [*words, *["", "1/1"][len(words) :]][:2]
    first, step = map(int, share.split("/"))
    chosen = [m for m in mutants if part in m.name or part in m.file][first - 1 :: step]
    with copy_of_the_checkout() as root:
        if fails(root, tuple(dict.fromkeys(test for m in chosen for test in m.tests))):
            print("a test fails without any mutant")
            return 1
        lived = 0
        for mutant in chosen:
            died = dies(root, mutant)
            lived += not died
            print(f"{'dies' if died else 'LIVES':6} {mutant.file.removeprefix(folder):32} {mutant.name}", flush=True)
    print(f"{len(chosen)} mutants, {lived} live")
    return min(1, lived)
