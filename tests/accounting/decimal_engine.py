"""The second opinion on sums on a lattice: integers and `decimal` only, upper and lower masses kept apart.

Masses are whole numbers of units 10^-digits.  Products of mass vectors are exact (one product of long decimal numbers);
each is rounded to units again, up for the upper vector, down for the lower.  Nothing here is shared with refdp.
"""

from dataclasses import dataclass
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal, Inexact
from fractions import Fraction
from functools import cache

DIGITS = 60
EXACT = Context(prec=min(MAX_PREC, 10**9), Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[Inexact])


@cache
def context(digits, up):
    return Context(prec=digits, rounding=ROUND_CEILING if up else ROUND_FLOOR, Emax=MAX_EMAX, Emin=MIN_EMIN)


@dataclass(frozen=True)
class Bounds:
    """low <= x <= high, each operation rounded outward."""

    low: Decimal
    high: Decimal
    digits: int = DIGITS

    @staticmethod
    def of(x, digits=DIGITS):
        x = Fraction(x)
        top, bottom = Decimal(x.numerator), Decimal(x.denominator)
        return Bounds(context(digits, False).divide(top, bottom), context(digits, True).divide(top, bottom), digits)

    @property
    def contexts(self):
        return context(self.digits, False), context(self.digits, True)

    def __add__(self, other):
        down, up = self.contexts
        return Bounds(down.add(self.low, other.low), up.add(self.high, other.high), self.digits)

    def __neg__(self):
        return Bounds(self.low.copy_negate(), self.high.copy_negate(), self.digits).turned()

    def turned(self):
        return Bounds(self.high, self.low, self.digits)

    def __sub__(self, other):
        return self + -other

    def __mul__(self, other):
        down, up = self.contexts
        pairs = [(a, b) for a in (self.low, self.high) for b in (other.low, other.high)]
        return Bounds(min(down.multiply(*p) for p in pairs), max(up.multiply(*p) for p in pairs), self.digits)

    def __truediv__(self, other):
        """other > 0."""
        down, up = self.contexts
        pairs = [(a, b) for a in (self.low, self.high) for b in (other.low, other.high)]
        return Bounds(min(down.divide(*p) for p in pairs), max(up.divide(*p) for p in pairs), self.digits)

    def exp(self):
        """decimal's exp is within half a unit in the last place, whatever the rounding: the neighbours are bounds."""
        down, up = self.contexts
        return Bounds(down.next_minus(down.exp(self.low)), up.next_plus(up.exp(self.high)), self.digits)

    def ln(self):
        down, up = self.contexts
        return Bounds(down.next_minus(down.ln(self.low)), up.next_plus(up.ln(self.high)), self.digits)

    def units(self, digits, up):
        """The number in units 10^-digits, rounded up or down, not below 0."""
        scaled = EXACT.scaleb(self.high if up else self.low, digits)
        return max(0, int(scaled.to_integral_value(ROUND_CEILING if up else ROUND_FLOOR)))


@dataclass(frozen=True)
class Vector:
    """Bounds, upper (up) or lower, of the masses of start, start + 1, ... and of infinity, in units 10^-digits."""

    start: int
    masses: tuple[int, ...]
    infinite: int
    digits: int
    up: bool


def convolution(a, b):
    """The coefficients of the product of two polynomials with coefficients >= 0, exactly."""
    slot = len(str(max(a) or 1)) + len(str(max(b) or 1)) + len(str(min(len(a), len(b))))
    packed = [Decimal("".join(f"{x:0{slot}d}" for x in v)) for v in (a, b)]
    count = len(a) + len(b) - 1
    text = f"{EXACT.multiply(*packed):f}".zfill(count * slot)
    return [int(text[i * slot : (i + 1) * slot]) for i in range(count)]


def rounded(number, digits, up):
    return -(-number // 10**digits) if up else number // 10**digits


def product(a, b):
    """Bounds of the masses of the sum of two independent losses."""
    masses = [rounded(c, a.digits, a.up) for c in convolution(a.masses, b.masses)]
    total, other = sum(a.masses) + a.infinite, sum(b.masses)
    infinite = rounded(a.infinite * other + b.infinite * total, a.digits, a.up)
    return trimmed(Vector(a.start + b.start, tuple(masses), infinite, a.digits, a.up), len(masses))


def trimmed(v, allowed):
    """Ends of at most so many units in sum cut off: at the top they become infinite, at the bottom they move up."""
    masses, left, right, lost_left, lost_right = list(v.masses), 0, len(v.masses), 0, 0
    while right > 1 and lost_right + masses[right - 1] <= allowed:
        right, lost_right = right - 1, lost_right + masses[right - 1]
    while left < right - 1 and lost_left + masses[left] <= allowed:
        left, lost_left = left + 1, lost_left + masses[left]
    kept = masses[left:right]
    if v.up:
        kept[0] += lost_left
    return Vector(v.start + left, tuple(kept), v.infinite + (lost_right if v.up else 0), v.digits, v.up)


def power(v, count):
    """Bounds of the masses of the sum of `count` independent losses."""
    found = v
    for digit in bin(count)[3:]:
        found = product(found, found)
        if digit == "1":
            found = product(found, v)
    return found


def vector(atoms, digits, up, infinite=0):
    """The vector of atoms (index, Bounds of the mass)."""
    start, end = min(i for i, _ in atoms), max(i for i, _ in atoms)
    masses = [0] * (end - start + 1)
    for i, mass in atoms:
        masses[i - start] += mass.units(digits, up)
    return Vector(start, tuple(masses), Bounds.of(infinite, digits + 10).units(digits, up), digits, up)


def delta(v, step, epsilon, origin=0):
    """The bound of delta at epsilon, a Decimal: the losses are origin + step * index; step is Bounds."""
    total = Bounds.of(v.infinite, step.digits)
    for i, mass in enumerate(v.masses, v.start):
        lost = share(step, i, Fraction(epsilon), Fraction(origin))
        if lost is not None:
            total = total + Bounds.of(mass, step.digits) * lost
    scaled = EXACT.scaleb(total.high if v.up else total.low, -v.digits)
    return min(scaled, Decimal(1)) if v.up else scaled


@cache
def share(step, index, epsilon, origin):
    """1 - e^(epsilon - loss) at the loss of the index, None where that is below 0; for upper and lower masses alike."""
    epsilon, origin = Bounds.of(epsilon, step.digits), Bounds.of(origin, step.digits)
    loss = step * Bounds.of(index, step.digits) + origin
    if loss.high <= epsilon.low:
        return None
    found = Bounds.of(1, step.digits) - (epsilon - loss).exp()
    return Bounds(max(Decimal(0), found.low), found.high, step.digits)


def response_atoms(epsilon, index):
    """A response whose epsilon (Bounds) is so many steps."""
    one = Bounds.of(1, epsilon.digits)
    return [(-index, one / (one + epsilon.exp())), (index, one / (one + (-epsilon).exp()))]


def discrete_laplace_atoms(epsilon, shift, index):
    """Discrete Laplace noise whose epsilon is so many steps: losses epsilon (2 k - shift)."""
    one = Bounds.of(1, epsilon.digits)
    q = (-epsilon).exp()
    inner = [(k, (one - q) / (one + q) * power_of(q, shift - k)) for k in range(1, shift)]
    atoms = [(0, power_of(q, shift) / (one + q)), *inner, (shift, one / (one + q))]
    return [(index * (2 * k - shift), mass) for k, mass in atoms]


def power_of(x, n):
    found = Bounds.of(1, x.digits)
    for _ in range(n):
        found = found * x
    return found


def discrete_gaussian_vector(variance, shift, digits, up, reach):
    """Discrete Gaussian noise; losses (2 k - shift) steps of shift / (2 variance), k within `reach` of the shift."""
    weights = [Bounds.of(-Fraction(k * k) / (2 * variance), digits + 10).exp() for k in range(reach + 1)]
    total = weights[0]
    for weight in weights[1:]:
        total = total + weight + weight
    rest = weights[reach] * Bounds.of(2 * variance, digits + 10)  # the sum beyond is at most w (r + r^2 + ...), below
    least = Bounds(total.low, (total + rest + rest).high, digits + 10)  # 1 / (e^((2 reach + 1) / (2 v)) - 1) < 2 v
    atoms = [(2 * (shift + k) - shift, weights[abs(k)] / least) for k in range(-reach, reach + 1)]
    tail = (rest / least).high if up else Decimal(0)
    found = vector(atoms, digits, up)
    tail_units = Bounds(tail, tail, digits + 10).units(digits, up)
    lowest = (found.masses[0] + tail_units, *found.masses[1:])
    return Vector(found.start, lowest, tail_units, digits, up)
