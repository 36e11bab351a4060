"""A virtual environment with pip in it, also where Python came without ensurepip: `python3 make_venv.py FOLDER`.

pip comes from the first of: Python's own ensurepip; any pip of this machine, which downloads one; the package index
that pip's own settings name (PIP_INDEX_URL, pip.conf).  The repository itself names no index.
"""

from __future__ import annotations

import configparser
import hashlib
import html
import os
import re
import shutil
import ssl
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin, urlsplit

WHEEL_LINK = re.compile(r"""href=["']([^"'#]*?pip-([0-9.]+)-py3-none-any\.whl)(?:#sha256=([0-9a-f]{64}))?["']""")
MISSING = (
    "pip is missing: {python} has no ensurepip, no pip was found on this machine, and no package index that has pip "
    "is set (PIP_INDEX_URL or pip.conf); install pip or ensurepip, for example with `apt install python3-venv`"
)


def main(folder: Path) -> str | None:
    """Make the environment; the sentence that says what is missing, if something is."""
    if has_ensurepip() and succeeds(sys.executable, "-m", "venv", "--clear", folder):
        return None
    if not succeeds(sys.executable, "-m", "venv", "--clear", "--without-pip", folder):
        return f"the module venv is missing: `{sys.executable} -m venv` does not work"
    with tempfile.TemporaryDirectory() as temporary:
        wheel = downloaded_by_pip(Path(temporary)) or downloaded_from_index(Path(temporary))
        python = folder / "bin" / "python"
        # A wheel is a zip file and pip runs from inside it, just as ensurepip does it.
        if wheel and succeeds(python, "-I", wheel / "pip", "install", "--quiet", "--no-index", wheel):
            return None
    return MISSING.format(python=sys.executable)


def has_ensurepip() -> bool:
    """Whether this Python brings its own pip; Debian and others ship it apart."""
    try:
        import ensurepip  # noqa: F401
    except ImportError:
        return False
    return True


def succeeds(*command: str | Path) -> bool:
    """Whether the command exits with 0; its output is kept back, since another way may still work."""
    environment = os.environ | {"PIP_REQUIRE_VIRTUALENV": "0"}
    return subprocess.run([*map(str, command)], capture_output=True, env=environment, check=False).returncode == 0


def downloaded_by_pip(folder: Path) -> Path | None:
    """A wheel of pip, fetched by the first pip on this machine that can."""
    found = filter(None, map(shutil.which, ("pip3", "pip")))
    for pip in ([sys.executable, "-m", "pip"], *([p] for p in found)):
        if succeeds(*pip, "download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest", folder, "pip"):
            return next(folder.glob("pip-*.whl"), None)
    return None


def downloaded_from_index(folder: Path) -> Path | None:
    """A wheel of pip, fetched by Python alone from the first index in pip's settings that has one."""
    settings = list(pip_settings())
    context = ssl.create_default_context(cafile=next((v for key, v in settings if key == "cert"), None))
    for index in (url for key, v in settings if key in ("index-url", "extra-index-url") for url in v.split()):
        try:
            if wheel := newest_pip(index, folder, context):
                return wheel
        except (urllib.error.URLError, OSError, ValueError) as error:
            print(f"{urlsplit(index).scheme} index passed over: {error}", file=sys.stderr)
    return None


def newest_pip(index: str, folder: Path, context: ssl.SSLContext) -> Path | None:
    """The newest wheel of pip that the index lists; its SHA-256 must be the one listed, where one is."""
    page = f"{index.rstrip('/')}/pip/" + ("index.html" if index.startswith("file:") else "")
    with urllib.request.urlopen(page, context=context) as answer:
        links = WHEEL_LINK.findall(answer.read().decode())
    if not links:
        return None
    link, _, digest = max(links, key=lambda found: [int(n) for n in found[1].split(".") if n])
    with urllib.request.urlopen(urljoin(page, html.unescape(link)), context=context) as answer:
        content = answer.read()
    if digest and hashlib.sha256(content).hexdigest() != digest:
        raise ValueError("the wheel of pip does not have the SHA-256 that the index lists")
    wheel = folder / link.rsplit("/", 1)[-1]
    wheel.write_bytes(content)
    return wheel


def pip_settings() -> Iterator[tuple[str, str]]:
    """pip's settings, by name: environment variables before files, the user's file before the machine's."""
    for key, value in os.environ.items():
        if key.startswith("PIP_"):
            yield key.removeprefix("PIP_").lower().replace("_", "-"), value
    parser = configparser.RawConfigParser()
    for path in setting_files():
        parser.clear()
        parser.read(path)
        for section in ("download", "install", "global"):
            if parser.has_section(section):
                yield from parser.items(section)


def setting_files() -> Iterator[Path]:
    """Where pip reads settings; PIP_CONFIG_FILE set to the null device means nowhere."""
    if given := os.environ.get("PIP_CONFIG_FILE"):
        yield Path(given)
        if given == os.devnull:
            return
    home = Path.home()
    yield Path(os.environ.get("XDG_CONFIG_HOME", home / ".config")) / "pip" / "pip.conf"
    yield home / ".pip" / "pip.conf"
    yield Path("/etc/pip.conf")


if __name__ == "__main__":
    parser = ArgumentParser(description="Make a virtual environment with pip in it.")
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    sys.exit(main(parser.parse_args().folder))
