"""What Python makes of odd arguments, refdp makes of them too, or refuses them: every known function, whatever it gets.

Texts where numbers are, None where a list is, types in square brackets, functions as numbers: each is read and
interpreted, and held against Python itself on a few tables.
"""

import random
import re
import warnings
from fractions import Fraction
from functools import partial

import pytest

from refdp.sensitivities.declaring import declaration
from refdp.sensitivities.language.concrete.failures import NoOutcome
from refdp.sensitivities.language.interpreter import answer_of
from refdp.sensitivities.language.reading import NotAFold, read_program
from refdp.sensitivities.language.source import Unsupported, parse_source
from refdp.sensitivities.program import ROW
from refdp.sensitivities.program import outcome as read_outcome
from refdp.terms.exact_values import NotRational
from tests.sensitivities.assignments import assignment
from tests.sensitivities.brute_force import exact_function
from tests.sensitivities.test_traps import meaning, python

ODD = (
    "r", "0", "1", "2", "-1", "None", "True", "'a'", "'1'", "0.5", "2.0", "[]", "[r]", "(r, 1)", "{}", "{1: r}", "{r}",
    "range(2)", "list", "len", "float('inf')", "(lambda v: v)", "list(rows)", "[1, r, 2]", "[(1, r), (2, 0)]", "'ab'",
    "{'a': r}", "(v for v in rows)", "iter([1, r])", "abs", "frozenset({1})", "-0.5", "[None]", "''", "()",
    "zip(rows, rows)", "min", "('7' if r else '9')", "('7' if r else 9)", "('a' if r else None)",
    "((r, 1) if r else r)",
)  # fmt: skip
FUNCTIONS = """
abs(@) all(@) any(@) bool(@) dict(@) dict(a=@) dict(@, b=@) divmod(@, @) list(enumerate(@, @)) float(@) int(@)
int(@, @) len(@) list(@) max(@) max(@, @) max(@, key=@) max(@, default=@) max(@, @, default=@) max(*@) min(@) min(@, @)
min(@, @, key=@) pow(@, @) pow(@, @, @) list(range(@)) list(range(@, @)) list(range(@, @, @)) list(reversed(@))
round(@) round(@, @) set(@) sorted(@) sorted(@, key=@) sorted(@, reverse=@) str(@) sum(@) sum(@, @) sum(@, start=@)
tuple(@) list(zip(@, @)) list(zip(@, @, strict=@)) list(map(@, @)) list(map(@, @, @)) sum(map(@, @)) any(map(@, @))
list(filter(@, @)) next(@) next(@, @) isinstance(@, @) frozenset(@) len(set(@))
"""
METHODS = """
@.count(@) @.index(@) @.index(@, @) @.get(@) @.get(@, @) @.pop() @.pop(@) list(@.items()) list(@.keys())
list(@.values()) @.copy() @.insert(@, @) @.remove(@) @.sort() @.sort(reverse=@) @.setdefault(@, @) @.update(@)
@.union(@) @.intersection(@) @.add(@) @.discard(@) @.clear() @.reverse() @.split(@) @.join(@) @.startswith(@)
@.upper() @.strip() @.numerator @.real @.imag @.denominator @.bit_length() @.difference(@) @.issubset(@) @.isdigit()
@.find(@) @.replace(@, @) [0].append(@) [0].extend(@)
"""
OPERATORS = """
@ + @|@ - @|@ * @|@ / @|@ // @|@ % @|@ < @|@ <= @|@ == @|@ != @|@ in @|@ not in @|@ is @|@ and @|@ or @|not @|-@|+@
@[@]|@[@:@]|@[@:]|@[:@]|@ if @ else @|[*@]|[*@, *@]|{**@}|{*@}|(lambda v: v)(@)|(lambda v, w=@: w)(@)|f'{@}'|@ < @ < @
{@: @}|{@: 1}[@]|[@][@]|(@, @)[@]|[v for v in @]|[v for v in @ if v]|sum(v for v in @)|{v: 1 for v in @}|{v for v in @}
@ & @|@ || @|@ ^ @|set(@) & set(@)|set(@) - set(@)|[a for a, b in @]|[a for a, *b in @]
"""
LIBRARY = """
math.floor(@) math.ceil(@) math.fabs(@) math.gcd(@, @) math.prod(@) math.prod(@, start=@) math.fsum(@) math.trunc(@)
math.comb(@, @) math.copysign(@, @) math.isinf(@) math.isnan(@) math.isfinite(@) math.factorial(@) math.isqrt(@)
math.fmod(@, @) statistics.mean(@) statistics.median(@) statistics.median_low(@) statistics.fmean(@)
statistics.fmean(@, @) statistics.variance(@) statistics.pvariance(@) statistics.mode(@) statistics.median_high(@)
statistics.multimode(@) list(itertools.accumulate(@)) list(itertools.accumulate(@, @))
list(itertools.accumulate(@, initial=@)) list(itertools.pairwise(@)) list(itertools.chain(@, @))
list(itertools.islice(@, @)) list(itertools.islice(@, @, @)) list(itertools.combinations(@, @))
list(itertools.product(@, @)) list(itertools.product(@, repeat=@)) list(itertools.chain.from_iterable(@))
functools.reduce(@, @) functools.reduce(@, @, @) operator.itemgetter(@)(@) operator.add(@, @) operator.mul(@, @)
operator.sub(@, @) bisect.bisect(@, @) bisect.bisect_left(@, @) collections.Counter(@) collections.Counter(@)[@]
collections.Counter(@).most_common(@) collections.defaultdict(@)[@] collections.OrderedDict(@) dict.fromkeys(@, @)
sum(collections.Counter(@).values()) collections.Counter(@)+collections.Counter(@) heapq.nlargest(@, @)
heapq.nsmallest(@, @) heapq.nlargest(@, @, key=@)
"""
FORMS = (
    *re.findall(r"\S(?:[^\s]|(?<=,)\s(?=\S))*", FUNCTIONS + METHODS + LIBRARY),
    *(one.replace("||", "|") for one in re.split(r"(?<!\|)\|(?!\|)|\n", OPERATORS) if one.strip()),
)
SEEN = (
    "    v = 0\n    for r in rows:\n        v = {}\n    return v\n",
    "    found = 0\n    for r in rows:\n        found += 1 if ({}) else 2\n    return found\n",
    "    found = 0\n    for r in rows:\n        x = {}\n        found += 1 if x == r else 2\n    return found\n",
    "    found = 0\n    for r in rows[:1]:\n        found = {}\n    return found\n",
    "    return sum(1 if ({}) else 3 for r in rows)\n",
)
"""What a function does with the value."""
TABLES = ((), (2,), (0,), (1, 3), (2, 0))
KNOWN = declaration("integers 0..3")


CRASHES = re.compile(r"\blist\.\w+\(\)")
"""A method of the type without its list: Python 3.11 may crash where it runs several times."""

HALF_DIGITS = re.compile(r"round\((?=.*, -?0\.5\))")
"""Half a digit: Python raises TypeError of floats, and none of the Fractions that stand for them here."""


def text(seed):
    """A function of a table, with an odd expression."""
    rng = random.Random(f"odd {seed}")
    form, seen = rng.choice(FORMS), rng.choice(SEEN)
    while "@" in form:
        form = form.replace("@", rng.choice(ODD), 1)
    form = CRASHES.sub("list", HALF_DIGITS.sub("max(", form))
    modules = sorted(
        set(re.findall(r"\b(math|statistics|itertools|functools|operator|bisect|collections|heapq)\.", form))
    )
    return "".join(f"import {one}\n" for one in modules) + "def query(rows):\n" + seen.format(form)


def compared(seed):
    """How many answers of the interpreter and of the reading were held against Python's; AssertionError where wrong."""
    told = text(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(told, "<query>", "exec")
            source = parse_source(told, "query")
        except (SyntaxError, Unsupported):
            return 0, 0
        function = exact_function(told, "query")
        interpreted = read = 0
        try:
            program = read_program(source, KNOWN)
        except (NotAFold, Unsupported):
            program = None
        for table in TABLES:
            try:
                truth = python(function, list(table))
            except (AttributeError, NameError) as error:
                truth = type(error).__name__
            ways = (
                [partial(answers, source)] if program is None else [partial(answers, source), partial(reads, program)]
            )
            for way in ways if truth != [] else ():
                try:
                    found = meaning(way(table))
                except (Unsupported, NoOutcome, NotRational):
                    continue
                assert found in ([], truth), (told, table, way.func.__name__, found, truth)
                interpreted, read = interpreted + (way.func is answers), read + (way.func is reads)
    return interpreted, read


def answers(source, table):
    """What the interpreter says."""
    return answer_of(source, [Fraction(one) for one in table], record=KNOWN.record).outcome


def reads(program, table):
    """What the reading says."""
    return read_outcome(program, [assignment(KNOWN.record, ROW, Fraction(one)) for one in table], {})


def test_forms_are_those_that_are_meant():
    assert {"abs(@)", "@ | @", "max(@, @, default=@)", "heapq.nlargest(@, @, key=@)", "[0].extend(@)"} <= set(FORMS)
    assert all(one.count("(") == one.count(")") and "@" in one or one.endswith("()") for one in FORMS)


@pytest.mark.parametrize("part", range(4))
def test_odd_arguments_are_read_as_python_runs_them(part):
    counts = [compared(seed) for seed in range(600 * part, 600 * (part + 1))]
    assert sum(one for one, _ in counts) >= 1_500
    assert sum(one for _, one in counts) >= 400


@pytest.mark.long
def test_many_odd_arguments_are_read_as_python_runs_them():
    counts = [compared(seed) for seed in range(2_400, 60_000)]
    assert sum(one for one, _ in counts) >= 150_000
    assert sum(one for _, one in counts) >= 40_000
