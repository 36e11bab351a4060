"""Random randomised programs, as docs/how_to/prove.md says that they are written.

Each is one function with what it reads, and the adjacencies and conditions that it may be asked about.  The grammar
knows nothing of what is true: claims.py aims at that by running CPython.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from zlib import crc32

from tests.fuzzing.truth import Signature

HOME = "refdp.programs"
DRAWS = ("laplace", "discrete_laplace", "exponential", "gaussian", "bernoulli", "choice", "uniform")
OURS = (*DRAWS, "exp", "log", "argmax", "claim", "each", "ALL", "ONE", "L1", "L2", "MONO", "ADD_REMOVE")
RELATIONS: Mapping[str, str] = {
    "anything": "def anything(x, y):\n    return True",
    "near": "def near(x, y):\n    return abs(x - y) <= 2",
    "close": "def close(x, y):\n    return 0 <= x <= 2 and 0 <= y <= 2 and abs(x - y) <= 1",
    "within_one": "def within_one(x, y):\n    return abs(x) <= 1 and abs(y) <= 1 and abs(x - y) <= 1",
    "rises": "def rises(x, y):\n    return x <= y and y <= x + 1",
    "in_range": "def in_range(x, y):\n    return 0 <= x <= 1 and 0 <= y <= 1",
}
LOOKS_WITHIN = re.compile(r"\bin x\b|\bx\[|\b[a-z]+\(x\)")
"""Where a number may be used as a list is, by a slip or in a rarer program."""
Lines = list[str]


@dataclass(frozen=True, slots=True)
class Program:
    """A function without its claim, and what it needs."""

    family: str
    signature: Signature
    body: tuple[str, ...]
    adjacency: str
    where: tuple[str, ...] = ()
    constants: Mapping[str, str] = field(default_factory=dict)
    helpers: Mapping[str, str] = field(default_factory=dict)
    typed: bool = False
    losses: tuple[str, ...] = ()
    """What an author may think that is lost, in the parameters."""
    claims: tuple[str, ...] = ()
    """Claims of which one is made, where no loss is aimed at."""

    def source(self, claimed: str, name: str = "program") -> str:
        """The function with a claim."""
        data = {"float": "x", "list[float]": "q"}.get(self.signature.data)
        if data == "x" and LOOKS_WITHIN.search("\n".join(self.body)):
            data = "x: float"  # without an annotation, what is gone through is a list
        first = data or f"{'q' if self.signature.is_list else 'x'}: {self.signature.data}"
        public = [f"{one}: {kind}" if kind else one for one, kind in self.signature.public.items()]
        head = f"def {name}({', '.join([first, *public])}):"
        return "\n".join([f"@claim({claimed}, adjacency={self.adjacency})", head, *indented(self.body)])

    def imported(self, source: str) -> dict[str, str]:
        """The names of refdp.programs that the text reads."""
        text = source + "".join(self.helpers.values())
        ours = {name: HOME for name in OURS if re.search(rf"\b{name}\b", text) and name not in self.helpers}
        return ours | ({"Fraction": "fractions"} if "Fraction(" in text else {})


def indented(lines: tuple[str, ...] | Lines) -> Lines:
    """The lines one level deeper."""
    return [f"    {line}" for line in lines]


def program(random: Random) -> Program:
    """A random program."""
    names, weights = zip(*FAMILIES.items(), strict=True)
    family = random.choices(names, [weight for weight, _ in weights])[0]
    return Writer(random, family).program()


@dataclass(slots=True)
class Writer:
    """What is needed to write one program."""

    random: Random
    family: str
    data: str = "float"
    public: dict[str, str] = field(default_factory=dict)
    where: list[str] = field(default_factory=list)
    constants: dict[str, str] = field(default_factory=dict)
    helpers: dict[str, str] = field(default_factory=dict)
    typed: bool = False
    adjacencies: tuple[str, ...] = ()
    losses: list[str] = field(default_factory=list)
    claims: tuple[str, ...] = ()

    def program(self, write: Callable[[Writer], Lines] | None = None) -> Program:
        """The program."""
        body = (write or FAMILIES[self.family][1])(self)
        self.drop_unused(body)
        adjacency = self.pick(*(self.adjacencies or self.usual_adjacencies()))
        if self.data.startswith("list") and "n" not in self.public:
            # Not drawn, so that every other program stays what it is by its seed.
            kind = crc32("\n".join(body).encode()) % 12
            adjacency = {0: "ADD_REMOVE", 1: "each(ADD_REMOVE, changed=2)", 2: "ADD_REMOVE"}.get(kind, adjacency)
        for name in RELATIONS:
            if re.search(rf"\b{name}\b", adjacency):
                own = self.pick("ALL", "ONE", "related", "neighbours") if self.chance(0.1) else name
                adjacency = re.sub(rf"\b{name}\b", own, adjacency)
                self.helpers[own] = RELATIONS[name].replace(f"def {name}", f"def {own}")
        if self.chance(0.08):
            self.where.append(
                self.pick("epsilon < 1", "epsilon <= 2", "epsilon >= 1/2") if "epsilon" in self.public else "1 > 0"
            )
        if self.data.startswith("list") and self.chance(0.06):
            self.where.append(self.pick("n >= 1", "n == 2", "n <= 3", "n > 2"))
        if "ADD_REMOVE" in adjacency:
            self.where = [one for one in self.where if not re.search(r"\bn\b", one)]
        signature = Signature(self.data, dict(self.public))
        return Program(
            self.family, signature, tuple(body), adjacency, tuple(self.where), self.constants, self.helpers,
            self.typed, tuple(self.losses), self.claims,
        )  # fmt: skip

    def drop_unused(self, body: Lines) -> None:
        """Forget what was thought of and not written: parameters, constants, helpers, and conditions about them."""
        text = "\n".join([*body, *self.helpers.values()])
        unused = [name for name in self.public if name != "epsilon" and not re.search(rf"\b{name}\b", text)]
        for name in unused:
            del self.public[name]
            self.where = [one for one in self.where if not re.search(rf"\b{name}\b", one)]
        known = {*self.public, "ln"}
        self.losses = [one for one in self.losses if set(re.findall(r"[a-z]+", one)) <= known]
        self.constants = {name: value for name, value in self.constants.items() if re.search(rf"\b{name}\b", text)}
        called = "\n".join(body)
        self.helpers = {name: one for name, one in self.helpers.items() if f"{name}(" in called}

    # Small choices.

    def pick(self, *options: str) -> str:
        """One of the texts."""
        return self.random.choice(options)

    def chance(self, share: float) -> bool:
        """True in that share of the cases."""
        return self.random.random() < share

    def usual_adjacencies(self) -> tuple[str, ...]:
        """The adjacencies that fit the data."""
        if self.data == "bool":
            return "ALL", "ALL", "anything", "ONE"
        if self.data == "list[bool]":
            return "ONE", "ONE", "each(anything, changed=1)", "ALL", "each(anything, changed=2)", "L1"
        if self.data in ("int", "float"):
            return "ALL", "ALL", "ALL", "ONE", "L1", "close" if self.data == "int" else "near", "rises", "MONO"
        if self.family in ("above threshold", "greatest"):
            return "ALL", "ALL", "ALL", "ONE", "MONO", "each(ALL, changed=2)", "L1"
        return ("ALL", "ONE", "ONE", "ONE", "L1", "L1", "MONO", "L2", "each(within_one, changed=1)",
                'each(near, total="2")', "each(ALL, changed=2)", "each(in_range, changed=1)")  # fmt: skip

    def epsilon(self) -> str:
        """The privacy parameter."""
        self.public.setdefault("epsilon", "")
        return "epsilon"

    def scale(self) -> str:
        """The scale of a draw."""
        e = self.epsilon()
        usual = self.pick(
            f"1 / {e}", f"1 / {e}", f"1 / {e}", f"2 / {e}", f"1 / (2 * {e})", f"3 / {e}", f"4 / (3 * {e})"
        )
        if self.chance(0.72):
            return usual
        match self.random.randrange(9):
            case 0:
                self.public["k"] = self.pick("", "", "int", "float")
                return f"k / {e}"
            case 1:
                if "s" in self.public:
                    return usual
                self.public["s"] = self.pick("", "float")
                self.where.append("s > 0")
                self.losses += ["1/s", "epsilon/s", "epsilon"]
                return self.pick("s", "s", f"s / {e}")
            case 2:
                if "s" in self.public:
                    return usual
                self.public["s"] = self.pick("", "float")
                self.where.append("s < 0")
                self.losses += ["-1/s", "epsilon"]
                return "-s"
            case 3:
                self.constants["SCALE"] = self.pick("2", "1", "3")
                return f"SCALE / {e}"
            case 4:
                return self.pick("3", "1", "2", "0.5")
            case 5:
                return e
            case 6:
                self.public["N"] = ""
                return f"2 * N / {e}"
            case 7:
                self.public["B"] = self.pick("", "float", "int")
                self.where.append("B > 0")
                return f"B / {e}"
        return usual

    def noise(self) -> str:
        """A draw of infinitely many values."""
        if "int" in self.data:
            family = self.random.choices(("laplace", "discrete_laplace", "exponential", "gaussian"), (3, 6, 1, 0.5))[0]
        else:
            family = self.random.choices(("laplace", "exponential", "gaussian"), (8, 1, 0.6))[0]
        if family == "gaussian" and self.chance(0.6):
            self.public["sigma"] = ""
            return "gaussian(sigma)"
        return f"{family}({self.scale()})"

    def level(self) -> str:
        """A threshold."""
        if self.chance(0.4):
            return self.pick("0", "1", "2", "5")
        if self.chance(0.3):
            self.constants["LEVEL"] = self.pick("1", "0", "3")
            return "LEVEL"
        self.public["T"] = "int" if "int" in self.data else ""
        return "T"

    def value(self, x: str) -> str:
        """A number that is worked out from one."""
        if self.chance(0.5):
            return x
        if self.chance(0.12):
            name = self.pick("clipped", "scaled", "positive")
            body = {"clipped": "max(0, min(value, 3))", "scaled": "2 * value", "positive": "value if value > 0 else 0"}[
                name
            ]
            self.helpers[name] = f"def {name}(value):\n    return {body}"
            return f"{name}({x})"
        half = f"{x} / 2" if "int" not in self.data else f"2 * {x} + 1"
        return self.pick(f"2 * {x}", f"{x} + 1", f"-{x}", f"max({x}, 0)", f"min({x}, 5)", f"max(0, min({x}, 1))",
            f"abs({x})",
                         half, f"3 - {x}", f"({x} if {x} > 0 else 0)", f"{x} + {self.level()}", f"3 * {x}")  # fmt: skip

    def aggregate(self) -> tuple[Lines, str]:
        """A number that is worked out from a list."""
        if self.chance(0.3):
            test = f"x > {self.level()}"
            lines = ["total = 0", "for x in q:"]
            inner = self.pick("x", "x", self.value("x"))
            body = (
                [f"total += {inner}"]
                if self.chance(0.6)
                else [f"if {test}:", f"    total += {self.pick('1', '1', 'x')}"]
            )
            return [*lines, *indented(body)], "total"
        if self.chance(0.2):
            self.where.append("n >= 1")
            return [], self.pick("q[0]", "max(q)", "min(q)", "q[0]", "sum(q) / len(q)")
        if self.chance(0.1):
            self.where.append("n >= 2")
            return [], self.pick("q[0] + q[1]", "q[1] - q[0]", "q[1]")
        return [], self.pick("sum(q)", "sum(q)", "len(q)", f"sum(1 for x in q if x > {self.level()})",
         "sum(max(0, min(x, 1)) for x in q)",
                             f"sum({self.value('x')} for x in q)", f"sum(x >= {self.level()} for x in q)")  # fmt: skip

    def told(self, noisy: str) -> Lines:
        """What is returned of a noisy number."""
        if self.chance(0.5):
            return [f"return {noisy}"]
        if self.chance(0.3):
            yes, no = self.pick(
                "True False", "'above' 'below'", "1 0", "'yes' None", "True None", "'inf' float('inf')", "1 1.0"
            ).split()
            return [f"if {noisy} {self.pick('>', '>=', '<')} {self.level()}:", f"    return {yes}", f"return {no}"]
        return self.random.choice((
            [f"noisy = {noisy}", "return noisy"],
            [f"noisy = {noisy}", "return max(0, noisy)"],
            [f"noisy = {noisy}", f"return {self.pick('2 * noisy', 'noisy + 1', '-noisy', 'noisy / 2')}"],
            [f"noisy = {noisy}", "return noisy, 'done'"],
            [f"noisy = {noisy}", f"return noisy >= {self.level()}"],
            [f"noisy = {noisy}", f"return noisy if noisy > {self.level()} else None"],
            [f"noisy = {noisy}", "if noisy < 0:", "    noisy = 0", "return noisy"],
            [f"noisy = {noisy}", "return noisy, noisy"],
        ))  # fmt: skip

    # Families.

    def one_number(self) -> Lines:
        """A number with noise."""
        self.data = self.pick("float", "float", "int", "int", "bool")
        inner = self.value("x") if self.data != "bool" else self.pick("x", "(1 if x else 0)", "(2 if x else 1)")
        if self.chance(0.15):
            return [f"noise = {self.noise()}", f"if noise > {self.level()}:", f"    return {inner} + noise",
                    *self.told(f"{self.value('x')} + noise")]  # fmt: skip
        if self.chance(0.1):
            return [
                f"noise = {self.noise()}",
                f"return {inner} + noise, {self.value('x')} + {self.pick('noise', self.noise())}",
            ]
        return self.told(
            self.pick(f"{inner} + {self.noise()}", f"{inner} + {self.noise()}", f"{inner} - {self.noise()}")
        )

    def several_times(self) -> Lines:
        """A number with noise, several times over."""
        self.data = self.pick("float", "int")
        self.epsilon()
        self.public["k"] = self.pick("", "", "int")
        value = self.value("x")
        draw = self.pick("laplace", "laplace", "discrete_laplace" if self.data == "int" else "laplace")
        said = f"{value} + {draw}({self.pick('k / epsilon', '1 / epsilon', 'k / (2 * epsilon)')})"
        return self.random.choice((
            ["for _ in range(k):", f"    yield {said}"],
            ["i = 0", "while i < k:", f"    yield {said}", "    i += 1"],
            ["for i in range(k):", f"    noisy = {said}", f"    yield noisy > {self.level()}"],
        ))  # fmt: skip

    def aggregates(self) -> Lines:
        """A sum, count or maximum with noise."""
        self.data = self.pick("list[float]", "list[int]")
        lines, found = self.aggregate()
        return [*lines, *self.told(f"{found} + {self.noise()}")]

    def each_element(self) -> Lines:
        """Every element with noise."""
        self.data = self.pick("list[float]", "list[int]")
        noise = self.noise()
        said = f"{self.value('x')} + {noise}"
        return self.random.choice((
            [f"return [{said} for x in q]"],
            ["for x in q:", f"    yield {said}"],
            ["answers = []", "for x in q:", f"    answers.append({said})", "return answers"],
            ["for x in q:", f"    noisy = {said}", f"    yield noisy {self.pick('>', '<=')} {self.level()}"],
            ["total = 0", "for x in q:", f"    total += {said}", "    yield total"],
            [f"noise = {noise}", "for x in q:", f"    yield {self.value('x')} + noise"],
            ["for i, x in enumerate(q):", "    if i < 2:", f"        yield {said}"],
            ["for x in q:", f"    if x > {self.level()}:", f"        yield {said}", "    else:", "        yield None"],
        ))  # fmt: skip

    def above_threshold(self) -> Lines:
        """Which answers are above a noisy threshold."""
        self.data = self.pick("list[float]", "list[int]")
        draw = "discrete_laplace" if self.data == "list[int]" and self.chance(0.6) else "laplace"
        self.epsilon()
        self.losses += ["epsilon"]
        level = self.level()
        first, second = self.pick("2", "2", "2", "4", "1"), self.pick("4", "4", "4", "2", "1")
        limited = self.chance(0.3)
        if limited:
            self.public["N"] = ""
        second = f"{second} * N" if limited else second
        yes, no = self.pick("True False", "True False", "1 0", "'above' 'below'", "'above' None").split()
        lines = [f"threshold = {level} + {draw}({first} / epsilon)"]
        noisy = f"x + {draw}({second} / epsilon)"
        compared = self.pick(f"{noisy} >= threshold", f"{noisy} > threshold",
                             "x >= threshold" if self.chance(0.3) else f"threshold <= {noisy}")  # fmt: skip
        stop = ["count += 1", "if count >= N:", "    break"] if limited else ["break"] if self.chance(0.8) else []
        if limited:
            lines.append("count = 0")
        if self.chance(0.8):
            return [*lines, "for x in q:", f"    if {compared}:", f"        yield {yes}", *indented(indented(stop)),
                    "    else:", f"        yield {no}"]  # fmt: skip
        self.public.pop("N", None)
        compared = compared.replace(" * N", "")
        return [
            lines[0],
            "for i, x in enumerate(q):",
            f"    if {compared}:",
            "        return i",
            f"return {self.pick('None', '-1')}",
        ]

    def greatest(self) -> Lines:
        """The place of the greatest noisy answer."""
        self.data = self.pick("list[float]", "list[float]", "list[int]")
        draw = (
            "discrete_laplace"
            if self.data == "list[int]" and self.chance(0.6)
            else self.pick("laplace", "laplace", "exponential")
        )
        self.epsilon()
        self.losses += ["epsilon"]
        noise = f"{draw}({self.pick('2', '2', '1', '4')} / epsilon)"
        if self.chance(0.15):
            self.where.append("n >= 1")
            return self.random.choice((
                [f"noisy = [x + {noise} for x in q]", "return noisy.index(max(noisy))"],
                [f"return argmax([x + {noise} for x in q])"],
            ))  # fmt: skip
        told = self.pick("place", "place", "place", "best", "place, best")
        return ["best, place = None, None", "for i, x in enumerate(q):", f"    noisy = x + {noise}",
                f"    if best is None or noisy {self.pick('>', '>', '>=')} best:", "        best, place = noisy, i",
                f"return {told}"]  # fmt: skip

    def chosen(self) -> Lines:
        """A place, by weights."""
        self.data = self.pick("list[int]", "list[float]")
        self.epsilon()
        self.losses += ["epsilon"]
        self.where.append("n >= 1")
        weight = self.pick("exp(epsilon * x / 2)", "exp(epsilon * x)", "exp(epsilon * x / 2)", "exp(x * epsilon / 4)")
        self.adjacencies = ("ALL", "ALL", "MONO", "ONE")
        return self.random.choice((
            [f"return choice([{weight} for x in q])"],
            ["weights = []", "for x in q:", f"    weights.append({weight})", "return choice(weights)"],
        ))  # fmt: skip

    def probability(self) -> str:
        """The probability of a lie."""
        if self.chance(0.5):
            return self.pick('"1/4"', '"1/3"', '"1/10"', '"1/2"', '"2/5"', '"2/3"')
        match self.random.randrange(6):
            case 0 | 1:
                self.epsilon()
                self.losses += ["epsilon", "epsilon"]
                return self.pick(
                    "1 / (1 + exp(epsilon))", "1 / (1 + exp(epsilon / 2))", "1 / (1 + epsilon)",
                    "1 / (1 + exp(min(epsilon, 1)))",
                )  # fmt: skip
            case 2:
                self.public["f"] = self.pick("", "float")
                self.where.append(self.pick("0 < f and f < 1", "0 < f and f < 1/2"))
                self.losses += ["ln((1 - f)/f)", "ln((2 - f)/f)", "0"]
                return self.pick("f", "f / 2")
            case 3:
                self.constants["LIE"] = self.pick("0.25", "0.25", "1 / 3", '"1/5"')
                return "LIE"
            case 4:
                self.public["p"] = self.pick("", "float")
                self.losses += ["ln((1 - p)/p)", "ln((1 - p)/p)"]
                self.where.append("0 < p and p <= 1/2")
                return "p"
        return self.pick('"0"', '"1"', '"1/4"')

    def responses(self) -> Lines:
        """Truth values with lies."""
        self.data = self.pick("bool", "bool", "list[bool]")
        p = self.probability()
        x = self.pick(
            "bit != bernoulli({p})", "bit == (not bernoulli({p}))", "not bit if bernoulli({p}) else bit"
        ).format(p=p)
        x = x.replace("bit", "x")
        coin = self.pick('"1/2"', '"1/3"', '"1/4"')
        if self.data == "bool":
            return self.random.choice((
                [f"return {x}"],
                [f"lie = bernoulli({p})", "if lie:", "    return not x", "return x"],
                [f"said = {x}", "if said:", "    return 'yes'", "return 'no'"],
                [f"if bernoulli({p}):", f"    return bernoulli({coin})", "return x"],
                [f"said = {x}", f"again = {x}", "return said, again"],
            ))  # fmt: skip
        return self.random.choice((
            ["for x in q:", f"    yield {x}"],
            [f"return [{x} for x in q]"],
            ["for x in q:", f"    if bernoulli({p}):", f"        yield bernoulli({coin})", "    else:",
             "        yield x"],
            ["count = 0", "for x in q:", f"    if {x}:", "        count += 1", "return count"],
            ["for x in q:", f"    said = {x}", "    yield said", "    if said:", "        break"],
        ))  # fmt: skip

    def mixtures(self) -> Lines:
        """Answers from finitely many, by several draws."""
        self.data = self.pick("bool", "int", "list[bool]")
        self.adjacencies = {
            "int": ("close",),
            "list[bool]": ("each(anything, changed=1)", "ONE"),
            "bool": ("ALL", "anything"),
        }[self.data]
        self.typed = self.data != "list[bool]"
        say = "yield" if self.data == "list[bool]" else "return"
        test = "x" if self.data != "int" else self.pick("x > 0", "x == 1", "x >= 2", "x < 1")
        outputs = self.random.sample(["0", "1", "'none'", "None", "True", "'yes'", "'no'", "2"], 3)
        if self.typed and self.chance(0.15):
            outputs[:2] = self.pick(
                "1 1.0", "0 0.0", "'inf' float('inf')", "True 'True'", "1 True", "None 'None'", "2 '2'"
            ).split()
        coin = self.pick(
            f"bernoulli({self.probability()})",
            "uniform(0, 2) == 0",
            f"choice([{self.pick('1, 2', '3, 1', '1, 1, 2')}]) == 0",
        )
        other = self.pick("bernoulli('1/2')", "uniform(1, 3) <= 1", coin)
        a, b, c = outputs
        body = self.random.choice((
            [f"if {coin}:", f"    {say} {a}", f"elif {test}:", f"    {say} {b}", "else:",
             f"    {say} {self.pick(a, c)}"],
            [f"if {test}:", f"    if {coin}:", f"        {say} {a}", "    else:", f"        {say} {b}", "else:",
             f"    if {other}:", f"        {say} {a}", "    else:", f"        {say} {b}"],
            [f"lie = {coin}", f"if lie == ({test}):", f"    {say} {a}", "else:", f"    {say} {b}"],
            [f"die = uniform(0, {self.pick('2', '3', '5')})", "if die == 0:", f"    {say} {a}",
             f"elif die == 1 or ({test}):",
             f"    {say} {b}", "else:", f"    {say} {self.pick(c, a)}"],
            [f"place = choice([{self.pick('1, 1, 1', '3, 1, 2', '4, 1')}])", f"if place == 0 and {test}:",
             f"    {say} {a}", "elif place > 0:",
             f"    {say} {b}", "else:", f"    {say} {c}"],
            [f"if {test}:", f"    {say} {a}", "else:", f"    {say} {b}"],
        ))  # fmt: skip
        return ["for x in q:", *indented(body)] if say == "yield" else body

    def answers(self) -> Lines:
        """One of three answers, permanent and instantaneous answers, and a coin whose bias is the datum."""
        p = self.probability()
        match self.random.randrange(4):
            case 0:
                self.data, self.adjacencies = "int", ("close", "close", "anything")
                return self.random.choice((
                    [f"if bernoulli({p}):", "    return uniform(0, 2)", "return x"],
                    [f"if bernoulli({p}):", "    other = uniform(0, 1)",
                     "    return other if other < x else other + 1", "return x"],
                    ["if x == 0:", "    return choice([2, 1, 1])", "if x == 1:", "    return choice([1, 2, 1])",
                     "return choice([1, 1, 2])"],
                ))  # fmt: skip
            case 1:
                self.data = "list[bool]"
                second = self.pick("'1/4' '3/4'", "'1/3' '1/2'", "r s").split()
                if second == ["r", "s"]:
                    self.public |= {"r": "", "s": ""}
                    self.where.append("0 < r and r < 1 and 0 < s and s < 1")
                return ["for x in q:", f"    permanent = x != bernoulli({p})", "    if permanent:",
                 f"        yield bernoulli({second[0]})",
                        "    else:", f"        yield bernoulli({second[1]})"]  # fmt: skip
            case 2:
                self.data, self.adjacencies = "float", ("in_range", "each(in_range, total=1)")
                return self.random.choice((
                    ["return bernoulli(x)"],
                    [f"return bernoulli(x) != bernoulli({p})"],
                    [f"if bernoulli({p}):", "    return bernoulli('1/2')", "return bernoulli(x)"],
                ))  # fmt: skip
        self.data = self.pick("bool", "bool", "list[bool]")
        if self.data == "bool":
            return [f"first = x != bernoulli({p})", f"return first != bernoulli({self.probability()})"]
        return [
            "for x in q:",
            f"    first = x != bernoulli({p})",
            f"    yield first != bernoulli({self.probability()})",
        ]

    def whole_numbers(self) -> Lines:
        """An integer with a draw from a range."""
        self.data = "int"
        self.adjacencies = ("close", "close", "ALL")
        width = self.pick("3", "5", "2")
        return self.random.choice((
            [f"return x + uniform(0, {width})"],
            [f"said = uniform(0, {width})", "if said == 0:", "    return x", "return said"],
            [f"said = x + uniform(-{width}, {width})", "return max(0, min(said, 3))"],
            [f"if bernoulli({self.probability()}):", "    return uniform(0, 2)", "return x"],
        ))  # fmt: skip

    def in_loops(self) -> Lines:
        """Counters and running sums."""
        self.data = self.pick("list[float]", "list[int]")
        noise = self.noise()
        return self.random.choice((
            ["total, count = 0, 0", "for x in q:", "    total += x", "    count += 1",
             f"return total + {noise}, count"],
            ["total = 0", "for x in q:", "    total += x", f"    yield total + {noise}"],
            ["total = 0", "for i in range(len(q)):", "    total += q[i]", f"return total + {noise}"],
            ["seen = 0", "for x in q:", f"    if x > {self.level()}:", "        seen += 1", f"return seen + {noise}"],
            ["for x in q:", f"    if x + {noise} > {self.level()}:", "        yield 'high'", "        continue",
             "    yield 'low'"],
            ["best = 0", "for x in q:", "    if x > best:", "        best = x", f"return best + {noise}"],
            ["for i, x in enumerate(q):", "    if i == 0:", f"        yield x + {noise}", "    else:",
             "        yield 'other'"],
            ["last = 0", "for x in q:", f"    yield x - last + {noise}", "    last = x"],
            ["if len(q) > 2:", f"    return sum(q) + {noise}", "return 'too few'"],
            [f"if len(q) == {self.pick('1', '2')}:", f"    yield q[0] + {noise}"],
        ))  # fmt: skip


FAMILIES: Mapping[str, tuple[float, Callable[[Writer], Lines]]] = {
    "one number": (6, Writer.one_number),
    "several times": (1.5, Writer.several_times),
    "aggregates": (4, Writer.aggregates),
    "each element": (4, Writer.each_element),
    "above threshold": (3, Writer.above_threshold),
    "greatest": (2, Writer.greatest),
    "chosen": (1, Writer.chosen),
    "responses": (5, Writer.responses),
    "mixtures": (5, Writer.mixtures),
    "answers": (3, Writer.answers),
    "whole numbers": (1.5, Writer.whole_numbers),
    "in loops": (2.5, Writer.in_loops),
}
"""How often each family is written, and how."""
