"""Truth values and numbers that stand at one place of the output: True and 1 are equal, and print differently.

Outputs are compared by value.  A program that may release a truth value in one way, and at the same place an equal
number in another, is refused: it would be two outputs for whoever sees them printed, and one for whoever computes with
them.  Noise that is continuous is equal to 0 or 1 with probability 0, and a number such as 5 never is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from refdp.programs.language.errors import Refusal
from refdp.programs.syntax import REAL_FAMILIES, Assign, Branch, Choose, Draw, Emit, Look, Loop, Statement
from refdp.terms.leaves import is_number, variables
from refdp.terms.term import Term

LINEAR = frozenset({"+", "*", "-", "to_real", "name", "number"})
Values = Mapping[str, Sequence[Term | Draw | None]]
"""What each variable is given, over the whole program: terms, draws, or something else (None)."""


def insist_on_one_kind(function: ast.FunctionDef, body: Sequence[Statement]) -> None:
    """Refusal where a truth value and a number that may be equal to it may be released at one place."""
    seen: dict[tuple[bool, int, int], dict[bool, Emit]] = {}
    values, beside = _given(body), _beside_a_list(function)
    for one in _statements(body):
        for place, item in enumerate(one.items if isinstance(one, Emit) else ()):
            if not isinstance(one, Emit) or not isinstance(item, Term) or _is_no_truth_value(item, values):
                continue
            known = seen.setdefault((one.line in beside, len(one.items), place), {})
            known.setdefault(item.sort == "Bool", one)
            if len(known) == 2:
                node = ast.Pass(lineno=one.line, col_offset=0)
                lines = " and ".join(f"line {line}" for line in sorted({found.line for found in known.values()}))
                both = f"a truth value and a number at one place of the output ({lines}), which may be equal and print"
                raise Refusal(
                    node, f"{both} differently", "release int(...) of the truth value, or neither as the other"
                )


def _beside_a_list(function: ast.FunctionDef) -> frozenset[int]:
    """The lines whose releases stand beside a list that was released as it was made, not in it; none where in doubt."""
    returns = [one for one in ast.walk(function) if isinstance(one, ast.Return)]
    lines = frozenset(line for one in returns for line in range(one.lineno, (one.end_lineno or one.lineno) + 1))
    for node in ast.walk(function):
        match node:
            case ast.Call(ast.Attribute(_, "append")) if node.lineno in lines:
                return frozenset()
            case ast.List() | ast.ListComp() if node.lineno in lines:
                return frozenset()
    return lines


def _is_no_truth_value(item: Term, values: Values) -> bool:
    """Whether it is a number that is neither 0 nor 1, but with probability 0."""
    if item.sort == "Bool":
        return False
    return item.rational not in (0, 1) if is_number(item) else _is_continuous(item, values, frozenset())


def _is_continuous(term: Term, values: Values, within: frozenset[str]) -> bool:
    """Whether plainly a part of the sum is continuous noise on whose draws no other part depends."""
    if not _is_linear(term):
        return False
    names = [str(one.value) for one in variables(term)]
    reach = {name: _reach(name, values, frozenset()) for name in names}
    for name in names:
        others = frozenset().union(*(reach[other] for other in names if other != name))
        if name not in within and not reach[name] & others and _is_noise(name, values, within | {name}):
            return True
    return False


def _is_noise(name: str, values: Values, within: frozenset[str]) -> bool:
    """The same of a variable, whatever it was given."""
    given = values.get(name, ())
    return bool(given) and all(
        one.family in REAL_FAMILIES
        if isinstance(one, Draw)
        else one is not None and _is_continuous(one, values, within)
        for one in given
    )


def _reach(name: str, values: Values, within: frozenset[str]) -> frozenset[int]:
    """Every draw that a variable may depend on, by what it was given."""
    found: frozenset[int] = frozenset()
    for value in values.get(name, ()):
        if isinstance(value, Draw):
            found |= {value.site}
        for one in variables(value) if isinstance(value, Term) else ():
            inner = str(one.value)
            if inner not in within:
                found |= _reach(inner, values, within | {inner})
    return found


def _is_linear(term: Term) -> bool:
    """Whether it is a sum of multiples of variables and a number."""
    factors = [one for one in term.arguments if not is_number(one)] if term.operator == "*" else []
    return term.operator in LINEAR and len(factors) <= 1 and all(map(_is_linear, term.arguments))


def _given(body: Sequence[Statement]) -> Values:
    """What each variable is given."""
    found: dict[str, list[Term | Draw | None]] = {}
    for one in _statements(body):
        match one:
            case Assign(target, value):
                found.setdefault(target, []).append(value)
            case Draw(target):
                found.setdefault(target, []).append(one)
            case Choose(target) | Look(target):
                found.setdefault(target, []).append(None)
            case Loop(counter, _, element):
                for name in filter(None, (counter, element)):
                    found.setdefault(name, []).append(None)
    return found


def _statements(body: Sequence[Statement]) -> Iterator[Statement]:
    """Every statement, those within branches and loops too."""
    for one in body:
        yield one
        if isinstance(one, Branch):
            yield from _statements((*one.yes, *one.no))
        elif isinstance(one, Loop):
            yield from _statements(one.body)
