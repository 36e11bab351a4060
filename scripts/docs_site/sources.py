"""Files of the repository as HTML: highlighted, each line with the anchor that Git hosts give it."""

from collections.abc import Iterator
from html import escape

from pygments.lexer import Lexer
from pygments.lexers import TextLexer, get_lexer_for_filename
from pygments.token import STANDARD_TYPES, _TokenType
from pygments.util import ClassNotFound

from scripts.docs_site.places import ROOT

PLAIN = {"", "n", "o", "p", "w", "nn", "err"}
"""Classes without a colour of their own."""


def source_html(path: str) -> str:
    """The file, line by line, with anchors L1, L2 and so on."""
    code = (ROOT / path).read_text(encoding="utf-8")
    lines = "".join(line_html(number, line) for number, line in enumerate(marked_lines(code, lexer(path)), 1))
    return f'<div class="highlight source"><pre><code>{lines}</code></pre></div>'


def line_html(number: int, line: str) -> str:
    """One line with its number, which is a link to itself."""
    return f'<span id="L{number}"><a href="#L{number}" data-n="{number}"></a>{line}\n</span>'


def marked_lines(code: str, chosen: Lexer) -> list[str]:
    """The lines as HTML, what has a colour marked."""
    marked = "".join(piece for kind, text in chosen.get_tokens(code) for piece in pieces(kind, text))
    return marked.removesuffix("\n").split("\n")


def pieces(kind: _TokenType, text: str) -> Iterator[str]:
    """A token, line by line, so that no mark goes on over the end of a line."""
    name = STANDARD_TYPES.get(kind, "")
    for line in text.splitlines(keepends=True):
        words, end = line.removesuffix("\n"), "\n" if line.endswith("\n") else ""
        yield (escape(words, quote=False) if name in PLAIN or not words.strip() else mark(name, words)) + end


def mark(name: str, words: str) -> str:
    """The words in the colour of a class."""
    return f'<i class="{name}">{escape(words, quote=False)}</i>'


def lexer(path: str) -> Lexer:
    """Pygments' lexer by the name of the file, and plain text where it knows none."""
    try:
        return get_lexer_for_filename(path, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return TextLexer(stripnl=False, ensurenl=False)


def trail(path: str) -> list[tuple[str, str]]:
    """The folders above a path and it itself, each as (name, path), from the root on."""
    parts = path.split("/") if path != "." else []
    return [("sources", "."), *((escape(part), "/".join(parts[: i + 1])) for i, part in enumerate(parts))]
