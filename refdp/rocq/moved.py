"""Queries that move too far, for Rocq: what a function was read into, two tables, and what is answered on each.

Rocq works the answers out: the file has each state on the way, and each is proved to be what a step makes of the one
before it.  The claim is that of a proof about the query, with the word `not` before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import cast

from refdp.kernel.judgements import Refuted, Stable
from refdp.kernel.rules.engines import Query
from refdp.kernel.rules.questions import EngineQuestion
from refdp.kernel.theorem import Theorem
from refdp.logic.strict_json import entries, items, loaded
from refdp.rocq import judgements, records
from refdp.rocq.formulas import TYPES, written
from refdp.rocq.relations import METRICS, QueryFile, answered, fields_for, of_edits, of_one_edit
from refdp.rocq.stability import inside
from refdp.rocq.terms import ATOM, NotInRocq
from refdp.rocq.terms import real as spec_real
from refdp.rocq.writing import Export, Writers, harmless, require_told
from refdp.sensitivities.checking.certificate import tables_of
from refdp.sensitivities.checking.encoding import value_of
from refdp.sensitivities.checking.pairs import Record
from refdp.sensitivities.checking.pairs import records as records_of
from refdp.sensitivities.checking.replaying import claim_in, parameters, question_about
from refdp.sensitivities.checking.replaying import program_of as program_in
from refdp.sensitivities.program import EXCEPTIONS, ROW, Program
from refdp.sensitivities.question import SIZE, Neighbours, Norm, Question, Tables
from refdp.sensitivities.records import Concrete
from refdp.sensitivities.theorems import EXACT, claim_of, program_of
from refdp.terms.exact_values import attempts
from refdp.terms.leaves import parts, variables
from refdp.terms.operations import real
from refdp.terms.term import Term, Value, number

MOST_STEPS = 400
"""Most steps of both runs in a file: rows that passes read."""
LONGEST = 400
"""Most digits of a number on the way."""
PLACES = ("first", "second")
BRANCHES: Mapping[str, bool] = {"all_of": False, "any_of": True}
"""Operator -> the value of a part after which no other part is looked at."""
DEFINED = re.compile(r"^Definition (\w+)\b(.*?)\.$", re.MULTILINE | re.DOTALL)
WORD = re.compile(r"(?<![\w.%])\w+(?!\w|\.\w)")
"""A name in a definition that is not one of a module, or of a scope."""


@dataclass(slots=True)
class Pair:
    """Two tables in a file, with what is answered on each."""

    found: QueryFile
    values: Mapping[Term, Value]
    """Of the parameters."""
    runs: list[_Run]
    texts: list[list[str]]
    """The rows as they are written."""
    bound: Term
    """How far apart the answers must not be."""

    @classmethod
    def of(
        cls, found: QueryFile, rows: Sequence[Sequence[Concrete]], values: Mapping[Term, Value], bound: Term
    ) -> Pair:
        """The pair; NotInRocq where its runs are too long, or no answer on the way has a value."""
        program = found.question.program
        tables = [records_of(program.record, one, values) for one in rows]
        if sum(map(len, tables)) * len(program.passes) > MOST_STEPS:
            raise NotInRocq(f"more than {MOST_STEPS} steps of passes over the two tables are not written for Rocq")
        runs = [_Run.of(program, one, values) for one in tables]
        texts = [[records.member(program.record, iter(one)) for one in table] for table in tables]
        return cls(found, values, runs, texts, bound)

    def given(self, name: str) -> str:
        """A definition of the file for these values of the parameters that it speaks of."""
        values = [self.value(one) for one in self.spoken_of(name)]
        return f"({' '.join((name, *values))})" if values else name

    def spoken_of(self, name: str) -> list[Term]:
        """The parameters that a definition of the file speaks of, in their order: what it is applied to elsewhere."""
        said = dict(DEFINED.findall("\n".join(self.found.export.lines)))
        waiting, seen = [name], set[str]()
        while waiting:
            one = waiting.pop()
            if one not in seen:
                seen.add(one)
                waiting += WORD.findall(said.get(one, ""))
        return [one for one, called in self.found.names.items() if called in seen]

    def value(self, parameter: Term) -> str:
        """The value of a parameter, in brackets where it is applied."""
        return _written(self.values[parameter], parameter.sort)

    @property
    def place(self) -> int:
        """A coordinate at which the answers are furthest apart; NotInRocq unless they are further than the bound."""
        is_rooted, norm = self.bound.operator == "sqrt", self.found.question.norm
        limit = Fraction(value_looked_at(self.bound.arguments[0] if is_rooted else self.bound, self.values))
        if limit < 0:
            raise NotInRocq("bounds below 0 are not written for Rocq yet")
        if self.runs[0].raised != self.runs[1].raised:
            return 0
        if self.runs[0].raised:
            raise NotInRocq("the same exception on both tables is no difference")
        apart = [abs(a - b) for a, b in zip(*(one.numbers for one in self.runs), strict=True)]
        squares = [one * one for one in apart]
        size = sum(squares) if norm == "L2" else max(squares) if norm == "Linf" else sum(apart, Fraction(0)) ** 2
        if size <= (limit if is_rooted else limit**2):
            raise NotInRocq("the passes that the text is read as do not answer further apart than claimed")
        return apart.index(max(apart))

    def say(self) -> None:
        """The tables, the states on the way, and the answers."""
        found = self.found
        fields = (*found.fields.values(), *found.definitions, "Relations.start", "Relations.step")
        found.say("", f"Ltac opened := cbv beta iota delta [{' '.join((*records.WORDS, *fields))}].")
        for name, table, run in zip(PLACES, self.texts, self.runs, strict=True):
            found.say(*_answer(self, name, table, run))
        found.export.uses("Moved")


def query_moves_too_far(export: Export, step: Theorem, _: Sequence[str]) -> str:
    """That a claim about a query is false: two tables are near, and what is answered on them is not."""
    claim = step.claim.claim if isinstance(step.claim, Refuted) else None
    if not isinstance(claim, Stable):
        raise NotInRocq(f"{step.claim.term.operator} refutes no claim of stability")
    require_told(step)
    query = Query.of(dict(step.data))
    question = _question(query)
    program = question.program
    is_vector = bool(program.labels) or len(program.output) != 1
    if (len(program.output) if is_vector else None) != _dimension(claim):
        raise NotInRocq("the answers are not those of the passes that the text is read as")
    rows, none = inside(export, query.rows, frozenset()), frozenset[str]()
    found = QueryFile(export, question, [], rows, spec_real(query.bound, none, ATOM), is_vector)
    tables = [tuple(map(value_of, items(one))) for one in entries(loaded(query.evidence), *PLACES)]
    pair = Pair.of(found, tables, {}, question.claim)
    raises = any(one.raised for one in pair.runs)
    place = 0 if raises else pair.place  # a run that raises answers nothing, and refutes every bound
    found.program()
    pair.say()
    export.subjects[claim.subject] = "query"
    statement = f"~ ({answered(export, found, claim)})" if found.may_raise() else judgements.said(export, step.claim)
    if found.may_raise():
        del export.subjects[claim.subject]  # nothing that takes an answer can take an outcome
    proof = [
        "apply (Moved.query_moves_too_far _ _ _ query _ first_table second_table).",
        *(f"- {_inside(name, query.size is not None)}" for name in PLACES),
        f"- unfold first_table, second_table. {WITHIN[claim.metric](*pair.texts)}",
        f"- rewrite first_answer, second_answer. Moved.too_far_at {place}%nat.",
    ]
    return export.says("query__is_stable__is_false", statement, proof, "What refdp refutes.")


def question_is_refuted(export: Export, step: Theorem, _: Sequence[str]) -> str:
    """That what is asked about a function is false: values of its parameters, and two tables."""
    asked = EngineQuestion.of(dict(step.data))
    require_told(step)
    claim = claim_in(asked)
    try:
        question = question_about(claim, program_in(claim))
    except (ValueError, RecursionError) as error:
        raise NotInRocq(f"{claim.function} is not read as passes over the rows: {error}") from error
    _require_exact(question)
    program, tried = question.program, tables_of(loaded(asked.evidence))
    names, size = fields_for(program.parameters, ()), min(len(tried.first), len(tried.second))
    rows, bound = records.inside(program.record, names), written(real(question.claim), {**names, SIZE: "n"})
    found = QueryFile(export, question, [], rows, bound, bool(program.labels) or len(program.output) != 1)
    values = {**parameters(claim, tried.parameters), SIZE: Fraction(size)}
    pair = Pair.of(found, (tried.first, tried.second), values, question.claim)
    place = pair.place
    found.program()
    found.assumption()
    stated = of_one_edit(found) if question.edits == 1 else of_edits(found, question)
    found.say(f"Definition claimed : Prop := {stated}.", f"End {export.sections.pop()}.")
    export.opens("tables")  # the parameters have values from here on
    found.say("Import Decisions.")
    pair.say()
    here = {**{one: pair.value(one) for one in names}, SIZE: f"{size}%Z"}
    query, instance = pair.given("query"), " ".join(("claim", *map(pair.value, pair.spoken_of("claimed"))))
    lies = [f"{_inside(name, is_sized=False)[:-1]}" for name in PLACES]
    near, assumed = "unfold first_table, second_table; ", "unfold holds; opened; Moved.worked_out"
    if question.edits == 1:
        near += ONE_EDIT[claim.tables, claim.neighbours](*pair.texts)[:-1]
        instance += f" first_table second_table {size}%Z"
        shown = f"[{' | '.join((*lies, near, 'reflexivity', assumed))}]"
    else:
        near += WITHIN[METRICS[claim.tables, claim.neighbours]](*pair.texts)[:-1]
        instance += " first_table second_table"
        first, second = (f"cbv beta; split; [{one} | {assumed}]" for one in lies)
        shown = f"unfold Tables.restricted; split; [{first} | split; [{second} | {near}]]"
    far = f"{found.far} {written(real(question.claim), here)}"
    free = [f"({names[one]} : {TYPES[one.sort]})" for one in pair.spoken_of("claimed")]
    applied = " ".join(("claimed", *(names[one] for one in pair.spoken_of("claimed"))))
    return export.says(
        "question__is_answered__is_false",
        f"~ (forall {' '.join(free)}, {applied})" if free else "~ claimed",
        [
            "intro claim.",
            f"enough (no : ~ {far} ({query} first_table) ({query} second_table)).",
            f"{{ apply no. apply ({instance}); {shown}. }}",
            f"rewrite first_answer, second_answer. Moved.too_far_at {place}%nat.",
        ],
        "What refdp refutes.",
    )


def _require_exact(question: Question) -> None:
    """Return if Rocq can work out the program and what is asked about it; NotInRocq otherwise."""
    program, bound = question.program, question.claim
    used = [term for one in program.passes for term in (*one.start, *one.step)]
    used += [*program.output, program.exception, program.assumption]
    used += bound.arguments if bound.operator == "sqrt" else [bound]
    if others := sorted({part.operator for term in used for part in parts(term)} - EXACT):
        raise NotInRocq(f"what is asked about {program.name} needs {others[0]}, and is no matter of exact numbers")
    speaks_of_n = SIZE in variables(bound, program.assumption)
    if question.edits > 1 and question.neighbours == "add_remove" and speaks_of_n:
        raise NotInRocq("claims of several edits that speak of n are not written for Rocq")


def _question(query: Query) -> Question:
    """The question that a claim puts about the function, read from its text; NotInRocq where it is not read."""
    try:
        program = program_of(query)
    except (ValueError, RecursionError) as error:
        raise NotInRocq(f"{query.function} is not read as passes over the rows: {error}") from error
    neighbours, norm, kept = cast(Neighbours, query.neighbours), cast(Norm, query.norm), cast(Tables, query.tables)
    return Question(program, neighbours, norm, claim_of(query.bound), query.edits, kept)


def _dimension(claim: Stable) -> int | None:
    """How many coordinates the answers of a claim have, None where they are numbers."""
    outputs = claim.output_domain
    return int(outputs.arguments[1].rational) if outputs.operator == "vector" else None


# Runs


@dataclass(slots=True)
class _Run:
    """A run of a program on one table: what it remembers on the way, and what it answers."""

    states: list[list[tuple[Value, ...]]] = field(default_factory=list)
    """For each pass, all that is remembered at its start, and after each row."""
    numbers: tuple[Fraction, ...] = ()
    raised: int = 0

    @classmethod
    def of(cls, program: Program, table: Sequence[Record], given: Mapping[Term, Value]) -> _Run:
        """The run on these rows, for values of parameters; NotInRocq where something on the way has no value."""
        zeros: Mapping[str, Value] = {"Real": Fraction(0), "Int": Fraction(0), "Bool": False}
        states = [s for one in program.passes for s in one.state]
        known: dict[Term, Value] = {**given, **{s: zeros[s.sort] for s in states}}
        found, slots = cls(), program.record.slots(ROW)
        for one in program.passes:
            known |= zip(one.state, [value_looked_at(t, known) for t in one.start], strict=True)
            found.states.append([tuple(known[s] for s in states)])
            for row in table:
                values = {**known, **dict(zip(slots, row, strict=True))}
                known |= zip(one.state, [value_looked_at(t, values) for t in one.step], strict=True)
                found.states[-1].append(tuple(known[s] for s in states))
        found.raised = int(value_looked_at(program.exception, known))
        if not found.raised:
            found.numbers = tuple(Fraction(value_looked_at(real(one), known)) for one in program.output)
        return found


def value_looked_at(term: Term, values: Mapping[Term, Value]) -> Value:
    """The value of a term; NotInRocq unless all that Rocq looks at on the way has one.

    Rocq works out parts from the left: of a choice what is chosen, of parts that are joined no more than is needed.
    """
    found, waiting, seen = attempts(term, values), [term], set[Term]()
    while waiting:
        part = waiting.pop()
        if part in seen:
            continue
        seen.add(part)
        value, inner = found[part], part.arguments
        if isinstance(value, ArithmeticError):
            raise NotInRocq(f"what the passes work out has no value somewhere: {value}")
        if len(str(value)) > LONGEST:
            raise NotInRocq(f"a number on the way has more than {LONGEST} digits")
        if part.operator == "ite":
            inner = (inner[0], inner[1] if found[inner[0]] else inner[2])
        elif part.operator in BRANCHES:
            ends = (place for place, one in enumerate(inner, start=1) if found[one] is BRANCHES[part.operator])
            inner = inner[: next(ends, None)]
        waiting += inner
    return cast(Value, found[term])


def _answer(pair: Pair, name: str, table: Sequence[str], run: _Run) -> Iterator[str]:
    """A table, the state in which the run on it ends, and the answer."""
    found, program = pair.found, pair.found.question.program
    sorts = [s.sort for one in program.passes for s in one.state]

    def state(values: tuple[Value, ...]) -> str:
        return f"({' '.join(('State', *(_written(v, sort) for v, sort in zip(values, sorts, strict=True))))})"

    last = run.states[-1][-1] if run.states else ()
    yield from (
        "",
        f"Definition {name}_table : Tables.table row := [{'; '.join(table)}].",
        f"Lemma {name}_ends : Relations.final {pair.given('passes')} nothing {name}_table = {state(last)}.",
        "Proof.",
        f"unfold passes, {name}_table.",
    )
    for states in run.states:
        yield f"apply (Moved.a_pass _ _ _ _ {state(states[0])} {state(states[-1])}); [opened; Moved.parts_are | |]."
        yield "{"
        for one in states[1:]:
            yield f"apply (Moved.a_row _ _ _ _ {state(one)}); [opened; Moved.parts_are |]."
        yield "reflexivity. }"
    numbers = [_written(one, "Real") for one in run.numbers]
    plain = f"(Relations.vector_of [{'; '.join(numbers)}])" if found.is_vector else "".join(numbers)
    if found.may_raise():
        plain = f"Relations.Raises {run.raised}%Z" if run.raised else f"Relations.Answers {plain}"
        yield from () if not run.raised else (f"(* {harmless(EXCEPTIONS[run.raised])} *)",)
    yield from (
        "reflexivity.",
        "Qed.",
        f"Lemma {name}_answer : {pair.given('query')} {name}_table = {plain}.",
        f"Proof. unfold query. rewrite {name}_ends. opened; Moved.answer_is. Qed.",
    )


def _written(value: Value, sort: str) -> str:
    """A value of a sort, in brackets where it is applied."""
    if sort == "Bool":
        return "true" if value else "false"
    if sort == "Int":
        return f"{value}%Z" if value >= 0 else f"({value})%Z"
    return spec_real(number(Fraction(value)), (), ATOM)


# Tables


def _inside(name: str, is_sized: bool) -> str:
    """The proof that a table is one of the domain."""
    rows = f"unfold {name}_table; repeat (apply Forall_cons; [opened; Moved.row_lies |]); apply Forall_nil"
    if not is_sized:
        return f"unfold Tables.table_of; {rows}."
    return f"unfold Tables.sized_table_of; split; [{rows} | reflexivity]."


def _listed(rows: Sequence[str]) -> str:
    """Rows as a list."""
    return f"[{'; '.join(rows)}]"


def _parts(first: Sequence[str], second: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
    """The rows that both tables have, those of the first alone, and those of the second alone."""
    common, removed, added = list[str](), list[str](), list(second)
    for row in first:
        if row in added:
            added.remove(row)
            common.append(row)
        else:
            removed.append(row)
    return common, removed, added


def _symmetric(first: Sequence[str], second: Sequence[str]) -> str:
    """The proof that one table becomes the other by rows removed and added."""
    common, removed, added = map(_listed, _parts(first, second))
    return f"exists {removed}, {added}; split; [exists {common}; split; Moved.same_rows | Moved.so_few]."


def _change_one(first: Sequence[str], second: Sequence[str]) -> str:
    """The proof that one table becomes the other by as many rows removed as added."""
    common, removed, added = map(_listed, _parts(first, second))
    return (
        f"exists {removed}, {added}; "
        f"split; [exists {common}; split; Moved.same_rows | split; [reflexivity | Moved.so_few]]."
    )


def _insert_delete(first: Sequence[str], second: Sequence[str]) -> str:
    """The proof that both lists have a long list in common, in order."""
    return (
        f"exists {_listed(_in_both(first, second))}; split; [Moved.in_order | split; [Moved.in_order | Moved.so_few]]."
    )


def _hamming(first: Sequence[str], second: Sequence[str]) -> str:
    """The proof that lists differ in few places."""
    apart = sum(a != b for a, b in zip(first, second, strict=True))
    return f"exists {apart}%nat; split; [Moved.place_by_place | Moved.so_few]."


def _in_both(first: Sequence[str], second: Sequence[str]) -> list[str]:
    """The longest list that is in both, in order."""
    best: list[list[str]] = [[] for _ in range(len(second) + 1)]
    for one in first:
        before, best = best, [[]]
        for place, other in enumerate(second):
            best.append([*before[place], one] if one == other else max(best[-1], before[place + 1], key=len))
    return best[-1]


def _one_edit(first: Sequence[str], second: Sequence[str]) -> str:
    """The proof that one of the tables has one row more."""
    _, removed, added = _parts(first, second)
    (row,) = removed + added
    return f"exists {row}; {'left' if added else 'right'}; Moved.same_rows."


def _one_replacement(first: Sequence[str], second: Sequence[str]) -> str:
    """The proof that a row of a table is replaced, perhaps by an equal one."""
    common, removed, added = _parts(first, second)
    if not removed:
        removed, added, common = common[:1], common[:1], common[1:]
    return f"exists {removed[0]}, {added[0]}, {_listed(common)}; split; Moved.same_rows."


def _list_edit(first: Sequence[str], second: Sequence[str]) -> str:
    """The proof that one of the lists has one row more."""
    shorter, longer = sorted((first, second), key=len)
    place = next(i for i in range(len(longer)) if list(shorter) == [*longer[:i], *longer[i + 1 :]])
    row, side = longer[place], "left" if longer is second else "right"
    return f"exists {_listed(longer[:place])}, {row}, {_listed(longer[place + 1 :])}; {side}; split; reflexivity."


def _list_replacement(first: Sequence[str], second: Sequence[str]) -> str:
    """The proof that a row of a list is replaced, perhaps by an equal one."""
    place = next((i for i, (a, b) in enumerate(zip(first, second, strict=True)) if a != b), 0)
    before, after = _listed(first[:place]), _listed(first[place + 1 :])
    return f"exists {before}, {first[place]}, {second[place]}, {after}; split; reflexivity."


Near = Callable[[Sequence[str], Sequence[str]], str]
WITHIN: Mapping[str, Near] = {
    "symmetric": _symmetric, "change_one": _change_one, "insert_delete": _insert_delete, "hamming": _hamming,
}  # fmt: skip
"""Metric of tables -> what writes the proof that two are near."""
ONE_EDIT: Mapping[tuple[str, str], Near] = {
    ("multisets", "add_remove"): _one_edit, ("multisets", "change_one"): _one_replacement,
    ("lists", "add_remove"): _list_edit, ("lists", "change_one"): _list_replacement,
}  # fmt: skip
"""What tables are, and what neighbours are -> what writes the proof that two are one edit apart."""
WRITERS: Writers = {"query_moves_too_far": query_moves_too_far}
QUESTIONS: Writers = {"sensitivity": question_is_refuted}
"""Kind of question of an engine's -> what writes that the claim is false."""
