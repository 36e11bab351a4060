"""Other libraries' accountants as callables (events, delta) -> epsilon, for `refdp.audit_accountant`.

Events are the objects of a refdp spec, so that refdp and the accountant read the very same text; rows are added or
removed.  Each is used as its users do, and is optional: `available()` leaves out what is not installed and says so.
"""

from __future__ import annotations

import sys
import types
import warnings
from collections.abc import Callable, Sequence
from fractions import Fraction
from importlib import metadata, util
from pathlib import Path
from typing import Any

Accountant = Callable[[Sequence[dict[str, Any]], float], Any]
DP_ACCOUNTING, PRV, OPACUS = "dp-accounting", "prv-accountant", "opacus"


class Unsupported(ValueError):
    """The library has no such event."""


def version(package: str) -> str | None:
    """The version of a package, None if it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def read(event: dict[str, Any]) -> tuple[str, dict[str, float], float, int]:
    """Mechanism, parameters as floats, sampling rate (1: all rows) and count of one event."""
    given = {
        key: float(Fraction(value)) for key, value in event.items() if key not in ("mechanism", "sampling", "count")
    }
    sampling = event.get("sampling")
    if sampling is not None and sampling["scheme"] != "poisson":
        raise Unsupported(f"no sampling by {sampling['scheme']}")
    rate = float(Fraction(sampling["rate"])) if sampling else 1.0
    return event["mechanism"], given, rate, int(event.get("count", 1))


def multiplier(given: dict[str, float]) -> float:
    """Noise for sensitivity 1."""
    return given.get("sigma", given.get("scale", 0.0)) / given.get("sensitivity", 1.0)


def dp_event(event: dict[str, Any]) -> Any:
    """The event of dp_accounting."""
    import dp_accounting as dp

    mechanism, given, rate, count = read(event)
    made = {"gaussian": dp.GaussianDpEvent, "laplace": dp.LaplaceDpEvent}.get(mechanism)
    if made is None:
        raise Unsupported(f"no event for {mechanism}")
    one = made(multiplier(given))
    sampled = one if rate == 1 else dp.PoissonSampledDpEvent(rate, one)
    return sampled if count == 1 else dp.SelfComposedDpEvent(sampled, count)


def dp_accounting_pld(interval: float) -> Accountant:
    """PLDAccountant with cells of that width of the privacy loss."""

    def epsilon(events: Sequence[dict[str, Any]], delta: float) -> float:
        from dp_accounting.pld.pld_privacy_accountant import PLDAccountant

        accountant = PLDAccountant(value_discretization_interval=interval)
        for event in events:
            accountant.compose(dp_event(event))
        return accountant.get_epsilon(delta)

    return epsilon


def dp_accounting_rdp(orders: Sequence[float] | None = None) -> Accountant:
    """RdpAccountant, with its default orders unless others are given."""

    def epsilon(events: Sequence[dict[str, Any]], delta: float) -> float:
        from dp_accounting.rdp.rdp_privacy_accountant import RdpAccountant

        accountant = RdpAccountant(orders) if orders else RdpAccountant()
        for event in events:
            accountant.compose(dp_event(event))
        return accountant.get_epsilon(delta)

    return epsilon


def prv(error: float) -> Accountant:
    """(lower, estimate, upper) of prv_accountant with that error of epsilon, and a thousandth of delta."""

    def epsilon(events: Sequence[dict[str, Any]], delta: float) -> tuple[float, float, float]:
        from prv_accountant import PRVAccountant

        counts = [read(event)[3] for event in events]
        made = [prv_variable(event) for event in events]
        accountant = PRVAccountant(prvs=made, max_self_compositions=counts, eps_error=error, delta_error=delta / 1000)
        return accountant.compute_epsilon(delta=delta, num_self_compositions=counts)

    return epsilon


def prv_variable(event: dict[str, Any]) -> Any:
    """The privacy loss random variable of one run of an event."""
    import prv_accountant as made

    mechanism, given, rate, _ = read(event)
    match mechanism:
        case "gaussian" if rate < 1:
            return made.PoissonSubsampledGaussianMechanism(
                noise_multiplier=multiplier(given), sampling_probability=rate
            )
        case "gaussian":
            return made.GaussianMechanism(noise_multiplier=multiplier(given))
        case "laplace" if rate == 1:
            return made.LaplaceMechanism(mu=1 / multiplier(given))
        case "pure" if rate == 1:
            return made.PureDPMechanism(eps=given["epsilon"])
    raise Unsupported(f"no privacy random variable for {mechanism}")


def opacus(kind: str) -> Accountant:
    """Opacus's accountant of that name: rdp, prv or gdp."""

    def epsilon(events: Sequence[dict[str, Any]], delta: float) -> float:
        accountant = opacus_accountants().create_accountant(kind)
        for mechanism, given, rate, count in map(read, events):
            if mechanism != "gaussian":
                raise Unsupported(f"no {mechanism} noise")
            accountant.history.append((multiplier(given), rate, count))
        return accountant.get_epsilon(delta=delta)

    return epsilon


def opacus_accountants() -> Any:
    """opacus.accountants, without PyTorch: it needs no more of it than a name."""
    if "opacus" not in sys.modules and not util.find_spec("torch"):
        found = util.find_spec("opacus")
        if found is None or found.origin is None:
            raise ImportError("opacus is not installed")
        package, optimizers = types.ModuleType("opacus"), types.ModuleType("opacus.optimizers")
        package.__path__ = [str(Path(found.origin).parent)]
        optimizers.DPOptimizer = object  # type: ignore[attr-defined]
        sys.modules |= {"opacus": package, "opacus.optimizers": optimizers}
    import opacus.accountants

    return opacus.accountants


def autodp_rdp(events: Sequence[dict[str, Any]], delta: float) -> float:
    """autodp's Renyi composition."""
    from autodp.transformer_zoo import AmplificationBySampling, Composition

    made, counts = [], []
    for event in events:
        _, _, rate, count = read(event)
        one = autodp_mechanism(event)
        made.append(one if rate == 1 else AmplificationBySampling(PoissonSampling=True)(one, rate, True))
        counts.append(count)
    return Composition()(made, counts).get_approxDP(delta)


def autodp_mechanism(event: dict[str, Any], **given_to_it: Any) -> Any:
    """autodp's mechanism of one run, without sampling."""
    from autodp.mechanism_zoo import GaussianMechanism, LaplaceMechanism

    mechanism, given, _, _ = read(event)
    made = {"gaussian": GaussianMechanism, "laplace": LaplaceMechanism}.get(mechanism)
    if made is None:
        raise Unsupported(f"no {mechanism} noise")
    return made(multiplier(given), **given_to_it)


def autodp_afa(events: Sequence[dict[str, Any]], delta: float) -> float:
    """autodp's analytical Fourier accountant of sampled events, a row removed."""
    from autodp.transformer_zoo import AmplificationBySampling_pld, ComposeAFA

    sampled = AmplificationBySampling_pld(PoissonSampling=True, neighboring="remove_only")
    made, counts = [], []
    for event in events:
        mechanism, _, rate, count = read(event)
        made.append(sampled(autodp_mechanism(event, phi_off=False, name=f"phi_{mechanism}"), rate))
        counts.append(count)
    return ComposeAFA()(made, counts).get_approxDP(delta)


def opendp_zcdp(events: Sequence[dict[str, Any]], delta: float) -> float:
    """OpenDP's zero-concentrated privacy of composed Gaussian noise, converted."""
    import opendp.prelude as dp

    dp.enable_features("contrib", "floating-point")
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    made = []
    for mechanism, given, rate, count in map(read, events):
        if mechanism != "gaussian" or rate < 1:
            raise Unsupported(f"no sampled {mechanism} noise" if rate < 1 else f"no {mechanism} noise")
        made += [dp.m.make_gaussian(*space, scale=multiplier(given))] * count
    composed = dp.c.make_zCDP_to_approxDP(dp.c.make_composition(made))
    return composed.map(1.0).epsilon(delta)


ACCOUNTANTS: dict[str, tuple[str, Accountant]] = {
    "dp_accounting PLD h=1e-4": (DP_ACCOUNTING, dp_accounting_pld(1e-4)),
    "dp_accounting PLD h=1e-5": (DP_ACCOUNTING, dp_accounting_pld(1e-5)),
    "dp_accounting RDP": (DP_ACCOUNTING, dp_accounting_rdp()),
    "prv_accountant": (PRV, prv(0.1)),
    "opacus RDP": (OPACUS, opacus("rdp")),
    "opacus PRV": (OPACUS, opacus("prv")),
    "opacus GDP": (OPACUS, opacus("gdp")),
    "autodp RDP": ("autodp", autodp_rdp),
    "autodp AFA": ("autodp", autodp_afa),
    "OpenDP zCDP": ("opendp", opendp_zcdp),
}
"""Name -> package, accountant."""


def available() -> dict[str, Accountant]:
    """The accountants whose package is installed; a sentence on standard error for each of the others."""
    warnings.simplefilter("ignore")
    found = {}
    for name, (package, accountant) in ACCOUNTANTS.items():
        if version(package) is None:
            print(f"{name}: skipped, {package} is not installed", file=sys.stderr)
        else:
            found[name] = accountant
    return found
