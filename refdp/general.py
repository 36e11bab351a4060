"""Claims about all mechanisms: what a rule of the kernel says, with variables for the mechanisms.

    for all mechanisms M, N: if private(M, table(rows), symmetric(1), pure(a)) and private(N, ...) then private(...)

No theorem of the kernel says it: a theorem is about what its text names.  A rule does, for whatever mechanisms its
premises are about.  Checked here is that the rule, applied to the hypotheses as they stand, concludes the conclusion as
it stands.  A variable is no mechanism that a rule could look into; a claim that says more than its rule does is told
apart.  That it is true is a theorem of Rocq (`refdp.rocq.general`), checked when proofs/rocq/rules.lock was written
(`refdp.rocq.lock`); without that, the claim is UNKNOWN, and what stands behind the rule is its written proof.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from refdp.kernel.judgements import KernelError, Private
from refdp.kernel.reading import relation
from refdp.kernel.theorem import FAILURES, RULES, Assuming
from refdp.spec.registry import stems
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError, subterms

SENTENCE = re.compile(r"for all mechanisms ([A-Z](?:, [A-Z])*): if (.+) then (.+)")
FOR_ALL_NAMES = ("instantiate",)
"""Rules whose premise holds for all values of its names: the names of a hypothesis, and its mechanism, are any ones."""
WRITTEN_PROOF = "written proof"
"""What stands behind a rule (docs/soundness.md), whatever a prover says of what it concludes."""


@dataclass(frozen=True, slots=True)
class General:
    """For all mechanisms: if each hypothesis holds, then the conclusion does; other names range as in a claim."""

    mechanisms: tuple[str, ...]
    given: tuple[Private, ...]
    """One for each mechanism, in their order."""
    show: Private

    def __str__(self) -> str:
        given = " and ".join(str(m.term) for m in self.given)
        return f"for all mechanisms {', '.join(self.mechanisms)}: if {given} then {self.show.term}"


def read_general(text: str) -> General:
    """The claim that a text writes down.

    TermError unless each variable, a capital letter, is the subject of one hypothesis, stands in the subject of the
    conclusion, and nowhere else; all are private claims with registered metrics, measures and domains.
    """
    found = SENTENCE.fullmatch(" ".join(text.split()))
    if found is None:
        raise TermError("a claim about all mechanisms is `for all mechanisms M, N: if ... and ... then ...`")
    mechanisms = tuple(found[1].split(", "))
    if len(set(mechanisms)) != len(mechanisms) or set(mechanisms) & set(stems()):
        raise TermError(f"variables for mechanisms must differ, got {found[1]}")
    given = tuple(map(_private, _conjuncts(found[2])))
    if tuple(_variable(m.subject) for m in given) != mechanisms:
        raise TermError(f"each of {found[1]} must be the subject of one hypothesis, in that order")
    show = _private(found[3])
    inside = {_variable(t) for t in subterms(show.subject)}
    for variable in mechanisms:
        if variable not in inside or any(_speaks_of(m, variable) for m in (*given, show)):
            raise TermError(f"{variable} must stand in the subject of the conclusion, and nowhere but in subjects")
    return General(mechanisms, given, show)


def _conjuncts(text: str) -> list[str]:
    """The text split at each ` and ` that stands outside of parentheses and quotation marks."""
    parts, depth, quoted = [""], 0, False
    for word in re.split("( and |[()'])", text):
        quoted ^= word == "'"
        depth += 0 if quoted else (word == "(") - (word == ")")
        if word == " and " and depth == 0 and not quoted:
            parts.append("")
        else:
            parts[-1] += word
    return parts


def _private(text: str) -> Private:
    """The private claim that a text writes down."""
    try:
        found = relation(read(text))
    except (KernelError, ValueError) as error:
        raise TermError(str(error)) from None
    if not isinstance(found, Private):
        raise TermError(f"{text} must be a private claim")
    return found


def _variable(t: Term) -> str:
    """The name that the term is, else nothing."""
    return str(t.value) if t.operator == "name" else ""


def _speaks_of(m: Private, variable: str) -> bool:
    """Whether anything but the subject of a claim speaks of a variable."""
    others = (m.domain, m.d_in, *m.d_out, *m.given)
    return any(_variable(s) == variable for t in others for s in subterms(t))


def applied(line: str, claim: General) -> tuple[str, Callable[..., Any], Mapping[str, Any]]:
    """The rule that a line `RULE(M, N, key='text')` applies to the hypotheses, and its data; TermError for another."""
    try:
        tree = ast.parse(line, mode="eval").body
        data = {str(k.arg): ast.literal_eval(k.value) for k in tree.keywords} if isinstance(tree, ast.Call) else {}
    except (SyntaxError, ValueError):
        raise TermError(f"{line} must apply a rule to the hypotheses") from None
    match tree:
        case ast.Call(ast.Name(rule), arguments) if rule in RULES:
            if tuple(a.id for a in arguments if isinstance(a, ast.Name)) == claim.mechanisms:
                return rule, inspect.unwrap(RULES[rule]), data
    raise TermError(f"{line} must apply a rule of the kernel to {', '.join(claim.mechanisms)}")


def reason(claim: General, line: str) -> str:
    """`rule NAME, written proof` where the rule concludes the claim from its hypotheses; else why it does not."""
    rule, conclude, data = applied(line, claim)
    if rule in FOR_ALL_NAMES:
        return f"rule {rule} does not apply: it is about claims for all names, and a hypothesis is about some"
    try:
        found = conclude(*claim.given, **data)
    except (KernelError, *FAILURES) as error:
        return f"rule {rule} does not apply: {error}"
    said = found.claim if isinstance(found, Assuming) else found
    if said != claim.show:
        return f"rule {rule} says another thing: {said.term}"
    return f"rule {rule}, {WRITTEN_PROOF}"


def is_said(why: str) -> bool:
    """Whether a reason is that a rule says it.  Why a rule does not may end with any words of a line."""
    return why in {f"rule {rule}, {WRITTEN_PROOF}" for rule in RULES}
