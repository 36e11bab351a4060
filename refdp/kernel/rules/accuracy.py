"""How likely a large error is: from lemmas about formulas to tails of noise, of selections and of estimates."""

from __future__ import annotations

from dataclasses import replace

from refdp.kernel.judgements import Holds, KernelError, Tail, merged, require
from refdp.kernel.rules.logic import obligation
from refdp.kernel.rules.privacy import is_yes, require_lemmas
from refdp.kernel.theorem import rule
from refdp.spec import accuracy, registry
from refdp.spec.domains import domain
from refdp.spec.errors import EVENTS
from refdp.spec.finite import FiniteLaw
from refdp.spec.noise import AdditiveNoise
from refdp.spec.selection import FlipSelection, WeightedSelection
from refdp.spec.signatures import counted
from refdp.terms.reading import read
from refdp.terms.term import Term, apply, exp, ln, name, names, substitute

SCALARS = ("reals", "grid", "bounded")
"""The domains whose vectors have the greatest error of a coordinate as their error."""


def tail(s: accuracy.TailSignature) -> Tail:
    """The claim of a signature."""
    return Tail(s.subject, s.domain, s.error, s.event, s.threshold, s.bound, s.beta, s.conditions)


@rule
def noise_tail(*lemmas: Holds, stem: str, event: str, exactly: str = "no", inverted: str = "no") -> Tail:
    """
      |- a law exists     |- weights beyond alpha are at most (exactly: just) e^log_tail(alpha) of those beyond 0
    --------------------------------------------------------------------------------------------------------------
      |- x + Z : the error is at least, or more than, alpha with at most (exactly: just) the probability it has
    """
    kind, just, of_beta = registry.lookup(stem, AdditiveNoise), is_yes(exactly), is_yes(inverted)
    require(event in EVENTS, f"event must be one of {', '.join(EVENTS)}, got {event}")
    require_lemmas(lemmas, stem, accuracy.noise_obligations(kind, just, of_beta))
    return tail(accuracy.noise_tail(kind, event, just, of_beta))


@rule
def selection_tail(*lemmas: Holds, stem: str, inverted: str = "no") -> Tail:
    """
      |- a candidate alpha below the best has at most e^log_tail(alpha) of its weight, or flips so rarely
    ------------------------------------------------------------------------------------------------------
      |- M : the choice is alpha or more below the best with probability <= candidates e^log_tail(alpha)
    """
    kind, of_beta = registry.kind_of(stem), is_yes(inverted)
    if not isinstance(kind, WeightedSelection | FlipSelection):
        raise KernelError(f"{stem} is no selection")
    require_lemmas(lemmas, stem, accuracy.selection_obligations(kind, of_beta))
    return tail(accuracy.selection_tail(kind, of_beta))


@rule
def mistake_tail(*lemmas: Holds, stem: str) -> Tail:
    """
      |- the masses are >= 0 and sum to 1     |- the mass of the input is `hit`
    ---------------------------------------------------------------------------------
      |- M : the output is not the input with probability 1 - hit
    """
    kind = registry.lookup(stem, FiniteLaw)
    require_lemmas(lemmas, stem, accuracy.mistake_obligations(kind))
    return tail(accuracy.mistake_tail(kind))


@rule
def estimate_tail(*lemmas: Holds, stem: str) -> Tail:
    """
      |- the masses are a law on 0 and 1     |- the estimate from one output is right on average
    ---------------------------------------------------------------------------------------------
      |- the estimate from n outputs is width sqrt(ln(2 / beta) / (2 n)) off with probability <= beta
    """
    kind = registry.lookup(stem, FiniteLaw)
    require_lemmas(lemmas, stem, accuracy.estimate_obligations(kind))
    return tail(accuracy.estimate_tail(kind))


@rule
def tail_of_many(m: Tail, *, exactly: str = "no") -> Tail:
    """
      |- M : an error with probability p, or at most p
    -----------------------------------------------------------------------------------------------
      |- n draws : one of them at least with probability <= n p; exactly: 1 - (1 - p)^n where p < 1
    """
    require(isinstance(m, Tail) and m.error == "error", f"expected a claim about the error of a number, got {m}")
    require(m.domain.operator in SCALARS, f"expected a claim about numbers, got {m.domain}")
    require("dimension" not in names(m.term), "the name dimension is taken")
    n, given = name("dimension"), (*m.given, *counted("dimension"))
    bound, beta = "at_most", n * m.beta
    if is_yes(exactly):
        bound, beta, given = m.bound, 1 - exp(n * ln(1 - m.beta)), (*given, m.beta < 1)
    subject, inputs = apply("coordinatewise", m.subject, n), domain("vector", m.domain, n)
    return Tail(subject, inputs, "error", m.event, m.threshold, bound, beta, given)


@rule
def tail_restated(m: Tail, lemma: Holds, *, values: dict[str, str]) -> Tail:
    """
      |- M : an error with the threshold a     |- a == b, at the values
    --------------------------------------------------------------------
      |- M : that error with the threshold b
    """
    require(isinstance(m, Tail) and isinstance(lemma, Holds), "expected a claim about an error, and an equation")
    statement = obligation(f"{lemma.stem}.{lemma.name}")
    require(statement.digest == lemma.digest, f"the formulas behind {lemma.name} have changed")
    require(statement.show.operator == "==" and not statement.integers, f"{lemma.name} is no equation of real numbers")
    require(sorted(values) == list(statement.variables), f"values must be of {', '.join(statement.variables)}")
    chosen = {key: read(value) for key, value in values.items()}
    old, new = (substitute(side, chosen) for side in statement.show.arguments)
    threshold = _exchanged(m.threshold, old, new)
    require(threshold != m.threshold, f"{old} does not occur in {m.threshold}")
    given = merged(m.given, tuple(substitute(c, chosen) for c in statement.given))
    return replace(m, threshold=threshold, given=given)


def _exchanged(t: Term, old: Term, new: Term) -> Term:
    """The term with every `old` in it exchanged."""
    if t == old:
        return new
    return apply(t.operator, *(_exchanged(a, old, new) for a in t.arguments)) if t.arguments else t
