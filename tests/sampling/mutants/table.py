"""The mutants: what is wrong, where, and the tests that must notice.

Not here, as they change no law: a wider margin, a comparison with the margin that is strict or not, and a wrong search
for certificates that `check` still accepts.
"""

from tests.mutating import Mutant

LAZY, WORDS = ("tests/sampling/test_lazy.py",), ("tests/sampling/test_words.py",)
POTENTIALS, CHECK = ("tests/sampling/test_potentials.py",), ("tests/sampling/test_slots_check.py",)
DRAWS, BULK = ("tests/sampling/test_slots_draws.py",), ("tests/sampling/test_bulk_slots.py",)
LOOKUP, EXPONENTIAL = ("tests/sampling/test_lookup.py",), ("tests/sampling/test_exponential.py",)
ENDS, ONE = ("tests/sampling/test_slots_ends.py",), ("tests/sampling/test_slots_one.py",)
SELECTION = ("tests/sampling/test_selection.py",)
ADDITION = ("tests/sampling/test_addition.py",)

TABLE: tuple[tuple[str, str, str, str, tuple[str, ...]], ...] = (
    # the trusted comparison
    ("less decides by the lower end of the cell", "lazy", "if upper <= bounds.lower", "if lower <= bounds.lower", LAZY),
    ("less decides by the lower end of p", "lazy", "if bounds.upper <= lower", "if bounds.lower <= lower", LAZY),
    ("the cell has no width", "lazy", "Fraction(self.digits + 1, ", "Fraction(self.digits, ", LAZY),
    ("geometric starts at 1", "lazy", "rho * (g + 1)", "rho * g", LAZY),
    ("inverse of the cdf of the value above", "lazy", "less(u, cdf(middle))", "less(u, cdf(first))", LAZY),
    # words
    ("the last digits of a word", "words", ">> (WORD - left)", ">> 0", WORDS),
    ("no hook in the child", "words", "child=SYSTEM_WORDS.forget", "child=lambda: None", WORDS),
    ("the most significant octet first", "words", '"little"', '"big"', WORDS),
    # weights
    ("powers from 0", "potentials", "enumerate(self.coefficients, 1) if c", "enumerate(self.coefficients) if c",
     POTENTIALS),
    ("the slope of the place before", "potentials", "((n + 1) ** i - n**i)", "(n**i - (n - 1) ** i)", POTENTIALS),
    ("sigma instead of its square", "potentials", '"sigma") ** 2', '"sigma") ** 1', POTENTIALS),
    # the certificate
    ("coverage by one more", "slots/check", "high <= block.slots << UNIT", "high <= block.slots + 1 << UNIT", CHECK),
    ("soundness by one less", "slots/check", "block.full << UNIT <= least", "block.full - 1 << UNIT <= least", CHECK),
    ("soundness at the top", "slots/check", "weights(top), weights(bottom)", "weights(top), weights(top)", CHECK),
    ("the left tail starts a place early", "slots/check", "(-1, 1 - first)", "(-1, -first)", CHECK),
    ("a tail may be twice as heavy as its slots", "slots/check", ".upper <= 1, f", ".upper <= 2, f", CHECK),
    ("the slope before", "slots/check", "slope(tail.start), tail.slots", "slope(tail.start - 1), tail.slots", CHECK),
    ("levels right to 40 digits", "slots/check", "level >> CLOSE", "level >> 40", CHECK),
    ("rates right to 50 digits", "slots/check", "exact / 2**52", "exact / 2**50", CHECK),
    ("the remainder a degree too early", "slots/check", "power = taylor + 1", "power = taylor", CHECK),
    ("no remainder at all", "slots/check", "return int(series + ", "return int(0 * series + ", CHECK),
    ("more slots than there are", "slots/check", "<= 1 << c.slot_digits", "<= 2 << c.slot_digits", CHECK),
    ("any degree of the polynomial", "slots/check", "1 <= c.taylor <=", "0 <= c.taylor <=", CHECK),
    ("a margin below the error", "slots/certificate", "MARGIN = 2.0**-16", "MARGIN = 2.0**-30", CHECK),
    ("search: rounds down", "slots/build", "ceil(level * (1 + SLACK))", "floor(level * (1 + SLACK))", CHECK),
    # draws
    ("a slot belongs to the block before", "slots/draws", "self._owner[slot]", "self._owner[slot - 1]", DRAWS),
    ("levels from 1", "slots/draws", "slot - self._firsts[index]", "slot + 1 - self._firsts[index]", DRAWS),
    ("one too many is full", "slots/draws", "self.level < self.owner.full", "self.level <= self.owner.full", DRAWS),
    ("tails a place too far", "slots/draws", "(tail.start + g) if", "(tail.start + g + 1) if", DRAWS),
    ("tails on the other side", "slots/draws", "return tail.sign *", "return -tail.sign *", DRAWS),
    ("tails fall as geometric ones", "slots/draws", "if bend == 0 or", "if bend >= 0 or", DRAWS),
    ("V of the next level", "slots/draws", "w.lower / height - level", "w.lower / height - level - 1", DRAWS),
    # arrays
    ("places near the margin are rejected", "bulk/slots", "np.abs(excess) <= self.margin", "excess == np.inf", BULK),
    ("places above the margin are rejected", "bulk/slots", "excess > self.margin", "excess > 1 + self.margin", BULK),
    ("V twice as large", "slots/floats", "UNIT = 2.0**-53", "UNIT = 2.0**-52", BULK),
    ("V without its first digit", "bulk/slots", "v >> FIRST_DIGITS - 53", "v >> FIRST_DIGITS - 54", BULK),
    ("the first tail is a block", "bulk/slots", "accepted & (row >= ", "accepted & (row > ", BULK),
    ("powers of x fall the wrong way", "slots/floats", "(-1.0) ** i / factorial", "1.0**i / factorial", BULK),
    ("c_2 d (n + d), not c_2 d (2 n + d)", "slots/floats", "h * end + n_to_j", "h * end + 1.0", BULK),
    ("a full slot is open", "bulk/tables", "= level >= np.array([b.full", "= level + 1 >= np.array([b.full", BULK),
    ("an open slot is full", "bulk/tables", "= level >= np.array([b.full", "= level > np.array([b.full", BULK),
    ("the block at 0 is on the left", "bulk/tables", "np.where(start < 0,", "np.where(start <= 0,", BULK),
    ("offsets are flipped a digit too far", "bulk/tables", "c.width - 1, 0)", "c.width, 0)", BULK),
    ("nothing is open", "bulk/tables", "LIMIT = -(1 << 61)", "LIMIT = -(1 << 62)", BULK),
    # finite laws
    ("known by the lower end of the cell", "lookup", "u.digits + 1 << unit <= ", "u.digits << unit <= ", LOOKUP),
    ("known by the upper end of the cell", "lookup", "high, u.digits << unit)", "high, u.digits + 1 << unit)", LOOKUP),
    ("bounds may be negative", "lookup", "not 0 <= low <=", "not -2 <= low <=", LOOKUP),
    ("48 digits after 17", "lookup", "more = DIGITS - FIRST_DIGITS", "more = DIGITS - FIRST_DIGITS - 1", LOOKUP),
    ("a bound itself is below", "bulk/lookup", '"left"', '"right"', LOOKUP),
    ("bounds one too large", "bulk/lookup", "[high - 1 for high", "[high for high", LOOKUP),
    # one exponential for every scale
    ("the floor from above", "exponential", "floor(step * g),", "ceil(step * g),", EXPONENTIAL),
    ("E < gamma", "exponential", "f < 1 and not bernoulli", "f < 1 and bernoulli", EXPONENTIAL),
    ("the rest in units of 1", "exponential", "exp_minus(c * f)", "exp_minus(f)", EXPONENTIAL),
    ("minus zero stays", "bulk/exponential", "minus & (drawn == 0)", "minus & (drawn == -1)", EXPONENTIAL),
    ("the cell has no width", "bulk/exponential", "2 * step)", "0 * step)", EXPONENTIAL),
    ("accepted early", "bulk/exponential", "g > (gamma + error) / UNIT", "g + 2**48 > (gamma + error) / UNIT",
     EXPONENTIAL),
    # sums
    ("an overflow in one sign only", "bulk/addition", ".any()", ".all()", ADDITION),
    ("no overflow", "bulk/addition", "(noise ^ total) < 0", "(noise ^ total) > 0", ADDITION),
    # weights at the ends of blocks
    ("lower bounds rounded up", "slots/ends", "low[i] * low[i + 1] >> FINER", "-(-low[i] * low[i + 1] >> FINER - 1)",
     CHECK),
    ("upper bounds rounded down", "slots/ends", "-(-high[0] * above // below)", "high[0] * above // below", ENDS),
    ("differences of weights one by one", "slots/ends", "first + i * c.width)", "first + i)", CHECK),
    ("a difference too few", "slots/ends", "len(c.potential.coefficients) + 1)", "len(c.potential.coefficients))",
     CHECK),
    # floats for one draw
    ("the floats' margin is 0", "slots/draws", "if abs(excess) > margin", "if abs(excess) > 0", ONE),
    ("floats for the level below", "slots/draws", "found - place.level -", "found - place.level + 1 -", ONE),
    ("the wrong end of blocks on the left", "slots/draws", "(1 - start - c.width, -place.k)", "(-start, -place.k)",
     ONE),
    ("starts that are not full", "slots/draws", "* block.full + array", "* block.slots + array", ONE),
    # one draw of the exponential mechanism
    ("the margin is 0", "selection", "return total * (roundings + 20) * (4 * UNIT)", "return 0 * total * roundings",
     SELECTION),
    ("powers of the byte before", "selection", "2 ** (BYTE * place)", "2 ** (BYTE * place - 1)", SELECTION),
    ("powers from e^-rate on", "selection", "low = high = 1 << FINE", "low, high = down, up", SELECTION),
    ("half of the candidate's weight", "selection", "gaps[: k + 1]), Counter", "gaps[:k]), Counter", SELECTION),
    ("gaps beyond 2^-bits have the weight 1", "selection", "Fraction(1, 1 << bits))", "Fraction(1))", SELECTION),
    ("U of 52 digits", "selection", "u.digits >> u.size - 53", "u.digits >> u.size - 52", SELECTION),
    ("blocks do not add up", "bulk/selection", "sums += ends[block - 1]", "sums += ends[0]", SELECTION),
    ("the candidate before", "bulk/selection", 'sums.searchsorted(t, "right")', 'sums.searchsorted(t, "left") - 1',
     SELECTION),
    ("bytes from the other end", "bulk/selection", "np.uint64(BYTE * place)", "np.uint64(BYTE * (7 - place))",
     SELECTION),
    ("gaps wrap", "bulk/selection", "(scores.max() - scores).view", "(scores.max() - scores).astype(np.int32).view",
     SELECTION),
)  # fmt: skip

MUTANTS = tuple(Mutant(name, f"refdp/sampling/{file}.py", old, new, tests) for name, file, old, new, tests in TABLE)
