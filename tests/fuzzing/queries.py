"""Random queries of a table as users write them, and what is asked about them.

The grammar follows docs/how_to/sensitivity.md ("what a record is", "what the other parameters are", "which Python is
read") and the idioms of analysts.  Every term carries an interval that encloses its values, so that for many queries an
upper bound of the sensitivity is known in closed form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from random import Random
from textwrap import indent

from tests.fuzzing.modules import BUSY, PLAIN, TOUCHING, Module, Subject, module_around
from tests.fuzzing.odd_queries import ODD
from tests.fuzzing.query_forms import FORMS, Body
from tests.fuzzing.query_terms import Writer
from tests.fuzzing.rarer_queries import RARER
from tests.fuzzing.slips import slipped

SLIPS, RARE, ODDLY, DECORATED = 0.06, 0.06, 0.08, 0.01
"""How often an author is careless, a rarer form is written, one that is odd, and the function has a decorator."""
ROWS = 4
"""Most records of which all small tables are made."""


@dataclass(frozen=True, slots=True)
class Query:
    """A query, and a question about it without its claim."""

    subject: Subject
    module: Module
    record: str | dict[str, str] | list[str]
    """As it is declared."""
    rows: tuple[str, ...]
    """Texts of some records."""
    neighbours: str
    edits: int = 1
    norm: str = "L1"
    tables: str | None = None
    values: Mapping[str, str] = field(default_factory=dict)
    """--set, as a user writes it."""
    meant: Mapping[str, str] = field(default_factory=dict)
    """What is meant by it, in Python."""
    symbols: tuple[str, ...] = ()
    assume: str | None = None
    assigned: tuple[Mapping[str, str], ...] = ({},)
    """Some values of the symbols for which the assumption holds."""
    unit: str = "1"
    """The claim is a multiple of this, in symbols and n."""
    upper: Fraction | None = None
    """No tables move further than this many units (its square under L2); None: not known."""
    refuse: str = ""
    """Why no verdict at all may be given."""


def query(seed: int) -> Query:
    """The query of a seed."""
    random = Random(f"query {seed}")
    return symbolic(random) if random.random() < 0.08 else written(Writer(random), Random(f"slips {seed}"))


def written(w: Writer, further: Random) -> Query:
    """A query of one of the forms, in a share of the cases of a rarer one or with slips, and a question."""
    record, _, joined = w.records()
    if w.chance(0.02) and isinstance(record, dict):
        misspell(w)
    body = w.random.choices(list(FORMS), [weight for _, weight in FORMS.values()])[0]
    made = FORMS[body][0](w)
    chosen = further.random()
    if chosen < SLIPS:
        made = careless(w, made, further)
    elif chosen < SLIPS + RARE + ODDLY:
        made = rarer(w, further, RARER if chosen < SLIPS + RARE else ODD)
    neighbours = w.pick("add_remove", "change_one")
    edits = w.random.choice((1, 1, 1, 1, 1, 1, 1, 2))
    norm = w.pick("L1", "L1", "L2", "Linf") if made.is_vector else "L1"
    tables = w.random.choice((None, None, None, None, "lists", "multisets"))
    changes = neighbours == "change_one"
    if norm == "L2" and made.is_vector:
        upper = made.squares[changes]
        upper = None if upper is None else upper * edits * edits
    else:
        upper = made.largest[changes] if norm == "Linf" else made.change if changes else made.add
        upper = None if upper is None else upper * edits
    per_row = changes and made.unit != "1" and w.chance(0.7)
    if made.unit != "1" and changes and not per_row:
        upper = None  # the bound is one for each number of rows
    if w.chance(0.06):
        record = odd(w, record)
    samples = [kind.samples(w.numbers) for _, kind in w.places]
    rows = tuple(map(joined, sampled(w, samples)))
    subject = subject_of(w, made)
    if 0 <= chosen - (SLIPS + RARE + ODDLY) < DECORATED:
        subject, w.is_closed = decorated(subject, further), False
    touching = 0.17 if any(value[0] in "[{" for value in used_in(subject)) else 0.1
    manner = w.random.choices((PLAIN, BUSY, TOUCHING), (0.95 - touching, 0.05, touching))[0]
    module = module_around(subject, w.random, manner)
    is_known = w.is_closed and not (module.manner == TOUCHING or w.refuse or w.is_misspelt)
    return Query(
        subject=subject, module=module, record=record, rows=w.odd_rows or rows, neighbours=neighbours,
        edits=edits, norm=norm, tables=tables, values=dict(w.values), meant=dict(w.meant),
        unit=made.unit if per_row else "1", assume="n >= 1" if per_row else None,
        upper=upper if is_known else None, refuse=w.refuse,
    )  # fmt: skip


def rarer(w: Writer, random: Random, forms: Mapping[str, tuple[Callable[[Writer], Body], float]]) -> Body:
    """The function of one of the rarer or odd forms; how far it moves is not known."""
    w.lead, w.helpers, w.constants, w.parameters, w.values, w.meant = [], {}, {}, {}, {}, {}
    w.random, w.is_closed = random, False
    names = list(forms)
    return forms[random.choices(names, [forms[one][1] for one in names])[0]][0](w)


def decorated(subject: Subject, random: Random) -> Subject:
    """The function with a decorator."""
    how = random.choice(("staticmethod", "functools.cache", "functools.wraps(len)", "contextlib.contextmanager",
                         "typing.no_type_check", "property", "functools.lru_cache(maxsize=None)"))  # fmt: skip
    module = how.partition(".")[0]
    helpers = {**subject.helpers, module: f"import {module}"} if "." in how else subject.helpers
    return replace(subject, source=f"@{how}\n{subject.source}", helpers=helpers)


def careless(w: Writer, made: Body, random: Random) -> Body:
    """The function with slips; how far it moves is not known then."""
    body = "\n".join([*w.lead, made.text])
    text = slipped(body, ["rows", *w.parameters], "rows", random)
    w.lead, w.is_closed = [], False
    return replace(made, text=text)


def sampled(w: Writer, samples: list[list[str]]) -> list[list[str]]:
    """Some records: all, if they are few; else those of the ends and some others."""
    everything = [list(one) for one in product(*samples)]
    if len(everything) <= ROWS:
        return everything
    corners = [list(one) for one in product(*(one[:2] for one in samples))]
    chosen = corners if len(corners) < ROWS else w.random.sample(corners, ROWS - 1)
    others = [one for one in everything if one not in chosen]
    return [*chosen, *w.random.sample(others, min(ROWS - len(chosen), len(others)))]


def misspell(w: Writer) -> None:
    """One column is read under another name."""
    place, w.is_misspelt = w.random.randrange(len(w.places)), True
    text, kind = w.places[place]
    w.places[place] = (text.replace('"]', 's"]') if w.chance(0.5) else text.replace("e", "", 1), kind)


def odd(w: Writer, record: str | dict[str, str] | list[str]) -> str | dict[str, str] | list[str]:
    """Something is written that could be read in two ways, or that names nothing: no verdict may be given."""
    numeric = [name for name, text in w.meant.items() if text.isdecimal()]
    choices = ["name"] * 2 + ["value"] * 3 * bool(numeric)
    if isinstance(record, str) and "|" in record:
        choices += ["labels"] * 3
    what = w.random.choice(choices)
    if what == "name":
        w.values[w.pick("capp", "Limit", "treshold")] = "5"
        w.refuse = "a value was set for a name that is no parameter"
    elif what == "value":
        name = w.random.choice(numeric)
        written, meant = w.random.choice((("inf", "inf"), ("1_000", "1000"), ("1,000", "1000"), ("0x10", "16"),
                                             ("none", "None"), ("[[1,100],[2,3]]", "[[1, 100], [2, 3]]"),
                                             ("007", "7"), ("nan", "nan"), ("5%", "5")))  # fmt: skip
        w.values[name], w.meant[name] = written, meant
        w.refuse = f"{name}={written} could be read in two ways"
    else:
        record, rows = w.random.choice((
            ("1 | 2.0", ("1", "2")), ("True | False | None", ("True", "False", "None")), ("1 | two", ("1", "'two'")),
            ("01 | 02", ("1", "2")), ("1_0 | 2", ("10", "2")), ("0.5 | 1.5", ("Fraction(1, 2)", "Fraction(3, 2)")),
            ("yes | None", ("'yes'", "None")), ("1 | inf", ("1", "inf")),
        ))  # fmt: skip
        w.odd_rows = rows
        w.refuse = f"labels {record} could be read in two ways"
    return record


def subject_of(w: Writer, made: Body) -> Subject:
    """The function."""
    name = w.pick("query", "total", "answer", "statistic")
    given = [f"{one}={default}" if default else one for one, default in w.parameters.items()]
    given.sort(key=lambda one: "=" in one)
    docstring = [f'"""{w.pick("The answer.", "What is asked.")}"""'] if w.chance(0.2) else []
    inner = indent("\n".join([*docstring, *w.lead, made.text]), "    ")
    text = "\n".join([inner, *given, *w.helpers.values()])
    used_constants = {one: value for one, value in w.constants.items() if one in text or w.chance(0.2)}
    imported = {one: module for one, module in w.imported.items() if module}
    if "math" in w.imported and "math." in inner:
        w.helpers["math"] = "import math"
    used = tuple(
        one for one in ("sum", "min", "max", "len", "abs", "round", "int", "any", "all", "map") if f"{one}(" in inner
    )
    return Subject(
        name, f"def {name}({', '.join(['rows', *given])}):\n{inner}\n", used_constants, imported, w.helpers, used
    )


def used_in(subject: Subject) -> list[str]:
    """The values of the constants that the function itself reads."""
    return [value for name, value in subject.constants.items() if name in subject.source]


def symbolic(random: Random) -> Query:
    """A query with symbols, whose bound is known in them."""
    changes = random.random() < 0.5
    neighbours = "change_one" if changes else "add_remove"
    pairs = [{"lower": a, "upper": b} for a, b in (("-3", "5"), ("0", "10"), ("2", "2"), ("-7", "-1"), ("1", "4"))]
    wide = "upper - lower" if changes else "max(abs(lower), abs(upper))"
    tests = "if r < lower:\n            r = lower\n        elif r > upper:\n            r = upper"
    sums = (
        "return sum(min(max(r, lower), upper) for r in rows)",
        f"total = 0\n    for r in rows:\n        {tests}\n        total += r\n    return total",
        "return sum(max(lower, min(r, upper)) for r in rows if r is not None)",
    )  # fmt: skip
    form = random.choice(("clamp", "clamp", "within", "times", "cap", "mean"))
    if form == "clamp":
        text, record = random.choice(sums), random.choice(("numbers", "-100..100"))
        rows, symbols, assume, assigned = ("-100", "0", "3", "100"), ("lower", "upper"), "lower <= upper", pairs
        unit, name = wide, "lower, upper"
    elif form == "within":
        text, record, unit, name = "return sum(rows)", "lower..upper", wide, "lower, upper"
        rows, symbols, assume, assigned = ("lower", "upper"), ("lower", "upper"), "lower <= upper", pairs
    elif form == "times":
        sort = random.choice(("", ":integer"))
        text, record, name = random.choice(("return k * len(rows)", "return sum(k for r in rows)")), "0..1", "k"
        rows, symbols, assume = ("0", "1"), (f"k{sort}",), None
        assigned, unit = [{"k": "3"}, {"k": "-2"}, {"k": "0"}], "abs(k)"
    elif form == "cap":
        text, record, unit, name = "return sum(min(r, cap) for r in rows)", "0..10", "min(cap, 10)", "cap"
        rows, symbols, assume = ("0", "10", "5", "3"), ("cap",), "0 <= cap"
        assigned = [{"cap": "0"}, {"cap": "4"}, {"cap": "20"}]
    else:
        text, record, name = (
            "return sum(min(max(r, 0), cap) for r in rows) / len(rows) if rows else 0",
            "numbers",
            "cap",
        )
        rows, symbols, assume = ("-5", "0", "4", "1000"), ("cap",), "0 <= cap and n >= 1" if changes else "0 <= cap"
        assigned, unit = [{"cap": "4"}, {"cap": "20"}], "cap / n" if changes else "cap / (n + 1)"
    subject = Subject("query", f"def query(rows, {name}):\n    {text}\n", builtins=("sum", "min", "max", "len"))
    module = module_around(subject, random)
    edits = random.choice((1, 1, 1, 2)) if form != "mean" else 1
    upper = Fraction(0) if form == "times" and changes else Fraction(edits)
    return Query(
        subject, module, record, rows, neighbours, edits,
        symbols=symbols, assume=assume, assigned=tuple(assigned), unit=unit,
        upper=None if module.manner == TOUCHING else upper,
    )  # fmt: skip
