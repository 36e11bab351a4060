"""Mutants of the products and quadrature engines."""

from tests.mutating import Mutant

LISTS, INTEGRALS = "refdp/accounting/products/", "refdp/accounting/quadrature/"
CHANGES = [
    ("P rounded up", LISTS + "factors.py", "[max(floor(p * mass_unit), 0) for", "[floor(p * mass_unit) + 2**40 for"),
    ("Q rounded down", LISTS + "factors.py", "[-floor(-q * other_unit) for", "[floor(q * other_unit) - 2**40 for"),
    ("losses rounded up", LISTS + "factors.py", "[close_floor(loss * loss_unit) for",
     "[close_floor(loss * loss_unit) + 2**50 for"),
    ("orders of equal pairs not counted", LISTS + "groups.py", "ways = comb(size, repeats)", "ways = 1"),
    ("an atom repeated with its first mass", LISTS + "groups.py", "ways * p**repeats", "ways * p"),
    ("a list not cut in its masses", LISTS + "groups.py", "[x >> p_cut for x in found.p]",
     "[(x >> p_cut) + 1 for x in found.p]"),
    ("what is left out forgotten", LISTS + "curve.py", "most = found + self.missing +", "most = found +"),
    ("what rounding adds to Q forgotten", LISTS + "curve.py", " + self.excess * (1 + beside)", ""),
    ("an event too large by nothing", LISTS + "curve.py", " + (mass + self.missing) * beside", ""),
    ("an event too small", LISTS + "curve.py", "(1 << self.unit)) - self.slack)", "(1 << self.unit)))"),
    ("what shortening adds to Q forgotten", LISTS + "listing.py", "excess += len(sums) *", "excess += 0 *"),
    ("the infinite losses forgotten", LISTS + "curve.py", "found = self.infinite + mass -", "found = mass -"),
    ("a place too far", LISTS + "curve.py", "[least - loss for loss in", "[least - loss + 2**60 for loss in"),
    ("sums that are all great enough forgotten", LISTS + "curve.py", "p = self.few_from.p_from[every] *", "p = 0 *"),
    ("a block that begins where the one before it ended", LISTS + "curve.py", "start:end], map(many.p_from[first :",
     "start + 1:end], map(many.p_from[first :"),
    ("places that end too early", LISTS + "curve.py", "last = first\n", "last = max(first - 1, 0)\n"),
    ("the masses of one list left out of what is missing", LISTS + "engine.py",
     "sum(many.p) * sum(few.p) * sum(shifts.p)", "sum(many.p) * sum(few.p) * (1 << found[2].p_bits)"),
    ("the infinite mass of one copy", LISTS + "engine.py", "(count * (-ball(mass)).log1p()", "((-ball(mass)).log1p()"),
    ("a density without the other part of a sample", INTEGRALS + "densities.py", "return still * mixture, 1 / mixture",
     "return still * mixture, 1 / moved"),
    ("replacement seen from the wrong side", INTEGRALS + "densities.py", "acb(least), (e * (-2 * u - 1)).exp())",
     "acb(least), acb(least))"),
    ("an atom with its masses exchanged", INTEGRALS + "densities.py",
     'low = high[::-1] if direction == "replace" else (far, half, arb(0))', "low = high"),
    ("tails of normal noise forgotten", INTEGRALS + "densities.py", "(arb(far) / arb(2).sqrt()).erfc())", "arb(0))"),
    ("a formula across a bend", INTEGRALS + "profiles.py",
     "inside = here >= least and here * least <= 1 and right_half(x)", "inside = right_half(x)"),
    ("a flat bend too early", INTEGRALS + "profiles.py", "return share * least * inner(1 / least)", "return arb(0)"),
    ("addition flat without its error", INTEGRALS + "profiles.py",
     "return least * inner(share * (1 - least) / (ball(1 - rate) * least))", "return arb(0)"),
    ("both branches of a sample of a fixed size the same", INTEGRALS + "profiles.py",
     "return below(x, here) if here <= 1 else None", "return above(x, here)"),
    ("mirrored without its factor", INTEGRALS + "profiles.py", "1 - x + x * found", "1 - x + found"),
    ("the ratio of an atom upside down", INTEGRALS + "curve.py", "self.bounded(x * q / p)", "self.bounded(x * p / q)"),
    ("one end of a bend only", INTEGRALS + "curve.py",
     "self.profile(arb(x.lower())).union(self.profile(arb(x.upper())))", "self.profile(arb(x.upper()))"),
    ("what no integral sees forgotten", INTEGRALS + "curve.py", "total.union(total + self.missing)", "total"),
]  # fmt: skip
PRODUCTS = tuple(
    Mutant(
        name, file, old, new, (f"tests/accounting/test_{'products' if file.startswith(LISTS) else 'quadrature'}.py",)
    )
    for name, file, old, new in CHANGES
)
