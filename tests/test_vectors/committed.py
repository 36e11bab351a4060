"""The committed files, each read and validated once."""

from copy import deepcopy
from functools import lru_cache
from pathlib import Path

from refdp.test_vectors.checking import cases, loaded

FOLDER = Path(__file__).resolve().parents[2] / "vectors"
FILES = sorted(path.name for path in FOLDER.glob("*_test.json"))


@lru_cache
def kept(name):
    return loaded(FOLDER / name)


def data(name):
    """The data of a file, to be changed at will."""
    return deepcopy(kept(name))


def of(name):
    """Its cases, each with its group."""
    return list(cases(kept(name)))
