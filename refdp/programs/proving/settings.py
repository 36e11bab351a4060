"""Settings: small values of the public parameters that rates, claims and limits depend on, to guess alignments by."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

from refdp.programs.adjacency import LENGTH
from refdp.programs.checking.public import Public
from refdp.programs.steps import Stepwise
from refdp.programs.syntax import Claim
from refdp.terms.exact_values import MEANING, evaluate
from refdp.terms.leaves import integer, is_number, parts, rational, variables
from refdp.terms.term import Term

Setting = Mapping[Term, Term]
REALS = tuple(map(Fraction, ("1", "1/2", "2", "1/4", "3/4", "4", "1/10", "10", "-1", "0")))
"""What real parameters are tried at, the first that is allowed being taken."""
SIZES = (1, 2)
"""What whole ones are set to."""
FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "exp": math.exp,
    "ln": math.log,
    "**": math.pow,
    "mod": lambda a, b: a % b,
    "sqrt": math.sqrt,
    "/": lambda a, b: a / b,
}


def settings(stepwise: Stepwise, claim: Claim, public: Public, length: int) -> Sequence[Setting]:
    """Settings of the parameters that matter, the number of data being `length`."""
    wanted = [p for p in relevant(stepwise, claim, public) if p is not LENGTH]
    wholes = [p for p in wanted if p.sort == "Int"]
    found = list[Setting]()
    for size in SIZES if wholes else SIZES[:1]:
        fixed = {LENGTH: integer(length)} | {p: integer(size) for p in wholes}
        reals = [p for p in wanted if p.sort == "Real"]
        for values in product(REALS, repeat=len(reals)):
            one = fixed | {p: rational(v) for p, v in zip(reals, values, strict=True)}
            if allowed(public, one):
                found.append(one)
                break
    return found


def relevant(stepwise: Stepwise, claim: Claim, public: Public) -> list[Term]:
    """The parameters within scales, claims, limits of loops, and products of what is not constant."""
    drawn = (p for step in stepwise.steps for d in step.path.drawn for p in d.parameters)
    limits = (loop.limit for loop in stepwise.loops if loop.limit is not None)
    claims = (t for t in (claim.epsilon, claim.rho) if t is not None)
    names = variables(*drawn, *limits, *claims, *products(stepwise))
    return [p for p in public.parameters if p in names]


def products(stepwise: Stepwise) -> Iterator[Term]:
    """Products and quotients of what is not constant, and the exponents of weights."""
    for step in stepwise.steps:
        appended = [u for _, u in step.path.appended]
        yield from appended
        for term in (*step.path.condition, *step.updates.values()):
            for part in parts(term):
                if part.operator == "/" or part.operator == "*" and not any(map(is_number, part.arguments)):
                    yield part


def allowed(public: Public, setting: Setting) -> bool:
    """Whether what is known of the parameters holds, as far as it speaks of those that are set."""
    for fact in public.known():
        for one in fact.arguments if fact.operator == "all_of" else (fact,):
            if set(variables(one)) <= set(setting) and not holds(one, setting):
                return False
    return True


def holds(statement: Term, setting: Setting) -> bool:
    """Whether a statement holds, False where that is not found out."""
    try:
        values = {p: v.rational for p, v in setting.items()}
        return bool(evaluate(statement, values))
    except (KeyError, ArithmeticError):
        return False


def approximation(term: Term, setting: Setting) -> float:
    """About what a public term is worth; ArithmeticError or ValueError where it has no value."""
    found: dict[Term, float] = {}
    for part in parts(term):
        if part in setting:
            found[part] = float(setting[part].rational)
        elif is_number(part):
            found[part] = float(part.rational)
        elif part.operator in FUNCTIONS:
            found[part] = FUNCTIONS[part.operator](*(found[a] for a in part.arguments))
        elif part.operator in MEANING:
            found[part] = float(MEANING[part.operator](*(found[a] for a in part.arguments)))
        else:
            raise ValueError(f"{part} has no value")
    return found[term]


def near(value: float) -> Fraction:
    """The simple fraction that a number is but for rounding."""
    simple = Fraction(value).limit_denominator(1000)
    return simple if abs(float(simple) - value) < 1e-12 else Fraction(value)
