"""Random claims about random programs in random modules: 0, 1/2, 0.99, 1 and 2 times what CPython shows to be lost."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import Any

import mpmath

from tests.fuzzing.asserted import asserted, expressed
from tests.fuzzing.modules import BUSY, LATE, PLAIN, TOUCHING, Subject, Writer, module_around
from tests.fuzzing.odd_programs import ODD
from tests.fuzzing.programs import DRAWS, Program, program
from tests.fuzzing.programs import Writer as ProgramWriter
from tests.fuzzing.rarer_programs import RARER
from tests.fuzzing.slips import slipped
from tests.fuzzing.truth import Asked, Truth, number_text, truth_of
from tests.fuzzing.walking import Unjudged, real

NAME = "program"
BARE = "bare"
"""A module of imports, constants and functions that the program reads."""
MANNERS = ((BARE, 0.78), (PLAIN, 0.15), (BUSY, 0.02), (TOUCHING, 0.05))
UNRANDOM = ("abs", "round", "lambda scale: 0", "lambda *given: 1", "bool", "float")
"""What is no draw and may be called like one."""
FACTORS = (("0", 0.06), ("1/2", 0.14), ("99/100", 0.15), ("1", 0.45), ("2", 0.2))
CHAINED = 0.1
"""How often a constant of a bare module, where it has one, is the value of another one."""
AS_PYTHON = 0.01
"""How often a claim is written as Python, where a text is meant."""
PAIRS_TO_AIM = 14
SLIPS, RARE, ODDLY = 0.05, 0.04, 0.09
"""How often an author is careless, a rarer program is written, and one that uses Python's words oddly."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim about a module."""

    seed: int
    family: str
    manner: str
    claimed: str
    asked: Asked


@dataclass(frozen=True, slots=True)
class Unclaimed:
    """A program with the module that it is to stand in, and what chooses its claim."""

    written: Program
    manner: str
    around: int
    random: Random
    is_python: bool = False
    """Whether the numbers of the claim are written as Python, which works them out before there are parameters."""

    def asked(self, claimed: str) -> Asked:
        """The module with that claim."""
        if self.is_python:
            claimed = re.sub(r'\b(epsilon|rho|delta)="([^"]*)"', r"\1=\2", claimed)
        return asked_of(self.written, claimed, self.manner, self.around)

    def plainly(self) -> Asked:
        """The module with a claim that is not aimed at what the program loses, which takes longest to find out."""
        said = "epsilon" if "epsilon" in self.written.signature.public and self.is_python else "1"
        return self.asked(f'epsilon="{said}"' + conditions(self.written.where))


def unclaimed(seed: int) -> Unclaimed:
    """The program of that number."""
    random = Random(seed)
    written = asserted(further(program(random), Random(f"slips {seed}")), Random(f"asserts {seed}"))
    manner = random.choices([one for one, _ in MANNERS], [weight for _, weight in MANNERS])[0]
    written, is_python = as_python(written, Random(f"as python {seed}"))
    return Unclaimed(written, manner, random.getrandbits(64), random, is_python)


def claim(seed: int) -> Claim:
    """The claim of that number, the same every time."""
    one = unclaimed(seed)
    written = one.written
    said = claimed_of(one, seed)
    claimed = expressed(said, "epsilon" in written.signature.public, Random(f"expressions {seed}"))
    claimed_text = f"{claimed}, adjacency={written.adjacency}"
    return Claim(seed, written.family, one.manner, claimed_text, one.asked(claimed))


def as_python(written: Program, random: Random) -> tuple[Program, bool]:
    """Whether the claim is written as Python and not as a text; then constants of the file bear parameters' names."""
    if random.random() >= AS_PYTHON:
        return written, False
    names = [name for name in written.signature.public if random.random() < 0.8]
    constants = {name: random.choice(("1", "2", "1 / 2", "10")) for name in names}
    return replace(written, constants={**written.constants, **constants}), True


def claimed_of(one: Unclaimed, seed: int) -> str:
    """What is claimed of a program: about what it loses, or anything where that is not known."""
    written, random = one.written, one.random
    if written.claims:
        return random.choice(written.claims) + conditions(written.where)
    try:
        return aimed_claim(written, truth_of(one.plainly(), seed), random)
    except Unjudged:
        loss = random.choice(("epsilon", "2*epsilon")) if "epsilon" in written.signature.public else "1"
        return f'epsilon="{loss}"{conditions(written.where)}'


def further(written: Program, random: Random) -> Program:
    """The program, or in a share of the cases a rarer one, and with slips."""
    chosen = random.random()
    if chosen < SLIPS:
        data = "q" if written.signature.is_list else "x"
        body = slipped("\n".join(written.body), [data, *written.signature.public], data, random)
        written = replace(written, body=tuple(body.splitlines()), typed=False)
    elif chosen < SLIPS + RARE + ODDLY:
        families = RARER if chosen < SLIPS + RARE else ODD
        family = random.choices(list(families), [weight for weight, _ in families.values()])[0]
        written = ProgramWriter(random, family).program(families[family][1])
    return written


def asked_of(written: Program, claimed: str, manner: str, around: int) -> Asked:
    """The module about which that is claimed."""
    source = written.source(claimed)
    subject = Subject(NAME, source, written.constants, written.imported(source), written.helpers)
    random = Random(around)
    if manner == BARE:
        text = bare(subject, random)
    elif manner == TOUCHING:
        text = Touching(subject, random, TOUCHING).text()
    else:
        text = module_around(subject, random, manner).text
    return Asked(text, NAME, written.signature, written.typed)


ALL_NAMES = ("random", "random", "numpy.random", "numpy.random", "math", "statistics", "operator", "fractions")
"""Modules of which all names are imported at times: some have names of draws."""


class Touching(Writer):
    """A module that binds again what is drawn with, more often than anything else."""

    __slots__ = ()

    def statement(self) -> str:
        """A statement, at times an import of all names of another module."""
        if self.chance(0.08):
            return f"from {self.random.choice(ALL_NAMES)} import *"
        return super().statement()

    def target(self) -> tuple[str, str]:
        """A name and the text of a value for it."""
        ours = [name for name in self.subject.imported if name in DRAWS]
        if ours and self.chance(0.6):
            return self.random.choice(ours), f"({self.random.choice(UNRANDOM)})"
        return super().target()


def bare(subject: Subject, random: Random) -> str:
    """The function after what it reads."""
    writer = Writer(subject, random, PLAIN)
    source, imports = writer.imports(subject.source)
    parts = [*imports, *writer.constants(), *subject.helpers.values(), source]
    named = [place for place, one in enumerate(parts) if re.fullmatch(r"\w+ = [^\n]+", one)]
    if named and writer.chance(CHAINED):  # one constant is another one, which may stand too far down
        place, other = random.choice(named), writer.fresh()
        name, value = parts[place].split(" = ", 1)
        both = [f"{other} = {value}", f"{name} = {other}"]
        parts[place : place + 1] = both if writer.chance(0.6) else both[::-1]
    if writer.chance(LATE):  # something is written where it is needed no more
        parts.insert(random.randrange(len(parts)), parts.pop(random.randrange(len(parts))))
    return "\n\n".join(parts) + "\n"


def conditions(where: tuple[str, ...], given: Mapping[str, Any] | None = None) -> str:
    """The rest of a claim: its conditions, and values of parameters."""
    said = f', where="{" and ".join(dict.fromkeys(where))}"' if where else ""
    if given:
        values = ", ".join(
            f'"{name}": {value}' if isinstance(value, bool) else f'"{name}": "{value}"' for name, value in given.items()
        )
        said += f", given={{{values}}}"
    return said


def aimed_claim(written: Program, truth: Truth, random: Random) -> str:
    """A claim about as strong as what is lost."""
    factor = random.choices([one for one, _ in FACTORS], [weight for _, weight in FACTORS])[0]
    base, losses = greatest_losses(written, truth)
    greatest = max(losses, default=mpmath.mpf(0))
    if greatest and any("gaussian" in line for line in written.body):
        greatest = mpmath.inf  # far out in the tail
    has_epsilon = "epsilon" in written.signature.public
    if greatest == mpmath.inf or greatest == 0:
        loss = random.choice(("epsilon", "epsilon", "2*epsilon", "100*epsilon") if has_epsilon else ("1", "1/2", "10"))
        return of_kind(random, loss, conditions(written.where), factor if greatest else "1", mpmath.mpf(1))
    rate = fraction_near(greatest / real(base["epsilon"])) if has_epsilon else None
    doubled = replace_epsilon(written, truth, base) if has_epsilon else None
    if rate is not None and doubled is not None and abs(doubled - 2 * greatest) < 1e-20 * greatest:
        loss = "epsilon" if rate == 1 else f"{rate}*epsilon"
        if len(losses) > 1 and random.random() < 0.8 and abs(losses[1] - 2 * losses[0]) < 1e-20:
            each = fraction_near(losses[0] / real(base["epsilon"]))
            loss = f"{each}*n*epsilon"
        others = {name: value for name, value in base.items() if name != "epsilon"}
        given = chosen_values(random, others)
        if written.losses and not given and random.random() < 0.5:
            loss = random.choice(written.losses)
        return of_kind(random, loss, conditions(written.where, given), factor, greatest)
    if written.losses and random.random() < 0.4:
        return of_kind(random, random.choice(written.losses), conditions(written.where), factor, greatest)
    ratio = fraction_near(mpmath.exp(greatest))
    loss = f"ln({ratio})" if ratio is not None else str(upper(greatest))
    given = {name: number_text(value) for name, value in base.items() if name != "n"}
    return of_kind(random, loss, conditions(written.where, given), factor, greatest)


def greatest_losses(written: Program, truth: Truth) -> tuple[dict[str, Any], list[Any]]:
    """Parameters, and what data of 1, 2 elements lose there."""
    base: dict[str, Any] = {}
    losses = []
    for size in (1, 2, 3) if written.signature.is_list else (1,):
        for parameters in truth.settings(size, 1):
            if base and {n: v for n, v in parameters.items() if n != "n"} != {
                n: v for n, v in base.items() if n != "n"
            }:
                continue
            pairs = list(truth.pairs(size, PAIRS_TO_AIM))
            if pairs:
                base = parameters
                losses.append(max(truth.greatest_loss(parameters, *pair) for pair in pairs))
        if len(losses) == 2 or truth.effort > 800:
            break
    if not losses:
        raise Unjudged("no parameters are allowed, or no data are neighbours")
    return base, losses


def replace_epsilon(written: Program, truth: Truth, base: Mapping[str, Any]) -> Any:
    """What is lost with twice the epsilon; None where that is not allowed."""
    parameters = {**base, "epsilon": 2 * base["epsilon"]}
    found = None
    for size in (1, 2, 3) if written.signature.is_list else (1,):
        if truth.allowed(parameters, size) and truth.effort < 1500:
            for pair in truth.pairs(size, PAIRS_TO_AIM):
                loss = truth.greatest_loss(parameters, *pair)
                found = loss if found is None or loss > found else found
        if size == 2 and found is not None:
            break
    return found


def chosen_values(random: Random, values: Mapping[str, Any]) -> dict[str, str]:
    """Values of some parameters."""
    if not values or random.random() < 0.5:
        return {}
    return {name: number_text(value) for name, value in values.items() if name != "n"}


def fraction_near(value: Any) -> Fraction | None:
    """The simple fraction that the number is, if it is one."""
    if not 0 < value < 10**6:
        return None
    found = Fraction(mpmath.nstr(value, 30)).limit_denominator(2000)
    return found if abs(real(found) - value) < mpmath.mpf("1e-20") else None


def upper(value: Any) -> Fraction:
    """A fraction of nine digits that is at least the number."""
    return Fraction(int(mpmath.ceil(value * 10**9)), 10**9)


def of_kind(random: Random, loss: str, rest: str, factor: str, greatest: Any) -> str:
    """A claim of epsilon, of rho, or of epsilon and delta."""
    text = loss if factor == "1" else "0" if factor == "0" else f"{factor}*({loss})"
    kind = random.random()
    if kind < 0.8:
        return f'epsilon="{text}"{rest}'
    if kind < 0.9:
        square = f"({loss})**2/2" if random.random() < 0.7 else f"({loss})**2/8"
        return f'rho="{square if factor == "1" else "0" if factor == "0" else f"{factor}*{square}"}"{rest}'
    delta = random.choice(("1/10", "1/1000", "1/2", "0", "1/4"))
    return f'epsilon="{text}", delta="{delta}"{rest}'


def with_text(one: Claim, text: str) -> Claim:
    """The same claim about another text."""
    return replace(one, asked=replace(one.asked, text=text))
