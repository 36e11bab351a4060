"""What an answer tells about a person, by Bayes' rule: from a prior probability to that after the answer.

p and q are the probabilities of the answer under two neighbouring tables, t = e^epsilon >= 1.  What is learnt about a
person is a sum over the other rows: p_i and q_i are the probabilities where those are the i-th table of others.
Source: 004_ca35d8fbbac5cff0.txt; KM11; TSD20.
"""

from __future__ import annotations

from itertools import product

from refdp.spec.named_statements import NamedStatements
from refdp.spec.registry import register
from refdp.spec.statements import Statement, equal
from refdp.terms.term import Term, exp, name, number

p, q, t, prior = map(name, ("p", "q", "t", "prior"))
BELIEVED = (0 < prior, prior < 1)
GIVEN = (*BELIEVED, 0 < p, 0 < q, 1 <= t, p <= t * q, q <= t * p)
PEOPLE = 3
"""Of one household: each has a bit, which the prior may tie together as it likes."""
FAMILY = 4
"""All in the table or all out of it."""


def posterior(one: Term = p, other: Term = q) -> Term:
    """The probability of the first table after an answer of probability `one` under it and `other` under the second."""
    return prior * one / (prior * one + (1 - prior) * other)


def multiplied_by(factor: Term, one: Term, other: Term) -> Term:
    """The answer multiplies the odds by the factor: posterior / (1 - posterior) is factor prior / (1 - prior)."""
    after = posterior(one, other)
    return equal(after * (1 - prior), factor * prior * (1 - after))


def multiplied_by_at_most(factor: Term, one: Term = p, other: Term = q) -> Term:
    """The answer multiplies the odds by at most the factor."""
    after = posterior(one, other)
    return after * (1 - prior) <= factor * prior * (1 - after)


def total(terms: list[Term]) -> Term:
    """Their sum."""
    return sum(terms[1:], terms[0])


def odds_move_by_at_most(factor: Term, weights: list[list[Term]], masses: list[list[Term]]) -> Term:
    """Of a first group of tables against a second, each with its prior weight and the answer's probability under it.

    The odds after the answer are at most factor times those before, multiplied out.
    """
    before = [total(group) for group in weights]
    after = [
        total([w * m for w, m in zip(group, under, strict=True)]) for group, under in zip(weights, masses, strict=True)
    ]
    return after[0] * before[1] <= factor * before[0] * after[1]


def odds_of_the_first_bit(people: int, *more: Term) -> Statement:
    """Of tables of so many bits: w_b is the prior probability of the table b, and p_b that of the answer under it."""
    tables = ["".join(bits) for bits in product("01", repeat=people)]
    weights, masses = ({table: name(f"{letter}_{table}") for table in tables} for letter in "wp")
    given = (
        *(0 <= weights[table] for table in tables),
        equal(total(list(weights.values())), 1),
        *(0 < masses[table] for table in tables),
        1 <= t,
        *(masses[a] <= t * masses[b] for a, b in product(tables, repeat=2) if differ_once(a, b)),
        *more,
    )
    groups = [[table for table in tables if table[0] == bit] for bit in "10"]
    believed, answered = ([[of[table] for table in group] for group in groups] for of in (weights, masses))
    return Statement(given, odds_move_by_at_most(t, believed, answered))


def differ_once(a: str, b: str) -> bool:
    """Whether the tables are neighbours: one row replaced."""
    return sum(x != y for x, y in zip(a, b, strict=True)) == 1


def independent_bits() -> Term:
    """The prior of a table of two bits is a product: the four weights have the determinant 0."""
    w_00, w_01, w_10, w_11 = map(name, ("w_00", "w_01", "w_10", "w_11"))
    return equal(w_11 * w_00, w_10 * w_01)


def participation_whatever_the_prior() -> Statement:
    """A count with noise of law proportional to e^-|z|: w_ij is the prior of the person (in: i = 1) and j relatives."""
    relatives = range(FAMILY)
    weights = {(i, j): name(f"w_{i}{j}") for i in (1, 0) for j in relatives}
    y = name("y")
    given = (*(0 <= weight for weight in weights.values()), equal(total(list(weights.values())), 1))
    believed = [[weights[i, j] for j in relatives] for i in (1, 0)]
    masses = [[exp(-abs(y - (i + j))) for j in relatives] for i in (1, 0)]
    return Statement(given, odds_move_by_at_most(exp(1), believed, masses), frozenset({"y"}))


def family_of_four() -> Statement:
    """Prior 1/2 that all are in; the odds, 1 before, are those of the masses of the answer under counts 4 and 0."""
    half = number(1) / 2
    masses = [half * exp(-abs(number(FAMILY) - count)) for count in (FAMILY, 0)]
    return Statement((), equal(masses[0], exp(FAMILY) * masses[1]))


POSTERIOR = register(
    NamedStatements(
        "posterior",
        {
            "odds_move_by_the_factor": Statement(GIVEN, multiplied_by_at_most(t)),
            "odds_where_others_are_independent": odds_of_the_first_bit(2, independent_bits()),
            "whatever_the_prior": odds_of_the_first_bit(PEOPLE),
            "three_equal_bits": Statement(
                BELIEVED, multiplied_by(number(27), (number(3) / 4) ** PEOPLE, (number(1) / 4) ** PEOPLE)
            ),
            "participation_whatever_the_prior": participation_whatever_the_prior(),
            "family_of_four": family_of_four(),
            "nothing_new": Statement(GIVEN, equal(posterior(), prior)),
        },
    )
)
