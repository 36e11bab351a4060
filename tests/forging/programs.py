"""What is true of a question about a program, by closed forms and by the literature's verdicts; nothing is read.

A text of a family is made here together with its greatest privacy loss; a text of the library has the verdict that its
decorator expects, from the literature.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, Literal

import refdp

HEAD = (
    "from refdp.programs import ADD_REMOVE, ALL, L1, L2, MONO, ONE, bernoulli, claim, discrete_laplace, exp, laplace\n"
)
INFINITE = math.inf
SLACK = 1e-9
"""Losses are compared as floats; claims of the grammar are equal or differ by more."""
NARROWER = {"ONE": {"ONE", "L1", "L2", "ALL"}, "L1": {"L1", "L2", "ALL"}, "L2": {"L2", "ALL"},
            "MONO": {"MONO", "ALL"}, "ALL": {"ALL"}, "ADD_REMOVE": {"ADD_REMOVE"}}  # fmt: skip
"""Adjacency -> those under which at least as many data are neighbours."""
Truth = Literal["true", "false", "unknown"]
Values = Mapping[str, float]


@dataclass(frozen=True)
class Family:
    """Programs of one shape."""

    signature: str
    body: str
    """With {c} for a number and {p} for a probability."""
    loss: Callable[[float, Callable[[Values], float], str, Values], float]
    """(c, p, adjacency, parameters) -> the greatest loss between neighbours."""
    where: str = ""


def flipped(p: float) -> float:
    """The loss of a bit flipped with probability p."""
    return INFINITE if p <= 0 or p >= 1 else abs(math.log(p / (1 - p)))


def moved(adjacency: str, dimension: float) -> float:
    """The greatest sum of the changes of so many elements."""
    return {"ONE": 1.0, "L1": 1.0, "L2": math.sqrt(dimension)}.get(adjacency, float(dimension))


FAMILIES: Mapping[str, Family] = {
    "one number": Family("x: float, epsilon", "return x + laplace({c} / epsilon)", lambda c, p, a, v: v["epsilon"] / c),
    "one whole number": Family("x: int, epsilon", "return x + discrete_laplace({c} / epsilon)",
                               lambda c, p, a, v: v["epsilon"] / c),
    "a scale": Family("x: float, s", "return x + laplace({c} * s)", lambda c, p, a, v: 1 / (c * v["s"])),
    "each number": Family("q, epsilon", "return [x + laplace({c} / epsilon) for x in q]",
                          lambda c, p, a, v: v["epsilon"] / c * moved(a, INFINITE)),
    "two numbers": Family("q, epsilon", "yield q[0] + laplace({c} / epsilon)\n    yield q[1] + laplace({c} / epsilon)",
                          lambda c, p, a, v: v["epsilon"] / c * moved(a, 2), "n == 2"),
    "no noise": Family("x: float, epsilon", "z = x + laplace({c} / epsilon)\n    return x", lambda *_: INFINITE),
    "noise twice": Family("x: float, epsilon", "z = laplace({c} / epsilon)\n    yield x + z\n    yield 2 * x + z",
                          lambda *_: INFINITE),
    "a count": Family("q, epsilon", "return sum(1 for x in q if x > 3) + laplace({c} / epsilon)",
                      lambda c, p, a, v: v["epsilon"] / c if a in ("ONE", "ADD_REMOVE") else INFINITE),
    "how many": Family("q, epsilon", "return len(q) + laplace({c} / epsilon)",
                       lambda c, p, a, v: v["epsilon"] / c if a == "ADD_REMOVE" else 0.0),
    "a bit": Family("bit: bool, epsilon, f", "return bit != bernoulli({p})", lambda c, p, a, v: flipped(p(v))),
    "each bit": Family("bits: list[bool], epsilon, f", "return [bit != bernoulli({p}) for bit in bits]",
                       lambda c, p, a, v: flipped(p(v)) * (1 if a in ("ONE", "L1", "L2") or flipped(p(v)) == 0
                                                           else INFINITE)),
}  # fmt: skip
COUNTED = (FAMILIES["a count"].body, FAMILIES["how many"].body)
"""What is private where elements are added or removed."""
SCALES = ("1/1000000", "1/2", "1", "2", "3")
PROBABILITIES: Mapping[str, Callable[[Values], float]] = {
    "1/4": lambda v: 0.25, "0": lambda v: 0.0, "1/2": lambda v: 0.5,
    "1/(1 + exp(epsilon))": lambda v: 1 / (1 + math.exp(v["epsilon"])),
    "1/(1 + epsilon)": lambda v: 1 / (1 + v["epsilon"]), "f": lambda v: v["f"],
}  # fmt: skip
CLAIMED = ("0", "epsilon/2", "epsilon", "2*epsilon", "epsilon/1000000", "1000000*epsilon", "ln(3)", "999*epsilon/1000",
           "1/s")  # fmt: skip
POINTS: Mapping[str, tuple[float, ...]] = {"epsilon": (0.1, 1.0, 3.0), "f": (0.01, 0.5, 0.99), "s": (0.1, 1.0, 7.0)}
"""Values of parameters at which a claim is held against the truth."""


@dataclass(frozen=True)
class Written:
    """A text of a family."""

    text: str
    family: Family
    scale: str
    probability: str
    adjacency: str
    epsilon: str


def written(random: Random) -> Written:
    """A random program of a family."""
    family = random.choice(list(FAMILIES.values()))
    scale, probability = random.choice(SCALES), random.choice(list(PROBABILITIES))
    adjacency = random.choice(list(NARROWER) if family.body in COUNTED else list(NARROWER)[:-1])
    epsilon = random.choice([one for one in CLAIMED if ("s" in family.signature.split(", ")) == (one == "1/s")])
    return program(family, scale, probability, adjacency, epsilon)


@cache
def program(family: Family, scale: str, probability: str, adjacency: str, epsilon: str) -> Written:
    """The program as a text with its claim."""
    where = f', where="{family.where}"' if family.where else ""
    body = family.body.replace("{c}", f"({scale})").replace("{p}", probability)
    text = (f'{HEAD}\n\n@claim(epsilon="{epsilon}", adjacency={adjacency}{where})\n'
            f"def program({family.signature}):\n    {body}\n")  # fmt: skip
    made = Written(text, family, scale, probability, adjacency, epsilon)
    KNOWN[text] = made
    return made


KNOWN: dict[str, Written] = {}
"""Text -> what is known of it."""


@dataclass(frozen=True)
class Listed:
    """A claim of the library, as its decorator writes it."""

    adjacency: str | None
    epsilon: str | None
    expected: str
    given: Mapping[str, str]


@cache
def library() -> Mapping[tuple[str, str], tuple[Listed, ...]]:
    """(text, function) -> its claims."""
    found: dict[tuple[str, str], tuple[Listed, ...]] = {}
    for path in sorted((Path(refdp.__file__).parent / "programs" / "library").glob("*.py")):
        text = path.read_text(encoding="utf-8")
        for one in ast.parse(text).body:
            if isinstance(one, ast.FunctionDef):
                claims = tuple(listed(d) for d in one.decorator_list if isinstance(d, ast.Call))
                found[text, one.name] = claims
    return found


def listed(decorator: ast.Call) -> Listed:
    """A claim from its decorator."""
    words = {word.arg: word.value for word in decorator.keywords}
    adjacency, epsilon = words.get("adjacency"), words.get("epsilon")
    return Listed(
        adjacency.id if isinstance(adjacency, ast.Name) and adjacency.id in NARROWER else None,
        epsilon.value if isinstance(epsilon, ast.Constant) and isinstance(epsilon.value, str)
        and not {"delta", "rho"} & set(words) else None,
        ast.literal_eval(words["expected"]) if "expected" in words else "",
        ast.literal_eval(words["given"]) if "given" in words else {},
    )  # fmt: skip


def truth(question: Mapping[str, Any], verdict: str) -> tuple[Truth, str]:
    """Whether the verdict about the question is right, and why that is known."""
    if question["source"] in KNOWN:
        return of_family(KNOWN[question["source"]], question, verdict)
    claims = library().get((question["source"], question["function"])) or same_function(question)
    if not question["claim"].isdigit() or int(question["claim"]) >= len(claims):
        return "unknown", "a text of neither family nor library"
    return of_library(claims[int(question["claim"])], question, verdict)


def same_function(question: Mapping[str, Any]) -> tuple[Listed, ...]:
    """The claims of the function of the library that this one is, where only others in its file were changed."""
    try:
        mine = standing(question["source"], question["function"])
    except (SyntaxError, KeyError):
        return ()
    for (text, name), claims in library().items():
        if name == question["function"] and standing(text, name) == mine:
            return claims
    return ()


@cache
def standing(text: str, function: str) -> tuple[str, ...]:
    """A function and everything else at the top of its file that it names, as syntax trees."""
    tops = {one.name: one for one in ast.parse(text).body if isinstance(one, ast.FunctionDef | ast.ClassDef)}
    others = [one for one in ast.parse(text).body if not isinstance(one, ast.FunctionDef | ast.ClassDef | ast.Expr)]
    wanted, seen = [function], list[str]()
    while wanted:
        seen.append(wanted.pop())
        named = {one.id for one in ast.walk(tops[seen[-1]]) if isinstance(one, ast.Name)}
        wanted += [one for one in sorted(named) if one in tops and one not in (*seen, *wanted)]
    return (*(ast.dump(one) for one in others), *(ast.dump(tops[one]) for one in sorted(seen)))


def of_family(known: Written, question: Mapping[str, Any], verdict: str) -> tuple[Truth, str]:
    """By the closed form, at some values of the parameters; a claim is refuted by one of them."""
    adjacency = question["adjacency"] or known.adjacency
    claimed = question["epsilon"] or known.epsilon
    chance = PROBABILITIES[known.probability]
    for values in points(question["given"]):
        loss = known.family.loss(float(value_of(known.scale, {})), chance, adjacency, values)
        if adjacency == "ADD_REMOVE" and known.family.body not in COUNTED:
            loss = INFINITE  # answers of each element, or none of a list at all
        if loss > value_of(claimed, values) + SLACK:
            holds = False
            break
    else:
        holds = True
    return ("true" if holds == (verdict == "PROVED") else "false"), "closed form"


def points(given: Mapping[str, str]) -> Iterator[Values]:
    """Values of the parameters, those that are given as they are."""
    axes = {name: (value_of(given[name], {}),) if name in given else values for name, values in POINTS.items()}
    return (dict(zip(axes, one, strict=True)) for one in product(*axes.values()))


def value_of(text: str, values: Values) -> float:
    """The number that the text of a claim is."""
    return float(eval(text, {"ln": math.log, "log": math.log, "exp": math.exp, "__builtins__": {}}, dict(values)))


def of_library(base: Listed, question: Mapping[str, Any], verdict: str) -> tuple[Truth, str]:
    """What is claimed follows from what the literature says of the claim, or contradicts it."""
    adjacency, epsilon, given = question["adjacency"], question["epsilon"], question["given"]
    narrower = adjacency is None or base.adjacency is not None and base.adjacency in NARROWER[adjacency]
    wider = adjacency is None or base.adjacency is not None and adjacency in NARROWER[base.adjacency]
    less, more = epsilon is None, epsilon is None
    if epsilon is not None and base.epsilon is not None:
        try:
            pairs = [
                (value_of(epsilon, v), value_of(base.epsilon, v))
                for v in (
                    {"epsilon": e, "n": 3, "N": 2, "k": 2, "m": 2, "f": 0.3, "T": 0} for e in (0.1, 0.7, 1.0, 4.0)
                )
            ]
        except (NameError, ArithmeticError, ValueError):
            pairs = []
        less = bool(pairs) and all(one <= other + SLACK for one, other in pairs)
        more = bool(pairs) and all(one >= other - SLACK for one, other in pairs)
    if base.expected == "PROVED" and narrower and more:
        return ("true" if verdict == "PROVED" else "false"), "weaker than what the literature proves"
    if base.expected == "REFUTED" and wider and less and dict(given).items() <= dict(base.given).items():
        return ("true" if verdict == "REFUTED" else "false"), "stronger than what the literature refutes"
    return "unknown", "a variant of a claim of the library"
