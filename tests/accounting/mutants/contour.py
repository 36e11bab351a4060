"""Mutants of the contour engine."""

from tests.mutating import Mutant

HERE = "refdp/accounting/contour/"
TESTS = "tests/accounting/contour/"
TERMS = (TESTS + "test_contour_terms.py",)
SUMS = (TESTS + "test_contour_sums.py",)
GRIDS = (TESTS + "test_contour_grids.py",)
DECAY = (TESTS + "test_contour_decay.py",)
EDGES = (TESTS + "test_contour_edges.py",)


def mutant(name: str, file: str, old: str, new: str, tests: tuple[str, ...] = SUMS) -> Mutant:
    """One text of one file of the engine replaced."""
    return Mutant(f"contour: {name}", f"{HERE}{file}.py", old, new, tests)


CIRCLES = (TESTS + "test_contour_circles.py",)

CONTOUR = (
    mutant("aliases to the left dropped", "integral", " + 1 / (c * period).expm1()", "", TERMS),
    mutant("aliases to the right dropped", "integral", "min(bound.upper() for bound in bounds) + ", "", TERMS),
    mutant(
        "aliases on the wrong side", "integral", "left_out - self._aliases(x)", "left_out + self._aliases(x)", TERMS
    ),
    mutant("aliases ignored", "integral", "left_out - self._aliases(x)", "left_out", TERMS),
    mutant("what is cut off is not added", "integral", "(total + left_out)", "total", TERMS),
    mutant("what is cut off is not subtracted", "integral", "(total - left_out -", "(total -", TERMS),
    mutant("twice as far as it is", "factors", "arb.pi() * self.reach", "2 * arb.pi() * self.reach", TERMS),
    mutant("one count for all", "integral", "y**count", "y", SUMS),
    mutant("ceiling of one event", "integral", ".upper() ** count", ".upper()", TERMS),
    mutant("the whole of the first term", "integral", "found[0] /= 2", "found[0] /= 1", SUMS),
    mutant("error of the moments dropped", "factors", "value + error for value", "value for value", TERMS),
    mutant("no square of the first moment", "closed", "s * (s + 1) / 2", "s * s / 2"),
    mutant("Laplace without a density", "closed", " + (up - down) / (4 * s + 2)", ""),
    mutant("truncation is no error", "moments", "error = tail + whole", "error = whole", GRIDS),
    mutant(
        "the step is no error",
        "moments",
        "error = tail + whole * self.aliasing(grid, order, reach)",
        "error = tail",
        GRIDS,
    ),
    mutant(
        "the error of t = 0",
        "moments",
        "whole * self.aliasing(grid, order, reach)",
        "whole * self.aliasing(grid, order, arb(0))",
        GRIDS,
    ),
    mutant(
        "one turn under replacement",
        "moments",
        "return 2 if self.direction",
        "return 1 if self.direction",
        GRIDS,
    ),
    mutant("no turn", "moments", "self.turn() * reach * mu * d)", "0 * reach * mu * d)", GRIDS),
    mutant("no growth in the strip", "moments", "(d * d / 2 + self", "(self", GRIDS),
    mutant(
        "no secant",
        "moments",
        '.sec() ** ball(order) if self.direction != "remove" else arb(1)',
        ".sec() ** 0",
        GRIDS,
    ),
    mutant("half of the aliases in x", "moments", "return 2 * growth / (2", "return growth / (2", GRIDS),
    mutant("the strip may be too wide", "moments", "if not mu * d < WIDEST_TURN + 1:", "if False:", GRIDS),
    mutant("tails where the weight rises", "moments", "if not (left <= -mu / 2", "if not (left <= left", GRIDS),
    mutant("tail above without the moved law", "moments", " + growth * normal_tail(right - (c + 1) * mu)", "", GRIDS),
    mutant("tail below without the still law", "moments", "return law.rest * normal_tail(-left) + ", "return ", GRIDS),
    mutant(
        "tail of replace without its factor",
        "moments",
        "normal_tail(-left), law.rest**-c * above",
        "normal_tail(-left), above",
        GRIDS,
    ),
    mutant(
        "tail of add without its factor",
        "moments",
        "return law.rest**-c * normal_tail(-left)",
        "return normal_tail(-left)",
        GRIDS,
    ),
    mutant("an order too low", "moments", "(self.order + 1) * up - x * x / 2", "self.order * up - x * x / 2", SUMS),
    mutant(
        "theta without its square root",
        "moments",
        "total * (2 * arb.pi() * ball(variance)).sqrt() if flat",
        "total if flat",
        GRIDS,
    ),
    mutant("replace by the same law", "moments", "down = self.ratio(-x)", "down = self.ratio(x)", SUMS),
    mutant("no dip between the ends", "decay", "return bend.max(arb(0)) * width * width / 8", "return arb(0)", DECAY),
    mutant("the flatter slope of a cell", "decay", "slopes[0][i + 1] +", "slopes[0][i] +", DECAY),
    mutant("the higher end of a cell", "decay", "lowest = min(", "lowest = max(", DECAY),
    mutant(
        "layers of full length",
        "decay",
        "(1 - (x.sin() / x if x <= 2 else 1 / x)) if x > 0 else 0\n        return (1",
        "1 if x > 0 else 0\n        return (1",
        DECAY,
    ),
    mutant(
        "layers twice as long",
        "decay",
        "gone, half = arb(0), t * _unit(1) / 2",
        "gone, half = arb(0), t * _unit(1)",
        DECAY,
    ),
    mutant(
        "layers one cell too long",
        "decay",
        "abs(ends[high + 1] - ends[low])",
        "abs(ends[high + 1] - ends[max(0, low - 1)])",
        DECAY,
    ),
    mutant("layers too high", "decay", "below = min(level, max(left, right))", "below = min(left, right)", DECAY),
    mutant("no growth of the shifted weight", "shift", "((ball(y * y) / 2).exp() * total)", "total", DECAY),
    mutant("the lesser end of a cell", "shift", "max(weights[i : i + 2])", "min(weights[i : i + 2])", DECAY),
    mutant("no bulge between the ends", "shift", "_bulge(factor, order, width).exp()", "1", DECAY),
    mutant("half a bulge", "shift", "width * width / 8", "width * width / 16", DECAY),
    mutant("the steeper end turns", "shift", "[cell.rise[0], cell.fall[1]]", "[cell.rise[1], cell.fall[0]]", DECAY),
    mutant("no stretch", "shift", "(1 - spread) ** (-ball(self.order) / 2)", "arb(1)", DECAY),
    mutant(
        "rule without an error",
        "pieces",
        "self.sampled(outcomes), order, self.error(n, ball(rho), order, reach))",
        "self.sampled(outcomes), order, arb(0))",
        GRIDS,
    ),
    mutant("an ellipse too wide", "pieces", "if not turn < 3:", "if False:", GRIDS),
    mutant(
        "infinite loss is lost",
        "ladder",
        "interval(x, contour.bits).lower for x in (infinite + low, infinite, trivial)",
        "interval(x, contour.bits).lower for x in (low, trivial)",
    ),
    mutant("infinite loss counts once", "ladder", "total += count * (-mass).log1p()", "total += (-mass).log1p()"),
    mutant("add is remove", "atoms", "return still, q * moved + rest", "return q * moved + rest, still"),
    mutant(
        "the reflected law forgotten",
        "atoms",
        "return q * moved + rest, q * back + rest",
        "return q * moved + rest, still",
    ),
    mutant("an atom of the wrong size", "../grids/outcomes", "powers[2 * shift] * near", "powers[shift] * near"),
    mutant("the ends of Laplace noise decay twice as fast", "closed", "ends / 4 / whole", "ends / 16 / whole", EDGES),
    mutant(
        "an edge of sampled Laplace noise forgotten", "pieces", "first ** (c + 2) + (-2 * x)", "0 + (-2 * x)", EDGES
    ),
    mutant("addition decays faster", "pieces", "last ** (1 - c)) / (2 * q)", "last ** (1 - c)) / (20 * q)", EDGES),
    mutant("the mass at 0 too small", "fixed_size", "(2 - q) * root.erfc()", "(1 - q) * root.erfc()", EDGES),
    mutant("the mass at 0 of Laplace noise", "fixed_size", "- (2 - q) * middle", "- (1 - q) * middle", EDGES),
    mutant(
        "one side of the losses forgotten",
        "fixed_size",
        "[(mass, ratio, arb(1)), (mass, arb(1), ratio)]",
        "[(mass, ratio, arb(1))]",
        EDGES,
    ),
    mutant(
        "edges of a fixed size forgotten",
        "fixed_size",
        "4 * self.highest(order) / (q * square.sqrt()) + 2 * start",
        "start / 4",
        EDGES,
    ),
    mutant(
        "what is beyond the panels forgotten",
        "fixed_size",
        "return (above + (end / root).erfc()) / 2",
        "return arb(0)",
        EDGES,
    ),
    mutant(
        "the quadrature without its error",
        "fixed_size",
        "rho ** (-2 * n) / (1 - 1 / rho)",
        "rho ** (-20 * n) / (1 - 1 / rho)",
        EDGES,
    ),
    mutant(
        "the kernel of a line",
        "circle",
        "h / (-(s + 1) * h).expm1() - h / (-s * h).expm1()",
        "1 / (s * (s + 1))",
        CIRCLES,
    ),
    mutant("nothing beyond some points", "circle", "2 * count + 1 >= self.size", "count >= 1", CIRCLES),
    mutant("beyond a quarter of it", "circle", ".cot() / arb.pi()", ".cot() / (4 * arb.pi())", CIRCLES),
    mutant("shares exchanged", "circle", "(y, share), (y + h, 1 - share)", "(y, 1 - share), (y + h, share)", CIRCLES),
    mutant("the step no error", "circle", "abs(x - y - h).expm1().upper()", "arb(0)", CIRCLES),
    mutant("the point below", "circle", "[(y + h, arb(1))]", "[(y, arb(1))]", CIRCLES),
    mutant("one lattice of several", "circle", "len(found) == 1 and ", "", CIRCLES),
    mutant("a decay for all", "lattice_noise", "lattice.spread(law) == 1", "True", CIRCLES),
    mutant("no rest of the series", "lattice_noise", "acb(arb(0, rest), arb(0, rest))", "acb(0)", CIRCLES),
    mutant("the term of the first turn alone", "lattice_noise", "(t / turn).mid().floor()", "arb(0)", CIRCLES),
    mutant("no normaliser", "lattice_noise", ".exp() / self._normaliser()", ".exp()", CIRCLES),
    mutant("no turn by the order", "lattice_noise", "- 2 * arb.pi() * place * m * order", "", CIRCLES),
    mutant(
        "one of two terms at half a turn", "lattice_noise", "(first + second + 3 * rest)", "(first + 3 * rest)", CIRCLES
    ),
    mutant("atoms that decay", "lattice_noise", "self.atoms + self.inner / sine", "self.inner / sine", CIRCLES),
    mutant("no lower end", "lattice_noise", "up + (-(s + 1) * e * m).exp() +", "up +", CIRCLES),
    mutant(
        "one outcome more between", "lattice_noise", "ratio * (1 - ratio ** (m - 1))", "ratio * (1 - ratio**m)", CIRCLES
    ),
)
