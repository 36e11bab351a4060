"""What is in a folder of the repository, as a list of links."""

import ast
import subprocess
from functools import cache
from pathlib import PurePosixPath

from scripts.docs_site.places import ROOT
from scripts.made_once import PRODUCTS, stamped


@cache
def names() -> tuple[str, ...]:
    """Every file that is or could be committed, and what was made of them, as a path from the root, sorted."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    made = [name for product in PRODUCTS for name in stamped(product, ROOT).get("files", {})]
    return tuple(sorted({name for name in (*listed.split("\0"), *made) if name and (ROOT / name).is_file()}))


def children(folder: str) -> list[str]:
    """The folders and then the files that stand in a folder, as paths from the root, sorted."""
    depth = len(PurePosixPath(folder).parts)
    inside = [PurePosixPath(name).parts for name in names() if folder == "." or name.startswith(f"{folder}/")]
    found = {("/".join(parts[: depth + 1]), len(parts) == depth + 1) for parts in inside}
    return [path for path, _ in sorted(found, key=lambda each: (each[1], each[0]))]


def summary(path: str) -> str:
    """The first line of a module's docstring, or of a package's; nothing for other files."""
    file = ROOT / path / "__init__.py" if (ROOT / path).is_dir() else ROOT / path
    if file.suffix != ".py" or not file.is_file():
        return ""
    return (ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or "").partition("\n")[0]
