"""Where a file of the repository stands on the site.  Paths are relative: to the root, or to the site."""

from pathlib import Path, PurePosixPath
from posixpath import normpath

ROOT = Path(__file__).resolve().parents[2]
DOCS, SOURCE = "docs/", "source/"
PAGES = {
    "README.md": "project/readme.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changelog.md",
    "SECURITY.md": "project/security.md",
    "audits/README.md": "project/audits.md",
    "benchmarks/README.md": "project/benchmarks.md",
    "vectors/README.md": "project/vectors.md",
}
"""Pages that stand outside docs/, and where they go."""
ORIGINS = {site: origin for origin, site in PAGES.items()}


def origin(page: str) -> str:
    """The file that a page of the site comes from; for a generated page, the file in docs/ that it would be."""
    return ORIGINS.get(page, DOCS + page)


def place(path: str) -> str:
    """The page or file of the site that shows a file or a folder of the repository.

    >>> place("docs/trust.md"), place("CHANGELOG.md"), place("refdp/claims.py")
    ('trust.md', 'project/changelog.md', 'source/refdp/claims.py.html')
    """
    if path in PAGES:
        return PAGES[path]
    if path.startswith(DOCS) and (ROOT / path).is_file():
        return path.removeprefix(DOCS)
    if (ROOT / path).is_dir():
        return folder_page(path)
    return f"{SOURCE}{path}.html"


def folder_page(path: str) -> str:
    """The page of a folder: its own index in docs/, or a list of what is in it."""
    if (ROOT / path / "index.md").is_file() and f"{path}/".startswith(DOCS):
        return place(f"{path}/index.md")
    return f"{SOURCE}{path}/index.html" if path not in ("", ".") else f"{SOURCE}index.html"


def resolved(page: str, link: str) -> str | None:
    """The file or folder of the repository that a relative link on the page leads to; None where there is none."""
    path = normpath(str(PurePosixPath(origin(page)).parent / link))
    is_inside = not path.startswith("..") and (ROOT / path).exists()
    return path if is_inside else None
