"""LaTeX to MathML, for the commands that refdp prints; any other command is an error of the build.

A library would be welcome here; those tried set words letter by letter, and pass over what they do not know.
"""

from collections.abc import Callable
from html import escape

from scripts.docs_site import formula_words as words
from scripts.docs_site.formula_spacing import OPENING, THIN, is_space, wants_more
from scripts.docs_site.formula_tokens import NotUnderstood, Token, Tokens, tokens
from scripts.docs_site.formula_words import BAR, BIG, FLAT, HIGH, PRIME, TALL, attributes, element, operator

XMLNS = "http://www.w3.org/1998/Math/MathML"
Stop = Callable[[Token], bool]


def mathml(latex: str, display: str = "block") -> str:
    """The formula in MathML, which carries its LaTeX for whoever copies it.

    Raises NotUnderstood.
    """
    reader = Reader(tokens(latex))
    body = reader.row_until(lambda token: False)
    source = element("annotation", escape(latex.strip()), encoding="application/x-tex")
    return element("math", element("semantics", body + source), display=display, xmlns=XMLNS)


def is_sign(*signs: str) -> Stop:
    """Whether a token is one of the signs."""
    return lambda token: token[0] in signs


class Reader(Tokens):
    """Each method takes the tokens of what it names and gives its MathML."""

    def row_until(self, stop: Stop) -> str:
        """Everything up to a token that stops, which stays, or to the end."""
        return element("mrow", "".join(self.items_until(stop)))

    def items_until(self, stop: Stop) -> list[str]:
        items: list[str] = []
        while self.at < len(self.tokens) and not stop(self.tokens[self.at]):
            is_function = self.peek() in words.FUNCTIONS
            is_prefix = all(is_space(item) for item in items) or wants_more(items)
            if is_function and not is_prefix and not is_space(items[-1]):
                items.append(THIN)
            items.append(self.item(is_prefix))
            if is_function and self.peek() not in OPENING:
                items.append(THIN)
        return items

    def item(self, is_prefix: bool = False) -> str:
        """One thing with its subscripts, superscripts and primes."""
        token = self.take()
        if token[0] in words.SIGNS:
            return operator(words.SIGNS[token[0]], **({"form": "prefix"} if is_prefix else {}))
        return self.scripted(self.base(token))

    def scripted(self, base: str) -> str:
        below, above = "", ""
        while self.peek() in ("_", "^", "'"):
            sign = self.take()[0]
            if sign == "'":
                base = element("mrow", base + PRIME)
            elif sign == "_":
                below += self.argument()
            else:
                above += self.argument()
        return with_scripts(base, below, above)

    def argument(self) -> str:
        """What stands in braces, or one token."""
        if self.peek() != "{":
            return self.base(self.take())
        self.expect("{")
        body = self.row_until(is_sign("}"))
        self.expect("}")
        return body

    def base(self, token: Token) -> str:
        """One token, with the arguments that it takes."""
        for kind in (self.plain, self.structure):
            if (found := kind(token)) is not None:
                return found
        raise NotUnderstood(f"{token[0]} is not in the tables of scripts/docs_site/formula_words.py")

    def plain(self, token: Token) -> str | None:
        """A token that needs no other."""
        sign = token[0]
        if token["text"]:
            inside = token["inside"].replace("\\_", "_")
            return words.text(inside) if sign.startswith("\\text") else words.name(inside)
        if token["number"]:
            return element("mn", sign)
        for table, make in PLAIN:
            if sign in table:
                return make(table[sign])
        return element("mi", sign) if sign.isascii() and sign.isalpha() else None

    def structure(self, token: Token) -> str | None:
        """A token that takes arguments."""
        sign = token[0]
        if sign == "{":
            self.at -= 1
            return self.argument()
        reader = {
            "\\frac": lambda: element("mfrac", self.argument() + self.argument()),
            "\\sqrt": lambda: element("msqrt", self.argument()),
            "\\bar": lambda: element(
                "mover", self.argument() + operator("\N{MACRON}", stretchy="false"), accent="true"
            ),
            "\\mathbf": lambda: words.bold(self.letters()),
            "\\mathbb": lambda: element("mi", self.blackboard()),
            "\\left": self.fenced,
            "\\middle": lambda: operator(self.fence(), lspace="0", rspace="0", **TALL),
            "\\bigl": lambda: operator(self.fence(), form="prefix", **BIG),
            "\\bigr": lambda: operator(self.fence(), form="postfix", **BIG),
            "\\begin{aligned}": self.aligned,
        }.get(sign)
        return reader() if reader else None

    def letters(self) -> str:
        self.expect("{")
        found = self.take()[0]
        self.expect("}")
        return found

    def blackboard(self) -> str:
        if (letter := self.letters()) not in words.BLACKBOARD:
            raise NotUnderstood(f"\\mathbb{{{letter}}} is not in the tables of scripts/docs_site/formula_words.py")
        return words.BLACKBOARD[letter]

    def fence(self) -> str:
        if (sign := self.take()[0]) not in words.FENCES:
            raise NotUnderstood(f"{sign} is no fence")
        return words.FENCES[sign]

    def fenced(self) -> str:
        """\\left ( ... \\right ), as high as what it holds."""
        left = self.fence()
        items = self.items_until(is_sign("\\right"))
        self.expect("\\right")
        is_high = any(tag in item for item in items for tag in HIGH)
        inside = "".join(items) if is_high else "".join(items).replace(attributes(TALL), attributes(FLAT))
        shape = TALL if is_high else FLAT
        return element("mrow", operator(left, form="prefix", **shape) + inside + self.closing(shape))

    def closing(self, shape: dict[str, str]) -> str:
        return operator(self.fence(), form="postfix", **shape)

    def aligned(self) -> str:
        """Rows with a mark at which they are aligned."""
        rows = ""
        while self.peek() != "\\end{aligned}":
            rows += self.table_row()
        self.take()
        return element("mtable", rows, **{"class": "aligned", "displaystyle": "true"})

    def table_row(self) -> str:
        cells = [self.row_until(ends_cell)]
        while self.peek() == "&":
            self.take()
            cells.append(self.row_until(ends_cell))
        gap = self.take()["gap"] if self.peek().startswith("\\\\") else None
        return element("mtr", "".join(element("mtd", cell) for cell in cells), **({"class": "wide"} if gap else {}))


PLAIN: list[tuple[dict[str, str], Callable[[str], str]]] = [
    (words.SPACES, lambda width: f'<mspace width="{width}"/>'),
    (words.LETTERS, lambda letter: element("mi", letter)),
    (words.UPRIGHT, words.name),
    (words.FUNCTIONS, words.name),
    (words.OPERATORS, operator),
    (words.LARGE, operator),
    ({",": ",", ";": ";"}, lambda sign: operator(sign, separator="true")),
    ({"|": "|"}, lambda sign: BAR),
    ({"/": "/"}, lambda sign: operator(sign, lspace="0", rspace="0")),
    ({"(": "(", "[": "["}, lambda sign: operator(sign, form="prefix", stretchy="false")),
    ({")": ")", "]": "]"}, lambda sign: operator(sign, form="postfix", stretchy="false")),
]


def ends_cell(token: Token) -> bool:
    """Whether a cell of an aligned formula ends before the token."""
    return token[0] == "&" or token["row"] is not None or token[0] == "\\end{aligned}"


def with_scripts(base: str, below: str, above: str) -> str:
    """The base with what stands below and above it at its right."""
    if below and above:
        return element("msubsup", base + element("mrow", below) + element("mrow", above))
    if below or above:
        return element("msub" if below else "msup", base + element("mrow", below or above))
    return base
