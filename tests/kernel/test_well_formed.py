"""A claim about what says nothing is no theorem: every operator, number of arguments and sort is looked at."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from refdp.claims import ledger
from refdp.kernel import rules
from refdp.kernel.certificate import replay
from refdp.kernel.judgements import LAWS, SAID, Judgement, KernelError, Law, Refuted, require_well_formed
from refdp.kernel.reading import claimed
from refdp.spec import registry
from refdp.spec.domains import ARITY
from refdp.spec.well_formed import require_mechanism, require_transformation
from refdp.terms.reading import read
from refdp.terms.term import Term, TermError
from tests.exactness.entering import given

MECHANISM, RAW = "randomised_response(3/4)", read("publish_raw_data()")
DECODED = "decode_output(tuple_of(tuple_of(1, 1)))"
COMBINATORS = ("chain", "compose", "parallel", "post_process", "adaptive", "repeated", "coordinatewise", "estimate",
               "poisson_sampled", "fixed_size_sampled", "with_its_value")  # fmt: skip


def private(subject: str, domain: str = "finite(2)", d_in: str = "1", d_out: str = "ln(3)") -> str:
    return f"private({subject}, {domain}, discrete({d_in}), pure({d_out}))"


@pytest.mark.parametrize(
    "subject",
    [
        f"post_process(clamp_output(0, 1), {MECHANISM}, publish_raw_data())",
        f"post_process(clamp_output(0), {MECHANISM})",
        f"post_process(clamp_output(0, 1, 2), {MECHANISM})",
        f"post_process({MECHANISM}, {MECHANISM})",
        "post_process(clamp_output(0, 1), clamp_output(0, 1))",
        f"post_process(user_function('f', 'g'), {MECHANISM})",
        f"post_process(user_function(), {MECHANISM})",
        "post_process(decode_output(tuple_of(tuple_of(1, 0, 1))), discrete_laplace(2, 1))",
        f"post_process(decode_output(tuple_of(tuple_of(1, 1))), {MECHANISM})",
        "post_process(decode_output(tuple_of(tuple_of(1, 1))), coordinatewise(discrete_laplace(2, 1), 3))",
        "post_process(decode_output(tuple_of(tuple_of(1, 1))), coordinatewise(discrete_laplace(2, 1), n))",
        f"post_process({DECODED}, post_process({DECODED}, coordinatewise(discrete_laplace(2, 1), 2)))",
        f"repeated({MECHANISM}, 2, publish_raw_data())",
        f"repeated({MECHANISM}, 0)",
        f"repeated({MECHANISM}, 1/2)",
        f"repeated({MECHANISM}, {MECHANISM})",
        "repeated(2, 2)",
        "compose()",
        f"compose({MECHANISM}, 3)",
        f"compose({MECHANISM}, count())",
        f"compose({MECHANISM}, m)",
        f"coordinatewise({MECHANISM}, -1)",
        f"chain({MECHANISM}, {MECHANISM})",
        f"chain(count(), {MECHANISM}, publish_raw_data())",
        f"poisson_sampled(3/2, {MECHANISM})",
        f"poisson_sampled(-1, {MECHANISM})",
        f"poisson_sampled({MECHANISM}, 1/2)",
        f"fixed_size_sampled(0, {MECHANISM})",
        f"estimate({MECHANISM}, 3, 4)",
        "randomised_response()",
        "randomised_response(3/4, 3/4)",
        f"randomised_response({MECHANISM})",
        "randomised_response(finite(2))",
        "randomised_response(nonsense(1))",
        "randomised_response(3/4 + nonsense(1))",
        "publish_raw_data()",
        "nonsense(1)",
        "m",
        "3",
        "'text'",
        "finite(2)",
        "clamp_output(0, 1)",
        "listed()",
        "listed(3)",
        "listed(tuple_of(tuple_of(1/2, 1/4), tuple_of(1/2, 1/2)))",
        "listed(tuple_of(tuple_of(3/2, -1/2), tuple_of(1/2, 1/2)))",
        "listed(tuple_of(tuple_of(1, count()), tuple_of(1, 0)))",
        "listed(tuple_of(tuple_of(), tuple_of()))",
        "discrete_laplace('text', 1)",
        "discrete_laplace(1, list_of(1))",
        "gaussian('a' + 1)",
        "randomised_response(tuple_of())",
        "with_its_value(laplace(1))",
        "chain(toeplitz(tuple_of(1, 'text', 0)), coordinatewise(discrete_laplace(1, 1), 3))",
        "chain(toeplitz(tuple_of()), coordinatewise(discrete_laplace(1, 1), 3))",
        "chain(toeplitz(tuple_of(tuple_of(1))), coordinatewise(discrete_laplace(1, 1), 1))",
        "chain(linear(tuple_of(tuple_of(1, 'text'))), coordinatewise(discrete_laplace(1, 1), 1))",
        "chain(linear(tuple_of(1)), coordinatewise(discrete_laplace(1, 1), 1))",
        "parallel()",
        f"parallel({MECHANISM}, {MECHANISM})",
    ],
)
def test_subject_that_says_nothing_is_refused(subject):
    claim = claimed(read(private(subject)))
    for one in (claim, Refuted(claim)):
        with pytest.raises(TermError):
            require_well_formed(one)
    with pytest.raises(KernelError):
        rules.unlikely_elsewhere(claim=private(subject), a="0", b="1", event="tuple_of(0)")


@pytest.mark.parametrize(
    "domain",
    [
        "sized_table(records(), -3)",
        "sized_table(records(), 1/2)",
        "sized_table(finite(0), 3)",
        "table(grid(-1))",
        "grid(-1)",
        "grid(0)",
        "grid(finite(2))",
        "finite(0)",
        "finite(-1)",
        "finite(reals())",
        "category(-1)",
        "vector(grid(0), 2)",
        "vector(reals(), -1)",
        f"vector(reals(), {MECHANISM})",
        "bounded(1, 2, 1)",
        "bounded(0, 1, 2)",
        "above(finite(2), 0)",
        "above(bounded(1, 0, 2), 1)",
        "below(above(reals(), 0), 1)",
        "below(table(reals()), 1)",
        "above(grid(0), 1)",
        "above(grid(-1), 0)",
        "above(reals(), reals())",
        "above(rows, 0)",
    ],
)
def test_domain_that_is_no_set_is_refused(domain):
    claim = claimed(read(private(MECHANISM, domain)))
    with pytest.raises(TermError):
        require_well_formed(claim)
    assert str(claimed(read(private(MECHANISM))).domain) == "finite(2)"
    require_well_formed(claimed(read(private(MECHANISM))))


@pytest.mark.parametrize("number", ["finite(2)", "'1'", MECHANISM, "tuple_of(1)", "1 + nonsense(2)"])
def test_distance_or_loss_that_is_no_number_is_refused(number):
    for words in ({"d_in": number}, {"d_out": number}):
        with pytest.raises(TermError, match="is not a number"):
            require_well_formed(claimed(read(private(MECHANISM, **words))))


@pytest.mark.parametrize("condition", [
    "integer(n, randomised_response(3/4))", "integer()", "integer(finite(2))", "multiple(n)", "multiple(1, 'n')", "n",
    "n <= finite(2)", "has_length(labels)", "has_length(labels, finite(2))", "has_length(laplace(1), 1)",
    "has_length(tuple_of(laplace(1)), 1)", "has_length(pure(1), 1)", "has_length(list_of(list_of(finite(2))), 1)",
    "has_length(1, 1)", "has_length('labels', 1)", "nonsense(n)", "all_of(0 < n, integer(n))",
])  # fmt: skip
def test_condition_that_says_nothing_is_refused(condition):
    """`integer(levels, randomised_response(3/4))` stood in a refuted claim: what had one argument too many was read."""
    for kind in ("private", "stable", "tail", *LAWS):
        claim = first_of(kind)
        kept = replace(claim, given=(read("integer(n)"), read("0 < n"), read("multiple(n, 2)"), read("n != 3")))
        require_well_formed(kept)
        for one in (replace(kept, given=(*kept.given, read(condition))), replace(kept, given=(read(condition),))):
            for said in (one, Refuted(one)):
                with pytest.raises(TermError, match=r"is not a condition|is not a number|is not a list"):
                    require_well_formed(said)


def test_what_lists_say_and_what_is_decoded_as_long_as_it_is_says_something():
    for condition in ("has_length(labels, n)", "has_length(list_of('A', 'B'), 2)", "has_length(tuple_of(1, 1/2), 2)",
                      "has_length(tuple_of(tuple_of(1, n), tuple_of(0, 1)), 2)"):  # fmt: skip
        require_well_formed(replace(first_of("private"), given=(read(condition),)))
    noise = "coordinatewise(discrete_laplace(2, 1), 2)"
    for inner in (noise, f"chain(linear(tuple_of(tuple_of(1), tuple_of(1))), {noise})",
                  f"post_process(clamp_output(0, 1), {noise})",
                  f"post_process(decode_output(tuple_of(tuple_of(1, 0), tuple_of(0, 1))), {noise})"):  # fmt: skip
        require_mechanism(read(f"post_process(decode_output(tuple_of(tuple_of(1, 1))), {inner})"))


def first_of(kind: str) -> Any:
    """The first claim of the ledger that is of that kind."""
    found = read(next(one.formal for one in ledger() if one.formal.split("(")[0].strip() == kind))
    if kind not in LAWS:
        return claimed(found)
    subject, *rest = found.arguments
    count = len(SAID[kind])
    return Law(kind, subject, tuple(rest[count:]), tuple(rest[:count]))


@pytest.mark.parametrize("kind", LAWS)
def test_law_that_says_something_else_of_its_subject_is_refused(kind):
    law = first_of(kind)
    require_well_formed(law)
    said = [(*law.said, RAW), (*law.said, read("1"))] + [law.said[:-1]] * bool(law.said)
    for at in range(len(law.said)):
        for junk in ("publish_raw_data()", "nonsense(1)", "'text'", "compose()", "absolute('text')", "pure()"):
            said.append((*law.said[:at], read(junk), *law.said[at + 1 :]))
    for one in said:
        wrong = replace(law, said=one)
        for claim in (wrong, Refuted(wrong)):
            with pytest.raises((TermError, KernelError, ValueError)):
                _require_written_and_well_formed(claim)


def test_law_of_what_says_nothing_is_refused():
    for law in (Law("normalised", read("nonsense(1)")), Law("same_law", read(MECHANISM), (), (RAW,))):
        for one in (law, Refuted(law)):
            with pytest.raises(TermError):
                require_well_formed(one)


def test_rule_does_not_conclude_what_says_nothing():
    """Even from a premise that is taken as given: the rule that appends a step looks at its own conclusion."""
    bad = given(claimed(read(private(f"repeated({MECHANISM}, 2, publish_raw_data())"))))
    with pytest.raises(KernelError, match=r"is not what belongs there|is not registered"):
        rules.weaken(bad, d_out=["2"])
    with pytest.raises(KernelError):
        rules.post_process(bad, function="clamp_output(0, 1)")
    good = given(claimed(read(private(f"repeated({MECHANISM}, 2)"))))
    assert rules.weaken(good, d_out=["2"])


def test_certificate_of_what_says_nothing_does_not_replay():
    """The forgery that once checked: an argument too many is carried along by a rule that reads the first ones."""
    subject = f"post_process(clamp_output(0, 1), {MECHANISM}, publish_raw_data())"
    words = {"subject": subject, "domain": "finite(2)", "metric": "discrete", "d_in": "1"}
    forged = {
        "format": "refdp-certificate/2",
        "claim": "",
        "conclusion": private(subject),
        "trusts": [],
        "sources": {},
        "steps": [{"rule": "finite_mechanism", "premises": [], "data": words}],
    }
    with pytest.raises(KernelError, match=r"is not what belongs there|is not registered"):
        replay(forged, lambda statement, by: frozenset({"nobody"}))


def test_every_claim_of_the_ledger_says_something_and_none_does_with_an_argument_too_many_or_too_few():
    claims, changes = 0, 0
    for one in ledger():
        if not one.formal.startswith(("private(", "stable(", "tail(")):
            continue
        claim = claimed(read(one.formal))
        require_well_formed(claim)
        claims += 1
        for changed in _wrong(claim.subject):
            text = str(claim.term).replace(str(claim.subject), str(changed), 1)
            changes += 1
            with pytest.raises((TermError, KernelError)):
                require_well_formed(claimed(read(text)))
    assert claims > 200
    assert changes > 900


JUNK = ("nonsense(1)", "publish_raw_data()", "compose()", "'text'", "'a' + 1", "tuple_of()", "list_of(1)",
        "clamp_output(0, 1)", "user_function('f')", "count()", "chain(count(), count())")  # fmt: skip
"""What is no mechanism and, but for a text or a list in one place, no argument."""
KEPT = ("column(", "category_of(", "attributes(", "binary_code(", "drop_missing(", "fill_missing(", "map_rows(",
        "filter_rows(", "parallel(", "scaled_columns(", "coded_columns(", "signed_columns(")  # fmt: skip
"""Maps of data that take texts and lists: there some of the junk belongs."""


def test_500_subjects_with_something_that_does_not_belong_are_refused():
    """At a random place of the subject of a random claim, however deep."""
    random, tried = Random(20), 0
    claims = [claimed(read(one.formal)) for one in ledger() if one.formal.startswith(("private(", "stable(", "tail("))]
    while tried < 500:
        claim = random.choice(claims)
        if any(word in str(claim.subject) for word in KEPT):
            continue
        path, junk = random.choice(list(_places(claim.subject))), random.choice(JUNK)
        if junk == "user_function('f')" and path == (0,) and claim.subject.operator == "post_process":
            continue  # there it belongs
        changed = replace(claim, subject=_put(claim.subject, path, read(junk)))
        tried += 1
        for one in (changed, Refuted(changed)):
            with pytest.raises((TermError, ValueError)):
                _require_written_and_well_formed(one)


def _require_written_and_well_formed(claim: Judgement) -> None:
    """As a rule does: the claim is first read as it is written, which an operator with too few arguments is not."""
    read(str(claim.term))
    require_well_formed(claim)


def _places(t: Term, path: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Where each part of a term stands."""
    yield path
    for i, inner in enumerate(t.arguments):
        yield from _places(inner, (*path, i))


def _put(t: Term, path: tuple[int, ...], other: Term) -> Term:
    """The term with another part at that place."""
    if not path:
        return other
    inner = _put(t.arguments[path[0]], path[1:], other)
    return Term(t.operator, (*t.arguments[: path[0]], inner, *t.arguments[path[0] + 1 :]), t.value)


def _wrong(t: Term) -> Iterator[Term]:
    """The term with one operator of a mechanism or a domain inside given an argument too many, or too few."""
    if t.operator in registry.stems() or t.operator in COMBINATORS or t.operator in ARITY:
        yield Term(t.operator, (*t.arguments, RAW), t.value)
        if t.arguments and t.operator not in ("compose", "parallel"):
            yield Term(t.operator, t.arguments[:-1], t.value)
    for i, inner in enumerate(t.arguments):
        for changed in _wrong(inner):
            yield Term(t.operator, (*t.arguments[:i], changed, *t.arguments[i + 1 :]), t.value)


def test_program_without_parameters_says_something():
    digest = "0" * 64
    require_mechanism(read(f"program('f', '{digest}', list_of())"))
    require_mechanism(read(f"program('f', '{digest}', list_of(fixed('epsilon', epsilon), fixed('n', 3)))"))
    for wrong in (
        f"program('f', '{digest}')", f"program('f g', '{digest}', list_of())", "program('f', 'x', list_of())",
        f"program(f, '{digest}', list_of())", f"program('f', '{digest}', 3)", f"program('f', '{digest}', list_of(3))",
        f"program('f', '{digest}', list_of(fixed('a', 1), fixed('a', 2)))",
        f"program('f', '{digest}', list_of(fixed('a b', 1)))", f"program('f', '{digest}', list_of(fixed('a', 'b')))",
        f"program('f', '{digest}', list_of(fixed(a, 1)))", "rounds()", "filtered()", "filtered(pure(1), pure(1))",
        "rounds(count(records()))", "filtered(pure())", "filtered(gaussian(1))",
    ):  # fmt: skip
        with pytest.raises(TermError):
            require_mechanism(read(wrong))
    for wrong in (
        f"query('f', '{digest}', rows, list_of())", f"query('f g', '{digest}', grid(1), list_of())",
        f"query('f', '{digest}', grid(1), list_of(fixed('a', d)))", f"query('f', '{digest}', grid(1))",
        f"query('f', '{digest}', grid(0), list_of())", f"query('f', '{digest}', grid(1), tuple_of())",
    ):  # fmt: skip
        with pytest.raises(TermError):
            require_transformation(read(wrong))
