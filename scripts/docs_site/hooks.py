"""What mkdocs calls while it builds the site; each event is told in one line here and done in a module beside."""

import re
import sys
from pathlib import Path
from typing import Any

from jinja2 import Environment
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))  # mkdocs loads this file by its path, and not as a part of a package

from scripts.docs_site import fences, figures, fonts, generated, links, navigation, slugs, viewer  # noqa: E402
from scripts.docs_site.breaks import Breaks  # noqa: E402
from scripts.docs_site.emphasis import StarsAlone  # noqa: E402
from scripts.docs_site.inline_formulas import InlineFormulas  # noqa: E402
from scripts.docs_site.nested import Nested  # noqa: E402

LINKS = links.Links()
COMMENTS = re.compile(r"\A(<!--.*?-->\s*)+", re.DOTALL)
FILE = re.compile(r"^<!-- file: (\S+) -->\n```(\w+)$", re.MULTILINE)
"""A block that is a file of its page."""


def on_config(config: MkDocsConfig) -> None:
    """Formulas, headings and links are read as the pages mean them."""
    config.markdown_extensions += [LINKS, InlineFormulas(), StarsAlone(), Breaks(), Nested()]
    config.mdx_configs["pymdownx.superfences"] = {"custom_fences": fences.CUSTOM}
    config.mdx_configs["toc"] = {"slugify": slugs.slug, "permalink": True, "toc_depth": 3}


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Pages from outside docs/, generated ones, the viewer of sources and fonts join those of docs/.

    Pages of prose get their figures.
    """
    for path, content in {**generated.pages(), **fonts.styles()}.items():
        files.append(File.generated(config, path, content=content))
    for path, absolute in fonts.files().items():
        files.append(File.generated(config, path, abs_src_path=absolute))
    for file in files.documentation_pages():
        if file.src_uri in figures.FILLED:
            file.content_string = figures.FILLED[file.src_uri](file.content_string)
    markdown = [(file.src_uri, file.content_string) for file in files.documentation_pages()]
    for path in viewer.pages(markdown):
        files.append(File.generated(config, path, content=""))
    config.nav = navigation.navigation([name for name, _ in markdown])


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Links are read from where the page at hand stands; a comment before the heading would hide the title.

    A block that is a file bears its name.
    """
    LINKS.page = page.file.src_uri
    return FILE.sub(r'```\2 title="\1"', COMMENTS.sub("", markdown))


def on_env(env: Environment, config: MkDocsConfig, files: Files) -> None:
    """The pages of sources are written once the templates are there."""
    for file in files:
        if file.src_uri in viewer.SHOWN:
            file.content_string = viewer.page(file.src_uri, env, config, files)
