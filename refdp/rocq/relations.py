"""Queries for Rocq: what a function was read into, the relation of two runs, and what solvers proved of it.

A file has the query as it was read, each condition of the relational checker, and the claim, which the library proves
from them.  A condition in plain linear arithmetic is proved in the file; each other one is a premise, a hypothesis that
stands there with what the solvers were asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from refdp.kernel.judgements import Stable
from refdp.kernel.rules.engines import READING, Query
from refdp.kernel.rules.questions import EngineQuestion
from refdp.kernel.theorem import Theorem
from refdp.logic.strict_json import loaded
from refdp.rocq import judgements, records
from refdp.rocq.conditions import follows_by_equations, is_plain
from refdp.rocq.formulas import RESERVED, TYPES, shared, written
from refdp.rocq.stability import inside as inside_domain
from refdp.rocq.terms import ATOM, NotInRocq
from refdp.rocq.terms import real as spec_real
from refdp.rocq.writing import Export, Writers, harmless, require_told
from refdp.sensitivities.checking.clauses import Condition, Edit, conditions, sorted_as
from refdp.sensitivities.checking.edits import single_edit
from refdp.sensitivities.checking.invariants import (
    EDITED,
    GHOST,
    LENGTH,
    OTHER,
    ROWS,
    Invariants,
    equality,
    first,
    second,
)
from refdp.sensitivities.checking.replaying import claim_in, program_of, proposal_of
from refdp.sensitivities.checking.verifying import cases
from refdp.sensitivities.program import ROW, Pass
from refdp.sensitivities.question import SIZE, Question
from refdp.sensitivities.theorems import RAISES, Case, case_of, coordinates
from refdp.terms.leaves import ZERO, integer, rational, variables
from refdp.terms.operations import negation, real
from refdp.terms.scripts import script
from refdp.terms.term import Term
from refdp.terms.term import Term as SpecTerm

BOUND = (
    "s", "t", "x", "r", "n", "length", "u", "v", "edited", "added", "old", "new", "one", "other", "before", "after",
    "row", "state", "State", "constraint", "passes", "nothing", "answer", "answer_of", "raised", "query", "assumed",
    "claimed", "inside", "d_in", "first_table", "second_table", "first_ends", "second_ends", "first_answer",
    "second_answer", "A", "B", "C", "E", "I", "I0", "I1", "J", "L", "N", "S", "U", "V", "W",
)  # fmt: skip
"""Names that a file gives itself, besides those of conditions, which begin as below."""
STEMS = re.compile(
    r"(order_|alone_)?(pass|relation|known|holding|keeping|lone|single|related|out|row|answers?|shared|query|question|"
    r"one_edit|any_order|the_domain)(_|\d|$)|order_|alone_|coordinate_|near_"
)
"""How names of a file's own may begin."""
ALL = " /\\ "
"""Between facts that all hold."""
NORMS = {"L1": "l1", "L2": "l2", "Linf": "linf"}
NEAR: Mapping[tuple[str, str], str] = {
    ("multisets", "add_remove"): "Tables.one_edit", ("multisets", "change_one"): "Tables.one_replacement",
    ("lists", "add_remove"): "Relations.list_edit", ("lists", "change_one"): "Relations.list_replacement",
}  # fmt: skip
"""What tables are, and what neighbours are -> that two tables are one edit apart."""
METRICS: Mapping[tuple[str, str], str] = {
    ("multisets", "add_remove"): "symmetric", ("multisets", "change_one"): "change_one",
    ("lists", "add_remove"): "insert_delete", ("lists", "change_one"): "hamming",
}  # fmt: skip
"""The same -> the distance of which they are so many edits apart at most."""
LONGEST_SCRIPTS = 2_000_000
"""Longest text, in characters, that solvers were asked in all conditions of a file."""


_Needed = Callable[[str, str, str], None]
"""Adds a condition: what the checker calls it, what the file calls it, and what it says."""


@dataclass(frozen=True, slots=True)
class _Edit:
    """How the tables of two runs differ: names of the records, what each table has there, and the tables' lengths."""

    records: tuple[str, ...]
    ghosts: tuple[str, ...]
    mine: str
    theirs: str
    length: str
    other_length: str
    shift: str
    rows: int
    """How many rows of the first table it has."""

    @property
    def binder(self) -> str:
        """What is fixed throughout both runs, as it is bound."""
        return f"({self.sizes} : Z) ({' '.join(self.records)} : row)"

    @property
    def applied(self) -> str:
        """The same as arguments."""
        return f"{self.sizes} {' '.join(self.records)}"

    @property
    def sizes(self) -> str:
        """The numbers of rows that are spoken of."""
        return "n" if self.length == "n" else f"n {self.length}"


EDITS: Mapping[str, _Edit] = {
    "add_remove": _Edit(("added",), (GHOST,), "[]", "[added]", "n", "(n + 1)", "1", 0),
    "change_one": _Edit(("old", "new"), (GHOST, OTHER), "[old]", "[new]", "n", "n", "0", 1),
    "swap": _Edit(("one", "other"), (GHOST, OTHER), "[one; other]", "[other; one]", "length", "length", "0", 2),
}


def fields_for(states: Iterable[Term], taken: Iterable[str]) -> dict[Term, str]:
    """A name of Rocq's for each state, no two alike and none that means something else in the file."""
    used, found = {*RESERVED, *BOUND, *taken}, dict[Term, str]()
    for one in states:
        plain = re.sub(r"[^A-Za-z0-9]+", "_", re.sub(r"^p\d+!?\.", "", str(one.value))).strip("_")
        stem = (
            plain if re.match(r"[A-Za-z]", plain) and not STEMS.match(plain) and plain not in used else f"its_{plain}"
        )
        name, count = stem, 2
        while name in used:
            name, count = f"{stem}_{count}", count + 1
        found[one] = name
        used.add(name)
    return found


@dataclass(slots=True)
class QueryFile:
    """The lines about one question."""

    export: Export
    question: Question
    """Of one edit."""
    solvers: list[str]
    inside: str
    """That a row is in the domain, in brackets."""
    bound: str
    """How far one edit moves the answer, in brackets; it may speak of n."""
    is_vector: bool
    names: dict[Term, str] = field(default_factory=dict)
    """What the parameters are called."""
    fields: dict[Term, str] = field(default_factory=dict)
    """What the states are called."""
    definitions: list[str] = field(default_factory=list)
    """The file's own definitions, which linear arithmetic looks into."""
    asked: int = 0

    # What the function was read into

    def may_raise(self) -> bool:
        """Whether an outcome may be an exception."""
        return self.question.program.exception is not ZERO

    def say(self, *lines: str) -> None:
        """Add lines."""
        self.export.lines += lines

    def define(self, name: str, rest: str) -> None:
        """Add a definition."""
        self.definitions.append(name)
        self.say(f"Definition {name} {rest}.")

    def program(self) -> None:
        """The query as it was read."""
        program = self.question.program
        if self.export.sections:
            raise NotInRocq("a second query is not written into one file yet")
        self.export.uses(*records.MODULES, "Decisions")
        self.names = fields_for(program.parameters, ())
        states = tuple(s for one in program.passes for s in one.state)
        self.fields = fields_for(states, self.names.values())
        self.export.opens("question")
        self.say("Import Decisions.")
        for parameter in program.parameters:
            self.say(f"Variable {self.names[parameter]} : {TYPES[parameter.sort]}.")
        self.say("", f"(* A row: {harmless(records.described(program.record))}. *)")
        self.define("row", f": Type := {records.row_type(program.record)}")
        kinds = (f"{self.fields[s]} : {TYPES[s.sort]}" for s in states)
        self.say("", "(* What the passes remember. *)", f"Record state := State {{ {'; '.join(kinds)} }}.")
        for index, one in enumerate(program.passes):
            start = self.made(one, one.start, states, {})
            step = self.made(one, one.step, states, self.record(ROW, "x"))
            self.define(
                f"pass_{index}", f": Relations.pass row state := Relations.Pass\n  (fun s => {start})\n"
                f"  (fun s x => {step})",
            )  # fmt: skip
        passes = "; ".join(f"pass_{index}" for index in range(len(program.passes)))
        self.say(f"Definition passes : list (Relations.pass row state) := [{passes}].")
        zeros = {"Real": "0", "Int": "0%Z", "Bool": "false"}
        self.define("nothing", f": state := {' '.join(('State', *(zeros[s.sort] for s in states)))}")
        self.answers()

    def made(self, one: Pass, values: tuple[Term, ...], states: tuple[Term, ...], row: Mapping[Term, str]) -> str:
        """The state where one pass has given its own parts these values."""
        new = sorted_as(one.state, values)
        called = {**self.names, **self.run("s"), **row}
        return " ".join(("State", *(shared(new.get(s, s), called) for s in states)))

    def answers(self) -> None:
        """What is answered from the last state."""
        program, called = self.question.program, {**self.names, **self.run("s")}
        numbers = [self.number(one, called) for one in program.output]
        answer = f"Relations.vector_of [{'; '.join(numbers)}]" if self.is_vector else numbers[0]
        kind = "Tables.vector" if self.is_vector else "R"
        if self.may_raise():
            self.define("answer_of", f"(s : state) : {kind} := {answer}")
            self.define("raised", f"(s : state) : Z := {shared(program.exception, called)}")
            answer, kind = "Relations.outcome_of (raised s) (answer_of s)", f"(Relations.outcome {kind})"
        self.define("answer", f"(s : state) : {kind} := {answer}")
        self.say(
            f"Definition query (u : Tables.table row) : {kind} := answer (Relations.final passes nothing u).",
        )

    def number(self, term: Term, called: Mapping[Term, str]) -> str:
        """A coordinate of the answer, a real number."""
        if term.sort == "Int":
            return f"(IZR {shared(term, called)})"
        return shared(real(term), called)

    def run(self, state: str) -> dict[Term, str]:
        """The states as parts of one."""
        return {s: f"({name} {state})" for s, name in self.fields.items()}

    def record(self, name: str, row: str) -> dict[Term, str]:
        """The variables of a record as parts of a row."""
        kind = self.question.program.record
        return dict(zip(kind.slots(name), records.read(kind, row), strict=True))

    def of_row(self, term: Term, name: str, row: str) -> str:
        """A term about one record."""
        return written(term, {**self.names, **self.record(name, row)})

    def rows_are_inside(self) -> None:
        """A row of the domain satisfies the constraint."""
        kind, words = self.question.program.record, " ".join((*records.WORDS, "constraint"))
        self.say("")
        self.define("constraint", f"(x : row) : bool := {self.of_row(kind.constraint(ROW), ROW, 'x')}")
        self.say(
            f"Lemma row_is_inside (x : row) : {self.inside} x -> holds (constraint x).",
            "Proof.",
            f"intros I. unfold holds, row in *. Relations.columns; cbv beta iota zeta delta [{words}] in I |- *; "
            "Relations.row_is_inside.",
            "Qed.",
            "Lemma rows_are_inside (u : Tables.table row) :",
            f"  Tables.table_of {self.inside} u -> Tables.table_of (fun x => holds (constraint x)) u.",
            "Proof. apply Forall_impl. exact row_is_inside. Qed.",
        )

    def assumption(self) -> None:
        """What is assumed of the parameters, and of n."""
        called = {**self.names, SIZE: "n"}
        self.define("assumed", f"(n : Z) : bool := {written(self.question.program.assumption, called)}")

    # Distances

    @property
    def dimension(self) -> int:
        """How many coordinates an answer has."""
        return len(self.question.program.output)

    def norm(self, norm: str) -> str:
        """The distance of answers, in brackets."""
        plain = f"(Tables.{NORMS[norm]} {self.dimension})" if self.is_vector else "Tables.absolute"
        return f"(Relations.outcomes {plain})" if self.may_raise() else plain

    @property
    def far(self) -> str:
        """The distance of answers that is asked about, in brackets."""
        return self.norm(self.question.norm)

    @property
    def is_a_distance(self) -> str:
        """The proof that it is one, in brackets."""
        stem, size = (NORMS[self.question.norm], f" {self.dimension}") if self.is_vector else ("absolute", "")
        plain = f"(Relations.{stem}_is_a_distance{size})"
        if not self.may_raise():
            return plain
        return f"(Relations.outcomes_are_a_distance _ (Relations.{stem}_positive{size}) {plain})"

    # Conditions

    def condition(self, name: str, statement: str, obligations: Sequence[Condition], itself: Condition) -> None:
        """A condition: proved where it is plain, else a premise with what the solvers were asked."""
        statement = " ".join(statement.split())
        by_equations = not name.endswith("out") and follows_by_equations(itself.hypotheses, itself.conclusion)
        is_last = name.endswith("out") and (self.is_vector or self.may_raise())
        if by_equations or (is_plain(itself.hypotheses, itself.conclusion) and not is_last):
            opened = " ".join(self.definitions)
            words = (
                "Relations.together Relations.nothing_known Relations.read Relations.start Relations.step fold_left "
                f"Tables.absolute {' '.join(records.WORDS)} {' '.join(self.fields.values())}"
            )
            self.say(
                f"Lemma {name} :\n  {statement}.",
                "Proof.",
                f"intros; Relations.taken_apart state; cbv beta iota zeta delta [{opened} {words}] in *; "
                f"Decisions.{'equations' if by_equations else 'linear'}.",
                "Qed.",
            )
            return
        scripts = [script((*one.hypotheses, negation(one.conclusion))) for one in obligations]
        self.asked += sum(map(len, scripts))
        if self.asked > LONGEST_SCRIPTS:
            raise NotInRocq("what the solvers were asked is too long for a file")
        self.export.premise(name, statement, self.solvers, scripts)

    def asking(self, prefix: str, wanted: Iterable[Condition], proposed: Invariants) -> _Needed:
        """What adds these conditions, by their names."""
        found = {one.name: one for one in wanted}
        asked = {name: list(cases(one, proposed)) for name, one in found.items()}

        def needed(key: str, name: str, statement: str) -> None:
            self.condition(f"{prefix}{name}", statement, asked[key], found[key])

        return needed

    def relate(self, prefix: str, edit: Edit, proposed: Invariants, norm: str, bound: str, wanted: Question) -> None:
        """All conditions of two runs on tables that differ by an edit, and what follows for the last states."""
        how, program = EDITS[edit], self.question.program
        needed = self.asking(prefix, conditions(wanted, edit, proposed), proposed)
        rigid, binder = how.applied, how.binder
        ghosts = dict[Term, str]()
        for name, row in zip(how.ghosts, how.records, strict=True):
            ghosts |= self.record(name, row)
        called = {**self.names, **ghosts, SIZE: "n", ROWS: "r", EDITED: "edited",
                  **{first(s): text for s, text in self.run("s").items()},
                  **{second(s): text for s, text in self.run("t").items()}}  # fmt: skip
        facts = ["holds (assumed n)", "(0 <= n)%Z", *(f"holds (constraint {row})" for row in how.records)]
        facts += [self.some_length] if edit == "swap" else []
        facts += ["(1 <= n)%Z"] if edit == "change_one" else []
        self.say("")
        self.define(f"{prefix}known_0", f"{binder} (s t : state) : Prop := {ALL.join(facts)}")
        lone = self.single_runs(prefix, proposed, needed)
        for index in range(len(program.passes)):
            self.one_pass(index, prefix, how, proposed, called, needed, lone)
        count = len(program.passes)
        given = " -> ".join(f"holds (constraint {row})" for row in how.records)
        self.say(
            f"Lemma {prefix}related {binder} : {given} ->",
            f"  Relations.all_related (fun x => holds (constraint x)) {how.length} {how.mine} {how.theirs}",
            f"    ({prefix}known_0 {rigid}) passes ({prefix}known_{count} {rigid}).",
            "Proof.",
            "intros. unfold passes.",
            *(
                f"apply (Relations.a_pass_relates _ _ _ _ ({prefix}known_{i} {rigid}) pass_{i} _ "
                f"({prefix}holding_{i} {rigid})); [apply {prefix}pass_{i}_related; assumption |]."
                for i in range(count)
            ),
            "apply Relations.no_pass_relates.",
            "Qed.",
        )
        near = f"{self.norm(norm)} {bound} (answer s) (answer t)"
        needed("out", "out", f"forall {binder} (s t : state), {prefix}known_{count} {rigid} s t -> {near}")

    @property
    def some_length(self) -> str:
        """What is known of the number of rows of one table."""
        longer = " \\/ length = n + 1" if self.question.neighbours == "add_remove" else ""
        return f"(length = n{longer})%Z"

    def before_passes(self, prefix: str) -> None:
        """What is known of a single run before it begins."""
        self.say("")
        self.define(
            f"{prefix}lone_0",
            f"(n length : Z) (s : state) : Prop := holds (assumed n) /\\ (0 <= n)%Z /\\ {self.some_length}",
        )

    def single_runs(self, prefix: str, proposed: Invariants, needed: _Needed) -> bool:
        """Invariants of single runs, if there are any: definitions, conditions and what follows; whether there are."""
        if not proposed.singles:
            return False
        self.before_passes(prefix)
        called = {**self.names, SIZE: "n", LENGTH: "length", ROWS: "r", **self.run("s")}
        for i, single in enumerate(proposed.singles):
            lone, one, at = f"{prefix}lone_{i}", f"{prefix}single_{i}", f"{prefix}pass_{i}_alone"
            self.define(one, f"(n length : Z) (s : state) (r : Z) : bool := {shared(single, called)}")
            self.define(
                f"{prefix}keeping_{i}",
                f"(n length : Z) (s : state) (r : Z) : Prop := {lone} n length s /\\ holds ({one} n length s r)",
            )
            self.define(
                f"{prefix}lone_{i + 1}", f"(n length : Z) (s : state) : Prop := {prefix}keeping_{i} n length s length"
            )
            ask = needed
            ask(
                f"{i}.single.init",
                f"pass_{i}_alone_init",
                f"forall (n length : Z) (s : state), {lone} n length s -> "
                f"holds ({one} n length (Relations.start pass_{i} s) 0)",
            )
            ask(
                f"{i}.single.step",
                f"pass_{i}_alone_step",
                f"forall (n length : Z) (s : state) (r : Z) (x : row), {lone} n length s -> holds (constraint x) -> "
                f"(0 <= r < length)%Z -> holds ({one} n length s r) -> "
                f"holds ({one} n length (Relations.step pass_{i} s x) (r + 1))",
            )
            self.say(
                f"Lemma {at} (n length : Z) :",
                f"  Relations.kept (fun x => holds (constraint x)) length ({lone} n length) pass_{i} "
                f"({prefix}keeping_{i} n length).",
                "Proof.",
                "apply Relations.kept_with_earlier.",
                "- intros s H. exact H.",
                "- intros s x H. exact H.",
                f"- apply {prefix}pass_{i}_alone_init.",
                f"- apply {prefix}pass_{i}_alone_step.",
                "Qed.",
            )
        return True

    def one_pass(
        self,
        i: int,
        prefix: str,
        how: _Edit,
        proposed: Invariants,
        called: Mapping[Term, str],
        needed: _Needed,
        lone: bool,
    ) -> None:
        """One pass: its relation, the conditions, and that the pass keeps the relation."""
        rigid, binder, relation = how.applied, how.binder, f"{prefix}relation_{i}"
        holding, known = f"{prefix}holding_{i} {rigid}", f"{prefix}known_{i} {rigid}"
        self.say("")
        self.define(
            relation,
            f"{binder} (edited : bool) (s t : state) (r : Z) : bool :=\n  {shared(proposed.relations[i], called)}",
        )
        keeping = [f"({prefix}keeping_{i} n {at})" if lone else "Relations.nothing_known"
                   for at in (how.length, how.other_length)]  # fmt: skip
        earlier = [f"({prefix}lone_{i} n {at})" if lone else "(fun _ => True)"
                   for at in (how.length, how.other_length)]  # fmt: skip
        keeping, earlier = ([text.replace("(n + 1)", "(n + 1)%Z") for text in some] for some in (keeping, earlier))
        self.define(
            f"{prefix}holding_{i}",
            f"{binder} : bool -> state -> state -> Z -> Prop :=\n  Relations.together ({known}) "
            f"(fun edited s t r => holds ({relation} {rigid} edited s t r)) {keeping[0]} {keeping[1]} {how.shift}%Z",
        )
        self.define(f"{prefix}known_{i + 1}", f"{binder} (s t : state) : Prop := {holding} true s t {how.length}")
        ask, step, both = needed, f"Relations.step pass_{i}", f"forall {binder} (s t : state)"
        ask(
            f"{i}.init",
            f"pass_{i}_init",
            f"{both}, {known} s t -> "
            f"holds ({relation} {rigid} false (Relations.start pass_{i} s) (Relations.start pass_{i} t) 0)",
        )
        for name, edited in (("before", "false"), ("after", "true")):
            ask(
                f"{i}.{name}",
                f"pass_{i}_{name}",
                f"{both} (r : Z) (x : row), holds (constraint x) -> (0 <= r < {how.length})%Z -> "
                f"{holding} {edited} s t r -> holds ({relation} {rigid} {edited} ({step} s x) ({step} t x) (r + 1))",
            )
        rows = f"(r + {how.rows})" if how.rows else "r"
        ask(
            f"{i}.edit",
            f"pass_{i}_edit",
            f"{both} (r : Z), (0 <= r)%Z -> ({rows} <= {how.length})%Z -> {holding} false s t r -> "
            f"holds ({relation} {rigid} true (Relations.read pass_{i} s {how.mine}) "
            f"(Relations.read pass_{i} t {how.theirs}) {rows})",
        )
        given = " -> ".join(f"holds (constraint {row})" for row in how.records)
        other = how.other_length.replace("(n + 1)", "(n + 1)%Z")
        kept = [f"apply {prefix}pass_{i}_alone" if lone else "apply Relations.nothing_is_kept"] * 2
        facts = "split; exact I" if not lone else (
            f"unfold {prefix}known_0, {prefix}lone_0 in *. Relations.facts" if not i
            else "destruct K as (_ & _ & A & B); split; assumption"
        )  # fmt: skip
        self.say(
            f"Lemma {prefix}pass_{i}_related {binder} : {given} ->",
            f"  Relations.related (fun x => holds (constraint x)) {how.length} {how.mine} {how.theirs}",
            f"    ({known}) pass_{i} ({holding}).",
            "Proof.",
            "intros.",
            f"refine (Relations.related_together (fun x => holds (constraint x)) {how.length} {other} {how.mine} "
            f"{how.theirs} {earlier[0]} {earlier[1]} ({known}) pass_{i} _ {keeping[0]} {keeping[1]} "
            "_ _ _ _ _ _ _ _ _ _ _ _).",
            "- Relations.counted.",
            "- repeat constructor; assumption.",
            "- repeat constructor; assumption.",
            f"- intros s t K. {facts}.",
            *(f"- {one}." for one in kept),
            "- split; [| split]; intros s t; intros; assumption.",
            f"- apply {prefix}pass_{i}_init.",
            f"- apply {prefix}pass_{i}_before.",
            f"- intros s t r above below K. {'rewrite Z.add_0_r in *. ' if not how.rows else ''}"
            f"apply ({prefix}pass_{i}_edit {rigid} s t r above below K).",
            f"- apply {prefix}pass_{i}_after.",
            "- Relations.counted.",
            "Qed.",
        )

    def alone(self, case: Case) -> None:
        """That no run raises, and that answers lie on the grid of the claim: conditions, and what follows."""
        proposed = Invariants(case.evidence.relations.relations, case.evidence.total)
        wanted = {one.name: one for one in case.of_single_runs()}
        needed = self.asking("alone_", wanted.values(), proposed)
        if not proposed.singles:
            self.before_passes("alone_")
        self.single_runs("alone_", proposed, needed)
        count = len(proposed.singles)
        row, lone = "(fun x => holds (constraint x))", f"alone_lone_{count}"
        whole = "[| exact U | reflexivity | apply first]."
        self.say(
            "",
            "Lemma alone_ends (u : Tables.table row) :",
            f"  Tables.table_of {row} u -> holds (assumed (Relations.rows_of u)) ->",
            f"  {lone} (Relations.rows_of u) (Relations.rows_of u) (Relations.final passes nothing u).",
            "Proof.",
            "intros U A. pose proof (Relations.rows_of_positive u) as positive. set (n := Relations.rows_of u) in *.",
            "assert (first : forall s, alone_lone_0 n n s) by (unfold alone_lone_0; Relations.whole_table).",
            *(
                (
                    f"apply (Relations.runs_keep {row} n (alone_lone_0 n n) passes); {whole}",
                    "unfold passes.",
                    *(f"apply (Relations.a_pass_keeps _ _ _ pass_{i} _ (alone_keeping_{i} n n)); "
                      f"[apply alone_pass_{i}_alone |]." for i in range(count)),
                    "apply Relations.no_pass_keeps.",
                )
                if count
                else ("apply first.",)
            ),
            "Qed.",
        )  # fmt: skip
        known = f"forall (n length : Z) (s : state), {lone} n length s ->"
        if self.may_raise():
            if RAISES not in wanted:
                raise NotInRocq("an exception that is never raised is not seen to be none")
            needed(RAISES, "raises_nothing", f"{known} raised s = 0%Z")
        if case.step is not None:
            self.on_the_grid(case.step, wanted, needed, known)

    def on_the_grid(self, step: Fraction, wanted: Container[str], needed: _Needed, known: str) -> None:
        """That each coordinate of an answer is a whole multiple of the step."""
        called, unit = {**self.names, **self.run("s")}, written(rational(step), {})
        for place, one in enumerate(self.question.program.output):
            text, key = self.number(one, called), f"answer {place} on the grid"
            if key in wanted:
                needed(key, f"grid_{place}", f"{known} IZR (floored ({text} / {unit})) = {text} / {unit}")
                proof = f"intro K. apply Relations.steps_on_grid; [lra | exact (alone_grid_{place} n length s K)]."
            elif one.sort == "Int" and (1 / step).denominator == 1:
                proof = f"intros _. apply (Relations.whole_on_grid {unit} {int(1 / step)}); lra."
            else:
                raise NotInRocq("an answer that is plainly on the grid is not seen to be there")
            self.say(
                f"Lemma coordinate_{place}_on_the_grid (n length : Z) (s : state) :",
                f"  {known.partition(', ')[2]} Tables.on_grid {unit} {text}.",
                f"Proof. {proof} Qed.",
            )

    # What follows

    def one_edit(self) -> None:
        """What one edit moves: the definition that the library's theorems take."""
        how, count = EDITS[self.question.neighbours], len(self.question.program.passes)
        records_ = " ".join(how.records)
        first_part, second_part = (f"before ++ {part} ++ after" for part in (how.mine, how.theirs))
        inside = " -> ".join(f"holds (constraint {row})" for row in how.records)
        self.say(
            "",
            f"Lemma one_edit_moves (n : Z) (before after : Tables.table row) ({records_} : row) :",
            "  holds (assumed n) -> Tables.table_of (fun x => holds (constraint x)) before ->",
            f"  Tables.table_of (fun x => holds (constraint x)) after -> {inside} ->",
            f"  Relations.rows_of ({first_part}) = n ->",
            f"  {self.far} {self.bound} (query ({first_part})) (query ({second_part})).",
            "Proof.",
            f"intros A B C {' '.join(f'I{i}' for i, _ in enumerate(how.records))} L. apply (out {how.applied}).",
            f"apply (Relations.runs_stay_related (fun x => holds (constraint x)) n {how.mine} {how.theirs} "
            f"(known_0 {how.applied}) passes (known_{count} {how.applied})); try assumption.",
            "- apply related; assumption.",
            "- unfold known_0. Relations.facts.",
            "Qed.",
        )

    def any_order(self) -> None:
        """What exchanging two rows moves: nothing."""
        count = len(self.question.program.passes)
        same = (
            f"{self.norm('Linf')} 0 (query (before ++ one :: other :: after)) (query (before ++ other :: one :: after))"
        )
        self.say(
            "",
            "Lemma order_is_free (n : Z) (before after : Tables.table row) (one other : row) :",
            "  holds (assumed n) -> (0 <= n)%Z ->",
            "  Tables.table_of (fun x => holds (constraint x)) (before ++ one :: other :: after) ->",
            f"  (fun length : Z => {self.some_length}) (Relations.rows_of (before ++ one :: other :: after)) ->",
            f"  {self.far} 0 (query (before ++ one :: other :: after)) (query (before ++ other :: one :: after)).",
            "Proof.",
            "intros A N U L. cbv beta in L. apply Forall_app in U as [B C]. pose proof (Forall_inv C).",
            "apply Forall_inv_tail in C. pose proof (Forall_inv C). apply Forall_inv_tail in C.",
            f"assert (same : {same}).",
            "{ set (l := Relations.rows_of (before ++ one :: other :: after)) in *.",
            "  apply (order_out n l one other).",
            "  apply (Relations.runs_stay_related (fun x => holds (constraint x)) l [one; other] [other; one] "
            f"(order_known_0 n l one other) passes (order_known_{count} n l one other)); try assumption.",
            "  - apply order_related; assumption.",
            "  - reflexivity.",
            "  - unfold order_known_0. repeat split; assumption. }",
            self.from_linf(),
            "Qed.",
        )

    def from_linf(self) -> str:
        """The tactic from equal coordinates to the norm that is asked about."""
        stem = NORMS[self.question.norm]
        if not self.is_vector or stem == "linf":
            return "exact same."
        if self.may_raise():
            return f"revert same. apply Relations.outcomes_within. apply Relations.same_{stem}."
        return f"apply Relations.same_{stem}. exact same."


def _common(found: QueryFile, relations: Invariants, order: Invariants | None, tables: str) -> None:
    """The query, what one edit moves and, for multisets, that the order of rows plays no part."""
    question = found.question
    found.rows_are_inside()
    found.assumption()
    found.relate("", question.neighbours, relations, question.norm, found.bound, question)
    found.one_edit()
    if tables == "multisets":
        exact = replace(question, claim=integer(0), norm="Linf")
        found.relate("order_", "swap", order or equality(question.program), "Linf", "0", exact)
        found.any_order()


def _distance(found: QueryFile, bound: str, domain: str, metric: str, distance: str, sized: str) -> Iterator[str]:
    """The proof that so many edits move the answer so many bounds, where `sized` is what is known of a size."""
    neighbours, tables = found.question.neighbours, metric not in ("insert_delete", "hamming")
    records_ = "x" if neighbours == "add_remove" else "x y"
    row = "(fun x => holds (constraint x))"
    allowed = "(fun m : nat => holds (assumed (Z.of_nat m)))"
    yield f"apply (Relations.query_{metric} {row} {allowed} query {found.far} {bound} {domain} {found.is_a_distance})."
    yield "- Relations.positive."
    yield f"- intros w W. {sized}"
    if neighbours == "add_remove":
        yield "- intro m. reflexivity."
    if tables:
        yield "- intros before after x y W A. apply (order_is_free _ before after x y A); try exact W."
        yield "  + apply Relations.rows_of_positive."
        yield "  + first [reflexivity | left; reflexivity]."
    yield f"- intros before after {records_} W {'I ' if neighbours == 'change_one' else ''}A."
    first_table = "before ++ after" if neighbours == "add_remove" else "before ++ x :: after"
    yield from _edited(neighbours, f"(Relations.rows_of ({first_table}))", "exact A", "reflexivity")


def _edited(neighbours: str, n: str, assumed: str, length: str) -> Iterator[str]:
    """The proof that one edit moves the answer by at most the bound, from the lemma of the file."""
    yield "  apply Forall_app in W as [B W]. pose proof (Forall_inv W). pose proof (Forall_inv_tail W)."
    records_ = "x" if neighbours == "add_remove" else "x y"
    yield f"  apply (one_edit_moves {n} before after {records_}); try assumption; first [{assumed} | {length}]."


def query_is_stable(export: Export, step: Theorem, lemmas: Sequence[str]) -> str:
    """The claim that a query is stable, from the conditions that its evidence brings."""
    claim, data = step.claim, dict(step.data)
    if not isinstance(claim, Stable):
        raise NotInRocq(f"{claim.term.operator} is no claim of stability")
    query = Query.of({key: value for key, value in data.items() if key != "by"})
    require_told(step)
    case = case_of(query)
    none = frozenset[str]()
    bound = spec_real(query.bound, none, ATOM)
    rows = inside_domain(export, query.rows, none)
    found = QueryFile(export, single_edit(case.question), solvers(step), rows, bound, coordinates(query) is not None)
    found.program()
    export.subjects[claim.subject] = "query"
    _common(found, case.evidence.relations, case.evidence.order, query.tables)
    domain, sized = f"(Tables.table_of {rows})", "split; [apply rows_are_inside, W | reflexivity]."
    if query.size is not None:
        domain = f"(Tables.sized_table_of {rows} (Z.to_nat {query.size}))"
        sized = (
            "destruct W as [W L]. split; [apply rows_are_inside, W |]. "
            "unfold holds, assumed, Relations.rows_of. apply Z.eqb_eq. "
            f"transitivity (Z.of_nat (Z.to_nat {query.size})); [f_equal; exact L | reflexivity]."
        )
    moved = _distance(found, bound, domain, claim.metric, "d_in", sized)
    raises, on_grid = found.may_raise(), query.step is not None
    if raises or on_grid:
        found.alone(case)
    statement = judgements.said(export, claim) if not raises else answered(export, found, claim)
    proof = ["intros d_in positive.", *_alone(found, raises, on_grid, domain, sized), *moved]
    if raises:
        del export.subjects[claim.subject]  # nothing that takes an answer can take an outcome
    return export.says("query__is_stable", statement, proof, "What refdp claims.")


def answered(export: Export, found: QueryFile, claim: Stable) -> str:
    """What is claimed of a query that might raise, and never does: outcomes are answers, and these are near."""
    given, integers, free = judgements.conditions(claim.term, claim.given)
    near = judgements.near(export, claim.domain, claim.metric, claim.d_in, integers)
    far = judgements.near(export, claim.output_domain, claim.output_metric, claim.d_out[0], integers)
    return judgements.universal(free, integers, given, f"stable {near} query (Relations.answered {far})")


def _alone(found: QueryFile, raises: bool, on_grid: bool, domain: str, sized: str) -> Iterator[str]:
    """The proof that outcomes are answers, on the grid of the claim, where that is claimed."""
    if not raises and not on_grid:
        return
    how = "Relations.no_run_raises_and_answers_lie_in" if raises and on_grid else (
        "Relations.no_run_raises" if raises else "Relations.answers_lie_in")  # fmt: skip
    ended = "(fun u => raised (Relations.final passes nothing u))"
    answer = "(fun u => answer_of (Relations.final passes nothing u))"
    count = sum(line.startswith("Lemma coordinate_") for line in found.export.lines)
    yield (
        "assert (ends : forall w, "
        f"{domain} w -> exists n length, {_last_lone(found)} n length (Relations.final passes nothing w))."
    )
    yield "{ intros w W. exists (Relations.rows_of w), (Relations.rows_of w)."
    yield "  enough (E : Tables.table_of (fun x => holds (constraint x)) w /\\ holds (assumed (Relations.rows_of w))) "
    yield "    by (apply alone_ends; apply E)."
    yield f"  {sized} }}"
    yield f"apply ({how} {domain} _ {f'{ended} {answer}' if raises else 'query'})."
    if raises:
        yield "{ intros w W. destruct (ends w W) as (n & length & E). exact (alone_raises_nothing n length _ E). }"
    if on_grid:
        yield "{ intros w W. destruct (ends w W) as (n & length & E)."
        if found.is_vector:
            yield (
                "  intros j J. cbv beta delta [query answer answer_of]."
                if raises
                else "  intros j J. unfold query, answer."
            )
            for place in range(count):
                yield f"  destruct j as [| j]; [exact (coordinate_{place}_on_the_grid n length _ E) |]."
            yield "  Relations.beyond. }"
        else:
            yield "  exact (coordinate_0_on_the_grid n length _ E). }"


def _last_lone(found: QueryFile) -> str:
    """What the file calls all that is known of a single run at its end."""
    return max(
        (one for one in found.definitions if one.startswith("alone_lone_")), key=lambda one: int(one.split("_")[-1])
    )


def question_is_answered(export: Export, step: Theorem, lemmas: Sequence[str]) -> str:
    """The answer to a question about a function, from the conditions that its evidence brings."""
    asked = EngineQuestion.of({key: value for key, value in step.data.items() if key != "by"})
    require_told(step)
    claim = claim_in(asked)
    whole, relations, order = proposal_of(program_of(claim), claim, loaded(asked.evidence))
    question = single_edit(whole)
    program = question.program
    names = fields_for(program.parameters, ())
    called = {**names, SIZE: "n"}
    rows, bound = records.inside(program.record, names), written(real(question.claim), called)
    found = QueryFile(export, question, solvers(step), rows, bound, bool(program.labels) or len(program.output) != 1)
    found.program()
    _common(found, relations, order, claim.tables)
    if whole.edits > 1:
        return _many_edits(found, whole, rows)
    near, statement = NEAR[claim.tables, claim.neighbours], of_one_edit(found)
    theorem = f"Relations.query_{near.partition('.')[2].removeprefix('query_')}"
    distance = "" if near == "Relations.list_replacement" else f" {found.is_a_distance}"  # it rests on no such proof
    records_ = "x" if claim.neighbours == "add_remove" else "x y"
    proof = [
        "intros u v n U V N S A. apply rows_are_inside in U, V.",
        f"apply ({theorem} (fun x => holds (constraint x)) query {found.far} {bound} n{distance}).",
        "all: try assumption.",
    ]
    if claim.tables == "multisets":
        proof += [
            "- intros before after x y W L. apply (order_is_free n before after x y A); try exact W.",
            "  + Relations.lengths.",
            "  + exact L.",
        ]
    proof += [
        f"- intros before after {records_} W {'I ' if claim.neighbours == 'change_one' else ''}L.",
        *_edited(claim.neighbours, "n", "exact A", "exact L"),
    ]
    return export.says("question__is_answered", statement, proof, "What refdp claims.")


def of_one_edit(found: QueryFile) -> str:
    """The claim of a question about one edit, where the parameters are given."""
    near, rows = NEAR[found.question.tables, found.question.neighbours], found.inside
    return (
        f"forall (u v : Tables.table row) (n : Z), Tables.table_of {rows} u -> Tables.table_of {rows} v ->\n"
        f"  {near} u v -> Relations.smaller u v = n -> holds (assumed n) ->\n"
        f"  {found.far} {found.bound} (query u) (query v)"
    )


def of_edits(found: QueryFile, whole: Question) -> str:
    """The claim of a question about several edits, where the parameters are given."""
    metric, bound = METRICS[whole.tables, whole.neighbours], written(real(whole.claim), found.names)
    return (
        f"stable (Tables.restricted {domain_of(found.inside)} (Tables.{metric} {whole.edits})) query "
        f"({found.far} {bound})"
    )


def domain_of(rows: str) -> str:
    """The tables of such rows of which the assumption holds."""
    return f"(fun u => Tables.table_of {rows} u /\\ holds (assumed (Relations.rows_of u)))"


def _many_edits(found: QueryFile, whole: Question, rows: str) -> str:
    """The claim of several edits."""
    if variables(whole.claim):
        raise NotInRocq("bounds of several edits that speak of symbols are not written for Rocq yet")
    domain, metric, statement = domain_of(rows), METRICS[whole.tables, whole.neighbours], of_edits(found, whole)
    sized = "destruct W as [W A]. split; [apply rows_are_inside, W | exact A]."
    total = f"({whole.edits} * {found.bound})"
    proof = [
        "intros u v N.",
        f"apply (Relations.far_more {found.far} {found.is_a_distance} {total}); [lra |].",
        "revert u v N.",
        f"match goal with |- forall u v, ?near u v -> _ => change (stable near query ({found.far} {total})) end.",
        *_distance(found, found.bound, domain, metric, str(whole.edits), sized),
    ]
    return found.export.says("question__is_answered", statement, proof, "What refdp claims.")


def solvers(step: Theorem) -> list[str]:
    """The solvers that vouch for a step."""
    return sorted(name for name in step.data["by"] if name != READING)


def _subject(export: Export, t: SpecTerm, integers: frozenset[str]) -> str:
    """A query that the file has."""
    if t not in export.subjects:
        raise NotInRocq("a query is written where its stability is proved")
    return export.subjects[t]


SUBJECTS: Mapping[str, Callable[[Export, SpecTerm, frozenset[str]], str]] = {"query": _subject}
WRITERS: Writers = {"runs_stay_related": query_is_stable}
QUESTIONS: Writers = {"sensitivity": question_is_answered}
"""Kind of question of an engine's -> what writes its answer."""
