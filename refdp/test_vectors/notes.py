"""What the flags of cases mean: the kind of defect, what it is, what it does, and where it was published."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

OPENDP = "https://github.com/opendp/opendp/issues/"
IBM = "https://github.com/IBM/differential-privacy-library/issues/"
GOOGLE = "https://github.com/google/differential-privacy/issues/"
OPACUS = "https://github.com/pytorch/opacus/pull/"
CKS20 = "https://arxiv.org/abs/2004.00010"
FLOATS = "https://arxiv.org/abs/2207.10635"


class Note(NamedTuple):
    """One flag."""

    bug: str
    description: str
    effect: str
    links: tuple[str, ...] = ()


NOTES: Mapping[str, Note] = {
    "Regular": Note("FUNCTIONALITY", "Ordinary parameters.", "A right implementation passes."),
    "Extreme": Note(
        "FUNCTIONALITY", "Scales, granularities, epsilons or outputs that are very large or very small.",
        "Formulas that cancel, overflow or underflow in floats are off.",
    ),
    "NearestFloat": Note(
        "FUNCTIONALITY", "The claim is the float nearest to the probability.", "It is within the tolerance.",
    ),
    "Underflow": Note(
        "FUNCTIONALITY", "The probability is below the least float, and the claim is 0.",
        "Acceptable as a number for people; as a mass it would say that an output is impossible.",
    ),
    "NoiseScale": Note(
        "NOISE_SCALE", "The noise has a smaller scale than stated, as after a division that went wrong.",
        "Epsilon is larger than claimed.", (f"{OPENDP}2638", f"{OPENDP}2639"),
    ),
    "DoubleZero": Note(
        "NOISE_SHAPE", "Magnitude and sign are drawn apart, and minus zero is not drawn again: CKS20 Algorithm 2 does.",
        "Zero has twice its share; the loss between zero and its neighbour exceeds the bound.", (CKS20,),
    ),
    "Units": Note(
        "NOISE_SCALE", "The scale is taken in grid steps and not in the unit of the data.",
        "Noise is too small or too large by the granularity.",
    ),
    "Density": Note(
        "NOISE_SHAPE", "The density of continuous noise stands for the mass of discrete noise.",
        "Masses do not sum to one, and bounds computed from them are off.",
    ),
    "TailCut": Note(
        "TAIL_TRUNCATION", "Noise ends at a few scales: a table, or a float whose digits ran out.",
        "Some outputs tell the input apart for certain.", ("https://arxiv.org/abs/2207.13793",),
    ),
    "OffByOne": Note(
        "NOISE_SHAPE", "A geometric number that begins at one where it should begin at zero.",
        "The law is moved by a step.",
    ),
    "BaseTwo": Note("NOISE_SHAPE", "2 for e as the base of the weights.", "Epsilon is not what is stated."),
    "Renormalised": Note(
        "NOISE_SHAPE", "Noise is cut to a range and divided by what is left, in place of being clamped.",
        "The normaliser depends on the input, so epsilon is larger than the noise alone has.",
    ),
    "Edges": Note("TAIL_TRUNCATION", "The mass beyond a range is lost.", "Masses do not sum to one."),
    "NotApplied": Note(
        "RNG", "Noise is not applied: a bit that is never flipped.", "The output is the input.",
        (f"{OPENDP}2707", f"{OPENDP}2708"),
    ),
    "Response": Note(
        "NOISE_SCALE", "The lie is drawn among all values, the truth too.", "The truth is told more often than stated.",
    ),
    "Selection": Note(
        "NOISE_SHAPE", "Another selection law than stated, or none: a sign, an underflow, ties.",
        "Epsilon or accuracy is not what is stated.",
    ),
    "BoundClaim": Note("FUNCTIONALITY", "A claim at or just above the truth.", "It must be accepted."),
    "LooseClaim": Note("FUNCTIONALITY", "A claim far above the truth.", "Sound, and of little use."),
    "HairBelow": Note(
        "ROUNDING_DIRECTION", "A privacy loss rounded down: one unit in the last place, or a part in 10^12.",
        "The statement is false, if by little.", (f"{OPENDP}2820",),
    ),
    "ClaimsMoreNoise": Note(
        "ACCOUNTING", "The loss of more noise than there is.", "Delta is too small by orders of magnitude.",
    ),
    "ClaimsLessSensitivity": Note(
        "SENSITIVITY", "Half of the sensitivity, as where a replaced row is taken for a removed one.",
        "The loss is that of a query which moves half as far.", (f"{GOOGLE}378",),
    ),
    "VarianceForDeviation": Note(
        "NOISE_SCALE", "The variance is given where the standard deviation is asked.", "Another privacy loss.",
    ),
    "ClassicalGaussian": Note(
        "ACCOUNTING", "sigma = sqrt(2 ln(1.25 / delta)) / epsilon, used for epsilon > 1.",
        "The delta is larger than stated: at epsilon 10 by more than twice.", ("https://arxiv.org/abs/1805.06530",),
    ),
    "FewerQueries": Note(
        "COMPOSITION", "Fewer queries are counted than were answered.", "The loss of what is not counted is hidden.",
    ),
    "LowerRate": Note(
        "ACCOUNTING", "A smaller sampling rate than was used.", "Amplification that is not there.",
    ),
    "CentralLimit": Note(
        "ACCOUNTING", "A limit theorem for many steps, used as a bound at a finite number.",
        "Epsilon down to a fifth of the truth.", (f"{OPACUS}400", f"{OPACUS}715"),
    ),
    "PureClaim": Note("ACCOUNTING", "delta = 0 for noise that has none.", "A claim of pure privacy that is false."),
    "BitOrder": Note("RNG", "Bits of an octet in the other order, or negated.", "Another output; the law stays."),
    "Entropy": Note(
        "RNG", "The same random octets again and again, as from a seed that is set anew.",
        "Noise can be predicted and subtracted.", ("https://arxiv.org/abs/2009.03777",),
    ),
    "NothingRejected": Note(
        "NOISE_SHAPE", "A proposal is taken without the coin that may reject it.", "The law is that of the proposal.",
    ),
    "ShortTape": Note(
        "FUNCTIONALITY", "The tape ends before the sampler does.", "A sampler must ask for more, and never make it up.",
    ),
    "FloatSum": Note(
        "FLOAT_LEAK", "A sum of floats has the sensitivity of a sum of reals.",
        "One row moves the sum by 512 where 1 is claimed; the order of rows moves it where 0 is claimed.",
        (FLOATS,),
    ),
    "SquaredDeviations": Note(
        "FLOAT_LEAK", "A sum of squared deviations in floats has the sensitivity of one of reals.",
        "Rounding of the mean is squared and counted once for each row.", (f"{OPENDP}2923",),
    ),
    "OrderedMetric": Note(
        "SENSITIVITY", "Half of the symmetric distance is taken for the number of places that differ.",
        "An ordered metric counts all rows that move up a place.", (f"{OPENDP}2926",),
    ),
    "Tree": Note(
        "SENSITIVITY", "Distances of the levels of a tree are added up as if under L1, for all rows in one place.",
        "Under L2 a node sums its leaves, and moves further.", (f"{OPENDP}2924",),
    ),
    "GroupSize": Note(
        "SENSITIVITY", "A group of at most m rows moves by m rows, and not by 2 m when all of them change.",
        "Epsilon is twice what is claimed.", (f"{OPENDP}2945",),
    ),
    "Cast": Note(
        "DOMAIN", "Rows that cannot be read are dropped where the number of rows is public.",
        "A count that should be constant tells of one row.", (f"{OPENDP}2938",),
    ),
    "NotANumber": Note(
        "DOMAIN", "NaN passes a clamp, as no comparison with it holds.", "One row makes the sum NaN.",
        (f"{OPENDP}2936", f"{OPENDP}2935"),
    ),
    "IntegerDivision": Note(
        "SENSITIVITY", "A bound is halved in whole numbers.", "A replaced row in (0, 1) has sensitivity 0.",
        (f"{OPENDP}314",),
    ),
    "WrongBound": Note(
        "SENSITIVITY", "Of two bounds the one nearer to zero is taken.", "Sensitivity 0 where it is 10,000.",
        (f"{IBM}105",),
    ),
    "Labels": Note(
        "CONTROL_FLOW", "Labels are collected from the data and shown.", "A label of one row is seen.",
        (f"{IBM}106",),
    ),
    "Overflow": Note(
        "OVERFLOW", "Machine integers wrap around.", "One row moves the sum by the whole range.", (FLOATS,),
    ),
    "UnknownSize": Note(
        "SENSITIVITY", "A mean over as many rows as there are, with the sensitivity of a mean over a public number.",
        "Few rows move it by the whole range; none make it NaN.",
    ),
    "Median": Note(
        "SENSITIVITY", "A median has the sensitivity of a mean.", "One row in the middle moves it by the whole range.",
    ),
    "HalfBound": Note(
        "SENSITIVITY", "Half of the sensitivity.", "Epsilon is twice what is claimed.",
    ),
    "Imported": Note(
        "FUNCTIONALITY", "A case of another collection, of which the parameters were taken.", "See the header.",
    ),
}  # fmt: skip


def note(flag: str) -> dict[str, Any]:
    """The note of a flag, as it stands in a file."""
    found = NOTES[flag]
    return {
        "bugType": found.bug,
        "description": found.description,
        "effect": found.effect,
        "links": list(found.links),
    }
