"""Implementations to be checked: refdp's own behind the protocol, and wrong ones."""

from fractions import Fraction
from math import exp

from refdp.commands.account import account_of
from refdp.test_vectors import laws, samplers
from refdp.test_vectors.maps import map_of
from refdp.test_vectors.tapes import octets_of


class Right:
    """refdp's own functions."""

    def pmf(self, algorithm, params, input, output):  # noqa: A002
        values = laws.values_of(algorithm, params)
        return laws.pmf(algorithm, values, laws.input_of(algorithm, input), Fraction(output)).lower

    def cdf(self, algorithm, params, input, output):  # noqa: A002
        values = laws.values_of(algorithm, params)
        return laws.cdf(algorithm, values, laws.input_of(algorithm, input), Fraction(output)).lower

    def delta(self, algorithm, params, neighbours, epsilon):
        return self.account(neighbours, [{"mechanism": algorithm, **params}], {"epsilon": epsilon})

    def account(self, neighbours, events, question):
        stated = account_of({"neighbours": neighbours, "events": events})
        ((name, value),) = question.items()
        return (stated.delta_bounds if name == "epsilon" else stated.epsilon_bounds)(value).bounds.upper

    def sample(self, algorithm, params, input, tape, certificate):  # noqa: A002
        drawn = samplers.drawn(algorithm, params, input, octets_of(tape), {"certificate": certificate})
        return drawn.output, drawn.used

    def stability(self, algorithm, params, dIn):
        return map_of(algorithm, params).proved(Fraction(dIn))

    def transform(self, algorithm, params, input):  # noqa: A002
        found = map_of(algorithm, params)
        return found.run(found.rows(input))


class HalfScale(Right):
    """Half of the noise that is asked for."""

    def half(self, params):
        return {k: str(Fraction(v) / 2) if k in ("scale", "sigma") else v for k, v in params.items()}

    def pmf(self, algorithm, params, input, output):  # noqa: A002
        return super().pmf(algorithm, self.half(params), input, output)

    def cdf(self, algorithm, params, input, output):  # noqa: A002
        return super().cdf(algorithm, self.half(params), input, output)

    def delta(self, algorithm, params, neighbours, epsilon):
        """It believes in twice the noise."""
        twice = {k: str(Fraction(v) * 2) if k in ("scale", "sigma") else v for k, v in params.items()}
        return super().delta(algorithm, twice, neighbours, epsilon)


class OffByOne(Right):
    """A sampler whose numbers are one too high."""

    def sample(self, algorithm, params, input, tape, certificate):  # noqa: A002
        output, used = super().sample(algorithm, params, input, tape, certificate)
        if output == samplers.EXHAUSTED:
            return output, used
        return [str(int(k) + 1) for k in output] if isinstance(output, list) else str(Fraction(output) + 1), used


class Floats:
    """Formulas as they are usually typed, in floats."""

    def pmf(self, algorithm, params, input, output):  # noqa: A002
        if algorithm != "discrete_laplace":
            return NotImplemented
        scale, step = (float(Fraction(params.get(k, "1"))) for k in ("scale", "granularity"))
        r = exp(-step / scale)
        return (1 - r) / (1 + r) * exp(-abs(float(Fraction(output) - Fraction(input))) / scale)

    def delta(self, algorithm, params, neighbours, epsilon):
        """The closed form for Laplace noise, rounded to nearest."""
        if algorithm != "laplace":
            return NotImplemented
        ratio = float(Fraction(params.get("sensitivity", "1")) / Fraction(params["scale"]))
        return max(0.0, 1 - exp((float(Fraction(epsilon)) - ratio) / 2))


class AcceptsAll:
    """A judge that accepts every claim."""

    def accepts(self, type, algorithm, case):  # noqa: A002
        return True
