"""Numbers and conditions that a query works out from a row, each with an interval that encloses its values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

from tests.fuzzing.query_kinds import Kind, Labels, Maybe, Numbers, exact_text, literal, numbers

LABELS = (("a", "b"), ("a", "b", "c"), ("female", "male"), ("Adelie", "Gentoo"), ("north", "south", "east"))


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
    is_misspelt: bool = False
    is_closed: bool = True
    """Whether the intervals of the terms are those of what the function works out."""
    odd_rows: tuple[str, ...] = ()
    """Records in place of those that the kinds have."""

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
        if chosen < 0.54:
            return numbers(*self.random.choice(((0, 4), (0, 120), (-2, 3), (0, 1), (1, 10))), is_whole=True)
        if chosen < 0.74:
            return Labels(self.random.choice(LABELS))
        if chosen < 0.8:
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
        if how < 0.5 or len(self.parameters) + len(self.constants) > 3:
            text = literal(value)
            return (f"({text})" if " " in text or value < 0 else text), value
        if how < 0.6:
            return self.constant(literal(value)), value
        if how < 0.7:
            other = self.random.randint(0, 9)
            at = self.random.choice((0, 1, -1))
            items = f"[{literal(value)}, {other}]" if at == 0 else f"[{other}, {literal(value)}]"
            return f"{self.constant(items)}[{at}]", value
        if how < 0.8:
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
        self.is_closed = False
        first, last = self.random.randint(1, 4), self.random.randint(5, 9)
        public = self.constant(str(first))
        forms = (
            f"k = {first}\nof_row = lambda {r}: k * ({text})\nk = {last}",
            f"k = {first}\nof_row = lambda {r}, k=k: k * ({text})\nk = {last}",
            f"{public} = {last}\nof_row = lambda {r}, k={public}: k * ({text})",
            f"of_row = lambda {r}, k={public}: k * ({text})",
            f"k = {first}\ninner = lambda x: k * x\nof_row = lambda {r}, k={last}: inner({text})",
            f"make = lambda k: lambda {r}: k * ({text})\nof_row = make({last})",
            f"k = {first}\nmake = lambda a: lambda {r}: (a + k) * ({text})\nof_row = make({first})\nk = {last}",
            f"inner = lambda k: k * {last}\nof_row = lambda {r}: inner({text})",
        )
        self.lead.append(self.random.choice(forms))
        return "of_row"


def add(a: Fraction | None, b: Fraction | None) -> Fraction | None:
    """The sum, None where one is None."""
    return None if a is None or b is None else a + b


def clamped(x: Fraction | None, low: Fraction, high: Fraction, otherwise: Fraction) -> Fraction:
    """A number brought within bounds; the last where there is none."""
    return otherwise if x is None else min(max(x, low), high)


def hull(*numbers: Fraction | None) -> Fraction | None:
    """How far these are apart at most."""
    found = [one for one in numbers if one is not None]
    return max(found) - min(found) if len(found) == len(numbers) else None


def times(a: Fraction | None, b: Fraction) -> Fraction | None:
    """The product, None where the first is None."""
    return None if a is None else a * b
