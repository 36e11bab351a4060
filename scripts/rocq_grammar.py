"""Programs for scripts/rocq_programs.py, drawn by a seed from a grammar after docs/how_to/prove.md.

Every claim is true by construction: each number of the data is read through noise alone, whose cost is added up while
the program is written, or the program is one of the textbook's, whose cost is known.  What is drawn besides is what a
file for Rocq may stumble over: names, truth values that are remembered, ways that part and end early.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

HOME = "refdp.programs"
OURS = (
    "ALL", "L1", "L2", "MONO", "ONE", "bernoulli", "claim", "discrete_laplace", "each", "exponential", "laplace",
)  # fmt: skip
"""What programs import."""
CALLED = frozenset((*OURS, "range", "enumerate", "len", "sum", "max", "min", "abs", "exp", "log"))
"""What a function calls, and so cannot bind itself."""
ODD_NAMES: Mapping[str, tuple[str, ...]] = {
    "words of Coq": (
        "forall",
        "fun",
        "let",
        "match",
        "fix",
        "cofix",
        "exists",
        "exists2",
        "then",
        "end",
        "where",
        "using",
        "at",
        "by",
        "Prop",
        "Set",
        "Type",
        "SProp",
        "mod",
        "IF",
        "Lemma",
        "Theorem",
        "Definition",
        "Section",
        "Variable",
        "Hypothesis",
        "Context",
        "Axiom",
        "Proof",
        "Qed",
        "Admitted",
        "Fixpoint",
        "Module",
        "Require",
        "Import",
    ),
    "tactics": (
        "intros",
        "apply",
        "exact",
        "split",
        "lia",
        "lra",
        "ring",
        "rewrite",
        "unfold",
        "destruct",
        "specialize",
        "pose",
        "refine",
        "reflexivity",
        "auto",
        "subst",
        "clear",
        "rename",
        "discharge",
        "all_parts",
        "known_facts",
        "numbers_",
        "same_item",
        "size_is",
        "premise",
        "public_fact",
        "linear",
        "equations",
        "said_as",
        "solve",
    ),
    "letters": tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmopqrstuvwxyz"),
    "types": (
        "R",
        "Z",
        "nat",
        "IZR",
        "INR",
        "Rabs",
        "Rle",
        "Rlt",
        "Rplus",
        "PI",
        "bool",
        "true",
        "false",
        "list",
        "unit",
        "tt",
        "negb",
        "andb",
        "orb",
        "string",
        "option",
        "eq",
        "sum_",
        "prod",
        "pair",
        "fst",
        "snd",
        "le",
        "lt",
        "S",
        "O",
        "Empty_set",
        "True_",
        "False_",
        "Some",
        "nil",
        "cons",
        "Bool",
        "Datatypes",
        "Tables",
    ),
    "words of the library": (
        "Step",
        "Run",
        "step",
        "run",
        "noises",
        "draw",
        "done",
        "on",
        "again",
        "finish",
        "law",
        "plain",
        "loop",
        "straight",
        "never",
        "follows",
        "couples",
        "holds",
        "floored",
        "at_most",
        "less",
        "equal",
        "spent",
        "change",
        "changed",
        "related",
        "pure",
        "private",
        "approximate",
        "number",
        "truth",
        "text",
        "nothing",
        "item",
        "told",
        "released_by",
        "leads",
        "seen",
        "released",
        "output",
        "way",
        "moves",
        "sure",
        "linf_related",
        "only",
    ),
    "words of the file": (
        "noise",
        "x",
        "y",
        "z",
        "i",
        "s",
        "g",
        "o",
        "t",
        "c",
        "b",
        "some",
        "none",
        "inside",
        "outside",
        "small",
        "cases",
        "related_",
        "whole",
        "cost",
        "other",
        "loss",
        "bound",
        "condition",
        "state",
        "limit",
        "the_data",
        "the_neighbour",
        "kept_again",
        "told_here",
        "empty",
        "n_",
    ),
    "what proofs number": (
        "first",
        "second",
        "public",
        "near",
        "place",
        "paid",
        "given",
        "kept",
        "rate",
        "same",
        "within",
        "possible",
        "positive",
        "above",
        "below",
        "budget",
        "released",
        "the_state",
        "possible_again",
        "paid_for",
    ),
    "theorems": (
        "changed_at",
        "spent_next",
        "le_IZR",
        "exp_pos",
        "laplace_moves",
        "loop_follows",
        "linf_related",
        "andb_true_iff",
        "charged_is",
        "follows_weaker",
        "bernoulli_stays",
        "Req_le",
    ),
    "numbered": (
        "draw_0",
        "draw_1",
        "draw_2",
        "cost_0",
        "cost_1",
        "first_0",
        "x_1",
        "place_0",
        "near_0",
        "given_0",
        "c_1",
        "same_0",
        "within_0",
        "kept_1",
        "public_0",
        "x_0",
        "s_1",
        "the_state_1",
        "v_R",
        "v_x",
        "shared_1",
        "a_2",
    ),
    "underscores": ("_a", "a_", "a__b", "__", "_1", "_", "v_", "_R", "unset", "unset_1", "program_f", "program", "Z_"),
}
"""Names that a file for Rocq may stumble over, by the reason why."""
NOT_OF_ELEMENTS = frozenset({"draw", "data", "other", "others", "public", "cost", "rest", "change"})
"""Names that the reader does not take for what a loop goes through."""
PLAIN_NAMES = ("level", "found", "best", "noisy", "value", "count", "flag", "answer", "score", "high", "size", "rows")
FUNCTIONS_ALONE = ("größe", "summe_ü", "Σ", "función")
"""Names that Python allows, and refdp for functions alone."""
TEXTS = ('"above"', '"below"', '"(*"', '"*) Qed."', "'say \"no\"'", '"a. b"', '""', '"None"')
DECK, DEALT = "ABCDFGHIJKLMNPQRTUVWXYZ", 3
"""Letters, of which each program has some as names of parameters that nothing else need read.

Of E, O and S it is known that no parameter is written under them.
"""
Lines = list[str]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A program with one claim."""

    number: int
    family: str
    text: str
    function: str
    names: frozenset[str]
    """The names that the function binds, and its own."""


def drawn(seed: int, number: int) -> Drawn:
    """The program of that number; every letter of the deck is a parameter's name once in eight programs."""
    letters = list(DECK)
    Random(seed).shuffle(letters)
    dealt = [letters[(DEALT * number + k) % len(letters)] for k in range(DEALT)]
    return Writer(Random(f"{seed} {number}"), number, dealt).program()


def indented(lines: Sequence[str]) -> Lines:
    """The lines one level deeper."""
    return [f"    {line}" for line in lines]


@dataclass(slots=True)
class Writer:
    """What is needed to write one program."""

    random: Random
    number: int
    dealt: list[str]
    function: str = ""
    data: str = ""
    epsilon: str = ""
    is_whole: bool = False
    says_truths: bool = False
    """Whether what is released are truth values and texts; numbers and texts elsewhere."""
    pairs: bool = False
    """Whether each release is a text and something else."""
    names: list[str] = field(default_factory=list)
    public: dict[str, str] = field(default_factory=dict)
    """The parameters with their types."""
    where: list[str] = field(default_factory=list)
    costs: list[str] = field(default_factory=list)
    helpers: dict[str, str] = field(default_factory=dict)
    states: dict[str, list[str]] = field(default_factory=lambda: {"real": [], "whole": [], "truth": []})
    """What is known to be released already, or to follow from that, by its kind."""
    given: dict[str, str] = field(default_factory=dict)

    def program(self) -> Drawn:
        """The program."""
        names, weights = zip(*((name, weight) for name, (weight, _) in FAMILIES.items()), strict=True)
        family = self.random.choices(names, weights)[0]
        self.function = self.pick(*FUNCTIONS_ALONE) if self.chance(0.06) else self.name()
        self.is_whole = self.chance(0.3)
        self.says_truths, self.pairs = self.chance(0.5), self.chance(0.2)
        is_one = family in ("one number", "rounds")
        self.data = self.name()
        self.epsilon = self.parameter("float", above="0")
        body, adjacency = FAMILIES[family][1](self)
        for name in (one for one in self.dealt if one not in self.names):
            self.names.append(name)
            self.public[name] = self.pick("float", "float", "int")
        if self.chance(0.08):
            self.public[self.name(1)] = "float"
        element = "int" if self.is_whole else "float"
        data = f"{self.data}: {element if is_one else f'list[{element}]'}"
        words = [f'epsilon="{self.claimed()}"']
        if self.chance(0.08):
            words.append('delta="1/1000"')
        words.append(f"adjacency={adjacency}")
        if self.where:
            words.append(f'where="{" and ".join(self.where)}"')
        if self.given:
            words.append(f"given={self.given!r}")
        head = f"def {self.function}({', '.join((data, *(f'{n}: {kind}' for n, kind in self.public.items())))}):"
        docstring = ['"""A \\"program\\" (* of a grammar."""'] if self.chance(0.1) else []
        function = "\n".join((f"@claim({', '.join(words)})", head, *indented([*docstring, *body])))
        text = "\n\n\n".join((*self.helpers.values(), function))
        used = [name for name in OURS if re.search(rf"\b{name}\b", text)]
        return Drawn(
            self.number, family, f"from {HOME} import {', '.join(used)}\n\n\n{text}\n", self.function,
            frozenset((*self.names, self.function)),
        )  # fmt: skip

    def claimed(self) -> str:
        """What is lost at most, and sometimes more."""
        total = " + ".join(self.costs) or self.epsilon
        return f"3/2*({total})" if self.chance(0.08) else total

    # Small choices.

    def pick(self, *options: str) -> str:
        """One of the texts."""
        return self.random.choice(options)

    def chance(self, share: float) -> bool:
        """True in that share of the cases."""
        return self.random.random() < share

    def name(self, odd: float = 0.75) -> str:
        """A name that is not taken yet."""
        while True:
            if self.function and self.function.isascii() and self.chance(0.04):
                found = self.function
            elif self.chance(odd):
                found = self.pick(*ODD_NAMES[self.pick(*ODD_NAMES)])
            else:
                found = self.pick(*PLAIN_NAMES)
            if found not in (*self.names, *CALLED, "n") and not keyword.iskeyword(found):
                self.names.append(found)
                return found

    def element(self) -> str:
        """A name for what a loop goes through, or counts."""
        while (found := self.name()) in NOT_OF_ELEMENTS:
            self.names.remove(found)
        return found

    def parameter(self, kind: str, above: str | None = None, at_least: str | None = None) -> str:
        """A public parameter, which is odd less often, as many odd ones are refused.

        What is positive is mostly so by its name, as where a condition alone says it, the reader counts what Python
        raises elsewhere as a way, and the file is refused.
        """
        by_name = ("epsilon", "sigma") if above else ("N", "M", "k") if at_least else ()
        known = [name for name in by_name if name not in self.names]
        if known and self.chance(0.94):
            name = self.pick(*known)
            self.names.append(name)
        else:
            name = self.name(0.2)
        self.public[name] = kind
        if above is not None and name not in by_name:
            self.where.append(f"{name} > {above}")
        if at_least is not None and name not in by_name:
            self.where.append(f"{name} >= {at_least}")
        if above is at_least is None and self.chance(0.08):
            self.where.append(f"{name} {self.order()} 2")
        elif above is at_least is None and self.chance(0.08):
            self.given[name] = self.pick("2", "-1")
        return name

    # Noise.

    def noise(self, times: str = "") -> tuple[str, str]:
        """A draw that hides a change by 1, and what that costs; the scale is so many times greater."""
        family = "discrete_laplace" if self.is_whole and self.chance(0.8) else "laplace"
        part = self.random.choice((Fraction(1), Fraction(1), Fraction(2), Fraction(4), Fraction(3, 2)))
        top = f"{times} * {part.numerator}" if times and part != 1 else times or str(part.numerator)
        way = self.random.random()
        if way < 0.15 and not times:
            scale = self.parameter("float", above="0")
            return f"{family}({scale})", f"1/{scale}"
        if way < 0.25 and not times:
            k = self.parameter("int", at_least="1")
            return f"{family}({k} / {self.epsilon})", f"{self.epsilon}/{k}"
        bottom = self.epsilon if part.denominator == 1 else f"({part.denominator} * {self.epsilon})"
        cost = 1 / part
        return f"{family}({top} / {bottom})", self.epsilon if cost == 1 else f"{cost}*{self.epsilon}"

    def noisy(self, value: str, times: str = "") -> str:
        """A number of the data, or a sum of these, hidden by noise, whose cost is added."""
        draw, cost = self.noise(times)
        self.costs.append(cost)
        return f"{value} + {draw}" if self.chance(0.8) else f"{draw} + {value}"

    def level(self) -> str:
        """A public threshold."""
        known = [name for name, kind in self.public.items() if kind == ("int" if self.is_whole else "float")]
        known = [name for name in known if name != self.epsilon]
        if known and self.chance(0.6):
            return self.pick(*known)
        if self.chance(0.5):
            return self.parameter("int" if self.is_whole else "float")
        return self.pick("0", "3", "-2") if self.is_whole else self.pick("0", "3", "1/2", "-2")

    # What is made of what may be told.

    def real(self) -> str:
        """A number that may be told."""
        known = [*self.states["real"], *self.states["real"], *self.states["whole"], self.level()]
        a, b = self.pick(*known), self.pick(*known)
        return self.pick(a, a, f"{a} + {b}", f"{a} - {b}", f"2 * {a}", f"max({a}, {b})", f"abs({a})", f"-{a}")

    def whole(self) -> str:
        """A whole number that may be told."""
        known = [*self.states["whole"], self.pick("3", "5")]
        a, b = self.pick(*known), self.pick(*known)
        return self.pick(a, f"{a} + 1", f"{a} + {b}", f"2 * {a}", f"{a} - 3")

    def truth(self, depth: int = 1) -> str:
        """A truth value that may be told."""
        compared = f"{self.pick(*(self.states['real'] or self.states['whole'] or ['0']))} {self.order()} {self.level()}"
        options = [compared, compared]
        if self.states["truth"]:
            flag = self.pick(*self.states["truth"])
            options += [flag, f"not {flag}", f"{flag} == ({compared})"]
        if len(self.states["whole"]) and self.chance(0.5):
            options.append(f"{self.pick(*self.states['whole'])} {self.order()} {self.pick('2', '3')}")
        if depth:
            options.append(f"{self.truth(0)} {self.pick('and', 'or')} {self.truth(0)}")
        return self.pick(*options)

    def order(self) -> str:
        """A comparison."""
        return self.pick(">", ">=", "<", "<=")

    def released(self) -> str:
        """What is released at one place: a text, or what is of the program's kind."""
        if self.chance(0.2):
            return '"größer"' if self.chance(0.05) else self.pick(*TEXTS)
        if self.says_truths:
            return self.truth(0) if self.chance(0.6) else self.pick("True", "False", *self.states["truth"])
        if self.states["real"] and self.chance(0.5):
            return self.pick(*self.states["real"])
        return self.pick(self.real(), self.whole(), *(self.states["real"] or ["3"]))

    def statement(self, tell: Callable[[], Lines], stop: str, depth: int = 2) -> Lines:
        """A statement about what may be told."""
        way = self.pick("if", "if", "tell", "tell", "change", "change", "stop")
        if way == "if" and depth:
            own = self.statement(tell, stop, depth - 1)
            other = self.statement(tell, stop, depth - 1) if self.chance(0.6) else []
            return [f"if {self.truth()}:", *indented(own), *(["else:", *indented(other)] if other else [])]
        if way == "change":
            kinds = [kind for kind, names in self.states.items() if any(n in self.changeable for n in names)]
            if kinds:
                kind = self.pick(*kinds)
                target = self.pick(*(n for n in self.states[kind] if n in self.changeable))
                return [self.changed(kind, target)]
        if way == "stop" and stop and depth < 2:
            return [*(tell() if stop == "return" else []), *([stop] if stop != "return" else [])]
        return tell()

    changeable: list[str] = field(default_factory=list)

    def changed(self, kind: str, target: str) -> str:
        """A new value for what is remembered."""
        if kind == "truth":
            return f"{target} = {self.pick('True', 'False', f'not {target}', self.truth())}"
        value = self.whole() if kind == "whole" else self.real()
        return self.pick(f"{target} += {self.pick('1', '2', value)}", f"{target} = {value}")

    def remembered(self) -> Lines:
        """What is remembered from one element to the next, with its first value."""
        lines = []
        for _ in range(self.random.choice((0, 1, 1, 2))):
            kind = self.pick("truth", "truth", "whole", "real")
            name = self.name()
            self.states[kind].append(name)
            self.changeable.append(name)
            first = {
                "truth": self.pick("True", "False"),
                "whole": self.pick("0", "2", "5"),
                "real": "1/2" if self.chance(0.5) else self.level(),
            }[kind]
            lines.append(f"{name} = {first}")
        return lines

    def hidden(self) -> Lines:
        """A draw that costs nothing, as no datum is near it."""
        name = self.name()
        if self.chance(0.4):
            self.states["truth"].append(name)
            return [f"{name} = bernoulli({self.pick('1/2', '1/3')})"]
        self.states["real"].append(name)
        return [f"{name} = {self.level()} + {self.noise()[0]}"]

    def helper(self, value: str) -> str:
        """A value by way of a function of the file, which is one return."""
        if value[0] in "'\"" or not self.chance(0.3):
            return value
        called = next(n for n in ("shifted", "scaled", "kept_low") if n not in self.names)
        self.names.append(called)
        a = self.pick("a", "forall", "R", "x")
        body = {"shifted": f"{a} + 1", "scaled": f"2 * {a}", "kept_low": f"min({a}, 3)"}[called]
        self.helpers[called] = f"def {called}({a}):\n    return {body}"
        return f"{called}({value})"

    def one_changes(self) -> str:
        """An adjacency under which all changes together are at most 1."""
        if self.chance(0.04):
            own = next(n for n in ("close", "nearby", "within_two") if n not in self.names)
            self.names.append(own)
            self.helpers[own] = f"def {own}(x, y):\n    return abs(x - y) <= 1"
            return self.pick(f"each({own}, changed=1)", f"each({own}, total=1)")
        return self.pick(*("ONE", "L1") * 8, "each(ALL, changed=1)")


Family = tuple[Lines, str]
"""The body of a program, and its adjacency."""


def one_number(w: Writer) -> Family:
    """One number behind several draws, and what is made of these."""
    lines: Lines = []
    for _ in range(w.random.choice((1, 1, 2))):
        name = w.name()
        lines.append(f"{name} = {w.noisy(w.data)}")
        w.states["real"].append(name)
    if w.chance(0.3):
        lines += w.hidden()

    def tell() -> Lines:
        return [f"return {told(w)}"]

    for _ in range(w.random.choice((0, 1, 1))):
        lines += [f"if {w.truth()}:", *indented(w.statement(tell, "return", 1) if w.chance(0.5) else tell())]
    return [*lines, f"return {told(w)}"], own_or_all(w)


def told(w: Writer) -> str:
    """What is released at once: always two things, so that places are of one kind."""
    shown = w.released() if w.says_truths else w.helper(w.released())
    return f"{w.pick(*TEXTS)}, {shown}" if w.pairs else shown


def own_or_all(w: Writer) -> str:
    """An adjacency of one number."""
    if w.chance(0.06):
        w.helpers["adjacent"] = "def adjacent(x, y):\n    return abs(x - y) <= 1"
        return "adjacent"
    return "ALL"


def rounds(w: Writer) -> Family:
    """One number several times over."""
    k, name = w.parameter("int", at_least="1"), w.name()
    lines = w.remembered()
    counter = w.element()
    own = [f"{name} = {w.noisy(w.data, times=k)}"]
    w.states["real"].append(name)
    if w.chance(0.5):
        w.states["whole"].append(counter)

    def tell() -> Lines:
        return [f"yield {told(w)}"]

    for _ in range(w.random.choice((1, 1, 2))):
        own += w.statement(tell, "break", 1)
    after = [f"yield {told_after(w, lines)}"] if w.chance(0.3) else []
    return [*lines, f"for {counter} in range({k}):", *indented(own), *after], "ALL"


def each_element(w: Writer) -> Family:
    """Each element behind noise, and what is made of it."""
    returns = w.chance(0.15)
    lines = w.remembered()
    if w.chance(0.2):
        lines += w.hidden()
    x = w.element()
    head = f"for {x} in {w.data}:"
    if w.chance(0.35):
        i = w.element()
        head = f"for {i}, {x} in enumerate({w.data}):"
        w.states["whole"].append(i)
    own: Lines = []
    if w.chance(0.2):
        limit = w.parameter("int", at_least="1") if w.chance(0.5) else "5"
        count = w.name()
        lines.append(f"{count} = 0")
        own += [f"if {count} >= {limit}:", *indented(["break"]), f"{count} += 1"]
        w.states["whole"].append(count)
    for _ in range(w.random.choice((1, 1, 1, 2))):
        name = w.name()
        own.append(f"{name} = {w.noisy(x)}")
        w.states["real"].append(name)

    def tell() -> Lines:
        return [f"{'return' if returns else 'yield'} {told(w)}"]

    if returns:
        own += [f"if {w.truth()}:", *indented(tell())]
        after = [f"return {told_after(w, lines)}"]
    else:
        for _ in range(w.random.choice((1, 1, 2))):
            own += w.statement(tell, w.pick("break", "continue", "return"), 2)
        if not any("yield" in line for line in own):
            own += tell()
        after = [f"yield {told_after(w, lines)}"] if w.chance(0.2) else []
    return [*lines, head, *indented(own), *after], w.one_changes()


def told_after(w: Writer, lines: Lines) -> str:
    """What is released after the loop: only what was set before it."""
    known = {line.partition(" = ")[0] for line in lines}
    w.states = {kind: [n for n in names if n in known] for kind, names in w.states.items()}
    return told(w)


def marks(w: Writer) -> Family:
    """Whether something was seen on the way, which is told at the end."""
    flag, x, value = w.name(), w.element(), w.name()
    first = w.pick("True", "False", f"{w.level()} > 2")
    draw = w.noisy(x)
    compared = f"{value} {w.order()} {w.level()}"
    told_here = [f"yield {w.pick(*TEXTS)}"]
    other = [f"yield {w.pick(*TEXTS)}"]
    changed = w.pick(f"{flag} = not {flag}", f"{flag} = True", f"{flag} = {flag} == ({compared})")
    ways = [f"if {compared}:", *indented([changed, *told_here]), "else:", *indented(other)]
    own = w.random.choice((
        ways,
        [changed, f"yield {value}"],
        [f"if {compared}:", f"    {changed}", f"yield {value}"],
        [f"{flag} = {compared}", f"if {flag}:", *indented(told_here), "else:", *indented(other)],
    ))  # fmt: skip
    last = w.random.choice((
        [f'yield "last", {flag}'], [f"if {flag}:", '    yield "last"'], [f'yield "last", {flag}, not {flag}'],
        [f"if {flag} and {w.level()} > 1:", '    yield "last"'],
    ))  # fmt: skip
    return [
        f"{flag} = {first}",
        f"for {x} in {w.data}:",
        f"    {value} = {draw}",
        *indented(own),
        *last,
    ], w.one_changes()


def every_other(w: Writer) -> Family:
    """A sum of the elements that a truth value chooses, which alternates, or is drawn."""
    flag, total, x = w.name(), w.name(), w.element()
    lines = [f"{total} = 0", f"{flag} = {w.pick('True', 'False', f'{w.level()} > 2')}"]
    w.random.shuffle(lines)
    added = w.pick(f"{total} += {x}", f"{total} = {total} - {x}", f"{total} = {x} + {total}")
    own = [f"if {w.pick(flag, f'not {flag}')}:", f"    {added}"]
    own.insert(w.random.choice((0, 2)), f"{flag} = not {flag}")
    return [*lines, f"for {x} in {w.data}:", *indented(own), f"return {w.noisy(total)}"], w.one_changes()


def sums(w: Writer) -> Family:
    """A sum of all elements behind noise, and what else is counted on the way."""
    total, x, name = w.name(), w.element(), w.name()
    body = [f"{total} = 0", f"for {x} in {w.data}:", f"    {total} += {x}", f"{name} = {w.noisy(total)}"]
    w.states["real"].append(name)
    if w.chance(0.4):
        body.insert(3, f"    yield {own_pair(w, w.noisy(x))}")

    def tell() -> Lines:
        return [f"yield {told(w)}"]

    for _ in range(w.random.choice((1, 1, 2))):
        body += w.statement(tell, "return", 1)
    return [*body, *tell()], w.one_changes()


def own_pair(w: Writer, value: str) -> str:
    """A number that is told of each element, or where truth values are told, how it compares."""
    return f'"each", {value} > 2' if w.says_truths else f'"each", {value}'


def sparse_vector(w: Writer) -> Family:
    """The first answers above a noisy threshold, with what is remembered of them."""
    threshold, count, x = w.name(), w.name(), w.element()
    limit = w.parameter("int", at_least="1") if w.chance(0.7) else "1"
    family = "discrete_laplace" if w.is_whole else "laplace"
    flag = w.name() if w.chance(0.3) else ""
    yes, no = ("True", "False") if w.says_truths else ('"above"', '"below"' if flag else w.pick('"below"', "0"))
    noisy = f"{x} + {family}(4 * {limit} / {w.epsilon})"
    before: Lines = []
    if w.chance(0.5):
        value = w.name()
        before, noisy = [f"{value} = {noisy}"], value
    compared = w.pick(f"{noisy} >= {threshold}", f"{threshold} <= {noisy}", f"{noisy} > {threshold}")
    stop = w.pick("break", "return")
    above = [f"yield {yes}", f"{count} += 1", *([f"{flag} = True"] if flag else [])]
    above += [f"if {count} >= {limit}:", f"    {stop}"]
    lines = [f"{threshold} = {w.level()} + {family}(2 / {w.epsilon})", f"{count} = 0"]
    lines += [f"{flag} = False"] if flag else []
    w.random.shuffle(lines)
    below = [f"yield {no}"]
    if flag and w.chance(0.2):
        below = [f"if {flag}:", '    yield "again"', "else:", *indented(below)]
    w.costs.append(w.epsilon)
    body = [*lines, f"for {x} in {w.data}:", *indented([*before, f"if {compared}:", *indented(above), "else:"])]
    last = [f'yield "seen", {flag}'] if flag and stop == "break" else []
    return [*body, *indented(indented(below)), *last], w.pick("ALL", "ALL", "MONO", "ONE")


def noisy_max(w: Writer) -> Family:
    """The place of the greatest noisy answer, which is foretold."""
    best, place, i, x, noisy = w.name(), w.name(), w.element(), w.element(), w.name()
    family = "discrete_laplace" if w.is_whole else w.pick("laplace", "exponential")
    better = f"{best} is None or {noisy} {w.pick('>', '>=') if family != 'discrete_laplace' else '>'} {best}"
    w.costs.append(w.epsilon)
    adjacency = w.pick("ALL", "ALL", "MONO", "ONE")
    released = w.pick(place, place, f'"place", {place}')
    return [
        f"{best}, {place} = None, None",
        f"for {i}, {x} in enumerate({w.data}):",
        f"    {noisy} = {x} + {family}(2 / {w.epsilon})",
        f"    if {better}:",
        f"        {best}, {place} = {noisy}, {i}",
        f"return {released}",
    ], adjacency


def first_above(w: Writer) -> Family:
    """The place of the first answer above a noisy threshold."""
    threshold, i, x = w.name(), w.element(), w.element()
    family = "discrete_laplace" if w.is_whole else "laplace"
    w.costs.append(w.epsilon)
    return [
        f"{threshold} = {w.level()} + {family}(2 / {w.epsilon})",
        f"for {i}, {x} in enumerate({w.data}):",
        f"    if {x} + {family}(4 / {w.epsilon}) >= {threshold}:",
        f"        return {i}",
        f"return {w.pick('None', '-1', w.pick(*TEXTS))}",
    ], w.pick("ALL", "ALL", "MONO", "ONE")


FAMILIES: Mapping[str, tuple[int, Callable[[Writer], Family]]] = {
    "one number": (3, one_number),
    "rounds": (2, rounds),
    "each element": (5, each_element),
    "marks": (2, marks),
    "every other": (1, every_other),
    "sums": (2, sums),
    "sparse vector": (2, sparse_vector),
    "noisy max": (1, noisy_max),
    "first above": (1, first_above),
}
"""Kinds of programs, and how often each is drawn."""
