"""Random queries of a table as users write them, and what is asked about them.

The grammar follows docs/how_to/sensitivity.md ("what a record is", "what the other parameters are", "which Python is
read") and the idioms of analysts.  Every term carries an interval that encloses its values, so that for many queries an
upper bound of the sensitivity is known in closed form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from random import Random
from textwrap import indent

from tests.fuzzing.modules import TOUCHING, Module, Subject, module_around

Number = Fraction
LABELS = (("a", "b"), ("a", "b", "c"), ("female", "male"), ("Adelie", "Gentoo"), ("north", "south", "east"))
ROWS = 4
"""Most records of which all small tables are made."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """Numbers between bounds; None is no bound."""

    low: Fraction | None
    high: Fraction | None
    is_whole: bool = False

    @property
    def declared(self) -> str:
        """As a user declares it."""
        if self.low is None or self.high is None:
            return "integers" if self.is_whole else "numbers"
        return f"{'integers ' * self.is_whole}{self.low}..{self.high}"

    def samples(self, given: Sequence[Fraction]) -> list[str]:
        """Texts of values: the ends, what lies between, and the given numbers that are allowed."""
        low = Fraction(-1000) if self.low is None else self.low
        high = Fraction(1000) if self.high is None else self.high
        near = [*given, *(one + 1 for one in given), *(one - 1 for one in given)] if self.is_whole else list(given)
        found = dict.fromkeys([low, high, *(one for one in near if low < one < high), Fraction(0), (low + high) / 2])
        allowed = [one for one in found if low <= one <= high and (one.denominator == 1 or not self.is_whole)]
        return [exact_text(one) for one in allowed]


@dataclass(frozen=True, slots=True)
class Labels:
    """One of some labels."""

    values: tuple[str | int | bool, ...]

    @property
    def declared(self) -> str:
        """As a user declares it."""
        return " | ".join(str(one).lower() if isinstance(one, bool) else str(one) for one in self.values)

    def samples(self, given: Sequence[Fraction]) -> list[str]:
        """Texts of all labels."""
        return [repr(one) for one in self.values]


@dataclass(frozen=True, slots=True)
class Maybe:
    """Numbers, or None."""

    inner: Numbers

    @property
    def declared(self) -> str:
        """As a user declares it."""
        return f"{self.inner.declared} or missing"

    def samples(self, given: Sequence[Fraction]) -> list[str]:
        """None, and the numbers."""
        return ["None", *self.inner.samples(given)]


Kind = Numbers | Labels | Maybe


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


@dataclass(frozen=True, slots=True)
class Term:
    """A number that is worked out from a row."""

    text: str
    low: Fraction | None
    high: Fraction | None
    is_whole: bool = False
    raises: bool = False
    """Whether working it out may raise."""

    @property
    def width(self) -> Fraction | None:
        """How far two rows are apart at most."""
        return None if self.low is None or self.high is None or self.raises else self.high - self.low

    @property
    def size(self) -> Fraction | None:
        """How large it is at most."""
        return None if self.low is None or self.high is None or self.raises else max(abs(self.low), abs(self.high))


@dataclass(frozen=True, slots=True)
class Body:
    """The statements of a function, and how far it moves where a row comes (add) or changes."""

    text: str
    add: Fraction | None = None
    change: Fraction | None = None
    is_vector: bool = False
    squares: tuple[Fraction | None, Fraction | None] = (None, None)
    """Under L2, squared."""
    largest: tuple[Fraction | None, Fraction | None] = (None, None)
    """Under Linf."""
    unit: str = "1"
    """Of the bound where a row changes, if the number of rows plays a part."""


def numbers(low: int, high: int, is_whole: bool = False) -> Numbers:
    """Numbers between bounds."""
    return Numbers(Fraction(low), Fraction(high), is_whole)


def exact_text(number: Fraction) -> str:
    """The number in Python, exact."""
    return str(number) if number.denominator == 1 else f"Fraction({number.numerator}, {number.denominator})"


def literal(number: Fraction) -> str:
    """The number as a user writes it."""
    if number.denominator == 1:
        return str(number)
    decimal = f"{float(number)}"
    return decimal if Fraction(decimal) == number else f"{number.numerator} / {number.denominator}"


def query(seed: int) -> Query:
    """The query of a seed."""
    random = Random(f"query {seed}")
    return symbolic(random) if random.random() < 0.08 else Writer(random).query()


@dataclass(slots=True)
class Writer:
    """What is needed to write one query."""

    random: Random
    constants: dict[str, str] = field(default_factory=dict)
    helpers: dict[str, str] = field(default_factory=dict)
    imported: dict[str, str] = field(default_factory=dict)
    parameters: dict[str, str] = field(default_factory=dict)
    """Texts of the defaults; empty where there is none."""
    values: dict[str, str] = field(default_factory=dict)
    meant: dict[str, str] = field(default_factory=dict)
    lead: list[str] = field(default_factory=list)
    """Statements at the start of the function."""
    numbers: list[Fraction] = field(default_factory=list)
    """The numbers of the text."""
    places: list[tuple[str, Kind]] = field(default_factory=list)
    """How each part of a row is read, and its kind."""
    row: str = "r"
    refuse: str = ""

    def chance(self, share: float) -> bool:
        """True in that share of the cases."""
        return self.random.random() < share

    def pick(self, *choices: str) -> str:
        """One of some texts."""
        return self.random.choice(choices)

    # The records.

    def kind(self) -> Kind:
        """A kind of value."""
        chosen = self.random.random()
        if chosen < 0.35:
            return numbers(*self.random.choice(((0, 10), (0, 1), (-5, 5), (0, 100), (-1, 3), (2, 8))))
        if chosen < 0.6:
            return numbers(*self.random.choice(((0, 4), (0, 120), (-2, 3), (0, 1), (1, 10))), is_whole=True)
        if chosen < 0.72:
            return Labels(self.random.choice(LABELS))
        if chosen < 0.78:
            return Labels((1, 2, 3) if self.chance(0.5) else (0, 5))
        if chosen < 0.87:
            return Labels((True, False))
        if chosen < 0.94:
            return Maybe(Numbers(Fraction(0), Fraction(10), self.chance(0.5)))
        return Numbers(None, None, self.chance(0.3))

    def records(self) -> tuple[str | dict[str, str] | list[str], list[list[str]], Callable[[Sequence[str]], str]]:
        """The declaration, for each part its samples (made later), and how a record is put together."""
        shape = self.random.choice(("one", "one", "one", "dict", "dict", "tuple"))
        if shape == "one":
            kind = self.kind()
            self.places = [(self.row, kind)]
            return kind.declared, [], lambda parts: parts[0]
        names = self.random.sample(
            ("income", "age", "sex", "weight", "employed", "place"), self.random.choice((2, 2, 3))
        )
        kinds = [self.kind() for _ in names]
        if shape == "tuple":
            self.places = [(f"{self.row}[{i}]", kind) for i, kind in enumerate(kinds)]
            return [kind.declared for kind in kinds], [], lambda parts: f"({', '.join(parts)})"
        self.places = [(f'{self.row}["{name}"]', kind) for name, kind in zip(names, kinds, strict=True)]
        keyed = dict(zip(names, kinds, strict=True))
        return (
            {name: kind.declared for name, kind in keyed.items()},
            [],
            lambda parts: "{" + ", ".join(f"'{n}': {part}" for n, part in zip(names, parts, strict=True)) + "}",
        )

    # Numbers of the text.

    def number(self, low: int = -3, high: int = 12, *, positive: bool = False) -> tuple[str, Fraction]:
        """A number as the function reads it: a literal, a constant of the module, or a parameter."""
        value = Fraction(self.random.randint(1 if positive else low, high))
        if self.chance(0.12):
            value = Fraction(self.random.choice(("1/2", "5/2", "1/4", "1/10")))
        self.numbers.append(value)
        how = self.random.random()
        if how < 0.55 or len(self.parameters) + len(self.constants) > 3:
            text = literal(value)
            return (f"({text})" if " " in text or value < 0 else text), value
        if how < 0.7:
            return self.constant(literal(value)), value
        if how < 0.76:
            other = self.random.randint(0, 9)
            at = self.random.choice((0, 1, -1))
            items = f"[{literal(value)}, {other}]" if at == 0 else f"[{other}, {literal(value)}]"
            return f"{self.constant(items)}[{at}]", value
        if how < 0.82:
            key = self.pick("low", "high", "cap")
            return f'{self.constant(f"""{{"{key}": {literal(value)}, "other": 3}}""")}["{key}"]', value
        return self.parameter(value), value

    def constant(self, text: str) -> str:
        """A name that the module binds to a value."""
        free = [n for n in ("LIMIT", "SCALE", "WEIGHTS", "KNOWN", "CAPS", "BASE", "RATES") if n not in self.constants]
        name = self.random.choice(free or [f"TABLE_{len(self.constants)}"])
        self.constants[name] = text
        return name

    def parameter(self, value: Fraction) -> str:
        """A parameter that has this value, by its default or because it is set."""
        free = [n for n in ("cap", "floor_", "factor", "limit", "step") if n not in self.parameters]
        name = self.random.choice(free or [f"given{len(self.parameters)}"])
        if self.chance(0.5):
            self.parameters[name] = literal(value) if self.chance(0.8) else self.constant(literal(value))
            return name
        self.parameters[name] = self.pick("", "", "1", "0")
        spellings = [str(value), str(value), literal(value), f" {value}", f"{value * 2}/2"]
        if value.denominator == 1:
            spellings += [f"{value}.0", f"{value * 10}e-1"]
        self.values[name] = self.random.choice([one for one in spellings if one.count("/") < 2 and " / " not in one])
        self.meant[name] = exact_text(value)
        return name

    # Terms and conditions of a row.

    def plain(self, at: tuple[str, Kind] | None = None) -> Term:
        """A number of a row, as it stands or looked up."""
        text, kind = at or self.random.choice(self.places)
        if isinstance(kind, Numbers):
            return Term(text, kind.low, kind.high, kind.is_whole)
        if isinstance(kind, Maybe):
            form = self.pick("(0 if {0} is None else {0})", "({0} or 0)", "({0} if {0} is not None else 0)")
            low, high = kind.inner.low, kind.inner.high
            return Term(
                form.format(text), low and min(low, Fraction(0)), high and max(high, Fraction(0)), kind.inner.is_whole
            )
        if all(isinstance(one, bool) for one in kind.values):
            return Term(self.pick("int({0})", "(1 if {0} else 0)", "{0}").format(text), Fraction(0), Fraction(1), True)
        if all(isinstance(one, int) for one in kind.values) and self.chance(0.6):
            return Term(text, Fraction(min(kind.values)), Fraction(max(kind.values)), True)
        return self.looked_up(text, kind)

    def looked_up(self, text: str, kind: Labels) -> Term:
        """A number for each label, from a dict."""
        numbers = [Fraction(self.random.randint(-2, 9)) for _ in kind.values]
        self.numbers += numbers
        items = ", ".join(f"{one!r}: {number}" for one, number in zip(kind.values, numbers, strict=True))
        if self.chance(0.15):  # a label without a number
            items = items.rpartition(", ")[0]
            name = self.constant(f"{{{items}}}")
            numbers[-1] = Fraction(0)
            if self.chance(0.4):
                return Term(f"{name}[{text}]", None, None, True, True)
            return Term(f"{name}.get({text}, 0)", min(numbers), max(numbers), True)
        where = self.constant(f"{{{items}}}") if self.chance(0.75) else self.local(f"{{{items}}}")
        form = self.pick("{0}[{1}]", "{0}[{1}]", "{0}[{1}]", "{0}.get({1}, 0)").format(where, text)
        low, high = min(numbers), max(numbers)
        return Term(
            form, *((low, high) if "get" not in form else (min(low, Fraction(0)), max(high, Fraction(0)))), True
        )

    def local(self, text: str) -> str:
        """A name that the function binds to a value."""
        name = f"table{len(self.lead)}"
        self.lead.append(f"{name} = {text}")
        return name

    def term(self, depth: int = 2) -> Term:
        """A number that is worked out from a row."""
        term = self.plain()
        for _ in range(self.random.choice((0, 1, 1, depth))):
            term = self.changed(term)
        if self.chance(0.12):
            other = self.plain()
            if self.chance(0.5):
                return Term(f"({term.text} + {other.text})", add(term.low, other.low), add(term.high, other.high),
                            term.is_whole and other.is_whole, term.raises or other.raises)  # fmt: skip
            corners = [
                None if None in (a, b) else a * b for a in (term.low, term.high) for b in (other.low, other.high)
            ]
            hull = (None, None) if None in corners else (min(corners), max(corners))
            return Term(f"({term.text} * {other.text})", *hull, term.is_whole and other.is_whole,
                        term.raises or other.raises)  # fmt: skip
        return term

    def changed(self, term: Term) -> Term:
        """A term made of a term."""
        text, low, high = term.text, term.low, term.high
        form = self.random.choice(("clamp", "clamp", "clamp", "cap", "floor", "abs", "neg", "add", "times", "square",
                                   "div", "mod", "over", "round", "int", "math", "if", "helper", "lambda"))  # fmt: skip
        c, value = self.number(positive=form in ("div", "mod", "over"))
        whole = term.is_whole and value.denominator == 1

        def made(text: str, low: Fraction | None, high: Fraction | None, is_whole: bool = whole) -> Term:
            return Term(text, low, high, is_whole, term.raises)

        match form:
            case "clamp":
                d, above = self.number(int(value // 1) + 1, int(value // 1) + 20)
                if above < value:
                    c, d, value, above = d, c, above, value
                forms = ("min(max({0}, {1}), {2})", "max({1}, min({0}, {2}))", "max(min({0}, {2}), {1})",
                         "({1} if {0} < {1} else {2} if {0} > {2} else {0})")  # fmt: skip
                inner = (clamped(low, value, above, value), clamped(high, value, above, above))
                return made(self.pick(*forms).format(text, c, d), *inner, whole and above.denominator == 1)
            case "cap":
                return made(
                    f"min({text}, {c})",
                    None if low is None else min(low, value),
                    value if high is None else min(high, value),
                )
            case "floor":
                return made(
                    f"max({c}, {text})",
                    value if low is None else max(low, value),
                    None if high is None else max(high, value),
                )
            case "abs":
                if low is None or high is None:
                    return made(f"abs({text})", Fraction(0), None, term.is_whole)
                least = Fraction(0) if low <= 0 <= high else min(abs(low), abs(high))
                return made(f"abs({text})", least, max(abs(low), abs(high)), term.is_whole)
            case "neg":
                return made(f"(-{text})", None if high is None else -high, None if low is None else -low, term.is_whole)
            case "add":
                return made(f"({text} + {c})", add(low, value), add(high, value))
            case "times":
                ends = (None, None) if None in (low, high) else tuple(sorted((low * value, high * value)))  # type: ignore[operator]
                return made(f"({c} * {text})", *(ends if value else (Fraction(0), Fraction(0))))
            case "square":
                if low is None or high is None:
                    return made(f"{text} ** 2", Fraction(0), None, term.is_whole)
                ends = (low * low, high * high)
                return made(f"({text}) ** 2", Fraction(0) if low <= 0 <= high else min(ends), max(ends), term.is_whole)
            case "div":
                return made(f"({text} // {c})", None if low is None else Fraction(low // value),
                            None if high is None else Fraction(high // value), True)  # fmt: skip
            case "mod":
                return made(f"({text} % {c})", Fraction(0), value, whole)
            case "over":
                if self.chance(0.2):
                    return Term(f"({c} / {text})", None, None, False, True)
                return made(
                    f"({text} / {c})",
                    None if low is None else low / value,
                    None if high is None else high / value,
                    False,
                )
            case "round":
                return made(
                    f"round({text})",
                    None if low is None else Fraction(round(low)),
                    None if high is None else Fraction(round(high)),
                    True,
                )
            case "int":
                return made(
                    f"int({text})",
                    None if low is None else Fraction(int(low)),
                    None if high is None else Fraction(int(high)),
                    True,
                )
            case "math":
                self.imported["math"] = ""
                name, step = self.random.choice((("floor", lambda x: x // 1), ("ceil", lambda x: -(-x // 1))))
                called = f"math.{name}"
                if self.chance(0.5):
                    self.imported[name], called = "math", name
                return made(
                    f"{called}({text})",
                    None if low is None else Fraction(step(low)),
                    None if high is None else Fraction(step(high)),
                    True,
                )
            case "if":
                compared = self.pick(">", ">=", "<", "<=", "!=")
                other = self.random.choice((Fraction(0), Fraction(1), value))
                self.numbers.append(other)
                hull = (None if low is None else min(low, other), None if high is None else max(high, other))
                return made(
                    f"({text} if {text} {compared} {c} else {literal(other)})",
                    *hull,
                    term.is_whole and other.denominator == 1,
                )
            case "helper":
                name = self.pick("clip", "limited", "scaled")
                if name in self.helpers:
                    return term
                cap = self.random.randint(1, 9)
                self.numbers.append(Fraction(cap))
                if name == "scaled":
                    self.helpers[name] = f"def scaled(x, by={cap}):\n    return x * by"
                    return made(
                        f"scaled({text})",
                        None if low is None else low * cap,
                        None if high is None else high * cap,
                        term.is_whole,
                    )
                self.helpers[name] = self.pick(
                    f"def {name}(x, most={cap}):\n    if x > most:\n        return most\n    return x",
                    f"def {name}(x):\n    return min(x, {cap})", f"{name} = lambda x, most={cap}: min(x, most)",
                    f"def {name}(x, *, most={cap}):\n    return most if most < x else x",
                )  # fmt: skip
                high = Fraction(cap) if high is None else min(high, Fraction(cap))
                return made(f"{name}({text})", None if low is None else min(low, Fraction(cap)), high, term.is_whole)
            case _:
                by = self.pick(f"(lambda x: x + {c})({text})", f"(lambda x, c={c}: x + c)({text})",
                               f"(lambda c: lambda x: x + c)({c})({text})")  # fmt: skip
                return made(by, add(low, value), add(high, value))

    def condition(self, depth: int = 1) -> str:
        """A condition on a row that raises nowhere."""
        if depth and self.chance(0.25):
            form = self.pick("({0} and {1})", "({0} or {1})", "(not {0})")
            return form.format(self.condition(0), self.condition(0))
        text, kind = self.random.choice(self.places)
        if isinstance(kind, Maybe):
            c, _ = self.number()
            return self.pick("({0} is not None)", "({0} is None)", "({0} is not None and {0} > {1})").format(text, c)
        if isinstance(kind, Numbers):
            c, value = self.number()
            d, _ = self.number(int(value // 1), int(value // 1) + 6)
            form = self.pick("{0} > {1}", "{0} >= {1}", "{0} < {1}", "{1} <= {0} < {2}", "{1} < {0}", "{0} == {1}",
                             "{0} != {1}", "{0} in ({1}, {2})", "{0} <= {1}")  # fmt: skip
            return form.format(text, c, d)
        if all(isinstance(one, bool) for one in kind.values):
            return self.pick("{0}", "not {0}", "{0} is True", "{0} == False").format(text)
        one, two = (repr(self.random.choice(kind.values)) for _ in range(2))
        if self.chance(0.25):
            return f"{text} in {self.constant(f'[{one}, {two}]')}"
        return self.pick("{0} == {1}", "{0} != {1}", "{0} in ({1}, {2})", "{0} not in ({1},)", "{1} == {0}").format(
            text, one, two
        )

    # Functions of a table.

    def query(self) -> Query:
        """A query of one of the forms, and a question."""
        record, _, joined = self.records()
        if self.chance(0.02) and isinstance(record, dict):
            self.misspell()
        body = self.random.choices(list(FORMS), [weight for _, weight in FORMS.values()])[0]
        made = FORMS[body][0](self)
        neighbours = self.pick("add_remove", "change_one")
        edits = self.random.choice((1, 1, 1, 1, 1, 1, 1, 2))
        norm = self.pick("L1", "L1", "L2", "Linf") if made.is_vector else "L1"
        tables = self.random.choice((None, None, None, None, "lists", "multisets"))
        changes = neighbours == "change_one"
        if norm == "L2" and made.is_vector:
            upper = made.squares[changes]
            upper = None if upper is None else upper * edits * edits
        else:
            upper = made.largest[changes] if norm == "Linf" else made.change if changes else made.add
            upper = None if upper is None else upper * edits
        per_row = changes and made.unit != "1" and self.chance(0.7)
        if made.unit != "1" and changes and not per_row:
            upper = None  # the bound is one for each number of rows
        if self.chance(0.04):
            record = self.odd(record)
        samples = [kind.samples(self.numbers) for _, kind in self.places]
        rows = tuple(map(joined, self.sampled(samples)))
        subject = self.subject(made)
        module = module_around(subject, self.random)
        return Query(
            subject=subject, module=module, record=record, rows=self.odd_rows or rows, neighbours=neighbours,
            edits=edits, norm=norm, tables=tables, values=dict(self.values), meant=dict(self.meant),
            unit=made.unit if per_row else "1", assume="n >= 1" if per_row else None,
            upper=None if module.manner == TOUCHING or self.refuse else upper, refuse=self.refuse,
        )  # fmt: skip

    odd_rows: tuple[str, ...] = ()

    def sampled(self, samples: list[list[str]]) -> list[list[str]]:
        """Some records: all, if they are few; else those of the ends and some others."""
        everything = [list(one) for one in product(*samples)]
        if len(everything) <= ROWS:
            return everything
        corners = [list(one) for one in product(*(one[:2] for one in samples))]
        chosen = corners if len(corners) < ROWS else self.random.sample(corners, ROWS - 1)
        others = [one for one in everything if one not in chosen]
        return [*chosen, *self.random.sample(others, min(ROWS - len(chosen), len(others)))]

    def misspell(self) -> None:
        """One column is read under another name."""
        place = self.random.randrange(len(self.places))
        text, kind = self.places[place]
        self.places[place] = (text.replace('"]', 's"]') if self.chance(0.5) else text.replace("e", "", 1), kind)

    def odd(self, record: str | dict[str, str] | list[str]) -> str | dict[str, str] | list[str]:
        """Something is written that could be read in two ways, or that names nothing: no verdict may be given."""
        numeric = [name for name, text in self.meant.items() if text.isdecimal()]
        choices = ["name"] + ["value"] * 3 * bool(numeric)
        if isinstance(record, str) and "|" in record:
            choices += ["labels"] * 3
        what = self.random.choice(choices)
        if what == "name":
            self.values[self.pick("capp", "Limit", "treshold")] = "5"
            self.refuse = "a value was set for a name that is no parameter"
        elif what == "value":
            name = self.random.choice(numeric)
            written, meant = self.random.choice((("inf", "inf"), ("1_000", "1000"), ("1,000", "1000"), ("0x10", "16"),
                                                 ("none", "None"), ("[[1,100],[2,3]]", "[[1, 100], [2, 3]]"),
                                                 ("007", "7"), ("nan", "nan"), ("5%", "5")))  # fmt: skip
            self.values[name], self.meant[name] = written, meant
            self.refuse = f"{name}={written} could be read in two ways"
        else:
            record, rows = self.random.choice((
                ("1 | 2.0", ("1", "2")), ("True | False | None", ("True", "False", "None")), ("1 | two", ("1", "'two'")),
                ("01 | 02", ("1", "2")), ("1_0 | 2", ("10", "2")), ("0.5 | 1.5", ("Fraction(1, 2)", "Fraction(3, 2)")),
                ("yes | None", ("'yes'", "None")), ("1 | inf", ("1", "inf")),
            ))  # fmt: skip
            self.odd_rows = rows
            self.refuse = f"labels {record} could be read in two ways"
        return record

    def subject(self, made: Body) -> Subject:
        """The function."""
        name = self.pick("query", "total", "answer", "statistic")
        given = [f"{one}={default}" if default else one for one, default in self.parameters.items()]
        given.sort(key=lambda one: "=" in one)
        docstring = [f'"""{self.pick("The answer.", "What is asked.")}"""'] if self.chance(0.2) else []
        inner = indent("\n".join([*docstring, *self.lead, made.text]), "    ")
        imported = {one: module for one, module in self.imported.items() if module}
        if "math" in self.imported and "math." in inner:
            self.helpers["math"] = "import math"
        used = tuple(
            one
            for one in ("sum", "min", "max", "len", "abs", "round", "int", "any", "all", "map")
            if f"{one}(" in inner
        )
        return Subject(
            name, f"def {name}({', '.join(['rows', *given])}):\n{inner}\n", self.constants, imported, self.helpers, used
        )

    def called(self, text: str) -> str:
        """A function of a row, for map and filter: a lambda, or a name for one."""
        r = self.row
        form = self.random.random()
        if form < 0.45:
            return f"lambda {r}: {text}"
        if form < 0.6:
            self.lead.append(f"of_row = lambda {r}: {text}")
            return "of_row"
        if form < 0.75:
            self.lead.append(f"def of_row({r}):\n    return {text}")
            return "of_row"
        if form < 0.85:
            early = self.random.randint(0, 9)
            self.lead.append(f"extra = 0\nof_row = lambda {r}: {text} + extra\nextra = {early}\nextra = 0")
            return "of_row"
        if form < 0.92:
            self.lead.append(
                f"extra = 0\nof_row = lambda {r}, extra=extra: {text} + extra\nextra = {self.random.randint(1, 9)}"
            )
            return "of_row"
        return f"(lambda k: lambda {r}: k * ({text}))(1)"


def add(a: Fraction | None, b: Fraction | None) -> Fraction | None:
    """The sum, None where one is None."""
    return None if a is None or b is None else a + b


def clamped(x: Fraction | None, low: Fraction, high: Fraction, otherwise: Fraction) -> Fraction:
    """A number brought within bounds; the last where there is none."""
    return otherwise if x is None else min(max(x, low), high)


def scalar(text: str, change_add: Fraction | None, change_one: Fraction | None, unit: str = "1") -> Body:
    """A body that returns one number."""
    return Body(text, change_add, change_one, unit=unit)


def hull(*numbers: Fraction | None) -> Fraction | None:
    """How far these are apart at most."""
    found = [one for one in numbers if one is not None]
    return max(found) - min(found) if len(found) == len(numbers) else None


def summed(w: Writer) -> Body:
    """A sum over the rows, filtered at times."""
    term, r = w.term(), w.row
    filtered = w.chance(0.35)
    condition = w.condition() if filtered else ""
    add_bound, change = term.size, hull(term.low, term.high, Fraction(0)) if filtered else term.width
    change = None if term.raises else change
    test = f" if {condition}" if filtered else ""
    if w.chance(0.35):
        inner = f"total += {term.text}"
        form = w.pick("plain", "if", "continue", "index", "enumerate", "keep", "augmented")
        if not filtered:
            body = {
                "index": f"for i in range(len(rows)):\n    {r} = rows[i]\n    {inner}",
                "enumerate": f"for i, {r} in enumerate(rows):\n    {inner}",
                "keep": f"for {r} in rows:\n    value = {term.text}\n    total = total + value",
                "augmented": f"for {r} in list(rows):\n    {inner}",
            }.get(form, f"for {r} in rows:\n    {inner}")
        elif form == "continue":
            body = f"for {r} in rows:\n    if not ({condition}):\n        continue\n    {inner}"
        elif form == "keep":
            body = f"kept = [{r} for {r} in rows if {condition}]\nfor {r} in kept:\n    {inner}"
        else:
            body = f"for {r} in rows:\n    if {condition}:\n        {inner}"
        return scalar(f"total = 0\n{body}\nreturn total", add_bound, change)
    form = w.pick("gen", "gen", "list", "map", "start", "times", "values")
    if form == "map":
        source = f"filter(lambda {r}: {condition}, rows)" if filtered else "rows"
        return scalar(f"return sum(map({w.called(term.text)}, {source}))", add_bound, change)
    if form == "start":
        c, _ = w.number()
        return scalar(f"return sum(({term.text} for {r} in rows{test}), {c})", add_bound, change)
    if form == "values":
        return scalar(f"values = [{term.text} for {r} in rows{test}]\nreturn sum(values)", add_bound, change)
    if form == "times":
        c, value = w.number()
        by = abs(value)
        return scalar(f"return {c} * sum({term.text} for {r} in rows{test})", times(add_bound, by), times(change, by))
    opened = ("[", "]") if form == "list" else ("", "")
    return scalar(f"return sum({opened[0]}{term.text} for {r} in rows{test}{opened[1]})", add_bound, change)


def times(a: Fraction | None, b: Fraction) -> Fraction | None:
    """The product, None where the first is None."""
    return None if a is None else a * b


def counted(w: Writer) -> Body:
    """How many rows fulfil a condition."""
    condition, r, one = w.condition(), w.row, Fraction(1)
    text = w.pick(
        f"return sum(1 for {r} in rows if {condition})",
        f"return len([{r} for {r} in rows if {condition}])",
        f"return len(list(filter(lambda {r}: {condition}, rows)))",
        f"count = 0\nfor {r} in rows:\n    if {condition}:\n        count += 1\nreturn count",
        f"return sum(bool({condition}) for {r} in rows)",
        f"return [bool({condition}) for {r} in rows].count(True)",
        f"count = 0\nfor {r} in rows:\n    count += 1 if {condition} else 0\nreturn count",
        f"return len(rows) - sum(1 for {r} in rows if {condition})",
    )
    return scalar(text, one, one)


def sized(w: Writer) -> Body:
    """How many rows there are."""
    text = w.pick(
        "return len(rows)", "count = 0\nfor _ in rows:\n    count += 1\nreturn count", "return sum(1 for _ in rows)"
    )
    return scalar(text, Fraction(1), Fraction(0))


def decided(w: Writer) -> Body:
    """Whether any row, or every row, fulfils a condition."""
    condition, r, one = w.condition(), w.row, Fraction(1)
    which = w.pick("any", "all")
    if w.chance(0.25):
        term, (c, _) = w.term(), w.number()
        text = w.pick(f"return {c} in map({w.called(term.text)}, rows)", f"return {c} in [{term.text} for {r} in rows]")
        return scalar(text, *((None, None) if term.raises else (one, one)))
    if w.chance(0.25):
        term, (c, _) = w.term(), w.number()
        mapped = f"return {which}(map(lambda {r}: {term.text} > {c}, rows))"
        return scalar(mapped, *((None, None) if term.raises else (one, one)))
    return scalar(w.pick(
        f"return {which}({condition} for {r} in rows)",
        f"return int({which}([{condition} for {r} in rows]))",
        f"return {which}(map(lambda {r}: {condition}, rows))",
        f"for {r} in rows:\n    if {condition}:\n        return 1\nreturn 0",
        f"found = False\nfor {r} in rows:\n    if {condition}:\n        found = True\n        break\nreturn found",
    ), one, one)  # fmt: skip


def extreme(w: Writer) -> Body:
    """The largest or smallest value, a default where there is none."""
    term, r = w.term(), w.row
    c, value = w.number()
    which, compared = w.random.choice((("max", ">"), ("min", "<")))
    bound = None if term.raises else hull(term.low, term.high, value)
    return scalar(w.pick(
        f"return {which}(({term.text} for {r} in rows), default={c})",
        f"return {which}([{term.text} for {r} in rows], default={c})",
        f"return {which}([{c}, *({term.text} for {r} in rows)])",
        f"best = {c}\nfor {r} in rows:\n    best = {which}(best, {term.text})\nreturn best",
        f"best = {c}\nfor {r} in rows:\n    value = {term.text}\n    if value {compared} best:\n        best = value\nreturn best",
        f"if not rows:\n    return {c}\nreturn {which}({term.text} for {r} in rows)",
    ), bound, bound)  # fmt: skip


def mean(w: Writer) -> Body:
    """The mean, something else where there are no rows, or nothing."""
    term, r = w.term(1), w.row
    if w.chance(0.15):
        w.imported["mean"] = "statistics"
        total = f"mean([{term.text} for {r} in rows])"
    else:
        total = f"sum({term.text} for {r} in rows) / len(rows)"
    c, value = w.number()
    if w.chance(0.2):
        return scalar(f"return {total}", None, None if term.raises else term.width, "1 / n")
    bound = None if term.raises else hull(term.low, term.high, value)
    text = w.pick(f"if not rows:\n    return {c}\nreturn {total}", f"return {total} if rows else {c}",
                  f"if len(rows) == 0:\n    return {c}\nreturn {total}")  # fmt: skip
    return Body(text, bound, term.width, unit="1 / n")


def histogram(w: Writer) -> Body:
    """Counts or sums by label."""
    found = [(text, kind) for text, kind in w.places if isinstance(kind, Labels)]
    if not found:
        return binned(w)
    (text, kind), r = w.random.choice(found), w.row
    labels = ", ".join(map(repr, kind.values))
    zeros = "{" + ", ".join(f"{one!r}: 0" for one in kind.values) + "}"
    if w.chance(0.3):
        term = w.term(1)
        size, one = term.size, None if term.size is None else max(term.size, Fraction(0))
        loop = f"totals = {zeros}\nfor {r} in rows:\n    totals[{text}] += {term.text}\nreturn totals"
        squares = (
            times(size, size) if size is not None else None,
            times(2 * size * size, Fraction(1)) if size is not None else None,
        )
        wide = None if size is None or term.width is None else max(size, term.width)
        return Body(loop, one, times(size, Fraction(2)), True, squares, (size, wide))
    form = w.random.choice(("dict", "counter", "default", "each", "get", "names"))
    loop = f"for {r} in rows:\n    "
    ends = f"return [counts[one] for one in ({labels},)]"
    if form == "dict":
        body = f"counts = {zeros}\n{loop}counts[{text}] += 1\nreturn {w.pick('counts', 'list(counts.values())', 'tuple(counts.values())')}"
    elif form == "counter":
        w.imported["Counter"] = "collections"
        body = f"counts = Counter({text} for {r} in rows)\n{ends}"
    elif form == "default":
        w.imported["defaultdict"] = "collections"
        body = f"counts = defaultdict(int)\n{loop}counts[{text}] += 1\n{ends}"
    elif form == "get":
        body = f"counts = {{}}\n{loop}counts[{text}] = counts.get({text}, 0) + 1\nreturn {{one: counts.get(one, 0) for one in ({labels},)}}"
    elif form == "names":
        names = w.constant(f"[{labels}]")
        body = f"counts = {{name: 0 for name in {names}}}\n{loop}counts[{text}] += 1\nreturn counts"
    else:
        body = f"return {{one: sum(1 for {r} in rows if {text} == one) for one in ({labels},)}}"
    one, two = Fraction(1), Fraction(2)
    return Body(body, one, two, True, (one, two), (one, one))


def binned(w: Writer) -> Body:
    """Counts by bins of a number."""
    numeric = [(text, kind) for text, kind in w.places if isinstance(kind, Numbers) and kind.low is not None]
    if not numeric:
        return counted(w)
    text, kind = w.random.choice(numeric)
    step, bins = w.random.choice((1, 2, 5, 10, 25)), w.random.choice((2, 3, 4))
    w.numbers += [Fraction(step), Fraction(step * bins)]
    form = w.pick(
        "min({0} // {1}, {2})", "max(0, min({0} // {1}, {2}))", "{0} // {1}", "int(min(max({0} / {1}, 0), {2}))"
    )
    place = form.format(text, step, bins - 1)
    safe = form.startswith(("max", "int")) or (form.startswith("min") and kind.low is not None and kind.low >= 0)
    body = f"bins = [0] * {bins}\nfor {w.row} in rows:\n    bins[{place}] += 1\nreturn bins"
    if not safe:
        return Body(body, None, None, True)
    one, two = Fraction(1), Fraction(2)
    return Body(body, one, two, True, (one, two), (one, one))


def cumulative(w: Writer) -> Body:
    """How many rows are at most each of some limits, which may be a parameter."""
    term, r = w.term(1), w.row
    limits = [Fraction(one) for one in sorted(w.random.sample(range(12), w.random.choice((2, 3))))]
    w.numbers += limits
    text = f"[{', '.join(map(str, limits))}]"
    if w.chance(0.4):
        w.parameters["limits"], w.values["limits"], w.meant["limits"], name = "", text, text, "limits"
    else:
        name = w.constant(text) if w.chance(0.6) else f"({text[1:-1]})"
    body = f"return [sum(1 for {r} in rows if {term.text} <= limit) for limit in {name}]"
    if term.raises:
        return Body(body, None, None, True)
    size, one = Fraction(len(limits)), Fraction(1)
    return Body(body, size, size, True, (size, size), (one, one))


def both(w: Writer) -> Body:
    """Two numbers, or one of two."""
    one, two = w.term(1), w.condition()
    r, add_bound, change = w.row, one.size, one.width
    first, second = f"sum({one.text} for {r} in rows)", f"sum(1 for {r} in rows if {two})"
    form = w.pick("tuple", "tuple", "dict", "list", "sum", "difference", "loop")
    more = (None if add_bound is None else add_bound + 1, None if change is None else change + 1)
    if form in ("sum", "difference"):
        return scalar(f"return {first} {'+' if form == 'sum' else '-'} {second}", *more)
    squares = tuple(None if x is None else x * x + 1 for x in (add_bound, change))
    largest = tuple(None if x is None else max(x, Fraction(1)) for x in (add_bound, change))
    text = {
        "tuple": f"return {first}, {second}",
        "list": f"return [{first}, {second}]",
        "dict": f'return {{"total": {first}, "count": {second}}}',
        "loop": (f"total, count = 0, 0\nfor {r} in rows:\n    total += {one.text}\n    if {two}:\n        count += 1\n"
                 "return total, count"),
    }[form]  # fmt: skip
    return Body(text, *more, True, squares, largest)  # type: ignore[arg-type]


def bounded_after(w: Writer) -> Body:
    """A sum that is brought within bounds once it is made."""
    inner = summed(w)
    c, value = w.number(0, 9)
    d, _ = w.number(int(value // 1) + 1, int(value // 1) + 30)
    head, _, last = inner.text.rpartition("return ")
    return scalar(f"{head}return {w.pick('min(max({0}, {1}), {2})', 'max({1}, min({2}, {0}))').format(last, c, d)}",
                  inner.add, inner.change)  # fmt: skip


def in_order(w: Writer) -> Body:
    """What depends on the order of rows."""
    term, r = w.term(1), w.row
    c, value = w.number(positive=True)
    condition = w.condition()
    bound = None if term.raises else hull(term.low, term.high, Fraction(0))
    texts = (
        (f"last = 0\nfor {r} in rows:\n    last = {term.text}\nreturn last", bound),
        (f"count = 0\nfor {r} in rows:\n    if count < {c}:\n        count += 1\nreturn count", Fraction(1)),
        (f"level = 0\nfor {r} in rows:\n    level = (level + {term.text}) / 2\nreturn level", None),
        (f"spent = 0\nfor {r} in rows:\n    if spent + {term.text} <= {c}:\n        spent += {term.text}\nreturn spent", None),
        (f"changes = 0\nprevious = None\nfor {r} in rows:\n    now = {condition}\n    if now != previous:\n"
         "        changes += 1\n    previous = now\nreturn changes", None),
        (f"total = 0\nfor {r} in rows:\n    if {condition}:\n        break\n    total += {term.text}\nreturn total", None),
        (f"values = [{term.text} for {r} in rows]\nreturn sum(1 for a, b in zip(values, values[1:]) if a < b)", None),
        (f"total = 0\nfor i, {r} in enumerate(rows):\n    if i < 2:\n        total += {term.text}\nreturn total", None),
        (f"return sum({term.text} for {r} in rows[:2])", None),
        (f"return sum(i * {term.text} for i, {r} in enumerate(rows) if i < 3)", None),
    )  # fmt: skip
    text, known = w.random.choice(texts)
    w.numbers.append(value)
    return scalar(text, known, known)


def at_once(w: Writer) -> Body:
    """What needs all rows at once: judged on a few rows only."""
    term, r = w.term(1), w.row
    return scalar(w.pick(
        f"values = sorted({term.text} for {r} in rows)\nreturn values[len(values) // 2] if values else 0",
        f"return len({{{term.text} for {r} in rows}})",
        f"values = sorted([{term.text} for {r} in rows])[1:-1]\nreturn sum(values)",
        f"seen = set()\nfor {r} in rows:\n    seen.add({term.text})\nreturn len(seen)",
    ), None, None)  # fmt: skip


def guarded(w: Writer) -> Body:
    """A number that may not be there, with a guard."""
    term, r = w.term(1), w.row
    c, value = w.number(positive=True)
    return scalar(w.pick(
        f"total = 0\nfor {r} in rows:\n    try:\n        total += {c} / {term.text}\n    except ZeroDivisionError:\n        total += 1\nreturn total",
        f"total = sum({term.text} for {r} in rows)\ncount = sum(1 for {r} in rows if {w.condition()})\nreturn total / count if count else 0",
        f"try:\n    return {c} / len(rows)\nexcept ZeroDivisionError:\n    return {c}",
        f"kept = [{term.text} for {r} in rows if {w.condition()}]\nreturn sum(kept) / len(kept) if kept else 0",
        f"count = sum(1 for {r} in rows if {w.condition()})\nreturn {c} if count > {literal(value)} else 0",
        f"if len(rows) > {c}:\n    return sum({term.text} for {r} in rows)\nreturn 0",
    ), None, None)  # fmt: skip


def chosen(w: Writer) -> Body:
    """A public parameter that is a text, a truth value or None decides what is summed."""
    term, r = w.term(1), w.row
    name, meant = w.random.choice((("mode", "'all'"), ("mode", "'none'"), ("strict", "True"), ("strict", "False"),
                                   ("wanted", "None")))  # fmt: skip
    w.parameters[name] = w.pick("", "None", meant)
    written = meant.strip("'") if w.chance(0.6) or not meant.startswith("'") else meant
    w.values[name], w.meant[name] = ("'none'" if written == "none" else written), meant
    test = {"mode": "mode == 'all'", "strict": "strict", "wanted": "wanted is None"}[name]
    is_true = meant in ("'all'", "True", "None")
    text = f"if {test}:\n    return sum({term.text} for {r} in rows)\nreturn len(rows)"
    return scalar(text, *((term.size, term.width) if is_true else (Fraction(1), Fraction(0))))


FORMS: Mapping[str, tuple[Callable[[Writer], Body], float]] = {
    "sum": (summed, 30),
    "count": (counted, 12),
    "size": (sized, 3),
    "any": (decided, 8),
    "extreme": (extreme, 8),
    "mean": (mean, 6),
    "histogram": (histogram, 12),
    "bins": (binned, 4),
    "cumulative": (cumulative, 4),
    "both": (both, 6),
    "bounded after": (bounded_after, 4),
    "in order": (in_order, 6),
    "at once": (at_once, 2),
    "guarded": (guarded, 3),
    "chosen": (chosen, 3),
}
"""The forms of functions, and how often each is written."""


def symbolic(random: Random) -> Query:
    """A query with symbols, whose bound is known in them."""
    changes = random.random() < 0.5
    neighbours = "change_one" if changes else "add_remove"
    pairs = [{"lower": a, "upper": b} for a, b in (("-3", "5"), ("0", "10"), ("2", "2"), ("-7", "-1"), ("1", "4"))]
    wide = "upper - lower" if changes else "max(abs(lower), abs(upper))"
    sums = (
        "return sum(min(max(r, lower), upper) for r in rows)",
        "total = 0\n    for r in rows:\n        if r < lower:\n            r = lower\n        elif r > upper:\n"
        "            r = upper\n        total += r\n    return total",
        "return sum(max(lower, min(r, upper)) for r in rows if r is not None)",
    )  # fmt: skip
    form = random.choice(("clamp", "clamp", "within", "times", "cap", "mean"))
    if form == "clamp":
        text, record = random.choice(sums), random.choice(("numbers", "-100..100"))
        rows, symbols, assume, assigned = ("-100", "0", "3", "100"), ("lower", "upper"), "lower <= upper", pairs
        unit, name = wide, "lower, upper"
        if changes and record == "-100..100":
            pass
    elif form == "within":
        text, record, unit, name = "return sum(rows)", "lower..upper", wide, "lower, upper"
        rows, symbols, assume, assigned = ("lower", "upper"), ("lower", "upper"), "lower <= upper", pairs
    elif form == "times":
        sort = random.choice(("", ":integer"))
        text, record, name = random.choice(("return k * len(rows)", "return sum(k for r in rows)")), "0..1", "k"
        rows, symbols, assume = ("0", "1"), (f"k{sort}",), None
        assigned, unit = [{"k": "3"}, {"k": "-2"}, {"k": "0"}], "abs(k)"
        changes = neighbours == "change_one"
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
    upper = Fraction(0) if form == "times" and changes else Fraction(1)
    return Query(
        subject, module, record, rows, neighbours, random.choice((1, 1, 1, 2)) if form != "mean" else 1,
        symbols=symbols, assume=assume, assigned=tuple(assigned), unit=unit,
        upper=None if module.manner == TOUCHING else upper,
    )  # fmt: skip
