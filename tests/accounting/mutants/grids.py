"""Mutants of the engine of chords and tangents."""

from tests.mutating import Mutant

FOLDER = "refdp/accounting/grids/"
NAMES = ("heights", "remainders", "recheck", "measures", "pairs", "products", "truths", "engine")
TESTS = tuple(f"tests/accounting/test_grid_{name}.py" for name in NAMES)


def mutant(name: str, file: str, old: str, new: str) -> Mutant:
    return Mutant(f"grids: {name}", FOLDER + file, old, new, TESTS)


GRIDS = (
    mutant(
        "products of the upper side rounded down",
        "measures.py",
        'if a.side == "upper":  #',
        'if a.side == "neither":  #',
    ),
    mutant(
        "products of the lower side rounded up", "measures.py", 'if a.side == "upper":  #', 'if a.side != "neither":  #'
    ),
    mutant(
        "infinite mass rounded the other way",
        "measures.py",
        'n >> bits if side == "lower"',
        'n >> bits if side == "upper"',
    ),
    mutant(
        "infinite mass counted once",
        "measures.py",
        "a.infinite * (b.total + b.infinite) + a.total * b.infinite",
        "a.infinite * (b.total + b.infinite)",
    ),
    mutant(
        "right end dropped from above",
        "measures.py",
        "kept, infinite = kept + left, infinite + right",
        "kept = kept + left",
    ),
    mutant(
        "left end dropped from above",
        "measures.py",
        "kept, infinite = kept + left, infinite + right",
        "infinite = infinite + right",
    ),
    mutant(
        "right end at infinity from below",
        "measures.py",
        'if measure.side == "upper":\n        kept',
        "if True:\n        kept",
    ),
    mutant("start not moved with the left end", "measures.py", "measure.start + first * measure.step", "measure.start"),
    mutant("starts not added", "measures.py", "start=a.start + b.start", "start=a.start"),
    mutant("square one too often", "measures.py", "if count & done:", "if count | done:"),
    mutant(
        "heights from above rounded down",
        "chords.py",
        "ceiling(height * scale), 0), one)",
        "floor(height * scale), 0), one)",
    ),
    Mutant("grids: floor of the upper end", "refdp/accounting/balls.py", "low = x.lower()", "low = x.upper()", TESTS),
    mutant(
        "slack forgotten",
        "chords.py",
        "event.height(x) if slack is None else event.height(x) + slack",
        "event.height(x)",
    ),
    mutant(
        "w the other way from below",
        "chords.py",
        "(low if bend >= 0 else high) * bend",
        "(high if bend >= 0 else low) * bend",
    ),
    mutant(
        "w the other way from above",
        "chords.py",
        "(high if bend >= 0 else low) * -bend",
        "(low if bend >= 0 else high) * -bend",
    ),
    mutant("fall added twice", "chords.py", "(c - 2 * b + a, a - b)", "(c - 2 * b + a, 2 * (a - b))"),
    mutant("fall of the wrong cell", "chords.py", "(c - 2 * b + a, a - b)", "(c - 2 * b + a, b - c)"),
    mutant(
        "first mass without what is before",
        "chords.py",
        "(heights[1] - heights[0], top - heights[0])",
        "(heights[1] - heights[0], 0)",
    ),
    mutant(
        "last mass without its fall",
        "chords.py",
        "heights[-2] - heights[-1], heights[-2] - heights[-1])",
        "heights[-2] - heights[-1], 0)",
    ),
    mutant("debts forgiven", "chords.py", "rest = mass - debt", "rest = mass"),
    mutant("debts forgiven at the end", "chords.py", "found if debt == 0 else [0] * len(found)", "found"),
    mutant("hull raises heights", "hull.py", "min(chord, heights[j])", "max(chord, heights[j])"),
    mutant("no hull", "hull.py", "if min(masses) >= -NOISE:", "if True:"),
    mutant("lower heights from the better line", "tangents.py", "min(end, chord.left)", "max(end, chord.left)"),
    mutant("left line only", "tangents.py", "min(end, chord.left)", "end"),
    mutant("right line only", "tangents.py", "min(end, chord.left)", "chord.left"),
    mutant("negative lines kept", "tangents.py", "        return other\n", "        return own\n"),
    mutant(
        "infinite mass kept in the heights",
        "tangents.py",
        "floor(line.height(x) * scale) - infinite",
        "floor(line.height(x) * scale)",
    ),
    mutant(
        "top one too high", "tangents.py", "min(floor(line.p * scale), 1 << work) - infinite", "(1 << work) - infinite"
    ),
    mutant(
        "lower masses rounded up",
        "build.py",
        "[m >> WORK for m in carried(masses)]",
        "[-(-m >> WORK) for m in carried(masses)]",
    ),
    mutant("upper masses rounded down", "build.py", "-(-max(mass, 0) >> WORK)", "max(mass, 0) >> WORK"),
    mutant(
        "last height not at infinity",
        "build.py",
        "fmpz_poly(rounded), -(-heights[-1] >> WORK))",
        "fmpz_poly(rounded), 0)",
    ),
    mutant("smooth points not between the lines", "build.py", "units[0] - step // 2 + i * step", "units[0] + i * step"),
    mutant("decay rounded the other way above", "curve.py", "z = floor(decay)", "z = ceiling(decay) + 1"),
    mutant("decay rounded the other way below", "curve.py", "z = ceiling(decay)", "z = floor(decay)"),
    mutant("evaluated one point too far", "curve.py", "i = max(i, 0)\n", "i = max(i + 1, 0)\n"),
    mutant("evaluated one point too early", "curve.py", "i = max(i, 0)\n", "i = max(i - 1, 0)\n"),
    mutant("infinite mass not in delta", "curve.py", "self.masses[i] + measure.infinite", "self.masses[i]"),
    mutant(
        "no infinite mass past the grid",
        "curve.py",
        "return Fraction(measure.infinite, 1 << measure.bits)",
        "return Fraction(0)",
    ),
    mutant("normal tail of half the shift", "noise.py", "t / self.mu, self.mu / 2", "t / self.mu, self.mu / 4"),
    mutant("Laplace inside", "noise.py", "((-t - self.epsilon) / 2).exp() / 2", "((-t - self.epsilon) / 2).exp()"),
    mutant("threshold of remove", "noise.py", "(x - 1 + self.rate) / self.rate", "(x - 1) / self.rate"),
    mutant("threshold of add", "noise.py", "(1 / x - 1 + self.rate) / self.rate", "(1 / x - 1) / self.rate"),
    mutant(
        "mixture with the rates exchanged",
        "noise.py",
        "event.q + rate * (event.p - event.q)",
        "event.p + rate * (event.q - event.p)",
    ),
    mutant("root of replace", "replacement.py", "(a + root) / (2 * g)", "(a + root) / g"),
    mutant("left tail of replace", "replacement.py", "(y, y - self.mu, y + self.mu)", "(y, y - self.mu, y)"),
    mutant("side of Laplace replace", "replacement.py", "(x * least if side > 0 else least / x)", "x * least"),
    mutant(
        "centre of Laplace replace",
        "replacement.py",
        "(-y).exp() / 2 if side > 0 else 1 - y.exp() / 2",
        "(-y).exp() / 2",
    ),
    mutant("branches of a fixed size exchanged", "fixed_size.py", "if b >= 0:", "if b <= 0:"),
    mutant(
        "second branch as the first",
        "profiles.py",
        "TwoBranches(Remove(_noise(base), rate), Add(_noise(base), rate))",
        "TwoBranches(Remove(_noise(base), rate), Remove(_noise(base), rate))",
    ),
    mutant("second branch not reversed", "profiles.py", "atoms(law.reversed(), loss.rate", "atoms(law, loss.rate"),
    mutant(
        "direction forgotten", "atoms.py", "[Event(q, p) for p, q, _ in mixed]", "[Event(p, q) for p, q, _ in mixed]"
    ),
    mutant(
        "infinite losses left out",
        "atoms.py",
        "last = Event(infinite + unknown, unknown)",
        "last = Event(unknown, unknown)",
    ),
    mutant("atoms not told apart do not count", "atoms.py", "slack = slack + atom.height(x).max(arb(0))", "pass"),
    mutant(
        "what is not listed does not count",
        "outcomes.py",
        "beyond = 2 * weights[last] / (arb(last) / v).expm1()",
        "beyond = arb(0)",
    ),
    mutant(
        "one side of what is not listed",
        "outcomes.py",
        "beyond = 2 * weights[last] /",
        "beyond = weights[last] / 1000 /",
    ),
    mutant(
        "discrete Laplace far end",
        "outcomes.py",
        "[(farther, far, near), *inner, (near, far, farther)]",
        "[(far, far, near), *inner, (near, far, far)]",
    ),
    mutant("profile below 0 as above", "known.py", "1 - x + x * ball(bound(-b))", "ball(bound(-b))"),
    mutant("profile from below not moved", "known.py", "for height in found[1:]), 0]", "for height in found[:-1]), 0]"),
    mutant("front of a known profile", "known.py", "1 << work if heights[0] <= front else heights[0]", "1 << work"),
    mutant(
        "shifts the other way",
        "shifts.py",
        "self._others(epsilon - shift.high).upper",
        "self._others(epsilon - shift.low).upper",
    ),
    mutant("shifts forget what is lost", "shifts.py", "infinite.upper + lost)", "infinite.upper)"),
    mutant(
        "shifts add infinite masses",
        "shifts.py",
        "a.infinite + b.infinite - a.infinite * b.infinite",
        "a.infinite + b.infinite",
    ),
    mutant(
        "shifts one too few",
        "shifts.py",
        "square = total(square, square, spare) if count else square",
        "square = total(square, square, spare) if count > 1 else square",
    ),
    mutant("a part is left out", "refinement.py", "others.append(one)", "pass"),
    mutant("memory is not looked at", "refinement.py", ", effort.memory / (points * BYTES)", ""),
    mutant("work is not looked at", "measures.py", "    effort.afford(", "    (lambda *_: None)("),
)
"""One error each: a rounding, an end, a branch, a constant."""
