"""The reference has every public name, and docstrings come out as they were written."""

import re
from functools import cache
from html import unescape

import pytest
from markdown import markdown as html
from markdown_it import MarkdownIt

import refdp
from refdp import testing
from refdp.kernel import rules  # noqa: F401
from refdp.kernel.theorem import RULES
from scripts.docs_site import command_pages, python_pages
from scripts.docs_site.docstrings import markdown
from scripts.docs_site.emphasis import StarsAlone
from tests.meta.repository import ROOT

pytestmark = pytest.mark.once

PAGES = tuple(f"reference/{name}.md" for name in ("python", "testing", "rules", "spec", "accounting"))


@cache
def pages():
    """The pages, made when the first test asks for them."""
    return python_pages.pages()


def test_reference_has_these_pages():
    assert tuple(pages()) == PAGES


def headings(page: str) -> set[str]:
    return set(re.findall(r"^#+ `(.*)`$", page, re.MULTILINE))


def test_reference_has_every_name_of_refdp():
    assert set(refdp.HOME) - headings(pages()["reference/python.md"]) == set()


def test_reference_has_every_name_of_testing():
    named = {name for name in testing.__all__ if name != "law"} | {"law.discrete_laplace", "law.of", "law.finite"}
    assert named - headings(pages()["reference/testing.md"]) == set()


def test_reference_has_every_rule_with_its_inference_line():
    page = pages()["reference/rules.md"]
    assert headings(page) == set(RULES)
    assert page.count("```text\n") >= len(RULES)


def test_reference_has_the_help_of_every_command():
    page = command_pages.page()
    commands = [name for name, home in refdp.HOME.items() if home == f"refdp.commands.{name}"]
    assert [name for name in commands if f"$ refdp {name}" not in page] == []
    assert page.count("Show this message and exit.") == page.count("\n## refdp ")


LINK = re.compile(r"^\*in\* \[[^\]]*\]\(\.\./\.\./(?P<path>[^)#]*)#L(?P<line>\d+)\)", re.MULTILINE)
DEFINITION = re.compile(r"@|def |class |[A-Za-z_]+\b.*=|    ")


@pytest.mark.parametrize("page", PAGES)
def test_reference_leads_to_the_line_of_each_definition(page):
    found = [(link["path"], int(link["line"])) for link in LINK.finditer(pages()[page])]
    assert found
    lines = [(ROOT / path).read_text(encoding="utf-8").splitlines()[line - 1] for path, line in found]
    assert [line for line in lines if not DEFINITION.match(line)] == []


TEXTS = ["P[M(x) in S] <= e^epsilon P[M(x') in S]", "a*b*c and __init__ of x_1 _y_", "|x - x'|_1 <= d # not a heading",
         "costs $5 or <b> & ~c~, \\d+", "- not a list", "1. not a list"]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_reference_shows_docstrings_as_they_were_written(text):
    for read in (lambda page: html(page, extensions=[StarsAlone()]), MarkdownIt("commonmark").render):
        assert unescape(re.sub(r"</?p>", "", read(markdown(text)))).strip() == text


def test_reference_keeps_examples_and_inference_lines_as_blocks():
    assert markdown("One.\n\n>>> f(1)\n2") == "One.\n\n```pycon\n>>> f(1)\n2\n```"
    assert markdown("  |- a\n--------\n  |- b") == "```text\n  |- a\n--------\n  |- b\n```"
    assert markdown("Of `a_b` and a_b.") == "Of `a_b` and a\\_b."
