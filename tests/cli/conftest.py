"""What tests of commands start from."""

import pytest

from tests.cli.small_files import FILES


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder that commands run in, with small files."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path
