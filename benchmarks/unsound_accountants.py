"""Accountants' answers that others have reported as wrong, beside certified bounds: docs/unsound_accountants.md.

    python -m benchmarks.unsound_accountants > docs/unsound_accountants.md

Every case names its public report.  Answers are those of the installed version, or the ones printed in the report; what
is not installed is skipped with a sentence on standard error.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks import accountants
from benchmarks.accountants import ACCOUNTANTS, DP_ACCOUNTING, OPACUS, PRV, Accountant, version
from refdp.accounting.judging.audit import audit_accountant
from refdp.accounting.judging.readings import INFINITE, Extended, at_least, at_most
from refdp.accounting.judging.verdicts import Finding

TIMEOUT = 60.0


@dataclass(frozen=True)
class Case:
    """What was reported: the tool, the composition, the deltas, and where."""

    tool: str
    package: str | None
    """None: the answer is the one in the report."""
    accountant: Any
    events: Sequence[Any]
    deltas: Sequence[float]
    report: str
    asked: str = ""
    neighbours: str = "add_remove"
    what: str = ""
    """The composition in words, where the events are no objects of a spec."""


def sampled(sigma: float, rate: float, count: int, mechanism: str = "gaussian") -> list[dict[str, Any]]:
    """Noise on Poisson samples; the rate is the very float that the library is given."""
    noise = {"sigma" if mechanism == "gaussian" else "scale": sigma}
    return [{"mechanism": mechanism, **noise, "sampling": {"scheme": "poisson", "rate": rate}, "count": count}]


def printed(answers: dict[float, Any]) -> Accountant:
    """The answers that a report prints, by delta."""
    return lambda events, delta: answers[delta]


def github(*threads: str) -> str:
    """Links to threads, each as owner/name#number or owner/name!number for a pull request."""
    return ", ".join(map(_link, threads))


def _link(thread: str) -> str:
    name, kind, number = (*thread.partition("!"),) if "!" in thread else (*thread.partition("#"),)
    return f"[{name}#{number}](https://github.com/{name}/{'pull' if kind == '!' else 'issues'}/{number})"


def autodp_f_dp(events: Sequence[dict[str, Any]], delta: float) -> float:
    """Composition of Gaussian noise that is known by its trade-off function alone."""
    from autodp.mechanism_zoo import GaussianMechanism
    from autodp.transformer_zoo import Composition

    made = [GaussianMechanism(accountants.multiplier(event), RDP_off=True, approxDP_off=True, fdp_off=False)
            for event in ({"sigma": float(event["sigma"])} for event in events)]  # fmt: skip
    return Composition()(made, [event["count"] for event in events]).get_approxDP(delta)


GDP = github("meta-pytorch/opacus#384", "meta-pytorch/opacus!400", "meta-pytorch/opacus#643")
PAPER = "[Gopi, Lee, Wutschitz 2021](https://arxiv.org/abs/2106.02848)"
NEGATIVE = github("meta-pytorch/opacus#585", "meta-pytorch/opacus!844")
REPLACED = github("google/differential-privacy#378", "google/differential-privacy!464")
SMALL_DELTA = github("microsoft/prv_accountant#17")
ORDERS = [1 + 1e-8] + [1 + x / 10.0 for x in range(1, 100)] + list(range(12, 64))
HIGH = [0.1, 0.5]
IN_REPORT = "as printed there"


def cases() -> Iterator[Case]:
    """Every reported case, worst first."""
    rdp, prv, gdp = (ACCOUNTANTS[f"opacus {kind}"][1] for kind in ("RDP", "PRV", "GDP"))
    yield Case("opacus GDP", OPACUS, gdp, sampled(3, 0.2, 50), [1 / 48000], f"{GDP}, {PAPER}", "the report's command")
    yield Case("opacus GDP", OPACUS, gdp, sampled(1, 0.01, 1000), [1e-6, 1e-12, 1e-20], f"{GDP}, {PAPER}")
    if version(DP_ACCOUNTING):
        yield from _replaced()
    told = {1.1e-18: (-0.044, 0.056, 0.156), 1.13e-18: (3.7, 3.8, 3.9)}
    yield Case("prv_accountant", None, printed(told), sampled(4, 0.00033, 10000), list(told), SMALL_DELTA, IN_REPORT)
    told = {1.13e-18: (3.83, 3.93, 4.03)}
    yield Case("prv_accountant", None, printed(told), sampled(4, 0.00038, 10000), list(told), SMALL_DELTA, IN_REPORT)
    yield Case("prv_accountant", PRV, ACCOUNTANTS["prv_accountant"][1], sampled(4, 0.00033, 10000), [1.1e-18],
               SMALL_DELTA, "refused since")  # fmt: skip
    for name, accountant in (("RDP", rdp), ("PRV", prv), ("GDP", gdp)):
        yield Case(f"opacus {name}", OPACUS, accountant, sampled(1, 0.01, 10), HIGH, NEGATIVE)
    yield Case("autodp f-DP", "autodp", autodp_f_dp, [{"mechanism": "gaussian", "sigma": 20.0, "count": 60}], [1 / 500],
               github("yuxiangw/autodp#15"), "the report's command, without sampling")  # fmt: skip
    yield Case("autodp AFA", "autodp", ACCOUNTANTS["autodp AFA"][1], sampled(1.0, 0.1, 10, "laplace"), [1e-5],
               github("yuxiangw/autodp#34"), "the report's command")  # fmt: skip
    yield from _not_wrong()


def _replaced() -> Iterator[Case]:
    """One row is replaced: a sum of vectors of norm at most C moves by 2 C."""
    import dp_accounting as dp
    from dp_accounting.rdp.rdp_privacy_accountant import RdpAccountant

    def accountant() -> Any:
        return RdpAccountant(neighboring_relation=dp.NeighboringRelation.REPLACE_ONE)

    noise = dp.GaussianDpEvent(2.0)
    sample = dp.SampledWithoutReplacementDpEvent(1000, 100, noise)
    for what, event in (("GaussianDpEvent(2)", noise), ("GaussianDpEvent(2) on 100 of 1000 rows", sample)):
        yield Case("dp_accounting RDP", DP_ACCOUNTING, accountant, [(event, 10)], [1e-3, 1e-6], REPLACED,
                   "a row replaced", "change_one", f"10 x {what}")  # fmt: skip


def _not_wrong() -> Iterator[Case]:
    """What was reported, and is right or has been put right."""
    one = sampled(1, 105 / 100000, 1)
    thread = github("tensorflow/privacy#166")
    yield Case("tensorflow_privacy RDP", None, printed({1e-3: 0.0}), one, [1e-3], thread, IN_REPORT)
    yield Case("dp_accounting RDP", DP_ACCOUNTING, accountants.dp_accounting_rdp(ORDERS), one, [1e-3], thread,
               "the report's orders")  # fmt: skip
    noise = [{"mechanism": "gaussian", "sigma": 1.0}]
    yield Case("OpenDP zCDP", "opendp", ACCOUNTANTS["OpenDP zCDP"][1], noise, [0.99], github("opendp/opendp#621"),
               "put right since")  # fmt: skip


def row(case: Case, finding: Finding) -> str:
    """One answer as a row of the table."""
    what = case.what or written(case.events[0])
    how = f" ({case.asked})" if case.asked else ""
    bare = isinstance(finding.said, str) or finding.said == INFINITE
    relation = "" if bare else ">= " if finding.side == "lower" else "<= "
    tool = f"{case.tool} {version(case.package) if case.package else '(report)'}"
    lower, upper = at_least(finding.truth[0], 10), at_most(finding.truth[1], 10)
    size = at_least(finding.by[0], 3) if finding.verdict in ("UNSOUND", "LOOSE") else ""
    cells = (tool, f"{what}{how}", f"{float(finding.at):.4g}", relation + shown(finding.said), f"[{lower}, {upper}]",
             finding.verdict, size, case.report)  # fmt: skip
    return f"| {' | '.join(cells)} |"


def written(event: dict[str, Any]) -> str:
    """An event of a spec in words."""
    noise = f"{event['mechanism']}({event.get('sigma', event.get('scale')):g})"
    rate = f", rate {event['sampling']['rate']:g}" if "sampling" in event else ""
    return f"{event.get('count', 1)} x {noise}{rate}"


def shown(said: Extended | str) -> str:
    """The bound that was answered, in few digits, or the sentence where there is none."""
    return said if isinstance(said, str) else "infinite" if said == INFINITE else f"{float(said):.6g}"


INTRODUCTION = """# Reported answers of accountants, judged

For whoever relies on an accountant, or writes one: which published answers were wrong, and by how much. How to judge a
number of your own is in [how to account](how_to/account.md#judge-another-accountant).

Answers of other libraries' accountants that somebody has publicly reported as wrong, as failing or as suspicious, each
put by `refdp.audit_accountant` beside certified bounds of the same composition (rows added or removed unless it is said
that one is replaced). What nobody has reported is not listed here. `python -m benchmarks.unsound_accountants` makes
this page from the versions that are installed; "(report)" stands for an answer that is printed in the report, of the
version of its day.

UNSOUND is certified: the truth is greater than the upper bound that was answered, or less than the lower one, by at
least the size given. LOOSE answers are sound. ERROR: no number, a negative epsilon, or infinity where the truth is
finite.

| tool | events | delta | epsilon answered | certified interval | verdict | size | report |
| --- | --- | --- | --- | --- | --- | --- | --- |"""
CLOSING = """
## What the rows say

- The Gaussian accountant of Opacus is a central limit, not a bound, and says so when it is made. Its error grows as
  delta shrinks.
- dp_accounting's RdpAccountant takes Gaussian noise under `REPLACE_ONE` for noise under `ADD_OR_REMOVE_ONE`, although
  the event bounds the norm of each record, so that a sum moves twice as far. Samples of a fixed size are judged from
  below by one pair of tables, so their interval is wide.
- prv_accountant had floating-point noise at delta near 1e-18: between 1.1e-18 and 1.13e-18 its interval jumps from
  around the truth to far above it, so that the lower bound is false. Since then it refuses so small a delta: an ERROR,
  and safe.
- Opacus's epsilon is negative for large delta, where the truth is 0; its Gaussian accountant raises. A user who adds
  epsilons up would be misled, one who reads a single one would not.
- tensorflow/privacy#166 suspects the answer 0. It is right: one step at rate 0.00105 and sigma 1 has delta(0) = 0.0004,
  less than the 0.001 that was asked about.

## Reported, and not judged here

- [opendp/opendp#2820](https://github.com/opendp/opendp/pull/2820) and
  [#2802](https://github.com/opendp/opendp/pull/2802): a conversion and a tail bound rounded the wrong way, by a unit in
  the last place. That is about formulas for every mechanism with a given rho, of which refdp knows upper bounds only.
- [opendp/opendp#2922](https://github.com/opendp/opendp/issues/2922): the delta of two thresholding measurements. They
  are mechanisms, not accounts.
- Accounts of another sampling scheme than the one that was run, where the accountant answers the question that it was
  put: [google-deepmind/jax_privacy#272](https://github.com/google-deepmind/jax_privacy/pull/272),
  [tensorflow/privacy#483](https://github.com/tensorflow/privacy/issues/483),
  [lxuechen/private-transformers#7](https://github.com/lxuechen/private-transformers/issues/7), and
  [Lebeda, Regehr, Kamath, Steinke 2024](https://arxiv.org/abs/2405.20769)."""


def main() -> None:
    """Prints the page."""
    warnings.simplefilter("ignore")
    print(INTRODUCTION)
    for case in cases():
        if case.package and version(case.package) is None:
            print(f"{case.tool}: skipped, {case.package} is not installed", file=sys.stderr)
            continue
        audit = audit_accountant(case.accountant, case.events, case.deltas, neighbours=case.neighbours, name=case.tool,
                                 timeout=TIMEOUT)  # fmt: skip
        for finding in audit.findings:
            print(row(case, finding), flush=True)
    print(CLOSING)


if __name__ == "__main__":
    main()
