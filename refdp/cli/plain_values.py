"""Values of options that are text, or paths, taken as they are.

typer makes each value with pydantic, and loading that takes longer than a million draws.  Where nothing would come of
it but the text itself, or its path, it is not asked; it is of anything else, and where its parts do not stand where
they did in the version of constraints.txt.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, get_args, get_origin

CHECKED = ("exists", "writable", "resolve_path", "allow_dash", "path_type", "parser")
"""What may be asked of a path, or of how a value is read, that is not done here."""


@dataclass(frozen=True, slots=True)
class Plain:
    """How the values of one parameter are read."""

    annotation: Any
    usual: Callable[[], Any]

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value as the function of the command takes it."""
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        for make in (made, several):
            if (found := make(value, self.annotation)) is not None:
                return found
        return self.usual().coerce(value, param=param, ctx=ctx)


def made(value: Any, kind: Any) -> Any:
    """A text, or the path that it names if that may be read; None for anything else."""
    if not isinstance(value, str) or not is_plain(value):
        return None
    if kind is Path:
        return Path(value) if not os.path.exists(value) or os.access(value, os.R_OK) else None
    return value if kind is str else None


def several(value: Any, kind: Any) -> Any:
    """A list of such values, or a tuple; None if one of them is none."""
    if not isinstance(value, list | tuple):
        return None
    kinds = get_args(kind) if get_origin(kind) is tuple else get_args(kind) * len(value)
    found = [made(one, each) for one, each in zip(value, kinds, strict=False)]
    if len(kinds) != len(value) or None in found:
        return None
    return tuple(found) if get_origin(kind) is tuple else found


def is_plain(value: str) -> bool:
    """Whether a text has no octets that could not be read as text."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def read_plainly(parameters: Iterable[Any]) -> None:
    """Have the values of typer's parameters read so where they are of text, paths or flags and ask for nothing else."""
    for one in parameters:
        usual, described = getattr(one, "get_runtime_param", None), getattr(one, "type_descriptor", None)
        annotation, info = getattr(described, "annotation", None), getattr(described, "parameter_info", None)
        if usual is not None and info is not None and is_simple(annotation, info):
            one.get_runtime_param = partial(Plain, annotation, usual)


def is_simple(annotation: Any, info: Any) -> bool:
    """Whether a value is a text, a path that may be anything, a flag, or some of one of these."""
    kinds = get_args(annotation) if get_origin(annotation) in (list, tuple) else (annotation,)
    asked = any(getattr(info, name, None) for name in CHECKED) or not (info.file_okay and info.dir_okay)
    return not asked and set(kinds) <= {str, Path, bool}
