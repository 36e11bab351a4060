"""The reader: runs the source on values that are not known, and joins the states of all branches after each statement.

What each kind of expression, statement and call means stands in tables that `reading` puts together.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from refdp.sensitivities.declaration import Declaration
from refdp.sensitivities.language.concrete.scopes import within_others
from refdp.sensitivities.language.objects import Object, Piece, Variable
from refdp.sensitivities.language.source import NotAFold, Source, Unsupported
from refdp.sensitivities.language.state import State, joined, settled
from refdp.sensitivities.language.values import DEAD, Cases, Dead, Poison, Reference, Unbound, Value, join
from refdp.sensitivities.program import EXCEPTIONS
from refdp.terms.leaves import FALSE, TRUE, ZERO, integer
from refdp.terms.operations import choice, negation
from refdp.terms.term import Term

Action = Callable[[State], None]
Body = Callable[[State, Value], None]
MOST_STEPS = 200_000
"""Most expressions and statements that are read before the source counts as too long."""


@dataclass(slots=True)
class Reader:
    """One reading of one source."""

    source: Source
    declaration: Declaration
    meanings: Mapping[type[ast.AST], Callable[..., Any]]
    calls: Mapping[str, Callable[..., Value]]
    methods: Mapping[str, Callable[..., Value]]
    services: Mapping[str, Callable[..., Any]]
    """fold, length, any_of, loop and call, which stand in modules of their own."""
    module: dict[str, Value | Exception] = field(default_factory=dict)
    passes: list[tuple[Variable, ...]] = field(default_factory=list)
    memory: list[tuple[int, object, Any]] = field(default_factory=list)
    """What was found by earlier passes, with how many passes there were."""
    stack: list[str] = field(default_factory=list)
    """Functions of the file that are being called."""
    frame: int = 0
    frames: int = 0
    tokens: int = 0
    held: list[int] = field(default_factory=list)
    """Lists and dicts over which a loop is under way."""
    scopes: tuple[tuple[int, frozenset[str]], ...] = ()
    """The comprehensions that are being read, with the names of their targets."""
    within: frozenset[str] = frozenset()
    """The parameters of the lambdas that are being called."""
    steps: int = 0
    catching: int = 0
    """How many try statements are around."""
    positions: dict[Term, Callable[[tuple[Piece, ...]], Value | None]] = field(default_factory=dict)
    """Counters that run over the places of a table: what stands there in it, or in a list of one element per row."""
    spelt: dict[Hashable, str] = field(default_factory=dict)
    """How each key of a dict was written where it first stood."""

    def token(self) -> int:
        """A number that was not used before."""
        self.tokens += 1
        return self.tokens

    # ---- reading ----

    def value(self, state: State, node: ast.AST) -> Value:
        """The value of an expression; where an exception is on its way and may be caught, nothing is read."""
        if not self.catching or state.has_raised() is FALSE:
            return self._value(state, node)
        found: list[Value] = [DEAD]
        self.unless_stopped(state, lambda s: found.append(self._value(s, node)))
        return found[-1]

    def _value(self, state: State, node: ast.AST) -> Value:
        """The value of an expression that is reached."""
        self._count(node)
        meaning = self.meanings.get(type(node))
        if meaning is None:
            raise self.unsupported(node, *_refused(node))
        found: Value = meaning(self, state, node)
        return found

    def block(self, state: State, statements: list[ast.stmt]) -> None:
        """Runs statements in order; what may not be reached is run under its condition."""
        for place, statement in enumerate(statements):
            if state.stopped() is not FALSE:
                self.unless_stopped(state, lambda s, rest=statements[place:]: self.block(s, rest))  # type: ignore[misc]
                return
            self._count(statement)
            meaning = self.meanings.get(type(statement))
            if meaning is None:
                raise self.unsupported(statement, *_refused(statement))
            meaning(self, state, statement)

    def _count(self, node: ast.AST) -> None:
        """Stops at a source that unrolls to too much."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise self.source.not_a_fold(node, f"the function takes more than {MOST_STEPS} steps to read")

    # ---- control ----

    def when(self, state: State, condition: Term, action: Action) -> None:
        """Runs the action where the condition holds."""
        self.either(state, condition, action, lambda _: None)

    def either(self, state: State, condition: Term, yes: Action, no: Action) -> None:
        """Runs one action where the condition holds, the other elsewhere."""
        condition = state.simplified(condition)
        if condition is TRUE or condition is FALSE:
            (yes if condition is TRUE else no)(state)
            return
        first, second = state.copy(), state.copy()
        first.assume(condition)
        second.assume(negation(condition))
        yes(first)
        no(second)
        state.become(joined(condition, first, second, self.catching > 0))

    def unless_stopped(self, state: State, action: Action) -> None:
        """Runs the action where nothing has stopped."""
        stop = state.stopped()
        if state.simplified(stop) is TRUE:
            return
        if stop is FALSE:
            action(state)
            return
        after = state.cleared(negation(stop))
        action(after)
        state.become(settled(stop, state, after, self.catching > 0))

    def choose(
        self, state: State, condition: Term, yes: Callable[[State], Value], no: Callable[[State], Value]
    ) -> Value:
        """The value of one expression where the condition holds, of the other elsewhere."""
        found: dict[bool, Value] = {True: DEAD, False: DEAD}

        def keep(side: bool, read: Callable[[State], Value]) -> Action:
            return lambda branch: found.update({side: read(branch)})

        condition = state.simplified(condition)
        self.either(state, condition, keep(True, yes), keep(False, no))
        return join(condition, found[True], found[False])

    def each(self, state: State, value: Value, function: Callable[[State, Value], Value]) -> Value:
        """The function of a value, case by case."""
        if isinstance(value, Poison):
            raise self.not_a_fold(self.source.tree, f"what is read here is {value.reason}")
        if not isinstance(value, Cases):
            return function(state, value)
        live = [(state.simplified(guard), one) for guard, one in value.cases]
        live = [(guard, one) for guard, one in live if guard is not FALSE]
        for guard, one in live:
            if guard is TRUE:
                return function(state, one)
        return self._each(state, live, function) if live else DEAD

    def _each(self, state: State, live: list[tuple[Term, Value]], function: Callable[[State, Value], Value]) -> Value:
        """The first case, else the others."""
        (guard, one), *others = live
        if isinstance(one, Poison):
            raise self.not_a_fold(self.source.tree, f"what is read here is {one.reason}")
        if not others:
            state_facts = state.facts
            state.assume(guard)
            found = function(state, one)
            state.facts = state_facts
            return found
        return self.choose(state, guard, lambda s: function(s, one), lambda s: self._each(s, others, function))

    def stop(self, state: State, condition: Term, exception: str) -> Value:
        """Raises where the condition holds."""
        condition = state.simplified(condition)
        if condition is FALSE:
            return DEAD
        if exception == "StopIteration" and (self.scopes or len(self.stack) > 1):
            # A generator makes a RuntimeError of it, map and filter take it for their end, others let it pass.
            advice = "give next a default, and raise another exception"
            raise self.unsupported(self.source.tree, "StopIteration within an expression or another function", advice)
        code = choice(condition, integer(EXCEPTIONS.index(exception)), ZERO)
        state.raised = choice(state.has_raised(), state.raised, code)
        if not self.catching and condition is not TRUE:
            state.assume(negation(condition))
        return DEAD

    def mistyped(self, state: State, node: ast.AST, *values: Value) -> Value:
        """TypeError of numbers, texts, tuples and None, which Python cannot do this with; others are refused."""
        if any(isinstance(one, Dead) for one in values):
            return DEAD
        if not all(one is None or isinstance(one, Term | str | tuple) for one in values):
            raise self.unsupported(node, "what is done here with a value of this kind", "use numbers, texts and lists")
        return self.stop(state, TRUE, "TypeError")

    def length(self, state: State, value: Value, node: ast.AST) -> Term:
        """How many elements there are."""
        found: Term = self.services["length"](self, state, value, node)
        return found

    def any_of(self, state: State, value: Value, test: Callable[[State, Value], Term], node: ast.AST) -> Value:
        """Whether an element passes the test."""
        found: Value = self.services["any_of"](self, state, value, test, node)
        return found

    def new(self, state: State, content: Object) -> Reference:
        """A new list, dict or set."""
        address = self.token()
        state.heap[address] = content
        return Reference(address)

    # ---- refusing ----

    def unsupported(self, node: ast.AST, construct: str, instead: str) -> Unsupported:
        """A construct that is not read."""
        return self.source.unsupported(node, construct, instead)

    def not_a_fold(self, node: ast.AST, reason: str) -> NotAFold:
        """What is no pass over the rows."""
        return self.source.not_a_fold(node, reason)

    def readable(self, state: State, value: Value, node: ast.AST) -> Value:
        """The value, unless it is poisoned; a name without a value raises."""
        if isinstance(value, Poison):
            raise self.not_a_fold(node, f"what is read here is {value.reason}")
        if (
            isinstance(value, Unbound)
            or isinstance(value, Cases)
            and any(
                isinstance(one, Unbound | Poison) and state.simplified(guard) is not FALSE for guard, one in value.cases
            )
        ):
            return self.each(state, value, lambda s, one: self._bound(s, one, node))
        return value

    def _bound(self, state: State, value: Value, node: ast.AST) -> Value:
        """One case of a value that is read."""
        if isinstance(value, Poison):
            raise self.not_a_fold(node, f"what is read here is {value.reason}")
        if not isinstance(value, Unbound):
            return value
        if isinstance(node, ast.Name) and id(node) in within_others(self.source.module):
            raise self.unsupported(node, "a name of the function around that may have no value yet", "bind it before")
        return self.stop(state, TRUE, "UnboundLocalError")


REFUSED: Mapping[type[ast.AST], tuple[str, str]] = {
    ast.ClassDef: ("a class", "write numbers, tuples and dicts"),
    ast.Global: ("global", "pass values as arguments and return them"),
    ast.Nonlocal: ("nonlocal", "pass values as arguments and return them"),
    ast.With: ("with", "let the function be given its rows"),
    ast.Import: ("an import within a function", "import at the top of the file"),
    ast.ImportFrom: ("an import within a function", "import at the top of the file"),
    ast.Delete: ("del", "make a new list or dict"),
    ast.NamedExpr: (":=", "assign in a statement of its own"),
    ast.JoinedStr: ("a text with {...}", "compare texts that are written out"),
    ast.Match: ("match", "write if and elif"),
    ast.AsyncFor: ("async", "write an ordinary loop"),
    ast.AsyncWith: ("async", "write an ordinary function"),
    ast.AsyncFunctionDef: ("async", "write an ordinary function"),
    ast.Await: ("await", "write an ordinary function"),
    ast.TryStar: ("except*", "write except NAME"),
}  # fmt: skip


def _refused(node: ast.AST) -> tuple[str, str]:
    """What a construct is called, and what to write instead."""
    return REFUSED.get(type(node), (type(node).__name__, "write assignments, conditions and loops"))
