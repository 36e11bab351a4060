"""What a user writes about records and parameters, read as data.

0..100      integers 0..120      numbers      Adelie | Chinstrap | Gentoo      0..100 or missing      lower..upper
"""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from refdp.numerics.exact import NotExact, exact
from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.source import Source
from refdp.sensitivities.question import SIZE
from refdp.sensitivities.records import Category, Concrete, Fields, Kind, Label, Missing, Number
from refdp.sensitivities.request import Request
from refdp.terms.expressions import read_number, read_statement
from refdp.terms.leaves import is_number, variable
from refdp.terms.operations import conjunction
from refdp.terms.term import Sort, Term

FORMS = "0..100, integers 0..120, numbers, integers, A | B | C, or one of these followed by 'or missing'"
OR_MISSING = " or missing"
NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
RESERVED = ("n", "row", "ghost", "ghost2")
"""Names that conditions use themselves: the number of rows, a record, and the records that differ."""
WHOLE = re.compile(r"0|-?[1-9][0-9]{0,999}")
QUOTES = "'\""
LIST_PART = re.compile(r""",(?=(?:[^'"]|'[^']*'|"[^"]*")*$)""")
"""The commas between the elements of a list, and not those in a text."""
CONSTANTS = frozenset({"inf", "infinity", "nan", "none", "null", "nil", "true", "false", "undefined", "pi"})
"""Words that name a value in some language."""
RANGE = re.compile(r"\d+(\s*-\s*\d+)+")
"""Such as 18-25, or a date: a text that nobody subtracts."""
TRUTH: Mapping[str, bool] = {"true": True, "True": True, "false": False, "False": False}
"""Labels, as files of data write them, that stand for truth values; a parameter's value is written as Python does."""


def declared(asked: Request, source: Source) -> Declaration:
    """The declaration of a request about a function: every value and symbol is one that it has, or that is said.

    ValueError for a name that nothing reads: it would be taken for what it is not.
    """
    given = declaration(asked.record, asked.values, asked.symbols, asked.assume)
    parameters = source.parameters
    words = [asked.claim or "", asked.assume or "", *_kinds(asked.record)]
    said = {name for text in words for name in NAME.findall(text)}
    for kind, names in (("set", given.values), ("symbol", given.symbolic)):
        open_ones = said if kind == "symbol" else frozenset[str]()
        if unknown := [name for name in names if name not in parameters and name not in open_ones]:
            there = f" ({', '.join(parameters)})" if parameters else ", which has none besides the table"
            raise ValueError(f"{kind} must be for a parameter of {source.name}{there}, got {unknown[0]}")
    return given


def _kinds(record: str | Mapping[str, str] | Sequence[str]) -> list[str]:
    """The texts that declare records."""
    if isinstance(record, str):
        return [record]
    return list(record.values() if isinstance(record, Mapping) else record)


def declaration(
    record: str | Mapping[str, str] | Sequence[str],
    values: Mapping[str, str] | None = None,
    symbols: Iterable[str] = (),
    assume: str | None = None,
) -> Declaration:
    """The declaration: `record` is one kind, or the kinds of named or numbered columns.  ValueError if it is not read.

    A symbol is NAME for every real number, or "NAME: integer"; `assume` is a statement about symbols and n.
    """
    sorts = dict(map(_symbol, symbols))
    names = {name: variable(name, sort) for name, sort in sorts.items()}
    known = {"n": SIZE, **names}
    assumption = conjunction(*([read_statement(assume, known, "assume")] if assume else []))
    fixed = {name: concrete(value, f"the value of {name}") for name, value in (values or {}).items()}
    if both := sorted(set(fixed) & set(sorts)):
        raise ValueError(f"a parameter must be set or symbolic, got both for {', '.join(both)}")
    return Declaration(record_kind(record, names), fixed, sorts, assumption)


def record_kind(record: str | Mapping[str, str] | Sequence[str], names: Mapping[str, Term]) -> Kind:
    """The kind of the records."""
    if isinstance(record, str):
        return read_kind(record, names, "records")
    pairs: list[tuple[str | int, str]]
    pairs = list(record.items()) if isinstance(record, Mapping) else list(enumerate(record))
    if not pairs:
        raise ValueError("columns must be at least one, got none")
    return Fields(tuple((key, read_kind(text, names, f"column {key}")) for key, text in pairs))


def read_kind(text: str, names: Mapping[str, Term], parameter: str = "records") -> Number | Category | Missing:
    """The kind that a text declares; ValueError that names the parameter, the forms and the text where it is none."""
    kind = text.strip()
    present = kind.removesuffix(OR_MISSING).strip()
    try:
        found = _present(present, names)
    except ValueError as error:
        why = f"; {error}" if str(error) else ""
        raise ValueError(f"{parameter} must be {FORMS}, got {text!r}{why}") from None
    return Missing(found) if kind.endswith(OR_MISSING) else found


def _present(text: str, names: Mapping[str, Term]) -> Number | Category:
    """A kind without missing values; ValueError with the reason, if there is more to say than that it is none."""
    if text.endswith(OR_MISSING):
        raise ValueError("'or missing' must stand once")
    if text in ("numbers", "integers"):
        return Number(is_integer=text == "integers")
    if "|" in text:
        return Category(_labels(text))
    whole, bounds = text.startswith("integers "), text.removeprefix("integers ")
    if bounds.count("..") != 1:
        raise ValueError
    lower, upper = (read_number(part, names, "a bound") if part.strip() else None for part in bounds.split(".."))
    if (
        lower is not None
        and upper is not None
        and is_number(lower)
        and is_number(upper)
        and lower.rational > upper.rational
    ):
        raise ValueError(f"bounds must be L..U with L <= U, got {text!r}")
    return Number(lower, upper, whole)


def _labels(text: str) -> tuple[Label, ...]:
    """A | B | C: different labels, all of them whole numbers, truth values or texts."""
    parts = [part.strip() for part in text.split("|")]
    found = _typed(parts)
    if not all(parts) or len(set(found)) != len(found):
        raise ValueError(f"labels must be different and not empty, got {text!r}")
    return found


def _typed(parts: Sequence[str]) -> tuple[Label, ...]:
    """Labels as truth values, as whole numbers or as texts."""
    if all(part in TRUTH for part in parts):
        return tuple(TRUTH[part] for part in parts)
    if all(WHOLE.fullmatch(part) for part in parts):
        return tuple(int(part) for part in parts)
    try:
        return tuple(_text(part) for part in parts)
    except ValueError as error:
        raise ValueError(
            f"labels must be all whole numbers, all true or false, or all texts; {error}, in {' | '.join(parts)!r}"
        ) from None


def concrete(text: str, what: str = "a value") -> Concrete:
    """A fixed value: an exact number, True or False, None, or text; [a, b, c] is a list of these.

    ValueError for what could be meant as something else than it would be read as, such as inf, 1_000 or 0x10.
    """
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        inner = text[1:-1].strip()
        return tuple(_single(part.strip(), what) for part in LIST_PART.split(inner)) if inner else ()
    return _single(text, what)


def _single(text: str, what: str) -> Concrete:
    """A value that is no list."""
    if text in ("True", "False"):
        return TRUTH[text]
    if text == "None":
        return None
    try:
        if not re.match(r"[-+]?0[0-9]", text):
            return exact(text)
    except NotExact:
        pass
    try:
        return _text(text)
    except ValueError as error:
        raise ValueError(
            f"{what} must be an exact number, True, False, None, a list of these or a text; {error}"
        ) from None


def _text(text: str) -> str:
    """A text in quotation marks, or a word that could be nothing else."""
    if len(text) > 1 and text[0] == text[-1] and text[0] in QUOTES and text[0] not in text[1:-1]:
        return text[1:-1]
    doubtful = not text or any(c in "[](){}\\∞" + QUOTES for c in text)
    if doubtful or text.lstrip("+-").casefold() in CONSTANTS or _is_numeric(text):
        raise ValueError(f"{text or 'nothing'} is none of these for certain: a text as this stands in quotation marks")
    return text


def _is_numeric(text: str) -> bool:
    """Whether somebody, or Python, might read it as a number; 18-25 is a range."""
    bare = re.sub(r"[\s_,;%$]", "", text)
    for reads in (Fraction, float, complex, unicodedata.numeric, lambda one: int(one, 0)):
        try:
            reads(bare)
        except (ValueError, TypeError):
            continue
        except ZeroDivisionError:
            pass
        return True
    return not RANGE.fullmatch(text) and _is_worked_out(text)


def _is_worked_out(text: str) -> bool:
    """Whether Python reads it as an expression in constants alone, such as 2**3."""
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return not any(isinstance(node, ast.Name) for node in ast.walk(tree))


def _symbol(text: str) -> tuple[str, Sort]:
    """NAME, or NAME: integer."""
    name, colon, sort = (part.strip() for part in text.partition(":"))
    if not NAME.fullmatch(name) or name in RESERVED or (colon and sort not in ("integer", "real")):
        raise ValueError(f"a symbol must be a name other than {', '.join(RESERVED)}, or NAME: integer, got {text!r}")
    return name, "Int" if sort == "integer" else "Real"
