"""The weights and scales on which the samplers are tried."""

from fractions import Fraction as F

from refdp.sampling.potentials import Potential, gaussian, laplace

SCALES = [F(1, 1000), F(1, 3), F(22, 7), F(10**12) + F(1, 3), F(2**48)]
SLOTS = (
    {f"laplace {scale}": laplace(scale) for scale in SCALES}
    | {f"gaussian {scale}": gaussian(scale) for scale in SCALES}
    | {
        "laplace 1000": laplace(1000),
        "gaussian 1000": gaussian(1000),
        "k^4": Potential((F(0), F(0), F(0), F(1, 10**9))),
        "|k| and k^3": Potential((F(1, 700), F(0), F(1, 10**10))),
        "k^8": Potential((F(0),) * 7 + (F(1, 10**40),)),
        "geometric": Potential((F(1, 5000),), two_sided=False),
    }
)
