"""Reports of campaigns as their JSON would be: figures worked out from the laws that they speak of."""

import json
import math
from itertools import pairwise
from typing import Any

from refdp.verdicts import VERDICTS

STEPS = 60
HOSTILE = "<script>alert(1)</script>"


def report(*targets: dict[str, Any], **campaign: Any) -> dict[str, Any]:
    """A campaign with these targets."""
    about = {"name": "Textbook", "file": "audits/textbook.toml", "alpha": "1/1000000000", "seconds": "41.50"}
    environment = {"refdp": "0.1.0", "python": "3.11.7", "system": "Linux 6.1 x86_64"}
    return {
        "format": "refdp-audit/1",
        "campaign": about | {"environment": environment} | campaign,
        "targets": list(targets),
    }


def target(name: str, verdict: str = "NOT_REFUTED", kind: str = "law", **more: Any) -> dict[str, Any]:
    """A target without evidence."""
    return {
        "target": name, "kind": kind, "source": None, "expected": None, "verdict": verdict,
        "claim": "discrete Laplace with scale 10", "sentence": f"{verdict}: as the record shows.", "witness": "",
        "reason": "the target did not answer within 10 s" if verdict == "UNKNOWN" else "",
        "error": "1/3000000000", "power": "", "samples": 0, "seconds": "0.31", "about": {}, "scope": [],
        "not_tested": [], "trusts": [], "evidence": {}, "attached": {},
        "record": {"task": {"kind": kind, "name": name}, "opening": {}, "chunks": []},
        "replay": f"refdp audit --replay report.html --only '{name}'",
    } | more  # fmt: skip


def half_laplace() -> dict[str, Any]:
    """Laplace noise with half of the scale that epsilon = 1 asks for: delta(epsilon) = 1 - exp((epsilon - 2) / 2)."""
    epsilons = [3 * i / STEPS for i in range(STEPS + 1)]
    exact = [max(0.0, 1 - math.exp((e - 2) / 2)) for e in epsilons]
    edges = [-2 + 4 * i / 40 for i in range(41)]
    losses = [
        {"lower": a, "upper": b, "first": loss_mass(a, b), "second": loss_mass(-b, -a), "inside": a >= 1}
        for a, b in pairwise(edges)
    ]
    looks = [64 + 24 * i for i in range(24)]
    wealth = [n * 0.0168 - 0.9 + 0.35 * math.sin(n / 40) for n in looks]
    return target(
        "Laplace, half scale", "REFUTED", "privacy", expected="REFUTED", samples=616,
        source="https://github.com/opendp/opendp/issues/2924", claim="(epsilon, delta) = (1, 0) for |x - x'| <= 1",
        sentence="Claim (epsilon = 1, delta = 0) REFUTED: certified epsilon >= 1.42 at error <= 1e-9.",
        witness="x = 0 | x' = 1: output <= 0 came 271 times against 31 of 616",
        about={"library": "textbook", "version": "0.1.0", "python": "3.11.7"},
        scope=["neighbours at distance 1 under |x - x'|", "pairs (0, 1) and (1, 0)", "entropy of the operating system"],
        not_tested=["other pairs of inputs", "times and other side channels", "dependence between runs"],
        trusts=["Arb", "independence of runs"],
        attached={"witness": {"format": "refdp-privacy-witness/1", "pair": ["0", "1"], "counts": ["271", "31", "616"]}},
        evidence={
            "counterexample": {
                "inputs": ["0", "1"], "outputs": [], "claimed": "epsilon = 1, delta = 0",
                "found": "epsilon >= 1.42 at delta = 0", "event": "output <= 0", "counts": ["271 of 616", "31 of 616"],
                "bounds": ["[0.329, 0.555]", "[0.013, 0.115]"],
            },
            "curve": {
                "epsilons": epsilons, "claimed": [max(0.0, (math.exp(1) - math.exp(e)) / (1 + math.exp(1)))
                                                  if e < 1 else 0.0 for e in epsilons], "exact": exact,
                "certified": [max(0.0, 0.33 - 0.08 * math.exp(e)) for e in epsilons], "marked": 1.0,
            },
            "losses": [
                {"lower": "-inf", "upper": -2.0, "first": 0.0, "second": 0.0, "inside": False}, *losses,
                {"lower": 2.0, "upper": "inf", "first": 0.0, "second": 0.0, "inside": True},
            ],
            "wealth": {"samples": looks, "log10": wealth, "threshold": 9.0},
            "ledger": [
                {"test": f"pair {pair}, {event}", "null": "P[S] <= e Q[S]", "alpha": "1/6000000000", "samples": 616,
                 "log10_e": e} for pair in ("(0, 1)", "(1, 0)")
                for event, e in (("half line", "9.81"), ("low bits", "-2.4"))
            ],
        },
    )  # fmt: skip


def loss_mass(low: float, high: float) -> float:
    """The mass of privacy losses from low to high, for Laplace noise with losses from -2 to 2; an atom at 2."""
    inside = (math.exp(high / 2) - math.exp(low / 2)) / (2 * math.e) if high > low else 0.0
    return inside + (0.5 if high >= 2 else 0) + (0.5 * math.exp(-2) if low <= -2 else 0)


def right_law() -> dict[str, Any]:
    """A sampler that is not refuted."""
    at = list(range(-40, 41))
    looks = [100 * 2**i for i in range(11)]
    return target(
        "discrete Laplace of a library", samples=102_400,
        sentence="Not refuted by 102,400 samples: a scale off by 5 % would have been seen with probability 0.999.",
        power="a scale off by 5 % or more, with probability 0.999", about={"library": "opendp", "version": "0.16.0"},
        scope=["scale 10", "102,400 draws"], not_tested=["other scales", "low bits", "dependence between draws"],
        evidence={
            "wealth": {"samples": looks, "log10": [-0.4 * math.log2(n / 90) for n in looks], "threshold": 9.5},
            "difference": {"at": at, "difference": [0.004 * math.sin(x / 6) * math.exp(-x * x / 900) for x in at],
                           "band": 0.0103, "confidence": "1 - 1e-9"},
            "ledger": [{"test": "discrete Laplace", "null": "draws are independent with this law",
                        "alpha": "1/3000000000", "samples": 102_400, "log10_e": "-4.1"}],
        },
    )  # fmt: skip


def accountant() -> dict[str, Any]:
    """Answers of an accountant: sound, loose, and unsound."""
    names = ("question", "answer", "lower", "upper", "verdict")
    rows = [
        ("Gaussian sigma = 1, x 10, delta = 1e-5", "14.71", "14.7063", "14.7064", "sound"),
        ("subsampled Gaussian q = 0.01, x 1000, delta = 1e-6", "2.101", "1.9917", "1.9925", "sound, loose by 5 %"),
        ("Laplace b = 1, x 100, delta = 1e-9", "61.2", "74.81", "74.83", "REFUTED"),
        ("the same, delta = 0", "inf", "100", "100", "sound, loose"),
    ]
    return target(
        "an accountant", "REFUTED", "accountant", error="0", claim="epsilon is never understated",
        sentence="REFUTED without statistics: 1 of 4 answers is below what is certified, by 18 %.",
        witness="Laplace b = 1, x 100: answer 61.2 < 74.81", scope=["4 questions"], not_tested=["other events"],
        evidence={"rows": [dict(zip(names, row, strict=True)) for row in rows]},
    )  # fmt: skip


def stability() -> dict[str, Any]:
    """A pair of tables on which a stability map is broken."""
    return target(
        "b-ary tree", "REFUTED", "stability", error="0", claim="l1 1 -> l1 6",
        sentence="REFUTED without statistics: outputs are 8 apart, the map says 6.", witness="[0, 1] | [0, 2]: 8 > 6",
        scope=["tables of at most 3 rows, all of them"], not_tested=["longer tables"],
        evidence={"counterexample": {"inputs": ["[0, 1]", "[0, 2]"], "outputs": ["[1, 0, 1, 0]", "[2, 0, 2, 0]"],
                                     "claimed": "outputs at most 6 apart", "found": "8"}},
    )  # fmt: skip


def textbook() -> dict[str, Any]:
    """One report with all of them, and with every verdict."""
    times = [{"question": "rank correlation of time and |output|", "answer": "0.41", "lower": "", "upper": "",
              "verdict": "MEASURED"}]  # fmt: skip
    return report(
        half_laplace(), right_law(), accountant(), stability(), target("slow", "UNKNOWN", "privacy"),
        target("randomised response", "PROVED", "exact", error="0", sentence="PROVED exactly for both pairs."),
        target("times", "MEASURED", "timing", evidence={"rows": times}),
    )  # fmt: skip


def hostile() -> dict[str, Any]:
    """Foreign text wherever there is room for it."""
    text = f"{HOSTILE}</script><!--\"'&\u202e\x00\ud800"
    found = json.loads(json.dumps(textbook()["targets"][0]))
    return report(_filled(found, text), name=text, file=text)


def _filled(found: Any, text: str) -> Any:
    """The same with that text appended to every text that is no number or verdict."""
    if isinstance(found, dict):
        return {key: value if key in KEPT else _filled(value, text) for key, value in found.items()}
    if isinstance(found, list):
        return [_filled(value, text) for value in found]
    return found + text if isinstance(found, str) and found not in VERDICTS else found


KEPT = ("losses", "error")
