"""Proofs for Rocq of obligations that the rule `algebra` proved: the certificate's own sums, without any search.

The statement is taken apart as `refdp.spec.cases` does it, each step being one that Rocq checks: which way a sign, a
least or a greatest number turns out, what holds if the conclusion fails, which sign a denominator has.  In each case
the facts that the sum uses are derived from the hypotheses, and the sum, which is 0, would be positive.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import count

from refdp.rocq.terms import ATOM, DECISIONS, NotInRocq, in_order, name_of, number, proposition, real
from refdp.spec.cases import FALSE, alternatives, denials, facts, is_innermost, replaced, sharpened, squared
from refdp.spec.goals import COMPARISONS, Goal, conjuncts, goal, negation
from refdp.spec.quotients import factors, known_positive, quotient, unsigned, without_division
from refdp.spec.statements import Statement
from refdp.terms.reading import read
from refdp.terms.term import Term, apply, subterms

BY = {"<=": "le", "<": "lt", "==": "eq", "!=": "ne"}
ZERO = read("0")


@dataclass(frozen=True, slots=True)
class Known:
    """A hypothesis: as Rocq has it, as refdp has it after folding numbers, and what it is called."""

    written: Term
    folded: Term
    called: str


@dataclass(slots=True)
class Script:
    """The lines of a proof, made from the sums of a certificate, taken in their order."""

    integers: frozenset[str]
    sums: Iterator[Term]
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def fresh(self, stem: str) -> str:
        """A name that nothing has yet."""
        return f"{stem}{next(self.numbers)}"

    def real(self, t: Term, loosest: int = ATOM) -> str:
        """A term, in brackets unless it is an atom."""
        return real(t, self.integers, loosest)

    def proposition(self, t: Term) -> str:
        """A comparison."""
        return proposition(t, self.integers)

    def branches(self, known: Sequence[Known], show: Term, shown: Term) -> Iterator[str]:
        """The goal for each way in which abs, min, max and indicator turn out; `shown` is `show`, folded."""
        split = next(filter(is_innermost, (s for t in (*(k.folded for k in known), shown) for s in subterms(t))), None)
        if split is None:
            yield from self.denied(known, show, shown)
            return
        written = _unfolded(split, [*(k.written for k in known), show])
        both = list(zip(alternatives(written), alternatives(split), strict=True))
        called, value = self.fresh("side"), self.fresh("value")
        yield from self.destructed(written, called)
        for branch, ((condition, then), (condition_folded, then_folded)) in enumerate(both):
            moved = [
                Known(_put(k.written, written, then), replaced(k.folded, split, then_folded), k.called) for k in known
            ]
            moved_show = _put(show, written, then)
            yield "{"
            if written.operator == "indicator":
                if branch and written.arguments[0].operator != "==":
                    yield f"apply {_negated(written.arguments[0])} in {called}."
            else:
                yield f"pose proof ({self.rewriting(written, branch)} {called}) as {value}."
                yield f"try rewrite {value} in *. clear {value}."
            while (constant := _constant([*(k.written for k in moved), moved_show])) is not None:
                value_of = _folded(constant)
                yield f"replace ({self.real(constant)}) with {self.real(value_of)} in * by constant."
                moved = [Known(_put(k.written, constant, value_of), k.folded, k.called) for k in moved]
                moved_show = _put(moved_show, constant, value_of)
            if negation(condition_folded) in (k.folded for k in moved):
                yield "exfalso. lra."
            else:
                more = Known(condition, condition_folded, called)
                yield from self.branches([*moved, more], moved_show, replaced(shown, split, then_folded))
            yield "}"

    def destructed(self, split: Term, called: str) -> Iterator[str]:
        """Which way a term turns out: the first way is that of the first alternative."""
        match split.operator, split.arguments:
            case "indicator", (Term(sign, (a, b)),) if sign in DECISIONS:
                yield f"destruct ({DECISIONS[sign]} {self.real(a)} {self.real(b)}) as [{called} | {called}] in *."
            case "abs", (a,):
                yield f"destruct (Rle_or_lt 0 {self.real(a)}) as [{called} | {called}]."
            case "min" | "max", (a, b):
                yield f"destruct (Rle_or_lt {self.real(a)} {self.real(b)}) as [{called} | {called}]."
            case _:
                raise NotInRocq(f"{split.operator} of that form has no cases in the library")

    def rewriting(self, split: Term, branch: int) -> str:
        """The lemma that says what a term is on that side."""
        lemma = {"abs": ("Rabs_pos_eq", "Rabs_left"), "min": ("Rmin_left", "least_right"),
                 "max": ("Rmax_right", "greatest_left")}[split.operator][branch]  # fmt: skip
        return f"{lemma} {' '.join(self.real(a) for a in split.arguments)}"

    def denied(self, known: Sequence[Known], show: Term, shown: Term) -> Iterator[str]:
        """What holds, one or the other, where the comparison does not; none of it can."""
        called = self.fresh("denied")
        ways = list(zip(denials(show), denials(shown), strict=True))
        match show.operator:
            case "<=":
                yield f"apply Rnot_lt_le. intro {called}."
            case "<":
                yield f"apply Rnot_le_lt. intro {called}."
            case "!=":
                yield f"intro {called}."
            case _:
                a, b = map(self.real, show.arguments)
                yield f"destruct (Rtotal_order {a} {b}) as [{called} | [{called} | {called}]]; [| exact {called} |]."
        for way, (written, folded) in enumerate(ways):
            yield "{"
            yield "exfalso."
            if way:
                yield f"apply Rgt_lt in {called}."
            yield from self.signed([*known, Known(written, folded, called)])
            yield "}"

    def signed(self, known: Sequence[Known]) -> Iterator[str]:
        """The case for each sign of a denominator that is not 0 and of which no hypothesis tells it."""
        g = Goal(tuple(k.folded for k in known), FALSE, self.integers)
        factor = next(unsigned(g), None)
        if factor is None:
            yield from self.summed(known, g)
            return
        called, written = self.fresh("sign"), self.real(factor)
        yield from self.apart(known, factor)
        yield f"destruct (Rtotal_order 0 {written}) as [{called} | [{called} | {called}]]."
        yield "{"
        above = Term("<", (ZERO, factor))
        yield from self.signed([*known, Known(above, above, called)])
        yield "}"
        yield f"{{ symmetry in {called}. contradiction. }}"
        yield "{"
        yield f"apply Rgt_lt in {called}."
        below = Term("<", (factor, ZERO))
        yield from self.signed([*known, Known(below, below, called)])
        yield "}"

    def apart(self, known: Sequence[Known], factor: Term) -> Iterator[str]:
        """That a factor of a denominator, which is known not to be 0, is not 0 either."""
        written = self.real(factor)
        denominators = [k for k in known if k.folded.operator == "!=" and k.folded.arguments[1] == ZERO]
        for k in denominators:
            whole = k.folded.arguments[0]
            for top, below in ((whole, Counter[Term]()), quotient(whole)):
                coefficient, found = factors(top)
                if factor in found:
                    rest = f"{number(Term('number', (), coefficient))} * {self.powers(found - Counter([factor]))}"
                    yield (
                        f"assert ({written} <> 0) by (intro zero; apply {k.called}; replace "
                        f"{self.real(k.written.arguments[0])} with ({written} * ({rest} / ({self.powers(below)}))) "
                        "by (field; nonzero); rewrite zero; ring)."
                    )
                    return
        raise NotInRocq(f"nothing says that {factor} is not 0")

    def powers(self, of: Counter[Term]) -> str:
        """A product of powers."""
        return " * ".join(f"{self.real(f)} ^ {n}" for f, n in of.items()) or "1"

    def summed(self, known: Sequence[Known], g: Goal) -> Iterator[str]:
        """The sum of the certificate that is 0 and would be positive."""
        sources = [k for k in known if k.folded.operator in COMPARISONS]
        found = facts(g)
        divided = without_division(Goal(tuple(k.folded for k in sources), g.show, g.integers)).given
        written = next(self.sums, None)
        if written is None:
            raise NotInRocq("there are more cases than sums")
        yield from self.contradicted(written, known, list(zip(sources, divided, found, strict=True)), {})

    def contradicted(
        self,
        written: Term,
        known: Sequence[Known],
        usable: Sequence[tuple[Known | None, Term, Term]],
        derived: dict[int, str],
    ) -> Iterator[str]:
        """A sum, or one for each sign of a polynomial."""
        if written.operator == "split":
            root, below, above = written.arguments
            called = self.fresh("root")
            yield f"destruct (Rlt_or_le {self.real(root)} 0) as [{called} | {called}]."
            first = Term("<", (root, ZERO))
            for fact, rest in ((first, below), (Term("<=", (ZERO, root)), above)):
                final = sharpened(root < 0, self.integers) if fact is first else 0 <= root
                yield "{"
                more = (Known(fact, fact, called), fact, final)
                yield from self.contradicted(rest, known, [*usable, more], dict(derived))
                yield "}"
            return
        terms: list[tuple[str, str, bool]] = []
        for summand in written.arguments:
            used = [a for a in summand.arguments[1:] if a.operator == "number"]
            if summand.operator == "equation":
                used = [summand.arguments[0]]
            for a in used:
                index = int(a.rational)
                if index not in derived:
                    derived[index] = self.fresh("fact")
                    yield from self.derive(derived[index], known, *usable[index])
            terms.append(self.summand(summand, usable, derived))
        terms.sort(key=lambda one: not one[2])
        total, proof, _ = terms[0]
        for more_text, more_proof, strict in terms[1:]:
            weak = f"(Rlt_le _ _ {more_proof})" if strict else more_proof
            total, proof = f"{total} + {more_text}", f"(Rplus_lt_le_0_compat _ _ {proof} {weak})"
        yield f"apply (vanishes ({total}));"
        yield f"  [exact {proof} | ring || field]."

    def summand(
        self, summand: Term, usable: Sequence[tuple[Known | None, Term, Term]], derived: dict[int, str]
    ) -> tuple[str, str, bool]:
        """A summand, the proof that it is >= 0, and whether that is of > 0."""
        if summand.operator == "equation":
            index, multiplier = summand.arguments
            a, b = map(self.real, usable[int(index.rational)][2].arguments)
            q = self.real(multiplier)
            return f"{q} * ({b} - {a})", f"(equation {q} _ _ {derived[int(index.rational)]})", False
        weight, *rest = summand.arguments
        text, strict = number(weight), True
        parts: list[tuple[str, str, bool]] = []
        for factor in rest:
            if factor.operator == "square":
                q = self.real(factor.arguments[0])
                parts.append((f"({q} * {q})", f"(square {q})", False))
            else:
                fact = usable[int(factor.rational)][2]
                a, b = map(self.real, fact.arguments)
                lemma = "order_lt" if fact.operator == "<" else "order_le"
                parts.append((f"({b} - {a})", f"({lemma} _ _ {derived[int(factor.rational)]})", fact.operator == "<"))
        strict = all(one[2] for one in parts)
        relation, product = ("<", "Rmult_lt_0_compat") if strict else ("<=", "Rmult_le_pos")
        proof = f"(ltac:(lra) : 0 {relation} {text})"
        for more, why, is_strict in parts:
            why = f"(Rlt_le _ _ {why})" if is_strict and not strict else why
            text, proof = f"{text} * {more}", f"({product} _ _ {proof} {why})"
        return text, proof, strict

    def derive(
        self, called: str, known: Sequence[Known], source: Known | None, divided: Term, final: Term
    ) -> Iterator[str]:
        """A fact of the sum from the hypothesis that it is: multiplied out, squared, sharpened."""
        if source is None:
            raise NotInRocq("a fact has no source")
        now = source.called
        if divided != source.written:
            by, step = BY[divided.operator], self.fresh("plain")
            multiplier = None if divided == source.folded else self.multiplier(known, source.folded)
            if multiplier is None:
                why = f"apply (fact_{by} _ _ _ _ {now}); ring || field"
            else:
                yield from multiplier.lines
                why = f"apply (scaled_{by} _ _ ({multiplier.text}) _ _ {now}{multiplier.side}); field; nonzero"
            yield f"assert ({step} : {self.proposition(divided)}) by ({why})."
            now = step
        if divided.operator == "!=":
            step = self.fresh("square")
            yield f"pose proof (squared_apart _ _ {now}) as {step}."
            now = step
        if final.operator == "<=" and divided.operator != "<=":
            step = self.fresh("sharp")
            a, b = map(self.real, squared(divided).arguments)
            whole = f"apply (sharpened {a} {b}); [whole | whole | exact {now}]"
            yield f"assert ({step} : {self.proposition(final)}) by (eapply fact_le; [{whole} | ring])."
            now = step
        elif divided.operator == "!=":
            step = self.fresh("plain")
            yield f"assert ({step} : {self.proposition(final)}) by (eapply fact_lt; [exact {now} | ring])."
            now = step
        yield f"pose proof {now} as {called}."

    def multiplier(self, known: Sequence[Known], fact: Term) -> Multiplier | None:
        """By what `multiplied_out` multiplies a comparison, and why it stays true; None where it is by a number."""
        positive = known_positive(tuple(k.folded for k in known))
        (_, below_a), (_, below_b) = map(quotient, fact.arguments)
        common = below_a | below_b
        orders = fact.operator in ("<", "<=")
        lines: list[str] = []
        parts: list[tuple[str, str]] = []
        for f, n in common.items():
            written = self.real(f)
            if f in positive:
                above = self.fresh("positive")
                lines.append(f"assert ({above} : 0 < {written}) by lra.")
                lines.append(f"assert ({written} <> 0) by (apply Rgt_not_eq; exact {above}).")
                why = f"(pow_lt _ {n} {above})"
                parts.append((f"{written} ^ {n}", why if orders else f"(Rgt_not_eq _ _ {why})"))
                continue
            apart = self.fresh("apart")
            negative = Term("<", (f, ZERO)) in [k.folded for k in known]
            if negative:
                lines.append(f"assert ({apart} : {written} <> 0) by (apply Rlt_not_eq; lra).")
            else:
                lines += self.apart(known, f)
                lines.append(f"assert ({apart} : {written} <> 0) by assumption.")
            if orders:
                even = n + n % 2
                parts.append((f"({written} * {written}) ^ {even // 2}", f"(even_power _ {even // 2} {apart})"))
            else:
                parts.append((f"{written} ^ {n}", f"(pow_nonzero _ {n} {apart})"))
        if not parts:
            return None
        text = " * ".join(p for p, _ in parts)
        compat = "Rmult_lt_0_compat" if orders else "Rmult_integral_contrapositive_currified"
        side = reduce(lambda a, b: f"({compat} _ _ {a} {b})", (why for _, why in parts))
        return Multiplier(text, "" if fact.operator == "==" else f" {side}", lines)


@dataclass(frozen=True, slots=True)
class Multiplier:
    """By what both sides are multiplied, the proof that it may be, and the lines that come before."""

    text: str
    side: str
    lines: list[str]


def proof_lines(statement: Statement, sums: Sequence[str]) -> Iterator[str]:
    """The proof of an obligation, from the sums of its certificate; NotInRocq where the library has no word for it."""
    g = goal(statement)
    script = Script(g.integers, iter(map(read, sums)))
    known = [Known(t, t, f"given{i}") for i, t in enumerate(g.given, 1)]
    shown = list(conjuncts(g.show))
    yield f"intros {' '.join((*map(name_of, in_order(statement, g.integers)), *(k.called for k in known)))}."
    for index in reversed(range(len(shown))):
        called = f"part{index + 1}"
        yield f"assert ({called} : {script.proposition(shown[index])})."
        yield "{"
        yield from script.branches(known, shown[index], shown[index])
        yield "}"
        known.append(Known(shown[index], shown[index], called))
    yield "repeat split; assumption."


def _negated(comparison: Term) -> str:
    """The lemma by which a comparison that does not hold becomes the one that does."""
    return {"<=": "Rnot_le_lt", "<": "Rnot_lt_le"}[comparison.operator]


def _unfolded(split: Term, among: Sequence[Term]) -> Term:
    """The first term that is `split` once numbers are folded, as it is written."""
    for t in among:
        for s in subterms(t):
            if s.operator == split.operator and is_innermost(s) and _folded(s) == split:
                return s
    raise NotInRocq(f"{split} is not found as it is written")


def _constant(among: Sequence[Term]) -> Term | None:
    """A least or greatest number or a size, as it is written, of numbers alone."""
    found = (s for t in among for s in subterms(t) if s.operator in ("abs", "min", "max") and is_innermost(s))
    return next((s for s in found if _folded(s).operator == "number"), None)


def _folded(t: Term) -> Term:
    """A term with its numbers folded, but for what divides by 0."""
    arguments = tuple(map(_folded, t.arguments))
    folds = not (t.operator == "/" and arguments[1] == ZERO)
    return apply(t.operator, *arguments) if folds and t.arguments else Term(t.operator, arguments, t.value)


def _put(t: Term, old: Term, new: Term) -> Term:
    """A term with every `old` in it replaced, no number folded."""
    if t == old:
        return new
    return Term(t.operator, tuple(_put(a, old, new) for a in t.arguments), t.value)
