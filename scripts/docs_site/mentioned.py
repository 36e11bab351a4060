"""The files and folders of the repository that pages link to: each gets a page of its own."""

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from scripts.docs_site.places import ROOT, SOURCE, place, resolved

FENCE = re.compile(r"^(?P<fence>```+).*?^(?P=fence)`*$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?P<path>[^)\s#]+)")


def links(markdown: str) -> set[str]:
    """Where the links of a page lead, without anchors; what stands in fences is no link."""
    return {found["path"] for found in LINK.finditer(FENCE.sub("", markdown)) if ":" not in found["path"]}


def mentioned(pages: Iterable[tuple[str, str]]) -> set[str]:
    """The files and folders that the pages, given by name and Markdown, link to and that stand outside docs/."""
    found = {resolved(page, link) for page, markdown in pages for link in links(markdown)}
    return {path for path in found if path is not None and place(path).startswith(SOURCE)}


def with_folders(paths: Iterable[str]) -> set[str]:
    """The paths and every folder above them, the root as "."."""
    return {str(each) for path in paths for each in (PurePosixPath(path), *PurePosixPath(path).parents)}


def folders(paths: Iterable[str]) -> list[str]:
    """Those of the paths that are folders, sorted."""
    return sorted(path for path in paths if (ROOT / path).is_dir())


def files(paths: Iterable[str]) -> list[str]:
    """Those of the paths that are files, sorted."""
    return sorted(path for path in paths if (ROOT / path).is_file())
