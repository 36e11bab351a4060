"""Mutants of the composition theorems, conversions, filters and odometers."""

from tests.mutating import Mutant

FOLDER = "refdp/accounting/theorems"
RENYI = ("tests/accounting/test_renyi_engine.py",)
COMPOSED = ("tests/accounting/test_composition_theorems.py",)
CONVERTED = ("tests/accounting/test_conversions_and_trade_offs.py",)
FILTERED = ("tests/accounting/test_filters_and_odometers.py",)
TRAPS = ("tests/accounting/test_traps_of_proofs.py",)


def mutant(name: str, file: str, old: str, new: str, tests: tuple[str, ...]) -> Mutant:
    return Mutant(name, f"{FOLDER}/{file}.py", old, new, tests)


THEOREMS = (
    mutant("conversion without 1/a", "renyi_engine", "return -ball(order).log() + ball", "return ball", RENYI),
    mutant("conversion with (1 - 1/a)^a", "renyi_engine", "+ ball(order - 1) * ball(", "+ ball(order) * ball(", RENYI),
    mutant(
        "order instead of order - 1",
        "renyi_engine",
        "ball((order - 1) * epsilon)",
        "ball(order * epsilon)",
        RENYI,
    ),
    mutant(
        "failures dropped",
        "renyi_engine",
        "failing + interval(exponent.exp(), bits).upper",
        "interval(exponent.exp(), bits).upper",
        RENYI,
    ),
    Mutant(
        "sum of infinite losses once", "refdp/accounting/masses.py", "most + count * mass", "max(most, mass)", RENYI
    ),
    mutant("counts ignored", "renyi_engine", "+ count * log_moment(loss, order)", "+ log_moment(loss, order)", RENYI),
    mutant(
        "upper rounded down",
        "renyi_engine",
        "interval(exponent.exp(), bits).upper)",
        "interval(exponent.exp(), 8).lower)",
        RENYI,
    ),
    mutant("attained with 4 rho", "attained", "Normal(2 * loss.rho)", "Normal(4 * loss.rho)", RENYI),
    mutant("rho order", "renyi_moments", "ball(order * (order - 1) * loss.rho)", "ball((order - 1) * loss.rho)", RENYI),
    mutant("normal moment without 1/2", "renyi_moments", "loss.mu_squared / 2", "loss.mu_squared / 3", RENYI),
    mutant(
        "Laplace moment",
        "renyi_moments",
        "ball(order) * rises + ball(order - 1) * falls",
        "ball(order - 1) * rises + ball(order) * falls",
        RENYI,
    ),
    mutant(
        "discrete Laplace: a middle mass dropped",
        "renyi_moments",
        "* (s - 1)).exp() - 1",
        "* (s - 2)).exp() - 1",
        RENYI,
    ),
    mutant(
        "response without its failure", "renyi_moments", "return ball(1 - loss.delta) * moment", "return moment", RENYI
    ),
    mutant(
        "binomial sum without its last term",
        "renyi_moments",
        "for j in range(1, n + 1)",
        "for j in range(1, n)",
        RENYI,
    ),
    mutant(
        "rate of the others",
        "renyi_moments",
        "ball(1 - rate) ** n, ball(rate / (1 - rate))",
        "ball(rate) ** n, ball((1 - rate) / rate)",
        RENYI,
    ),
    mutant("chords beyond the last order", "renyi_moments", "if a <= order <= b", "if a <= order", RENYI),
    mutant(
        "advanced without the mean",
        "composition",
        "upper_bound(mean + spread, DIGITS)",
        "upper_bound(spread, DIGITS)",
        COMPOSED,
    ),
    mutant("advanced without the deltas", "composition", "sum((g.delta for g in parts), more)", "more", COMPOSED),
    mutant(
        "advanced with ln(1/delta)",
        "composition",
        "sqrt(2 * ln(1 / number(more))",
        "sqrt(ln(1 / number(more))",
        COMPOSED,
    ),
    mutant(
        "adaptively chosen losses add up",
        "composition",
        'g.chosen == "adaptively" for g in parts)',
        "False for g in parts)",
        COMPOSED,
    ),
    mutant("parts that overlap", "composition", "require(disjoint, ", "require(True, ", COMPOSED),
    mutant("group: one power short", "composition", "for i in range(k)])", "for i in range(1, k)])", COMPOSED),
    mutant("group: k rho", "composition", "multiple(k * k, g.loss[0])", "multiple(k, g.loss[0])", COMPOSED),
    mutant(
        "optimal without failures",
        "optimal",
        "least: Fraction = 1 - none_fails * (1 - excess / everything)",
        "least: Fraction = excess / everything",
        COMPOSED,
    ),
    mutant(
        "optimal: signs the wrong way",
        "optimal",
        "ratio ** (count - j) for (ratio, _, count), j",
        "ratio ** j for (ratio, _, count), j",
        COMPOSED,
    ),
    mutant("optimal: deltas above 1", "optimal", "return min(g.delta, Fraction(1))", "return g.delta", TRAPS),
    mutant(
        "readings compose",
        "odometers",
        'Guarantee("pure", (self.spent,), self.neighbours, chosen="adaptively")',
        'Guarantee("pure", (self.spent,), self.neighbours)',
        TRAPS,
    ),
    mutant("optimal enclosed: binomials dropped", "optimal", "total += ways * (above", "total += (above", COMPOSED),
    mutant(
        "optimal epsilon: the wrong end",
        "optimal",
        "if found.upper <= target:\n            high = middle",
        "if found.upper <= 2 * target:\n            high = middle",
        COMPOSED,
    ),
    mutant(
        "sharp form without ln(a)",
        "conversions",
        "ln(1 / (number(a) * d)) / (number(a) - 1)",
        "ln(1 / (number(a) * number(a) * d)) / (number(a) - 1)",
        CONVERTED,
    ),
    mutant("pure to concentrated: e^2 / 3", "conversions", "exactly**2 / 2 if", "exactly**2 / 3 if", CONVERTED),
    mutant("pure to Renyi at 1 - a", "conversions", "exp((1 - a) * term(e))", "exp(-a * term(e))", CONVERTED),
    mutant("larger orders for free", "conversions", 'require(less <= a, f"order', 'require(True, f"order', CONVERTED),
    mutant("a pure loss is Gaussian at any mu", "conversions", "require(enough, ", "require(True, ", CONVERTED),
    mutant(
        "profile at the wrong corner", "trade_off", "value = max(1 - f - t * a", "value = min(1 - f - t * a", CONVERTED
    ),
    mutant(
        "normal curve: quantile from outside",
        "trade_off",
        "Interval(max(ends[0].lower",
        "Interval(max(ends[1].lower",
        CONVERTED,
    ),
    mutant(
        "normal profile at mu", "trade_off", "        b = ln(t) / mu + mu / 2", "        b = ln(t) / mu + mu", CONVERTED
    ),
    mutant(
        "Poisson under replacement as under add / remove",
        "amplification",
        '("poisson", "change_one", "change_one"): Row(why_not=NO_EMPTY.format("change_one"))',
        '("poisson", "change_one", "change_one"): Row("none", EPSILONS)',
        FILTERED,
    ),
    mutant(
        "a fixed size under add / remove",
        "amplification",
        '("fixed_size", "add_remove", "add_remove"): Row(why_not=NO_SIZE)',
        '("fixed_size", "add_remove", "add_remove"): Row("none", EPSILONS)',
        FILTERED,
    ),
    mutant(
        "rate times epsilon",
        "amplification",
        "ln(1 + number(rate) * (exp(term(epsilon)) - 1))",
        "number(rate) * term(epsilon)",
        FILTERED,
    ),
    mutant(
        "two rows cost one",
        "amplification",
        'replaced(group(sampled, 2)) if found.steps == "then two rows"',
        'replace(sampled, neighbours="change_one") if found.steps == "then two rows"',
        FILTERED,
    ),
    mutant(
        "a filter that forgets",
        "filters",
        "return replace(self, spent=tuple(self._after(event)))",
        "return self",
        FILTERED,
    ),
    mutant(
        "a filter of any relation",
        "filters",
        'for what in ("measure", "neighbours", "edits"):',
        'for what in ("measure", "edits"):',
        FILTERED,
    ),
    mutant(
        "a filter without deltas",
        "filters",
        "strict=True):\n            if not after <= limit",
        "strict=True):\n            if not after <= limit and limit is _columns(b)[0]",
        FILTERED,
    ),
    mutant(
        "advanced filter: s instead of s / 2", "filters", "+ number(squares) / 2", "+ number(squares) / 3", FILTERED
    ),
    mutant(
        "odometer: one level low",
        "odometers",
        "while self.step * 2**j < self.spent:",
        "while self.step * 2 ** (j + 1) < self.spent:",
        FILTERED,
    ),
    mutant(
        "odometer: all of delta on each level",
        "odometers",
        "self.delta / ((self.level + 1) * (self.level + 2))",
        "self.delta",
        FILTERED,
    ),
)
