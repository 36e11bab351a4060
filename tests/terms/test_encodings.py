"""A text that names another encoding than UTF-8 is another text for Python, and is read by nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

from refdp.commands.prove import text_of
from refdp.logic.python_text import python_tree
from refdp.programs.language.module import parsed
from refdp.sensitivities.language.source import parse_source, read_source

HIDDEN = "# -*- coding: utf-7 -*-\ndef f(rows):\n    # +AAo-    return 100*len(rows)\n    return len(rows)\n"
NAMED = (
    "# coding: latin-1\n", "#!/usr/bin/python\n# -*- coding: latin-1 -*-\n", "\n#coding=cp1252\n",
    "#vim: fileencoding=big5\r\n",
    "  \t# coding:utf_16\n", "\ufeff# coding: latin-1\n", "# x\r# coding: koi8-r\n", "# CODING coding: utf-8-sig\n",
)  # fmt: skip
OTHERS = (
    "# coding: utf-8\n", "# -*- coding: UTF_8 -*-\n", "# coding: utf8\n", "\n\n# coding: latin-1\n",
    "x = 'coding: latin-1'\n",
    "# encoded: latin-1\n",
)  # fmt: skip


def test_python_reads_another_text_than_stands_there(tmp_path: Path) -> None:
    space: dict[str, object] = {}
    exec(compile(HIDDEN.encode(), "f.py", "exec"), space)
    assert space["f"]([1, 2]) == 200  # type: ignore[operator]
    (tmp_path / "f.py").write_text(HIDDEN)
    with pytest.raises(ValueError, match="the encoding utf-7"):
        read_source(f"{tmp_path}/f.py:f")


@pytest.mark.parametrize("start", NAMED)
def test_a_text_that_names_another_encoding_is_refused(start: str) -> None:
    text = start + "def f(rows):\n    return len(rows)\n"
    for read in (python_tree, parsed, lambda t: parse_source(t, "f")):
        with pytest.raises(Exception, match="names the encoding"):
            read(text)


@pytest.mark.parametrize("start", OTHERS)
def test_utf_8_and_what_names_none_is_read(start: str) -> None:
    assert python_tree(start + "def f(rows):\n    return len(rows)\n").body


def test_a_file_may_begin_with_the_mark_of_utf_8_as_for_python(tmp_path: Path) -> None:
    text = "def f(x: float):\n    return x\n"
    path = tmp_path / "f.py"
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    exec(compile(path.read_bytes(), "f.py", "exec"), {})
    assert text_of(path) == text
    path.write_text("def f(rows):\n    return len(rows)\n", encoding="utf-8-sig")
    assert read_source(f"{path}:f")
