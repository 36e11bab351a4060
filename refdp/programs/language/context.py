"""What the reading of one function carries along: the statements written so far and what is known of variables."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from refdp.programs.adjacency import LENGTH
from refdp.programs.language.errors import Refusal
from refdp.programs.language.flow import Flow, joined
from refdp.programs.language.module import Module
from refdp.programs.language.values import Mixed, Special, Value, deny, mixed, plain
from refdp.programs.syntax import Assign, Branch, Choose, Data, Draw, Emit, Look, Loop, Require, Statement, Stop
from refdp.terms.leaves import FALSE, TRUE, variable, variables
from refdp.terms.operations import conjunction, implication, negation, real
from refdp.terms.term import Sort, Term

EXCEPTION = "an exception"
"""What is released where Python raises an exception."""


@dataclass(slots=True)
class Kind:
    """What a variable holds, over all of its assignments that have been read."""

    sort: Sort | None = None
    specials: tuple[Special, ...] = ()


@dataclass(slots=True)
class Kinds:
    """What is known of all variables after reading the function once, twice ..., until nothing is added."""

    of: dict[str, Kind] = field(default_factory=dict)
    secret: set[str] = field(default_factory=set)
    """Variables that may depend on data or draws."""

    def __len__(self) -> int:
        """How much is known, to see whether something was added."""
        sorts = sum({None: 0, "Bool": 1, "Int": 1, "Real": 2}[k.sort] for k in self.of.values())
        return len(self.secret) + len(self.of) + sorts + sum(len(k.specials) for k in self.of.values())


@dataclass(slots=True)
class Frame:
    """A loop that is being read."""

    counter: Term
    element: str | None = None
    """The variable that holds the element of the data in each round."""
    reads: bool = False
    """Whether the element is read."""
    limit: Term | None = None
    backs: list[Flow] = field(default_factory=list)
    breaks: list[Flow] = field(default_factory=list)
    leaks: bool = False
    """Whether data or draws decide how often it goes round."""
    broke: str | None = None
    """The flag that says that the loop was left by break, where there is an else."""


@dataclass(slots=True)
class Context:
    """One reading of one function."""

    evaluate: Callable[[Context, ast.expr], Value]
    """What an expression is worth: `expressions.evaluated`, whose parts ask it for what stands within."""
    module: Module
    data: Data
    parameters: Mapping[str, Term]
    locals: frozenset[str]
    """The names that the function assigns."""
    lists: Mapping[str, frozenset[str]]
    """What each list is used for."""
    kinds: Kinds
    assumption: Term = TRUE
    flow: Flow | None = field(default_factory=Flow)
    block: list[Statement] = field(default_factory=list)
    control: list[bool] = field(default_factory=list)
    """Of each branch around, whether it depends on data or draws."""
    frames: list[Frame] = field(default_factory=list)
    sites: int = 0
    branches: int = 0
    shape: str | None = None
    """What the function returns: "value" or a list with what else."""
    generator: bool = False
    bound: Mapping[str, Value] | None = None
    """Within a function of the file that is called: its parameters, the only variables that it knows."""
    calls: tuple[tuple[int, int], ...] = ()
    """Where the functions were called that are being read."""

    @property
    def here(self) -> Flow:
        """What is known at this point, which some path reaches."""
        if self.flow is None:
            raise AssertionError("statements that no path reaches are not read")
        return self.flow

    def place(self, node: ast.AST) -> str:
        """A text that tells a node from all others, also from itself in another call of the function around it."""
        places = ((getattr(node, "lineno", 0), getattr(node, "col_offset", 0)), *self.calls)
        return ".".join(["_".join(str(line) for line, _ in places), "_".join(str(column) for _, column in places)])

    def is_secret(self, *terms: Term) -> bool:
        """Whether a term may depend on data or draws."""
        return any(str(v.value) in self.kinds.secret for v in variables(*terms))

    def write(self, statement: Statement) -> None:
        """Adds a statement to the block that is being written."""
        self.block.append(statement)

    @contextmanager
    def apart(self) -> Iterator[list[Statement]]:
        """Statements written within go to a list of their own."""
        kept, self.block = self.block, []
        try:
            yield self.block
        finally:
            self.block = kept

    @contextmanager
    def under(self, condition: Term) -> Iterator[list[Statement]]:
        """As `apart`, of statements that are executed where the condition holds."""
        self.flow = self.here.given(condition)
        self.control.append(self.is_secret(condition))
        try:
            with self.apart() as block:
                yield block
        finally:
            self.control.pop()

    def branch(self, condition: Term, yes: list[Statement], no: list[Statement], line: int) -> None:
        """Writes a branch; one that only holds requirements becomes requirements."""
        if all(isinstance(one, Require) for one in (*yes, *no)):
            for guard, block in ((condition, yes), (negation(condition), no)):
                for one in block:
                    if isinstance(one, Require):
                        self.require(implication(guard, one.condition), one.complaint, line, one.certain)
            return
        self.branches += 1
        self.write(Branch(condition, tuple(yes), tuple(no), self.branches, line))

    def where(self, test: Term, yes: Callable[[], None], no: Callable[[], None], line: int) -> None:
        """Writes what `yes` writes where the test holds, and what `no` writes where it does not."""
        if test.operator == "truth":
            (yes if test is TRUE else no)()
            return
        before, blocks, after = self.here, [], []
        for guard, write in ((test, yes), (deny(test), no)):
            self.flow = before
            with self.under(guard) as block:
                write()
            blocks.append(block)
            after.append(self.flow)
        self.flow = before  # the way that was written last may end in an exception
        self.branch(test, blocks[0], blocks[1], line)
        self.flow = joined(after, before.facts)
        if self.flow is not None and None not in after:
            changed = {name for block in blocks for name in targets(block)}
            kept = {name: value for name, value in before.known.items() if name not in changed}
            self.flow = replace(self.flow, known={**self.flow.known, **kept})

    def raises(self, condition: Term, complaint: str, line: int) -> None:
        """Writes that Python raises an exception here unless the condition holds.

        Where the number of data decides, and nothing is lost with what was released before, the exception is what is
        released: a program need not be made for too few data.
        """
        lost = self.here.emitted and not self.generator
        if LENGTH not in variables(condition) or self.is_secret(condition) or self.frames or self.control or lost:
            self.require(condition, complaint, line)
            return

        def excepted() -> None:
            self.write(Emit((EXCEPTION,), line))
            self.write(Stop())
            self.flow = None

        self.where(deny(condition), excepted, lambda: None, line)

    def require(self, condition: Term, complaint: str, line: int, certain: bool = True) -> None:
        """Writes that Python raises an exception unless the condition holds, or does what is not read."""
        if condition is not TRUE:
            self.write(Require(condition, complaint, line, certain))
            self.flow = self.here.given(condition)

    def assign(self, name: str, value: Value, node: ast.AST) -> None:
        """Writes name = value, with the flags that say which kind of value it is, all of them at once."""
        kind, new = self._widened(name, value, node), mixed(value)
        parts: dict[str, Term] = {}
        if kind.specials and kind.sort is not None:
            numeric = conjunction(*(deny(condition) for _, condition in new.others))
            parts[f"{name}.known"] = numeric if new.number is not None else FALSE
        parts |= {flag: new.where(one) for one, flag in self._flags(name, kind)}
        if new.number is not None:
            parts[name] = real(new.number) if kind.sort == "Real" else new.number
        self._store_all(parts, node)
        self.flow = self.here.with_value(name)

    def _store_all(self, parts: dict[str, Term], node: ast.AST) -> None:
        """Writes several assignments, each value as it is before any of them."""
        while parts:
            free = (one for one in parts if not any(_speaks(t, one) for other, t in parts.items() if other != one))
            if (first := next(free, None)) is not None:
                self.store(first, parts.pop(first), node)
                continue
            for place, (one, term) in enumerate(parts.items()):
                kept = f"value.{self.place(node)}_{place}"
                self.store(kept, term, node)
                parts[one] = self.component(kept, term.sort)

    def store(self, name: str, value: Term, node: ast.AST) -> None:
        """Writes name = value of one number or truth value."""
        self.write(Assign(name, value, getattr(node, "lineno", 0)))
        if any(self.control) or self.is_secret(value):
            self.kinds.secret.add(name)
        self.flow = self.here.having(name, value if self.is_fixed(value) else None)

    def read(self, name: str) -> Value:
        """The value of a variable."""
        kind = self.kinds.of.setdefault(name, Kind())
        number = None if kind.sort is None else self.component(name, kind.sort)
        flags = [(one, self.component(flag, "Bool")) for one, flag in self._flags(name, kind)]
        if not kind.specials:
            return plain(Mixed(number, ()))
        known = self.component(f"{name}.known", "Bool") if number is not None else FALSE
        rest = conjunction(deny(known), *(deny(flag) for _, flag in flags))
        return plain(Mixed(number, ((kind.specials[0], rest), *flags)))

    def component(self, name: str, sort: Sort) -> Term:
        """The value of one variable that is a number or a truth value: what is known of it, or itself."""
        return self.here.known.get(name, variable(name, sort))

    def _flags(self, name: str, kind: Kind) -> list[tuple[Special, str]]:
        """The special values of a variable but the first, with the flags that say that it is held."""
        return [(one, f"{name}.is{number}") for number, one in enumerate(kind.specials[1:], 1)]

    def _widened(self, name: str, value: Value, node: ast.AST) -> Kind:
        """What the variable holds, this value included."""
        kind, new = self.kinds.of.setdefault(name, Kind()), mixed(value)
        if new.number is not None and kind.sort != new.number.sort:
            if "Bool" in (kind.sort, new.number.sort) and kind.sort is not None:
                raise Refusal(node, f"{name} holds a truth value here and a number there", "use two names")
            kind.sort = new.number.sort if kind.sort in (None, "Int") else kind.sort
        kind.specials = tuple(dict.fromkeys((*kind.specials, *(one for one, _ in new.others))))
        return kind

    def is_fixed(self, value: Term) -> bool:
        """Whether it is made of parameters and counters of the loops around alone."""
        fixed = {LENGTH, *self.parameters.values(), *(frame.counter for frame in self.frames)}
        return all(v in fixed for v in variables(value))


def targets(block: Iterable[Statement]) -> Iterator[str]:
    """The variables that a block assigns."""
    for one in block:
        match one:
            case Assign(target) | Draw(target) | Choose(target) | Look(target):
                yield target
            case Branch(_, yes, no):
                yield from targets((*yes, *no))
            case Loop(_, _, _, body):
                yield from targets(body)


def _speaks(term: Term, name: str) -> bool:
    """Whether a variable occurs in a term."""
    return any(v.value == name for v in variables(term))
