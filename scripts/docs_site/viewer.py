"""The pages that show sources and folders: which there are, and each from its template."""

from collections.abc import Iterable
from posixpath import dirname, relpath

from jinja2 import Environment
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.utils import get_relative_url, templates

from scripts.docs_site.folders import children, summary
from scripts.docs_site.mentioned import mentioned, with_folders
from scripts.docs_site.places import ROOT, SOURCE, place
from scripts.docs_site.sources import source_html, trail

SHOWN: dict[str, str] = {}
"""What each page of the viewer shows: a path from the root, by page."""


def pages(markdown: Iterable[tuple[str, str]]) -> list[str]:
    """The pages that must be there, so that the links of these pages, given by name and Markdown, lead somewhere."""
    SHOWN.clear()
    shown = {place(path): path for path in sorted(with_folders(mentioned(markdown)))}
    SHOWN.update({page: path for page, path in shown.items() if page.startswith(SOURCE)})
    return list(SHOWN)


def page(uri: str, env: Environment, config: MkDocsConfig, files: Files) -> str:
    """The HTML of one of the pages."""
    path = SHOWN[uri]
    context = templates.TemplateContext(
        nav=Navigation([], []), pages=[], base_url=get_relative_url(".", uri), config=config, page=None,
        extra_css=[], extra_javascript=[], mkdocs_version="", build_date_utc=None,
    )  # fmt: skip
    shown = {"path": path, "sheets": sheets(files), "trail": [(name, link(uri, part)) for name, part in trail(path)]}
    if (ROOT / path).is_dir():
        return env.get_template("folder.html").render(context, entries=entries(uri, path, files), **shown)
    return env.get_template("source.html").render(context, code=source_html(path), **shown)


def sheets(files: Files) -> list[str]:
    """The stylesheets of the theme and of the site."""
    theme = [file.src_uri for file in files.css_files() if file.src_uri.startswith("assets/stylesheets/")]
    return [*sorted(theme), "assets/fonts/fonts.css", "assets/site.css"]


def link(uri: str, path: str) -> str:
    """The way from a page of the viewer to what shows a path."""
    return relpath(place(path).removesuffix(".md") + (".html" if place(path).endswith(".md") else ""), dirname(uri))


def entries(uri: str, folder: str, files: Files) -> list[tuple[str, str | None, str]]:
    """What is in a folder: name, link where the site shows it, first line of its docstring."""
    return [
        (
            path.rpartition("/")[2] + ("/" if (ROOT / path).is_dir() else ""),
            link(uri, path) if files.get_file_from_path(place(path)) else None,
            summary(path),
        )
        for path in children(folder)
    ]
