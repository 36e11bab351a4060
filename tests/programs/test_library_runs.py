"""Every program of the library runs as it stands, with exact draws."""

from collections.abc import Callable
from importlib import import_module
from inspect import Parameter, isfunction, signature
from pkgutil import iter_modules
from typing import Any

import pytest

from refdp.programs import library, run

MODULES = [import_module(f"{library.__name__}.{one.name}") for one in iter_modules(library.__path__)]
PROGRAMS = [f for m in MODULES for f in vars(m).values() if isfunction(f) and "claims" in vars(f)]
DATA: dict[str, Any] = {"list[bool]": [True, False], "bool": True, "int": 1, "float": 1, "x": 1, "value": 1}
SETTINGS = {
    "epsilon": "1/2",
    "sigma": 1,
    "T": 0,
    "k": 2,
    "N": 1,
    "M": 2,
    "n": 3,
    "A": 8,
    "f": "3/4",
    "p": "9/20",
    "r": "11/20",
}


def data_of(first: Parameter) -> Any:
    written = getattr(first.annotation, "__name__", None)
    return DATA.get(str(first.annotation), DATA.get(str(written), DATA.get(first.name, [0, 1, 2])))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_a_program_of_the_library_runs(program: Callable[..., Any]) -> None:
    data, *others = signature(program).parameters.values()
    assert run(program, data_of(data), **{one.name: SETTINGS.get(one.name, 1) for one in others}) is not None


def test_the_library_is_run_as_a_whole() -> None:
    assert len(PROGRAMS) >= 30
