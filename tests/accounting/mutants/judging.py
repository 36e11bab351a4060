"""Errors in judging foreign accountants."""

from tests.mutating import Mutant

FOLDER = "refdp/accounting/judging"
TRUE, FALSE, LAWS, ASKING = (f"tests/accounting/test_judging_{name}.py" for name in ("true", "false", "laws", "asking"))
ATTAINED = "tests/accounting/test_judging_attained.py"


def mutant(name: str, file: str, old: str, new: str, *tests: str) -> Mutant:
    return Mutant(name, f"{FOLDER}/{file}.py", old, new, tests)


JUDGING: tuple[Mutant, ...] = (
    mutant("a gap of rounding is unsound", "verdicts", "if lower > rounded or", "if lower > a or", TRUE),
    mutant("half the rounding", "verdicts", "ROUNDING = Fraction(1, 2**40)", "ROUNDING = Fraction(1, 2**42)", TRUE),
    mutant("twice the rounding", "verdicts", "ROUNDING = Fraction(1, 2**40)", "ROUNDING = Fraction(1, 2**38)", FALSE),
    mutant("sound from the lower bound on", "verdicts", "    if upper <= a:", "    if lower <= a:", FALSE, TRUE),
    mutant("unsound below the upper bound", "verdicts", "if lower > rounded or", "if upper > rounded or", TRUE),
    mutant("no look at delta", "verdicts", "[0] > at", "[0] > at + 1", FALSE),
    mutant(
        "delta from above shows a gap",
        "verdicts",
        'truth.bounds("delta", epsilon)[0] > at',
        'truth.bounds("delta", epsilon)[1] > at',
        TRUE,
    ),
    mutant(
        "delta from below suffices",
        "verdicts",
        "Fraction(epsilon))[1] <= at",
        "Fraction(epsilon))[0] <= at",
        TRUE,
        FALSE,
    ),
    mutant(
        "a gap from the wrong end",
        "verdicts",
        "deficit = (max(Fraction(0), minus(lower, a)), max(Fraction(0), minus(upper, a)))",
        "deficit = (max(Fraction(0), minus(upper, a)), max(Fraction(0), minus(lower, a)))",
        FALSE,
    ),
    mutant(
        "an excess from the wrong end",
        "verdicts",
        "excess = (max(Fraction(0), minus(a, upper)), max(Fraction(0), minus(a, lower)))",
        "excess = (max(Fraction(0), minus(a, lower)), max(Fraction(0), minus(a, upper)))",
        TRUE,
    ),
    mutant("tight from 1 in 100", "verdicts", "TIGHT = Fraction(1, 1000)", "TIGHT = Fraction(1, 50)", TRUE),
    mutant(
        "share of the lower bound", "verdicts", "self.by[0] / self.truth[1]", "self.by[1] / self.truth[0]", TRUE, FALSE
    ),
    mutant("infinity is loose", "verdicts", "if bounds[1] < INFINITE:", "if bounds[1] > INFINITE:", FALSE),
    mutant("infinity is tight", "verdicts", "if bounds[0] == INFINITE:", "if bounds[0] <= INFINITE:", FALSE),
    mutant("negative is sound", "verdicts", "if a < 0 and lower <= 0:", "if a < -1 and lower <= 0:", FALSE),
    mutant(
        "a lower bound above the lower edge",
        "verdicts",
        "a * (1 - allowance.rounding) > upper)",
        "a * (1 - allowance.rounding) > 2 * upper)",
        FALSE,
    ),
    mutant(
        "lower bounds are not judged",
        "verdicts",
        "if reply.said.lower is not None:",
        "if reply.said.lower is None:",
        FALSE,
    ),
    mutant("no second look", "verdicts", 'if verdict == "UNKNOWN" or unsized else None', "if False else None", TRUE),
    mutant("one gap is not sized", "verdicts", 'verdict == "UNSOUND" and by[0] == 0', "False", TRUE),
    mutant("counts are forgotten", "truth", "1 if count is None else count", "1", TRUE),
    mutant(
        "events are forgotten",
        "truth",
        "for event, count in map(counted, events):",
        "for event, count in map(counted, events[:1]):",
        TRUE,
    ),
    mutant(
        "infinity below is 0",
        "truth",
        "(INFINITE if lower is None else lower,",
        "(Fraction(0) if lower is None else lower,",
        TRUE,
        FALSE,
    ),
    mutant(
        "no bound above is 0",
        "truth",
        "INFINITE if upper is None else upper)",
        "Fraction(0) if upper is None else upper)",
        TRUE,
        FALSE,
    ),
    mutant(
        "out of time, epsilon is at most 1",
        "truth",
        '"epsilon": (Fraction(0), INFINITE)',
        '"epsilon": (Fraction(0), Fraction(1))',
        TRUE,
    ),
    mutant(
        "out of time, delta is at most 1/2",
        "truth",
        '"delta": (Fraction(0), Fraction(1))',
        '"delta": (Fraction(0), Fraction(0))',
        TRUE,
    ),
    mutant(
        "the first of three is the upper bound",
        "readings",
        "return Answer(numbers[-1], numbers[0],",
        "return Answer(numbers[0], numbers[-1],",
        TRUE,
    ),
    mutant("minus infinity is infinity", "readings", "if value > 0:", "if value != 0:", FALSE),
    mutant("True is 1", "readings", "or isinstance(value, bool)", "", FALSE),
    mutant(
        "a lower bound is written upward",
        "readings",
        "return decimal(x, digits, ROUND_FLOOR)",
        "return decimal(x, digits, ROUND_CEILING)",
        ASKING,
    ),
    mutant(
        "an upper bound is written downward",
        "readings",
        "return decimal(x, digits, ROUND_CEILING)",
        "return decimal(x, digits, ROUND_FLOOR)",
        ASKING,
    ),
    mutant(
        "the delta that was written, not the float",
        "questions",
        "return self.kind, Fraction(self.at)",
        "return self.kind, Fraction(str(self.at))",
        ASKING,
    ),
    mutant("the worst verdict is the best", "audit", "return min((finding", "return max((finding", ASKING, FALSE),
    mutant("composed onto the instance itself", "asking", "copy.deepcopy(foreign)", "foreign", ASKING),
    mutant("counts are not composed", "asking", "accountant.compose(event, count)", "accountant.compose(event)", TRUE),
    mutant("asked after it was late", "questions", "silent if late else", "", ASKING),
    mutant("laws ask after it was late", "laws", 'Late("") if self.late else', "", LAWS),
    mutant("equalities are exact", "laws", "TOLERANCE = Fraction(1, 1000)", "TOLERANCE = Fraction(0)", LAWS),
    mutant(
        "orders have a tolerance",
        "laws",
        "if a and b and a.answer < b.answer:",
        "if a and b and a.answer * (1 + self.tolerance) < b.answer:",
        LAWS,
    ),
    mutant(
        "louder is quieter", "laws", "if a and b and a.answer > b.answer:", "if a and b and a.answer < b.answer:", LAWS
    ),
    mutant("signs are not looked at", "laws", "if each.answer < 0)", "if each.answer < -INFINITE)", LAWS),
    mutant("infinity is not looked at", "laws", "if each.answer == INFINITE and", "if each.answer < 0 and", LAWS),
    mutant(
        "nothing is nested",
        "variants",
        'yield changed(event, "count", before * count)',
        'yield changed(event, "count", before)',
        LAWS,
    ),
    mutant(
        "more noise is louder",
        "variants",
        "return _alike(Fraction(number) / 2, value)",
        "return _alike(Fraction(number) * 2, value)",
        LAWS,
    ),
    mutant(
        "a fixed size is judged by its dominating pair",
        "attained",
        "or not replaced):",
        "or replaced):",
        ATTAINED,
    ),
    mutant(
        "what is bounded only is judged from below",
        "attained",
        "if not bounded_only(raw) for event",
        "if True for event",
        ATTAINED,
    ),
    mutant("nothing is in a tree", "attained", 'for name in ("event", "events"):', 'for name in ("event",):', ATTAINED),
    mutant(
        "the lower bound is that of the account",
        "truth",
        "if self.below and both else above",
        "if False else above",
        ATTAINED,
    ),
    mutant(
        "unattained is attained",
        "truth",
        "low.bounds.lower if self.below else",
        "low.bounds.lower if True else",
        ATTAINED,
    ),
)
